#!/usr/bin/env bash
# Every exit status with the situations that lead to it: 0 done, 2 bad input or
# usage, 3 failed (files, memory, a limit), 130 interrupted.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"
little "$work/good.yaml" 20/s

begin 'done is 0'
expect 0 run "$work/good.yaml" --quiet
prints 'round_robin'
expect 0 run "$work/good.yaml" --quiet --set 'goals={latency_all_p99: 1 ms}'
prints 'missed by round_robin' # a missed goal is shown, and no failure
expect 0 lint "$work/good.yaml"

begin 'usage that makes no sense is 2'
for arguments in '' 'rnu' 'run' 'run --jbos 2' 'run --jobs 0' 'run --jobs x' \
    'run --format xml' 'run --limit-time 5' 'run --limit-time 0s' \
    'run --limit-memory 0B' 'run --limit-events 0' 'settings balancer.helth' \
    'policies leest_conn' 'plot' 'help rnu' 'schema more' 'run --seed=-1' \
    'settings --format html'; do
    case $arguments in
    run*-*) arguments+=" $work/good.yaml" ;;
    esac
    # shellcheck disable=SC2086 # words on purpose
    expect 2 $arguments
    no_output
    [[ -s $work/err ]] || fail "'$arguments' says nothing"
done
expect 2 rnu
says "did you mean 'run'?"
expect 2 policies leest_conn
says "did you mean 'least_conn'?"
expect 2 run "$work/good.yaml" "$work/good.yaml"
says 'one too many'
expect 2 run "$work/good.yaml" --show-effective --output "$work/none"
[[ ! -e $work/none ]] || fail 'makes a folder without results'

begin 'a scenario with mistakes is 2, and nothing is simulated or written'
sed 's/policies/polices/; s/slots/slot/; s/random/ramdon/' "$work/good.yaml" \
    >"$work/bad.yaml"
expect 2 run "$work/bad.yaml" --output "$work/none"
no_output
says "$work/bad.yaml:7:35: error: unknown key 'slot'"
says "did you mean 'slots'?"
says "unknown key 'polices' at the top level"
says "did you mean 'policies'?"
[[ ! -e $work/none ]] || fail 'a scenario with mistakes leaves a folder'
printf 'lbsim: 1\nnodes: [\n' >"$work/bad.yaml"
expect 2 run "$work/bad.yaml"
says "$work/bad.yaml:"
expect 2 run "$work/nowhere.yaml"
says 'No such file'
expect 2 run "$work"
says 'is a folder'
expect 2 run "$work/good.yaml" --set workload.arrivals.rate=fast
says '--set:1:'

# A trace is part of the input, like the scenario that names it.
begin 'a trace that is not there is 2'
expect 2 run "$work/good.yaml" --set 'workload={trace: {file: gone.csv}, work: {dist: constant, value: 1 s}}'
says 'cannot read the trace'
no_output

begin 'a folder that is no result is 2 and stays as it is'
mkdir "$work/mine"
echo precious >"$work/mine/thesis.txt"
expect 2 run "$work/good.yaml" --quiet --output "$work/mine"
says 'thesis.txt'
no_output
[[ $(cat "$work/mine/thesis.txt") == precious ]] || fail 'a file is gone'
expect 2 run "$work/good.yaml" --quiet --output "$work/good.yaml"
expect 2 plot "$work/mine"

begin 'what cannot be written is 3'
if [[ -e /dev/full ]]; then
    for arguments in "run $work/good.yaml" "run $work/good.yaml --format json" \
        "run $work/good.yaml --show-effective" policies settings schema help \
        version "lint $work/good.yaml"; do
        status=0
        # shellcheck disable=SC2086 # words on purpose
        "$program" $arguments >/dev/full 2>"$work/err" </dev/null || status=$?
        [[ $status -eq 3 ]] || fail "'$arguments' on a full disk: $status"
        says 'No space left'
    done
fi
expect 3 run "$work/good.yaml" --quiet --output /proc/nothing/here
says '/proc/nothing/here'
no_output
if [[ $(id -u) -ne 0 ]]; then
    mkdir -m 500 "$work/locked"
    expect 3 run "$work/good.yaml" --quiet --output "$work/locked/result"
    says 'Permission denied'
fi

begin 'a disk that fills up while results are written is 3'
if [[ $(id -u) -eq 0 ]] && mkdir "$work/disk" &&
    mount -t tmpfs -o size=16k none "$work/disk" 2>/dev/null; then
    expect 3 run "$work/good.yaml" --quiet --output "$work/disk/result"
    says 'No space left'
    [[ -z $(ls -A "$work/disk") ]] || fail "left: $(ls -A "$work/disk")"
    umount "$work/disk"
else # the same by a limit on the size of files
    (
        ulimit -f 1
        trap '' XFSZ
        expect 3 run "$work/good.yaml" --quiet --output "$work/small"
        exit $((failures > 0))
    ) || failures=$((failures + 1))
    [[ -z $(find "$work" -name 'small*') ]] || fail 'half a result is left'
fi

begin 'a limit is 3, with what was finished'
expect 3 run "$work/good.yaml" --quiet --limit-events 10
says 'the limit of events was reached: 0 of 1 replication finished'
prints 'no replication was finished'
for limit in '--limit-time=1ns' '--limit-memory=1B'; do
    expect 3 run "$work/good.yaml" --quiet "$limit" --set replications=1000
    says 'was reached'
done

begin 'an interruption is 130, with valid partial results'
"$program" run "$work/good.yaml" --quiet --format json --jobs 1 \
    --set replications=5000 --output "$work/partial" \
    >"$work/out" 2>"$work/err" </dev/null &
child=$!
sleep 0.6
kill -INT $child
status=0
wait $child || status=$?
[[ $status -eq 130 ]] || fail "exits with $status"
says 'interrupted: '
for file in "$work/out" "$work/partial/summary.json"; do
    grep -q '"partial": "interrupted"' "$file" ||
        fail "$file does not say that it is partial"
    [[ $(tail -n 1 "$file") == '}' ]] || fail "$file is cut"
done
finish
