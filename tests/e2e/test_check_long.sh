#!/usr/bin/env bash
# What CI trusts a check with: the same program and seeds are identical a
# hundred times of a hundred, whatever else the machine does; and a build of
# least_conn that ignores one node is found.
#
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"
objects=$(realpath "$(dirname "$program")/../policies")
faulty=$(realpath "$(dirname "$program")/../tests/faulty")

begin 'a hundred checks of a hundred are identical and pass'
little "$work/s.yaml" 25/s
echo 'replications: 12' >>"$work/s.yaml"
expect 0 baseline "$work/s.yaml" --quiet
expect 0 check "$work/s.yaml" --quiet --jobs 1
grep -q '^pass: identical' "$work/out" || fail 'not identical'
cp "$work/out" "$work/first"
passed=0
for ((i = 0; i < 100; i += 4)); do
    for jobs in 1 2 3 8; do # at once, so that they disturb each other
        "$program" check "$work/s.yaml" --quiet --jobs $jobs \
            >"$work/out.$jobs" 2>"$work/err.$jobs" </dev/null &
        eval "pid_$jobs=$!"
    done
    for jobs in 1 2 3 8; do
        pid=pid_$jobs
        if wait "${!pid}" && cmp -s "$work/out.$jobs" "$work/first"; then
            passed=$((passed + 1))
        fi
    done
done
[[ $passed -eq 100 ]] || fail "$passed of 100 are identical and pass"

begin 'the baseline of the quick start holds, on any machine'
expect 0 check scenarios/quickstart.yaml --quiet --strict
prints 'pass: identical to the baseline in all 28 measures'

begin 'the same policy as a shared object is identical'
quick=(scenarios/quickstart.yaml --quiet --baseline scenarios/quickstart.baseline)
least_conn() {
    echo "policies=[{least_conn: {so: '$1'}}]"
}
expect 0 check "${quick[@]}" --set "$(least_conn "$objects/least_conn.so")" \
    --policy least_conn
prints 'pass: identical to the baseline in all 4 measures'

begin 'a build that ignores one node is a regression'
expect 1 check "${quick[@]}" --set "$(least_conn "$faulty/least_conn.so")" \
    --policy least_conn --report "lines=$work/lines"
grep -q '^scenarios/quickstart.baseline:[0-9]*: error: latency_mean_s of least_conn: REGRESSION; ' \
    "$work/lines" || fail "not told: $(cat "$work/lines")"

finish
