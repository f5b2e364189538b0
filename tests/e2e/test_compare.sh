#!/usr/bin/env bash
# Comparisons: of policies, of results, with replications as many as it takes.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"
little "$work/s.yaml" 24/s
rows() { grep -v '^#' "$work/out" | tail -n +2; }

begin 'the objective is judged as by run'
expect 0 run "$work/s.yaml" --quiet --format csv --replications 6
grep -v '^#' "$work/out" | tail -n +2 | cut -d, -f1,2 >"$work/run"
expect 0 compare "$work/s.yaml" --quiet --format csv --replications 6
{ echo round_robin,reference; rows | grep latency_all_p99_s | cut -d, -f1,11; } >"$work/compare"
diff "$work/run" "$work/compare" >&2 || fail 'other verdicts than run'

begin 'results of one seed are compared as their policies are in one run'
for policy in round_robin two_choices; do
    expect 0 run "$work/s.yaml" --quiet --replications 6 --policy $policy \
        --output "$work/$policy"
done
expect 0 compare "$work/s.yaml" --quiet --format csv --replications 6 \
    --policy round_robin --policy two_choices
rows | cut -d, -f3-13 >"$work/together"
expect 0 compare "$work/round_robin" "$work/two_choices" --format csv
rows | cut -d, -f3-13 >"$work/apart"
# Files have nine digits, so the last ones of differences of them are lost.
paste -d, "$work/together" "$work/apart" | awk -F, '
    { for (i = 1; i <= 11; i++) {
          d = $i - $(i + 11)
          if ($i + 0 == $i ? (d < 0 ? -d : d) > 1e-6 : $i != $(i + 11)) exit 1 } }
    END { exit NR < 3 }' || fail "$(paste -d' ' "$work/together" "$work/apart")"

begin 'results of other seeds are no pairs'
expect 0 run "$work/s.yaml" --quiet --replications 6 --seed 7 \
    --output "$work/seven"
expect 0 run "$work/s.yaml" --quiet --replications 6 --output "$work/one"
expect 0 compare "$work/one" "$work/seven" --format json
prints '"paired": false'
prints '"test": "Welch"'
expect 0 compare "$work/one" "$work/one"
prints 'have equal values of all measures in every replication'

begin 'what differs between results is named'
expect 0 run "$work/s.yaml" --quiet --replications 6 --output "$work/fast" \
    --set nodes[0].engine.speed=1.5
expect 0 compare "$work/one" "$work/fast"
prints "differs: nodes[0].engine.speed is 1 in $work/one, 1.5 in $work/fast"
expect 0 compare "$work/one" "$work/two_choices"
prints "left out, as nothing is compared with them: round_robin in $work/one"
expect 2 compare "$work/one" "$work"
says 'no result folder'
cp -r "$work/two_choices" "$work/strange"
sed -i 's/^two_choices,/nobody,/' "$work/strange/values.csv"
expect 2 compare "$work/one" "$work/strange"
says 'nothing to compare'
sed -i 's/^nobody,1,/nobody,one,/' "$work/strange/values.csv"
expect 2 compare "$work/one" "$work/strange"
says 'without the number of its replication'
sed -i '/^# objective/d' "$work/strange/values.csv"
expect 2 compare "$work/one" "$work/strange"
says 'lacks an objective'

# What two policies are called does not matter, so the objects of two built-in
# ones are two builds here; a copy of the first decides as it does.
begin 'builds of one policy'
objects=$(realpath "$(dirname "$program")/../policies")
mkdir "$work/old" "$work/new" "$work/copy"
cp "$objects/round_robin.so" "$work/old/mine.so"
cp "$objects/round_robin.so" "$work/copy/mine.so"
cp "$objects/random.so" "$work/new/mine.so"
expect 0 compare "$work/s.yaml" --quiet --replications 6 \
    --policy "$work/old/mine.so" --policy "$work/copy/mine.so"
prints 'same: mine.2 and mine.1 have equal values of all measures in every replication'
prints "shared object: mine.1 is $work/old/mine.so"
expect 0 compare "$work/s.yaml" --quiet --replications 6 --format csv \
    --policy "$work/old/mine.so" --policy "$work/new/mine.so"
rows | cut -d, -f3- >"$work/builds"
expect 0 compare "$work/s.yaml" --quiet --replications 6 --format csv \
    --policy round_robin --policy random
rows | cut -d, -f3- | diff "$work/builds" - >&2 || fail 'not as the built-in ones'
expect 0 compare "$work/s.yaml" --quiet --format csv --policy round_robin \
    --policy "$work/old/mine.so" --policy "$work/new/mine.so"
[[ $(rows | cut -d, -f1 | sort -u | paste -sd ' ') == 'mine.1 mine.2' ]] ||
    fail "other labels: $(rows | cut -d, -f1 | sort -u)"
for name in round_robin random; do
    cp "$objects/$name.so" "$work/$name.so"
done
expect 0 compare "$work/s.yaml" --quiet --format csv --policy round_robin \
    --policy "$work/round_robin.so" --policy "$work/random.so"
[[ $(rows | cut -d, -f1 | sort -u | paste -sd ' ') == 'random round_robin.1' ]] ||
    fail "other labels: $(rows | cut -d, -f1 | sort -u)"

begin 'until it can be told'
expect 0 compare "$work/s.yaml" --quiet --until '5 %' --max-replications 80 \
    --policy round_robin --policy random
prints 'looks: at 5, 10, 20, 40, 80 replications'
prints 'until: '
expect 0 compare "$work/s.yaml" --quiet --until '0.01 %' --max-replications 12 \
    --policy round_robin --policy two_choices --set objective=success_ratio \
    --set min_effect=0
prints 'ended at look 1'
expect 0 compare "$work/s.yaml" --quiet --until '0.01 %' --max-replications 6 \
    --policy two_choices --policy least_conn --set objective=latency_max_s
prints 'would allow more'
expect 0 compare "$work/s.yaml" --quiet --until 1% --jobs 1 --max-replications 10
cp "$work/out" "$work/first"
expect 0 compare "$work/s.yaml" --quiet --until 1% --jobs 3 --max-replications 10
cmp -s "$work/first" "$work/out" || fail 'threads change the output'

begin 'options that have nothing to do are refused'
expect 2 compare "$work/s.yaml" --max-replications 9
says '--max-replications goes with --until'
for options in '--until 5' '--until 0' '--until x' '--measure latency' \
    '--format xml' "$work/s.yaml"; do
    # shellcheck disable=SC2086 # words on purpose
    expect 2 compare "$work/s.yaml" $options
    no_output
done
for options in '--seed 3' '--until 1%' --all-pairs '--policy random' '--jobs 2' \
    '--limit-time 1s'; do
    # shellcheck disable=SC2086 # words on purpose
    expect 2 compare "$work/one" "$work/fast" $options
    no_output
done
expect 2 compare "$work/one"
says 'two result folders are needed'
expect 2 compare "$work/one" "$work/s.yaml"
says 'is no folder'
expect 2 compare
says 'a scenario file is needed'
expect 2 compare "$work/s.yaml" --policy random
says 'one policy'

begin 'what is not finished is marked'
expect 3 compare "$work/s.yaml" --quiet --limit-events 5
prints 'no replication was finished'
says 'the limit of events was reached'
finish
