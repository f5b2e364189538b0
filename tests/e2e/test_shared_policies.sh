#!/usr/bin/env bash
# A policy from a shared object: the same bytes as its built-in twin, under the
# user's name for it, and found from where the user means it.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"
objects=$(realpath "$(dirname "$program")/../policies")

# All mechanisms that a policy may look at: keys, reports, health, retries, a
# crash in the middle, several balancers.
cat >"$work/busy.yaml" <<'TEXT'
lbsim: 1
duration: 20 s
replications: 2
workload:
  arrivals: {process: poisson, rate: 25/s}
  input_tokens: {dist: lognormal, median: 300, p99: 2000}
  output_tokens: {dist: lognormal, median: 60, p99: 300}
  keys: {dist: zipf, exponent: 0.9, distinct: 1k, repeat_share: 50 %}
nodes:
  - {group: fast, count: 3, weight: 3, engine: {slots: 4, service: {base: 20 ms, per_output_token: 5 ms}}, result_cache: {entries: 100, hit_time: 5 ms}}
  - {group: slow, count: 2, weight: 1, engine: {slots: 2, service: {base: 20 ms, per_output_token: 10 ms}}}
balancer:
  count: 2
  report_interval: 500 ms
  health: {interval: 1 s, timeout: 200 ms}
  retry: {attempts: 2}
  timeout: {total: 10 s}
faults:
  - {kind: crash, target: "fast[1]", at: 5 s, restart_after: 5 s}
policies: [random]
TEXT

begin 'the same bytes from the object and from its built-in twin'
"$program" policies | sed -n 's/^\([a-z_]*\)  .*/\1/p' >"$work/names"
[[ $(wc -l <"$work/names") -ge 6 ]] || fail "few policies: $(cat "$work/names")"
while read -r name; do
    if [[ ! -e $objects/$name.so ]]; then
        fail "no object of $name"
        continue
    fi
    for format in csv json; do
        expect 0 run "$work/busy.yaml" --quiet --format "$format" \
            --set "policies=[$name]"
        cp "$work/out" "$work/twin"
        expect 0 run "$work/busy.yaml" --quiet --format "$format" \
            --set "policies=[{$name: {so: '$objects/$name.so'}}]"
        # What must differ: the hash of the scenario, and which file it was.
        sed '/"shared_object": {/,/}/d; /"hash":\|(hash /d; /shared object:/d' \
            "$work/out" >"$work/object"
        sed '/"hash":\|(hash /d' "$work/twin" | cmp -s - "$work/object" ||
            fail "$name differs from its twin as $format"
    done
done <"$work/names"
grep -q '"xxh64": "[0-9a-f]\{16\}"' "$work/out" || fail 'no hash of the object'

begin 'a path is meant from the scenario, and on the command line from here'
mkdir "$work/deep"
cp "$objects/least_conn.so" "$work/deep/mine.so"
sed 's|^policies:.*|policies: [random, {other: {so: ./mine.so, ties: random}}]|' \
    "$work/busy.yaml" >"$work/deep/busy.yaml"
expect 0 run "$work/deep/busy.yaml" --quiet
prints 'other(ties=random)'
prints 'shared object: other(ties=random) is ./mine.so, XXH64 '
expect 0 run "$work/deep/busy.yaml" --quiet --policy other
prints 'other(ties=random)'
status=0
(cd "$work/deep" && "$program" run ../busy.yaml --quiet --policy random \
    --policy ./mine.so >"$work/out" 2>"$work/err") || status=$?
[[ $status -eq 0 ]] || fail "--policy ./mine.so exits with $status"
prints "shared object: mine is $(realpath "$work/deep")/mine.so"
expect 2 run "$work/busy.yaml" --policy "$work/none.so"
says "cannot read the shared object '$work/none.so': No such file"

finish
