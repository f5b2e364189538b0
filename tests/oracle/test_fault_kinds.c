/*
 * Kinds of faults one by one, each worked out on paper: a request a second from
 * 1 s on, so that every one of them tells what held when it arrived.
 */
#include "tests/oracle/by_hand.h"

#define ONE "nodes: [{group: n, engine: {slots: 4}}]\n"
#define TWO "nodes: [{group: n, count: 2, engine: {slots: 4}}]\n"
#define FOUR "nodes: [{group: n, count: 4, zone: a, engine: {slots: 4}}]\n"

/*
 * A quarter of the speed from 3.3 to 6.3 s, work of 0.6 s. The third has 0.3 s
 * left, which take 1.2. The fourth has done 2.3 / 4 = 0.575 when it is over and
 * ends 0.025 s later; the fifth 0.325 and 0.275; the sixth 0.075 and 0.525.
 */
static void slow_stretches_what_is_left(void)
{
    run_scenario("9 s", "600 ms",
                 ONE "faults: [{kind: slow, target: n, factor: 4, at: 3300 ms, "
                     "for: 3 s}]\n");
    CHECK_LATENCIES(0.6, 0.6, 1.5, 2.325, 1.575, 0.825, 0.6, 0.6);
}

/* To a third of the speed in two equal steps: half of it from 4.5, a third from
   5.5 s on, until it ends at 8.5. */
static void slow_comes_in_steps(void)
{
    run_scenario("10 s", "100 ms",
                 ONE "faults: [{kind: slow, target: n, factor: 3, ramp: 2 s, "
                     "ramp_steps: 2, at: 3500 ms, for: 5 s}]\n");
    CHECK_LATENCIES(0.1, 0.1, 0.1, 0.1, 0.2, 0.3, 0.3, 0.3, 0.1);
}

/* In turn to two nodes: of those to the second, the ones at 4 and 6 s come
   while it is out of reach. */
static void a_partition_cuts_off_one_node(void)
{
    run_scenario("9 s", "100 ms",
                 TWO "faults: [{kind: partition, target: \"n[1]\", seen_as: "
                     "refused, at: 3500 ms, for: 4 s}]\n");
    CHECK_LATENCIES(0.1, 0.1, 0.1, NAN, 0.1, NAN, 0.1, 0.1);
    CHECK_VALUE(M_STRIKES_PARTITION, 1);
}

/* Down from 3.5 to 4.5 and from 6.5 to 7.5 s, 2 of 12. */
static void flapping_begins_with_a_crash(void)
{
    run_scenario("12 s", "100 ms",
                 ONE "faults: [{kind: flapping, target: n, at: 3500 ms, for: 6 "
                     "s, up_for: 2 s, down_for: 1 s}]\n");
    CHECK_LATENCIES(0.1, 0.1, 0.1, NAN, 0.1, 0.1, NAN, 0.1, 0.1, 0.1, 0.1);
    CHECK_VALUE(M_AVAILABILITY, 10.0 / 12);
}

/* Empty at 2.5, full at 6.5, back at 8.5 s: those at 7 and 8 s are lost. */
static void a_leak_fills_memory_and_kills(void)
{
    run_scenario("12 s", "100 ms",
                 ONE "faults: [{kind: memory_leak, target: n, at: 2500 ms, "
                     "fills_in: 4 s, restart_after: 2 s}]\n");
    CHECK_LATENCIES(0.1, 0.1, 0.1, 0.1, 0.1, 0.1, NAN, NAN, 0.1, 0.1, 0.1);
    CHECK_VALUE(M_STRIKES_OUT_OF_MEMORY, 1);
}

/* What ails the process of the only node from 3.5 s on, for 20 s, and what ends
   the process at 5.2 s and brings it back at 6.2 s. */
static void run_end_of_process(const char *ailment, const char *end,
                               const char *of_node)
{
    char rest[600];

    snprintf(rest, sizeof rest,
             "nodes: [{group: n, engine: {slots: 4}%s}]\n"
             "faults:\n"
             "  - {kind: %s, target: n, at: 3500 ms, for: 20 s}\n%s",
             of_node, ailment, end);
    run_scenario("9 s", "100 ms", rest);
}

/* Those of 4 and 5 s meet the ailment, that of 6 s nobody. */
static void what_ails_a_process_ends_with_it(void)
{
    static const char *const ailments[] = {"hang", "hang, lose: true",
                                           "black_hole", "fail_fast"};
    static const char *const ends[] = {
        "  - {kind: crash, target: n, at: 5200 ms, restart_after: 1 s}\n",
        "  - {kind: host_down, target: n, at: 5200 ms, restart_after: 1 s}\n",
        "  - {kind: flapping, target: n, at: 5200 ms, up_for: 9 s, "
        "down_for: 1 s}\n",
        /* full at 5.2, and over before it would fill again */
        "  - {kind: memory_leak, target: n, at: 3200 ms, for: 2500 ms, "
        "fills_in: 2 s, restart_after: 1 s}\n",
    };

    for (int a = 0; a < 4; a++)
        for (int e = 0; e < 4; e++) {
            double out_s = a == 3 ? 1 : 2.7;

            run_end_of_process(ailments[a], ends[e], "");
            CHECK_LATENCIES(0.1, 0.1, 0.1, NAN, NAN, NAN, 0.1, 0.1);
            CHECK_VALUE(M_AVAILABILITY, 1 - out_s / 9);
            forget_trial();
        }
    run_end_of_process("hang", ends[0], ""); /* the last is forgotten later */
}

/* Drained from 5.1 s on and closed 200 ms later; 1 s to begin. */
static void a_rollout_replaces_what_ails(void)
{
    static const char *const ailments[] = {"hang", "black_hole", "fail_fast"};

    for (int a = 0; a < 3; a++) {
        if (a > 0)
            forget_trial();
        run_end_of_process(ailments[a],
                           "balancer: {timeout: {attempt: 300 ms}}\n",
                           ", drain: {timeout: 200 ms}, "
                           "rollout: {at: 5100 ms}, start_up: {init: 1 s}");
        CHECK_LATENCIES(0.1, 0.1, 0.1, NAN, NAN, NAN, 0.1, 0.1);
    }
}

/* Slow machines and cut networks outlast the process: 0.1 s take 0.3. */
static void what_ails_the_machine_outlasts_the_process(void)
{
    static const char end[] =
        "  - {kind: crash, target: n, at: 5200 ms, restart_after: 1 s}\n";

    run_end_of_process("slow, factor: 3", end, "");
    CHECK_LATENCIES(0.1, 0.1, 0.1, 0.3, NAN, NAN, 0.3, 0.3);
    forget_trial();
    run_end_of_process("partition, seen_as: refused", end, "");
    CHECK_LATENCIES(0.1, 0.1, 0.1, NAN, NAN, NAN, NAN, NAN);
}

/* The restart at 5.5 s, which ends the hang, ends what else ails the process.
 */
static void the_restart_after_a_hang_cures_all(void)
{
    run_end_of_process("fail_fast",
                       "  - {kind: hang, target: n, lose: true, at: 3700 ms, "
                       "for: 1800 ms}\n",
                       "");
    CHECK_LATENCIES(0.1, 0.1, 0.1, NAN, NAN, 0.1, 0.1, 0.1);
    CHECK_VALUE(M_AVAILABILITY, 1 - 1.8 / 9);
}

/* The hang would end in a restart at 8.5 s, but the process is another by then;
   what strikes after the crash ends in its own time. */
static void a_hang_that_is_over_restarts_nothing(void)
{
    run_scenario("11 s", "800 ms",
                 ONE "faults:\n"
                     "  - {kind: hang, target: n, lose: true, at: 3900 ms, "
                     "for: 4600 ms}\n"
                     "  - {kind: crash, target: n, at: 5200 ms, "
                     "restart_after: 1 s}\n");
    CHECK_LATENCIES(0.8, 0.8, 0.8, NAN, NAN, NAN, 0.8, 0.8, 0.8, 0.8);
}

/* Two checks in a row are lost, whatever their phase, and the node is well. */
static void lost_probes_eject_a_node_that_is_well(void)
{
    run_scenario("14 s", "100 ms",
                 TWO "balancer: {health: {interval: 1 s, timeout: 500 ms, "
                     "unhealthy_after: 2, healthy_after: 1}}\n"
                     "faults: [{kind: probe_loss, target: \"n[1]\", share: 100 "
                     "%, at: 3500 ms, for: 6 s}]\n");
    CHECK_VALUE(M_EJECTIONS, 1);
    CHECK_VALUE(M_FALSE_EJECTIONS, 1);
    CHECK_VALUE(M_SUCCESS, 1);
}

/* Down for 1.8 s, and another one for 0.9, of 4 times 9. */
static void deaths_by_the_clock_are_told(void)
{
    run_scenario("9 s", "100 ms",
                 FOUR "faults:\n"
                      "  - {kind: crash, target: \"n[0]\", at: 3500 ms, "
                      "restart_after: 1800 ms}\n"
                      "  - {kind: host_down, target: \"n[1]\", at: 6500 ms, "
                      "restart_after: 900 ms}\n");
    CHECK_VALUE(M_STRIKES_CRASH, 1);
    CHECK_VALUE(M_STRIKES_HOST_DOWN, 1);
    CHECK_VALUE(M_AVAILABILITY, 1 - 2.7 / 36);
}

/* All four of the zone are down from 3.5 to 4.5 s; the turn at 4 s is that of
   the fourth, which the fault does not name. */
static void a_certain_spread_takes_the_zone(void)
{
    run_scenario("9 s", "100 ms",
                 FOUR "faults: [{kind: crash, target: \"n[0]\", spread: 100 %, "
                      "at: 3500 ms, restart_after: 1 s}]\n");
    CHECK_LATENCIES(0.1, 0.1, 0.1, NAN, 0.1, 0.1, 0.1, 0.1);
    CHECK_VALUE(M_STRIKES_CRASH, 4);
}

/* Two of four for 4 s of 9: 8 of 36 node seconds. */
static void so_many_fall_together(void)
{
    run_scenario("9 s", "100 ms",
                 FOUR "faults: [{kind: crash, target: \"n[*]\", together: 2, "
                      "at: 3500 ms, restart_after: 4 s}]\n");
    CHECK_VALUE(M_STRIKES_CRASH, 2);
    CHECK_VALUE(M_AVAILABILITY, 1 - 8.0 / 36);
}

/*
 * The door is shut while the word of the node is older than 1.5 s. Those of 4,
 * 5 and 6 s are lost: the one of 3 s lets in what comes at 4, and that of 7
 * what has come at 5 and 6.
 */
static void lost_reports_make_a_node_unknown(void)
{
    run_scenario("9 s", "100 ms",
                 ONE "balancer: {report_interval: 1 s, report_phase: same, "
                     "flow_control: {stale_after: 1500 ms}}\n"
                     "faults: [{kind: report_loss, target: n, share: 100 %, "
                     "at: 3500 ms, for: 3 s}]\n");
    CHECK_LATENCIES(0.1, 0.1, 0.1, 0.1, 2.1, 1.1, 0.1, 0.1);
    CHECK_VALUE(M_STRIKES_REPORT_LOSS, 1);
}

/* The same for the second of two balancers, who has what comes at even times:
   that of 6 s waits, and nobody at the first one does. */
static void reports_are_lost_to_one_balancer(void)
{
    run_scenario("9 s", "100 ms",
                 ONE "balancer: {count: 2, assign: round_robin, "
                     "report_interval: 1 s, report_phase: same, flow_control: "
                     "{stale_after: 1500 ms}}\n"
                     "faults: [{kind: report_loss, target: n, share: 100 %, "
                     "balancers: \"1\", at: 3500 ms, for: 3 s}]\n");
    CHECK_LATENCIES(0.1, 0.1, 0.1, 0.1, 0.1, 1.1, 0.1, 0.1);
}

/*
 * The words of 4, 5 and 6 s come 1.2 s later, when they are too old already;
 * that of 7 s is not held up but cannot overtake the one of 6 s, so that both
 * come at 7.2 s and let in what has come at 5, 6 and 7 s.
 */
static void late_reports_tell_when_they_were_true(void)
{
    run_scenario("9 s", "100 ms",
                 ONE "balancer: {report_interval: 1 s, report_phase: same, "
                     "flow_control: {stale_after: 1100 ms}}\n"
                     "faults: [{kind: report_delay, target: n, delay: 1200 ms, "
                     "at: 3500 ms, for: 3 s}]\n");
    CHECK_LATENCIES(0.1, 0.1, 0.1, 0.1, 2.3, 1.3, 0.3, 0.1);
    CHECK_VALUE(M_STRIKES_REPORT_DELAY, 1);
}

/* All ask for the same: a miss takes 10 + 100 ms, a hit 20 ms, and while the
   tier is out, from 3.5 to 6.5 s, a look-up is given up after 50 ms. */
static void run_tier_outage(const char *cold)
{
    char rest[400];

    snprintf(rest, sizeof rest,
             ONE "result_tier: {entries: 5, hit_time: 20 ms, miss_time: 10 ms, "
                 "timeout: 50 ms}\n"
                 "faults: [{kind: tier_outage, cold: %s, at: 3500 ms, for: 3 "
                 "s}]\n",
             cold);
    run_scenario("9 s", "100 ms}\n  keys: {dist: zipf, distinct: 1", rest);
    CHECK_VALUE(M_STRIKES_TIER_OUTAGE, 1);
}

static void a_tier_comes_back_empty(void)
{
    run_tier_outage("true");
    CHECK_LATENCIES(0.11, 0.02, 0.02, 0.15, 0.15, 0.15, 0.11, 0.02);
}

static void a_tier_that_was_cut_off_is_as_it_was(void)
{
    run_tier_outage("false");
    CHECK_LATENCIES(0.11, 0.02, 0.02, 0.15, 0.15, 0.15, 0.02, 0.02);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"slow stretches what is left", slow_stretches_what_is_left},
        {"slow comes in steps", slow_comes_in_steps},
        {"a partition cuts off one node", a_partition_cuts_off_one_node},
        {"flapping begins with a crash", flapping_begins_with_a_crash},
        {"a leak fills memory and kills", a_leak_fills_memory_and_kills},
        {"what ails a process ends with it", what_ails_a_process_ends_with_it},
        {"a rollout replaces what ails", a_rollout_replaces_what_ails},
        {"what ails the machine outlasts the process",
         what_ails_the_machine_outlasts_the_process},
        {"the restart after a hang cures all",
         the_restart_after_a_hang_cures_all},
        {"a hang that is over restarts nothing",
         a_hang_that_is_over_restarts_nothing},
        {"lost probes eject a node that is well",
         lost_probes_eject_a_node_that_is_well},
        {"deaths by the clock are told", deaths_by_the_clock_are_told},
        {"a certain spread takes the zone", a_certain_spread_takes_the_zone},
        {"so many fall together", so_many_fall_together},
        {"lost reports make a node unknown", lost_reports_make_a_node_unknown},
        {"reports are lost to one balancer", reports_are_lost_to_one_balancer},
        {"late reports tell when they were true",
         late_reports_tell_when_they_were_true},
        {"a tier comes back empty", a_tier_comes_back_empty},
        {"a tier that was cut off is as it was",
         a_tier_that_was_cut_off_is_as_it_was},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("fault_kinds", NULL, NULL, NULL, forget_trial, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
