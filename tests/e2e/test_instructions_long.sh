#!/usr/bin/env bash
# What a request costs, counted in instructions, which no neighbour on the
# machine can disturb. Of optimised builds alone; needs valgrind.
#
# - ai-dynamo/dynamo #7543, inference-sim/inference-sim #944,
#   pegainfer-project/pegainfer #1039: speed decides whether anyone searches. A
#   million requests a second is a thousand instructions each where a core
#   manages one a nanosecond, and all do better than that.
# - smg-project/smg #1789, haproxy/haproxy #881: from 4 to 1,024 nodes a request
#   may cost twice as much for policies that look at a few, four times for those
#   that choose among all and for weighted rotation.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program
set -u
source "$(dirname "$0")/helpers.bash" "$1"

build=$(dirname "$program")/..
bench=$build/tests/bench/bench_engine
if ! command -v valgrind >/dev/null || [[ ! -x $bench ]] ||
    ! grep -qE '^CMAKE_BUILD_TYPE:[A-Z]+=Rel' "$build/CMakeCache.txt" ||
    grep -qE '^LBSIM_SANITIZE:[A-Z]+=.' "$build/CMakeCache.txt"; then
    echo 'not counted: needs valgrind and an optimised build'
    exit 0
fi

# count CASE REQUESTS: instructions of the whole program.
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" "$1" "$2" \
        2>&1 >/dev/null | awk '/Collected/ { print $NF }'
}

# each CASE: instructions of one more request. Left out are setting up, and the
# sorting of up to 65,536 values, of which percentiles are exact.
each() {
    local few many

    few=$(count "$1" 70000)
    many=$(count "$1" 120000)
    [[ -n $few && -n $many ]] || fail "$1 was not counted"
    echo $(((${many:-0} - ${few:-0}) / 50000))
}

# at_most CASE LIMIT
at_most() {
    local cost

    begin "$1"
    cost=$(each "$1")
    echo "$1: $cost instructions"
    ((cost > 100 && cost <= $2)) || fail "$cost instructions, not up to $2"
}

# grows_at_most POLICY TIMES: from 4 to 1,024 nodes, in hundredths.
grows_at_most() {
    local small large

    begin "$1 at 1,024 nodes"
    small=$(each "$1-4")
    large=$(each "$1-1024")
    echo "$1: $small instructions at 4 nodes, $large at 1,024"
    ((small > 100 && large * 100 <= small * $2)) ||
        fail "$large instructions, $small at 4 nodes"
}

# What is off costs next to nothing: before there were failures, checks and
# autoscalers, each of these took at most a 1.03rd of its limit (counted so with
# gcc 12: 724, 1,424, 906, 981, 1,420).
at_most random-16 745
at_most least_conn-256 1466
at_most two_choices-256 933
at_most two_choices-4096 1010
at_most sharing-16 1462
at_most least_conn-16 900
# Checks, time-outs and retries on: at most twice as much.
at_most guarded-16 1800
at_most random-64 1100
at_most round_robin-64 1100
at_most two_choices-64 1100
at_most least_conn-64 1100
at_most smooth_weighted-64 1200
grows_at_most random 200
grows_at_most two_choices 200
grows_at_most least_conn 400
grows_at_most ring_hash 400
grows_at_most smooth_weighted 400
finish
