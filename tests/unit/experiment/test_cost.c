/*
 * Cost, by hand: three nodes of 2.50 and one of 0.50 an hour, over a window of
 * 30 minutes: 2 node hours that cost 4.00.
 */
#include "sim/experiment/cost.h"
#include "tests/check.h"

static struct group_spec groups[3];
static struct scenario scenario;
static struct node_result nodes[4];
static struct run_result run;

static void prepare(void)
{
    groups[0] = (struct group_spec){.count = 3, .cost_per_hour = 2.5};
    groups[1] = (struct group_spec){.count = 0, .cost_per_hour = 100};
    groups[2] = (struct group_spec){.count = 1, .cost_per_hour = 0.5};
    scenario =
        (struct scenario){.group_count = 3, .groups = groups, .node_count = 4};
    run = (struct run_result){
        .window_start_s = 600, .window_end_s = 2400, .nodes = nodes};
    for (int i = 0; i < MEASURE_COUNT; i++)
        run.values[i] = NAN;
    run.values[M_COMPLETED] = 15000;
    run.values[M_DEGRADED] = 1000;
    run.values[M_GOODPUT] = 5000 / 1800.0; /* 5000 answers in goal */
}

static void cost_is_hours_times_price(void)
{
    cost_finish(&scenario, &run);
    CHECK_NEAR(run.values[M_NODE_HOURS], 2, 1e-12);
    CHECK_NEAR(run.values[M_COST], 4, 1e-12);
    CHECK_NEAR(run.values[M_COST_PER_1000], 0.25, 1e-12);
    CHECK_NEAR(run.values[M_COST_PER_1000_IN_GOAL], 0.8, 1e-12);
}

static void without_answers_there_is_no_price_for_them(void)
{
    run.values[M_COMPLETED] = 0;
    run.values[M_DEGRADED] = 0;
    run.values[M_GOODPUT] = NAN; /* no goal of latency */
    cost_finish(&scenario, &run);
    CHECK_NEAR(run.values[M_COST], 4, 1e-12);
    CHECK(isnan(run.values[M_COST_PER_1000]));
    CHECK(isnan(run.values[M_COST_PER_1000_IN_GOAL]));
}

static void cost_that_nobody_states_is_absent(void)
{
    groups[0].cost_per_hour = groups[1].cost_per_hour = 0;
    groups[2].cost_per_hour = 0;
    CHECK(!cost_is_stated(&scenario));
    cost_finish(&scenario, &run);
    CHECK(isnan(run.values[M_NODE_HOURS]));
    CHECK(isnan(run.values[M_COST]));
}

static void window_that_never_opened_costs_nothing(void)
{
    run.nodes = NULL;
    cost_finish(&scenario, &run);
    CHECK(isnan(run.values[M_COST]));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"cost is hours times price", cost_is_hours_times_price},
        {"without answers there is no price for them",
         without_answers_there_is_no_price_for_them},
        {"cost that nobody states is absent",
         cost_that_nobody_states_is_absent},
        {"a window that never opened costs nothing",
         window_that_never_opened_costs_nothing},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("cost", NULL, NULL, prepare, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
