/*
 * What balancers learn from traffic, in whole runs whose courses can be worked
 * out by hand: arrivals at equal gaps, needs that do not vary, nodes that die
 * for so short a time that it costs a known number of requests.
 */
#include "tests/oracle/harness.h"

#include <math.h>

static struct trial trial;

static void forget_trial(void)
{
    trial_done(&trial);
}

static double value(enum measure_id measure)
{
    return trial.replications > 0 ? trial.results[0].values[measure]
                                  : (double)NAN;
}

/* --- one error each and the whole pool is gone ----------------------------
   nginx's defaults, 50 requests/s by turns, and one error on each of two nodes,
   at 5.02 and 5.10 s. With a fine clock the first is tried from 15.021 s on,
   so every request from 5.12 to 15.02 s finds no node: 496. With nginx's own
   clock both failed in second 5 and are out through second 15: from 5.12 to
   15.98 s, 544. The trial is the request at 16 s. */

static void run_pair(const char *max_fails, uint32_t nodes)
{
    trial_load(&trial,
               "lbsim: 1\n"
               "duration: 30 s\n"
               "workload:\n"
               "  arrivals: {process: deterministic, rate: 50/s}\n"
               "  work: {dist: constant, value: 1 ms}\n"
               "nodes: [{group: n, count: %u, engine: {slots: 4}}]\n"
               "balancer: {max_fails: %s}\n"
               "faults:\n"
               "  - {kind: crash, target: \"n[0]\", at: %s,"
               " restart_after: %s}\n"
               "%s"
               "policies: [round_robin]\n",
               nodes, max_fails, nodes == 2 ? "4.99 s" : "5.01 s",
               nodes == 2 ? "40 ms" : "20 ms",
               nodes == 2 ? "  - {kind: crash, target: \"n[1]\", at: 5.09 s,"
                            " restart_after: 20 ms}\n"
                          : "");
    trial_run(&trial, 1);
}

static void one_error_each_empties_the_pool(void)
{
    run_pair("{clock: 1 ms}", 2);
    CHECK_NEAR(value(M_ERRORS_REFUSED), 2, 0);
    CHECK_NEAR(value(M_ERRORS_NO_NODE), 496, 0);
    CHECK_NEAR(value(M_MAX_FAILS_EJECTIONS), 2, 0);
    CHECK_NEAR(value(M_MAX_FAILS_TRIALS), 2, 0);
    CHECK_NEAR(value(M_EJECTION_RETURNS), 2, 0);
    trial_done(&trial);
    run_pair("{}", 2);
    CHECK_NEAR(value(M_ERRORS_NO_NODE), 544, 0);
}

/* Each is out for 10.001 s from its failure on, and for the 1 ms that its trial
   takes. */
static void times_out_are_told(void)
{
    run_pair("{clock: 1 ms}", 2);
    CHECK_NEAR(value(M_EJECTED), 10.002 / 30, 1e-9);
    CHECK_NEAR(trial.results[0].nodes[0].ejected_ratio, 10.002 / 30, 1e-9);
}

/* Three failures are allowed: two errors are all that is lost. */
static void three_failures_allowed_lose_nothing(void)
{
    run_pair("{fails: 3}", 2);
    CHECK_NEAR(value(M_ERRORS_NO_NODE), 0, 0);
    CHECK_NEAR(value(M_MAX_FAILS_EJECTIONS), 0, 0);
    CHECK(value(M_FAILED) <= 2);
}

static void lone_node_is_never_out(void)
{
    run_pair("{}", 1);
    CHECK_NEAR(value(M_FAILED), 1, 0);
    CHECK_NEAR(value(M_EJECTED), 0, 0);
}

/* --- the ejection cap rounds to zero or overshoots -------------------------
   All of n nodes fail from the first request on. Ejected are floor(cap * n),
   with always_eject_one_host at least one; the rest stays, over the cap. */

static void run_dying(uint32_t nodes, uint32_t percent, const char *more)
{
    char faults[1000] = "";

    for (uint32_t i = 0; i < nodes; i++) {
        size_t used = strlen(faults);

        snprintf(faults + used, sizeof faults - used,
                 "  - {kind: crash, target: \"n[%u]\", at: 0 s}\n", i);
    }
    trial_load(&trial,
               "lbsim: 1\n"
               "duration: 9 s\n"
               "workload:\n"
               "  arrivals: {process: deterministic, rate: 100/s}\n"
               "  work: {dist: constant, value: 1 ms}\n"
               "nodes: [{group: n, count: %u}]\n"
               "balancer: {outlier: {max_ejection_percent: %u %%%s}}\n"
               "faults:\n%s"
               "policies: [round_robin]\n",
               nodes, percent, more, faults);
    trial_run(&trial, 1);
}

static void cap_is_rounded_down(void)
{
    static const uint32_t percents[] = {10, 34, 50, 100};

    for (uint32_t nodes = 1; nodes <= 10; nodes++)
        for (uint32_t i = 0; i < 4; i++)
            for (uint32_t flag = 0; flag < 2; flag++) {
                uint32_t ejected = percents[i] * nodes / 100;

                run_dying(nodes, percents[i],
                          flag ? ", always_eject_one_host: true" : "");
                if (flag && ejected == 0)
                    ejected = 1;
                CHECK_NEAR(value(M_OUTLIER_EJECTIONS), ejected, 0);
                CHECK_NEAR(value(M_OUTLIER_EJECTIONS), value(M_OUTLIER_5XX), 0);
                trial_done(&trial);
            }
}

/* A pool of one that is out answers nobody: five requests fail at the node, all
   others at the door. */
static void last_node_may_go(void)
{
    run_dying(1, 100, "");
    CHECK_NEAR(value(M_ERRORS_REFUSED), 5, 0);
    CHECK_NEAR(value(M_ERRORS_NO_NODE), value(M_ARRIVED) - 5, 0);
}

/* --- a node that is slow, and answers ---------------------------------------
   Ten nodes, one of a tenth of the speed. Nothing fails, so only its latency
   tells: first tokens after 100 ms and not 10. It is ejected at the tick at
   which 50 of its answers are known: of 100 requests/s by turns it gets one
   each 100 ms, so the first 50 are there after 5 s, and the tick is at 10 s.
   Then for 30 s it gets nothing: at 40 s it returns, at 50 s it has had 50
   answers again and goes for 60 s. */

static void run_slow(const char *outlier)
{
    trial_load(
        &trial,
        "lbsim: 1\n"
        "duration: 60 s\n"
        "workload:\n"
        "  arrivals: {process: deterministic, rate: 100/s}\n"
        "  input_tokens: {dist: constant, value: 10}\n"
        "  output_tokens: {dist: constant, value: 1}\n"
        "defaults: {engine: {slots: 8, service: {per_input_token: 1 ms}}}\n"
        "nodes:\n"
        "  - {group: fast, count: 9}\n"
        "  - {group: slow, count: 1, engine: {speed: 0.1}}\n"
        "balancer: {outlier: %s}\n"
        "policies: [round_robin]\n",
        outlier);
    trial_run(&trial, 1);
}

static void slow_node_is_found_by_its_latency(void)
{
    run_slow("{latency: {}}");
    CHECK_NEAR(value(M_OUTLIER_LATENCY), 2, 0);
    CHECK_NEAR(value(M_OUTLIER_EJECTIONS), 2, 0);
    CHECK_NEAR(value(M_EJECTION_RETURNS), 1, 0);
    CHECK_NEAR(value(M_EJECTION_FLAPS), 1, 0); /* out again after 10 s */
    CHECK_NEAR(trial.results[0].nodes[9].ejected_ratio, 40.0 / 60, 1e-9);
    trial_done(&trial);
    run_slow("{}");
    CHECK_NEAR(value(M_OUTLIER_EJECTIONS), 0, 0);
}

/* 100 ms are less than 11 times 10. What is not enforced is found at each tick,
   from 10 to 60 s. */
static void latencies_below_the_ratio_stay(void)
{
    run_slow("{latency: {ratio: 11}}");
    CHECK_NEAR(value(M_OUTLIER_EJECTIONS), 0, 0);
    trial_done(&trial);
    run_slow("{latency: {enforcing: 0 %}}");
    CHECK_NEAR(value(M_OUTLIER_EJECTIONS), 0, 0);
    CHECK_NEAR(value(M_OUTLIER_NOT_ENFORCED), 6, 0);
}

/* --- a circuit breaker -------------------------------------------------------
   Two nodes by turns, 20 requests/s; one is dead from 10.01 s to the end. Its
   requests come every 100 ms, ten of a window of 10 s are good until half of it
   has failed: of 100 requests in the window 50 failed about 5 s later. Then it
   is open for 30 s, a trial fails, 60 s, a trial, 120 s. */

static void breaker_opens_for_longer_and_longer(void)
{
    trial_load(&trial,
               "lbsim: 1\n"
               "duration: 200 s\n"
               "workload:\n"
               "  arrivals: {process: deterministic, rate: 20/s}\n"
               "  work: {dist: constant, value: 1 ms}\n"
               "nodes: [{group: n, count: 2}]\n"
               "balancer: {breaker: {}}\n"
               "faults: [{kind: crash, target: \"n[1]\", at: 10.01 s}]\n"
               "policies: [round_robin]\n");
    trial_run(&trial, 1);
    CHECK_NEAR(value(M_BREAKER_OPENS), 3, 0); /* at 15, 45 and 105 s */
    CHECK_NEAR(value(M_BREAKER_FALSE_OPENS), 0, 0);
    CHECK_NEAR(value(M_BREAKER_TRIALS), 2, 0); /* each fails at once */
    /* The window forgets a tenth of it at a time: 45 to 50 failures open it. */
    CHECK(value(M_ERRORS_REFUSED) >= 47 && value(M_ERRORS_REFUSED) <= 52);
}

/* --- breakers of models
   ------------------------------------------------------- Node 0 has both
   models and dies; nodes 1 and 2 have one each. 20 requests/s by turns, half
   for each model. Both breakers of node 0 open, but each by its own ten
   requests; then every request has the node of its model, and only that. */

static void breakers_are_of_models(void)
{
    const struct node_result *nodes;

    trial_load(&trial,
               "lbsim: 1\n"
               "duration: 60 s\n"
               "workload:\n"
               "  arrivals: {process: deterministic, rate: 20/s}\n"
               "  work: {dist: constant, value: 1 ms}\n"
               "  classes:\n"
               "    - {name: talk, share: 50 %%, model: chat}\n"
               "    - {name: file, share: 50 %%, model: light}\n"
               "nodes:\n"
               "  - {group: both, count: 1, models: [chat, light]}\n"
               "  - {group: chat, count: 1, models: [chat]}\n"
               "  - {group: light, count: 1, models: [light]}\n"
               "balancer: {breaker: {request_volume: 4}}\n"
               "routing: {table: {talk: [{model: chat}],"
               " file: [{model: light}]}}\n"
               "faults: [{kind: crash, target: \"both[0]\", at: 30.01 s}]\n"
               "policies: [round_robin]\n");
    if (!trial_run(&trial, 1))
        return;
    nodes = trial.results[0].nodes;
    CHECK_NEAR(value(M_BREAKER_OPENS), 2, 0);
    CHECK_NEAR(value(M_ERRORS_NO_NODE), 0, 0);
    CHECK_NEAR(value(M_ERRORS_NO_MODEL), 0, 0);
    /* Of 5/s in 10 s half has failed after 5 s: 25 of each, or 10 % fewer. */
    CHECK(value(M_ERRORS_REFUSED) >= 44 && value(M_ERRORS_REFUSED) <= 52);
    CHECK_NEAR((double)(nodes[1].attempts + nodes[2].attempts) +
                   (double)nodes[0].attempts,
               value(M_ARRIVED), 0);
    CHECK(nodes[0].ejected_ratio > 0.3 && nodes[0].ejected_ratio < 0.5);
}

/* --- several balancers, retries, a network
   ------------------------------------ Four balancers share the traffic of
   three nodes, one of which dies for good at 20 s, 10 ms away. Each has to
   learn by itself: four ejections within the first interval, and every failed
   attempt is tried elsewhere, so nothing fails. */

static void balancers_learn_by_themselves(void)
{
    trial_load(&trial, "lbsim: 1\n"
                       "duration: 50 s\n"
                       "workload:\n"
                       "  arrivals: {process: poisson, rate: 200/s}\n"
                       "  work: {dist: exponential, mean: 5 ms}\n"
                       "nodes: [{group: n, count: 3, engine: {slots: 2}}]\n"
                       "balancer:\n"
                       "  count: 4\n"
                       "  network_delay: 10 ms\n"
                       "  retry: {attempts: 2}\n"
                       "  outlier: {max_ejection_percent: 34 %%}\n"
                       "faults: [{kind: crash, target: \"n[0]\", at: 20 s}]\n"
                       "policies: [least_conn]\n");
    trial_run(&trial, 5);
    for (uint32_t i = 0; i < trial.replications; i++) {
        const struct run_result *result = &trial.results[i];

        CHECK_NEAR(result->values[M_OUTLIER_EJECTIONS], 4, 0);
        CHECK_NEAR(result->values[M_FAILED], 0, 0);
        CHECK(result->values[M_ERRORS_REFUSED] +
                  result->values[M_ERRORS_RESET] >=
              20);
        /* Out from a moment after 20 s to the end of 50 s. */
        CHECK_NEAR(result->nodes[0].ejected_ratio, 0.6, 0.02);
    }
}

/* --- panic
   ----------------------------------------------------------------------- Two
   of three nodes are dead; 9 requests/s by turns, a node can do 20. Ejections
   count like failed checks: with two out a third is held healthy, less than
   half, so the balancer panics and two of three requests fail, for as long as
   the two are out. Without panic the survivor takes all, but for five failures
   of each ejection. */

static void run_two_dead(const char *panic)
{
    trial_load(&trial,
               "lbsim: 1\n"
               "duration: 10 min\n"
               "workload:\n"
               "  arrivals: {process: deterministic, rate: 9/s}\n"
               "  work: {dist: constant, value: 50 ms}\n"
               "nodes: [{group: n, count: 3}]\n"
               "balancer:\n"
               "  outlier: {max_ejection_percent: 100 %%}\n"
               "  panic: %s\n"
               "faults:\n"
               "  - {kind: crash, target: \"n[0]\", at: 0 s}\n"
               "  - {kind: crash, target: \"n[1]\", at: 0 s}\n"
               "policies: [round_robin]\n",
               panic);
    trial_run(&trial, 1);
}

static void ejections_count_for_panic(void)
{
    run_two_dead("{threshold: 50 %}");
    CHECK_NEAR(value(M_SUCCESS), 1.0 / 3, 0.01);
    CHECK(value(M_PANICS) >= 1);
    CHECK_NEAR(value(M_ERRORS_NO_NODE), 0, 0);
    trial_done(&trial);
    run_two_dead("off");
    /* 30 + 60 + 90 + 120 + 150 s are 450: the sixth of each is the last. */
    CHECK_NEAR(value(M_OUTLIER_EJECTIONS), 12, 0);
    CHECK_NEAR(value(M_FAILED), 12 * 5, 0);
}

/* --- observe
   ---------------------------------------------------------------------
   HAProxy's checks once a minute, rise 2 and fall 3; one of two nodes dies at
   130.01 s and gets 5 requests/s. A check has passed before, so its counter is
   at the top, 4. With a limit of 2: marked down, two requests fail; failed
   checks, six (4 to 3, 2, 0). Sudden death leaves it at 2, and one failed check
   more is its end: the next comes within a minute, or one second with
   fastinter. */

static void run_observed(const char *observe, const char *health)
{
    trial_load(&trial,
               "lbsim: 1\n"
               "duration: 200 s\n"
               "seed: 5\n"
               "workload:\n"
               "  arrivals: {process: deterministic, rate: 10/s}\n"
               "  work: {dist: constant, value: 10 ms}\n"
               "nodes: [{group: n, count: 2}]\n"
               "balancer:\n"
               "  health: {rule: haproxy, interval: 60 s, timeout: 1 s%s}\n"
               "  observe: {error_limit: 2%s}\n"
               "faults: [{kind: crash, target: \"n[1]\", at: 130.01 s}]\n"
               "policies: [round_robin]\n",
               health, observe);
    trial_run(&trial, 1);
}

static void errors_take_a_node_down(void)
{
    run_observed(", on_error: mark_down", "");
    CHECK_NEAR(value(M_ERRORS_REFUSED), 2, 0);
    CHECK_NEAR(value(M_OBSERVE_ACTIONS), 1, 0);
    CHECK_NEAR(value(M_EJECTIONS), 1, 0);
    trial_done(&trial);
    run_observed("", ""); /* fail_check */
    CHECK_NEAR(value(M_ERRORS_REFUSED), 6, 0);
    CHECK_NEAR(value(M_OBSERVE_ACTIONS), 3, 0);
    CHECK_NEAR(value(M_EJECTIONS), 1, 0);
}

static void sudden_death_waits_for_one_more(void)
{
    run_observed(", on_error: sudden_death", ", fastinter: 1 s");
    CHECK_NEAR(value(M_EJECTIONS), 1, 0);
    /* At 2 after two errors; two more errors are another failure. */
    CHECK(value(M_ERRORS_REFUSED) > 2 && value(M_ERRORS_REFUSED) <= 4);
    trial_done(&trial);
    /* Checks alone, each a second after the other: 3 fail, of which the first
       comes a second after the second error, at the latest. */
    run_observed(", on_error: fastinter", ", fastinter: 1 s");
    CHECK_NEAR(value(M_EJECTIONS), 1, 0);
    CHECK(value(M_ERRORS_REFUSED) > 10 && value(M_ERRORS_REFUSED) <= 18);
    trial_done(&trial);
    run_observed(", on_error: fastinter", ""); /* the interval is no faster */
    CHECK(value(M_ERRORS_REFUSED) > 100);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"one error each empties the pool", one_error_each_empties_the_pool},
        {"times out are told", times_out_are_told},
        {"three failures allowed lose nothing",
         three_failures_allowed_lose_nothing},
        {"a lone node is never out", lone_node_is_never_out},
        {"the cap is rounded down", cap_is_rounded_down},
        {"the last node may go", last_node_may_go},
        {"a slow node is found by its latency",
         slow_node_is_found_by_its_latency},
        {"latencies below the ratio stay", latencies_below_the_ratio_stay},
        {"a breaker opens for longer and longer",
         breaker_opens_for_longer_and_longer},
        {"breakers are of models", breakers_are_of_models},
        {"balancers learn by themselves", balancers_learn_by_themselves},
        {"ejections count for panic", ejections_count_for_panic},
        {"errors take a node down", errors_take_a_node_down},
        {"sudden death waits for one more", sudden_death_waits_for_one_more},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("passive", NULL, NULL, NULL, forget_trial, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
