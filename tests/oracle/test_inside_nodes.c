/*
 * What happens inside nodes, in whole simulations that can be worked out on
 * paper: refusals of full nodes, one answer for many, orders, cards. Requests
 * arrive at 1 s, 2 s, 3 s, ... as long as that is before the duration; they are
 * r0, r1, r2, ... Nodes A and B take turns. "A 1-3.5" is node A serving from
 * 1 s to 3.5 s.
 */
#include "tests/oracle/by_hand.h"

/* --- full nodes ----------------------------------------------------------- */

#define FULL "engine: {queue_limit: 0}"

/* The way to the node and back takes 0.1 s each. A 1.1-3.6 r0, 4.1-6.6 r3;
   r1, r2 and r4 find it busy. */
static void full_node_refuses(void)
{
    run_scenario("6 s", "2.5 s",
                 "nodes: [{group: n, " FULL "}]\n"
                 "balancer: {network_delay: 100 ms}\n");
    CHECK_LATENCIES(2.7, NAN, NAN, 2.7, NAN);
    CHECK_VALUE(M_ERRORS_FULL, 3);
    CHECK_VALUE(M_FAILED, 3);
    CHECK_VALUE(M_ERRORS_REFUSED, 0);
    CHECK_VALUE(M_RETRIES, 0);
}

/* A 1.1-3.6 r0; B 2.1-4.6 r1. r2 is at A at 3.1 and is told so at 3.2, at B at
   3.3 and fails at 3.4. The turn is A's again: A 4.1-6.6 r3, B 5.1-7.6 r4. */
static void refused_one_tries_another_node(void)
{
    run_scenario("6 s", "2.5 s",
                 "nodes: [{group: n, count: 2, " FULL "}]\n"
                 "balancer: {network_delay: 100 ms, retry: {attempts: 2}}\n");
    CHECK_LATENCIES(2.7, 2.7, NAN, 2.7, 2.7);
    CHECK_VALUE(M_ERRORS_FULL, 2);
    CHECK_VALUE(M_FAILED, 1);
    CHECK_VALUE(M_RETRIES, 0.2);
}

/* As before, but A serves two at once: r2 is refused by nobody, r3 by B. A
   1-3.5 r0, 3-5.5 r2, 4-6.5 r3; B 2-4.5 r1, 5-7.5 r4. */
static void retry_finds_room(void)
{
    run_scenario("6 s", "2.5 s",
                 "nodes: [{group: a, engine: {slots: 2, queue_limit: 0}}, "
                 "{group: b, " FULL "}]\n"
                 "balancer: {retry: {attempts: 2}}\n");
    CHECK_LATENCIES(2.5, 2.5, 2.5, 2.5, 2.5);
    CHECK_VALUE(M_ERRORS_FULL, 1);
    CHECK_VALUE(M_RETRIES, 0.2);
}

/* r1 is refused at 2.1 and would be told at 2.2, but its time is up at 2.15. */
static void time_runs_out_while_the_word_travels(void)
{
    run_scenario("3 s", "0.1 s",
                 "nodes: [{group: n, " FULL "}]\n"
                 "balancer: {network_delay: 100 ms, timeout: {total: 150 ms, "
                 "cancel: false}}\n");
    CHECK_LATENCIES(NAN, NAN);
    CHECK_VALUE(M_TIMED_OUT, 2);
    CHECK_VALUE(M_ERRORS_FULL, 0);
    trial_done(&trial);
    run_scenario("3 s", "5 s",
                 "nodes: [{group: n, " FULL "}]\n"
                 "balancer: {network_delay: 100 ms, timeout: {total: 150 ms}}"
                 "\n");
    CHECK_LATENCIES(NAN, NAN);
    CHECK_VALUE(M_TIMED_OUT, 2);
}

/* --- one answer for many -------------------------------------------------- */

#define SAME                                                            \
    "nodes: [{group: n, result_cache: {entries: 10, hit_time: 100 ms, " \
    "coalesce: true}}]\n"
#define KEY "  keys: {dist: zipf, distinct: 1}\n"

/* A 1-3.5 r0; r1 and r2 have its answer at 3.6; r3 and r4 find it. */
static void one_answer_serves_many(void)
{
    run_scenario("6 s", "2.5 s}\n" KEY "  noise: {dist: none", SAME);
    CHECK_LATENCIES(2.5, 1.6, 0.6, 0.1, 0.1);
    CHECK_VALUE(M_COALESCED, 2);
    CHECK_VALUE(M_RESULT_HIT, 0.8);
    CHECK_VALUE(M_GPU_USE, 2.5 / 6);
    CHECK_VALUE(M_WAIT_MEAN, (1.5 + 0.5) / 5);
}

/* r0 gives up at 3, when r1 waits: A works on until 3.5. */
static void work_of_one_who_gave_up_goes_on(void)
{
    run_scenario("6 s", "2.5 s}\n" KEY "  noise: {dist: none",
                 SAME "balancer: {timeout: {total: 2 s}}\n");
    CHECK_LATENCIES(NAN, 1.6, 0.6, 0.1, 0.1);
    CHECK_VALUE(M_TIMED_OUT, 1);
    CHECK_VALUE(M_COALESCED, 2);
    CHECK_VALUE(M_GPU_USE, 2.5 / 6);
}

/* Nobody else waits when r0 gives up at 1.6: A works 0.6 s for each. */
static void work_for_nobody_ends(void)
{
    run_scenario("6 s", "2.5 s}\n" KEY "  noise: {dist: none",
                 SAME "balancer: {timeout: {total: 600 ms}}\n");
    CHECK_LATENCIES(NAN, NAN, NAN, NAN, NAN);
    CHECK_VALUE(M_COALESCED, 0);
    CHECK_VALUE(M_GPU_USE, 0.5);
}

/* Each waits 1.6 s, so two do at any time: A works on for them until r4 gives
   up at 6.6, an answer would come at 21. */
static void work_ends_with_the_last(void)
{
    run_scenario("6 s", "20 s}\n" KEY "  noise: {dist: none",
                 SAME "balancer: {timeout: {total: 1.6 s}}\n");
    CHECK_LATENCIES(NAN, NAN, NAN, NAN, NAN);
    CHECK_VALUE(M_TIMED_OUT, 5);
    CHECK_VALUE(M_COALESCED, 4);
    CHECK_VALUE(M_GPU_USE, 5.0 / 6);
    CHECK_VALUE(M_UNFINISHED, 0);
}

/* All three are lost at 3.2; the node is back at 3.7, cold: A 4-6.5 r3. */
static void death_loses_who_waits(void)
{
    run_scenario("6 s", "2.5 s}\n" KEY "  noise: {dist: none",
                 SAME "faults: [{kind: crash, target: \"n[0]\", at: 3.2 s, "
                      "restart_after: 500 ms}]\n");
    CHECK_LATENCIES(NAN, NAN, NAN, 2.5, 1.6);
    CHECK_VALUE(M_ERRORS_RESET, 3);
    CHECK_VALUE(M_LOST_IN_WINDOW, 3);
}

/* --- sharing, cards --------------------------------------------------------
 */

/* Work of 1.5 s. r0 is alone until 2 and shares with r1 until 3, when it is
   done. r1 has got 0.5 by 3, 1 by 4 (two inside), 4/3 by 5 (three), and gets
   the last 1/6 in 4/6 s (four). By then r2 has got 0.5 + 1/3 + 1/6 = 1, r3 1/3
   + 1/6 = 1/2 and r4 1/6: r2 takes 3 x 1/2, r3 2 x 1/2 more, r4 what is then
   left, 1.5 - 1/6 - 1/2 - 1/2 = 1/3. */
static void sharing_by_hand(void)
{
    double r1 = 5 + 4.0 / 6, r2 = r1 + 1.5, r3 = r2 + 1, r4 = r3 + 1.0 / 3;

    run_scenario("6 s", "1.5 s",
                 "nodes: [{group: n, engine: {kind: sharing}}]\n");
    CHECK_LATENCIES(2, r1 - 2, r2 - 3, r3 - 4, r4 - 5);
    CHECK_VALUE(M_WAIT_MEAN, 0);
    CHECK_VALUE(M_GPU_USE, 5.0 / 6);
}

/* Two slots on two cards: r0 on card 0 from 1 to 2.5, r1 on card 1 from 2 to
   3.5, r2 on card 0 from 3 to 4.5, r3 on 1 from 4 to 5.5, r4 on 0 from 5. */
static void cards_by_hand(void)
{
    run_scenario("6 s", "1.5 s",
                 "nodes: [{group: n, cards: 2, engine: {slots: 2}}, {group: "
                 "m, weight: 0}]\n");
    CHECK_UINT(trial.results[0].card_count, 2);
    CHECK_NEAR(trial.results[0].card_use_ratios[0], 4.0 / 6, 1e-9);
    CHECK_NEAR(trial.results[0].card_use_ratios[1], 3.0 / 6, 1e-9);
    CHECK_VALUE(M_FULLEST_CARD, 4.0 / 6);
}

int main(int argc, char **argv)
{
    CU_TestInfo full[] = {
        {"a full node refuses", full_node_refuses},
        {"a refused one tries another node", refused_one_tries_another_node},
        {"a retry finds room", retry_finds_room},
        {"time runs out while the word travels",
         time_runs_out_while_the_word_travels},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo same[] = {
        {"one answer serves many", one_answer_serves_many},
        {"work of one who gave up goes on", work_of_one_who_gave_up_goes_on},
        {"work for nobody ends", work_for_nobody_ends},
        {"work ends with the last", work_ends_with_the_last},
        {"death loses who waits", death_loses_who_waits},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo others[] = {
        {"sharing by hand", sharing_by_hand},
        {"cards by hand", cards_by_hand},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("inside full nodes", NULL, NULL, NULL, forget_trial, full),
        SUITE("inside one answer", NULL, NULL, NULL, forget_trial, same),
        SUITE("inside engines", NULL, NULL, NULL, forget_trial, others),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
