/*
 * The scenarios in which nodes come and go: what their comments say to expect.
 * Few replications; bounds are those of the words, not of the figures.
 */
#include "tests/oracle/harness.h"

#include <math.h>

enum { REPLICATIONS = 2 };

static struct trial trial;

static void forget_trial(void)
{
    trial_done(&trial);
}

/* Of that policy of the list; overrides end with NULL. */
static bool run(const char *path, uint32_t policy, const char *const *overrides)
{
    trial_done(&trial);
    if (!trial_open(&trial, path, overrides))
        return false;
    trial.policy_index = policy;
    return trial_run(&trial, REPLICATIONS);
}

static double p99_s(void)
{
    return trial_mean(&trial, M_LATENCY_P99);
}

/* --- thrash ----------------------------------------------------------------
 */

#define THRASH "scenarios/outages/thrash.yaml"

static void going_down_at_once_thrashes(void)
{
    const char *const as_is[] = {NULL};
    const char *const patient[] = {"nodes[gpu].autoscale.down.window=10 min",
                                   "nodes[gpu].autoscale.target.gpu=50 %",
                                   NULL};
    const char *const fixed[] = {"nodes[gpu].autoscale=off",
                                 "nodes[gpu].start_up=off",
                                 "nodes[gpu].count=13", NULL};
    double thrashing_s, cost;

    if (!run(THRASH, 0, as_is))
        return;
    thrashing_s = p99_s();
    cost = trial_mean(&trial, M_COST_PER_1000);
    CHECK(trial_mean(&trial, M_SCALINGS) > 30);
    CHECK(trial_mean(&trial, M_REVERSALS) > 10);
    run(THRASH, 0, patient);
    CHECK(trial_mean(&trial, M_SCALINGS) < 10);
    CHECK(p99_s() < thrashing_s / 4);
    CHECK(trial_mean(&trial, M_COST_PER_1000) > 1.8 * cost);
    run(THRASH, 0, fixed);
    CHECK(p99_s() < 5);
    CHECK(isnan(trial_mean(&trial, M_SCALINGS)));
}

/* --- deploy ----------------------------------------------------------------
 */

#define DEPLOY "scenarios/outages/deploy.yaml"

static void one_at_a_time_costs_hits_alone(void)
{
    const char *const as_is[] = {NULL};
    const char *const without[] = {"nodes[gpu].rollout=off",
                                   "nodes[gpu].start_up=off",
                                   "nodes[gpu].drain=off", NULL};
    double deployed_s, hits;

    if (!run(DEPLOY, 0, as_is))
        return;
    deployed_s = p99_s();
    hits = trial_mean(&trial, M_RESULT_HIT);
    CHECK_NEAR(trial_mean(&trial, M_SUCCESS), 1, 0);
    CHECK_NEAR(trial_mean(&trial, M_COLD_START), 56, 1e-9); /* 30 + 20 + 6 */
    run(DEPLOY, 0, without);
    CHECK(deployed_s < 1.1 * p99_s());
    CHECK(hits < trial_mean(&trial, M_RESULT_HIT) - 0.02);
}

static void all_at_once_is_an_outage(void)
{
    const char *const all[] = {"nodes[gpu].rollout.at_once=8", NULL};
    const char *const half[] = {"nodes[gpu].rollout.at_once=4", NULL};

    if (!run(DEPLOY, 0, half))
        return;
    CHECK(trial_mean(&trial, M_SUCCESS) > 0.999);
    CHECK(p99_s() > 15);
    run(DEPLOY, 0, all);
    /* 56 s and a drain of some seconds, of 18 minutes that are measured. */
    CHECK_NEAR(trial_mean(&trial, M_SUCCESS), 1 - 56.0 / (18 * 60), 0.01);
    CHECK(trial_mean(&trial, M_ERRORS_NO_NODE) > 20 * 50);
}

/* --- zone_at_night -----------------------------------------------------------
 */

#define NIGHT "scenarios/outages/zone_at_night.yaml"

static void two_nodes_a_zone_are_too_few(void)
{
    const char *const as_is[] = {NULL};
    const char *const calm[] = {"faults=[]", NULL};
    const char *const spare[] = {
        "nodes[zone_a].autoscale.min=4", "nodes[zone_a].count=4",
        "nodes[zone_b].autoscale.min=4", "nodes[zone_b].count=4", NULL};
    double lost_s;

    if (!run(NIGHT, 0, as_is))
        return;
    lost_s = p99_s();
    run(NIGHT, 0, calm);
    CHECK(lost_s > 2 * p99_s());
    run(NIGHT, 0, spare);
    CHECK(lost_s > 2 * p99_s());
}

/* --- capacity_margin
 * ----------------------------------------------------------- */

#define MARGIN "scenarios/articles/capacity_margin.yaml"

static void a_fifth_to_spare_is_one_of_six_nodes(void)
{
    const char *const as_is[] = {NULL};
    const char *const without[] = {"nodes[gpu].count=5", NULL};
    const char *const calm[] = {"nodes[gpu].count=5", "faults=[]", NULL};

    for (uint32_t policy = 0; policy < 2; policy++) {
        if (!run(MARGIN, policy, as_is))
            return;
        CHECK(p99_s() < 4);
        run(MARGIN, policy, without);
        CHECK(p99_s() > 4);
        run(MARGIN, policy, calm);
        CHECK(p99_s() < 4);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"going down at once thrashes", going_down_at_once_thrashes},
        {"one at a time costs hits alone", one_at_a_time_costs_hits_alone},
        {"all at once is an outage", all_at_once_is_an_outage},
        {"two nodes a zone are too few", two_nodes_a_zone_are_too_few},
        {"a fifth to spare is one of six nodes",
         a_fifth_to_spare_is_one_of_six_nodes},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("outages scaling", NULL, NULL, NULL, forget_trial, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
