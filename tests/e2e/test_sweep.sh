#!/usr/bin/env bash
# lbsim sweep: grids, what moves in step, mistakes at their place, crossovers;
# the same bytes with any number of threads, resumed and in shards.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"
export LBSIM_PLOTS=$root/plots
cp scenarios/theory/crossover.yaml "$work/c.yaml"
short=(--set 'duration=300 s' --replications 3 --quiet)
grid=("$work/c.yaml" "${short[@]}" --set crossover=off
    --vary 'workload.arrivals.rate=0.5/s..1.3/s step 0.4/s' --vary 'nodes[pair].engine.slots=1..2')
search=("$work/c.yaml" "${short[@]}" --most-replications 28)

begin 'threads do not show, in a grid and in a search'
expect 0 sweep "${grid[@]}" --jobs 1
cp "$work/out" "$work/grid"
prints '1.3/s          2'
expect 0 sweep "${grid[@]}" --jobs 3
cmp -s "$work/out" "$work/grid" || fail 'threads change the grid'
expect 0 sweep "${search[@]}" --jobs 1
cp "$work/out" "$work/search"
prints 'trade places along workload.arrivals.rate'
expect 0 sweep "${search[@]}" --jobs 4
cmp -s "$work/out" "$work/search" || fail 'threads change the search'

begin 'a point is what run says with --set'
expect 0 sweep "${grid[@]}" --format csv
point=$(awk -F, '$2 == "0.9/s" && $4 == 2 && $6 ~ /table/ && $7 == "latency_mean_s" {print $8}' "$work/out")
expect 0 run "$work/c.yaml" "${short[@]}" --set workload.arrivals.rate=0.9/s \
    --set 'nodes[pair].engine.slots=2' --format csv
grep -v '^#' "$work/out" >"$work/run.csv"
column=$(head -n 1 "$work/run.csv" | tr ',' '\n' | grep -nx latency_mean_s | cut -d: -f1)
[[ -n $point && $point == "$(awk -F, -v c="$column" '/table/ {print $c}' "$work/run.csv")" ]] ||
    fail "the point has '$point'"

begin 'the file says what is varied, run goes by the base'
cat >>"$work/c.yaml" <<'YAML'
sweep:
  nodes[pair].engine.slots: {from: 1, to: 2, together: {seed: [3, 4]}}
YAML
expect 0 sweep "$work/c.yaml" "${short[@]}" --set crossover=off
prints '2             4'
expect 0 sweep "$work/c.yaml" "${short[@]}" --set crossover=off --vary seed=5..6
prints '6     '
expect 0 run "$work/c.yaml" --set 'duration=120 s' --replications 1
says "which is for lbsim sweep"
expect 0 run "$work/c.yaml" --show-effective
cp "$work/out" "$work/effective.yaml"
expect 0 lint "$work/effective.yaml"
sed -i '/^sweep:/,$d' "$work/c.yaml"

begin 'mistakes are told at their place before anything runs'
# mistake TEXT OPTION...
mistake() {
    local text=$1

    shift
    expect 2 sweep "$work/c.yaml" --quiet "$@"
    says "$text"
    no_output
}
mistake 'nothing is varied' --set crossover=off
mistake "did you mean 'rate'?" --set crossover=off --vary workload.arrivals.rat=0.5/s
[[ $(grep -c error: "$work/err") -eq 1 ]] || fail 'a path is told twice'
mistake '1 | seed=x' --set crossover=off --vary 'seed=[1, x]'
mistake 'point 4 of the sweep cannot be run' --set crossover=off --vary 'duration=[4100 s, 105 s]' \
    --vary 'warm_up=[100 s, 110 s]'
mistake 'says neither points nor step' --set crossover=off --vary workload.arrivals.rate=1/s..2/s
mistake 'needs a unit' --set crossover=off --vary workload.arrivals.rate=1..2
mistake 'cannot begin at 0' --vary 'seed=0..9 points 3 log'
mistake 'has this value twice' --vary 'seed=[1, 1]'
mistake 'varied already' --vary workload.arrivals.rate=0.5/s --vary workload.arrivals.rate=0.6/s
mistake 'moves in step, has 2' --vary 'seed=[1, 2]' --together 'nodes[fast].count=[1, 2, 3]'
mistake 'must be above 0' --set crossover=off --vary 'workload.arrivals.rate=1/s..2/s step 0/s'
mistake 'would be 1.33333333' --vary seed=1..4 --together 'nodes[fast].count=1..2'
mistake 'begin with the smaller end' --crossover workload.arrivals.rate=2/s..1/s
mistake 'is none of the policies' --between random,nobody
mistake 'not one' --between 'random(routing=off),random(routing=off)'
mistake 'is of a crossover' --set crossover=off --vary seed=1..2 --scan 3
mistake 'needs a count from 2 to 17' --scan 99
mistake 'cannot be certain of any sign with 13 replications' --most-replications 13
mistake 'between two policies' --policy random
mistake 'unknown measure' --measure nonsense
sed 's|0.5/s..1.3/s|0.5/s..1.3|' "$work/c.yaml" >"$work/bad.yaml"
expect 2 sweep "$work/bad.yaml"
says 'bad.yaml:47:50'

begin 'a search says what it found, in each form'
expect 0 sweep "${search[@]}" --format csv
[[ $(grep -c '^1,\(found\|none\|several\|cannot_tell\),' "$work/out") -eq 1 ]] ||
    fail 'crossovers.csv has no row'
expect 0 sweep "${search[@]}" --format json
prints '"schema": "lbsim.sweep/1"'
prints '"probes"'
expect 0 sweep "${search[@]}" --crossover 'nodes[fast].engine.speed=3..6' --scan 2 --most-replications 28
prints ' better throughout 3 to 6'
prints 'none: '
grep -q 'outside the bracket' "$work/out" && fail 'a bracket of no flip'
expect 0 sweep "${search[@]}" --crossover workload.arrivals.rate=0.5/s..1.3/s \
    --together 'nodes[fast].engine.speed=2..5.2' --between 'random(routing=table),random(routing=off)'
prints 'where random(routing=table) and random(routing=off)'

begin 'a result folder is whole, found again, drawn, and equal in shards'
expect 0 sweep "${grid[@]}" --output "$work/whole"
expect 0 sweep "${grid[@]/--quiet/--jobs=1}" --output "$work/whole"
says '36 of 36 simulations were found'
cmp -s "$work/out" "$work/grid" || fail 'what was found differs'
for shard in 2 1; do
    expect 0 sweep "${grid[@]}" --output "$work/s$shard" --shard $shard/2
    no_output
done
expect 0 merge "$work/s1" "$work/s2" --output "$work/merged" --quiet
cmp -s "$work/out" "$work/grid" || fail 'shards give another table'
for file in sweep.csv sweep.json scenario.yaml; do
    cmp -s "$work/whole/$file" "$work/merged/$file" || fail "shards give another $file"
done
if command -v gnuplot >/dev/null; then
    expect 0 plot "$work/whole"
    [[ -s $work/whole/charts/winners.png ]] || fail 'no chart of winners'
    expect 0 sweep "${search[@]}" --output "$work/found"
    expect 0 plot "$work/found"
    [[ -s $work/found/charts/difference.svg ]] || fail 'no chart of the difference'
    expect 0 sweep "${grid[@]}" --store "$work/whole/runs.sqlite" --vary seed=[7] --output "$work/three"
    expect 0 plot "$work/three"
    prints 'skipped: winners: more than two axes'
fi

begin 'measures that are asked for stand in the table, what has no effect is told'
expect 0 sweep "${grid[@]}" --measure latency_p99_s --measure success_ratio
prints '6 points, latency_mean_s, in seconds'
prints 'latency_p99_s, in seconds'
prints 'success_ratio, a ratio'
expect 0 sweep "$work/c.yaml" "${short[@]}" --set crossover=off --vary 'check.replications=[6, 8]'
says "'check.replications' has no effect"

begin 'a limit leaves whole points, marked'
expect 3 sweep "${grid[@]}" --limit-events 400
prints 'partial: '
finish
