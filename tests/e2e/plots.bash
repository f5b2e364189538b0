#!/usr/bin/env bash
# What the tests of charts share: results made up in a folder of our own, and
# looks at the pictures. The text of an SVG can be searched, so most checks look
# into those. Skips (77) where gnuplot is not installed.
#
# plots.bash PROGRAM; sets program, work and failures.
#
# Backquotes and dollars in single quotes are meant as such; heads() reads the
# *_head variables by name.
# shellcheck disable=SC2016,SC2034
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

# hit_columns FOLDER VALUES: columns behind those that all results have.
hit_columns() {
    sed -i -E "s/^policy,node.*/&,$3/; s/^([a-z_]+,all,.*)/\1,$2/" \
        "$1/series.csv"
}

# Five policies on eight nodes.
usual_result() {
    local policy place=0

    heads usual
    for policy in round_robin smooth_weighted least_conn two_choices predict; do
        rows usual $policy $place 8
        place=$((place + 1))
    done
    summary usual quickstart '{"measure": "latency_all_p99_s", "bound": 2.5}, {"measure": "success_ratio", "bound": 0.99}'
}

# One row of each kind.
single_result() {
    heads single
    echo 'only,reference,1,0.5,,,0.1,,,1,,' >>single/policies.csv
    for quantile in 0.5 0.9 0.99; do
        echo "only,$quantile,0.5,,,0.5" >>single/latency.csv
    done
    echo 'only,n-0,n,gpu,1,1,1,1,1,0.5,,,,1,0,,0,0,,' >>single/nodes.csv
    echo 'only,all,0,10,1,1,0,0.5,0.5,0.5,1,0' >>single/series.csv
    echo 'only,n-0,0,10,,,,,,0.5,1,0' >>single/series.csv
}

if ! command -v gnuplot >/dev/null; then
    echo 'gnuplot is not installed: skipped'
    exit 77
fi
