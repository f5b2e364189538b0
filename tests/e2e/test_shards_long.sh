#!/usr/bin/env bash
# One to seven shards, merged in several orders, are the single run, byte for
# byte: with a warm-up that is found in two passes, with faults, with a trace
# of which blocks are drawn, and with a trace that is run once.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"
source "$(dirname "$0")/shards.bash"
little "$work/plain.yaml" 20/s

# A request every half a second, for ten minutes, on a hundred keys.
awk 'BEGIN {
    print "arrival_s,key,input_tokens,output_tokens"
    for (i = 0; i < 1200; i++)
        printf "%.3f,k%d,%d,%d\n", i / 2 + (i * 7 % 5) / 20, i * i % 97,
            100 + i * 37 % 400, 10 + i * 53 % 90
}' >"$work/trace.csv"
cat >"$work/trace.yaml" <<'END'
lbsim: 1
workload:
  trace: {file: trace.csv, resample: {blocks: 1 min}}
nodes:
  - {group: n, count: 3, engine: {slots: 1, service: {per_input_token: 1 ms, per_output_token: 10 ms}}, result_cache: {entries: 20, hit_time: 5 ms}}
policies: [round_robin, least_conn, ring_hash]
replications: 5
END
sed 's/resample: .*}}/resample: none}/; s/replications: 5/replications: 3/
    s/least_conn, ring_hash/least_conn/' "$work/trace.yaml" >"$work/once.yaml"
cp tests/golden/accidents.yaml "$work/faults.yaml"

# check NAME ARGUMENT...: a scenario of $work.
check() {
    local count file=$1

    shift
    begin "$file $*"
    alone run "$work/$file.yaml" "$@"
    for count in 1 2 3 4 5 6 7; do
        in_shards $count run "$work/$file.yaml" "$@"
        # shellcheck disable=SC2046 # numbers
        merged_equals $(seq $count)
        [[ $count -lt 5 ]] || merged_equals $(seq $count -1 1)
    done
    merged_equals 4 2 7 1 6 3 5
}

check plain --set replications=6 --format json
check plain --set replications=9 --set warm_up=auto --set duration='60 s'
check faults --set replications=5 --format csv
check trace
check trace --set warm_up=auto --format json
check once
check plain --set replications=1 --policy least_conn --policy random

begin 'a sweep: simulations of all points in a row'
values='workload.arrivals.rate=[10/s, 15/s, 20/s]'
for more in '--format=json' '--set=warm_up=auto'; do
    alone sweep "$work/plain.yaml" --vary "$values" --replications 3 "$more"
    for count in 1 4 7; do
        in_shards $count sweep "$work/plain.yaml" --vary "$values" \
            --replications 3 "$more"
        # shellcheck disable=SC2046 # numbers
        merged_equals $(seq $count -1 1)
    done
    merged_equals 2 1 6 4 7 3 5
done
expect 3 merge "$work"/shard-[12567] --output "$work/merged"
says 'shard 3 of 7 is missing: 6 simulations' # 2 of 9 replications
says 'shard 4 of 7 is missing: 3 simulations'

begin 'a sweep over replications: points of unequal size'
alone sweep "$work/plain.yaml" --vary 'replications=[2, 5, 3]' --format csv
in_shards 4 sweep "$work/plain.yaml" --vary 'replications=[2, 5, 3]' --format csv
merged_equals 4 2 3 1

begin 'a sweep for crossovers: shards are searches'
sed 's/count: 3, .*/count: 2, engine: {slots: 1}}/
    /count: 2/a\  - {group: slow, count: 1, engine: {slots: 1, speed: 0.4}}' \
    "$work/plain.yaml" >"$work/cross.yaml"
words=(sweep "$work/cross.yaml" --vary 'duration=[20 s, 30 s, 40 s]' --format
    json --crossover 'nodes[slow].engine.speed=0.2..1' --most-replications 28
    --replications 3)
alone "${words[@]}"
in_shards 2 "${words[@]}"
says 'shard 2 of 2: 2 of 3 searches are in '
merged_equals 2 1
expect 3 merge "$work/shard-1" --output "$work/merged"
says 'shard 2 of 2 is missing: 2 searches'

begin 'compare: as run'
alone compare "$work/plain.yaml" --set replications=5 --format json
in_shards 3 compare "$work/plain.yaml" --set replications=5 --format json
merged_equals 3 1 2
expect 2 compare "$work/plain.yaml" --until '1 %' --shard 1/2 --output "$work/u"
says 'cannot be run in shards'

begin 'a plan: shards are searches, and an empty one need not be there'
cat >"$work/fleet.yaml" <<'END'
lbsim: 1
duration: 30 s
replications: 3
workload:
  arrivals: {process: poisson, rate: 20/s}
  work: {dist: exponential, mean: 100 ms}
nodes:
  - {group: n, count: 4, engine: {slots: 1}}
policies: [round_robin, least_conn, random]
goals: {latency_all_p95: 1 s}
plan: {groups: {n: 2..9}}
END
alone plan "$work/fleet.yaml" --format json
in_shards 2 plan "$work/fleet.yaml" --format json
merged_equals 2 1
expect 3 merge "$work/shard-2" --output "$work/merged"
says 'shard 1 of 2 is missing: 1 search'
in_shards 4 plan "$work/fleet.yaml" --format json
merged_equals 3 1 2

begin 'more shards than there is work: the empty ones need not be there'
alone run "$work/plain.yaml" --set replications=1
in_shards 5 run "$work/plain.yaml" --set replications=1
merged_equals 5 4 3 2 1
merged_equals 1 2 3

begin 'a shard that is killed goes on, whenever that was'
alone run "$work/plain.yaml" --set replications=40 --set warm_up=auto
in_shards 2 run "$work/plain.yaml" --set replications=40 --set warm_up=auto
rm -rf "$work/shard-2"
for after in 0.01 0.03 0.06 0.1 0.15 0.2 0.3; do
    "$program" run "$work/plain.yaml" --set replications=40 \
        --set warm_up=auto --quiet --shard 2/2 --output "$work/shard-2" &
    child=$!
    sleep $after
    kill -KILL $child 2>/dev/null
    wait $child 2>/dev/null
done
expect 0 run "$work/plain.yaml" --set replications=40 --set warm_up=auto \
    --shard 2/2 --output "$work/shard-2"
merged_equals 2 1
finish
