#!/usr/bin/env bash
# Input that means harm, or that slipped: each ends soon, with a message or a
# bounded run; never with a crash, and never with gigabytes.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"
little "$work/s.yaml" 20/s

# ends STATUS ARGUMENT...: within 5 s and 4 GiB of addresses. A sanitizer needs
# more of these than there are, and more time.
seconds=5
if nm -D "$program" 2>/dev/null | grep -q '__[at]san\|__ubsan'; then
    seconds=40
fi
ends() {
    local wanted=$1

    shift
    status=0
    (
        [[ $seconds -ne 5 ]] || ulimit -v 4194304
        exec timeout $seconds "$program" "$@"
    ) >"$work/out" 2>"$work/err" </dev/null || status=$?
    [[ $status -eq $wanted ]] ||
        fail "'${*:0:300}' ends with $status, not $wanted: $(tail -n 3 "$work/err" | cut -c 1-300)"
    [[ $wanted -ne 2 || -s $work/err ]] || fail "'$*' says nothing"
    [[ $(wc -c <"$work/err") -lt 20000 ]] || fail "'$*' talks without end"
}

# refused SETTING [WORDS]
refused() {
    ends 2 run "$work/s.yaml" --quiet --set "$1"
    says "${2:-error: }"
    no_output
}

# runs SETTING...
runs() {
    local options=() setting

    for setting; do options+=(--set "$setting"); done
    ends 0 run "$work/s.yaml" --quiet "${options[@]}"
    if grep -qiE '[^a-z"](-?nan|inf)[^a-z]' "$work/out"; then
        fail "$* prints a number that is none"
    fi
}

begin 'numbers beyond their ranges'
refused 'duration=292 years' "unknown unit 'years'"
refused 'duration=106000 d' '36500 d'
refused 'duration=9999999999999999999 d'
refused 'workload.arrivals.rate=1e12/s' 'at most 1000000000/s'
refused 'workload.arrivals.rate=-1/s'
refused 'workload.arrivals.rate=nan/s'
refused 'workload.arrivals.rate=0/s'
refused 'replications=1000000' '1 to 100000'
refused 'nodes[n].count=1000001' '0 to 1000000'
refused 'nodes[n].count=99999999999999999999'
refused 'nodes[n].count=0' 'no nodes'
refused 'nodes[n].engine.slots=4000000000' '1 to 1000000'
refused 'nodes[n].result_cache.entries=1000000000000000000' '1 to 1000000000'
refused 'nodes[n].weight=65536'
refused 'balancer.count=1001'
refused 'seed=18446744073709551616'
refused 'seed=-1'
refused 'workload.work={dist: lognormal, median: 1 s, sigma: 21}'
ends 2 run "$work/s.yaml" --set 'nodes[n].count=1M' --set balancer.count=1000
says 'their product may be at most 4000000'

begin 'numbers at the edge of their ranges'
runs 'duration=36500 d' 'workload.arrivals.rate=0.0000001/s'
runs 'nodes[n].count=50k'
runs 'nodes[n].engine.slots=1000000'
runs 'nodes[n].result_cache.entries=1000000000' \
    'workload.keys={dist: zipf, distinct: 100000000}'
runs 'balancer.count=1000'
runs 'workload.work={dist: constant, value: 36500 d}' 'drain=36500 d'
runs 'workload.work={dist: constant, value: 0 s}'
runs 'workload.work={dist: pareto, shape: 0.01, min: 1 s}'
runs 'workload.work={dist: lognormal, median: 1 s, sigma: 20}'
runs 'balancer.timeout.total=1 ns'
runs 'balancer.network_delay=1 h'
runs 'workload.arrivals={process: gamma, rate: 20/s, cv: 0.0000001}'
runs 'workload={arrivals: {rate: 20/s}, input_tokens: {dist: constant, value: 1000000000}, output_tokens: {dist: constant, value: 1000000000}}' \
    'nodes[n].engine.service={base: 36500 d, per_input_token: 36500 d, per_output_token: 36500 d}'
runs 'duration=10 ns' 'workload.arrivals={process: deterministic, rate: 999999999/s}'

begin 'queues without end stop at a limit'
ends 3 run "$work/s.yaml" --quiet --set workload.arrivals.rate=1000000000/s \
    --limit-memory '64 MiB'
says 'the limit of memory was reached'
ends 3 run "$work/s.yaml" --quiet --set 'balancer.health={interval: 2 ns, timeout: 1 ns}' \
    --limit-time '200 ms'
says 'the limit of time was reached'

begin 'five hundred policies, five thousand groups'
list=$(seq -f '{ring_hash: {replicas: %g}}' -s ', ' 1 500)
runs "policies=[$list]" 'workload.keys={dist: unique}'
sed '/group: n/d' "$work/s.yaml" >"$work/groups.yaml"
seq -f '  - {group: g%g, count: 1}' 1 5000 >"$work/groups"
sed -i "/^nodes:/r $work/groups" "$work/groups.yaml"
ends 0 run "$work/groups.yaml" --quiet

begin 'files that are no scenario'
for seed in 1 2 3 4 5 6 7 8; do # the same bytes at every run
    awk -v seed=$seed 'BEGIN { srand(seed)
        for (i = 0; i < 3000; i++) printf "%c", int(256 * rand()) }' \
        >"$work/noise.yaml"
    ends 2 lint "$work/noise.yaml"
    # Near misses reach deeper: one byte of a good scenario is another.
    LC_ALL=C awk -v seed=$seed -v RS='\001' 'BEGIN { srand(seed) } {
        at = 1 + int(length($0) * rand())
        printf "%s%c%s", substr($0, 1, at - 1), 33 + int(90 * rand()),
            substr($0, at + 1) }' "$work/s.yaml" >"$work/near.yaml"
    run lint "$work/near.yaml"
    [[ $status -eq 0 || $status -eq 2 ]] || fail "near miss $seed: $status"
done
head -c 3000000 /dev/zero | tr '\0' '#' >"$work/large.yaml"
ends 2 lint "$work/large.yaml"
says 'is larger than 1 MiB'
{ echo 'lbsim: 1'; printf '{a: %.0s' {1..20000}; } >"$work/deep.yaml"
ends 2 lint "$work/deep.yaml"
{
    echo 'a0: &a0 [x]'
    for i in {1..40}; do
        echo "a$i: &a$i [*a$((i - 1)), *a$((i - 1))]"
    done
} >"$work/bomb.yaml"
ends 2 lint "$work/bomb.yaml"
ends 2 lint /dev/zero
ends 2 lint /dev/null

begin 'options that are no options'
ends 2 run "$work/s.yaml" --set ''
ends 2 run "$work/s.yaml" --set '='
ends 2 run "$work/s.yaml" --set 'nodes[n'
ends 2 run "$work/s.yaml" --set 'nodes[n].engine={{{{'
ends 2 run "$work/s.yaml" --set "$(printf 'a.%.0s' {1..5000})=1"
ends 2 run "$work/s.yaml" --policy ''
ends 2 run "$work/s.yaml" --policy 'x, {'
ends 2 run "$work/s.yaml" --policy "$(printf 'x%.0s' {1..5000})"
ends 2 run "$work/s.yaml" --output ''
ends 2 settings "$(printf 'a%.0s' {1..5000})"
ends 2 policies ''
finish
