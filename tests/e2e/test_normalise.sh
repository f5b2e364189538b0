#!/usr/bin/env bash
# Prompts and their normal forms as users meet them.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"
source "$(dirname "$0")/shipped.bash"
scenario=scenarios/articles/normalise.yaml

begin 'the trace is what its program writes'
LC_ALL=C awk -f tests/e2e/normalise_trace.awk >"$work/trace.csv"
cmp "$work/trace.csv" scenarios/articles/normalise.csv ||
    fail 'scenarios/articles/normalise.csv is another'

# Counted by a program of its own, over Python's unicodedata: 153 raw prompts
# of 600, 37 normal forms; 447 and 563 were asked before.
begin 'articles/normalise: what its comments say'
expect 0 lint $scenario
says_nothing() { [[ ! -s $work/err ]] || fail "says '$(cat "$work/err")'"; }
says_nothing
expect 0 run $scenario --quiet --format csv
holds "$(value ring_hash ideal_hit_ratio) > 0.9383 && $(value ring_hash ideal_hit_ratio) < 0.9384"
holds "$(value ring_hash ideal_hit_ratio_raw) == 0.745"
holds "$(value ring_hash result_hit_ratio) > 0.92" # "within a point or two"
holds "$(value least_conn result_hit_ratio) > 0.78 && $(value least_conn result_hit_ratio) < 0.84"
steps_off='workload.normalise={nfkc: false, case: false, punctuation: false, white_space: false}'
expect 0 run $scenario --quiet --format csv --set "$steps_off"
holds "$(value ring_hash ideal_hit_ratio) == 0.745"
holds "$(value ring_hash result_hit_ratio) > 0.72"
holds "$(value least_conn result_hit_ratio) < 0.5"

begin 'the books of prompts'
expect 0 run $scenario --quiet
prints 'prompts: 518 of 600 changed by normalising; 153 raw keys became 37; 62 were translated; 26 not in Latin script'
expect 0 run $scenario --quiet --format json
prints '"untranslated": 26'

begin 'where nothing is normalised, nothing is said of it'
expect 0 run scenarios/theory/mm1.yaml --quiet --format csv --set replications=1 --set duration=1h --set warm_up=0s
! grep -q ideal_hit_ratio_raw "$work/out" || fail 'a column of a mechanism that is off'

begin 'what is misspelt, missing or in vain'
expect 2 run $scenario --quiet --set workload.normalise.punctation=true
says "did you mean 'punctuation'"
expect 2 run $scenario --quiet --set workload.normalise.synonyms=none.csv
says 'cannot read the table of synonyms: looked for scenarios/articles/none.csv'
expect 2 run $scenario --quiet --set workload.normalise.case=perhaps
printf 'lb,load balancer\nlb\n' >"$work/bad.csv"
expect 2 run $scenario --quiet --set "workload.normalise.synonyms=$work/bad.csv"
says "bad.csv:2:1: error: the row has 1 field, expected two: 'term' and 'canonical'"
no_output
expect 0 lint $scenario --set "$steps_off"
says "'normalise' has no effect: every step is off"
expect 0 lint $scenario --set 'workload.keys={dist: unique}'
says "'normalise' has no effect: 'keys' replaces the trace's prompts"
expect 0 lint scenarios/theory/mm1.yaml --set 'workload.normalise={}'
says "'normalise' has no effect: made traffic has no texts"
expect 0 lint tests/golden/trace.yaml --set 'workload.normalise={}'
says "'normalise' has no effect: the trace has no prompts"

begin 'the same from a file that is read again, from any number of threads'
for policy in ring_hash least_conn; do
    expect 0 run $scenario --quiet --policy $policy
    cp "$work/out" "$work/whole"
    expect 0 run $scenario --quiet --policy $policy --set workload.trace.memory=4KiB
    cmp -s "$work/out" "$work/whole" || fail 'another result'
done
expect 0 run $scenario --quiet --set replications=3 --jobs 1 --set 'workload.trace.resample={blocks: 20 s}'
cp "$work/out" "$work/whole"
expect 0 run $scenario --quiet --set replications=3 --jobs 4 --set 'workload.trace.resample={blocks: 20 s}'
cmp -s "$work/out" "$work/whole" || fail 'threads change the result'
finish
