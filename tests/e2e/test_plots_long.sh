#!/usr/bin/env bash
# Charts of result folders that are out of the way: neither strange data nor
# strange names disturb them, and what only some results have is drawn.
#
# Backquotes and dollars in single quotes are meant as such; chart names and
# statuses hold no blanks; plots.bash sets the rest.
# shellcheck disable=SC1091,SC2016,SC2034,SC2086,SC2154
set -u
source "$(dirname "$0")/plots.bash" "$1"

usual_result
plot usual

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

begin 'draws zeros on padded axes'
single_result
cp -r single zero
sed -i 's/0\.5,,,0\.5$/0,,,0/' zero/latency.csv
sed -i 's/,0\.5,,,0\.1,/,0,,,0,/' zero/policies.csv
sed -i 's/0\.5,0\.5,0\.5,1,0$/0,0,0,0,0/' zero/series.csv
plot zero
[ $status = 0 ] || fail "status $status for zeros"
for chart in $charts; do whole zero $chart; done

[ $failures = 0 ] && echo 'all charts as expected'
exit $((failures > 0))
