#!/usr/bin/env bash
# make_repeats_map.sh PROGRAM: finds anew from which share of repeated requests
# consistent hashing pays, over caches, skew, hit times, nodes and load, and
# draws it: scenarios/articles/repeats_map.csv and pictures/repeats_map.png.
# A quarter of an hour of two cores; what was finished is kept in WORK, so that
# it goes on where it was. Without a PROGRAM it draws what the file has.
set -euo pipefail

here=$(realpath "$(dirname "$0")")
scenario=$here/../scenarios/articles/repeats.yaml
table=$here/../scenarios/articles/repeats_map.csv
work=${WORK:-$(mktemp -d)}

# crossings LOAD RIVAL RANGE OPTION...: a line for each crossing. Which rings
# there are matters where a full node is near: there may be more of them there. At low load curves are straight, and a wide bracket will do.
crossings() {
    local load=$1 rival=$2 range=$3 most=26 within='25 %'

    shift 3
    [[ $load != 0.89 ]] || most=64
    [[ $load != 0.48 ]] || within='50 %'
    "$program" sweep "$scenario" --quiet --store "$work/$load.sqlite" \
        --policy "$rival" --policy ring_hash --set 'duration=5 min' "$@" \
        --replications 26 --most-replications $most --within "$within" \
        --scan 3 --crossover "workload.keys.repeat_share=$range" \
        --measure latency_mean_s --format csv --jobs 2 |
        awk -F, -v load="$load" -v rival="$rival" -v OFS=, '
            /^#/ { next }
            !seen++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
            function of(name, usual) {
                return name in at ? $at[name] : usual
            }
            {
                print load, rival, of("defaults.result_cache.entries", 1024),
                    of("workload.keys.exponent", 0.9),
                    of("defaults.result_cache.hit_time", "5 ms"),
                    of("nodes[gpu].count", 8), $at["kind"], $at["at"],
                    $at["lo"], $at["hi"], $at["better_below"],
                    $at["better_above"]
            }'
}

# map LOAD RANGE RATE OF_4 OF_16: all crossings at one load, looked for in the
# range; the rates of 8, 4, 16 nodes.
map() {
    local load=$1 range=$2 rate=$3 few=$4 many=$5 rival

    for rival in round_robin least_conn; do
        crossings "$load" $rival "$range" \
            --set "workload.arrivals.rate=$rate" \
            --vary 'defaults.result_cache.entries=[256,1024,4096]' \
            --vary 'workload.keys.exponent=[0.6,0.9,1.2]'
        crossings "$load" $rival "$range" \
            --set "workload.arrivals.rate=$rate" \
            --vary 'defaults.result_cache.hit_time=[50 ms,200 ms]'
        crossings "$load" $rival '0 %..80 %' \
            --set "workload.arrivals.rate=$rate" \
            --vary 'defaults.result_cache.hit_time=[600 ms]'
        crossings "$load" $rival "$range" --vary 'nodes[gpu].count=[4,16]' \
            --together "workload.arrivals.rate=[$few,$many]"
    done
}

if [[ $# -gt 0 ]]; then
    program=$(realpath "$1")
    {
        echo load,rival,entries,exponent,hit_time,nodes,kind,at,lo,hi,below,above
        map 0.89 '10 %..60 %' 110/s 55/s 220/s
        map 0.48 '0 %..20 %' 60/s 30/s 120/s
    } >"$work/map.csv"
    mv "$work/map.csv" "$table"
fi

# A block for each line of the picture: caches, crossing, interval, in per cent.
for load in 0.89 0.48; do
    for rival in round_robin least_conn; do
        for exponent in 0.6 0.9 1.2; do
            awk -F, -v load=$load -v rival=$rival -v exponent=$exponent '
                $1 == load && $2 == rival && $4 == exponent &&
                    $5 == "5 ms" && $6 == 8 && $7 == "found" &&
                    !seen[$3]++ {
                    printf "%d\t%g\t%g\t%g\n", $3, 100 * $8, 100 * $9, 100 * $10
                    any = 1
                }
                END { if (!any) print "1024\tNaN\tNaN\tNaN" }' "$table"
            printf '\n\n'
        done
    done
done >"$work/map.tsv"
gnuplot -c "$here/repeats_map.gp" "$here/pictures/repeats_map.png" \
    "$work/map.tsv" 'scenarios/articles/repeats.yaml, seed 42'
