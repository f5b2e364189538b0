#!/usr/bin/env bash
# Interrupted, or stopped by a limit, every command leaves what it has: valid,
# whole as a file, and marked as partial in each form.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"
little "$work/s.yaml" 20/s

# interrupt SIGNAL ARGUMENT...: while it runs, and late enough for a first
# replication: how long that takes is the machine's affair.
interrupt() {
    local signal=$1 after child

    shift
    for after in 0.2 1 5 25; do
        rm -rf "$work/partial"
        "$program" "$@" --quiet --jobs 1 --output "$work/partial" \
            >"$work/out" 2>"$work/err" </dev/null &
        child=$!
        await_hearing $child
        sleep $after
        kill "-$signal" $child
        status=0
        wait $child || status=$?
        grep -q ' 0 of ' "$work/err" || break
    done
    [[ $status -eq 130 ]] || fail "'$*' exits with $status after SIG$signal"
    says 'interrupted: '
}

# Every file is whole, no temporary one is left, and each says what it is.
check_folder() { # REASON
    local file

    for file in summary.json policies.csv nodes.csv series.csv latency.csv \
        groups.csv scenario.yaml speed.json; do
        [[ -s $work/partial/$file ]] || fail "no $file in the folder"
    done
    for file in "$work"/partial/*.json; do
        [[ $(tail -n 1 "$file") == '}' ]] || fail "$file is cut"
    done
    for file in "$work"/partial/*.csv; do
        grep -q "^# partial: $1" "$file" || fail "$file is not marked"
        [[ -z $(tail -c 1 "$file") ]] || fail "$file is cut"
    done
    grep -q "\"partial\": \"$1\"" "$work/partial/summary.json" ||
        fail 'summary.json is not marked'
    [[ -z $(find "$work" -maxdepth 1 -name 'partial?*') ]] ||
        fail "left: $(find "$work" -maxdepth 1 -name 'partial?*')"
}

begin 'SIGINT: a table'
interrupt INT run "$work/s.yaml" --set replications=5k
prints '- partial: interrupted; '
check_folder interrupted

begin 'SIGTERM: JSON'
interrupt TERM run "$work/s.yaml" --set replications=5k --format json
prints '"partial": "interrupted"'
check_folder interrupted
cmp -s "$work/out" "$work/partial/summary.json" ||
    fail 'summary.json is not what is printed'

# What is there is what so many replications would have given, but for the
# marks.
begin 'CSV: what is left is a run of fewer replications'
interrupt INT run "$work/s.yaml" --set replications=5k --format csv
prints '# partial: interrupted'
check_folder interrupted
grep -v '^#' "$work/out" >"$work/part"
count=$(sed -n 's/^# replications: //p' "$work/out")
expect 0 run "$work/s.yaml" --quiet --format csv --set "replications=${count:-0}"
grep -v '^#' "$work/out" | cmp -s - "$work/part" ||
    fail "differs from a run of ${count:-no} replications"

begin 'a shard says what it has, merge what is missing'
interrupt INT run "$work/s.yaml" --set replications=5k --shard 1/2
says 'the shard is not whole'
no_output
[[ $(ls "$work/partial") == runs.sqlite ]] || fail "left: $(ls "$work/partial")"
expect 3 merge "$work/partial" --output "$work/merged"
says 'shard 1 of 2 is not whole: '
says ' of 7500 simulations are there'
says 'shard 2 of 2 is missing: 7500 simulations'

begin 'a limit of events leaves the same everywhere, marked'
mixed=(--set replications=4 --set 'workload.arrivals.rate=3/s')
expect 0 run "$work/s.yaml" --quiet --format csv "${mixed[@]}"
for jobs in 1 3; do
    run run "$work/s.yaml" --quiet --jobs $jobs --format csv "${mixed[@]}" \
        --limit-events 170 --output "$work/partial"
    [[ $status -eq 3 ]] || fail "exits with $status"
    prints '# partial: the limit of events was reached'
    cp "$work/out" "$work/limited.$jobs"
done
cmp -s "$work/limited.1" "$work/limited.3" || fail 'depends on threads'
check_folder 'the limit of events was reached'

begin 'other commands mark what a limit leaves in each form, too'
for form in compare:table compare:json compare:csv compare:markdown \
    advise:table advise:json advise:markdown; do
    expect 3 "${form%:*}" "$work/s.yaml" --quiet "${mixed[@]}" \
        --format "${form#*:}" --limit-events 170
    says 'the limit of events was reached: 1 of 4 replications finished'
    grep -qi 'partial"\?: "\?the limit of events was reached' "$work/out" ||
        fail "$form is not marked"
done
for format in table json csv; do
    expect 3 plan "$work/s.yaml" --quiet "${mixed[@]}" --format $format \
        --set 'goals={latency_all_p95: 2 s}' --limit-events 170 \
        --output "$work/plan"
    says 'the plan is not whole'
    grep -q 'partial: stopped\|"partial": true' "$work/out" ||
        fail "plan as $format is not marked"
    grep -q '"partial": true' "$work/plan/plan.json" || fail 'plan.json is not'
    grep -q '^# partial: stopped' "$work/plan/plan.csv" || fail 'plan.csv is not'
done

begin 'a limit of time or memory without any replication leaves no folder'
for limit in --limit-time=1ns --limit-memory=1B; do
    rm -rf "$work/partial"
    expect 3 run "$work/s.yaml" --quiet "$limit" --output "$work/partial" \
        --set replications=100
    prints 'no replication was finished'
    [[ ! -e $work/partial ]] || fail "$limit leaves a folder"
done
finish
