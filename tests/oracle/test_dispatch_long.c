/*
 * Policies at heavy load and in large pools; the quick suite has the rest and
 * names the sources.
 */
#include "tests/oracle/harness.h"

#define REPLICATIONS 20

static bool run_pool(struct trial *trial, unsigned seed, double seconds,
                     unsigned nodes, double load, const char *policy)
{
    return trial_load(trial,
                      "lbsim: 1\n"
                      "duration: %.0f s\n"
                      "warm_up: 10 %%\n"
                      "seed: %u\n"
                      "workload:\n"
                      "  arrivals: {process: poisson, rate: %.2f/s}\n"
                      "  work: {dist: exponential, mean: 1 s}\n"
                      "nodes: [{group: n, count: %u}]\n"
                      "policies: [%s]\n",
                      seconds, seed, nodes * load, nodes, policy) &&
           trial_run(trial, REPLICATIONS);
}

static void random_at_load_09(void)
{
    struct trial trial;

    run_pool(&trial, 2101, 400000, 8, 0.9, "random");
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 10, 0.02);
    TRIAL_MEAN(&trial, M_LATENCY_P99, 46.05170186, 0.04);
    trial_done(&trial);
}

static void turns_at_load_09(void)
{
    struct trial trial;

    run_pool(&trial, 2102, 400000, 4, 0.9, "round_robin");
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 6.383049518, 0.02);
    TRIAL_MEAN(&trial, M_LATENCY_P99, 29.39502934, 0.04);
    trial_done(&trial);
    run_pool(&trial, 2103, 100000, 16, 0.9, "round_robin");
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 5.479644359, 0.02);
    TRIAL_MEAN(&trial, M_LATENCY_P99, 25.23469483, 0.04);
    trial_done(&trial);
}

static void shortest_queues_at_load_09(void)
{
    struct trial trial;

    run_pool(&trial, 2104, 400000, 2, 0.9, "least_conn");
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 5.474912821, 0.02);
    trial_done(&trial);
    run_pool(&trial, 2105, 300000, 4, 0.9, "least_conn");
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 3.240838357, 0.02);
    trial_done(&trial);
    run_pool(&trial, 2106, 4000, 100, 0.9, "least_conn");
    TRIAL_TWO_SAMPLES(&trial, M_LATENCY_MEAN, 1.06692, 0.0025, 0.01);
    CHECK(trial_mean(&trial, M_LATENCY_MEAN) > 1.021694048); /* Erlang C */
    trial_done(&trial);
}

static void two_choices_in_large_pools(void)
{
    struct trial trial;

    run_pool(&trial, 2107, 150000, 3, 0.9, "two_choices");
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 4.274087041, 0.02);
    trial_done(&trial);
    run_pool(&trial, 2108, 4000, 100, 0.9, "two_choices");
    TRIAL_TWO_SAMPLES(&trial, M_LATENCY_MEAN, 2.65221, 0.0079, 0.02);
    trial_done(&trial);
    run_pool(&trial, 2109, 6000, 100, 0.95, "two_choices");
    TRIAL_TWO_SAMPLES(&trial, M_LATENCY_MEAN, 3.47298, 0.021, 0.03);
    trial_done(&trial);
}

/* The limit, with what 1000 nodes lie above it: 100 nodes lie 0.038 above at
   0.9, so a tenth of that. */
static void two_choices_near_the_limit(void)
{
    struct trial trial;

    run_pool(&trial, 2110, 600, 1000, 0.9, "two_choices");
    TRIAL_BIASED(&trial, M_LATENCY_MEAN, 2.614057377, 0.0038, 0.02 * 2.6);
    trial_done(&trial);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"random at 0.9", random_at_load_09},
        {"turns at 0.9", turns_at_load_09},
        {"shortest queues at 0.9", shortest_queues_at_load_09},
        {"two choices in large pools", two_choices_in_large_pools},
        {"two choices near the limit", two_choices_near_the_limit},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("heavy dispatch", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
