#!/usr/bin/env bash
# Advice as people ask for it: before a run and after it.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"
little "$work/good.yaml" 20/s

begin 'without a run there is advice and no judgement'
expect 0 advise "$work/good.yaml" --no-run
prints 'Compare'
grep -q 'Facts' "$work/out" && fail 'facts that nobody asked for'
grep -qE '[{][a-z_]+[}]' "$work/out" && fail 'a fact has no value'
expect 0 advise "$work/good.yaml" --no-run --facts
prints 'Facts'
prints 'rule:'
if grep -qE 'held|FAILED' "$work/out"; then
    fail 'judges what was not run'
fi

begin 'with a run every prediction is judged, whatever the number of threads'
expect 0 advise tests/golden/few.yaml --quiet --replications 3 --format json --jobs 1
cp "$work/out" "$work/one"
expect 0 advise tests/golden/few.yaml --quiet --replications 3 --format json --jobs 3
cmp -s "$work/one" "$work/out" || fail '--jobs changes the output'
predictions=$(grep -c '"expects"' "$work/out")
outcomes=$(grep -cE '"outcome": "(held|failed|cannot_tell)"' "$work/out")
[[ $predictions -gt 0 && $predictions -eq $outcomes ]] ||
    fail "$outcomes of $predictions predictions are judged"
grep -qiE 'nan|inf' "$work/out" && fail 'a number is none'

begin 'first what to expect, then whether it was so'
expect 0 advise tests/golden/few.yaml --quiet --replications 3
order=$(grep -oE '^(Compare|Expect|Will not matter|Whether it was so)' "$work/out" | paste -sd ,)
[[ $order == 'Compare,Expect,Will not matter,Whether it was so' ]] || fail "order: $order"
[[ $(wc -l <"$work/out") -le 40 ]] || fail 'more than a screen to read'

begin 'what is set on the command line counts'
expect 0 advise "$work/good.yaml" --no-run --set balancer.count=4 --format json
prints '"balancers": 4'

begin 'mistakes are 2'
expect 2 advise
expect 2 advise "$work/good.yaml" --policy random
says 'advise chooses'
expect 2 advise "$work/good.yaml" --format csv
expect 2 advise "$work/nowhere.yaml"
expect 2 advise "$work/good.yaml" --set workload.arrivals.rate=fast

begin 'a limit is 3, and says so'
expect 3 advise "$work/good.yaml" --quiet --limit-events 5
says 'limit of events'
prints 'Compare'

finish
