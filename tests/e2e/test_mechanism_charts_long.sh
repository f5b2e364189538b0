#!/usr/bin/env bash
# What mechanisms do over time, drawn, and added up to what the tables say of the
# whole window. Skips (77) where gnuplot is not installed.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, root
set -u
source "$(dirname "$0")/helpers.bash" "$1"
export LBSIM_PLOTS=$root/plots
if ! command -v gnuplot >/dev/null; then
    echo 'gnuplot is not installed: skipped'
    exit 77
fi
cat >"$work/acting.yaml" <<'SCENARIO'
lbsim: 1
duration: 60 s
replications: 1
seed: 3
workload:
  arrivals: {process: poisson, rate: 40/s}
  keys: {dist: zipf, exponent: 1, distinct: 50, repeat_share: 80 %}
  classes:
    - {name: chat, share: 50 %, work: {dist: exponential, mean: 100 ms}}
    - {name: bulk, share: 50 %, work: {dist: exponential, mean: 200 ms}}
nodes: [{group: gpu, count: 3, weight: 4, engine: {slots: 2}}]
balancer:
  report_interval: 1 s
  admission: {in_flight: 6}
  dynamic_weights: {period: 2 s}
  degrade: {cached: {entries: 1000}, after: 5 s}
  health: {}
  panic: {}
policies: [smooth_weighted, "least_conn"]
faults: [{kind: crash, target: "gpu[*]", at: 30 s, restart_after: 25 s}]
SCENARIO
result=$work/acting

# sum TABLE COLUMN: of the first policy, whatever the rows.
sum() {
    awk -F, -v name="$2" '
        /^#/ {next}
        !column {for (i = 1; i <= NF; i++) if ($i == name) column = i; next}
        $1 == "smooth_weighted" {sum += $column}
        END {print sum}' "$result/$1.csv"
}

# same TABLE COLUMN SUM: that of all time is the sum of the stretches.
same() {
    local whole

    whole=$(sum "$1" "$2")
    [[ $whole != 0 ]] || fail "$2 is 0"
    [[ $whole == "$3" ]] || fail "$2 is $whole, over time $3"
}

# shows CHART TEXT
shows() {
    grep -qF -- "$2" "$result/charts/$1.svg" || fail "$1 does not show '$2'"
}

begin 'what is told over time adds up'
expect 0 run "$work/acting.yaml" --quiet --output "$result"
same policies refused_limit_requests "$(sum series refused_limit_requests)"
same policies degraded_requests "$(sum series degraded_cached_requests)"
same classes arrived_requests "$(sum class_series arrived_requests)"
same classes completed_requests "$(sum class_series completed_requests)"

begin 'each mechanism has its chart'
expect 0 plot "$result"
for chart in weights classes refused degraded panics; do
    [[ -s $result/charts/$chart.png ]] || fail "no $chart.png"
done
shows refused 'Requests refused over time, by cause'
shows refused limit
shows degraded answer
shows classes bulk
shows weights 'Weight of every node over time'
shows panics 'red: a fault strikes'

begin 'a mechanism that is off has no chart and is not spoken of'
expect 0 run "$work/acting.yaml" --quiet --output "$result" \
    --set balancer.admission=off --set balancer.degrade=off \
    --set balancer.panic=off --set balancer.dynamic_weights=off
expect 0 plot "$result"
for chart in weights refused degraded panics; do
    [[ ! -e $result/charts/$chart.png ]] || fail "$chart.png is left"
    ! grep -q "$chart" "$work/out" || fail "speaks of $chart"
done
finish
