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

begin 'words for programs say whether more replications would tell'
expect 0 compare "$work/round_robin" "$work/round_robin" --format csv --measure all
[[ $(rows | grep -c ',equal,') -eq $(rows | grep -c 'equal in every replication') ]] ||
    fail "not all are equal: $(rows)"
rows | grep -q ',equal,' || fail 'none is equal'
rows | grep -v 'no value' | grep ',cannot_tell,' >&2 && fail 'some cannot be told'
expect 0 compare "$work/round_robin" "$work/round_robin" --format json
prints '"verdict": "equal"'
expect 0 compare "$work/s.yaml" --quiet --format csv --replications 4 --set min_effect=90% \
    --measure latency_mean_s
[[ $(rows | grep -c ',alike,.*\(too little to\|that\) matter') -gt 0 ]] ||
    fail "none is alike: $(rows)"

# Files by hand: 4 failures of 10000 in each replication, and 56.
begin 'success near 100 % is judged by failures'
for kind in 4:few 56:many; do
    folder=$work/${kind#*:}
    cp -r "$work/round_robin" "$folder"
    awk -F, -v OFS=, -v failures="${kind%:*}" '
        /^#/ { print; next }
        !at { for (i = 1; i <= NF; i++) if ($i == "success_ratio") at = i; print; next }
        { $at = 1 - failures * (1 + 0.1 * ($2 % 2)) / 10000; print }' \
        "$work/round_robin/values.csv" >"$folder/values.csv"
done
expect 0 compare "$work/few" "$work/many"
sed -n '/^success_ratio/,/^$/p' "$work/out" >"$work/success"
grep -q '99\.95[0-9]* % +-' "$work/success" || fail "no percent: $(cat "$work/success")"
grep -q '+1300\.0 % failures  *worse' "$work/success" ||
    fail "not 14 times the failures: $(cat "$work/success")"

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

begin 'a policy with another parameter is compared with what it was'
expect 0 run "$work/s.yaml" --quiet --replications 6 --output "$work/bef" \
    --set 'policies=[least_conn, two_choices, random]'
expect 0 run "$work/s.yaml" --quiet --replications 6 --output "$work/aft" \
    --set 'policies=[{least_conn: {ignore_weights: true}}, two_choices, round_robin]'
for format in table markdown csv json; do
    expect 0 compare "$work/bef" "$work/aft" --format $format
    tr -d "\\\\" <"$work/out" >"$work/plain"
    for text in "changed: least_conn in $work/bef -> least_conn(ignore_weights=true) in $work/aft" \
        "random in $work/bef, round_robin in $work/aft; results of one policy each"; do
        grep -qF -- "$text" "$work/plain" || fail "$format lacks '$text'"
    done
done
expect 0 compare "$work/bef" "$work/aft" --format csv --measure cost
[[ $(rows | cut -d, -f1,2 | sort -u) == \
"least_conn(ignore_weights=true) in $work/aft,least_conn in $work/bef
two_choices in $work/aft,two_choices in $work/bef" ]] || fail "pairs: $(rows)"
# Several of one name: the first with the first, but for what both have.
expect 0 run "$work/s.yaml" --quiet --replications 2 --output "$work/two" --set \
    'policies=[{two_choices: {ties: first}}, two_choices, {two_choices: {ties: random}}]'
expect 0 run "$work/s.yaml" --quiet --replications 2 --output "$work/four" --set \
    'policies=[{two_choices: {ties: rotate}}, {two_choices: {replacement: true}}, two_choices]'
expect 0 compare "$work/two" "$work/four"
prints "changed: two_choices(ties=first) in $work/two -> two_choices(ties=rotate) in $work/four"
prints "changed: two_choices(ties=random) in $work/two -> two_choices(replacement=true) in $work/four"

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

# inference-sim #1032: an option that one command takes and another ignores.
begin 'looks begin at five'
expect 2 compare "$work/s.yaml" --until '2 %' --max-replications 3
says "'--max-replications' needs a count from 5 "
expect 2 compare "$work/s.yaml" --until '2 %' --max-replications 6 --replications 8
says "--max-replications 6 is below the first look of --until, which is after the scenario's 8 replications"
no_output
expect 0 compare "$work/s.yaml" --quiet --until '2 %' --max-replications 5 --replications 2
prints 'looks: at 5 replications'

begin 'whatever is set means the same to run and to compare'
for options in '--seed 9' '--set workload.arrivals.rate=21/s' '--jobs 1' \
    '--set warm_up=2s' '--policy random --policy least_conn' \
    '--set nodes[n].engine.speed=1.25 --replications 3' \
    '--set balancer.network_delay=5ms --set balancer.count=2' \
    '--limit-events 100000'; do
    for command in run compare; do
        # shellcheck disable=SC2086 # words on purpose
        expect 0 $command "$work/s.yaml" --quiet --output "$work/by-$command" \
            $options
    done
    diff -r -x speed.json -x runs.sqlite "$work/by-run" "$work/by-compare" >&2 ||
        fail "other results with $options"
done

begin 'nothing is simulated twice where it is kept'
expect 0 compare "$work/s.yaml" --until 0.01% --max-replications 20 \
    --policy two_choices --policy least_conn --set objective=latency_max_s \
    --output "$work/kept"
says 'simulations were found in'
grep -q '^replications: 20 ' "$work/kept/scenario.yaml" ||
    fail "the result is of $(grep '^replications' "$work/kept/scenario.yaml")"
cp "$work/out" "$work/first"
expect 0 compare "$work/s.yaml" --until 0.01% --max-replications 20 \
    --policy two_choices --policy least_conn --set objective=latency_max_s \
    --output "$work/kept"
says '70 of 70 simulations were found'
cmp -s "$work/first" "$work/out" || fail 'other output from the store'

begin 'in shards'
expect 0 compare "$work/s.yaml" --replications 6 --quiet
cp "$work/out" "$work/first"
for shard in 1 2; do
    expect 0 compare "$work/s.yaml" --replications 6 --quiet --shard $shard/2 \
        --output "$work/shard$shard"
    no_output
done
expect 0 merge "$work/shard2" "$work/shard1" --quiet --output "$work/merged"
cmp -s "$work/first" "$work/out" || fail 'shards make another comparison'
expect 2 compare "$work/s.yaml" --until 1% --shard 1/2 --output "$work/shard3"
says '--until looks at results'

begin 'the power curve'
expect 0 compare "$work/s.yaml" --replications 6 --quiet --power --format csv
cp "$work/out" "$work/power.csv"
# The spread is that of the differences, which the paired interval shows too.
awk -F, '/^two_choices/ && $4 == 5 { narrow = $5 } /^two_choices/ && $4 == 320 { wide = $5 }
    END { r = narrow / wide; exit !(r > 8 && r < 16) }' "$work/power.csv" ||
    fail 'does not fall with the root of the replications'
expect 0 compare "$work/s.yaml" --replications 6 --quiet --power --format json
prints '"schema": "lbsim.power/1"'
expect 0 compare "$work/s.yaml" --replications 1 --quiet --power
prints 'two replications are needed'
expect 2 compare "$work/s.yaml" --power --until 1%
expect 2 compare "$work/s.yaml" --power --measure success
if command -v gnuplot >/dev/null; then
    export LBSIM_PLOTS=$root/plots
    expect 0 plot --power --output "$work/pictures" "$work/power.csv"
    for ending in svg png; do
        [[ -s $work/pictures/latency_all_p99_s-power.$ending ]] ||
            fail "no $ending"
    done
    grep -q two_choices "$work/pictures/latency_all_p99_s-power.svg" ||
        fail 'no line is named'
    expect 2 plot --power "$work/s.yaml"
    says "is not what 'lbsim compare --power --format csv' or 'lbsim check --power"
    expect 2 plot --power "$work/power.csv" "$work/power.csv"
    expect 2 plot --power --measure success "$work/power.csv"
    grep -v '^[a-z_]*,round_robin' "$work/power.csv" >"$work/empty.csv"
    expect 0 plot --power --output "$work/pictures" "$work/empty.csv"
    prints 'skipped'
else
    echo 'SKIPPED: no gnuplot, so no power curve is drawn' >&2
fi

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
    '--limit-time 1s' '--output x' '--store x' '--shard 1/2 --output x'; do
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
expect 3 compare "$work/s.yaml" --quiet --until 0.01% --limit-time 1ns
prints 'stopped on the way to look 1, at 5, with 0'
expect 3 compare "$work/s.yaml" --quiet --limit-events 5
prints 'no replication was finished'
says 'the limit of events was reached'
finish
