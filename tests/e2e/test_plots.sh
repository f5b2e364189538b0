#!/usr/bin/env bash
# Charts of result folders: what is drawn, what is skipped and why, and that
# neither strange data nor strange names disturb it.
#
# Usage: test_plots.sh PROGRAM. Works in a folder of its own. Skips (77) where
# gnuplot is not installed. The text of an SVG can be searched, so most checks
# look into those.
#
# Backquotes and dollars in single quotes are meant as such; heads() reads the
# *_head variables by name; chart names and statuses hold no blanks.
# shellcheck disable=SC2016,SC2034,SC2086
set -u

program=$(realpath "$1")
LBSIM_PLOTS=$(realpath "$(dirname "$0")/../../plots")
export LBSIM_PLOTS
unset DISPLAY
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
charts='latency_cdf policies nodes heatmap timeline in_flight'

fail() {
    echo "FAIL: $case_name: $*" >&2
    failures=$((failures + 1))
}

begin() {
    case_name=$1
}

# plot FOLDER [PATH]: draws; leaves the status and both streams.
plot() {
    status=0
    PATH=${2:-$PATH} "$program" plot "$1" >out.txt 2>err.txt || status=$?
    if grep -qi 'warning\|sanitizer\|runtime error' out.txt err.txt; then
        fail "warned: $(cat out.txt err.txt)"
    fi
}

says() {
    cat out.txt err.txt | grep -qF -- "$1" ||
        fail "does not say '$1' but: $(cat out.txt err.txt)"
}

# whole FOLDER CHART: both pictures are there, with their beginning and end.
whole() {
    local svg="$1/charts/$2.svg" png="$1/charts/$2.png"

    tail -c 12 "$svg" 2>/dev/null | grep -q '^</svg>$' ||
        fail "$svg is not whole"
    [ "$(head -c 8 "$png" 2>/dev/null | od -An -tx1 | tr -d ' \n')" = \
        89504e470d0a1a0a ] || fail "$png is no PNG"
    [ "$(tail -c 8 "$png" 2>/dev/null | head -c 4)" = IEND ] ||
        fail "$png has no end"
}

absent() {
    if [ -e "$1/charts/$2.svg" ] || [ -e "$1/charts/$2.png" ]; then
        fail "$1 has a picture $2"
    fi
}

# Nothing but pictures may stay behind.
tidy() {
    local left

    left=$(find "$1/charts" ! -name '*.svg' ! -name '*.png' -type f \
        2>/dev/null; find "$1" -name '.making*')
    [ -z "$left" ] || fail "left behind: $left"
}

shows() {
    grep -sqF -- "$2" "$1" || fail "$1 does not show '$2'"
}

hides() {
    ! grep -sqF -- "$2" "$1" || fail "$1 shows '$2'"
}

policies_head='policy,verdict,replications'
for measure in latency_all_p99_s throughput_per_s success_ratio; do
    policies_head+=",$measure,${measure}_lo,${measure}_hi"
done
latency_head='policy,quantile_ratio,latency_s,latency_lo_s,latency_hi_s,latency_all_s'
nodes_head='policy,node,group,kind,weight,speed,attempts,completed,share_ratio,use_ratio,gpu_ratio,cpu_ratio,memory_ratio,in_flight_mean_requests,queue_mean_requests,hit_ratio,evictions,down_ratio,latency_p50_s,latency_p99_s'
series_head='policy,node,t_start_s,t_end_s,arrived_requests,completed_requests,lost_requests,latency_mean_s,latency_p99_s,use_ratio,in_flight_mean_requests,down_ratio'

# summary FOLDER NAME GOALS
summary() {
    printf '{"schema": "lbsim.result/1", "scenario": {"name": "%s", "hash": "0"}, "seed": 42, "replications": 10, "goals": [%s]}\n' \
        "$2" "$3" >"$1/summary.json"
}

# heads FOLDER: the four tables without rows.
heads() {
    mkdir -p "$1"
    for table in policies latency nodes series; do
        local head="${table}_head"
        printf '# lbsim\n# scenario: made up\n%s\n' "${!head}" \
            >"$1/$table.csv"
    done
}

# rows FOLDER POLICY PLACE NODES: ten minutes of a policy, of which node 1 is
# down from 243 s to 333 s. POLICY is written as it stands in a CSV field.
# Policy 2 leaves 1.5 % without an answer, so its P99 of all is infinite.
rows() {
    local folder=$1

    name=$2 awk -v place="$3" -v nodes="$4" -v folder="$folder" '
    BEGIN {
        name = ENVIRON["name"]
        lost = place == 2 ? 0.015 : 0
        median = 0.2 + 0.03 * place
        p99 = lost ? ",," : sprintf("%g,%g,%g", 4 + place, 3.5 + place, 4.6 + place)
        printf "%s,better,10,%s,%g,%g,%g,%g,,\n", name, p99, 60 * (1 - lost), 59, 61, 1 - lost >> (folder "/policies.csv")
        for (i = 1; i < 190; i++) {
            q = i <= 100 ? i * 0.009 : 1 - 0.1 * 10 ^ (-(i - 100) / 45)
            if (i == 145) q = 0.99
            latency = median * (q / (1 - q)) ^ 0.6
            all = (q > 1 - lost) ? "" : latency
            printf "%s,%.9g,%g,%g,%g,%s\n", name, q, latency, latency * 0.9, latency * 1.1, all >> (folder "/latency.csv")
        }
        for (node = 0; node < nodes; node++) {
            cpu = node >= 0.75 * nodes
            kind = cpu ? "cpu" : "gpu"
            printf "%s,%s-%d,%s,%s,1,1,10,10,%g,%g,,,,1,0,,0,%g,,\n", name, kind, node, kind, kind, 1 / nodes, cpu ? 0.8 : 0.4, node == 1 ? 0.15 : 0 >> (folder "/nodes.csv")
        }
        for (start = 0; start < 600; start += 10) {
            printf "%s,all,%d,%d,10,10,0,1,%g,0.5,1,\n", name, start, start + 10, 2 + (start * 7 % 13) / 13 >> (folder "/series.csv")
            for (node = 0; node < nodes; node++) {
                from = (start > 243) ? start : 243
                until = (start + 10 < 333) ? start + 10 : 333
                down = (node == 1 && until > from) ? (until - from) / 10 : 0
                printf "%s,%s-%d,%d,%d,,,,,,%g,1,%g\n", name, (node >= 0.75 * nodes) ? "cpu" : "gpu", node, start, start + 10, (0.3 + (start * 3 + node) % 7 / 12) * (1 - down), down >> (folder "/series.csv")
            }
        }
    }'
}

if ! command -v gnuplot >/dev/null; then
    echo 'gnuplot is not installed: skipped'
    exit 77
fi

begin 'draws everything of a usual result'
heads usual
place=0
for policy in round_robin smooth_weighted least_conn two_choices predict; do
    rows usual $policy $place 8
    place=$((place + 1))
done
summary usual quickstart '{"measure": "latency_all_p99_s", "bound": 2.5}, {"measure": "success_ratio", "bound": 0.99}'
plot usual
[ $status = 0 ] || fail "status $status"
for chart in $charts; do
    whole usual $chart
    shows usual/charts/$chart.svg 'quickstart, seed 42, 10 replications'
done
tidy usual
for chart in latency_cdf policies timeline in_flight; do
    shows usual/charts/$chart.svg smooth_weighted
done
shows usual/charts/policies.svg 'infinite: 98.5 % answered'
shows usual/charts/policies.svg 'goal, at most 2.5 s'
shows usual/charts/policies.svg '>5<' # the P99 of smooth_weighted
shows usual/charts/latency_cdf.svg 'goal P99 in 2.5 s'
shows usual/charts/latency_cdf.svg 'least_conn, 98.5 % answered'
shows usual/charts/nodes.svg 'gpu-1 *'
shows usual/charts/heatmap.svg 'simulated time [min]'
shows usual/charts/heatmap.svg 'a fault strikes'

shows usual/charts/heatmap.svg 'dotted violet: back again'
shows usual/charts/timeline.svg 'time of arrival [min]'
shows usual/charts/timeline.svg 'mean over the replications'
shows usual/charts/in_flight.svg 'simulated time [min]'
shows usual/charts/in_flight.svg 'red: a fault strikes'
says 'skipped: hits: there are no caches'
absent usual hits
shows usual/charts/policies.svg 'answered'
shows usual/charts/policies.svg 'url(#gpPat' # a hatched bar
hides usual/charts/policies.svg 'cache hits'
hides usual/charts/timeline.svg 'unanswered [%]'
says 'drawn: usual/charts/policies.svg, .png'
for node in gpu-0 gpu-1 gpu-2 cpu-7; do
    shows usual/charts/heatmap.svg $node
done

begin 'draws no hatched bar when every P99 is finite'
heads finite
rows finite round_robin 0 8
rows finite least_conn 1 8
summary finite finite ''
plot finite/
says 'drawn: finite/charts/policies.svg, .png'
hides finite/charts/policies.svg 'url(#gpPat'
hides finite/charts/policies.svg infinite

# The longest latency drawn is about 14 s (policy 1): 0.23 * (q / (1 - q))^0.6
# at q = 0.999.
begin 'names a goal far beyond the curves instead of drawing it'
summary finite finite '{"measure": "latency_all_p99_s", "bound": 500}'
plot finite
shows finite/charts/latency_cdf.svg \
    'goal P99 in 500 s: beyond this axis, met by all'
hides finite/charts/latency_cdf.svg '>500<'
rows finite lossy 2 8
plot finite
shows finite/charts/latency_cdf.svg 'beyond this axis, not met by all'
summary finite finite '{"measure": "latency_all_p99_s", "bound": 20}'
plot finite
shows finite/charts/latency_cdf.svg 'red: goal P99 in 20 s'
hides finite/charts/latency_cdf.svg 'beyond this axis'

begin 'shows which stretches of time lost requests'
cp -r usual losing
sed -i -E 's/^([a-z_]+,all,300,310),10,10,0/\1,10,6,4/' losing/series.csv
sed -i -E 's/^(least_conn,all,[0-9]+,[0-9]+),10,10,0,1,[^,]*/\1,10,0,10,,/' \
    losing/series.csv
plot losing
[ $status = 0 ] || fail "status $status"
whole losing timeline
shows losing/charts/timeline.svg 'unanswered [%]'

# hit_columns FOLDER VALUES: columns behind those that all results have.
hit_columns() {
    sed -i -E "s/^policy,node.*/&,$3/; s/^([a-z_]+,all,.*)/\1,$2/" \
        "$1/series.csv"
}

begin 'draws hits of caches, and when the shared tier was out'
cp -r usual cached
hit_columns cached 0.25 result_hit_ratio
plot cached
[ $status = 0 ] || fail "status $status"
whole cached hits
shows cached/charts/hits.svg 'Answers from caches over time'
hides cached/charts/hits.svg 'the shared tier is out'
cp -r usual tiered
hit_columns tiered 0.5,0 tier_hit_ratio,tier_out_ratio
sed -i -E 's/^([a-z_]+,all,(300|310),.*),0.5,0$/\1,0,1/' tiered/series.csv
plot tiered
[ $status = 0 ] || fail "status $status"
whole tiered hits
shows tiered/charts/hits.svg 'grey: the shared tier is out'
grep -sqi 'rgb(228, *228, *228)\|#e4e4e4' tiered/charts/hits.svg ||
    fail 'no grey for the outage'
cp -r usual hitless # caches that never hit
hit_columns hitless 0 result_hit_ratio
plot hitless
[ $status = 0 ] || fail "status $status"
whole hitless hits

begin 'draws which nodes are left out, where traffic decides it'
cp -r usual ejecting
hit_columns ejecting 0.125 ejected_ratio
plot ejecting
[ $status = 0 ] || fail "status $status"
whole ejecting ejected
shows ejecting/charts/ejected.svg 'Nodes left out over time'
sed -i -E 's/,(ejected_ratio|0.125)$//' ejecting/series.csv
plot ejecting
absent ejecting ejected
cat out.txt err.txt | grep -q ejected && fail "speaks of the chart: $(cat out.txt)"

begin 'marks what strikes by the clock and does not kill on charts over time'
mkdir hung
cat >hung.yaml <<'SCENARIO'
lbsim: 1
duration: 5 min
replications: 2
workload: {arrivals: {process: poisson, rate: 4/s}, work: {dist: exponential, mean: 200 ms}}
nodes: [{group: gpu, count: 3, engine: {slots: 2}}]
policies: [random]
faults: [{kind: hang, target: "gpu[1]", at: 2 min, for: 30 s}]
SCENARIO
"$program" run -q hung.yaml --output hung >/dev/null 2>&1
plot hung
[ $status = 0 ] || fail "status $status"
for chart in timeline in_flight; do
    shows hung/charts/$chart.svg 'red: a fault strikes'
done
shows hung/charts/heatmap.svg 'purple: hang'
grep -qF 'a fault strikes' hung/charts/heatmap.svg && fail 'a hang is no death'
sed -i 's/,2,hang,gpu-1,120/,2,hang,gpu-1,121/' hung/faults.csv
plot hung
grep -qF 'a fault strikes' hung/charts/timeline.svg &&
    fail 'marks what strikes at other times in other replications'

begin 'draws who waits at the front door'
absent usual door_queue
cp -r usual waiting
hit_columns waiting 12.5 door_queue_mean_requests
plot waiting
[ $status = 0 ] || fail "status $status"
whole waiting door_queue
shows waiting/charts/door_queue.svg 'Requests waiting at the front door over time'

begin 'draws nodes over time where they come and go'
cp -r usual scaled
hit_columns scaled 8,7.5 nodes_mean,nodes_ready_mean
plot scaled
[ $status = 0 ] || fail "status $status"
whole scaled members
shows scaled/charts/members.svg 'Nodes over time'

begin 'keeps the colour of a policy in all charts'
for chart in latency_cdf policies nodes heatmap timeline in_flight; do
    grep -sqi 'rgb(213, *94, *0)\|#d55e00' usual/charts/$chart.svg ||
        fail "$chart lacks the vermilion of the second policy"
done

begin 'draws the same bytes again'
cp -r usual/charts first
plot usual
diff -r first usual/charts >/dev/null || fail 'pictures differ'

begin 'survives names and paths that other programs would interpret'
folder='odd `touch pwned` $(touch pwned) é "q" %s'
heads "$folder"
rows "$folder" '"a ""quoted"", `touch pwned`"' 0 4
rows "$folder" 'x_1^2 50% %s {/Bold z}' 1 4
rows "$folder" "it's \\back \$(touch pwned)" 2 4
rows "$folder" '? @ARG1' 3 4
rows "$folder" 'a_very_long_name_that_would_push_the_chart_away' 4 4
summary "$folder" 'odd `touch pwned` 100% _^ é' ''
plot "$folder"
[ $status = 0 ] || fail "status $status"
for chart in $charts; do
    whole "$folder" $chart
    shows "$folder/charts/$chart.svg" 'odd `touch pwned` 100% _^ é, seed 42'
done
for chart in latency_cdf policies timeline heatmap in_flight; do
    shows "$folder/charts/$chart.svg" 'a ”quoted”, `touch pwned`'
    shows "$folder/charts/$chart.svg" 'x_1^2 50% %s {/Bold z}'
    shows "$folder/charts/$chart.svg" '\back $(touch pwned)'
    shows "$folder/charts/$chart.svg" 'a_very_long_nam…chart_away'
done
[ -z "$(find . -name pwned)" ] || fail 'a name was run as a command'

begin 'cuts long names so that they stay apart'
heads alike
rows alike 'resource_score(local_inflight=true)' 0 4
rows alike '"resource_score(queue_norm=false, local_inflight=true)"' 1 4
rows alike 'the_same_at_the_beginning_but_not_in_1_at_its_end_again' 2 4
rows alike 'the_same_at_the_beginning_but_not_in_2_at_its_end_again' 3 4
plot alike
for chart in latency_cdf policies timeline; do
    shows "alike/charts/$chart.svg" 'resource_score(local_infl…<'
    shows "alike/charts/$chart.svg" 'resource_score(queue_norm…<'
    shows "alike/charts/$chart.svg" '…not_in_1_at_its_end_again'
    shows "alike/charts/$chart.svg" '…not_in_2_at_its_end_again'
done

begin 'draws single, constant and zero values on padded axes'
heads single
echo 'only,reference,1,0.5,,,0.1,,,1,,' >>single/policies.csv
for quantile in 0.5 0.9 0.99; do
    echo "only,$quantile,0.5,,,0.5" >>single/latency.csv
done
echo 'only,n-0,n,gpu,1,1,1,1,1,0.5,,,,1,0,,0,0,,' >>single/nodes.csv
echo 'only,all,0,10,1,1,0,0.5,0.5,0.5,1,0' >>single/series.csv
echo 'only,n-0,0,10,,,,,,0.5,1,0' >>single/series.csv
plot single
[ $status = 0 ] || fail "status $status"
for chart in $charts; do whole single $chart; done
cp -r single zero
sed -i 's/0\.5,,,0\.5$/0,,,0/' zero/latency.csv
sed -i 's/,0\.5,,,0\.1,/,0,,,0,/' zero/policies.csv
sed -i 's/0\.5,0\.5,0\.5,1,0$/0,0,0,0,0/' zero/series.csv
plot zero
[ $status = 0 ] || fail "status $status for zeros"
for chart in $charts; do whole zero $chart; done

begin 'says so when no request was answered'
heads none
echo 'down,reference,1,,,,0,0,0,0,,' >>none/policies.csv
echo 'down,0.5,,,,' >>none/latency.csv
echo 'down,n-0,n,gpu,1,1,0,0,,0,,,,0,0,,0,1,,' >>none/nodes.csv
echo 'down,all,0,10,5,0,5,,,0,0,1' >>none/series.csv
echo 'down,n-0,0,10,,,,,,0,0,1' >>none/series.csv
plot none
[ $status = 0 ] || fail "status $status"
says 'latency_cdf: no request was answered'
says 'timeline: no request was answered in any time step'
shows none/charts/policies.svg 'no answer'
whole none nodes
whole none heatmap
absent none latency_cdf
absent none timeline

begin 'skips the charts of a missing file and removes their old pictures'
rm usual/series.csv
plot usual
[ $status = 0 ] || fail "status $status"
says 'heatmap: series.csv is missing'
says 'timeline: series.csv is missing'
absent usual heatmap
whole usual policies
heads empty
plot empty
says 'policies.csv has no rows'
heads nameless
for table in policies latency nodes series; do
    echo ',,,,,,,,,,,,' >>nameless/$table.csv
done
plot nameless
[ $status = 0 ] || fail "status $status for rows without names"
says 'nodes: no row names a policy'

begin 'leaves out what cannot be read, and says so'
heads many
for place in $(seq 0 26); do rows many "policy_$place" "$place" 3; done
plot many
[ $status = 0 ] || fail "status $status"
says 'shows the first 9 of 27 policies'
says 'shows the first 24 policies'
for chart in $charts; do whole many $chart; done

begin 'names every node of forty and the dead one of hundreds'
heads forty
rows forty only 0 40
plot forty
for node in $(seq 0 29); do
    shows forty/charts/heatmap.svg ">gpu-$node<"
done

begin 'draws hundreds of nodes'
heads wide
rows wide only 0 500
plot wide
[ $status = 0 ] || fail "status $status"
for chart in $charts; do whole wide $chart; done
shows wide/charts/heatmap.svg '>gpu-1<'
shows wide/charts/nodes.svg '>gpu-1 *<'

begin 'refuses what is no result folder'
mkdir other
plot other
[ $status != 0 ] || fail 'accepted an empty folder'
says 'not a result folder'
plot missing
[ $status != 0 ] || fail 'accepted a missing folder'

# with_gnuplot SCRIPT FOLDER: plots with a gnuplot of our own.
with_gnuplot() {
    mkdir -p bin
    printf '#!/bin/bash\n%s\n' "$1" >bin/gnuplot
    chmod +x bin/gnuplot
    plot "$2" "$work/bin:$PATH"
}

begin 'tells how to draw later without gnuplot'
cp -r single later
rm -rf later/charts
mkdir nothing
plot later "$work/nothing"
says 'gnuplot is not installed'
says "plot '"
[ ! -e later/charts ] || fail 'an empty folder stays'
with_gnuplot 'echo gnuplot 4.6 patchlevel 6' later
says 'gnuplot 4.6 is too old'

begin 'keeps no picture of a gnuplot that fails or warns'
version='[ "$1" = --version ] && echo gnuplot 5.4 patchlevel 4 && exit'
plot single
with_gnuplot "$version; echo half >\"\$4\"; exit 1" single
[ $status != 0 ] || fail 'a failure passed for success'
says 'gnuplot ended with status 1'
for chart in $charts; do absent single $chart; done
tidy single
with_gnuplot "$version; echo drawn >\"\$4\"; echo 'empty x range' >&2" single
[ $status != 0 ] || fail 'a complaint passed for success'
says 'empty x range'
for chart in $charts; do absent single $chart; done

[ $failures = 0 ] && echo 'all charts as expected'
exit $((failures > 0))
