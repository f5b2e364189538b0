/*
 * Agents of HAProxy in whole runs, counted by hand: two nodes of weight 100
 * under smooth_weighted, ten requests a second of 10 ms each for 100 s, at 0.1,
 * 0.2 ... 99.9 s. Balancers ask at 2, 4 ... s; at an even time the request of
 * that moment may come before or after.
 */
#include "tests/oracle/harness.h"

static void run(struct trial *trial, const char *agent, const char *more)
{
    trial_load(trial,
               "lbsim: 1\n"
               "duration: 100 s\n"
               "drain: 1 s\n"
               "seed: 4201\n"
               "workload:\n"
               "  arrivals: {process: deterministic, rate: 10/s}\n"
               "  work: {dist: constant, value: 10 ms}\n"
               "nodes: [{group: a, count: 2, weight: 100}]\n"
               "balancer:\n"
               "  agent: {%s}\n"
               "%s\n"
               "policies: [smooth_weighted]\n",
               agent, more);
    trial_run(trial, 1);
}

/* How many requests the first node answers. */
static double served(const char *agent, const char *more)
{
    struct trial trial;
    double count;

    run(&trial, agent, more);
    count = (double)trial.results[0].nodes[0].completed;
    trial_done(&trial);
    return count;
}

/* A third of 20 s' requests at 50 %, none while it drains, half at other times
   but for the last 20 s, in which the other node is down: 100 + 66.7 + 0 + 100
   + 200. 'ready' takes drain back, and not the 50 %, which 100 % does. */
static void words_do_what_they_say_when_balancers_ask(void)
{
    static const char says[] =
        "says: ["
        "{target: \"a[0]\", at: 20 s, words: \"50%\"}, "
        "{target: \"a[0]\", at: 40 s, words: drain}, "
        "{target: \"a[0]\", at: 60 s, words: \"ready, 100%\"}, "
        "{target: \"a[1]\", at: 79 s, words: down}]";

    CHECK_NEAR(served(says, ""), 466.7, 2);
}

/* 100, a third of 400 after 'maint' has come and gone in a moment that nobody
   asked in, and half of the last 400: 'ready' says nothing of weights. */
static void what_is_not_said_stays(void)
{
    static const char says[] =
        "says: ["
        "{target: \"a[0]\", at: 20 s, words: \"50%\"}, "
        "{target: \"a[0]\", at: 30.5 s, words: maint}, "
        "{target: \"a[0]\", at: 31 s, words: ready}, "
        "{target: \"a[0]\", at: 60 s, words: \"weight:100\"}]";

    CHECK_NEAR(served(says, ""), 100 + 400 / 3.0 + 200, 2);
}

/* 'up' takes 'down' back and no drain; 'ready' the other way round. */
static void up_and_ready_undo_what_is_theirs(void)
{
    static const char says[] = "says: ["
                               "{target: \"a[0]\", at: 20 s, words: stopped}, "
                               "{target: \"a[0]\", at: 40 s, words: ready}, "
                               "{target: \"a[0]\", at: 60 s, words: up}, "
                               "{target: \"a[0]\", at: 70 s, words: maint}, "
                               "{target: \"a[0]\", at: 90 s, words: up}]";

    CHECK_NEAR(served(says, ""), 100 + 50, 2);
}

/* Nodes that weigh nothing take nothing: half of the requests find no node. */
static void a_weight_of_nothing_is_a_drain(void)
{
    struct trial trial;

    run(&trial, "says: [{target: \"a[*]\", at: 50 s, words: \"weight:0\"}]",
        "");
    CHECK_NEAR(trial_mean(&trial, M_SUCCESS), 0.5, 0.002);
    CHECK_NEAR(trial_mean(&trial, M_ERRORS_NO_NODE), 500, 1);
    CHECK_NEAR(trial_mean(&trial, M_AGENT_CHANGES), 2, 0);
    trial_done(&trial);
}

/* Every 2 s two agents, of which the first cannot be reached for 20 s when its
   machine is down; its engine may die without it. Times are odd, so that ten
   rounds lie between. */
static void an_agent_out_of_reach_is_no_error(void)
{
    static const char *const kinds[] = {"crash", "host_down"};
    double replies[2];

    for (int i = 0; i < 2; i++) {
        struct trial trial;
        char more[200];

        snprintf(more, sizeof more,
                 "faults: [{kind: %s, target: \"a[0]\", at: 31 s, "
                 "restart_after: 20 s}]",
                 kinds[i]);
        run(&trial, "says: [{target: \"a[0]\", words: \"50%\"}]", more);
        replies[i] = trial_mean(&trial, M_AGENT_REPLIES);
        CHECK_NEAR(trial_mean(&trial, M_AGENT_CHANGES), 1, 0);
        trial_done(&trial);
    }
    CHECK_NEAR(replies[0], 2 * 50, 2);
    CHECK_NEAR(replies[0] - replies[1], 10, 0);
}

/* Three requests a second of 1 s: the first node would have 1.5 in flight, and
   has one at most once its agent says so. The other takes the rest. */
static void maxconn_caps_what_is_in_flight(void)
{
    struct trial trial;

    trial_load(&trial, "lbsim: 1\n"
                       "duration: 300 s\n"
                       "warm_up: 10 s\n"
                       "seed: 4202\n"
                       "workload:\n"
                       "  arrivals: {process: deterministic, rate: 3/s}\n"
                       "  work: {dist: constant, value: 1 s}\n"
                       "nodes: [{group: a, count: 2, engine: {slots: 8}}]\n"
                       "balancer:\n"
                       "  caps: {max: 1000}\n"
                       "  agent: {says: [{target: \"a[0]\", words: "
                       "\"maxconn:1\"}]}\n"
                       "policies: [round_robin]\n");
    trial_run(&trial, 1);
    CHECK(trial.results[0].nodes[0].in_flight_mean_requests <= 1 + 1e-9);
    CHECK_NEAR(trial.results[0].nodes[0].in_flight_mean_requests +
                   trial.results[0].nodes[1].in_flight_mean_requests,
               3, 0.01);
    CHECK_NEAR(trial_mean(&trial, M_SUCCESS), 1, 0);
    CHECK_NEAR(trial_mean(&trial, M_AGENT_CHANGES), 1, 0);
    trial_done(&trial);
}

/* Of load: an idle node keeps all of its weight; one that is saturated has
   none. */
static void load_is_the_idle_share(void)
{
    struct trial trial;

    trial_load(&trial, "lbsim: 1\n"
                       "duration: 60 s\n"
                       "drain: 1 s\n"
                       "seed: 4203\n"
                       "workload:\n"
                       "  arrivals: {process: deterministic, rate: 1/s}\n"
                       "  work: {dist: constant, value: 100 s}\n"
                       "nodes: [{group: a, count: 1, weight: 100}]\n"
                       "balancer: {report_interval: 1 s, agent: {load: "
                       "gpu_use}}\n"
                       "policies: [smooth_weighted]\n");
    trial_run(&trial, 1);
    /* From the question after it is seen busy for a whole second: no node. */
    CHECK(trial_mean(&trial, M_ERRORS_NO_NODE) >= 55);
    trial_done(&trial);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"words do what they say when balancers ask",
         words_do_what_they_say_when_balancers_ask},
        {"what is not said stays", what_is_not_said_stays},
        {"up and ready undo what is theirs", up_and_ready_undo_what_is_theirs},
        {"a weight of nothing is a drain", a_weight_of_nothing_is_a_drain},
        {"an agent out of reach is no error",
         an_agent_out_of_reach_is_no_error},
        {"maxconn caps what is in flight", maxconn_caps_what_is_in_flight},
        {"load is the idle share", load_is_the_idle_share},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("agents", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
