/*
 * Predict against theory and against an independent small model.
 *
 * With perfect knowledge it is least work left on nodes that serve one at a
 * time, and that is one central queue, request for request (Harchol-Balter
 * 2013 ch. 24). With the history alone, orderings and figures of a small
 * simulator that shares no code with this one must hold.
 */
#include "tests/oracle/harness.h"

#include <math.h>

#define REPLICATIONS 10

/* The same traffic in front of these nodes. */
static void run_knowing(struct trial *trial, const char *nodes,
                        const char *policy)
{
    trial_load(trial,
               "lbsim: 1\n"
               "duration: 4000 s\n"
               "seed: 9001\n"
               "policies: [%s]\n"
               "nodes: [%s]\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: 2.4/s}\n"
               "  work: {dist: hyperexponential, mean: 1 s, scv: 4}\n",
               policy, nodes);
    trial->keep_latencies = true;
    trial_run(trial, 2);
}

static void check_equal_latencies(const struct trial *one,
                                  const struct trial *two)
{
    for (uint32_t r = 0; r < 2; r++) {
        const struct run_result *a = &one->results[r], *b = &two->results[r];
        uint64_t different = 0;

        CHECK_UINT(a->latency_count, b->latency_count);
        CHECK(a->latency_count > 9000);
        for (uint64_t i = 0; i < a->latency_count; i++)
            different += a->latencies[i] != b->latencies[i];
        CHECK_UINT(different, 0);
    }
}

/* Three nodes of one slot, one node of three: equal to the nanosecond. */
static void least_work_left_is_a_central_queue(void)
{
    static const char *const policies[] = {
        "predict: {oracle: true}", "predict: {oracle: true, mode: simulate}"};
    struct trial spread, central;

    run_knowing(&central, "{group: n, engine: {slots: 3}}", "round_robin");
    for (uint32_t i = 0; i < 2; i++) {
        run_knowing(&spread, "{group: n, count: 3}", policies[i]);
        check_equal_latencies(&spread, &central);
        trial_done(&spread);
    }
    trial_done(&central);
}

/* Queues that run forward are exact for several slots as well: two nodes of
   three slots, or one of six. */
static void simulated_queues_are_a_central_queue(void)
{
    struct trial spread, central;

    run_knowing(&central, "{group: n, engine: {slots: 6, speed: 0.5}}",
                "round_robin");
    run_knowing(&spread, "{group: n, count: 2, engine: {slots: 3, speed: 0.5}}",
                "predict: {oracle: true, mode: simulate}");
    for (uint32_t r = 0; r < 2; r++)
        for (uint64_t i = 0; i < spread.results[r].latency_count; i++)
            if (!(fabs(spread.results[r].latencies[i] -
                       central.results[r].latencies[i]) < 2e-6))
                CHECK_NEAR(spread.results[r].latencies[i],
                           central.results[r].latencies[i], 2e-6);
    trial_done(&spread);
    trial_done(&central);
}

/* M/H2/2 at load 0.5, scv 4: 1.737889394, by a truncated chain. And its own
   predictions are right, but for the rounding of a nanosecond. */
static void perfect_knowledge_meets_the_chain(void)
{
    struct trial trial;

    trial_load(&trial, "lbsim: 1\n"
                       "duration: 60000 s\n"
                       "warm_up: 10 %%\n"
                       "seed: 9002\n"
                       "policies: [predict: {oracle: true}]\n"
                       "nodes: [{group: n, count: 2}]\n"
                       "workload:\n"
                       "  arrivals: {process: poisson, rate: 1/s}\n"
                       "  work: {dist: hyperexponential, mean: 1 s, scv: 4}\n");
    trial_run(&trial, 20);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 1.737889394, 0.04);
    CHECK_NEAR(trial_mean(&trial, M_PREDICTION_ABS), 0, 2e-9);
    trial_done(&trial);
}

/* --- against the small model ---------------------------------------------- */

#define REQUESTS                                                             \
    "  input_tokens: {dist: lognormal, median: 1020, p99: 4142, at_most: "   \
    "8000}\n"                                                                \
    "  output_tokens: {dist: lognormal, median: 129, p99: 800, at_most: "    \
    "2000}\n"                                                                \
    "  noise: {dist: lognormal, sigma: 0.6}\n"                               \
    "defaults: {engine: {slots: 8, service: {base: 20 ms, per_input_token: " \
    "0.05 ms, per_output_token: 2.5 ms}}}\n"

enum mixed { LEAST_CONN, SMOOTH_WEIGHTED, PREDICT, MIXED };

/* Speeds 3:2:1 at load 0.45; the weights say so. */
static void load_mixed(struct trial *trial)
{
    trial_load(trial,
               "lbsim: 1\n"
               "duration: 10 min\n"
               "warm_up: 1 min\n"
               "seed: 9003\n"
               "policies: [least_conn, smooth_weighted, predict]\n"
               "nodes:\n"
               "  - {group: high, count: 2, weight: 3, engine: {speed: 1.5}}\n"
               "  - {group: mid, count: 2, weight: 2, engine: {speed: 1}}\n"
               "  - {group: low, count: 2, weight: 1, engine: {speed: 0.5}}\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: 42/s}\n" REQUESTS);
}

/* Figures with their half-widths of 10 replications of the small model:
   predict P99 1.99 +-0.03, mean 0.39, use 30.9 % +-0.3, CV 1.30 +-0.01;
   least_conn P99 2.84 +-0.03; smooth_weighted 3.28 +-0.05. */
static void mixed_nodes_as_in_the_small_model(void)
{
    struct trial_estimate p99[MIXED], cv[MIXED];
    struct trial trial;

    load_mixed(&trial);
    for (uint32_t p = 0; trial.loaded && p < MIXED; p++) {
        trial.policy_index = p;
        trial_run(&trial, REPLICATIONS);
        p99[p] = trial_estimate(&trial, M_LATENCY_P99);
        cv[p] = trial_estimate(&trial, M_BALANCE_CV);
    }
    TRIAL_TWO_SAMPLES(&trial, M_LATENCY_P99, 1.99, 0.03, 0.05);
    TRIAL_TWO_SAMPLES(&trial, M_LATENCY_MEAN, 0.39, 0.005, 0.05);
    TRIAL_TWO_SAMPLES(&trial, M_GPU_USE, 0.309, 0.003, 0.05);
    TRIAL_TWO_SAMPLES(&trial, M_BALANCE_CV, 1.30, 0.01, 0.05);
    for (uint32_t p = 0; p + 1 < MIXED; p++) {
        CHECK(p99[PREDICT].mean + p99[PREDICT].half_width <
              p99[p].mean - p99[p].half_width);
        CHECK(cv[PREDICT].mean - cv[PREDICT].half_width >
              cv[p].mean + cv[p].half_width);
    }
    CHECK(p99[LEAST_CONN].mean + p99[LEAST_CONN].half_width <
          p99[SMOOTH_WEIGHTED].mean - p99[SMOOTH_WEIGHTED].half_width);
    trial_done(&trial);
}

/* Eight nodes, a third of the questions repeat, one node dies for 90 s. */
static void run_accident(struct trial *trial, const char *policy,
                         const char *seen_as, unsigned balancers,
                         unsigned attempts)
{
    trial_load(trial,
               "lbsim: 1\n"
               "duration: 10 min\n"
               "warm_up: 1 min\n"
               "seed: 9004\n"
               "policies: [%s]\n"
               "nodes:\n"
               "  - {group: a100, count: 3, weight: 3, engine: {speed: 1.5}, "
               "result_cache: {entries: 1024, hit_time: 5 ms}}\n"
               "  - {group: l4, count: 3, weight: 2, engine: {speed: 1}, "
               "result_cache: {entries: 1024, hit_time: 5 ms}}\n"
               "  - {group: cpu, count: 2, weight: 1, engine: {speed: 0.5}, "
               "result_cache: {entries: 1024, hit_time: 5 ms}}\n"
               "balancer: {count: %u, health: {}, retry: {attempts: %u}, "
               "timeout: {total: 60 s}}\n"
               "faults: [{kind: crash, target: \"a100[1]\", at: 4 min, "
               "restart_after: 90 s, seen_as: %s}]\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: 60/s}\n"
               "  keys: {dist: zipf, exponent: 0.9, distinct: 5k, "
               "repeat_share: 35 %%}\n" REQUESTS,
               policy, balancers, attempts, seen_as);
    trial_run(trial, REPLICATIONS);
}

/* The small model: mean 0.32, P99 1.87 +-0.02 with one balancer; with two that
   see a part each, mean 0.49 and P99 2.12. Two that count on half of the slots
   each do as well as one. */
static void an_accident_as_in_the_small_model(void)
{
    struct trial one, two, shared;

    run_accident(&one, "predict", "connect_timeout", 1, 2);
    TRIAL_TWO_SAMPLES(&one, M_LATENCY_MEAN, 0.32, 0.005, 0.05);
    TRIAL_TWO_SAMPLES(&one, M_LATENCY_P99, 1.87, 0.02, 0.06);
    CHECK(trial_mean(&one, M_SUCCESS) > 0.9995);
    run_accident(&two, "predict", "connect_timeout", 2, 2);
    CHECK(trial_mean(&two, M_LATENCY_MEAN) >
          1.2 * trial_mean(&one, M_LATENCY_MEAN));
    CHECK(trial_mean(&two, M_LATENCY_P99) >
          1.05 * trial_mean(&one, M_LATENCY_P99));
    run_accident(&shared, "predict: {share_slots: true}", "connect_timeout", 2,
                 2);
    CHECK(trial_mean(&shared, M_LATENCY_MEAN) <
          1.1 * trial_mean(&one, M_LATENCY_MEAN));
    CHECK(trial_mean(&shared, M_LATENCY_P99) <
          1.04 * trial_mean(&one, M_LATENCY_P99));
    trial_done(&shared);
    trial_done(&one);
    trial_done(&two);
}

/* A node that fails at once looks idle and draws requests until it is found
   out; one that takes a second to fail is full soon. Without a second attempt
   the difference shows in full. */
static void failing_fast_looks_idle(void)
{
    struct trial slow, fast;

    run_accident(&slow, "predict", "connect_timeout", 1, 1);
    run_accident(&fast, "predict", "refused", 1, 1);
    CHECK(1 - trial_mean(&fast, M_SUCCESS) >
          2 * (1 - trial_mean(&slow, M_SUCCESS)));
    CHECK(trial_mean(&slow, M_SUCCESS) < 1);
    trial_done(&slow);
    trial_done(&fast);
}

int main(int argc, char **argv)
{
    CU_TestInfo knowing[] = {
        {"least work left is a central queue",
         least_work_left_is_a_central_queue},
        {"simulated queues are a central queue",
         simulated_queues_are_a_central_queue},
        {"perfect knowledge meets the chain",
         perfect_knowledge_meets_the_chain},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo guessing[] = {
        {"mixed nodes as in the small model",
         mixed_nodes_as_in_the_small_model},
        {"an accident as in the small model",
         an_accident_as_in_the_small_model},
        {"failing fast looks idle", failing_fast_looks_idle},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("predict knowing", NULL, NULL, NULL, NULL, knowing),
        SUITE("predict guessing", NULL, NULL, NULL, NULL, guessing),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
