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
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("fault_kinds", NULL, NULL, NULL, forget_trial, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
