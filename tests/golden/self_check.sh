#!/usr/bin/env bash
# self_check.sh: sees that run_golden.sh tells right output from wrong, and a
# command that fails from one that does not.
# shellcheck disable=SC2016 # the commands are for run_golden.sh to expand
set -eu

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# expect pass|fail COMMAND OUTPUT, with 'echo' for the program.
expect() {
    local verdict=pass

    printf '%s\n' "$2" >"$work/case.cmd"
    printf '%b' "$3" >"$work/case.out"
    "$here/run_golden.sh" "$(type -P echo)" "$work/case.cmd" \
        >"$work/log" 2>&1 || verdict=fail
    if [[ $verdict != "$1" ]]; then
        echo "self_check: '$2' gives $verdict, expected $1" >&2
        failures=$((failures + 1))
    fi
}

expect pass 'lbsim a b' 'a b\n'
expect fail 'lbsim a b' 'a b'
expect fail 'lbsim a b' 'a c\n'
expect fail 'lbsim a b' ''
expect fail 'lbsim a; false' 'a\n'
expect pass 'lbsim a; false; echo "exit $?"' 'a\nexit 1\n'
expect pass 'lbsim x | tr x y' 'y\n'
expect pass 'lbsim "$LC_ALL"' 'C.UTF-8\n'

rm "$work/case.out"
if "$here/run_golden.sh" "$(type -P echo)" "$work/case.cmd" \
    >"$work/log" 2>&1; then
    echo 'self_check: passes without expected output' >&2
    failures=$((failures + 1))
fi

[[ $failures -eq 0 ]]
