#!/usr/bin/env bash
# 'lbsim policies --check': every built-in policy keeps the contract; every policy
# of tests/conformance breaks the one promise that its first line names, and no
# other.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"
build=$(dirname "$(dirname "$program")")

# keeps_contract POLICY: the one check by the clock may be asked again, since the
# machine may be busy and the build be one that counts its lines.
keeps_contract() {
    local try

    for try in 1 2 3 4; do
        run policies --check "$1"
        [[ $(failed) == budget && $try -lt 4 ]] || break
    done
    [[ $status -eq 0 ]] || fail "$1: $(grep -A1 '^FAIL' "$work/out")"
    prints ' passed, 0 failed, '
}

# failed: names of the checks that failed, in one line.
failed() {
    sed -n 's/^FAIL  \([a-z_]*\).*/\1/p' "$work/out" | paste -sd ' ' -
}

begin 'the built-in policies keep the contract'
"$program" policies | sed -n 's/^\([a-z_0-9]*\)  .*/\1/p' >"$work/names"
[[ $(wc -l <"$work/names") -ge 6 ]] || fail "few policies: $(cat "$work/names")"
while read -r name; do
    keeps_contract "$name"
done <"$work/names"
keeps_contract "$build/policies/round_robin.so" # test_conformance_long has all

begin 'each broken policy fails where it is broken, and only there'
count=0
for source in tests/conformance/*.c; do
    name=$(basename "$source" .c)
    wanted=$(sed -n '1s|^/\* Fails: \([a-z_]*\)\..*|\1|p' "$source")
    [[ -n $wanted ]] || fail "$source does not say what it fails"
    [[ $wanted != nothing ]] || wanted=
    object=$build/tests/conformance/$name.so
    run policies --check "$object" --limit-time 2s
    # On a busy machine others than those that hang may be too slow for that.
    [[ $(failed) == "$wanted" ]] ||
        run policies --check "$object" --limit-time 20s
    [[ $(failed) == "$wanted" ]] ||
        fail "$name fails in '$(failed)' and not in '$wanted':" \
            "$(grep -A1 '^FAIL' "$work/out")"
    [[ $status -eq $([[ -z $wanted ]] && echo 0 || echo 1) ]] ||
        fail "$name: exits with $status"
    echo "$wanted" >>"$work/covered"
    count=$((count + 1))
done
[[ $count -ge 20 ]] || fail "only $count policies"

# Every check has a policy that fails it, but the first, which the loader has
# answered before.
begin 'every check can fail'
run policies --check round_robin
sed -n 's/^\(pass\|skip\|FAIL\)  \([a-z_]*\).*/\2/p' "$work/out" |
    grep -v '^table$' | sort >"$work/checks"
LC_ALL=C sort -u "$work/covered" | grep . |
    cmp -s - "$work/checks" ||
    fail "checks without a policy: $(sort -u "$work/covered" |
        comm -3 - "$work/checks" | paste -sd ' ')"

begin 'how it ended is told'
run policies --check "$build/tests/conformance/hangs_on_nobody.so" \
    --limit-time 1s
prints 'did not end within 1 s, asked with nothing eligible'
run policies --check "$build/tests/conformance/dies_of_a_parameter.so"
prints 'died of SIGABRT (abort or assert), with every=0'

begin 'parameters are set and checked'
expect 0 policies --check ring_hash --param replicas=7
expect 2 policies --check ring_hash --param replicas=none
says "'replicas' needs a count"
expect 2 policies --check ring_hash --param repilcas=7
says "ring_hash has no parameter 'repilcas'"
expect 2 policies --check ring_hash --param replicas
says 'write it as NAME=VALUE'

begin 'what is no policy is bad input; what breaks the contract at the door fails'
expect 2 policies --check
expect 2 policies --check no_such_policy
expect 2 policies --check "$work/none.so"
says 'No such file'
expect 2 policies --check ./README.md
says "'./README.md' is not a shared object"
expect 2 policies round_robin --param phase=zero
expect 1 policies --check "$build/tests/objects/place.so"
prints "FAIL  entry       '$build/tests/objects/place.so' breaks the contract"
expect 0 policies "$build/policies/ring_hash.so"
prints 'replicas (count)'

finish
