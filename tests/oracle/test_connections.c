/*
 * Long-lived connections: they pin load to the nodes that were there when they
 * were opened, and hide from an autoscaler that they do.
 */
#include "tests/oracle/harness.h"

/* Four clients and a node that has 1.2 times what it can do; a second one is
   ready at 60 s. Measured is what arrives after `warm_up`. */
static void run_pinned(struct trial *trial, const char *connections,
                       const char *warm_up)
{
    trial_load(trial,
               "lbsim: 1\n"
               "duration: 10 min\n"
               "warm_up: %s\n"
               "drain: 1 s\n"
               "seed: 4301\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: 12/s}\n"
               "  work: {dist: exponential, mean: 100 ms}\n"
               "nodes: [{group: n, count: 1, start_up: {init: 0 s}, autoscale: "
               "{rule: schedule, max: 2, schedule: \"1 at 0 s, 2 at 60 s\"}}]\n"
               "balancer: {connections: %s}\n"
               "policies: [round_robin]\n",
               warm_up, connections);
    trial_run(trial, 4);
}

/* For ever: mean use is a half and asks for nothing, while one node is full. */
static void without_an_age_a_new_node_gets_nothing(void)
{
    struct trial trial;

    run_pinned(&trial, "{clients: 4}", "60 s");
    for (uint32_t i = 0; i < trial.replications; i++) {
        const struct run_result *result = &trial.results[i];

        CHECK_UINT(result->nodes[1].attempts, 0);
        CHECK(result->nodes[0].use_ratio > 0.99);
        CHECK_NEAR(result->values[M_GPU_USE], 0.5, 0.01);
        CHECK(result->unstable);
        CHECK_NEAR(result->values[M_CONNECTIONS], 4, 0);
    }
    trial_done(&trial);
}

/* Within 120 s of its start the new node has half of it, as far as four
   connections can be halved. */
static void with_an_age_it_has_its_share_soon(void)
{
    struct trial trial;

    run_pinned(&trial, "{clients: 4, max_age: 60 s}", "180 s");
    for (uint32_t i = 0; i < trial.replications; i++) {
        CHECK_NEAR(trial.results[i].nodes[1].share_ratio, 0.5, 0.25);
        CHECK(trial.results[i].values[M_CONNECTIONS] > 4 * 8);
    }
    trial_done(&trial);
}

static void by_request_it_has_it_at_once(void)
{
    struct trial trial;

    run_pinned(&trial, "off", "60 s");
    for (uint32_t i = 0; i < trial.replications; i++)
        CHECK_NEAR(trial.results[i].nodes[1].share_ratio, 0.5, 0.002);
    trial_done(&trial);
}

/* Ten requests a second, at 0.1, 0.2 ... 99.9 s, of two clients in turn, of 10
   ms each. */
static void run_even(struct trial *trial, const char *balancer,
                     const char *faults)
{
    trial_load(trial,
               "lbsim: 1\n"
               "duration: 100 s\n"
               "drain: 1 s\n"
               "seed: 4302\n"
               "workload:\n"
               "  arrivals: {process: deterministic, rate: 10/s}\n"
               "  work: {dist: constant, value: 10 ms}\n"
               "nodes: [{group: a, count: 2}]\n"
               "balancer: {%s}\n"
               "faults: [%s]\n"
               "policies: [round_robin]\n",
               balancer, faults);
    trial_run(trial, 1);
}

/* Each client's are 0.2 s apart, and its connections so much more than 9.9 s
   old at the 50th request after the one that opened them: ten of each. */
static void connections_of_an_age_are_opened_anew(void)
{
    struct trial trial;

    run_even(&trial,
             "connections: {clients: 2, max_age: 9.9 s, age_jitter: 0 %}", "");
    CHECK_NEAR(trial_mean(&trial, M_CONNECTIONS), 2 * 10, 0);
    trial_done(&trial);
}

/* One client is on each node. The first node drains at 50 s: half of what has
   come by then, and no more. */
static void a_node_that_drains_is_left(void)
{
    struct trial trial;

    run_even(&trial,
             "connections: {clients: 2}, agent: {says: [{target: \"a[0]\", at: "
             "49 s, words: drain}]}",
             "");
    CHECK_NEAR((double)trial.results[0].nodes[0].completed, 250, 1);
    CHECK_NEAR(trial_mean(&trial, M_CONNECTIONS), 3, 0);
    CHECK_NEAR(trial_mean(&trial, M_SUCCESS), 1, 0);
    trial_done(&trial);
}

/* The first node is dead from 50.05 s on and says so: its client's connection
   breaks under one request, for which nginx leaves the node out for 10 s. The
   next connection is to the other node, and stays there. */
static void a_connection_that_breaks_is_opened_anew(void)
{
    struct trial trial;

    run_even(&trial, "connections: {clients: 2}, max_fails: {}",
             "{kind: crash, target: \"a[0]\", at: 50.05 s}");
    CHECK_NEAR(trial_mean(&trial, M_FAILED), 1, 0);
    CHECK_NEAR(trial_mean(&trial, M_CONNECTIONS), 3, 0);
    CHECK_NEAR((double)trial.results[0].nodes[0].completed, 250, 1);
    trial_done(&trial);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"without an age a new node gets nothing",
         without_an_age_a_new_node_gets_nothing},
        {"with an age it has its share soon",
         with_an_age_it_has_its_share_soon},
        {"by request it has it at once", by_request_it_has_it_at_once},
        {"connections of an age are opened anew",
         connections_of_an_age_are_opened_anew},
        {"a node that drains is left", a_node_that_drains_is_left},
        {"a connection that breaks is opened anew",
         a_connection_that_breaks_is_opened_anew},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("connections", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
