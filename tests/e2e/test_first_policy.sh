#!/usr/bin/env bash
# "Your first policy" of policies/README.md, done as it says: its one file, and
# its commands, in a folder where a newcomer would stand.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"
source "$(dirname "$0")/readme.bash"

begin 'the page has a policy and its commands'
section policies/README.md 'Your first policy' >"$work/page"
block c <"$work/page" >"$work/sticky.c"
block sh <"$work/page" >"$work/commands"
grep -q LBP_ENTRY "$work/sticky.c" || fail 'no policy on the page'
[[ $(wc -l <"$work/commands") -ge 3 ]] || fail 'no commands on the page'

# A newcomer stands in the clone; here, where its folders are linked.
for folder in policies scenarios; do
    ln -s "$root/$folder" "$work/$folder"
done

begin 'the commands do what they say'
while read -r line; do
    [[ -n $line ]] || continue
    status=0
    (
        cd "$work" || exit
        # The page calls the program through ./dev, which would build another.
        bash -c "${line//.\/dev lbsim/\"$program\"}" >out 2>err
    ) || status=$?
    [[ $status -eq 0 ]] ||
        fail "'$line' exits with $status: $(tail -n 3 "$work/err")"
    case $line in
    *--check*) prints ' passed, 0 failed, ' ;;
    *run*) prints 'sticky ' ;;
    esac
done <"$work/commands"

begin 'it compiles without a warning'
cc -std=c17 -O2 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fPIC \
    -shared -DLBP_SHARED -I. -o "$work/strict.so" "$work/sticky.c" ||
    fail 'the compiler complains'

finish
