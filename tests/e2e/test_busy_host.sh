#!/usr/bin/env bash
# sgl-project/sglang #39042, inference-sim/inference-sim PR #997: simulated time
# must not depend on the host. The same scenario by itself, beside busy loops,
# and stopped again and again as under a debugger: all result files are the
# same, but for speed.json, which is about the host, and the store.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"
export LBSIM_PLOTS=$root/plots
scenario=$root/tests/golden/accidents.yaml
busy=()

same_result() {
    diff -r -x speed.json -x charts -x 'runs.sqlite*' "$work/idle" "$1" >/dev/null ||
        fail "$1 differs from the result of an idle host"
}

begin 'an idle host'
expect 0 run "$scenario" --quiet --set replications=4 --output "$work/idle"

begin 'a busy host'
for _ in 1 2 3 4; do
    (while :; do :; done) &
    busy+=($!)
done
expect 0 run "$scenario" --quiet --set replications=4 --output "$work/busy"
kill "${busy[@]}"
wait "${busy[@]}" 2>/dev/null
same_result "$work/busy"

begin 'a host that stops the program'
"$program" run "$scenario" --quiet --set replications=4 --set duration=2000s \
    --output "$work/long" >/dev/null 2>&1
"$program" run "$scenario" --quiet --set replications=4 --set duration=2000s \
    --output "$work/stopped" >/dev/null 2>&1 </dev/null &
pid=$!
stops=0
while kill -STOP "$pid" 2>/dev/null && [[ $stops -lt 10 ]]; do
    sleep 0.01
    kill -CONT "$pid" 2>/dev/null
    sleep 0.002
    stops=$((stops + 1))
done
kill -CONT "$pid" 2>/dev/null
wait "$pid" || fail 'does not end well when it is stopped meanwhile'
[[ $stops -gt 0 ]] || fail 'it was never stopped'
diff -r -x speed.json -x charts -x 'runs.sqlite*' "$work/long" "$work/stopped" >/dev/null ||
    fail 'it shows that the program was stopped'

finish
