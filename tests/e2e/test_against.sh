#!/usr/bin/env bash
# One chart of several result folders: a measure against a setting. What is
# drawn, on which axis, and what is refused because it is no sweep.
#
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"

if ! command -v gnuplot >/dev/null; then
    echo 'gnuplot is not installed: skipped'
    exit 77
fi
LBSIM_PLOTS=$(realpath "$(dirname "$0")/../../plots")
export LBSIM_PLOTS
little "$work/s.yaml" 20/s
cd "$work" || exit 1

# result FOLDER OPTION...: a run whose results are kept.
result() {
    local folder=$1

    shift
    run run s.yaml --quiet --replications 3 \
        --set 'policies=[round_robin, random]' --output "$folder" "$@"
    [[ $status -eq 0 ]] || fail "run for $folder: $(cat "$work/err")"
}

# whole NAME: both pictures are there, whole, and nothing else is.
whole() {
    tail -c 12 "$1.svg" 2>/dev/null | grep -q '^</svg>$' ||
        fail "$1.svg is not whole"
    [[ $(tail -c 8 "$1.png" 2>/dev/null | head -c 4) == IEND ]] ||
        fail "$1.png is not whole"
    [[ -z $(find . -maxdepth 2 -name '*.making*' -o -maxdepth 2 -name '*.tsv') ]] ||
        fail 'scratch files stay behind'
}

shows() {
    grep -qF -- "$2" "$1.svg" || fail "$1.svg does not show '$2'"
}

for rate in 5 10 20; do
    result "r$rate" --set "workload.arrivals.rate=$rate/s"
done

begin 'numbers have an axis of numbers'
run plot --against workload.arrivals.rate r20 r5 r10
[[ $status -eq 0 ]] || fail "status $status: $(cat "$work/err")"
whole latency_all_p99_s-by-workload.arrivals.rate
shows latency_all_p99_s-by-workload.arrivals.rate 'workload.arrivals.rate [/s]'
shows latency_all_p99_s-by-workload.arrivals.rate 'bands: confidence intervals'
shows latency_all_p99_s-by-workload.arrivals.rate round_robin

begin 'another measure, into another folder'
run plot --against workload.arrivals.rate --measure throughput --output \
    elsewhere r5 r10
[[ $status -eq 0 ]] || fail "status $status"
whole elsewhere/throughput_per_s-by-workload.arrivals.rate

begin 'tells which folder there is not'
expect 3 plot --against workload.arrivals.rate --output no/where r5 r10
says "the pictures cannot be put into 'no/where': No such file or directory"
expect 3 plot --against workload.arrivals.rate --output r5/summary.json r5 r10
says "the pictures cannot be put into 'r5/summary.json': Not a directory"
expect 3 plot --against workload.arrivals.rate --plots nowhere r5 r10
says "the scripts are not in 'nowhere': No such file or directory"

begin 'more than two decades have a log scale'
for delay in 1 50 300; do
    result "d$delay" --set "balancer.network_delay=$delay ms"
done
run plot --against balancer.network_delay d1 d50 d300
[[ $status -eq 0 ]] || fail "status $status"
whole latency_all_p99_s-by-balancer.network_delay
shows latency_all_p99_s-by-balancer.network_delay '>0.2<' # a tic of 1-2-5

begin 'a zero among decades is a place of its own'
result d0 --set 'balancer.network_delay=0 s'
run plot --against balancer.network_delay d0 d1 d300
whole latency_all_p99_s-by-balancer.network_delay
shows latency_all_p99_s-by-balancer.network_delay '300 ms'
shows latency_all_p99_s-by-balancer.network_delay whiskers

begin 'words are places side by side'
for how in hash round_robin; do
    result "a$how" --set balancer.count=2 --set balancer.assign=$how
done
run plot --against balancer.assign ahash around_robin
whole latency_all_p99_s-by-balancer.assign
shows latency_all_p99_s-by-balancer.assign whiskers

begin 'entries of lists are settings too'
for count in 1 2; do result "n$count" --set "nodes[n].count=$count"; done
run plot --against 'nodes[n].count' n1 n2
[[ $status -eq 0 ]] || fail "status $status: $(cat "$work/err")"
whole latency_all_p99_s-by-nodes-n-.count

begin 'infinite values are marked at the edge, and said to be'
result lossy --set balancer.timeout.total='1 ms'
result fine --set balancer.timeout.total='100 s'
run plot --against balancer.timeout.total lossy fine
[[ $status -eq 0 ]] || fail "status $status"
grep -q '2 infinite points at the upper edge' "$work/out" ||
    fail 'does not say what is infinite'
whole latency_all_p99_s-by-balancer.timeout.total
shows latency_all_p99_s-by-balancer.timeout.total infinite
result lost --set balancer.timeout.total='2 ms'
run plot --against balancer.timeout.total lossy lost
[[ $status -eq 0 ]] || fail "status $status"
grep -q 'skipped: no folder has a finite value' "$work/out" ||
    fail 'draws an empty picture'

# refused WORDS ARGUMENT...
refused() {
    local words=$1

    shift
    run plot "$@"
    [[ $status -eq 2 ]] || fail "'$*' ends with $status"
    says "$words"
}

begin 'what is no sweep is refused'
refused 'differ in more than workload.arrivals.rate' \
    --against workload.arrivals.rate r5 r10 ahash
refused 'have the same value of workload.arrivals.rate' \
    --against workload.arrivals.rate r5 r5
refused 'needs two result folders' --against workload.arrivals.rate r5
refused "there is no setting 'workload.rate'" --against workload.rate r5 r10
refused 'says nothing of balancer.report_interval' \
    --against balancer.report_interval r5 r10
refused "there is no measure 'latancy'" \
    --against workload.arrivals.rate --measure latancy r5 r10
refused 'no result folder' --against workload.arrivals.rate r5 nothing
refused 'goes with --against' --measure throughput r5
refused 'one folder at a time' r5 r10
rm r10/policies.csv
refused 'r10 has no policies.csv' --against workload.arrivals.rate r5 r10

finish
