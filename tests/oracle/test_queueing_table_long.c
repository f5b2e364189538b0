/*
 * inference-sim/inference-sim #330: the table that researchers ask for before
 * they believe anything else. Mean waits of M/M/1, M/M/4 and M/G/1, services
 * of mean 1, each with its interval below 5 % of the value; and Little's law
 * within 0.5 % in every run.
 */
#include "tests/oracle/harness.h"

#include <math.h>

#define REPLICATIONS 20

static void check_queue(unsigned seed, double seconds, double rate_per_s,
                        const char *work, unsigned slots, double wait_s)
{
    struct trial trial;

    trial_run_slots(&trial, seed, seconds, rate_per_s, work, slots,
                    REPLICATIONS);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, wait_s, 0.05);
    for (uint32_t i = 0; i < trial.replications; i++) {
        const double *values = trial.results[i].values;
        double inside = values[M_THROUGHPUT] * values[M_LATENCY_MEAN];

        CHECK_NEAR(inside, values[M_IN_FLIGHT], 0.005 * inside);
    }
    trial_done(&trial);
}

static void poisson_and_exponential(void)
{
    const char *law = "exponential, mean: 1 s";

    check_queue(1201, 400000, 0.5, law, 1, 1);
    check_queue(1202, 250000, 0.8, law, 1, 4);
    check_queue(1203, 700000, 0.9, law, 1, 9);
    check_queue(1204, 100000, 2.0, law, 4, 0.08695652174);
    check_queue(1205, 100000, 3.2, law, 4, 0.7455405897);
    check_queue(1206, 200000, 3.6, law, 4, 1.969383161);
}

/* Pollaczek-Khinchine at 0.8: 2 (1 + scv). */
static void any_service(void)
{
    check_queue(1211, 250000, 0.8, "constant, value: 1 s", 1, 2);
    check_queue(1212, 800000, 0.8, "hyperexponential, mean: 1 s, scv: 4", 1,
                10);
    check_queue(1213, 1500000, 0.8, "hyperexponential, mean: 1 s, scv: 10", 1,
                22);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"M/M/1 and M/M/4", poisson_and_exponential},
        {"M/G/1 at 0.8", any_service},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("queueing table", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
