/*
 * Nodes of unequal speed.
 *
 * NVIDIA/Personal-AI-Router #7, vllm-project/aibrix PR #2365,
 * llm-d/llm-d-router #1868: two nodes whose speeds differ 5.6 times, at a load
 * of 0.7 of both. Who treats them as equal offers the slow one 2.3 times what
 * it can do. Means of the others: weighted turns 0.78, least in flight 0.91,
 * least (in flight + 1) / speed 0.65, within 8 %; P99 5.5, 7.7 and 2.8.
 */
#include "tests/oracle/harness.h"

#include "policies/lbp.h"

#define REPLICATIONS 10

static bool load(struct trial *trial, const char *policy, const char *weights)
{
    return trial_load(trial,
                      "lbsim: 1\n"
                      "duration: 20000 s\n"
                      "warm_up: 10 %%\n"
                      "seed: 7020\n"
                      "workload:\n"
                      "  arrivals: {process: poisson, rate: 4.62/s}\n"
                      "  work: {dist: exponential, mean: 1 s}\n"
                      "nodes:\n"
                      "  - {group: fast, %s, engine: {speed: 5.6}}\n"
                      "  - {group: slow, weight: 10, engine: {speed: 1}}\n"
                      "policies: [%s]\n",
                      weights, policy);
}

/* A queue that gets 2.31 a second and serves 1 grows by 1.31 a second: half of
   that over 20000 s, and the requests that wait, stand in it on average. */
static void blind_policies_are_unstable(void)
{
    static const char *const policies[] = {"round_robin", "random"};

    for (int i = 0; i < 2; i++) {
        struct trial trial;

        load(&trial, policies[i], "weight: 10");
        trial_run(&trial, 2);
        for (int r = 0; r < 2; r++) {
            const struct run_result *result = &trial.results[r];

            CHECK(result->unstable);
            CHECK_NEAR(result->nodes[1].use_ratio, 1, 1e-3);
            /* The window opens at 2000 s. */
            CHECK_NEAR(result->nodes[1].in_flight_mean_requests, 1.31 * 11000,
                       0.05 * 1.31 * 11000);
        }
        trial_done(&trial);
    }
}

/* Least (in flight + 1) / speed, the first of equals. */
static enum lbp_status pick_scaled(void *state, const struct lbp_view *view,
                                   const struct lbp_request *request,
                                   uint32_t *ret_slot,
                                   struct lbp_explanation *explanation)
{
    double least = 1e300;

    (void)state;
    (void)explanation;
    for (uint32_t i = 0; i < view->slot_count; i++) {
        double rank = (view->in_flight[i] + 1) / lbp_node_at(view, i)->speed;

        if (!lbp_eligible(request, i) || rank >= least)
            continue;
        least = rank;
        *ret_slot = i;
    }
    return least < 1e300 ? LBP_PICKED : LBP_NO_NODE;
}

static void *create(const void *config, const struct lbp_host *host)
{
    static const char nothing;

    (void)config;
    (void)host;
    return (void *)(uintptr_t)&nothing;
}

static void destroy(void *state)
{
    (void)state;
}

static const struct lbp_ops scaled = {
    .abi = LBP_ABI,
    .size = sizeof(struct lbp_ops),
    .name = "scaled",
    .summary = "least (in flight + 1) / speed",
    .tie_rule = "the first",
    .create = create,
    .destroy = destroy,
    .pick = pick_scaled,
};

static void check_policy(const char *policy, const struct lbp_ops *ops,
                         double mean_s, double p99_s)
{
    struct trial trial;

    load(&trial, policy, "weight: 56");
    if (ops)
        trial_use_policy(&trial, ops, NULL);
    trial_run(&trial, REPLICATIONS);
    CHECK_NEAR(trial_mean(&trial, M_LATENCY_MEAN), mean_s, 0.08 * mean_s);
    CHECK_NEAR(trial_mean(&trial, M_LATENCY_P99), p99_s, 0.08 * p99_s);
    trial_done(&trial);
}

static void policies_that_know_the_speed(void)
{
    check_policy("smooth_weighted", NULL, 0.78, 5.5);
    check_policy("least_conn: {ignore_weights: true}", NULL, 0.91, 7.7);
    check_policy("random", &scaled, 0.65, 2.8);
}

/* --- two nodes of speeds 2 and 1, or 4 and 1, at 0.5 and 0.8: the shorter
   queue with random ties, and the least (in flight + 1) / speed with ties to
   the faster; from the chain of both lengths, truncated
   ------------------------ */

static void run_pair(struct trial *trial, unsigned seed, int speed,
                     double rate_per_s, double requests)
{
    trial_load(trial,
               "lbsim: 1\n"
               "duration: %.0f s\n"
               "warm_up: 10 %%\n"
               "seed: %u\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: %.1f/s}\n"
               "  work: {dist: exponential, mean: 1 s}\n"
               "nodes:\n"
               "  - {group: fast, engine: {speed: %d}}\n"
               "  - {group: slow}\n"
               "policies: [two_choices]\n",
               requests / rate_per_s, seed, rate_per_s, speed);
}

static void two_speeds_by_their_chain(void)
{
    static const struct {
        int speed;
        double rate, shorter, scaled;
    } rows[] = {
        {2, 1.5, 1.027681372, 0.9604505837},
        {2, 2.4, 2.091919166, 2.021124009},
        {4, 2.5, 0.755583636, 0.5590529411},
        {4, 4.0, 1.473794895, 1.257317552},
    };

    for (unsigned i = 0; i < 4; i++) {
        struct trial trial;
        double requests = i % 2 ? 50000 : 15000;

        run_pair(&trial, 7030 + i, rows[i].speed, rows[i].rate, requests);
        trial_run(&trial, 20);
        TRIAL_MEAN(&trial, M_LATENCY_MEAN, rows[i].shorter, 0.04);
        trial_use_policy(&trial, &scaled, NULL);
        trial_run(&trial, 20);
        TRIAL_MEAN(&trial, M_LATENCY_MEAN, rows[i].scaled, 0.05);
        trial_done(&trial);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"blind policies are unstable", blind_policies_are_unstable},
        {"policies that know the speed", policies_that_know_the_speed},
        {"two speeds by their chain", two_speeds_by_their_chain},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("unequal hardware", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
