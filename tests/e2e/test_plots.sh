#!/usr/bin/env bash
# Charts of result folders: what is drawn, what is skipped and why.
# test_plots_long.sh draws strange data under strange names.
#
# Backquotes and dollars in single quotes are meant as such; chart names and
# statuses hold no blanks; plots.bash sets the rest.
# shellcheck disable=SC1091,SC2016,SC2034,SC2086,SC2154
set -u
source "$(dirname "$0")/plots.bash" "$1"

begin 'draws everything of a usual result'
usual_result
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

begin 'keeps the colour of a policy in all charts'
for chart in latency_cdf policies nodes heatmap timeline in_flight; do
    grep -sqi 'rgb(213, *94, *0)\|#d55e00' usual/charts/$chart.svg ||
        fail "$chart lacks the vermilion of the second policy"
done

begin 'draws single and constant values on padded axes'
single_result
plot single
[ $status = 0 ] || fail "status $status"
for chart in $charts; do whole single $chart; done
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
