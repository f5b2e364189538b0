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
        {"lost probes eject a node that is well",
         lost_probes_eject_a_node_that_is_well},
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
