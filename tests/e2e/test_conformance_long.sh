#!/usr/bin/env bash
# Every built-in policy keeps the contract as a shared object too.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"
build=$(dirname "$(dirname "$program")")

begin 'the objects of built-in policies keep the contract'
"$program" policies | sed -n 's/^\([a-z_0-9]*\)  .*/\1/p' >"$work/names"
while read -r name; do
    expect 0 policies --check "$build/policies/$name.so"
    prints ' passed, 0 failed, '
done <"$work/names"
[[ -s $work/names ]] || fail 'no policies'
finish
