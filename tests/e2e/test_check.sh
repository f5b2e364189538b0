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

begin 'what a check would find is told without a run'
check 0 --power
prints 'smallest change for the worse that a check finds with 90 % probability'
grep -q '^policy  *measure  *pairs as with  *spread  *allowed  *10  *15  *16  *20 ' out ||
    fail "not by replications, the baseline's among them: $(cat out)"
prints '- of a change that touches one policy, and all 3 of its measures: 0.0333 %'
check 0 --power --format csv
(($(grep -c ',smallest,16,0.9,' out) == 9)) || fail 'not all measures of all policies'
check 0 --power --format json --policy random
(($(grep -c '"closest_policy"' out) == 3)) || fail 'not that policy alone'
grep -q '"schema": "lbsim.check_power/1"' out || fail 'no schema'
check 2 --power --strict
says 'it has no use for --strict'
check 2 --power --format junit
says 'not as junit'
check 4 --power --baseline absent
check 2 --power --seed 7
says "'seed' was 1, and is now 7"

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
prints 'pass: identical to the baseline in 6 measures'
prints '- in the baseline, and not watched any more: success_ratio'

begin 'what is allowed is kept, and a change of it told'
check 0 --tolerance 'latency_all_p99=60%' --set check.false_alarms=0.0001%
prints '- tolerances: latency_all_p99_s was 5 %, and is now 60 %'
prints "- 'check.false_alarms' was 0.1 %, and is now 0.0001 %"
check 0 --format csv --tolerance 'success=[1 points, 2 %]'
prints '# - tolerances: success_ratio was 0.5 points, and is now 2 % or 1 points'
check 0
grep -q '^- tol' out && fail "tells of no change: $(cat out)"

begin 'baseline says what it replaces'
cp first again
expect 0 baseline s.yaml -q -b again
prints '- replaces a baseline of the same settings: 0 of 9 measures have changed'
expect 0 baseline s.yaml -q -b again --seed 2
prints "- replaces a baseline of another kind: 'seed' was 1, and is now 2"
echo cut >>again
expect 0 baseline s.yaml -q -b again
prints '- replaces a baseline that cannot be read'

begin 'one policy alone can be checked'
check 0 --policy random
prints 'in all 3 measures'
prints '- left out by --policy: '

begin 'policies that are new or gone are refused by name'
check 2 --set 'policies=[round_robin, random, least_conn]'
says "policy 'least_conn' is not in it"
says 'is missing now'
no_output
check 2 --policy least_conn
says "policy 'least_conn' is not in it"
grep -q 'is missing now' err && fail 'misses what --policy leaves out'

begin 'nothing to compare is no pass'
keys=$(awk '$1 == "measure" { print $2 }' first | sort -u)
off=()
for key in $keys; do
    off+=(--tolerance "$key=off")
done
check 2 "${off[@]}" --tolerance latency_p50=5%
says 'has none of the measures that are watched'
no_output

begin '--update tells what it drops, also when --policy looks at one alone'
cp first some
check 0 -b some --policy random --update
prints '3 identical, 6 new or gone'
prints '--update drops it'

begin 'a policy whose parameters change is compared, and both are named'
expect 0 baseline s.yaml -q -b params --set 'policies=[round_robin, two_choices]'
check 0 -b params --set 'policies=[round_robin, {two_choices: {ties: rotate}}]'
prints "policy 'two_choices(ties=rotate)' was 'two_choices"
grep -q '^two_choices(ties=rotate) .*latency_mean_s' out ||
    fail "is not compared: $(cat out)"
grep -q 'new or gone' out && fail 'is taken for another policy'
check 0 -b params --set 'policies=[round_robin, {two_choices: {ties: rotate}}]' \
    --format github --report junit=params.junit --report json=params.json
for file in out params.junit params.json; do
    grep -q "'two_choices', and is now 'two_choices ties=rotate'" "$file" ||
        fail "$file does not tell of the change: $(cat "$file")"
done

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
prints 'new: nothing to compare with; the baseline is written anew'
grep -q pass out && fail 'passes what it did not compare'
expect 0 check s.yaml -q -b made --strict

begin 'what one command takes the other does not overlook'
for option in --set=workload.work.mean=110ms --seed=3 --replications=5 \
    --policy=random --tolerance=latency_p90=1%; do
    expect 0 baseline s.yaml -q -b other "$option"
    ! cmp -s other first || fail "baseline overlooks $option"
    check 0 -b other --strict "$option"
    prints 'pass: identical'
    run check s.yaml -q -b other --strict
    [[ $option == --tolerance* || $status -ne 0 ]] ||
        fail "check without $option is the same"
done

# ---- what a failing check leaves behind ----

objects=$(realpath "$(dirname "$program")/../policies")
faulty=$(realpath "$(dirname "$program")/../tests/faulty")

# builds A B C D: four policies out of shared objects, under the same names.
builds() {
    echo "policies=[{a: {so: '$1'}}, {b: {so: '$2'}}, {c: {so: '$3'}}, {d: {so: '$4'}}]"
}

sed "1a name: 'x<y> & \"z\" | ü'" s.yaml >r.yaml
before=$(builds "$objects/least_conn.so" "$objects/two_choices.so" \
    "$objects/random.so" "$objects/least_conn.so")
now=$(builds "$objects/random.so" "$objects/random.so" \
    "$objects/least_conn.so" "$faulty/least_conn.so")
loose=(--tolerance 'latency_all_p99=60%')

begin 'regressions, a gain and what cannot be told are all listed'
expect 0 baseline r.yaml -q --set "$before" "${loose[@]}"
reports=()
for format in json csv markdown junit github gitlab azure lines; do
    reports+=(--report "$format=r.$format")
done
expect 1 check r.yaml -q --set "$now" "${loose[@]}" "${reports[@]}"
grep -q '^d  *latency_mean_s .* REGRESSION$' out || fail 'the planted fault is not found'
grep -q '^c  *latency_mean_s .* better$' out || fail 'the gain is not told'
grep -q '^a  *latency_all_p99_s .* inconclusive: .* replications would tell$' out ||
    fail 'the doubtful one is not told'
prints 'regression: of 12 measures'
[[ $(grep -c 'REGRESSION$' out) -ge 2 ]] || fail 'not all regressions are listed'

begin 'every report is whole, and tells of every regression'
for format in json csv markdown junit github gitlab azure lines; do
    [[ $(grep -c 'latency_mean_s' "r.$format") -ge 3 ]] ||
        fail "the report '$format' lacks something: $(head -c 300 "r.$format")"
done
[[ -z $(find . -name '*.tmp-*') ]] || fail 'temporary files stay behind'
if command -v xmllint >/dev/null; then
    xmllint --noout --schema "$root/tests/data/junit.xsd" r.junit 2>err ||
        fail "JUnit XML: $(cat err)"
fi
if command -v python3 >/dev/null; then
    python3 -c '
import json, sys
check = json.load(open("r.json"))
assert check["schema"] == "lbsim.check/1" and check["verdict"] == "regression"
worst = [r for r in check["rows"] if r["kind"] == "worse"]
assert len(worst) == check["counts"]["worse"] >= 2
for row in worst:
    assert row["change_lo"] > row["allowed"] and row["p"] <= 0.001
    assert row["now"] > row["baseline"] + row["allowed"]
assert any(i["severity"] == "major" for i in json.load(open("r.gitlab")))
' || fail 'JSON'
fi
grep -q '^::error file=r.baseline,line=[0-9]*,title=lbsim check::latency_mean_s of d: ' \
    r.github || fail 'no annotation of GitHub'
grep -q '^##vso\[task.logissue type=error;sourcepath=r.baseline;' r.azure ||
    fail 'no annotation of Azure'
grep -q '^| d | latency_mean_s | .* | \*\*REGRESSION\*\* |$' r.markdown ||
    fail 'no row of Markdown'

begin 'each format on standard output is what its report holds'
for format in json csv markdown junit github gitlab azure lines; do
    expect 1 check r.yaml -q --set "$now" "${loose[@]}" --format "$format"
    cmp -s out "r.$format" || fail "--format $format prints something else"
done

begin 'what is inconclusive fails only when asked'
one=$(builds "$objects/random.so" "$objects/two_choices.so" \
    "$objects/random.so" "$objects/least_conn.so")
expect 0 check r.yaml -q --set "$one" "${loose[@]}" --tolerance latency_mean=off \
    --report junit=r.junit
grep -q '<skipped ' r.junit || fail 'not skipped'
expect 5 check r.yaml -q --set "$one" "${loose[@]}" --tolerance latency_mean=off \
    --strict --report junit=r.junit
grep -q '<failure type="inconclusive"' r.junit || fail 'no failure when strict'

begin 'a check that is not finished has reports too, and status 3'
expect 3 check r.yaml -q --set "$before" "${loose[@]}" --limit-events 50 \
    --report junit=r.junit --report json=r.json
says 'the limit of events was reached: 0 of 16 replications finished'
grep -q '<error type="not_finished"' r.junit || fail 'no error'
grep -q '"verdict": "not_finished"' r.json || fail 'no verdict'
expect 2 check r.yaml -q --set "$before" "${loose[@]}" --seed 9 --report \
    junit=r.junit
grep -q "'seed' was 1, and is now 9" r.junit || fail 'the refusal is not reported'
expect 4 check r.yaml -q -b none --report junit=r.junit
grep -q "there is no baseline 'none'" r.junit || fail 'no baseline is not reported'

begin 'a report that cannot be written is known before the run'
mkdir closed
expect 3 check r.yaml -q --set "$before" --report json=closed/none/r.json
says "cannot write 'closed/none/r.json'"
no_output
expect 2 check r.yaml --report junit
expect 2 check r.yaml --report xml=r.xml
expect 2 check r.yaml --format xml

begin '--update takes over what changed, and shows it'
expect 0 check r.yaml -q --set "$now" "${loose[@]}" --update
prints REGRESSION
says 'r.baseline is updated'
expect 0 check r.yaml -q --set "$now" "${loose[@]}"
prints 'pass: identical'
expect 0 check r.yaml -q --set "$now" "${loose[@]}" --seed 9 --update
says "'seed' was 1, and is now 9"
says 'r.baseline is updated'
prints 'new: nothing to compare with, as the baseline was of other settings'
grep -q '^d  *latency_mean_s .* no verdict: of other settings$' out ||
    fail 'values of both are not listed'
grep -qi 'pass\|REGRESSION\|identical' out && fail 'has a verdict without a comparison'
head -n 20 first >cut_off
check 0 -b cut_off --update --format json
says 'is cut off'
prints '"verdict": "new"'
prints '"identical": false'
check 0 -b cut_off --strict

begin 'run in shards and merged, a check is what it is alone'
expect 0 check s.yaml -q -o whole
cp out alone
expect 0 check s.yaml -q --shard 1/2 -o one
no_output
expect 0 check s.yaml -q --shard 2/2 -o two
expect 0 merge two one -q -o merged
cmp -s out alone || fail 'the merged check prints something else'
cmp -s whole/values.csv merged/values.csv || fail 'other values'

begin 'the commands of the ready workflow do what they should'
awk '/name: Check against the baseline/ { inside = 1; next }
    inside && /- uses:/ { exit }
    inside && !/run: \|/ { print }' "$root/scenarios/ci/github.yml" >workflow
mkdir path
ln -s "$program" path/lbsim
status=0
(PATH=$PWD/path:$PATH SCENARIO=s.yaml GITHUB_STEP_SUMMARY=summary \
    bash -e workflow >out 2>err) || status=$?
[[ $status -eq 0 ]] || fail "status $status: $(cat err)"
prints '::notice title=lbsim check::pass: identical'
grep -q '^### lbsim check: s$' summary || fail 'no summary'
[[ -s check.xml && -s check.json ]] || fail 'no reports'
sed -n 's|^ *- /opt/lbsim/build/release/sim/lbsim|lbsim|p; /^ *--report/p' \
    "$root/scenarios/ci/gitlab.yml" | tr '\n' ' ' >workflow
(PATH=$PWD/path:$PATH SCENARIO=s.yaml bash -e workflow >out 2>err) ||
    fail "GitLab: $(cat err)"
[[ $(cat check.codequality.json) == '[]' ]] || fail 'Code Quality is not empty'

begin 'a baseline holds what a run yields'
expect 0 run s.yaml -q --format csv
while read -r _ policy; do
    mean=$(awk -v policy="$policy" '$1 == "policy" { here = $2 == policy }
        here && $2 == "latency_mean_s" { print $3 }' s.baseline)
    grep -q "^$policy,[a-z_]*,16,$mean," out ||
        fail "latency_mean_s of $policy is not $mean in: $(grep "^$policy," out | cut -c1-80)"
done < <(grep '^policy ' s.baseline)

finish
