/*
 * The scenarios about beliefs: what each says at its head is what comes out.
 * The bounds are theirs, in words made numbers; what the comments call
 * arithmetic is worked out from the scenario alone.
 */
#include "tests/oracle/harness.h"

static struct trial trial;

static void open_scenario(const char *path, uint32_t policy, const char *change)
{
    const char *const overrides[] = {change, NULL};

    trial_open(&trial, path, overrides);
    trial.policy_index = policy;
    trial_run(&trial, 5);
}

/* --- outages/busy_or_dead.yaml --- */

#define BUSY "scenarios/outages/busy_or_dead.yaml"

static void busy_nodes_are_taken_for_dead(void)
{
    for (uint32_t policy = 0; policy < 3; policy++) {
        double lost;

        open_scenario(BUSY, policy, NULL);
        lost = trial_mean(&trial, M_ERRORS_NO_NODE) /
               trial_mean(&trial, M_ARRIVED);
        CHECK(trial_mean(&trial, M_FALSE_EJECTIONS) > 100);
        CHECK_NEAR(trial_mean(&trial, M_FALSE_EJECTIONS),
                   trial_mean(&trial, M_EJECTIONS), 0);
        CHECK(lost > 0.01 && lost < 0.03);
        trial_done(&trial);
    }
}

static void they_are_not_when_checks_see_better(void)
{
    static const char *const changes[] = {
        "balancer.health.path=independent",
        "workload.arrivals.rate=12/s",
    };

    for (int i = 0; i < 2; i++) {
        open_scenario(BUSY, 0, changes[i]);
        CHECK_NEAR(trial_mean(&trial, M_EJECTIONS), 0, 0);
        CHECK(trial_mean(&trial, M_LATENCY_ALL_P99) < 6);
        trial_done(&trial);
    }
    open_scenario(BUSY, 0, "balancer.health.busy_is_alive=true");
    CHECK_NEAR(trial_mean(&trial, M_EJECTIONS), 0, 0);
    CHECK(trial_mean(&trial, M_LATENCY_ALL_P99) < 6);
    trial_done(&trial);
}

/* --- outages/green_and_hung.yaml --- */

#define HUNG "scenarios/outages/green_and_hung.yaml"

static void a_token_tells_that_the_engine_hangs(void)
{
    open_scenario(HUNG, 0, NULL);
    CHECK_NEAR(trial_mean(&trial, M_DETECTION), 80, 15);
    CHECK_NEAR(trial_mean(&trial, M_CHECK_RESTARTS), 1, 0);
    CHECK_NEAR(trial_mean(&trial, M_SUCCESS), 1 - 0.25 * 80 / 1740, 0.005);
    trial_done(&trial);
    open_scenario(HUNG, 2, NULL);
    CHECK(trial_mean(&trial, M_SUCCESS) > 0.997);
    trial_done(&trial);
    open_scenario(HUNG, 0, "balancer.health.generation=off");
    CHECK_NEAR(trial_mean(&trial, M_EJECTIONS), 0, 0);
    CHECK_NEAR(trial_mean(&trial, M_SUCCESS), 1 - 0.25 * 1200 / 1740, 0.01);
    trial_done(&trial);
}

/* --- outages/panic.yaml --- */

#define PANIC "scenarios/outages/panic.yaml"

/* Two of three, for 10 of 19 minutes: 35 % fail. The panic begins when the
   second node is found dead and ends when the first is back: 600 s, less 10 to
   15 until then, and 5 to 10 more. */
static void panic_fails_a_third_and_spares_the_rest(void)
{
    open_scenario(PANIC, 0, NULL);
    CHECK_NEAR(trial_mean(&trial, M_SUCCESS), 1 - 10.0 / 19 * 2 / 3, 0.01);
    CHECK_NEAR(trial_mean(&trial, M_PANICS), 1, 0);
    CHECK_NEAR(trial_mean(&trial, M_PANIC_TIME), 595, 6);
    CHECK(trial_mean(&trial, M_LATENCY_P99) < 2);
    trial_done(&trial);
    open_scenario(PANIC, 1, NULL);
    CHECK(trial_mean(&trial, M_SUCCESS) < 0.62);
    trial_done(&trial);
}

/* The survivor does 10 of 20 requests a second: half time out, after waiting
   for nearly 10 s. */
static void without_panic_all_wait_for_the_one(void)
{
    open_scenario(PANIC, 0, "balancer.panic=off");
    CHECK_NEAR(trial_mean(&trial, M_SUCCESS), 1 - 10.0 / 19 / 2, 0.02);
    CHECK(trial_mean(&trial, M_LATENCY_P90) > 9);
    trial_done(&trial);
}

/* --- articles/warm_up.yaml --- */

static void slow_start_spares_the_cold_node(void)
{
    double p99_s;

    open_scenario("scenarios/articles/warm_up.yaml", 0, NULL);
    p99_s = trial_mean(&trial, M_LATENCY_ALL_P99);
    CHECK(p99_s < 2.5);
    trial_done(&trial);
    open_scenario("scenarios/articles/warm_up.yaml", 0,
                  "balancer.slow_start=off");
    CHECK(trial_mean(&trial, M_LATENCY_ALL_P99) > 2 * p99_s);
    trial_done(&trial);
}

static void who_sees_queues_needs_none(void)
{
    double p99_s;

    open_scenario("scenarios/articles/warm_up.yaml", 1, NULL);
    p99_s = trial_mean(&trial, M_LATENCY_ALL_P99);
    trial_done(&trial);
    open_scenario("scenarios/articles/warm_up.yaml", 1,
                  "balancer.slow_start=off");
    CHECK_NEAR(trial_mean(&trial, M_LATENCY_ALL_P99), p99_s, 0.1 * p99_s);
    trial_done(&trial);
}

/* --- articles/dynamic_weights.yaml --- */

#define WEIGHTS "scenarios/articles/dynamic_weights.yaml"

static void weights_find_the_shares(void)
{
    open_scenario(WEIGHTS, 0, "balancer.dynamic_weights=off");
    CHECK(trial_mean(&trial, M_SUCCESS) < 0.99);
    trial_done(&trial);
    open_scenario(WEIGHTS, 0, NULL);
    CHECK_NEAR(trial_mean(&trial, M_SUCCESS), 1, 0);
    CHECK(trial_mean(&trial, M_LATENCY_ALL_P99) < 4);
    CHECK(trial_mean(&trial, M_BALANCE_CV) < 0.1);
    trial_done(&trial);
}

static void old_reports_make_them_swing(void)
{
    double fresh_cv, fresh_p99_s;

    open_scenario(WEIGHTS, 0, NULL);
    fresh_cv = trial_mean(&trial, M_BALANCE_WINDOW_CV);
    fresh_p99_s = trial_mean(&trial, M_LATENCY_ALL_P99);
    trial_done(&trial);
    open_scenario(WEIGHTS, 0, "balancer.report_delay=40s");
    CHECK(trial_mean(&trial, M_BALANCE_WINDOW_CV) > 1.8 * fresh_cv);
    CHECK(trial_mean(&trial, M_LATENCY_ALL_P99) > 1.7 * fresh_p99_s);
    trial_done(&trial);
}

static void busy_pools_forget(void)
{
    open_scenario(WEIGHTS, 0, "workload.arrivals.rate=28/s");
    CHECK(trial_mean(&trial, M_BALANCE_CV) > 0.25);
    CHECK(trial_mean(&trial, M_LATENCY_P99) > 20);
    trial_done(&trial);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"busy nodes are taken for dead", busy_nodes_are_taken_for_dead},
        {"they are not when checks see better",
         they_are_not_when_checks_see_better},
        {"a token tells that the engine hangs",
         a_token_tells_that_the_engine_hangs},
        {"panic fails a third and spares the rest",
         panic_fails_a_third_and_spares_the_rest},
        {"without panic all wait for the one",
         without_panic_all_wait_for_the_one},
        {"slow start spares the cold node", slow_start_spares_the_cold_node},
        {"who sees queues needs none", who_sees_queues_needs_none},
        {"weights find the shares", weights_find_the_shares},
        {"old reports make them swing", old_reports_make_them_swing},
        {"busy pools forget", busy_pools_forget},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("belief_scenarios", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
