# What the comments of scenarios/ claim, as checks. For test_shipped*.sh, after
# helpers.bash.
# shellcheck shell=bash disable=SC2154 # helpers.bash sets work

# value POLICY COLUMN: from $work/out, in CSV. A name that holds a comma stands in
# quotes.
value() {
    grep -v '^#' "$work/out" | sed -E ':a; s/("[^"]*), ([^"]*")/\1; \2/; ta; s/"//g' | awk -F, -v policy="$1" -v column="$2" '
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

# with FILE BLOCK SETTING...: what it prints with these settings of the block, and
# with $more.
with() {
    local file=$1 block=$2 setting sets=()
    shift 2

    for setting in "$@"; do sets+=(--set "$block.$setting"); done
    expect 0 run "scenarios/$file" --quiet --format csv "${sets[@]}" "${more[@]}"
}

batching() {
    with articles/batching.yaml 'nodes[cpu].engine' "$@"
}

# The whole experiment has a burst after which more than a batch waits under
# least_conn, too; a short one has none, and there the order cannot matter.
check_batching() {
    local p99=latency_all_p99_s more=("$@") sorted rotated busy order='=='

    [[ $# -gt 0 ]] || order='>'

    begin 'batching'
    batching
    sorted=$(value least_conn $p99)
    rotated=$(value round_robin $p99)
    busy=$(value least_conn cpu_use_ratio)
    batching sort=arrival
    holds "$(value least_conn $p99) $order $sorted"
    holds "$(value round_robin $p99) > 10 * $rotated"
    batching sort=descending
    holds "$(value least_conn $p99) $order $sorted"
    holds "$(value round_robin $p99) > 1.5 * $rotated"
    batching ratio=4
    holds "$(value least_conn $p99) < 0.75 * $sorted"
    holds "$(value least_conn cpu_use_ratio) < 0.97 * $busy"
    holds "$(value round_robin $p99) < 0.5 * $rotated"
    batching sort=arrival ratio=4
    holds "$(value least_conn $p99) < 0.75 * $sorted"
    holds "$(value round_robin $p99) < 0.5 * $rotated"
    more+=(--set balancer.batching.ratio=4)
    batching 'max_wait=0 s' sort=arrival
    holds "$(value least_conn $p99) < 0.95 * $sorted"
    holds "$(value least_conn cpu_use_ratio) < 0.97 * $busy"
    holds "$(value round_robin $p99) > 5 * $rotated"
}

check_primary_down() {
    local policy

    begin 'primary down'
    expect 0 run scenarios/outages/primary_down.yaml --quiet --format csv "$@"
    for policy in round_robin least_conn; do
        holds "$(value $policy success_ratio) > 0.999"
        holds "$(value $policy degraded_light_ratio) > 0.3 && $(value $policy degraded_light_ratio) < 0.4"
        holds "$(value $policy latency_all_p99_s) > 12 && $(value $policy latency_all_p99_s) < 14"
        holds "$(value $policy primary_abandoned_requests) < 130"
    done
    expect 0 run scenarios/outages/primary_down.yaml --quiet --format csv "$@" \
        --set 'balancer.degrade=off'
    holds "$(value least_conn success_ratio) < 0.7"
    expect 0 run scenarios/outages/primary_down.yaml --quiet --format csv "$@" \
        --set 'nodes[small].count=0'
    holds "$(value least_conn success_ratio) > 0.7 && $(value least_conn success_ratio) < 0.78"
    holds "$(value least_conn degraded_light_ratio) == 0"
}

check_quickstart() {
    local policy p99=latency_all_p99_s

    begin 'quickstart'
    expect 0 run scenarios/quickstart.yaml --quiet --format csv "$@"
    local round_robin ring least predict
    round_robin=$(value round_robin $p99)
    predict=$(value predict $p99)
    ring=$(value ring_hash $p99)
    least=$(value least_conn $p99)
    holds "$round_robin > 3.5 && $round_robin < 5.5" # "4 to 5 s"
    holds "$predict > 1.7 && $predict < 2.1"         # "about 1.9 s"
    holds "$least > 2.3 && $least < 2.9"             # "2.6 s"
    holds "$ring > 2.3 && $ring < 2.9"
    for policy in smooth_weighted two_choices; do # "then"
        holds "$(value $policy $p99) > $least"
        holds "$(value $policy $p99) < $round_robin"
    done
    for policy in round_robin smooth_weighted least_conn two_choices ring_hash \
        predict; do
        holds "$(value resource_score latency_p50_s) > $(value $policy latency_p50_s)"
        holds "$(value predict balance_use_cv) >= $(value $policy balance_use_cv)"
    done
    holds "$(value predict cpu_use_ratio) < 0.01" # "idle"
    holds "$(value ring_hash result_hit_ratio) > 0.22"
    for policy in round_robin smooth_weighted least_conn two_choices \
        resource_score predict; do
        holds "$(value $policy result_hit_ratio) < 0.17"
    done
}

check_mixed_nodes() {
    local p99=latency_all_p99_s counting='least_conn(ignore_weights=true)'
    local round_robin smooth least unweighted score predict

    begin 'articles/mixed_nodes'
    expect 0 run scenarios/articles/mixed_nodes.yaml --quiet --format csv "$@"
    round_robin=$(value round_robin $p99)
    smooth=$(value smooth_weighted $p99)
    least=$(value least_conn $p99)
    unweighted=$(value "$counting" $p99)
    score=$(value resource_score $p99)
    predict=$(value predict $p99)
    holds "$predict > 1.9 && $predict < 2.1"  # "2.0 s"
    holds "$least > 2.7 && $least < 3.0"      # "2.8 s"
    holds "$smooth > 3.1 && $smooth < 3.5"    # "3.3 s"
    holds "$unweighted > 3.1 && $unweighted < 3.5"
    holds "$round_robin > 4.2 && $round_robin < 6" # "5 s"
    holds "$score > 4.2 && $score < 6"
    holds "$(value predict balance_use_cv) > 1.2"
    holds "$(value round_robin gpu_use_ratio) > 0.54"
    holds "$(value predict gpu_use_ratio) < 0.32"
    holds "$(value round_robin fullest_node_use_ratio) > 0.88"
}

check_herding() {
    local interval=$1 score=resource_score p99=latency_p99_s
    shift

    begin "articles/herding, reports every $interval"
    expect 0 run scenarios/articles/herding.yaml --quiet --format csv \
        --set "balancer.report_interval=$interval" "$@"
    local random cured sampled
    random=$(value random $p99)
    cured=$(value "$score(queue_norm=false; local_inflight=true)" $p99)
    sampled=$(value "$score(p2c=true)" $p99)
    holds "$cured < $random"
    case $interval in
        '100 ms') holds "$sampled < $random" ;;
        '1 s')
            holds "$(value $score $p99) > 1.8 * $random"
            holds "$(value $score latency_mean_s) > 3 * $(value random latency_mean_s)"
            holds "$(value "$score(local_inflight=true)" $p99) > 1.5 * $random"
            holds "$sampled < 1.1 * $random"
            ;;
        '10 s') holds "$(value $score $p99) > 10 * $random" ;;
    esac
}

# A twentieth either way: the figures of the comment have two digits.
check_old_news() {
    local score='resource_score(queue=1; queue_norm=false; in_service=true'

    begin 'theory/old_news'
    expect 0 run scenarios/theory/old_news.yaml --quiet --format csv "$@"
    near random latency_mean_s 5
    local posted counted sampled
    posted=$(value "$score; ties=random)" latency_mean_s)
    counted=$(value "$score; local_inflight=true; ties=random)" latency_mean_s)
    sampled=$(value "$score; p2c=true; ties=random)" latency_mean_s)
    holds "$posted > 0.95 * 4.1 && $posted < 1.05 * 4.1"
    holds "$counted < 2.4"
    holds "$sampled > 2.1 && $sampled < 3.8"
}

# check_repeats SHARE ...: that share of repeats, in percent.
check_repeats() {
    local share=$1 bounded='ring_hash(bounded_load=1.25)' mean=latency_mean_s
    local hits=result_hit_ratio round_robin least ring
    shift

    begin "articles/repeats, $share %"
    expect 0 run scenarios/articles/repeats.yaml --quiet --format csv \
        --set "workload.keys.repeat_share=$share %" "$@"
    round_robin=$(value round_robin $mean)
    least=$(value least_conn $mean)
    ring=$(value ring_hash $mean)
    holds "$least < $round_robin"
    holds "$(value round_robin $hits) - $(value least_conn $hits) < 0.005"
    holds "$(value least_conn $hits) - $(value round_robin $hits) < 0.005"
    holds "$(value ring_hash $hits) <= $(value ring_hash ideal_hit_ratio)"
    ((share == 0)) || {
        holds "$(value ring_hash $hits) > $(value "$bounded" $hits)"
        holds "$(value "$bounded" $hits) > $(value round_robin $hits)"
    }
    case $share in
        0) holds "$ring > $round_robin" ;; # "the worst by far"
        20) # "near 20 %", "near 30 %"
            holds "$ring > $round_robin"
            holds "$(value "$bounded" $mean) < 1.02 * $least"
            ;;
        40) # "near 35 %", "only above 40 to 50 %"
            holds "$ring < $least"
            holds "$ring > $(value "$bounded" $mean)"
            ;;
        80)
            holds "$ring < $(value "$bounded" $mean)"
            holds "$(value "$bounded" $mean) < $least"
            holds "$(value ring_hash gpu_use_ratio) < 0.26" # "24 %"
            holds "$(value least_conn gpu_use_ratio) > 0.45" # "47 %"
            ;;
    esac
}

misrouted() {
    with articles/misrouted.yaml defaults "$@"
}

# about POLICY COLUMN EXPECTED: within a twentieth.
about() {
    holds "$(value "$1" "$2") > 0.95 * $3 && $(value "$1" "$2") < 1.05 * $3"
}

# The expected values are the arithmetic of the comment: 540 s of 30 requests a
# second, 20 slots; loads follow each other but for the wait for a request, 1/3 s.
check_misrouted() {
    local blind='round_robin(routing=off)' run_p99 run_mean policy more=("$@")

    begin 'articles/misrouted'
    misrouted misroute=run
    for policy in round_robin least_conn; do
        about $policy misclassified_requests '(0.05 * 16200)'
        holds "$(value $policy misrouted_attempts) == 0"
        about $policy gpu_use_ratio 0.46125
        holds "$(value $policy latency_p99_s) < 2"
    done
    about "$blind" misrouted_attempts '(0.5 * 16200)'
    about "$blind" gpu_use_ratio 0.525
    holds "$(value "$blind" success_ratio) == 1"
    run_p99=$(value "$blind" latency_p99_s)
    run_mean=$(value "$blind" latency_mean_s)
    holds "$run_p99 > 2.2 && $run_p99 < 3.2" # "2.7 s"
    misrouted misroute=refuse
    for policy in round_robin least_conn; do
        holds "$(value $policy success_ratio) == 1"
    done
    about "$blind" success_ratio 0.5
    about "$blind" errors_model_attempts '(0.5 * 16200)'
    about "$blind" gpu_use_ratio 0.24
    misrouted misroute=load 'model_load={time: 5 s}'
    holds "$(value round_robin model_loads) == 0"
    about "$blind" model_loads '(5 * 540 / (5 + 1 / 3))'
    holds "$(value "$blind" latency_mean_s) > $run_mean + 5 / 4"
    holds "$(value "$blind" latency_p99_s) > 5"
    misrouted misroute=load 'model_load={time: 5 s, resident: 2}'
    holds "$(value "$blind" model_loads) == 0"
    holds "$(value "$blind" latency_p99_s) == $run_p99"
}

check_black_hole() {
    local cured='resource_score(queue_norm=false; local_inflight=true)'
    local p99=latency_p99_s policy

    begin 'articles/black_hole'
    expect 0 run scenarios/articles/black_hole.yaml --quiet --format csv "$@"
    holds "$(value round_robin $p99) > 15"            # "above 20 s"
    holds "$(value round_robin success_ratio) < 0.993" # about 1 %
    holds "$(value least_conn $p99) > 3.7 && $(value least_conn $p99) < 4.5"
    holds "$(value least_conn success_ratio) > 0.998"
    holds "$(value predict $p99) > 1.9 && $(value predict $p99) < 2.3"
    holds "$(value resource_score $p99) > 4.2 && $(value resource_score $p99) < 5.4"
    holds "$(value "$cured" $p99) < $(value resource_score $p99)"
    holds "$(value "$cured" $p99) < 1.2 * $(value least_conn $p99)"
    for policy in round_robin smooth_weighted; do
        holds "$(value $policy fullest_node_use_ratio) > 0.8"
        holds "$(value $policy detection_mean_s) > 11"
        holds "$(value $policy detection_mean_s) < 16"
    done

    begin 'articles/black_hole without checks'
    local checked
    checked=$(value round_robin $p99)
    expect 0 run scenarios/articles/black_hole.yaml --quiet --format csv \
        --set balancer.health.interval=1d --policy round_robin "$@"
    holds "$(value round_robin $p99) < $checked / 2" # "better"
    holds "$(value round_robin success_ratio) < 0.935" # "7.5 %"
    [[ -z $(value round_robin latency_all_p99_s) ]] || fail 'P99 of all is finite'

    begin 'articles/black_hole that refuses'
    expect 0 run scenarios/articles/black_hole.yaml --quiet --format csv \
        --set 'faults[0].seen_as=refused' "$@"
    for policy in round_robin resource_score predict; do
        holds "$(value least_conn success_ratio) < $(value $policy success_ratio)"
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

# The mixes of the three policies, and that a box ruins round_robin.
check_plan() {
    begin 'plan'
    expect 0 plan scenarios/plan.yaml --quiet "$@"
    grep -q '^round_robin  *gpu 6, cpu 0 .* 6  *24.0 ' "$work/out" ||
        fail 'round_robin takes something else than six GPUs'
    grep -q '^smooth_weighted  *gpu 6, cpu 0 .* 6  *24.0 ' "$work/out" ||
        fail 'smooth_weighted takes something else than six GPUs'
    grep -q '^least_conn  *gpu 5, cpu 1 .* 6  *20.6 ' "$work/out" ||
        fail 'least_conn takes something else than five GPUs and a box'
    prints 'round_robin: more nodes can hurt: gpu 6, cpu 0 is enough, gpu 6, cpu 1 is not'
    prints 'gpu: 6 by Erlang C'
}
