/*
 * Whole simulations of scenarios so small that their outcome can be said
 * beforehand. Unless a test says otherwise, requests arrive every 0.1 s from
 * 0.1 s to 9.9 s, 99 in all, and keep the one slot of the one node busy for
 * 0.05 s each.
 */
#include "tests/unit/experiment/simulation_world.h"

/* --- the run -------------------------------------------------------------- */

/* Busy 99 * 0.05 of 10 s; nobody waits. */
static void quiet_node_serves_all(void)
{
    run(SIM_OK);
    CHECK_UINT(result.books.arrived, 99);
    CHECK_UINT(result.books.completed, 99);
    CHECK_UINT(result.measured, 99);
    CHECK_NEAR(result.values[M_LATENCY_MAX], 0.05, 1e-9);
    CHECK_NEAR(result.values[M_LATENCY_MEAN], 0.05, 1e-9);
    CHECK_NEAR(result.values[M_WAIT_MEAN], 0, 1e-12);
    CHECK_NEAR(result.values[M_THROUGHPUT], 9.9, 1e-9);
    CHECK_NEAR(result.values[M_GPU_USE], 0.495, 1e-9);
    CHECK_NEAR(result.nodes[0].use_ratio, 0.495, 1e-9);
    CHECK_UINT(result.nodes[0].attempts, 99);
    CHECK(!result.unstable);
    CHECK(result.events >= 2 * 99); /* arrivals and answers */
}

/* Request k of 1 to 99 waits for those before it: served from 0.1 + 0.2 (k -
   1) to 0.1 + 0.2 k, so it takes 0.1 + 0.1 k. */
static void queue_of_a_busy_node_is_lindleys(void)
{
    scenario.workload.work = constant(0.2);
    setup.keep_latencies = true;
    run(SIM_OK);
    for (uint64_t k = 1; k <= 99; k++)
        CHECK_NEAR(result.latencies[k - 1], 0.1 + 0.1 * (double)k, 1e-6);
    CHECK(result.unstable);
    CHECK_NEAR(result.values[M_GPU_USE], 0.99, 1e-9);
}

static void limit_of_events_stops(void)
{
    setup.limit_events = 50;
    run(SIM_STOPPED);
    CHECK(!result.nodes);
    CHECK_UINT(result.books.arrived, 0); /* void */
    setup.limit_events = 1000000;
    run(SIM_OK);
}

/* It is looked at now and then, long before these 100,000 requests are over. */
static void stop_flag_stops(void)
{
    atomic_bool stop = true;
    _Atomic uint64_t progress_ns = 0;

    scenario.workload.arrivals.rate_per_s = 10000;
    scenario.workload.work = constant(0.00001);
    setup.stop = &stop;
    setup.progress_ns = &progress_ns;
    run(SIM_STOPPED);
    CHECK(atomic_load(&progress_ns) < (uint64_t)(5 * S));
    atomic_store(&stop, false);
    run(SIM_OK);
}

/* The last to happen is the window's end at 10 s. */
static void progress_adds_up_to_the_length_of_the_run(void)
{
    _Atomic uint64_t progress_ns = 5;

    setup.progress_ns = &progress_ns;
    run(SIM_OK);
    CHECK_UINT(atomic_load(&progress_ns), 10 * S + 5);
}

static void naming_no_node_is_an_error_of_the_policy(void)
{
    probe.broken_from = 1;
    probe.broken_slot = 1;
    run(SIM_POLICY_ERROR);
    CHECK(!result.nodes);
    probe.broken_from = 90; /* wrong once is enough */
    run(SIM_POLICY_ERROR);
}

static void naming_an_ineligible_node_is_an_error_of_the_policy(void)
{
    scenario.group_count = scenario.node_count = 2;
    groups[1].weight = 0;
    run(SIM_OK);
    probe.broken_from = probe.picks + 1;
    probe.broken_slot = 1;
    run(SIM_POLICY_ERROR);
}

/* --- the window ----------------------------------------------------------- */

/* Arrival 40, the 41st, comes at 4.1 s and opens it. */
static void warm_up_may_count_requests(void)
{
    scenario.warm_up =
        (struct warm_up_spec){.kind = WARM_UP_REQUESTS, .requests = 40};
    run(SIM_OK);
    CHECK_UINT(result.excluded, 40);
    CHECK_UINT(result.measured, 59);
    CHECK_UINT(result.books.completed, 99);
    CHECK_NEAR(result.window_start_s, 4.1, 1e-9);
    CHECK_NEAR(result.values[M_THROUGHPUT], 59 / 5.9, 1e-9);
}

/* 49 arrive before 5 s; the one at 5 s is measured. */
static void warm_up_may_be_a_time(void)
{
    scenario.warm_up =
        (struct warm_up_spec){.kind = WARM_UP_TIME, .time_ns = 5 * S};
    run(SIM_OK);
    CHECK_UINT(result.excluded, 49);
    CHECK_UINT(result.measured, 50);
    CHECK_NEAR(result.window_start_s, 5, 1e-9);
}

static void given_warm_up_comes_before_that_of_the_scenario(void)
{
    scenario.warm_up =
        (struct warm_up_spec){.kind = WARM_UP_REQUESTS, .requests = 40};
    setup.warm_up_ns = 2 * S;
    run(SIM_OK);
    CHECK_UINT(result.excluded, 19);
    CHECK_NEAR(result.window_start_s, 2, 1e-9);
    scenario.warm_up =
        (struct warm_up_spec){.kind = WARM_UP_TIME, .time_ns = 5 * S};
    setup.warm_up_ns = 0; /* none, and not "unsaid" */
    run(SIM_OK);
    CHECK_UINT(result.excluded, 0);
}

static void warm_up_beyond_the_end_measures_nothing(void)
{
    scenario.warm_up =
        (struct warm_up_spec){.kind = WARM_UP_REQUESTS, .requests = 1000};
    run(SIM_OK);
    CHECK_UINT(result.measured, 0);
    CHECK_UINT(result.books.completed, 99);
    setup.warm_up_ns = 10 * S;
    run(SIM_OK);
    CHECK_UINT(result.measured, 0);
}

/* Twelve seconds of work each, side by side: at 15 s those are done that
   came by 3 s, thirty of them. */
static void drain_ends_with_its_time(void)
{
    groups[0].engine.slots = 200;
    scenario.workload.work = constant(12);
    scenario.drain_ns = 5 * S;
    run(SIM_OK);
    CHECK_UINT(result.books.completed, 30);
    CHECK_UINT(result.books.unfinished, 69);
    CHECK_NEAR(result.values[M_UNFINISHED], 69, 0);
    CHECK_NEAR(result.values[M_LATENCY_MAX], 12, 1e-9);
    CHECK(isinf(result.values[M_LATENCY_ALL_P50]));
    scenario.drain_ns = INT64_MAX;
    run(SIM_OK);
    CHECK_UINT(result.books.completed, 99);
}

/* Requests 2, 5, 8, ... are turned away. */
static void latencies_have_holes_where_no_answer_came(void)
{
    probe.third = LBP_REFUSE;
    setup.keep_latencies = true;
    run(SIM_OK);
    CHECK_UINT(result.latency_count, 99);
    CHECK_UINT(result.books.refused, 33);
    for (uint32_t i = 0; i < 99; i++)
        if (i % 3 == 2)
            CHECK(isnan(result.latencies[i]));
        else
            CHECK_NEAR(result.latencies[i], 0.05, 1e-9);
}

static void no_node_that_suits_is_a_failure(void)
{
    probe.third = LBP_NO_NODE;
    run(SIM_OK);
    CHECK_UINT(result.books.failed, 33);
    CHECK_NEAR(result.values[M_ERRORS_NO_NODE], 33, 0);
}

/* One at a time in the node, the others at the door: as if they queued inside,
   but for the node's queue. */
static void waiting_at_the_door_is_first_come_first_served(void)
{
    probe.waits = true;
    scenario.workload.work = constant(0.2);
    setup.keep_latencies = true;
    run(SIM_OK);
    CHECK_UINT(result.books.completed, 99);
    for (uint64_t k = 1; k <= 99; k++)
        CHECK_NEAR(result.latencies[k - 1], 0.1 + 0.1 * (double)k, 1e-6);
    CHECK_NEAR(result.nodes[0].queue_mean_requests, 0, 1e-12);
    CHECK_NEAR(result.values[M_IN_FLIGHT], 0.99, 1e-9);
}

/* Served by turns of 0.2 s, and given up 1 s after arrival: request k, the
   first being 1, is served in time as long as 0.1 + 0.1 k <= 1. */
static void waiting_at_the_door_may_time_out(void)
{
    probe.waits = true;
    scenario.workload.work = constant(0.2);
    scenario.balancer.timeout.total_ns = S;
    setup.keep_latencies = true;
    run(SIM_OK);
    for (uint64_t k = 1; k <= 8; k++)
        CHECK_NEAR(result.latencies[k - 1], 0.1 + 0.1 * (double)k, 1e-6);
    CHECK(result.books.timed_out > 30);
    CHECK_UINT(result.books.timed_out + result.books.completed, 99);
}

/* Twelve seconds of work, and nobody waits for more than one. A node that is
   told stops then: busy for 90 s and 0.9 + ... + 0.1 s up to 10 s, of 200
   slots. One that is not told goes on for nobody, to the end and beyond:
   9.9 + 9.8 + ... + 0.1 = 495 s. */
static void given_up_work_goes_on_unless_cancelled(void)
{
    groups[0].engine.slots = 200;
    scenario.workload.work = constant(12);
    scenario.balancer.timeout.total_ns = S;
    scenario.drain_ns = 5 * S;
    run(SIM_OK);
    CHECK_UINT(result.books.timed_out, 99);
    CHECK_NEAR(result.values[M_GPU_USE], 94.5 / 2000, 1e-9);
    scenario.balancer.timeout.cancel = false;
    run(SIM_OK);
    CHECK_UINT(result.books.timed_out, 99);
    CHECK_UINT(result.books.unfinished, 0); /* the work is, the requests not */
    CHECK_NEAR(result.values[M_GPU_USE], 495.0 / 2000, 1e-9);
}

/* The bound of the strictest latency goal: 0.1 + 0.1 k <= 1 for nine. */
static void goodput_follows_the_goal_of_latency(void)
{
    goal = (struct goal_spec){M_LATENCY_ALL_P99, 1.0001};
    scenario.goal_count = 1;
    scenario.workload.work = constant(0.2);
    run(SIM_OK);
    CHECK_NEAR(result.values[M_GOODPUT], 0.9, 1e-9);
    goal = (struct goal_spec){M_SUCCESS, 0.9};
    run(SIM_OK);
    CHECK(isnan(result.values[M_GOODPUT]));
}

/* --- what happens by itself ----------------------------------------------- */

/* First right after the members are shown, then every second up to the end. */
static void timer_rings_when_the_policy_asks(void)
{
    probe_ops.on_timer = probe_timer;
    run(SIM_OK);
    CHECK_UINT(probe.timer_calls, 11); /* at 0, 1, ..., 10 s */
    CHECK_INT(probe.last_timer_ns, 10 * S);
}

static void without_an_interval_nothing_is_reported(void)
{
    probe_ops.needs = LBP_NEEDS_REPORTS;
    run(SIM_OK);
    CHECK_UINT(probe.reports, 0);
    CHECK_INT(probe.shown.reported_at_ns, LBP_NO_TIME);
    CHECK_INT(probe.shown.queue_depth, -1);
    CHECK(probe.shown.gpu_use < 0);
}

/* Once a second, at a phase of the node's own. In each second half is busy. */
static void reports_come_at_their_interval(void)
{
    scenario.balancer.report_interval_ns = S;
    run(SIM_OK);
    CHECK_UINT(probe.reports, 10);
    CHECK_NEAR(probe.shown.gpu_use, 0.5, 1e-6);
    CHECK(probe.shown.cpu_use < 0); /* not stated */
    CHECK(probe.shown.memory_use < 0);
    CHECK(probe.shown.reported_at_ns > 8 * S);
    CHECK(probe.stale_picks > 80);
}

/* At 0, 1, ..., 10 s, before what else these instants hold. */
static void reports_may_be_made_all_at_once(void)
{
    scenario.balancer.report_interval_ns = S;
    scenario.balancer.report_phase = REPORT_PHASE_SAME;
    set_nodes(3);
    run(SIM_OK);
    CHECK_UINT(probe.reports, 3 * 11);
    CHECK_INT(probe.shown.reported_at_ns % S, 0);
}

/* Made ten times from a phase below 1 s on, the last one or two of them still
   under way at 10 s, when the run is over. */
static void late_reports_tell_when_they_were_true(void)
{
    scenario.balancer.report_interval_ns = S;
    scenario.balancer.report_delay_ns = 3 * S / 2;
    run(SIM_OK);
    CHECK(probe.reports == 8 || probe.reports == 9);
    CHECK_INT(probe.report_age_ns, 3 * S / 2);
    CHECK_NEAR(probe.shown.gpu_use, 0.5, 1e-6);
    CHECK(probe.shown.reported_at_ns < 8500 * S / 1000);
}

/* 600 s of reports every 0.1 s: 6000 to each of two balancers, of which each
   loses half on its own: 6000 in all, standard deviation sqrt(12000 / 4). */
static void lost_reports_do_not_arrive(void)
{
    scenario.duration_ns = 600 * S;
    scenario.balancer.count = 2;
    scenario.balancer.report_interval_ns = S / 10;
    scenario.balancer.report_loss = 0.5;
    run(SIM_OK);
    CHECK_NEAR(probe.reports, 6000, 4 * 54.8);
    CHECK_INT(probe.report_age_ns, 0);
    probe.reports = 0;
    scenario.balancer.report_delay_ns = S / 4;
    run(SIM_OK);
    CHECK_NEAR(probe.reports, 6000, 4 * 54.8);
    CHECK_INT(probe.report_age_ns, S / 4);
    probe.reports = 0;
    scenario.balancer.report_loss = 1;
    run(SIM_OK);
    CHECK_UINT(probe.reports, 0);
}

/* What is in flight is in the node, for there is no network in between: one
   runs, the others queue. Without a need for reports none are made. */
static void reports_of_interval_0_are_fresh_at_every_pick(void)
{
    scenario.balancer.report_interval_ns = 0;
    scenario.workload.work = constant(0.2);
    groups[0].memory_given = true;
    groups[0].memory_base = 0.25;
    groups[0].memory_per_request = 0.5;
    probe_ops.needs = LBP_NEEDS_REPORTS;
    run(SIM_OK);
    CHECK_UINT(probe.picks, 99);
    CHECK_UINT(probe.stale_picks, 0);
    CHECK_UINT(probe.reports, 0);
    CHECK_NEAR(probe.shown.gpu_use, 1, 0);
    CHECK_NEAR(probe.shown.memory_use, 0.75, 0);
    CHECK(probe.shown.cpu_use < 0);
    probe_ops.needs = 0;
    run(SIM_OK);
    CHECK_INT(probe.shown.reported_at_ns, LBP_NO_TIME);
}

/* base 20 ms, 100 input tokens of 0.1 ms, 10 output tokens of 2 ms: the first
   token after 30 ms, the answer after 50, 20 / 9 ms a token in between. */
static void first_tokens_are_told_and_measured(void)
{
    probe_ops.on_first_token = probe_first_token;
    groups[0].engine.service = (struct service_spec){true, 0.02, 0.0001, 0.002};
    scenario.workload.work = (struct dist){.kind = DIST_NONE};
    scenario.workload.input_tokens = constant(100);
    scenario.workload.output_tokens = constant(10);
    run(SIM_OK);
    CHECK_UINT(probe.first_tokens, 99);
    CHECK_NEAR(result.values[M_TTFT_MEAN], 0.03, 1e-9);
    CHECK_NEAR(result.values[M_LATENCY_MEAN], 0.05, 1e-9);
    CHECK_NEAR(result.values[M_TPOT_MEAN], 0.02 / 9, 1e-8);
}

/* 30 ms each way, and 50 ms of work. */
static void network_takes_its_time_twice(void)
{
    scenario.balancer.network_delay_ns = 30 * S / 1000;
    run(SIM_OK);
    CHECK_NEAR(result.values[M_LATENCY_MEAN], 0.11, 1e-9);
    CHECK_NEAR(result.values[M_WAIT_MEAN], 0, 1e-12);
    CHECK_NEAR(result.values[M_GPU_USE], 0.495, 1e-9);
}

int main(int argc, char **argv)
{
    CU_TestInfo runs[] = {
        {"quiet node serves all", quiet_node_serves_all},
        {"queue of a busy node", queue_of_a_busy_node_is_lindleys},
        {"limit of events stops", limit_of_events_stops},
        {"stop flag stops", stop_flag_stops},
        {"progress adds up", progress_adds_up_to_the_length_of_the_run},
        {"naming no node is an error",
         naming_no_node_is_an_error_of_the_policy},
        {"naming an ineligible node is an error",
         naming_an_ineligible_node_is_an_error_of_the_policy},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo window[] = {
        {"warm-up may count requests", warm_up_may_count_requests},
        {"warm-up may be a time", warm_up_may_be_a_time},
        {"given warm-up comes first",
         given_warm_up_comes_before_that_of_the_scenario},
        {"warm-up beyond the end", warm_up_beyond_the_end_measures_nothing},
        {"drain ends with its time", drain_ends_with_its_time},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo endings[] = {
        {"latencies have holes", latencies_have_holes_where_no_answer_came},
        {"no node that suits", no_node_that_suits_is_a_failure},
        {"waiting at the door is first come first served",
         waiting_at_the_door_is_first_come_first_served},
        {"waiting at the door may time out", waiting_at_the_door_may_time_out},
        {"given up work goes on unless cancelled",
         given_up_work_goes_on_unless_cancelled},
        {"goodput follows the goal", goodput_follows_the_goal_of_latency},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo rhythms[] = {
        {"timer rings", timer_rings_when_the_policy_asks},
        {"nothing is reported without an interval",
         without_an_interval_nothing_is_reported},
        {"reports come at their interval", reports_come_at_their_interval},
        {"reports may be made all at once", reports_may_be_made_all_at_once},
        {"late reports tell when they were true",
         late_reports_tell_when_they_were_true},
        {"lost reports do not arrive", lost_reports_do_not_arrive},
        {"reports of interval 0 are fresh at every pick",
         reports_of_interval_0_are_fresh_at_every_pick},
        {"first tokens", first_tokens_are_told_and_measured},
        {"network takes its time twice", network_takes_its_time_twice},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("simulation runs", NULL, NULL, prepare, forget, runs),
        SUITE("simulation window", NULL, NULL, prepare, forget, window),
        SUITE("simulation endings", NULL, NULL, prepare, forget, endings),
        SUITE("simulation rhythms", NULL, NULL, prepare, forget, rhythms),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
