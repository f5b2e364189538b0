#!/usr/bin/env bash
# make_pictures.sh PROGRAM: draws the pictures of this folder's README.md anew,
# into pictures/, out of scenarios/ that come with the project. A minute or so.
set -eu

program=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
scenarios=$here/../scenarios
export LBSIM_PLOTS=$here
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run NAME SCENARIO OPTION...
run() {
    local name=$1 scenario=$2

    shift 2
    "$program" run "$scenarios/$scenario" --output "$work/$name" --quiet \
        "$@" >/dev/null
}

run quickstart quickstart.yaml
"$program" plot "$work/quickstart" >/dev/null
for chart in latency_cdf policies nodes heatmap timeline in_flight hits; do
    cp "$work/quickstart/charts/$chart.png" "$here/pictures/quickstart-$chart.png"
done

# Which difference of P99 would how many replications find? round_robin suffers
# from bursts that the others do not, so its differences spread far.
"$program" compare "$scenarios/quickstart.yaml" --power --format csv --quiet \
    --policy least_conn --policy smooth_weighted --policy two_choices \
    --policy ring_hash --policy predict --policy round_robin >"$work/power.csv"
"$program" plot --power --output "$work" "$work/power.csv" >/dev/null
cp "$work/latency_all_p99_s-power.png" "$here/pictures/quickstart-power.png"

# And which change of it would a check against the baseline find?
"$program" check "$scenarios/quickstart.yaml" --power --format csv >"$work/check.csv"
"$program" plot --power --output "$work" "$work/check.csv" >/dev/null
cp "$work/latency_all_p99_s-check-power.png" "$here/pictures/quickstart-check-power.png"

# An outage of twenty seconds: with two retries for each, and with a budget of
# retries and cancelled attempts.
run storm outages/retry_storm.yaml --set 'warm_up=0 s'
run storm-budget outages/retry_storm.yaml --set 'warm_up=0 s' \
    --set 'balancer.retry.budget.share=20 %' --set balancer.timeout.cancel=true
for name in storm storm-budget; do
    "$program" plot "$work/$name" >/dev/null
    cp "$work/$name/charts/timeline.png" "$here/pictures/retry_$name-timeline.png"
done

# What mechanisms do, over time.
# show CHART SCENARIO...
show() {
    local chart=$1 scenario name

    shift
    for scenario; do
        name=$(basename "$scenario" .yaml)
        [ -d "$work/$name" ] || run "$name" "$scenario"
        "$program" plot "$work/$name" >/dev/null
        cp "$work/$name/charts/$chart.png" "$here/pictures/$name-$chart.png"
    done
}
show refused outages/overload_shed.yaml
show classes outages/overload_shed.yaml
show degraded outages/primary_down.yaml
show panics outages/panic.yaml
show weights articles/dynamic_weights.yaml articles/warm_up.yaml

# How many nodes, and of which kind.
"$program" plan "$scenarios/plan.yaml" --quiet --output "$work/plan" >/dev/null
"$program" plot "$work/plan" >/dev/null
cp "$work/plan/charts/plan.png" "$here/pictures/plan.png"

# How stale may reports be before a policy that goes by them is worse than one
# that goes by its own counts?
for interval in '50 ms' '200 ms' '1 s' '2 s' '5 s' '10 s'; do
    run "stale-${interval/ /-}" quickstart.yaml \
        --set "balancer.report_interval=$interval" \
        --policy resource_score,least_conn,two_choices
done
"$program" plot --against balancer.report_interval --output "$work" \
    "$work"/stale-* >/dev/null
cp "$work/latency_all_p99_s-by-balancer.report_interval.png" \
    "$here/pictures/quickstart-against-report_interval.png"
