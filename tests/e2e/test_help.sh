#!/usr/bin/env bash
# Help: there for every command, complete, and no wider than a terminal.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"

begin 'the list of commands'
expect 0 help
cp "$work/out" "$work/commands"
for way in --help -h; do
    expect 0 $way
    cmp -s "$work/commands" "$work/out" || fail "$way differs from help"
done
commands=$(sed -n 's/^  \([a-z]\+\) .*/\1/p' "$work/commands")
for command in run compare plan lint policies settings schema trace plot version help; do
    grep -qx "$command" <<<"$commands" || fail "$command is not listed"
done

begin 'each command explains itself'
for command in $commands; do
    expect 0 help "$command"
    cp "$work/out" "$work/help"
    if [[ $command != help ]]; then
        expect 0 "$command" --help
        cmp -s "$work/help" "$work/out" || fail "help $command differs"
        prints "Usage: lbsim $command"
    fi
    if grep -n '.\{81,\}\|[[:blank:]]$' "$work/help"; then
        fail "$command: a line is too wide or ends in blanks"
    fi
    # An option whose next line is another option says nothing about itself.
    awk '/^  *(-.,)? *--[a-z-]+/ && NF < 3 {
             option = $0; getline
             if ($1 ~ /^-/ || NF == 0) print option }' "$work/help" >"$work/bare"
    if [[ -s $work/bare ]]; then
        fail "$command: no words on $(cat "$work/bare")"
    fi
done

begin 'what the run takes is all there'
expect 0 help run
for option in set seed replications policy format output quiet show-effective \
    jobs limit-time limit-events limit-memory; do
    prints "--$option"
done

begin 'the version'
expect 0 --version
cp "$work/out" "$work/version"
for way in version -V 'run --version'; do
    # shellcheck disable=SC2086 # words on purpose
    expect 0 $way
    cmp -s "$work/version" "$work/out" || fail "'$way' differs"
done
grep -qE '^lbsim [0-9]+\.[0-9]+\.[0-9]+$' "$work/version" ||
    fail "prints $(cat "$work/version")"

begin 'the reference page is the one in the tree'
expect 0 settings --format markdown
cmp -s "$work/out" scenarios/SETTINGS.md ||
    fail "scenarios/SETTINGS.md is old: lbsim settings --format markdown"
finish
