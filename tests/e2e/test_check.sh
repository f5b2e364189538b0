#!/usr/bin/env bash
# Baselines and checks as a CI job meets them: what is found, what is refused,
# what is left behind whatever comes out.
#
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"

little "$work/s.yaml" 25/s
cat >>"$work/s.yaml" <<'EOF'
replications: 16
EOF
cd "$work" || exit 1

# check STATUS OPTION...
check() {
    local wanted=$1

    shift
    expect "$wanted" check s.yaml --quiet "$@"
}

begin 'no baseline has a status of its own, and says how to make one'
check 4
says "there is no baseline 's.baseline'"
says 'lbsim baseline s.yaml'
no_output

begin 'a baseline is the same text from any number of threads'
expect 0 baseline s.yaml --quiet --jobs 1
prints '3 policies, 3 measures, 16 replications'
cp s.baseline first
expect 0 baseline s.yaml --quiet --jobs 3
cmp -s first s.baseline || fail 'two baselines differ'
[[ $(head -n 1 s.baseline) == lbsim.baseline/1 ]] || fail 'no schema'

begin 'nothing changed: identical, and status 0'
check 0 --jobs 3
prints 'pass: identical to the baseline in all 9 measures'
cp out with_three
check 0 --jobs 1
cmp -s out with_three || fail 'the number of threads shows'

begin 'other settings, seed and replications are refused by name'
check 2 --set nodes[0].count=4 --set workload.work.mean=120ms --seed 7
says "'seed' was 1, and is now 7"
says "'nodes[].count' was 3, and is now 4"
says "'workload.work.mean' was 100 ms, and is now 120 ms"
no_output
check 2 --replications 15
says "'replications' was 16, and is now 15"

begin 'goals and tolerances are no other scenario'
check 0 --set 'goals={latency_mean: 1 s}' --tolerance success=off
prints 'pass: identical'

begin 'one policy alone can be checked'
check 0 --policy random
prints 'in all 3 measures'

begin 'policies that are new or gone are told, the others compared'
check 0 --set 'policies=[round_robin, random, least_conn]'
prints 'inconclusive: of 12 measures 6 identical, 6 new or gone'
check 5 --strict --set 'policies=[round_robin, random, least_conn]'

begin 'a measure that the baseline lacks is told, the others are compared'
check 5 --strict --tolerance latency_p50=5%
prints 'not in the baseline'
prints '9 identical, 3 new or gone'

begin 'empty, foreign, damaged and later files are refused'
: >empty
check 2 -b empty
says 'empty: error: is empty, so it is no baseline'
check 2 -b s.yaml
says 'is no baseline'
sed 's|baseline/1|baseline/2|' first >later
check 2 -b later
says "the schema is 'lbsim.baseline/2', and this program reads 'lbsim.baseline/1'"
sed '0,/measure/s/ 1 1 / 1 0.5 /' first >edited
sed -i '0,/: 0/s/: 0/: 1/' edited
check 2 -b edited
says 'changed by hand or by a merge'
head -n 20 first >cut_off
check 2 -b cut_off
says 'is cut off'
expect 2 baseline s.yaml -q -b s.yaml
says "'s.yaml' is not replaced: it is no baseline"

begin '--create makes the baseline and passes, once'
check 0 -b made --create
cmp -s made first || fail '--create makes another baseline'
expect 0 check s.yaml -q -b made --strict

finish
