/*
 * A small result to report: three policies, ten replications of arithmetic.
 *
 * Odd replications lie above the mean and even ones below, by the same width
 * w. So the standard deviation is w sqrt(10 / 9), and half a t interval is
 * t w / 3: 0.754052388 w for 95 % (t(0.975, 9) = 2.262157163).
 */
#ifndef TESTS_UNIT_REPORT_FIXTURE_H
#define TESTS_UNIT_REPORT_FIXTURE_H

#include "policies/lbp.h"
#include "sim/report/report.h"
#include "tests/check.h"

#include <stdlib.h>

#define FIXTURE_POLICIES 3
#define FIXTURE_RUNS 10

struct fixture {
    struct group_spec groups[2];
    struct policy_spec policies[FIXTURE_POLICIES];
    struct goal_spec goals[2];
    struct scenario scenario;
    struct run_result runs[FIXTURE_POLICIES][FIXTURE_RUNS];
    struct experiment_result result;
    struct report_input input;
};

static const struct lbp_ops fixture_ops = {.name = "blind"};

static inline void fixture_scenario(struct fixture *fixture)
{
    struct service_spec service = {.given = true, .base_s = 0.5};

    fixture->groups[0] = (struct group_spec){
        .name = "gpu",
        .count = 2,
        .kind = NODE_GPU,
        .weight = 3,
        .engine = {.slots = 4, .speed = 1.5, .service = service}};
    fixture->groups[1] = (struct group_spec){
        .name = "cpu",
        .count = 1,
        .kind = NODE_CPU,
        .weight = 1,
        .engine = {.slots = 4, .speed = 1, .service = service}};
    fixture->policies[0] =
        (struct policy_spec){.label = "round_robin", .ops = &fixture_ops};
    fixture->policies[1] =
        (struct policy_spec){.label = "least_conn", .ops = &fixture_ops};
    fixture->policies[2] = (struct policy_spec){
        .label = "ring_hash(replicas=200, \"x\")", .ops = &fixture_ops};
    fixture->goals[0] = (struct goal_spec){M_LATENCY_ALL_P99, 3.1};
    fixture->goals[1] = (struct goal_spec){M_SUCCESS, 0.99};
    fixture->scenario = (struct scenario){
        .path = "demo.yaml",
        .name = "demo",
        .hash = 0x0123456789abcdef,
        .duration_ns = 600000000000,
        .warm_up = {.kind = WARM_UP_TIME, .time_ns = 60000000000},
        .replications = FIXTURE_RUNS,
        .seed = 42,
        .confidence = 0.95,
        .min_effect = 0.01,
        .objective = M_LATENCY_ALL_P99,
        .workload.arrivals = {.process = ARRIVALS_DETERMINISTIC,
                              .rate_per_s = 10},
        .group_count = 2,
        .groups = fixture->groups,
        .node_count = 3,
        .balancer = {.count = 1, .report_interval_ns = -1},
        .policy_count = FIXTURE_POLICIES,
        .policies = fixture->policies,
        .goal_count = 2,
        .goals = fixture->goals,
    };
}

/* Mean and width of the P99 of each policy; the last one is infinite. */
static inline void fixture_run(struct run_result *run, uint32_t policy,
                               uint32_t replication)
{
    static const double p99[] = {4, 3, INFINITY};
    static const double width[] = {0.4, 0.2, 0};
    double side = replication % 2 ? -1 : 1;
    uint64_t failed = policy == 2 ? 120 : 0;

    *run = (struct run_result){
        .books = {.arrived = 6000,
                  .completed = 6000 - failed,
                  .failed = failed},
        .measured = 5400,
        .measured_answered = 5400 - failed,
        .excluded = 600,
        .node_count = 3,
        .bucket_count = 1,
        .nodes = calloc(3, sizeof *run->nodes),
        .buckets = calloc(1, sizeof *run->buckets),
        .node_buckets = calloc(3, sizeof *run->node_buckets),
        .events = 100,
    };
    for (uint32_t id = 0; id < MEASURE_COUNT; id++)
        run->values[id] = run->rank_lo[id] = run->rank_hi[id] = NAN;
    run->values[M_LATENCY_ALL_P50] = 0.5;
    run->values[M_LATENCY_ALL_P99] = p99[policy] + side * width[policy];
    run->values[M_SUCCESS] = policy == 2 ? 0.98 : 1;
    run->values[M_RESULT_HIT] = 0.1 + 0.05 * policy;
    run->values[M_IDEAL_HIT] = 0.25;
    run->values[M_GPU_USE] = 1.0 / 3;
    run->values[M_CPU_USE] = 1; /* busy throughout, and to be seen */
    run->values[M_BALANCE_CV] = 0.125;
    for (uint32_t point = 0; point < CURVE_POINTS; point++) {
        run->curve_s[point] = curve_quantile(point);
        run->curve_all_s[point] = policy == 2 && curve_quantile(point) > 0.98
                                      ? INFINITY
                                      : curve_quantile(point);
    }
    for (uint32_t node = 0; node < 3; node++) {
        run->nodes[node] = (struct node_result){
            .attempts = 1800,
            .completed = 1800,
            .share_ratio = 1.0 / 3,
            .use_ratio = 0.25 * (node + 1),
            .cpu_ratio = NAN,
            .gpu_ratio = node < 2 ? 0.25 * (node + 1) : NAN,
            .memory_ratio = NAN,
            .hit_ratio = NAN,
            .latency_p50_s = NAN,
            .latency_p99_s = NAN,
        };
        run->node_buckets[node].use_ratio = 0.5f;
    }
    run->buckets[0] = (struct bucket){.start_s = 60,
                                      .end_s = 600,
                                      .arrived = 5400,
                                      .completed = 5400 - failed,
                                      .lost = failed,
                                      .latency_mean_s = 0.75,
                                      .latency_p99_s = NAN,
                                      .in_flight_mean_requests = 6};
    for (uint32_t id = 0; id < SERIES_COUNT; id++)
        run->buckets[0].series[id] = NAN;
}

/* The gpu nodes get two cards each; uses 0.1, 0.2, 0.3 and 0.4, in every other
   run 0.2 more. */
static inline void fixture_add_cards(struct fixture *fixture)
{
    fixture->groups[0].cards = 2;
    for (uint32_t policy = 0; policy < FIXTURE_POLICIES; policy++)
        for (uint32_t i = 0; i < FIXTURE_RUNS; i++) {
            struct run_result *run = &fixture->runs[policy][i];

            run->card_count = 4;
            run->card_use_ratios = calloc(4, sizeof *run->card_use_ratios);
            for (uint32_t c = 0; c < 4; c++)
                run->card_use_ratios[c] = 0.1 * (c + 1) + 0.2 * (i % 2);
        }
}

static inline void fixture_fold(struct fixture *fixture)
{
    CHECK(outcome_fold(&fixture->scenario, &fixture->runs[0][0], FIXTURE_RUNS,
                       FIXTURE_RUNS, &fixture->result));
}

static inline void fixture_init(struct fixture *fixture)
{
    *fixture = (struct fixture){0};
    fixture_scenario(fixture);
    for (uint32_t policy = 0; policy < FIXTURE_POLICIES; policy++)
        for (uint32_t i = 0; i < FIXTURE_RUNS; i++)
            fixture_run(&fixture->runs[policy][i], policy, i);
    fixture->input =
        (struct report_input){&fixture->scenario, &fixture->result};
}

static inline void fixture_done(struct fixture *fixture)
{
    outcome_done(&fixture->result);
    for (uint32_t policy = 0; policy < FIXTURE_POLICIES; policy++)
        for (uint32_t i = 0; i < FIXTURE_RUNS; i++)
            run_result_done(&fixture->runs[policy][i]);
}

#endif
