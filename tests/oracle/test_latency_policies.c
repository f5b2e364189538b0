/*
 * What people reported of policies that go by latency, in whole simulations.
 * The cases are named by project and issue; the same by the policy alone stand
 * in tests/unit/policies/test_peak_ewma.c.
 */
#include "tests/oracle/harness.h"

#include <math.h>

/* --- kubernetes/ingress-nginx #3709, #4448, #10061 ------------------------
   Three nodes of 100 ms and with room for all, 200 requests a second; a fourth
   joins at 30 s. What does it get in the time after that? */

static void run_newcomer(struct trial *trial, const char *settings,
                         double seconds, uint32_t replications)
{
    trial_load(trial,
               "lbsim: 1\n"
               "duration: %.3f s\n"
               "warm_up: 30 s\n"
               "seed: 6401\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: 200/s}\n"
               "  work: {dist: constant, value: 100 ms}\n"
               "nodes:\n"
               "  - group: n\n"
               "    count: 3\n"
               "    engine: {slots: 64}\n"
               "    autoscale: {rule: schedule, min: 3, max: 4, schedule: 4 at "
               "30 s}\n"
               "policies: [peak_ewma: {%s}]\n",
               30 + seconds, settings);
    trial_run(trial, replications);
}

/* The newcomer's share of all attempts in the window of all replications. */
static double share_of_newcomer(const char *settings, double seconds,
                                uint32_t replications)
{
    struct trial trial;
    uint64_t own = 0, all = 0;

    run_newcomer(&trial, settings, seconds, replications);
    for (uint32_t r = 0; r < trial.replications; r++)
        for (uint32_t i = 0; i < trial.results[r].node_count; i++) {
            all += trial.results[r].nodes[i].attempts;
            own += i == 3 ? trial.results[r].nodes[i].attempts : 0;
        }
    trial_done(&trial);
    return (double)own / (double)all;
}

/* Worth nothing until it has answered, 100 ms later: everything, or half of
   the pairs (of 20 picks in each of 40 runs, 800: +- 5 % is 2.8 deviations). */
static void newcomer_worth_nothing_is_flooded(void)
{
    CHECK_NEAR(share_of_newcomer("newcomer: zero, p2c: false", 0.1, 5), 1, 0);
    CHECK_NEAR(share_of_newcomer("newcomer: zero", 0.1, 40), 0.5, 0.05);
}

static void newcomer_worth_the_mean_gets_its_part(void)
{
    CHECK_NEAR(share_of_newcomer("newcomer: mean, p2c: false", 1, 5), 0.25,
               0.06);
    CHECK_NEAR(share_of_newcomer("newcomer: mean", 1, 5), 0.25, 0.06);
}

/* Finagle's penalty: one request in flight, and no other before its answer. */
static void newcomer_with_a_penalty_is_tried_once(void)
{
    struct trial trial;

    run_newcomer(&trial, "p2c: false", 0.1, 10);
    for (uint32_t r = 0; r < trial.replications; r++)
        CHECK_UINT(trial.results[r].nodes[3].attempts, 1);
    trial_done(&trial);
}

/* --- kubernetes/ingress-nginx #5540, mosn/mosn #2274, BerriAI/litellm #38746
   One node of four answers everything with an error, 5 ms after it was sent;
   the others serve at half of what the three can take. */

static double share_that_failed(const char *settings)
{
    struct trial trial;
    double failed, arrived;

    trial_load(&trial,
               "lbsim: 1\n"
               "duration: 2000 s\n"
               "warm_up: 100 s\n"
               "seed: 6402\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: 15/s}\n"
               "  work: {dist: exponential, mean: 100 ms}\n"
               "nodes: [{group: n, count: 4}]\n"
               "balancer: {network_delay: 2500 us}\n"
               "faults: [{kind: fail_fast, target: \"n[0]\", at: 0 s, for: "
               "2000 s}]\n"
               "policies: [peak_ewma: {%s}]\n",
               settings);
    trial_run(&trial, 2);
    arrived = trial_mean(&trial, M_ARRIVED);
    failed = arrived - trial_mean(&trial, M_COMPLETED);
    trial_done(&trial);
    return failed / arrived;
}

/* Every pair with the broken node in it, 3 of 6; of all, nearly all. */
static void failing_fast_looks_like_being_fast(void)
{
    CHECK_NEAR(share_that_failed("p2c: true"), 0.5, 0.01);
    CHECK_NEAR(share_that_failed("peak: false"), 0.5, 0.01);
    CHECK(share_that_failed("p2c: false") > 0.9);
}

/* A second against averages over half a minute; against levels that remember
   peaks it takes Linkerd's 5 s. */
static void a_price_for_failures_helps(void)
{
    CHECK(share_that_failed("peak: false, decay: 30 s, failure_latency: 1 s") <
          0.01);
    CHECK(share_that_failed("failure_latency: 5 s") < 0.01);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"a newcomer worth nothing is flooded",
         newcomer_worth_nothing_is_flooded},
        {"a newcomer worth the mean gets its part",
         newcomer_worth_the_mean_gets_its_part},
        {"a newcomer with a penalty is tried once",
         newcomer_with_a_penalty_is_tried_once},
        {"failing fast looks like being fast",
         failing_fast_looks_like_being_fast},
        {"a price for failures helps", a_price_for_failures_helps},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("latency_policies", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
