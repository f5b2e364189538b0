/*
 * Retries by the rules of proxies, and deadlines, worked out on paper. Rows of
 * a trace arrive at one or two nodes, A and B, that take turns.
 */
#include "tests/oracle/harness.h"

#include <math.h>
#include <unistd.h>

static struct trial trial;

static void forget(void)
{
    trial_done(&trial);
}

#define COLUMNS "arrival_s,input_tokens,output_tokens\n"
/* Ten seconds for whatever comes. */
#define WORK "  work: {dist: constant, value: 10 s}\n"
/* 2 tokens are read in 1 s; 8 are written in 8 s, the first at once, so that
   8/7 s lie between them. */
#define TOKENS                                                 \
    "defaults: {engine: {service: {per_input_token: 500 ms,\n" \
    "                              per_output_token: 1 s}}}\n"
#define PAIR "nodes: [{group: n, count: 2}]\n"
#define ROUND "policies: [round_robin]\n"

static void play(const char *rows, const char *workload, const char *rest)
{
    char path[TRIAL_PATH_SIZE];

    trial_write_trace(path, rows);
    trial_done(&trial);
    trial_load(&trial,
               "lbsim: 1\n"
               "drain: 10 min\n"
               "workload:\n"
               "  trace: {file: %s, format: canonical}\n"
               "%s%s",
               path, workload, rest);
    trial.keep_latencies = true;
    trial_run(&trial, 1);
    unlink(path);
}

static double value(enum measure_id measure)
{
    return trial.results[0].values[measure];
}

/* Seconds from the arrival of request i to its answer; NAN: it has none. */
static double latency_s(uint64_t i)
{
    return i < trial.results[0].latency_count ? trial.results[0].latencies[i]
                                              : (double)NAN;
}

#define CHECK_VALUE(measure, expected) \
    CHECK_NEAR(value(measure), (expected), 1e-9)
#define CHECK_LATENCY(i, expected) CHECK_NEAR(latency_s(i), (expected), 1e-8)

/* --- what is tried again ---------------------------------------------------
 */

#define A_DIES(at)                                     \
    "faults: [{kind: crash, target: \"n[0]\", at: " at \
    ", restart_after: 30 s}]\n"
/* Long after; it makes the trace last. */
#define LATER "60,2,1\n"

/* nginx: a POST that was sent is not sent again; one that could not be is. */
static void nginx_does_not_repeat_a_post(void)
{
    play(COLUMNS "0,1,1\n5,1,1\n", WORK,
         PAIR "balancer: {retry: {rule: nginx}}\n" A_DIES("3 s") ROUND);
    CHECK(isnan(latency_s(0)));
    CHECK_VALUE(M_ERRORS_RESET, 1);
    CHECK_VALUE(M_RETRIES, 0);
    play(COLUMNS "0,1,1\n5,1,1\n", WORK,
         PAIR "balancer: {retry: {rule: nginx}}\n" A_DIES("0 s") ROUND);
    CHECK_LATENCY(0, 10);
    CHECK_VALUE(M_ERRORS_REFUSED, 2); /* r1's turn is A's again */
    play(COLUMNS "0,1,1\n5,1,1\n", WORK,
         PAIR "balancer: {retry: {rule: nginx, non_idempotent: true}}\n" A_DIES(
             "3 s") ROUND);
    CHECK_LATENCY(0, 13);
}

/* HAProxy: A, A after 1 s, A after 1 s, then B at once. */
static void haproxy_stays_and_redispatches_last(void)
{
    play(COLUMNS "0,1,1\n", WORK,
         PAIR "balancer: {retry: {rule: haproxy}}\n" A_DIES("0 s") ROUND);
    CHECK_LATENCY(0, 12);
    CHECK_VALUE(M_ERRORS_REFUSED, 3);
    play(COLUMNS "0,1,1\n", WORK,
         PAIR
         "balancer: {retry: {rule: haproxy, redispatch: 1}}\n" A_DIES("0 s")
             ROUND);
    CHECK_LATENCY(0, 10);
    play(
        COLUMNS "0,1,1\n", WORK,
        PAIR
        "balancer: {retry: {rule: haproxy}, timeout: {connect: 200 ms}}\n" A_DIES(
            "0 s") ROUND);
    CHECK_LATENCY(0, 10.4);
}

/* 100 ms, 200 ms; then the third node. */
static void waits_climb_the_ladder(void)
{
    play(COLUMNS "0,1,1\n", WORK,
         "nodes: [{group: n, count: 3}]\n"
         "balancer: {retry: {rule: grpc, to: other, backoff: {jitter: none}}}\n"
         "faults: [{kind: crash, target: \"n[0]\", at: 0 s},\n"
         "         {kind: crash, target: \"n[1]\", at: 0 s}]\n" ROUND);
    CHECK_LATENCY(0, 10.3);
}

/* The one node is full till 10 s; it says each time to come back in 3 s. */
static void full_node_pushes_back(void)
{
    play(COLUMNS "0,1,1\n1,1,1\n", WORK,
         "nodes: [{group: n, engine: {queue_limit: 0}}]\n"
         "balancer: {retry: {rule: grpc, push_back: 3 s}}\n" ROUND);
    CHECK_LATENCY(1, 19);
    CHECK_VALUE(M_ERRORS_FULL, 3);
}

static void no_retry_after_the_time_limit(void)
{
    play(COLUMNS "0,1,1\n" LATER, WORK,
         PAIR "balancer: {retry: {time_limit: 2 s}}\n" A_DIES("3 s") ROUND);
    CHECK(isnan(latency_s(0)));
    play(COLUMNS "0,1,1\n" LATER, WORK,
         PAIR "balancer: {retry: {time_limit: 4 s}}\n" A_DIES("3 s") ROUND);
    CHECK_LATENCY(0, 13);
}

/* One retry at once, and it waits for 2 s: of four that fail together three are
   not tried again. */
static void budget_refuses(void)
{
    play(COLUMNS "0,1,1\n0,1,1\n0,1,1\n1,1,1\n" LATER, WORK,
         "nodes: [{group: n, engine: {slots: 3}}]\n"
         "balancer: {retry: {to: any, budget: {kind: fixed, at_least: 1},\n"
         "                   backoff: {ladder: constant, base: 2 s, max: 2 s,\n"
         "                             jitter: none}}}\n"
         "faults: [{kind: crash, target: \"n[0]\", at: 3 s, restart_after: 1 "
         "s}]\n" ROUND);
    CHECK_VALUE(M_BUDGET_REFUSALS, 3);
    CHECK_VALUE(M_FAILED, 3);
    CHECK_VALUE(M_RETRIES, 1.0 / 5);
    CHECK_NEAR(value(M_LATENCY_MAX), 15, 1e-9);
}

/* gRPC A6: A dies at 200 ms, so the next hedge goes to B at once; the third, to
   C, 500 ms later, and it is not needed. */
static void failure_sends_the_next_hedge(void)
{
    play(COLUMNS "0,1,1\n" LATER, WORK,
         "nodes: [{group: n, count: 4}]\n"
         "balancer: {hedge: {rule: grpc, after: 500 ms, attempts: 3}}\n" A_DIES(
             "200 ms") ROUND);
    CHECK_LATENCY(0, 10.2);
    CHECK_VALUE(M_AMPLIFICATION, 6.0 / 2);
}

/* A ring's second node for a key is the same every time. */
static void affinity_has_a_stable_second(void)
{
    uint32_t servers = 0;

    trial_load(&trial, "lbsim: 1\n"
                       "duration: 100 s\n"
                       "seed: 7361\n"
                       "workload:\n"
                       "  arrivals: {process: deterministic, rate: 1/s}\n"
                       "  work: {dist: constant, value: 100 ms}\n"
                       "  keys: {dist: zipf, distinct: 1}\n"
                       "nodes: [{group: n, count: 8}]\n"
                       "balancer: {retry: {attempts: 8}}\n"
                       "faults: [{kind: crash, target: \"n[0]\", at: 0 s},\n"
                       "         {kind: crash, target: \"n[1]\", at: 0 s},\n"
                       "         {kind: crash, target: \"n[2]\", at: 0 s},\n"
                       "         {kind: crash, target: \"n[3]\", at: 0 s},\n"
                       "         {kind: crash, target: \"n[4]\", at: 0 s},\n"
                       "         {kind: crash, target: \"n[5]\", at: 0 s}]\n"
                       "policies: [ring_hash]\n");
    trial_run(&trial, 4);
    for (uint32_t r = 0; r < trial.replications; r++) {
        servers = 0;
        for (uint32_t i = 0; i < 8; i++)
            servers += trial.results[r].nodes[i].completed > 0;
        CHECK_UINT(servers, 1);
        CHECK_NEAR(trial.results[r].values[M_SUCCESS], 1, 0);
    }
}

/* --- answers that had begun ------------------------------------------------
 */

/* A dies at 5.5 s, after 1 + 3 tokens (1 s, then each 8/7 s). The whole again
   takes 9 s; the rest of 4 with a prompt of 6 takes 3 + 4 s. */
static void partial_answers(void)
{
    play(COLUMNS "0,2,8\n" LATER, "",
         TOKENS PAIR "balancer: {retry: {partial: again}}\n" A_DIES("5500 ms")
             ROUND);
    CHECK_LATENCY(0, 14.5);
    CHECK_VALUE(M_TTFT_MEAN, (6.5 + 1) / 2);
    play(COLUMNS "0,2,8\n" LATER, "",
         TOKENS PAIR "balancer: {retry: {partial: never}}\n" A_DIES("5500 ms")
             ROUND);
    CHECK(isnan(latency_s(0)));
    play(COLUMNS "0,2,8\n" LATER, "",
         TOKENS PAIR "balancer: {retry: {partial: resume}}\n" A_DIES("5500 ms")
             ROUND);
    CHECK_LATENCY(0, 12.5);
    CHECK_VALUE(M_TTFT_MEAN, 1);
    /* Before the first token nothing is partial. */
    play(COLUMNS "0,2,8\n" LATER, "",
         TOKENS PAIR "balancer: {retry: {partial: never}}\n" A_DIES("500 ms")
             ROUND);
    CHECK_LATENCY(0, 9.5);
}

#define A_IS_SILENT(at)                                    \
    "faults: [{kind: host_down, target: \"n[0]\", at: " at \
    ", restart_after: 30 s}]\n"

/* No word from A: its first token does not come by 3 s; its fifth, due 2 s
   after the fourth at 1 + 3 * 8/7 s, does not either. */
static void silence_runs_into_time_outs(void)
{
    play(COLUMNS "0,2,8\n" LATER, "",
         TOKENS PAIR
         "balancer: {retry: {}, timeout: {ttft: 3 s}}\n" A_IS_SILENT("500 ms")
             ROUND);
    CHECK_LATENCY(0, 12);
    CHECK_VALUE(M_ERRORS_TTFT, 1);
    play(COLUMNS "0,2,8\n" LATER, "",
         TOKENS PAIR
         "balancer: {retry: {on: [inter_token]}, timeout: {inter_token: 2 s, "
         "ttft: 4 s}}\n" A_IS_SILENT("5500 ms") ROUND);
    CHECK_LATENCY(0, 3 + 24.0 / 7 + 9);
    CHECK_VALUE(M_ERRORS_INTER_TOKEN, 1);
    play(COLUMNS "0,2,8\n" LATER, "",
         TOKENS PAIR
         "balancer: {retry: {}, timeout: {attempt: 9500 ms}}\n" A_IS_SILENT(
             "5500 ms") ROUND);
    CHECK_LATENCY(0, 18.5);
}

/* --- deadlines ---------------------------------------------------------------
 */

#define CLASSES(seconds) \
    "  classes: [{name: c, share: 100 %, deadline: " seconds "}]\n"
#define ONE "nodes: [{group: n}]\n"
/* Prompts of 8 and 14 tokens take 4 and 7 s. */

/* A deadline of 10 s, of which 4 have gone in the queue: 7 s until the first
   token are too long, 5 s are not. */
static void too_late_when_its_turn_comes(void)
{
    play(COLUMNS "0,7,1\n0,14,1\n", CLASSES("10 s"),
         TOKENS ONE "balancer: {deadline: {at_dispatch: false}}\n" ROUND);
    CHECK_LATENCY(0, 4.5);
    CHECK(isnan(latency_s(1)));
    CHECK_VALUE(M_EXPIRED_QUEUE, 1);
    CHECK_VALUE(M_TIMED_OUT, 1);
    CHECK_VALUE(M_DEADLINES_PASSED, 0);
    play(COLUMNS "0,6,1\n0,10,1\n", CLASSES("10 s"),
         TOKENS ONE "balancer: {deadline: {}}\n" ROUND);
    CHECK_LATENCY(1, 10);
}

/* The same at the front door, 4 s lost on a node that is away. */
static void hopeless_requests_are_not_sent(void)
{
    const char *rest =
        TOKENS PAIR "balancer: {deadline: {}, retry: {},\n"
                    "           timeout: {connect: 4 s}}\n"
                    "faults: [{kind: crash, target: \"n[0]\", at: 0 s,\n"
                    "          seen_as: connect_timeout}]\n" ROUND;

    play(COLUMNS "0,14,1\n", CLASSES("10 s"), rest);
    CHECK(isnan(latency_s(0)));
    CHECK_VALUE(M_EXPIRED_DOOR, 1);
    play(COLUMNS "0,10,1\n", CLASSES("10 s"), rest);
    CHECK_LATENCY(0, 10);
}

/* At the deadline it ends, in service too, and the next one is served. */
static void ends_at_its_deadline(void)
{
    play(COLUMNS "0,2,20\n2,1,1\n", CLASSES("10 s"),
         TOKENS ONE "balancer: {deadline: {}}\n" ROUND);
    CHECK(isnan(latency_s(0)));
    CHECK_LATENCY(1, 9.5);
    CHECK_VALUE(M_DEADLINES_PASSED, 1);
}

/* Nobody cancels what A works on; but what waits there for nobody is dropped
   in its turn, so the last one is served at 21 s and not at 42 s. */
static void nodes_drop_what_nobody_waits_for(void)
{
    play(COLUMNS "0,2,20\n0,2,20\n0,2,20\n15,2,1\n", CLASSES("10 s"),
         TOKENS ONE
         "balancer: {deadline: {at_dispatch: false}, timeout: {cancel: "
         "false}}\n" ROUND);
    CHECK_LATENCY(3, 8);
}

int main(int argc, char **argv)
{
    CU_TestInfo rules[] = {
        {"nginx does not repeat a POST", nginx_does_not_repeat_a_post},
        {"haproxy stays, and redispatches last",
         haproxy_stays_and_redispatches_last},
        {"waits climb the ladder", waits_climb_the_ladder},
        {"full node pushes back", full_node_pushes_back},
        {"no retry after the time limit", no_retry_after_the_time_limit},
        {"budget refuses", budget_refuses},
        {"failure sends the next hedge", failure_sends_the_next_hedge},
        {"affinity has a stable second", affinity_has_a_stable_second},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo partial[] = {
        {"partial answers", partial_answers},
        {"silence runs into time-outs", silence_runs_into_time_outs},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo deadlines[] = {
        {"too late when its turn comes", too_late_when_its_turn_comes},
        {"hopeless requests are not sent", hopeless_requests_are_not_sent},
        {"ends at its deadline", ends_at_its_deadline},
        {"nodes drop what nobody waits for", nodes_drop_what_nobody_waits_for},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("retry_rules", NULL, NULL, NULL, forget, rules),
        SUITE("partial_answers", NULL, NULL, NULL, forget, partial),
        SUITE("deadlines_by_hand", NULL, NULL, NULL, forget, deadlines),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
