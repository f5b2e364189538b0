#!/usr/bin/env bash
# Memory may run out anywhere: one small run of each kind is done again and
# again, another of its allocations finding no memory each time. Each must end
# in what it would have ended in, or in a message and status 3; never in a
# crash, in half a result, or in a status of success without the result.
#
# $1 is the program, $2 the library that counts and fails (fail_at.c), $3 how many
# allocations of each kind of run are tried, spread over all it makes.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work and program
set -u
source "$(dirname "$0")/../e2e/helpers.bash"

fail_at=$(realpath "$2")
points=$3

# attempt NUMBER ARGUMENTS...: sets status; the output goes to $work/out, err.
attempt() {
    timeout 20 env LD_PRELOAD="$fail_at" LBSIM_FAIL_AT="$1" \
        LBSIM_FAIL_COUNT="$work/count" "$program" "${@:2}" \
        >"$work/out" 2>"$work/err"
    status=$?
}

# The result it had, or word of the lack.
judge() {
    if [[ $status -eq $expected ]] && cmp -s "$work/out" "$work/good"; then
        return
    fi
    # A file that cannot be opened for lack of memory cannot be read, and SQLite
    # may miss the row that it had no memory for.
    if grep -qiE 'memory|grants no thread|^failed: |constraint failed' "$work/err" &&
        [[ $status -eq 3 || $status -eq 2 ]]; then
        return
    fi
    fail "allocation $1 of $*: status $status, $(head -n 1 "$work/err")"
}

each() {
    local count number

    begin "lbsim $*"
    attempt 0 "$@"
    attempt 0 "$@" # a result folder is there from now on
    expected=$status
    cp "$work/out" "$work/good"
    count=$(<"$work/count")
    for ((number = 1; number <= count; number += count / points + 1)); do
        attempt "$number" "$@"
        judge "$number" "$@"
    done
}

each run tests/golden/few.yaml --quiet
each run tests/golden/few.yaml --quiet --format json
each run tests/golden/accidents.yaml --quiet --format csv
each run tests/golden/door.yaml --quiet
each run tests/golden/trace.yaml --quiet
each run tests/golden/trace.yaml --quiet --output "$work/result"
each run tests/golden/few.yaml --quiet --store "$work/s.sqlite" --fresh
each run tests/golden/few.yaml --show-effective --policy random
each lint tests/golden/few.yaml
each lint tests/data/scenarios/broken/directive.yaml
each baseline tests/golden/few.yaml --quiet --baseline "$work/few.baseline"
each check tests/golden/few.yaml --quiet --baseline "$work/few.baseline" --format json
each check tests/golden/few.yaml --quiet --baseline "$work/few.baseline" --report "junit=$work/few.xml"
each compare tests/golden/few.yaml --quiet --policy random --policy round_robin
each compare tests/golden/few.yaml --quiet --format json --until 50% \
    --policy random --policy round_robin
each compare "$work/result" "$work/result"
each plot "$work/result"
each plan tests/golden/plan.yaml --quiet --group n=4 --set 'duration=3 s' \
    --set 'warm_up=0 s' --format json --output "$work/plan"
each plan tests/golden/plan.yaml --quiet --group n=3..5 --set 'duration=3 s'
each sweep tests/golden/few.yaml --quiet --vary seed=1..2 --policy random \
    --output "$work/sweep"
each sweep tests/golden/few.yaml --quiet --format json --policy random \
    --policy round_robin --crossover workload.arrivals.rate=1/s..2/s --scan 2
each plot "$work/sweep"
each diagnose tests/golden/two_speeds.yaml --quiet
each diagnose tests/golden/few.yaml --quiet --format json
each advise tests/golden/few.yaml --quiet --set duration=20s --replications 2
each advise tests/golden/few.yaml --quiet --set duration=20s --replications 2 \
    --format json --output "$work/advice"
each settings
each schema
each policies ring_hash
finish
