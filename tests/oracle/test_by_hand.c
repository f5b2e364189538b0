/*
 * Tiny scenarios whose every moment can be worked out on paper. Requests
 * arrive at 1 s, 2 s, 3 s, ... as long as that is before the duration; they are
 * r0, r1, r2, ... Nodes A and B take turns. What happens when stands at each
 * test; "A 1-3.5" is node A serving from 1 s to 3.5 s.
 */
#include "tests/oracle/by_hand.h"

/* As in the scenarios: a pair of nodes or one, and how long an answer takes. */
#define PAIR "nodes: [{group: n, count: 2}]\n"
#define ONE "nodes: [{group: n}]\n"

/* --- no accidents -------------------------------------------------------- */

/* A 1-3.5 r0, 3.5-6 r2; B 2-4.5 r1, 4.5-7 r3. The window is 0-4.5. */
static void two_nodes_take_turns(void)
{
    run_scenario("4.5 s", "2.5 s", PAIR);
    CHECK_LATENCIES(2.5, 2.5, 3, 3);
    CHECK_VALUE(M_LATENCY_MEAN, 2.75);
    CHECK_VALUE(M_WAIT_MEAN, 0.25);
    CHECK_VALUE(M_WAIT_P99, 0.5);
    CHECK_VALUE(M_LATENCY_P50, 2.5); /* nearest rank: the 2nd of 4 */
    CHECK_VALUE(M_LATENCY_MAX, 3);
    CHECK_VALUE(M_GPU_USE, (3.5 + 2.5) / (2 * 4.5));
    CHECK_VALUE(M_FULLEST_USE, 3.5 / 4.5);
    CHECK_VALUE(M_IN_FLIGHT, (2.5 + 1.5 + 2.5 + 0.5) / 4.5);
    CHECK_VALUE(M_OFFERED, 4 / 4.5);
    CHECK_VALUE(M_THROUGHPUT, 4 / 4.5);
    CHECK_VALUE(M_SUCCESS, 1);
    CHECK_NEAR(trial.results[0].nodes[0].queue_mean_requests, 0.5 / 4.5, 1e-9);
    CHECK_NEAR(trial.results[0].nodes[0].use_ratio, 3.5 / 4.5, 1e-9);
    CHECK_UINT(trial.results[0].nodes[0].attempts, 2);
}

/* 100 ms each way: r0 is at the node 1.1-2.6 and back at 2.7; r1 reaches it at
   2.1, is served 2.6-4.1 and back at 4.2. */
static void network_delay_adds_both_ways(void)
{
    run_scenario("2.5 s", "1.5 s", ONE "balancer: {network_delay: 100 ms}\n");
    CHECK_LATENCIES(1.7, 2.2);
    CHECK_VALUE(M_WAIT_MEAN, 0.25);
    CHECK_VALUE(M_IN_FLIGHT, (1.5 + 0.5) / 2.5); /* 1-2.5 and 2-2.5 */
    CHECK_VALUE(M_GPU_USE, 1.4 / 2.5);
}

/* Base 0.2, input 10 x 0.03, output 5 x 0.1: 1 s on a node of speed 1, half
   on one of speed 2. First token after 0.25 s, then 4 more in 0.25 s. */
static void token_costs_and_speed(void)
{
    trial_load(&trial,
               "lbsim: 1\n"
               "duration: 2.5 s\n"
               "policies: [round_robin]\n"
               "balancer: {network_delay: 50 ms}\n"
               "nodes: [{group: n, engine: {speed: 2, service: {base: 200 ms, "
               "per_input_token: 30 ms, per_output_token: 100 ms}}}]\n"
               "workload:\n"
               "  arrivals: {process: deterministic, rate: 1/s}\n"
               "  input_tokens: {dist: constant, value: 10}\n"
               "  output_tokens: {dist: constant, value: 5}\n");
    trial.keep_latencies = true;
    trial_run(&trial, 1);
    CHECK_LATENCIES(0.6, 0.6);
    CHECK_VALUE(M_TTFT_MEAN, 0.35);
    CHECK_VALUE(M_TPOT_MEAN, 0.0625);
}

/* --- the window ---------------------------------------------------------- */

/* [2 s, 5 s): arrivals at 2, 3 and 4 s; what arrives at 5 s never comes. */
static void window_has_its_first_and_not_its_last_instant(void)
{
    run_scenario("5 s", "0.5 s", "warm_up: 2 s\n" ONE);
    CHECK_VALUE(M_ARRIVED, 3);
    CHECK_UINT(trial.results[0].books.arrived, 4);
    CHECK_UINT(trial.results[0].excluded, 1);
    CHECK_NEAR(trial.results[0].window_start_s, 2, 1e-9);
    CHECK_VALUE(M_GPU_USE, 1.5 / 3);
    CHECK_VALUE(M_OFFERED, 1);
}

/* The third arrival opens it, at 3 s. */
static void window_opens_by_count(void)
{
    run_scenario("5 s", "0.5 s", "warm_up: 2 requests\n" ONE);
    CHECK_VALUE(M_ARRIVED, 2);
    CHECK_UINT(trial.results[0].excluded, 2);
    CHECK_NEAR(trial.results[0].window_start_s, 3, 1e-9);
    CHECK_VALUE(M_GPU_USE, 1.0 / 2);
}

/* 1-101, then 101-201 is cut at 4.5 + 97 s. */
static void drain_ends_the_run(void)
{
    run_scenario("4.5 s", "100 s", "drain: 97 s\n" ONE);
    CHECK_LATENCIES(100, NAN, NAN, NAN);
    CHECK_VALUE(M_UNFINISHED, 3);
    CHECK_VALUE(M_COMPLETED, 1);
    CHECK(isinf(value_of(M_LATENCY_ALL_P50))); /* the 2nd of 4 is endless */
    CHECK_VALUE(M_LATENCY_P50, 100);
}

/* --- time-outs ------------------------------------------------------------ */

/* 1-3.5 r0, 3.5-5 r1 given up at 2 + 3, 5-6 r2, 6-7 r3, 7-8 r4. */
static void time_out_frees_the_node(void)
{
    run_scenario("5.5 s", "2.5 s", ONE "balancer: {timeout: {total: 3 s}}\n");
    CHECK_LATENCIES(2.5, NAN, NAN, NAN, NAN);
    CHECK_VALUE(M_TIMED_OUT, 4);
    /* in flight until 5.5: r0 2.5, r1 2-5, r2 3-5.5, r3 4-5.5, r4 5-5.5 */
    CHECK_VALUE(M_IN_FLIGHT, (2.5 + 3 + 2.5 + 1.5 + 0.5) / 5.5);
}

/* An answer at the very instant of the time-out counts: 3.5-6 r1, given up at
   6. */
static void answer_wins_against_time_out_at_one_instant(void)
{
    run_scenario("2.5 s", "2.5 s", ONE "balancer: {timeout: {total: 4 s}}\n");
    CHECK_LATENCIES(2.5, 4);
}

/* A dies at 2.5; r0, in it, and r2, of 3, come to B behind r1, 2-3.8. r0 is
   given up in the queue at 3.7, so r2 is served 3.8-5.6, before its 5.7. */
static void time_out_takes_the_waiting_out_of_the_queue(void)
{
    run_scenario("3.5 s", "1.8 s",
                 PAIR "balancer: {timeout: {total: 2700 ms}, retry: {}}\n"
                      "faults: [{kind: crash, target: \"n[0]\", at: 2.5 s}]\n");
    CHECK_LATENCIES(NAN, 1.8, 2.6);
    CHECK_VALUE(M_TIMED_OUT, 1);
}

/* Without cancel the node goes on with r0 until 2.5, for nobody; the balancer
   counts it no more from 2 on. */
static void zombies_keep_the_node_busy(void)
{
    run_scenario("5 s", "1.5 s",
                 ONE "balancer: {timeout: {total: 1 s, cancel: false}}\n");
    /* 1-2.5, 2.5-4, 4-5.5, ...: always busy; each in flight for 1 s. */
    CHECK_LATENCIES(NAN, NAN, NAN, NAN);
    CHECK_VALUE(M_GPU_USE, 4.0 / 5);
    CHECK_VALUE(M_IN_FLIGHT, 4.0 / 5);
}

/* --- a node dies ----------------------------------------------------------
   Work takes 2.5 s; A dies at 3.25 s with r0 in service and r2 waiting. */

#define CRASH "faults: [{kind: crash, target: \"n[0]\", at: 3250 ms"

/* B 2-4.5 r1, 4.5-7 r3, 7-9.5 r5; r4 meets A. */
static void crash_seen_as_refused(void)
{
    run_scenario("6.5 s", "2.5 s", PAIR CRASH "}]\n");
    CHECK_LATENCIES(NAN, 2.5, NAN, 3, NAN, 3.5);
    CHECK_VALUE(M_FAILED, 3);
    CHECK_VALUE(M_ERRORS_RESET, 2);
    CHECK_VALUE(M_ERRORS_REFUSED, 1);
    CHECK_VALUE(M_LOST_IN_WINDOW, 3);
    CHECK_NEAR(trial.results[0].nodes[0].down_ratio, 3.25 / 6.5, 1e-9);
    CHECK_NEAR(trial.results[0].nodes[0].use_ratio, 2.25 / 6.5, 1e-9);
}

/* All end at B, in the order in which they reach it: 2-4.5 r1, then r0 and r2
   at 3.25, r3, r4 and r5 when they come, whomever they asked first. After a
   retry at B the turn is A's, so each of r3, r4, r5 asks A first. */
static void crash_seen_as_refused_and_retried(void)
{
    run_scenario("6.5 s", "2.5 s",
                 PAIR CRASH "}]\nbalancer: {retry: {attempts: 2}}\n");
    CHECK_LATENCIES(6, 2.5, 6.5, 8, 9.5, 11);
    CHECK_VALUE(M_FAILED, 0);
    CHECK_VALUE(M_ERRORS_RESET, 2);
    CHECK_VALUE(M_ERRORS_REFUSED, 3);
    CHECK_VALUE(M_RETRIES, 5.0 / 6);
    /* Waits of the attempts that were served: r0 and r2 came at 3.25. */
    CHECK_VALUE(M_WAIT_MEAN, (1.25 + 0 + 3.75 + 5.5 + 7 + 8.5) / 6);
}

/*
 * r0 and r2 are given up 2 s after the crash, at 5.25; r4, sent to A at 5, at
 * 6. B: 2-4.5 r1, 4.5-7 r3, then r0 7-9.5 and r2 9.5-12. At 6 r5 arrives
 * before r4 is given up, and it is A's turn (after the retries at B): it asks
 * B at 7. So 12-14.5 r4, 14.5-17 r5.
 */
static void crash_seen_as_connect_timeout(void)
{
    run_scenario("6.5 s", "2.5 s",
                 PAIR CRASH ", seen_as: connect_timeout, inside_lost_after: 2 "
                            "s}]\nbalancer: {retry: {attempts: 2}}\n");
    CHECK_LATENCIES(8.5, 2.5, 9, 3, 9.5, 11);
    CHECK_VALUE(M_ERRORS_CONNECT, 2);
    CHECK_VALUE(M_ERRORS_RESET, 2);
    CHECK_VALUE(M_ERRORS_REFUSED, 0);
    CHECK_VALUE(M_RETRIES, 4.0 / 6);
}

/* The connect time-out runs from the sending, not from the reaching. */
static void connect_timeout_counts_from_sending(void)
{
    run_scenario("1.5 s", "0.5 s",
                 PAIR "balancer: {retry: {attempts: 2}, network_delay: 200 ms, "
                      "timeout: {connect: 700 ms}}\n"
                      "faults: [{kind: crash, target: \"n[0]\", at: 500 ms, "
                      "seen_as: connect_timeout}]\n");
    /* to A at 1, given up at 1.7, at B 1.9-2.4, back at 2.6 */
    CHECK_LATENCIES(1.6);
}

/* r0, r2 and r4 hear nothing and are given up after 4 s. */
static void crash_seen_as_silence(void)
{
    run_scenario("6.5 s", "2.5 s",
                 PAIR CRASH ", seen_as: silent}]\n"
                            "balancer: {timeout: {total: 4 s}, retry: {}}\n");
    CHECK_LATENCIES(NAN, 2.5, NAN, 3, NAN, 3.5);
    CHECK_VALUE(M_TIMED_OUT, 3);
    CHECK_VALUE(M_FAILED, 0);
    CHECK_VALUE(M_RETRIES, 0);
    /* in flight in 0-6.5: r0 1-5, r1 2-4.5, r2 3-6.5, r3 4-6.5, r4 5-6.5,
       r5 6-6.5 */
    CHECK_VALUE(M_IN_FLIGHT, (4 + 2.5 + 3.5 + 2.5 + 1.5 + 0.5) / 6.5);
}

/* Back after 1 s, at 4.25: r4 at 5 is served 5-7.5. */
static void restarted_node_serves_again(void)
{
    run_scenario("6.5 s", "2.5 s", PAIR CRASH ", restart_after: 1 s}]\n");
    CHECK_LATENCIES(NAN, 2.5, NAN, 3, 2.5, 3.5);
    CHECK_NEAR(trial.results[0].nodes[0].down_ratio, 1 / 6.5, 1e-9);
}

/* Both dead: A, then B, then nobody is left to ask. */
static void nobody_left_to_ask(void)
{
    run_scenario("2.5 s", "2.5 s",
                 PAIR "balancer: {retry: {attempts: 3}}\n"
                      "faults: [{kind: crash, target: \"n[0]\", at: 500 ms}, "
                      "{kind: crash, target: \"n[1]\", at: 500 ms}]\n");
    CHECK_LATENCIES(NAN, NAN);
    CHECK_VALUE(M_FAILED, 2);
    CHECK_VALUE(M_ERRORS_REFUSED, 4);
    CHECK_VALUE(M_ERRORS_NO_NODE, 2);
    CHECK_VALUE(M_RETRIES,
                2); /* the third try went to nobody, but it was one */
}

/* Word of the crash travels too. Work takes 0.5 s: r0 1-1.7, r1 2-2.7. r2, at A
   since 3.1, hears at 3.35 of the death at 3.25, is at B, which is idle, from
   3.45 to 3.95, and back at 4.05. */
static void word_of_a_crash_travels(void)
{
    run_scenario("3.5 s", "500 ms",
                 PAIR CRASH "}]\nbalancer: {network_delay: 100 ms, retry: "
                            "{attempts: 2}}\n");
    CHECK_LATENCIES(0.7, 0.7, 1.05);
}

/* --- result caches: one prompt only --------------------------------------- */

static void run_cache(const char *duration, const char *work, const char *cache,
                      const char *rest)
{
    trial_load(&trial,
               "lbsim: 1\n"
               "duration: %s\n"
               "policies: [round_robin]\n"
               "workload:\n"
               "  arrivals: {process: deterministic, rate: 1/s}\n"
               "  work: {dist: constant, value: %s}\n"
               "  keys: {dist: zipf, distinct: 1}\n"
               "nodes: [{group: n, result_cache: {entries: 10, %s}}]\n"
               "%s",
               duration, work, cache, rest);
    trial.keep_latencies = true;
    trial_run(&trial, 1);
}

/* r0 1-2.5; r1 of 2 finds nothing yet, 2.5-4; r2 and r3 are hits. */
static void answers_are_kept_when_ready(void)
{
    run_cache("4.5 s", "1.5 s", "hit_time: 200 ms", "");
    CHECK_LATENCIES(1.5, 2, 0.2, 0.2);
    CHECK_VALUE(M_RESULT_HIT, 0.5);
    CHECK_VALUE(M_IDEAL_HIT, 0.75);
    CHECK_VALUE(M_GPU_USE, 3 / 4.5); /* hits keep nobody busy */
    CHECK_NEAR(trial.results[0].nodes[0].hit_ratio, 0.5, 1e-9);
}

static void answers_are_kept_when_missed(void)
{
    run_cache("4.5 s", "1.5 s", "hit_time: 200 ms, fill: at_miss", "");
    CHECK_LATENCIES(1.5, 0.2, 0.2, 0.2);
    CHECK_VALUE(M_RESULT_HIT, 0.75);
}

/* Kept at 1.5 for 1.2 s: a hit at 2, none at 3; kept again at 3.5. */
static void answers_age(void)
{
    run_cache("5.5 s", "0.5 s", "hit_time: 200 ms, ttl: 1200 ms", "");
    CHECK_LATENCIES(0.5, 0.2, 0.5, 0.2, 0.5);
}

/* Dead from 2.6 to 2.8: r2 of 3 finds the cache empty, 3-4.5; r3 of 4 too,
   4.5-6. */
static void cache_is_cold_after_a_restart(void)
{
    run_cache("4.5 s", "1.5 s", "hit_time: 200 ms",
              "faults: [{kind: crash, target: \"n[0]\", at: 2600 ms, "
              "restart_after: 200 ms}]\n");
    CHECK_LATENCIES(1.5, NAN, 1.5, 2);
}

/* An answer from the cache takes 2 s. r1 of 2 is to be answered at 4 and r2 at
   5, but the node dies at 3.5: whatever is seen of that, no answer comes. */
static void hits_die_with_the_node(void)
{
    static const char *const seen_as[] = {
        "refused", "connect_timeout, inside_lost_after: 3 s", "silent"};

    for (int i = 0; i < 3; i++) {
        char faults[200];

        snprintf(faults, sizeof faults,
                 "balancer: {timeout: {total: 10 s}}\n"
                 "faults: [{kind: crash, target: \"n[0]\", at: 3500 ms, "
                 "seen_as: %s}]\n",
                 seen_as[i]);
        run_cache("3.6 s", "0.5 s", "hit_time: 2 s", faults);
        CHECK_LATENCIES(0.5, NAN, NAN);
        CHECK_VALUE(i == 2 ? M_TIMED_OUT : M_FAILED, 2);
        trial_done(&trial);
    }
}

/* --- groups ----------------------------------------------------------------
 */

/* A takes 0.5 s and B, which is half as fast, 1 s: A 1-1.5 r0, 3-3.5 r2; B 2-3
   r1, 4-5 r3. */
static void groups_have_latencies_of_their_own(void)
{
    const struct group_latency *groups;

    run_scenario("4.5 s", "0.5 s",
                 "report: {node_percentiles: true}\n"
                 "nodes: [{group: a}, {group: b, engine: {speed: 0.5}}]\n");
    groups = trial.results[0].group_latencies;
    CHECK(groups != NULL);
    if (!groups)
        return;
    CHECK_NEAR(groups[0].mean_s, 0.5, 1e-12);
    CHECK_NEAR(groups[1].mean_s, 1, 1e-12);
    CHECK_NEAR(groups[0].p50_s, 0.5, 0.5 / 32);
    CHECK_NEAR(groups[1].p99_s, 1, 1.0 / 32);
    forget_trial();
    run_scenario("4.5 s", "0.5 s", PAIR);
    CHECK(trial.results[0].group_latencies == NULL);
}

int main(int argc, char **argv)
{
    CU_TestInfo calm[] = {
        {"two nodes take turns", two_nodes_take_turns},
        {"network delay adds both ways", network_delay_adds_both_ways},
        {"token costs and speed", token_costs_and_speed},
        {"the window's edges", window_has_its_first_and_not_its_last_instant},
        {"the window opens by count", window_opens_by_count},
        {"drain ends the run", drain_ends_the_run},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo timeouts[] = {
        {"a time-out frees the node", time_out_frees_the_node},
        {"an answer wins at one instant",
         answer_wins_against_time_out_at_one_instant},
        {"a time-out takes the waiting out",
         time_out_takes_the_waiting_out_of_the_queue},
        {"zombies keep the node busy", zombies_keep_the_node_busy},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo deaths[] = {
        {"refused", crash_seen_as_refused},
        {"refused and retried", crash_seen_as_refused_and_retried},
        {"connect time-out", crash_seen_as_connect_timeout},
        {"connect time-out from sending", connect_timeout_counts_from_sending},
        {"silence", crash_seen_as_silence},
        {"restart", restarted_node_serves_again},
        {"nobody left to ask", nobody_left_to_ask},
        {"word of a crash travels", word_of_a_crash_travels},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo caches[] = {
        {"kept when ready", answers_are_kept_when_ready},
        {"kept when missed", answers_are_kept_when_missed},
        {"answers age", answers_age},
        {"cold after a restart", cache_is_cold_after_a_restart},
        {"hits die with the node", hits_die_with_the_node},
        {"groups have latencies of their own",
         groups_have_latencies_of_their_own},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("by hand calm", NULL, NULL, NULL, forget_trial, calm),
        SUITE("by hand time-outs", NULL, NULL, NULL, forget_trial, timeouts),
        SUITE("by hand deaths", NULL, NULL, NULL, forget_trial, deaths),
        SUITE("by hand caches", NULL, NULL, NULL, forget_trial, caches),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
