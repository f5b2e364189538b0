#!/usr/bin/env bash
# A command in shards, merged, is the command: same output, same files. What is
# lost or does not belong is named. All of it at length in test_shards_long.sh.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"
source "$(dirname "$0")/shards.bash"
little "$work/s.yaml" 20/s

begin 'three shards in two orders are the single run'
alone run "$work/s.yaml" --set replications=4 --format json
in_shards 3 run "$work/s.yaml" --set replications=4 --format json
merged_equals 1 2 3
merged_equals 3 1 2

begin 'a shard says what it has, and is at once done the second time'
expect 0 run "$work/s.yaml" --set replications=4 --format json --shard 2/3 \
    --output "$work/shard-2"
says 'shard 2 of 3: 4 of 4 simulations are in '
says '4 of 4 simulations were found in '

begin 'a shard twice, and a store that has more than its shard, do no harm'
cp -r "$work/shard-2" "$work/shard-2b"
merged_equals 2 3 2b 1 2
expect 0 run "$work/s.yaml" --set replications=4 --format json --quiet \
    --store "$work/shard-3/runs.sqlite"
expect 0 run "$work/s.yaml" --set replications=4 --format json --shard 3/3 \
    --output "$work/shard-3"
says 'shard 3 of 3: 4 of 4 simulations are in '
merged_equals 3 2 1

begin 'the result may take the place of a shard'
cp -r "$work/shard-1" "$work/kept"
expect 0 merge "$work"/shard-[123] --output "$work/shard-1"
cmp -s "$work/out" "$work/alone" || fail 'prints something else'
[[ -s $work/shard-1/summary.json ]] || fail 'no result'
says '12 of 12 simulations were found in '
if grep -q 'ns of CPU' "$work/err"; then
    fail 'tells a speed, and nothing was simulated'
fi
rm -rf "$work/shard-1"
mv "$work/kept" "$work/shard-1"

begin 'a damaged store of a former merge is given up by --fresh'
merged_equals 1 2 3
truncate -s 9000 "$work/merged/runs.sqlite"
expect 2 merge "$work"/shard-[123] --output "$work/merged"
says '--fresh'
no_output
expect 0 merge "$work"/shard-[123] --output "$work/merged" --fresh
cmp -s "$work/out" "$work/alone" || fail 'prints something else'
expect 2 merge "$work"/shard-[123] --output "$work/shard-2" --fresh
says "--fresh would give up '$work/shard-2'"

begin 'lost shards are named, and nothing is made'
rm -rf "$work/merged"
expect 3 merge "$work/shard-1" "$work/shard-3" --output "$work/merged"
says 'shard 2 of 3 is missing: 4 simulations'
says "lbsim run --set replications=4 --format json $work/s.yaml --shard 2/3 --output DIR"
no_output
expect 3 merge "$work/shard-2" --output "$work/merged"
says 'shard 1 of 3 is missing: 4 simulations'
says 'shard 3 of 3 is missing: 4 simulations'
[[ ! -e $work/merged ]] || fail 'a lost shard leaves a folder'

begin 'a shard that was stopped is named, and goes on where it was'
expect 3 run "$work/s.yaml" --set replications=4 --format json --shard 2/3 \
    --output "$work/shard-2c" --limit-events 500 --jobs 1
says 'the shard is not whole'
expect 3 merge "$work"/shard-{1,2c,3} --output "$work/merged"
says 'shard 2 of 3 is not whole: '
says 'run it again'
expect 0 run "$work/s.yaml" --set replications=4 --format json --shard 2/3 \
    --output "$work/shard-2c" --jobs 2
merged_equals 3 1 2c

begin 'what does not belong together is refused, and the difference named'
expect 0 run "$work/s.yaml" --set replications=4 --format json --seed 2 \
    --shard 2/3 --output "$work/seed"
expect 2 merge "$work"/shard-1 "$work/seed" "$work"/shard-3 --output "$work/merged"
says "seed is '1' there and '2' here"
no_output
expect 0 run "$work/s.yaml" --set replications=4 --format csv --shard 2/3 \
    --output "$work/csv"
expect 2 merge "$work"/shard-1 "$work/csv" --output "$work/merged"
says 'the command is'
expect 0 run "$work/s.yaml" --set replications=4 --format json --shard 2/4 \
    --output "$work/four"
expect 2 merge "$work"/shard-1 "$work/four" --output "$work/merged"
says "has a shard of 3 and '$work/four' one of 4"
sed 's/count: 3/count: 4/' "$work/s.yaml" >"$work/t.yaml"
mv "$work/t.yaml" "$work/s.yaml"
expect 0 run "$work/s.yaml" --set replications=4 --format json --shard 2/3 \
    --output "$work/other"
expect 2 merge "$work"/shard-1 "$work/other" --output "$work/merged"
says "nodes[0].count is '3' there and '4' here"
expect 2 merge "$work"/shard-[123] --output "$work/merged"
says 'has changed since'
no_output

begin 'without the scenario what is joined waits for it'
rm -r "$work/merged" "$work/s.yaml"
expect 2 merge "$work"/shard-[123] --output "$work/merged"
says 's.yaml'
says "what the shards ran is joined in '$work/merged'"
says "lbsim run --set replications=4 --format json $work/s.yaml --output "
little "$work/s.yaml" 20/s
expect 0 run "$work/s.yaml" --set replications=4 --format json \
    --output "$work/merged"
says '12 of 12 simulations were found in '
cmp -s "$work/alone" "$work/out" || fail 'prints something else'

begin 'what is no store, or has no shard, is told'
expect 2 merge "$work/nowhere" --output "$work/merged"
says "'$work/nowhere' holds no store"
expect 0 run "$work/s.yaml" --quiet --output "$work/plain"
expect 2 merge "$work/plain" --output "$work/merged"
says "'$work/plain' holds no shard"
mkdir "$work/bad"
echo 'not a database' >"$work/bad/runs.sqlite"
expect 2 merge "$work/bad" --output "$work/merged"
says 'cannot read the store'
says 'run that shard again with --fresh'

begin 'usage'
for shard in 0/3 4/3 x 3 3/ /3 1/2/3 -1/3 1/0 99999999999/3 1/100001 ' 1/3'; do
    expect 2 run "$work/s.yaml" --shard "$shard" --output "$work/none"
    says "'--shard' needs K/N"
    says "got '$shard'"
done
expect 2 run "$work/s.yaml" --shard 1/3
says "'--shard' needs a place"
expect 2 lint "$work/s.yaml" --shard 1/3
expect 2 merge --output "$work/none"
says 'needs the folders of the shards'
expect 2 merge "$work/shard-1"
says 'needs a place for the result'
expect 2 merge "$work/shard-1" --output "$work/none" --shard 1/2
[[ ! -e $work/none ]] || fail 'bad usage leaves a folder'

# However the options are written, what was asked for is the same.
begin 'options of place, written in any way, are no difference'
little "$work/s.yaml" 20/s
alone run "$work/s.yaml" --set replications=2
(
    cd "$work" || exit 1
    "$program" run s.yaml --set replications=2 -qj1 --shard=1/4 -o w1 &&
        "$program" run --out=w2 s.yaml -q --shar 2/4 --set replications=2 &&
        "$program" run -qow3 --set replications=2 --jobs 3 --shard 3/4 s.yaml &&
        "$program" run --set replications=2 --limit-time '1 h' --output w4 \
            --shard 4/4 -j 2 -q s.yaml
) >"$work/out" 2>&1 || fail "$(cat "$work/out")"
expect 0 merge "$work"/w[1-4] --output "$work/merged" -q
cmp -s "$work/alone" "$work/out" || fail 'prints something else'
finish
