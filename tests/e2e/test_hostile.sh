#!/usr/bin/env bash
# Input that means harm, or that slipped: each ends soon, with a message or a
# bounded run; never with a crash, and never with gigabytes.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"
little "$work/s.yaml" 20/s

# ends STATUS ARGUMENT...: within 5 s of CPU and 4 GiB of addresses, or what
# cpu_s and addresses_kib say. A sanitizer needs more than there are of these,
# and more time.
cpu_s=5
addresses_kib=4194304
if nm -D "$program" 2>/dev/null | grep -q '__[at]san\|__ubsan'; then
    sanitized=yes
fi
ends() {
    local wanted=$1

    shift
    status=0
    (
        if [[ -z ${sanitized-} ]]; then
            ulimit -t "$cpu_s" -v "$addresses_kib"
        fi
        exec timeout 120 "$program" "$@"
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

# What grows when it is read: a message within 2 s and 256 MiB.
cpu_s=2
addresses_kib=262144
begin 'bombs'
sed 's/^  arrivals:.*/  trace: {file: "t.csv", format: canonical}/; /^  work:/d' \
    "$work/s.yaml" >"$work/bomb_trace.yaml"
sed -i 's/engine: {/engine: {service: {base: 1 s}, /; /^duration/d' \
    "$work/bomb_trace.yaml"
head='arrival_s,input_tokens,output_tokens,key'
# bomb START LETTER WORDS: a packed trace, 300 MB of one letter behind its start,
# is refused with these words.
bomb() {
    head -c 10000000 /dev/zero | tr '\0' "$2" | gzip -1 >"$work/part"
    { printf '%b' "$1" | gzip; yes "$work/part" | head -n 30 | xargs cat; } \
        >"$work/t.csv"
    ends 2 lint "$work/bomb_trace.yaml"
    says "$3"
}
bomb "$head\\n0,1,1,\"" q 'longer than'
bomb "$head\\n" 9 'longer than'
bomb "$head\\n" , 'longer than'
bomb '' '\0' 'longer than'
{ printf 'lbsim: 1\nname: "' && head -c 1000000 /dev/zero | tr '\0' 'q'; } \
    >"$work/quote.yaml"
ends 2 lint "$work/quote.yaml"
{ printf 'lbsim: 1\npolicies: ' && head -c 1000000 /dev/zero | tr '\0' '['; } \
    >"$work/brackets.yaml"
ends 2 lint "$work/brackets.yaml"
ends 2 lint "$work/bomb.yaml"
for count in 1000000000 1e18 18446744073709551616 4294967296; do
    ends 2 lint "$work/s.yaml" --set "nodes[n].count=$count"
    ends 2 lint "$work/s.yaml" --set "nodes[n].engine.slots=$count"
    ends 2 lint "$work/s.yaml" --set "balancer.count=$count"
done
cpu_s=5
addresses_kib=4194304

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
