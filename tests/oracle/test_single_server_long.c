/*
 * One node at heavy load and with heavy tails, which take tens of millions of
 * requests: the quick suite has the lighter cases, and says how they judge.
 */
#include "tests/oracle/harness.h"

#define REPLICATIONS 40

static bool run_queue(struct trial *trial, unsigned seed, double seconds,
                      double rate_per_s, const char *work, unsigned slots)
{
    return trial_run_slots(trial, seed, seconds, rate_per_s, work, slots,
                           REPLICATIONS);
}

/* M/M/1, Kleinrock 1975 ch. 3. */
static void mm1_at_load_09(void)
{
    struct trial trial;

    run_queue(&trial, 1101, 2000000, 0.9, "exponential, mean: 1 s", 1);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 10, 0.015);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 9, 0.015);
    TRIAL_MEAN(&trial, M_IN_FLIGHT, 9, 0.015);
    TRIAL_MEAN(&trial, M_GPU_USE, 0.9, 0.001);
    TRIAL_MEAN(&trial, M_LATENCY_P50, 6.931471806, 0.015);
    TRIAL_MEAN(&trial, M_LATENCY_P90, 23.02585093, 0.02);
    TRIAL_MEAN(&trial, M_LATENCY_P99, 46.05170186, 0.03);
    TRIAL_MEAN(&trial, M_LATENCY_P999, 69.07755279, 0.06);
    TRIAL_MEAN(&trial, M_WAIT_P99, 44.9980967, 0.03);
    trial_done(&trial);
}

/* Erlang C, Harchol-Balter 2013 ch. 14. */
static void mm16_at_load_095(void)
{
    struct trial trial;

    run_queue(&trial, 1102, 150000, 15.2, "exponential, mean: 1 s", 16);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 1.975240578, 0.02);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 0.9752405778, 0.03);
    TRIAL_MEAN(&trial, M_LATENCY_P99, 7.216605625, 0.03);
    TRIAL_MEAN(&trial, M_WAIT_P99, 5.446194428, 0.04);
    trial_done(&trial);
}

/* M/D/1: Erlang 1909. */
static void md1_at_load_09(void)
{
    struct trial trial;

    run_queue(&trial, 1103, 800000, 0.9, "constant, value: 1 s", 1);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 5.5, 0.02);
    TRIAL_MEAN(&trial, M_WAIT_P50, 3.013047519, 0.02);
    TRIAL_MEAN(&trial, M_WAIT_P90, 10.78250496, 0.03);
    TRIAL_MEAN(&trial, M_WAIT_P99, 21.89823735, 0.05);
    trial_done(&trial);
}

/* Means by Pollaczek-Khinchine, percentiles by the Benes series, by fast
   Fourier transform on a lattice rounded down and up. */
static void mg1_lognormal(void)
{
    struct trial trial;

    run_queue(&trial, 1104, 1000000, 0.5, "lognormal, mean: 1 s, scv: 4", 1);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 2.5, 0.04);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 3.5, 0.03);
    trial_done(&trial);
    run_queue(&trial, 1105, 2500000, 0.8, "lognormal, mean: 1 s, scv: 4", 1);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 10, 0.04);
    TRIAL_MEAN(&trial, M_WAIT_P50, 3.999295286, 0.02);
    TRIAL_MEAN(&trial, M_WAIT_P90, 27.30725155, 0.04);
    TRIAL_MEAN(&trial, M_WAIT_P99, 74.07540346, 0.08);
    trial_done(&trial);
}

/* Partial fractions of the transform. */
static void mg1_hyperexponential(void)
{
    struct trial trial;

    run_queue(&trial, 1106, 2500000, 0.8, "hyperexponential, mean: 1 s, scv: 4",
              1);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 10, 0.03);
    TRIAL_MEAN(&trial, M_WAIT_P90, 27.51305019, 0.03);
    TRIAL_MEAN(&trial, M_WAIT_P99, 60.01260721, 0.05);
    trial_done(&trial);
}

/* The largest of a run's jobs decide, a thousand times the least: many
   replications rather than long ones. */
static void mg1_bounded_pareto(void)
{
    struct trial trial;

    run_queue(&trial, 1107, 2500000, 0.8,
              "bounded_pareto, mean: 1 s, shape: 2.5, ratio: 30", 1);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 2.978276083, 0.02);
    trial_done(&trial);
    run_queue(&trial, 1108, 3000000, 0.5,
              "bounded_pareto, mean: 1 s, shape: 1.5, ratio: 1000", 1);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 5.442399896, 0.05);
    trial_done(&trial);
    run_queue(&trial, 1109, 3000000, 0.8,
              "bounded_pareto, mean: 1 s, shape: 1.5, ratio: 1000", 1);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 21.76959959, 0.06);
    TRIAL_MEAN(&trial, M_WAIT_P50, 3.31736705, 0.03);
    TRIAL_MEAN(&trial, M_WAIT_P90, 64.6330539, 0.07);
    TRIAL_MEAN(&trial, M_WAIT_P99, 238.4114862, 0.09);
    trial_done(&trial);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"M/M/1 at 0.9", mm1_at_load_09},
        {"M/M/16 at 0.95", mm16_at_load_095},
        {"M/D/1 at 0.9", md1_at_load_09},
        {"M/G/1, lognormal", mg1_lognormal},
        {"M/G/1, hyperexponential", mg1_hyperexponential},
        {"M/G/1, bounded Pareto", mg1_bounded_pareto},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("heavy single server", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
