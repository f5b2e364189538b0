#!/usr/bin/env bash
# scenarios/engines/parallel.sh with the real GNU parallel: shards, a lost one,
# and the same words again.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"
source "$(dirname "$0")/shards.bash"
if ! parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
    echo 'SKIPPED: GNU parallel is not installed' >&2
    exit 77
fi
# A name that a shell would take apart, as parallel starts one.
little "$work/two words & a \$dollar.yaml" 20/s
words=(run "$work/two words & a \$dollar.yaml" --set replications=5
    --set 'goals={success: 99 %}')
export LBSIM=$program HOME=$work PARALLEL=

# by_parallel STATUS
by_parallel() {
    status=0
    scenarios/engines/parallel.sh 7 "$work/night" "${words[@]}" \
        >"$work/out" 2>"$work/err" </dev/null || status=$?
    [[ $status -eq $1 ]] || fail "exits with $status: $(cat "$work/err")"
}

begin 'seven shards under GNU parallel are the single run'
alone "${words[@]}"
by_parallel 0
cmp "$work/alone" "$work/out" || fail 'prints something else'
diff -r -x speed.json -x runs.sqlite "$work/single" "$work/night/merged" ||
    fail 'another result'
[[ $(wc -l <"$work/night/joblog") -eq 8 ]] || fail 'not seven jobs'

begin 'what was lost is run again, and nothing else'
rm -r "$work/night/shard-3" "$work/night/merged"
expect 3 merge "$work"/night/shard-* --output "$work/night/merged"
says 'shard 3 of 7 is missing: 3 simulations' # 15 = 6 x 2 + 3
by_parallel 0
cmp "$work/alone" "$work/out" || fail 'prints something else'

begin 'a shard that fails is told, and named by merge'
rm -r "$work/night/shard-5"
echo 'in the way' >"$work/night/shard-5"
by_parallel 2
says '1 of 7 shards failed'
says "'$work/night/shard-5'"

begin 'usage'
status=0
scenarios/engines/parallel.sh 7 2>"$work/err" || status=$?
[[ $status -eq 2 ]] || fail "exits with $status"
says 'parallel.sh SHARDS FOLDER COMMAND FILE'
finish
