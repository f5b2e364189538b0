/*
 * What balancers believe of nodes, against what users have reported of real
 * ones: busy nodes taken for dead ones, panic, slow start, dynamic weights.
 */
#include "tests/oracle/harness.h"

/* --- busy is mistaken for dead --- */

/*
 * Four nodes at that load; checks every 5 s, 1 s to answer, three misses eject,
 * one hit readmits.
 */
static void run_busy(struct trial *trial, double load, const char *health)
{
    trial_load(trial,
               "lbsim: 1\n"
               "duration: 1 h\n"
               "seed: 4101\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: %g/s}\n"
               "  work: {dist: exponential, mean: 200 ms}\n"
               "nodes: [{group: n, count: 4}]\n"
               "balancer: {health: {interval: 5 s, healthy_after: 1, %s}}\n"
               "policies: [least_conn]\n",
               20 * load, health);
    trial_run(trial, 2);
}

static double ejections(double load, const char *health)
{
    struct trial trial;
    double mean;

    run_busy(&trial, load, health);
    mean = trial_mean(&trial, M_EJECTIONS);
    trial_done(&trial);
    return mean;
}

/* Checks of their own path see a healthy server at any load. Those that queue
   behind requests see one at 0.6, and do not at 0.95. */
static void checks_behind_requests_take_busy_for_dead(void)
{
    CHECK_NEAR(ejections(0.6, "path: independent"), 0, 0);
    CHECK_NEAR(ejections(0.95, "path: independent"), 0, 0);
    CHECK_NEAR(ejections(0.6, "path: queued"), 0, 0);
    CHECK(ejections(0.95, "path: queued") > 0);
    CHECK(ejections(0.95, "probe: generation, timeout: 1 s") > 0);
}

/* Every one of them was false, and a flap but for each node's first. */
static void all_of_them_are_false(void)
{
    struct trial trial;

    run_busy(&trial, 0.95, "path: queued");
    for (uint32_t i = 0; i < trial.replications; i++) {
        const double *values = trial.results[i].values;

        CHECK_NEAR(values[M_FALSE_EJECTIONS], values[M_EJECTIONS], 0);
        CHECK(values[M_FLAPS] >= 1 && values[M_FLAPS] < values[M_EJECTIONS]);
        CHECK(isnan(values[M_DETECTION]));
    }
    trial_done(&trial);
}

/* 15 s to answer and ten misses, or the rule that who delivers is alive. */
static void patience_takes_the_flaps_away(void)
{
    CHECK_NEAR(ejections(0.95, "path: queued, mode: after_result, timeout: "
                               "15 s, unhealthy_after: 10"),
               0, 0);
    CHECK_NEAR(ejections(0.95, "path: queued, busy_is_alive: true"), 0, 0);
}

/* Killed and loaded anew for 120 s, each node's load falls on the others until
   hardly any is left: at some time one of four is in service at most. */
static void restarts_make_the_pool_fall_like_dominoes(void)
{
    struct trial trial;
    double most_down = 0;

    run_busy(&trial, 0.95, "path: queued, restart_takes: 120 s");
    for (uint32_t i = 0; i < trial.results[0].bucket_count; i++) {
        const struct node_bucket *nodes =
            &trial.results[0].node_buckets[(size_t)4 * i];
        double down = nodes[0].down_ratio + nodes[1].down_ratio +
                      nodes[2].down_ratio + nodes[3].down_ratio;

        most_down = fmax(most_down, down);
    }
    CHECK(most_down >= 3);
    CHECK(trial_mean(&trial, M_CHECK_RESTARTS) > 10);
    CHECK(trial_mean(&trial, M_SUCCESS) < 0.9);
    trial_done(&trial);
    run_busy(&trial, 0.6, "path: queued, restart_takes: 120 s");
    CHECK_NEAR(trial_mean(&trial, M_CHECK_RESTARTS), 0, 0);
    trial_done(&trial);
}

/* --- a node that hangs --- */

/* One of two nodes hangs at 100 s for good; its server goes on answering. */
static void run_hung(struct trial *trial, const char *health)
{
    trial_load(trial,
               "lbsim: 1\n"
               "duration: 600 s\n"
               "seed: 4109\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: 5/s}\n"
               "  work: {dist: constant, value: 100 ms}\n"
               "nodes: [{group: n, count: 2}]\n"
               "balancer: {timeout: {total: 5 s}, health: {%s}}\n"
               "faults: [{kind: hang, target: \"n[1]\", at: 100 s, for: 1 h, "
               "passes: L2}]\n"
               "policies: [round_robin]\n",
               health);
    trial_run(trial, 20);
}

/* Only a token shows that there is no engine behind the endpoint. Every 30 s,
   5 s to answer, three misses: found out after 65 to 95 s, uniformly. */
static void only_a_generation_sees_a_hang(void)
{
    struct trial trial;

    run_hung(&trial, "");
    CHECK_NEAR(trial_mean(&trial, M_EJECTIONS), 0, 0);
    CHECK_NEAR(trial_mean(&trial, M_SUCCESS), 1 - 0.5 * 500 / 600, 0.02);
    trial_done(&trial);
    run_hung(&trial, "generation: {}");
    for (uint32_t i = 0; i < trial.replications; i++) {
        double delay_s = trial.results[i].values[M_DETECTION];

        CHECK(delay_s >= 65 && delay_s <= 95);
        CHECK_NEAR(trial.results[i].values[M_FALSE_EJECTIONS], 0, 0);
    }
    CHECK_NEAR(trial_mean(&trial, M_DETECTION), 80, 8);
    trial_done(&trial);
}

/* A restart cures it: one is enough, and of 500 s about 80 are lost. */
static void restart_cures_a_hang(void)
{
    struct trial trial;

    run_hung(&trial, "generation: {}, restart_takes: 20 s");
    CHECK_NEAR(trial_mean(&trial, M_CHECK_RESTARTS), 1, 0);
    CHECK_NEAR(trial_mean(&trial, M_SUCCESS), 1 - 0.5 * 80 / 600, 0.02);
    trial_done(&trial);
}

/* Who delivers is alive; who hangs does not deliver. */
static void leniency_does_not_hide_a_hang(void)
{
    struct trial trial;

    run_hung(&trial, "generation: {}, busy_is_alive: true");
    CHECK_NEAR(trial_mean(&trial, M_EJECTIONS), 1, 0);
    CHECK_NEAR(trial_mean(&trial, M_DETECTION), 80, 8);
    trial_done(&trial);
}

/* --- panic --- */

/* Three nodes of one request a second each, of which so many are dead from the
   first second on; r is the load of one of them. */
static void run_few(struct trial *trial, unsigned dead, double r,
                    const char *panic)
{
    static const char *const faults[] = {
        "",
        "{kind: crash, target: \"n[1]\", at: 0 s}",
        "{kind: crash, target: \"n[1]\", at: 0 s}, "
        "{kind: crash, target: \"n[2]\", at: 0 s}",
        "{kind: crash, target: \"n[1]\", at: 0 s}, "
        "{kind: crash, target: \"n[2]\", at: 0 s}, "
        "{kind: crash, target: \"n[0]\", at: 0 s}",
    };

    trial_load(trial,
               "lbsim: 1\n"
               "duration: 1000 s\n"
               "warm_up: 30 s\n"
               "seed: 4102\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: %g/s}\n"
               "  work: {dist: exponential, mean: 100 ms}\n"
               "nodes: [{group: n, count: 3}]\n"
               "balancer:\n"
               "  health: {}\n"
               "  panic: %s\n"
               "faults: [%s]\n"
               "policies: [round_robin]\n",
               10 * r, panic, faults[dead]);
    trial_run(trial, 4);
}

/* Two thirds go to nodes that the checks have found dead: a third is answered,
   whatever the load, and the survivor has a third of the traffic. */
static void panic_spares_the_survivor(void)
{
    struct trial trial;

    run_few(&trial, 2, 0.5, "{threshold: 50 %}");
    CHECK_NEAR(trial_mean(&trial, M_SUCCESS), 1.0 / 3, 0.01);
    CHECK_NEAR(trial_mean(&trial, M_PANICS), 1, 0);
    CHECK(trial_mean(&trial, M_PANIC_TIME) >= 1000 - 15);
    trial_done(&trial);

    run_few(&trial, 2, 2, "{threshold: 50 %}");
    CHECK_NEAR(trial_mean(&trial, M_SUCCESS), 1.0 / 3, 0.01);
    CHECK_NEAR(trial.results[0].nodes[0].use_ratio, 0.67, 0.03);
    CHECK(!trial.results[0].unstable);
    trial_done(&trial);
}

/* Without it the survivor has all: enough at half its capacity, at twice its
   queue grows without end. */
static void without_panic_the_survivor_has_all(void)
{
    struct trial trial;

    run_few(&trial, 2, 0.5, "{threshold: 0 %}");
    CHECK_NEAR(trial_mean(&trial, M_SUCCESS), 1, 0);
    CHECK_NEAR(trial_mean(&trial, M_PANICS), 0, 0);
    trial_done(&trial);

    run_few(&trial, 2, 2, "{threshold: 0 %}");
    CHECK_NEAR(trial.results[0].nodes[0].use_ratio, 1, 0.001);
    CHECK(trial.results[0].unstable);
    trial_done(&trial);
}

static void nobody_left_is_an_error_at_once_or_panic(void)
{
    struct trial trial;

    run_few(&trial, 3, 0.5, "{threshold: 0 %}");
    CHECK_NEAR(trial_mean(&trial, M_ERRORS_NO_NODE),
               trial_mean(&trial, M_ARRIVED), 0);
    CHECK_NEAR(trial_mean(&trial, M_TIMED_OUT), 0, 0);
    trial_done(&trial);

    run_few(&trial, 3, 0.5, "{threshold: 50 %}");
    CHECK_NEAR(trial_mean(&trial, M_ERRORS_NO_NODE), 0, 0);
    CHECK_NEAR(trial_mean(&trial, M_ERRORS_REFUSED),
               trial_mean(&trial, M_ARRIVED), 0);
    trial_done(&trial);
}

/* Two choices would shun nodes that are shown to be unhealthy. */
static void panic_hides_doubts_from_policies(void)
{
    struct trial trial;

    run_few(&trial, 2, 0.5, "{threshold: 50 %}");
    trial_done(&trial);
    trial_load(&trial, "lbsim: 1\n"
                       "duration: 1000 s\n"
                       "warm_up: 30 s\n"
                       "seed: 4103\n"
                       "workload:\n"
                       "  arrivals: {process: deterministic, rate: 10/s}\n"
                       "  work: {dist: constant, value: 1 us}\n"
                       "nodes: [{group: n, count: 3}]\n"
                       "balancer: {health: {}, panic: {}}\n"
                       "faults: [{kind: crash, target: \"n[1]\", at: 0 s}, "
                       "{kind: crash, target: \"n[2]\", at: 0 s}]\n"
                       "policies: [two_choices]\n");
    trial_run(&trial, 4);
    CHECK_NEAR(trial_mean(&trial, M_SUCCESS), 1.0 / 3, 0.02);
    trial_done(&trial);
}

/* --- slow start --- */

/* The share in percent of node 3, which is back since 10 s, in 2 s around
   that time after its return; checks see it within 20 ms. */
static double share_of_newcomer(const char *policy, double after_s,
                                const char *slow_start)
{
    struct trial trial;
    double share;

    trial_load(&trial,
               "lbsim: 1\n"
               "duration: %g s\n"
               "warm_up: %g s\n"
               "seed: 4104\n"
               "workload:\n"
               "  arrivals: {process: deterministic, rate: 1000/s}\n"
               "  work: {dist: constant, value: 1 us}\n"
               "nodes: [{group: n, count: 4, engine: {slots: 8}}]\n"
               "balancer:\n"
               "  health: {interval: 20 ms, timeout: 10 ms, unhealthy_after: "
               "1, healthy_after: 1}\n"
               "  slow_start: %s\n"
               "faults: [{kind: crash, target: \"n[3]\", at: 1 s, "
               "restart_after: 69 s}]\n"
               "policies: [%s]\n",
               70 + after_s + 1, 70 + after_s - 1, slow_start, policy);
    trial_run(&trial, 1);
    share = 100 * trial.results[0].nodes[3].share_ratio;
    trial_done(&trial);
    return share;
}

/* max(10 %, (t / 60 s)^(1 / a)) of a weight beside three whole ones. */
static void newcomers_share_grows_with_its_weight(void)
{
    static const double after_s[] = {6, 15, 30, 61};
    static const double plain[] = {3.2, 7.7, 14.3, 25};
    static const double eager[] = {9.5, 14.3, 19.1, 25};

    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(
            share_of_newcomer("smooth_weighted", after_s[i], "{window: 60 s}"),
            plain[i], 1);
        CHECK_NEAR(share_of_newcomer("smooth_weighted", after_s[i],
                                     "{window: 60 s, aggression: 2}"),
                   eager[i], 1);
        CHECK_NEAR(
            share_of_newcomer("least_conn", after_s[i], "{window: 60 s}"),
            plain[i], 1);
    }
}

/* Sixteenths: floor((16 t + 60) / 60), looked at every 3 s. At 30 s 9 of 16,
   9 / 57 of all; in the first 3 s 1 of 16: 1 / 49, but never nothing. */
static void newcomers_share_grows_by_sixteenths(void)
{
    CHECK_NEAR(share_of_newcomer("smooth_weighted", 1.5,
                                 "{rule: haproxy, window: 60 s}"),
               100.0 / 49, 0.2);
    CHECK_NEAR(share_of_newcomer("smooth_weighted", 31.5,
                                 "{rule: haproxy, window: 60 s}"),
               100.0 * 9 / 57, 0.2);
    CHECK_NEAR(share_of_newcomer("smooth_weighted", 62,
                                 "{rule: haproxy, window: 60 s}"),
               25, 0.2);
}

/* When all are new, all have the same share from the first second on. */
static void all_new_share_alike(void)
{
    struct trial trial;

    trial_load(&trial, "lbsim: 1\n"
                       "duration: 1 s\n"
                       "seed: 4105\n"
                       "workload:\n"
                       "  arrivals: {process: deterministic, rate: 1000/s}\n"
                       "  work: {dist: constant, value: 1 us}\n"
                       "nodes: [{group: n, count: 4}]\n"
                       "balancer: {health: {}, slow_start: {window: 60 s}}\n"
                       "policies: [smooth_weighted]\n");
    trial_run(&trial, 1);
    for (int i = 0; i < 4; i++)
        CHECK_NEAR(trial.results[0].nodes[i].share_ratio, 0.25, 0.002);
    CHECK_NEAR(trial_mean(&trial, M_SLOW_STARTS), 4, 0);
    trial_done(&trial);
}

/* HAProxy lets nobody begin slowly that was there from the start, but those
   that an autoscaler brings: 60 requests a second of 0.1 s at 50 % use want 12
   nodes, 4 more than there are. */
static void newcomers_of_an_autoscaler_begin_slowly(void)
{
    static const char *const scale[] = {
        ", autoscale: {max: 16, target: {gpu: 50 %}}", ""};

    for (int i = 0; i < 2; i++) {
        struct trial trial;
        double begun;

        trial_load(&trial,
                   "lbsim: 1\n"
                   "duration: 10 min\n"
                   "seed: 4110\n"
                   "workload:\n"
                   "  arrivals: {process: poisson, rate: 60/s}\n"
                   "  work: {dist: exponential, mean: 100 ms}\n"
                   "nodes: [{group: n, count: 8%s}]\n"
                   "balancer: {health: {}, slow_start: {rule: haproxy, window: "
                   "60 s}}\n"
                   "policies: [smooth_weighted]\n",
                   scale[i]);
        trial_run(&trial, 1);
        begun = trial_mean(&trial, M_SLOW_STARTS);
        CHECK(i == 0 ? begun >= 4 : begun == 0);
        trial_done(&trial);
    }
}

/* --- dynamic weights --- */

/* Two idle nodes of weights 3 and 1 climb to twice that, 3 + 1 steps of one:
   no more changes. A saturated pair falls to 1 and stays: 3, 1 by one step. */
static void weights_end_at_their_bounds(void)
{
    static const char text[] =
        "lbsim: 1\n"
        "duration: 200 s\n"
        "drain: 1 s\n"
        "seed: 4106\n"
        "workload:\n"
        "  arrivals: {process: deterministic, rate: %s}\n"
        "  work: {dist: constant, value: 100 ms}\n"
        "nodes: [{group: a, count: 1, weight: 3}, {group: b, count: 1}]\n"
        "balancer: {report_interval: 1 s, dynamic_weights: {}}\n"
        "policies: [smooth_weighted]\n";
    struct trial trial;

    trial_load(&trial, text, "0.1/s");
    trial_run(&trial, 1);
    CHECK_NEAR(trial_mean(&trial, M_WEIGHT_CHANGES), 3 + 1, 0);
    trial_done(&trial);
    trial_load(&trial, text, "100/s");
    trial_run(&trial, 1);
    CHECK_NEAR(trial_mean(&trial, M_WEIGHT_CHANGES), 1, 0);
    trial_done(&trial);
}

/* A word is acted upon once: nodes report at 0, 50 and 100 s, so of twenty
   looks three find something new. */
static void old_words_change_nothing(void)
{
    struct trial trial;

    trial_load(&trial, "lbsim: 1\n"
                       "duration: 101 s\n"
                       "seed: 4107\n"
                       "workload:\n"
                       "  arrivals: {process: deterministic, rate: 0.1/s}\n"
                       "  work: {dist: constant, value: 100 ms}\n"
                       "nodes: [{group: a, count: 1, weight: 30}]\n"
                       "balancer: {report_interval: 50 s, report_phase: same, "
                       "dynamic_weights: {}}\n"
                       "policies: [smooth_weighted]\n");
    trial_run(&trial, 1);
    CHECK_NEAR(trial_mean(&trial, M_WEIGHT_CHANGES), 3, 0);
    trial_done(&trial);
}

/*
 * Weight 1 with an agent: at 50 % use the product is cut to 0, the node drains,
 * idles, and says 100 % again. Always fresh words, every 2 s: alone in its pool
 * it turns traffic away half of the time and more.
 */
static void agents_drain_light_nodes(void)
{
    struct trial trial;

    trial_load(&trial, "lbsim: 1\n"
                       "duration: 400 s\n"
                       "seed: 4108\n"
                       "workload:\n"
                       "  arrivals: {process: deterministic, rate: 5/s}\n"
                       "  work: {dist: constant, value: 100 ms}\n"
                       "nodes: [{group: a, count: 1}]\n"
                       "balancer: {report_interval: 1 s, dynamic_weights: "
                       "{rule: haproxy_agent}}\n"
                       "policies: [smooth_weighted]\n");
    trial_run(&trial, 1);
    CHECK(trial_mean(&trial, M_WEIGHT_CHANGES) > 100);
    CHECK_NEAR(trial_mean(&trial, M_SUCCESS), 0.5, 0.1);
    CHECK_NEAR(trial_mean(&trial, M_ERRORS_NO_NODE),
               trial_mean(&trial, M_FAILED), 0);
    trial_done(&trial);
}

int main(int argc, char **argv)
{
    CU_TestInfo busy[] = {
        {"checks behind requests take busy for dead",
         checks_behind_requests_take_busy_for_dead},
        {"all of them are false", all_of_them_are_false},
        {"patience takes the flaps away", patience_takes_the_flaps_away},
        {"restarts make the pool fall like dominoes",
         restarts_make_the_pool_fall_like_dominoes},
        {"only a generation sees a hang", only_a_generation_sees_a_hang},
        {"a restart cures a hang", restart_cures_a_hang},
        {"leniency does not hide a hang", leniency_does_not_hide_a_hang},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo panic[] = {
        {"panic spares the survivor", panic_spares_the_survivor},
        {"without panic the survivor has all",
         without_panic_the_survivor_has_all},
        {"nobody left is an error at once, or panic",
         nobody_left_is_an_error_at_once_or_panic},
        {"panic hides doubts from policies", panic_hides_doubts_from_policies},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo weights[] = {
        {"a newcomer's share grows with its weight",
         newcomers_share_grows_with_its_weight},
        {"a newcomer's share grows by sixteenths",
         newcomers_share_grows_by_sixteenths},
        {"all new share alike", all_new_share_alike},
        {"newcomers of an autoscaler begin slowly",
         newcomers_of_an_autoscaler_begin_slowly},
        {"weights end at their bounds", weights_end_at_their_bounds},
        {"old words change nothing", old_words_change_nothing},
        {"agents drain light nodes", agents_drain_light_nodes},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("beliefs_busy", NULL, NULL, NULL, NULL, busy),
        SUITE("beliefs_panic", NULL, NULL, NULL, NULL, panic),
        SUITE("beliefs_weights", NULL, NULL, NULL, NULL, weights),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
