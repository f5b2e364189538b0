#!/usr/bin/env bash
# Diagnoses as people ask for them. That the right cause is named is the
# business of test_diagnose_long.sh.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"

cat >"$work/hot.yaml" <<END
lbsim: 1
duration: 2 min
warm_up: 20 s
replications: 3
seed: 5
workload: {arrivals: {process: poisson, rate: 12/s}, work: {dist: exponential, mean: 500 ms}}
nodes: [{group: fast, count: 2, engine: {slots: 4}}, {group: slow, count: 2, engine: {slots: 4, speed: 0.4}}]
policies: [round_robin, {least_conn: {}}]
END

begin 'hot nodes, and why'
expect 0 diagnose "$work/hot.yaml" --quiet --jobs 1
prints '2 of 2 nodes of slow: hot'
prints 'cause: unequal nodes not weighted'
prints '2.5 times as much'
cp "$work/out" "$work/one"
expect 0 diagnose "$work/hot.yaml" --quiet --jobs 3
cmp -s "$work/one" "$work/out" || fail '--jobs changes the output'
expect 0 diagnose "$work/hot.yaml" --quiet --format markdown
prints '| round_robin | 2 of 2 nodes of slow: hot'

begin 'of one policy'
expect 0 diagnose "$work/hot.yaml" --quiet --policy smooth_weighted
prints 'smooth_weighted (3 replications)'
grep -q round_robin "$work/out" && fail 'looks at others too'

begin 'bounds are the user'\''s'
expect 0 diagnose "$work/hot.yaml" --quiet --long 3min
expect 0 diagnose "$work/hot.yaml" --quiet --hot '99.9 %' --policy round_robin
prints 'nothing'

begin 'a result folder is as good as its scenario'
expect 0 run "$work/hot.yaml" --quiet --output "$work/result"
expect 0 diagnose "$work/result" --quiet
sed 1d "$work/out" >"$work/from_folder"
sed 1d "$work/one" | cmp -s - "$work/from_folder" || fail 'tells another story'

begin 'whoever wants a status asks for one'
expect 1 diagnose "$work/hot.yaml" --quiet --fail --policy round_robin
expect 0 diagnose "$work/hot.yaml" --quiet --fail --policy least_conn

begin 'mistakes are 2'
expect 2 diagnose
expect 2 diagnose "$work/nowhere.yaml"
expect 2 diagnose "$work"
expect 2 diagnose "$work/hot.yaml" --hot 2
expect 2 diagnose "$work/hot.yaml" --hot 10% --idle 20%
expect 2 diagnose "$work/hot.yaml" --long 0s
expect 2 diagnose "$work/hot.yaml" --format csv
expect 2 diagnose "$work/hot.yaml" --policy leest_conn
says "did you mean 'least_conn'?"

begin 'a limit is 3'
expect 3 diagnose "$work/hot.yaml" --quiet --limit-events 5
says 'limit of events'
finish
