/*
 * Intervals hold what they promise: in 93 to 97 % of 2,000 experiments the
 * interval of 95 % encloses the true value. (Of 2,000 the share has a standard
 * error of 0.5 %, so a true 95 % fails once in 30,000.)
 *
 * Two nodes with exponential services of 1 s under Poisson arrivals of 0.6/s.
 * By the policy random each is M/M/1 at load 0.3, so the time in the system is
 * exponential with mean 1 / (1 - 0.3) s. By round_robin each node sees every
 * other arrival, E2/M/1: with a = 0.6/s the share s of arrivals that wait is
 * the root below 1 of s (1 + a - s)^2 = a^2, that is of s^2 - (1 + 2 a) s +
 * a^2, and the time in the system is exponential again, with mean 1 / (1 - s)
 * (Kleinrock, "Queueing Systems", vol. 1, 1975, section 6.4). So means,
 * percentiles q, which are -ln(1 - q) times the mean, and differences between
 * the policies are known.
 *
 * Runs are finite: the first 100 s are left out, a dozen times what M/M/1 at
 * 0.3 takes to forget; and the expected P99 of 4,000 values is the sum of 1/j
 * from 41 to 4,000 in units of the mean, 4.593 instead of 4.605, a quarter of
 * the standard error of ten runs, which costs a coverage of 95 % half a per
 * cent.
 */
#include "sim/experiment/compare.h"
#include "sim/experiment/experiment.h"
#include "tests/oracle/harness.h"

enum { EXPERIMENTS = 2000, SEED = 5000 };

static const char text[] = "lbsim: 1\n"
                           "duration: 6800 s\n"
                           "warm_up: 100 s\n"
                           "replications: 10\n"
                           "objective: latency_mean_s\n"
                           "workload:\n"
                           "  arrivals: {process: poisson, rate: 0.6/s}\n"
                           "  work: {dist: exponential, mean: 1 s}\n"
                           "nodes:\n"
                           "  - {group: n, count: 2, engine: {slots: 1}}\n"
                           "policies: [random, round_robin]\n";

static const enum measure_id ids[] = {M_LATENCY_MEAN, M_LATENCY_P90,
                                      M_LATENCY_P99};
enum { IDS = sizeof ids / sizeof *ids };

struct hits {
    unsigned random[IDS], round_robin[IDS], difference[IDS];
};

/* True value of a measure where the mean is that. */
static double truth(enum measure_id id, double mean)
{
    double q = measure_quantile(id);

    return isnan(q) ? mean : -log(1 - q) * mean;
}

static bool encloses(double lo, double hi, double value)
{
    return lo <= value && value <= hi;
}

/* As 'lbsim compare' tells them, with the measure as the objective. */
static void judge(const struct experiment_result *result, unsigned m,
                  struct hits *hits)
{
    static const struct compare_pair pair = {0, 1};
    const double a = 0.6;
    const double waits =
        (1 + 2 * a - sqrt((1 + 2 * a) * (1 + 2 * a) - 4 * a * a)) / 2;
    struct compare_side sides[2] = {{.count = result->replications},
                                    {.count = result->replications}};
    struct compare_setup setup = {.sides = sides,
                                  .side_count = 2,
                                  .pairs = &pair,
                                  .pair_count = 1,
                                  .measures = &ids[m],
                                  .measure_count = 1,
                                  .confidence = 0.95,
                                  .min_effect = 0.01};
    struct compare_result compared;
    double true_random = truth(ids[m], 1 / (1 - a / 2));
    double true_rotated = truth(ids[m], 1 / (1 - waits));

    for (unsigned i = 0; i < 2; i++)
        sides[i].values[ids[m]] = result->policies[i].fold.values[ids[m]];
    CU_ASSERT_FATAL(compare_sides(&setup, &compared));

    const struct verdict *verdict = compare_verdict(&compared, 0, 0);

    hits->random[m] +=
        encloses(compared.means[0].lo, compared.means[0].hi, true_random);
    hits->round_robin[m] +=
        encloses(compared.means[1].lo, compared.means[1].hi, true_rotated);
    hits->difference[m] +=
        encloses(verdict->lo, verdict->hi, true_rotated - true_random);
    compare_done(&compared);
}

static void check_share(unsigned hits)
{
    CHECK_NEAR(100.0 * hits / EXPERIMENTS, 95, 2);
}

static void intervals_enclose_the_truth(void)
{
    struct trial trial;
    struct hits hits = {0};

    if (!trial_load(&trial, "%s", text))
        return;
    for (unsigned i = 0; i < EXPERIMENTS; i++) {
        struct experiment_result result;
        struct experiment_setup setup = {.scenario = &trial.scenario,
                                         .simulate = simulation_run,
                                         .threads = 2};

        trial.scenario.seed = SEED + i;
        CU_ASSERT_FATAL(experiment_run(&setup, &result) == EXPERIMENT_OK);
        for (unsigned m = 0; m < IDS; m++)
            judge(&result, m, &hits);
        outcome_done(&result);
    }
    trial_done(&trial);
    for (unsigned m = 0; m < IDS; m++) {
        check_share(hits.random[m]);
        check_share(hits.round_robin[m]);
        check_share(hits.difference[m]);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"intervals enclose the truth", intervals_enclose_the_truth},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("coverage", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
