/*
 * The scenarios of outages that balancers learn of from traffic: what their
 * comments say to expect. Three replications each; bounds are those of the
 * words, not of the figures, but where a figure follows from arithmetic.
 */
#include "tests/oracle/harness.h"

#include <math.h>

enum { REPLICATIONS = 3 };

static struct trial trial;

static void forget_trial(void)
{
    trial_done(&trial);
}

/* A measure's mean, of that policy of the list; up to two overrides. */
static double mean_of(const char *path, uint32_t policy, const char *first,
                      const char *second, enum measure_id measure)
{
    const char *overrides[] = {first, second, NULL};
    double mean = NAN;

    if (trial_open(&trial, path, overrides)) {
        trial.policy_index = policy;
        if (trial_run(&trial, REPLICATIONS))
            mean = trial_mean(&trial, measure);
    }
    trial_done(&trial);
    return mean;
}

/* --- slow_node ------------------------------------------------------------ */

#define SLOW_NODE "scenarios/outages/slow_node.yaml"

enum { ROUND_ROBIN, TWO_CHOICES, LEAST_CONN };

static void latency_alone_finds_a_slow_node(void)
{
    double none = mean_of(SLOW_NODE, ROUND_ROBIN,
                          "balancer.outlier.latency=off", NULL, M_LATENCY_P99);
    double ejected = mean_of(SLOW_NODE, ROUND_ROBIN, NULL, NULL, M_LATENCY_P99);
    double longer = mean_of(SLOW_NODE, ROUND_ROBIN,
                            "balancer.outlier.base_ejection_time=5 min", NULL,
                            M_LATENCY_P99);
    double well =
        mean_of(SLOW_NODE, ROUND_ROBIN, "faults=[]", NULL, M_LATENCY_P99);

    CHECK(ejected < 0.9 * none);
    CHECK(longer < 0.75 * ejected);
    CHECK(longer < 1.1 * well); /* as if nothing were wrong */
    CHECK(mean_of(SLOW_NODE, LEAST_CONN, NULL, NULL, M_LATENCY_P99) < ejected);
}

/* The others are never taken for slow. */
static void nobody_else_is_ejected(void)
{
    if (trial_open(&trial, SLOW_NODE, NULL) &&
        trial_run(&trial, REPLICATIONS)) {
        CHECK(trial.results[0].nodes[7].ejected_ratio > 0.3);
        for (uint32_t i = 0; i < 7; i++)
            CHECK_NEAR(trial.results[0].nodes[i].ejected_ratio, 0, 0);
        CHECK_NEAR(trial.results[0].values[M_FALSE_EJECTIONS], 0, 0);
    }
}

/* --- one_error_each ------------------------------------------------------- */

#define ONE_ERROR "scenarios/outages/one_error_each.yaml"

/* Out in seconds 90, 92 and 94 at the latest, for eleven steps of the clock:
   from 94 to 101 s there is nobody, and 30 requests/s arrive. */
static void one_error_each_empties_the_pool(void)
{
    for (uint32_t policy = 0; policy < 2; policy++) {
        double lost = mean_of(ONE_ERROR, policy, NULL, NULL, M_ERRORS_NO_NODE);

        CHECK_NEAR(lost, 30 * 7, 0.2 * 30 * 7);
        CHECK_NEAR(mean_of(ONE_ERROR, policy, "balancer.max_fails=off", NULL,
                           M_SUCCESS),
                   1, 0);
    }
}

/* --- fails_fast ----------------------------------------------------------- */

#define FAILS_FAST "scenarios/outages/fails_fast.yaml"

enum { FAST_ROUND_ROBIN, FAST_RANDOM, FAST_TWO_CHOICES, FAST_LEAST_CONN };

/* By turns and by chance an eighth of 5 of the 9 measured minutes is lost. */
static void who_fails_at_once_looks_idle(void)
{
    double share = 5.0 / 9 / 8;
    double lost[4];

    for (uint32_t policy = 0; policy < 4; policy++)
        lost[policy] = 1 - mean_of(FAILS_FAST, policy, "balancer.outlier=off",
                                   NULL, M_SUCCESS);
    CHECK_NEAR(lost[FAST_ROUND_ROBIN], share, 0.05 * share);
    CHECK_NEAR(lost[FAST_RANDOM], share, 0.05 * share);
    CHECK(lost[FAST_TWO_CHOICES] > 1.8 * share);
    CHECK(lost[FAST_LEAST_CONN] > 5 * share);
}

/* Four ejections, of 30, 60, 90 and 120 s: 300 s. Each takes five failures, but
   what was under way is lost as well. */
static void ejecting_saves_it(void)
{
    for (uint32_t policy = 0; policy < 4; policy++) {
        CHECK(mean_of(FAILS_FAST, policy, NULL, NULL, M_SUCCESS) > 0.999);
        CHECK_NEAR(mean_of(FAILS_FAST, policy, NULL, NULL, M_OUTLIER_5XX), 4,
                   0);
    }
}

/* One of eight is more than ten percent. */
static void ten_percent_of_eight_is_nobody(void)
{
    CHECK_NEAR(mean_of(FAILS_FAST, FAST_ROUND_ROBIN,
                       "balancer.outlier.max_ejection_percent=10 %", NULL,
                       M_OUTLIER_EJECTIONS),
               0, 0);
}

static void other_mechanisms_save_as_much(void)
{
    CHECK(mean_of(FAILS_FAST, FAST_LEAST_CONN, "balancer.outlier=off",
                  "balancer.breaker={}", M_SUCCESS) > 0.997);
    CHECK(mean_of(FAILS_FAST, FAST_LEAST_CONN, "balancer.outlier=off",
                  "balancer.max_fails={count_5xx: true}", M_SUCCESS) > 0.998);
}

/* To nginx an answer of 500 is a success, unless it is told. */
static void some_defaults_undo_it(void)
{
    static const char uneject[] =
        "balancer.outlier."
        "successful_active_health_check_uneject_host=true";

    CHECK_NEAR(mean_of(FAILS_FAST, FAST_ROUND_ROBIN, "balancer.outlier=off",
                       "balancer.max_fails={}", M_MAX_FAILS_EJECTIONS),
               0, 0);
    /* Back by the next check, every 5 s of 300. */
    CHECK_NEAR(
        mean_of(FAILS_FAST, FAST_LEAST_CONN, uneject, NULL, M_OUTLIER_5XX), 60,
        1.5);
}

/* Under least_conn the node takes so much that the others have too few requests
   to be compared with. */
static void rates_want_others_to_compare_with(void)
{
    static const char grpc[] = "balancer.outlier={rule: grpc, "
                               "failure_percentage_threshold: 50 %}";

    CHECK(mean_of(FAILS_FAST, FAST_ROUND_ROBIN, grpc, NULL, M_SUCCESS) > 0.98);
    CHECK(mean_of(FAILS_FAST, FAST_LEAST_CONN, grpc, NULL, M_SUCCESS) < 0.6);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"latency alone finds a slow node", latency_alone_finds_a_slow_node},
        {"nobody else is ejected", nobody_else_is_ejected},
        {"one error each empties the pool", one_error_each_empties_the_pool},
        {"who fails at once looks idle", who_fails_at_once_looks_idle},
        {"ejecting saves it", ejecting_saves_it},
        {"ten percent of eight is nobody", ten_percent_of_eight_is_nobody},
        {"other mechanisms save as much", other_mechanisms_save_as_much},
        {"some defaults undo it", some_defaults_undo_it},
        {"rates want others to compare with",
         rates_want_others_to_compare_with},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("outages_passive", NULL, NULL, NULL, forget_trial, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
