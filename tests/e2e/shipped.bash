# What the comments of scenarios/ claim, as checks. For test_shipped*.sh, after
# helpers.bash.
# shellcheck shell=bash disable=SC2154 # helpers.bash sets work

# value POLICY COLUMN: from $work/out, in CSV.
value() {
    grep -v '^#' "$work/out" | awk -F, -v policy="$1" -v column="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i }
        $1 == policy { print $at }'
}

# holds EXPRESSION: of awk, over numbers.
holds() {
    awk "BEGIN { exit !($1) }" || fail "not so: $1"
}

# near POLICY COLUMN EXPECTED: the interval over replications, which must be
# there, holds what theory says, if it is made 1.5 times as wide: about one
# interval of 95 % in twenty misses, and one so wide in more than a hundred.
near() {
    local mean lo

    mean=$(value "$1" "$2")
    lo=$(value "$1" "$2_lo")
    [[ -n $lo ]] || fail "$2 of $1 has no interval"
    holds "${mean:-0} - $3 <= 1.5 * (${mean:-0} - ${lo:-0}) && $3 - ${mean:-0} <= 1.5 * (${mean:-0} - ${lo:-0})"
}

check_quickstart() {
    local policy p99=latency_all_p99_s

    begin 'quickstart'
    expect 0 run scenarios/quickstart.yaml --quiet --format csv "$@"
    local round_robin random ring least
    round_robin=$(value round_robin $p99)
    random=$(value random $p99)
    ring=$(value ring_hash $p99)
    least=$(value least_conn $p99)
    holds "$round_robin > 3.5 && $round_robin < 5.5" # "4 to 5 s"
    holds "$random > 0.9 * $round_robin"             # "at least as badly"
    holds "$least > 2.3 && $least < 2.9"             # "about 2.6 s"
    holds "$ring > 2.3 && $ring < 2.9"
    for policy in smooth_weighted two_choices; do # "lie between"
        holds "$(value $policy $p99) > $least"
        holds "$(value $policy $p99) < $round_robin"
    done
    holds "$(value ring_hash result_hit_ratio) > 0.22"
    for policy in round_robin smooth_weighted least_conn two_choices random; do
        holds "$(value $policy result_hit_ratio) < 0.17"
    done
}

check_mm1() {
    begin 'theory/mm1'
    expect 0 run scenarios/theory/mm1.yaml --quiet --format csv "$@"
    near round_robin latency_mean_s 5
    near round_robin latency_p50_s 3.46574 # 5 ln 2
    near round_robin latency_p99_s 23.0259 # 5 ln 100
    near round_robin wait_mean_s 4
    near round_robin gpu_use_ratio 0.8
}

check_two_choices() {
    begin 'theory/two_choices'
    expect 0 run scenarios/theory/two_choices.yaml --quiet --format csv "$@"
    near random latency_mean_s 10
    near random latency_p99_s 46.0517 # 10 ln 100
    near two_choices latency_mean_s 2.99
    near least_conn latency_mean_s 1.91
    holds "$(value least_conn latency_mean_s) > 1.6687" # M/M/10, Erlang C
}
