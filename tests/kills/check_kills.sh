#!/usr/bin/env bash
# Killed at any moment, a run goes on where it was and ends as if nothing had
# been: the same bytes on standard output and in every file of the result, but
# for speed.json, which is about the machine, and the store itself.
#
# $1 is the program, $2 the library that kills at a numbered step (kill_at.c):
# so the places are known, also those inside a commit of the store. More kills
# come by the clock.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work and program
set -u
source "$(dirname "$0")/../e2e/helpers.bash" "$1"

kill_at=$(realpath "$2")
places=$work/places # a line for each kill
words=(run) # the command, and its options
kills=0
found=0

# start DIR SCENARIO [OPTION...]: output to $work/out, err; sets status.
start() {
    status=0
    "$program" "${words[@]}" "$2" --jobs 2 --format json --output "$1" "${@:3}" \
        >"$work/out" 2>"$work/err" || status=$?
}

# A result under its name is whole at any moment.
check_place() {
    if compgen -G "$work/r/*.json" >/dev/null; then
        same "$1, before it goes on"
    elif [[ -e $work/r && $(find "$work/r" ! -name 'runs.sqlite*') != "$work/r" ]]
    then
        fail "$1: neither a result nor a store"
    fi
}

same() {
    diff -r -x speed.json -x 'runs.sqlite*' "$work/whole" "$work/r" \
        >"$work/diff" 2>&1 || fail "$1: $(head -n 3 "$work/diff")"
}

# go_on WHAT SCENARIO: after a kill.
go_on() {
    local count

    check_place "$1"
    start "$work/r" "$2"
    [[ $status -eq 0 ]] || fail "$1: goes on with status $status"
    cmp -s "$work/out" "$work/whole.out" || fail "$1: another output"
    same "$1"
    [[ $(cd "$work" && echo r*) == r ]] || fail "$1: left beside it: r*"
    count=$(sed -n 's/^lbsim: \([0-9]*\) of .* were found.*/\1/p' "$work/err")
    found=$((found + ${count:-0}))
    rm -rf "$work/r"
}

# count_steps SCENARIO: of each kind, in an array steps. Commits come by the
# clock, so another run may have some less.
count_steps() {
    rm -rf "$work/steps"
    LD_PRELOAD=$kill_at LBSIM_KILL_LOG=$work/steps start "$work/r" "$1"
    read -r -a steps <"$work/steps"
    rm -rf "$work/r"
}

# kill_at_step SCENARIO KIND NUMBER
kill_at_step() {
    LD_PRELOAD=$kill_at LBSIM_KILL_AT=$2:$3 LBSIM_KILL_LOG=$places \
        start "$work/r" "$1" 2>/dev/null
    if [[ $status -eq 137 ]]; then
        kills=$((kills + 1))
    elif [[ $status -ne 0 || $2 == folder ]]; then
        fail "not killed at $2 $3, but exits with $status"
    fi
    go_on "killed at $2 $3" "$1"
}

# kill_steps SCENARIO KIND STEPS KILLS: spread over nine in ten steps.
kill_steps() {
    local number

    [[ $3 -gt 0 ]] || fail "$1 has no steps of $2"
    for ((number = 0; number < $4; number++)); do
        kill_at_step "$1" "$2" $((1 + number * $3 * 9 / 10 / $4))
    done
}

# kill_after SECONDS SCENARIO
kill_after() {
    "$program" "${words[@]}" "$2" --jobs 2 --output "$work/r" >"$work/out" 2>&1 &
    sleep "$1"
    { kill -KILL $!; wait $!; } 2>/dev/null
    if [[ $? -eq 137 ]]; then # else it was faster
        kills=$((kills + 1))
        echo clock >>"$places"
    fi
}

# kill_times SCENARIO SECONDS...: each followed by another kill at the same time
# of the second try.
kill_times() {
    local after

    for after in "${@:2}"; do
        kill_after "$after" "$1"
        kill_after "$after" "$1"
        go_on "killed after $after s, twice" "$1"
    done
}

# each SCENARIO COMMITS CHECKPOINTS SECONDS...: how many of each are hit, and
# every step of a folder.
each() {
    begin "$(basename "$1")"
    rm -rf "$work/whole"
    start "$work/whole" "$1"
    [[ $status -eq 0 ]] || fail "exits with $status: $(head -n 1 "$work/err")"
    cp "$work/out" "$work/whole.out"
    count_steps "$1"
    kill_steps "$1" commit "${steps[0]}" "$2"
    kill_steps "$1" checkpoint "${steps[1]}" "$3"
    for ((step = 1; step <= steps[2]; step++)); do
        kill_at_step "$1" folder "$step"
    done
    kill_times "$1" "${@:4}"
}

# A cut that is chosen in a first pass; classes, faults and caches; a trace that
# runs once.
cat >"$work/auto.yaml" <<'YAML'
lbsim: 1
duration: 400 s
warm_up: auto
replications: 24
workload:
  arrivals: {process: poisson, rate: 20/s}
  work: {dist: exponential, mean: 150 ms}
nodes:
  - {group: n, count: 4, engine: {slots: 1}}
policies: [round_robin, least_conn, two_choices]
YAML
cat >"$work/mixed.yaml" <<'YAML'
lbsim: 1
duration: 300 s
warm_up: 20 s
replications: 24
report: {node_percentiles: true}
workload:
  arrivals: {process: poisson, rate: 25/s}
  keys: {dist: zipf, exponent: 0.9, distinct: 5k, repeat_share: 35 %}
  classes:
    - {name: chat, share: 70 %, work: {dist: exponential, mean: 100 ms}}
    - {name: long, share: 30 %, work: {dist: lognormal, median: 200 ms, sigma: 0.5}}
nodes:
  - {group: a, count: 4, weight: 2, engine: {slots: 2}, result_cache: {entries: 100, hit_time: 5 ms}}
  - {group: b, count: 2, engine: {slots: 1, speed: 0.5}}
balancer:
  health: {}
  retry: {attempts: 2}
  timeout: {total: 10 s}
faults:
  - {kind: crash, target: "a[1]", at: 100 s, restart_after: 30 s}
policies: [round_robin, random, ring_hash]
YAML
cat >"$work/little.yaml" <<'YAML'
lbsim: 1
duration: 100 s
warm_up: 10 s
replications: 8
workload:
  arrivals: {process: poisson, rate: 20/s}
  work: {dist: exponential, mean: 150 ms}
nodes:
  - {group: n, count: 4, engine: {slots: 1}}
policies: [round_robin, least_conn]
YAML
cat "$work/little.yaml" - >"$work/planned.yaml" <<'YAML'
goals: {latency_all_p90: 600 ms}
plan: {groups: {n: 0..12}, lose: 0, replications: 8}
YAML
cp tests/golden/small_trace.csv "$work"
cat >"$work/once.yaml" <<'YAML'
lbsim: 1
warm_up: auto
replications: 3
workload:
  trace: {file: small_trace.csv, bad_rows: skip, bad_rows_limit: 20 %, resample: none}
nodes:
  - {group: n, count: 2, engine: {service: {per_input_token: 1 ms, per_output_token: 10 ms}}}
policies: [round_robin, least_conn]
YAML

each "$work/auto.yaml" 8 3 0.05 0.12 0.2 0.3
each "$work/mixed.yaml" 8 3 0.05 0.12 0.2 0.3
each "$work/once.yaml" 4 3

# Several connections at once; experiments that hang on what came before.
words=(sweep --vary 'workload.arrivals.rate=[16/s, 18/s, 20/s, 22/s]')
each "$work/little.yaml" 4 2 0.05 0.1
words=(sweep --crossover workload.arrivals.rate=5/s..25/s)
each "$work/little.yaml" 2 1 0.1
words=(plan)
each "$work/planned.yaml" 2 1 0.1

begin 'enough was killed, where it matters'
commits=$(grep -c commit "$places")
printf '%s kills: %s\n' "$kills" "$(sort "$places" | uniq -c | xargs)"
[[ $kills -ge 50 ]] || fail "only $kills kills"
[[ $commits -ge 10 ]] || fail "only $commits kills inside a commit"
[[ $found -gt 0 ]] || fail 'nothing was ever found in a store'
finish
