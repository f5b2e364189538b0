/*
 * One node against queueing theory, for traffic beyond Poisson arrivals of
 * plain laws. Times are in mean service times, which last a second.
 *
 * Tables of reference values were computed independently, with mpmath at 40
 * digits or as numerically solved Markov chains; sources at each test.
 */
#include "tests/oracle/harness.h"

#define REPLICATIONS 20

static bool run_queue(struct trial *trial, unsigned seed, double seconds,
                      const char *workload)
{
    return trial_load(trial,
                      "lbsim: 1\n"
                      "duration: %.0f s\n"
                      "warm_up: 10 %%\n"
                      "seed: %u\n"
                      "workload:\n"
                      "%s"
                      "nodes: [{group: node}]\n"
                      "policies: [random]\n",
                      seconds, seed, workload) &&
           trial_run(trial, REPLICATIONS);
}

/* --- M/G/1: Pollaczek-Khinchine, Kleinrock 1975 (5.63) -------------------- */

static void mg1_weibull(void)
{
    struct trial trial;

    run_queue(&trial, 1301, 400000,
              "  arrivals: {process: poisson, rate: 0.5/s}\n"
              "  work: {dist: weibull, shape: 0.5, mean: 1 s}\n");
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 3, 0.04);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 4, 0.03);
    trial_done(&trial);
    run_queue(&trial, 1302, 300000,
              "  arrivals: {process: poisson, rate: 0.8/s}\n"
              "  work: {dist: weibull, shape: 2, mean: 1 s}\n");
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 2.546479089, 0.03);
    trial_done(&trial);
}

static void mg1_gamma(void)
{
    struct trial trial;

    run_queue(&trial, 1303, 300000,
              "  arrivals: {process: poisson, rate: 0.5/s}\n"
              "  work: {dist: gamma, mean: 1 s, scv: 2}\n");
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 1.5, 0.03);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 2.5, 0.02);
    trial_done(&trial);
    run_queue(&trial, 1304, 300000,
              "  arrivals: {process: poisson, rate: 0.8/s}\n"
              "  work: {dist: gamma, shape: 4, scale: 250 ms}\n");
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 2.5, 0.03);
    trial_done(&trial);
}

/* 0.5 s twice and 2 s once: mean 1, E[S^2] = 1.5, so Wq = 0.5 * 1.5 / 1 =
   0.75. The file counts in milliseconds. */
static void mg1_empirical(void)
{
    struct trial trial;

    run_queue(&trial, 1305, 300000,
              "  arrivals: {process: poisson, rate: 0.5/s}\n"
              "  work: {dist: empirical, file: tests/data/values.csv, column: "
              "work_ms, weights: seen, scale: 1 ms}\n");
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 0.75, 0.03);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 1.75, 0.02);
    trial_done(&trial);
}

int main(int argc, char **argv)
{
    CU_TestInfo laws[] = {
        {"M/G/1, Weibull", mg1_weibull},
        {"M/G/1, gamma", mg1_gamma},
        {"M/G/1, values of a file", mg1_empirical},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("traffic_laws", NULL, NULL, NULL, NULL, laws),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
