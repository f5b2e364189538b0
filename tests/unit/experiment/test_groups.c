/*
 * Totals of groups, by hand: two nodes of one kind, none of another, one of a
 * third; two replications of which the second is worth three times the first.
 */
#include "sim/experiment/groups.h"
#include "tests/check.h"

static struct group_spec groups[3];
static struct scenario scenario;
static struct node_result nodes[2][3];
static struct run_result runs[2];
static struct group_fold folds[3];

static struct node_result node_of(double factor, double hit_ratio)
{
    return (struct node_result){
        .attempts = (uint64_t)(20 * factor),
        .completed = (uint64_t)(10 * factor),
        .share_ratio = 0.1 * factor,
        .use_ratio = 0.2 * factor,
        .gpu_ratio = 0.2 * factor,
        .cpu_ratio = NAN,
        .memory_ratio = NAN,
        .in_flight_mean_requests = factor,
        .queue_mean_requests = factor / 2,
        .hit_ratio = hit_ratio,
        .evictions = 4,
        .down_ratio = 0.125,
        .deaths = 1,
    };
}

static void prepare(void)
{
    for (int g = 0; g < 3; g++)
        groups[g] = (struct group_spec){.name = "g", .weight = 1};
    groups[0].count = 2;
    groups[2].count = 1;
    scenario =
        (struct scenario){.group_count = 3, .groups = groups, .node_count = 3};
    for (int r = 0; r < 2; r++) {
        double worth = r == 0 ? 1 : 3;

        nodes[r][0] = node_of(worth, 0.5);
        nodes[r][1] = node_of(2 * worth, 0.2);
        nodes[r][2] = node_of(worth, NAN);
        runs[r] = (struct run_result){.node_count = 3, .nodes = nodes[r]};
    }
}

/* Sums 1 + 2 of the unit, times the mean worth of 2. Hits: 5 of 10 and 4 of 20,
   so 9 of 30 in either replication. */
static void sums_and_means_are_as_by_hand(void)
{
    group_folds_make(&scenario, runs, 2, folds);
    CHECK_NEAR(folds[0].attempts, 20 * 3 * 2, 1e-9);
    CHECK_NEAR(folds[0].completed, 10 * 3 * 2, 1e-9);
    CHECK_NEAR(folds[0].share_ratio, 0.1 * 3 * 2, 1e-12);
    CHECK_NEAR(folds[0].use_ratio, 0.2 * 1.5 * 2, 1e-12);
    CHECK_NEAR(folds[0].gpu_ratio, 0.2 * 1.5 * 2, 1e-12);
    CHECK_NEAR(folds[0].in_flight_mean_requests, 3 * 2, 1e-12);
    CHECK_NEAR(folds[0].queue_mean_requests, 1.5 * 2, 1e-12);
    CHECK_NEAR(folds[0].hit_ratio, 0.3, 1e-12);
    CHECK_NEAR(folds[0].evictions, 8, 1e-12);
    CHECK_NEAR(folds[0].down_ratio, 0.125, 1e-12);
    CHECK_NEAR(folds[0].deaths, 2, 1e-12);
    CHECK(isnan(folds[0].cpu_ratio));
    CHECK(isnan(folds[0].memory_ratio));
    CHECK(isnan(folds[2].hit_ratio));
    CHECK_NEAR(folds[2].attempts, 40, 1e-9);
}

static void group_without_nodes_has_nothing(void)
{
    group_folds_make(&scenario, runs, 2, folds);
    CHECK_NEAR(folds[1].attempts, 0, 0);
    CHECK_NEAR(folds[1].completed, 0, 0);
    CHECK(isnan(folds[1].use_ratio));
    CHECK(isnan(folds[1].hit_ratio));
}

/* A run whose window never opened knows no nodes. */
static void runs_without_nodes_have_nothing(void)
{
    runs[0] = (struct run_result){0};
    group_folds_make(&scenario, runs, 1, folds);
    CHECK_NEAR(folds[0].attempts, 0, 0);
    CHECK(isnan(folds[0].use_ratio));
}

/* Half an hour at 2 an hour: one node all the time, one for half of it; 30
   answers. */
static void cost_is_of_nodes_that_were_there(void)
{
    groups[0].cost_per_hour = 2;
    for (int r = 0; r < 2; r++) {
        runs[r].window_start_s = 600;
        runs[r].window_end_s = 2400;
        nodes[r][1].absent_ratio = 0.5;
    }
    group_folds_make(&scenario, runs, 1, folds);
    CHECK_NEAR(folds[0].cost, 1.5, 1e-12);
    CHECK_NEAR(folds[0].cost_per_1000, 50, 1e-9);
    CHECK_NEAR(folds[1].cost, 0, 0);
    CHECK(isnan(folds[1].cost_per_1000));
    CHECK_NEAR(folds[2].cost, 0, 0); /* it states none */
    groups[0].cost_per_hour = 0;
    group_folds_make(&scenario, runs, 1, folds);
    CHECK(isnan(folds[0].cost));
}

static void latencies_are_means_over_replications(void)
{
    struct group_latency latencies[2][3] = {{{1, 2, 3}, {NAN, NAN, NAN}},
                                            {{3, 4, 7}, {NAN, NAN, NAN}}};

    group_folds_make(&scenario, runs, 2, folds);
    CHECK(isnan(folds[0].latency_mean_s));
    for (int r = 0; r < 2; r++)
        runs[r].group_latencies = latencies[r];
    group_folds_make(&scenario, runs, 2, folds);
    CHECK_NEAR(folds[0].latency_mean_s, 2, 0);
    CHECK_NEAR(folds[0].latency_p50_s, 3, 0);
    CHECK_NEAR(folds[0].latency_p99_s, 5, 0);
    CHECK(isnan(folds[1].latency_p99_s));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"sums and means are as by hand", sums_and_means_are_as_by_hand},
        {"a group without nodes has nothing", group_without_nodes_has_nothing},
        {"runs without nodes have nothing", runs_without_nodes_have_nothing},
        {"cost is of nodes that were there", cost_is_of_nodes_that_were_there},
        {"latencies are means over replications",
         latencies_are_means_over_replications},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("groups", NULL, NULL, prepare, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
