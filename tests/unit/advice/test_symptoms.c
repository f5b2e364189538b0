/*
 * Symptoms of nodes whose use over time is written by hand, and what a cure
 * explains of them, by arithmetic.
 */
#include "sim/advice/diagnosis.h"
#include "tests/check.h"

#include <stdlib.h>

#define NODES 4
#define BUCKETS 20 /* of 10 s */
#define RUNS 3

static struct node_bucket cells[2][RUNS][BUCKETS][NODES];
static struct node_result nodes[2][RUNS][NODES];
static struct watched_run runs[2][RUNS];
static double edges[BUCKETS + 1];
static struct watch watches[2];
static const struct group_spec group = {
    .name = "n",
    .count = NODES,
    .engine = {.kind = ENGINE_SLOTS, .slots = 2, .speed = 1}};
static const struct scenario scenario = {
    .group_count = 1, .groups = &group, .node_count = NODES};
static const struct symptom_bounds bounds = {0.8, 0.2, 30};
static const struct cause any = {.symptoms = UINT32_MAX};
static struct symptoms symptoms;

/* All nodes at half of their capacity. */
static void half_busy(void)
{
    for (int w = 0; w < 2; w++) {
        for (int r = 0; r < RUNS; r++) {
            for (int b = 0; b < BUCKETS; b++)
                for (int n = 0; n < NODES; n++)
                    cells[w][r][b][n] = (struct node_bucket){
                        .use_ratio = 0.5, .in_flight_mean_requests = 1};
            for (int n = 0; n < NODES; n++)
                nodes[w][r][n] = (struct node_result){
                    .attempts = 1000, .completed = 1000, .use_ratio = 0.5};
            runs[w][r].cells = &cells[w][r][0][0];
            runs[w][r].nodes = nodes[w][r];
        }
        watches[w] = (struct watch){.run_count = RUNS,
                                    .node_count = NODES,
                                    .bucket_count = BUCKETS,
                                    .edges_s = edges,
                                    .runs = runs[w]};
    }
    for (int b = 0; b <= BUCKETS; b++)
        edges[b] = 10 * b;
}

static void forget(void)
{
    symptoms_done(&symptoms);
}

static void set_use(int watch, int node, int from, int to, double use)
{
    for (int r = 0; r < RUNS; r++)
        for (int b = from; b < to; b++)
            cells[watch][r][b][node].use_ratio = use;
}

static uint32_t find(void)
{
    symptoms_done(&symptoms);
    CHECK(symptoms_find(&watches[0], &scenario, &bounds, &symptoms));
    return symptoms.finding_count;
}

static void even_nodes_have_nothing(void)
{
    CHECK_UINT(find(), 0);
    CHECK(!symptoms.pool_is_full);
    CHECK_NEAR(symptoms.pool_use, 0.5, 1e-12);
}

static void hot_is_found_with_its_time(void)
{
    set_use(0, 2, 5, 12, 0.95); /* 50 s to 120 s */
    CHECK_UINT(find(), 1);
    CHECK_INT(symptoms.findings[0].symptom, SYMPTOM_HOT);
    CHECK_UINT(symptoms.findings[0].first_node, 2);
    CHECK_UINT(symptoms.findings[0].nodes, 1);
    /* a spell of 30 s holds: means of 0.95, 0.95, 0.5 are exactly 0.8 */
    CHECK(symptoms.findings[0].start_s <= 50 &&
          symptoms.findings[0].start_s >= 40);
    CHECK(symptoms.findings[0].end_s >= 120 &&
          symptoms.findings[0].end_s <= 130);
}

static void short_is_not_long(void)
{
    set_use(0, 2, 5, 7, 1); /* 20 s: no spell of 30 s has a mean above 0.84 */
    set_use(0, 2, 7, 8, 0.3);
    set_use(0, 2, 4, 5, 0.3);
    CHECK_UINT(find(), 0);
}

/* (0.9 + 3 x 0.85) / 4 = 0.8625, and 0.9 is no quarter more. */
static void busy_among_the_busy_is_not_hot(void)
{
    for (int n = 0; n < NODES; n++)
        set_use(0, n, 0, BUCKETS, n == 2 ? 0.9 : 0.85);
    CHECK_UINT(find(), 0);
}

static void all_full_is_lack_of_capacity(void)
{
    for (int n = 0; n < NODES; n++)
        set_use(0, n, 0, BUCKETS, 1);
    CHECK_UINT(find(), 0);
    CHECK(symptoms.pool_is_full);
}

static void idle_counts_beside_a_hot_one_only(void)
{
    set_use(0, 1, 0, BUCKETS, 0.05);
    CHECK_UINT(find(), 0);
    set_use(0, 2, 0, BUCKETS, 0.95);
    CHECK_UINT(find(), 2);
    CHECK_INT(symptoms.findings[1].symptom, SYMPTOM_IDLE);
    CHECK_UINT(symptoms.findings[1].first_node, 1);
}

static void dead_is_not_idle(void)
{
    set_use(0, 1, 0, BUCKETS, 0);
    set_use(0, 2, 0, BUCKETS, 0.95);
    for (int r = 0; r < RUNS; r++)
        for (int b = 0; b < BUCKETS; b++) {
            cells[0][r][b][1].down_ratio = 1;
            cells[0][r][b][1].in_flight_mean_requests = 0;
        }
    CHECK_UINT(find(), 1);
}

/* Nodes of an autoscaler are not there before they are made. */
static void absent_is_not_idle(void)
{
    set_use(0, 1, 0, BUCKETS, 0);
    set_use(0, 2, 0, BUCKETS, 0.95);
    for (int r = 0; r < RUNS; r++)
        for (int b = 0; b < BUCKETS; b++) {
            cells[0][r][b][1].absent_ratio = 1;
            cells[0][r][b][1].in_flight_mean_requests = 0;
        }
    CHECK_UINT(find(), 1);
    CHECK_INT(symptoms.findings[0].symptom, SYMPTOM_HOT);
}

static void holding_without_serving_swallows(void)
{
    set_use(0, 3, 8, 10, 0);
    for (int r = 0; r < RUNS; r++)
        for (int b = 8; b < 10; b++)
            cells[0][r][b][3].in_flight_mean_requests = 7;
    CHECK_UINT(find(), 1);
    CHECK_INT(symptoms.findings[0].symptom, SYMPTOM_SWALLOWS);
    CHECK_NEAR(symptoms.findings[0].start_s, 80, 1e-9);
    CHECK_NEAR(symptoms.findings[0].end_s, 100, 1e-9);
    CHECK_NEAR(symptoms.findings[0].level, 7, 1e-9);
    CHECK_NEAR(
        symptoms_excess(&symptoms, &symptoms.findings[0], &watches[0], 0), 140,
        1e-9); /* 7 for 20 s */
}

static void losing_is_told_from_others(void)
{
    for (int r = 0; r < RUNS; r++)
        for (int n = 0; n < NODES; n++)
            nodes[0][r][n].completed = n == 0 ? 900 : 990;
    CHECK_UINT(find(), 1); /* 10 % against 1 % */
    CHECK_INT(symptoms.findings[0].symptom, SYMPTOM_LOSES);
    CHECK_NEAR(symptoms.findings[0].level, 0.1, 1e-9);
    CHECK_NEAR(symptoms.findings[0].others, 0.01, 1e-9);
    for (int r = 0; r < RUNS; r++)
        nodes[0][r][0].completed = 985;
    CHECK_UINT(find(), 0);
}

/* M/M/2 at use 0.5: C(2, 1) = 1/3 wait, Lq = 1/3 x 0.5 / 0.5 = 1/3; the bound
   is 1 + 4/3. */
static void queues_beyond_their_load_are_surges(void)
{
    for (int r = 0; r < RUNS; r++)
        nodes[0][r][1].queue_mean_requests = 2.3;
    CHECK_UINT(find(), 0);
    for (int r = 0; r < RUNS; r++)
        nodes[0][r][1].queue_mean_requests = 2.4;
    CHECK_UINT(find(), 1);
    CHECK_INT(symptoms.findings[0].symptom, SYMPTOM_SURGES);
    CHECK_NEAR(symptoms.findings[0].others, 1.0 / 3, 1e-12);
}

/* 40 s in which all are full, and 8 more wait in node 1: 32 of the 48 that wait
   in its buckets do so then, for 1 waits in each of the other 16. */
static void queues_while_all_are_full_are_no_surges(void)
{
    for (int n = 0; n < NODES; n++)
        set_use(0, n, 5, 9, 1);
    for (int r = 0; r < RUNS; r++) {
        nodes[0][r][1].queue_mean_requests = 2.4;
        for (int b = 0; b < BUCKETS; b++)
            cells[0][r][b][1].in_flight_mean_requests =
                b >= 5 && b < 9 ? 10 : 2;
    }
    CHECK_UINT(find(), 0);
    CHECK_NEAR(symptoms.full_s, 40, 1e-9);
    CHECK(!symptoms.pool_is_full);
    for (int r = 0; r < RUNS; r++) /* 8 of 24 */
        for (int b = 5; b < 9; b++)
            cells[0][r][b][1].in_flight_mean_requests = 4;
    CHECK_UINT(find(), 1);
}

/* 10 of 1,000 are lost before anybody can know; 30 are too many. */
static void what_no_check_could_save_is_no_finding(void)
{
    set_use(0, 1, 5, 9, 0);
    for (int r = 0; r < RUNS; r++) {
        nodes[0][r][1].completed = 990;
        for (int b = 5; b < 9; b++)
            cells[0][r][b][1].in_flight_mean_requests = 5;
    }
    CHECK_UINT(find(), 0);
    for (int r = 0; r < RUNS; r++)
        nodes[0][r][1].completed = 970;
    CHECK_UINT(find(), 1);
    CHECK_INT(symptoms.findings[0].symptom, SYMPTOM_SWALLOWS);
}

static void nodes_of_a_group_are_one_finding(void)
{
    set_use(0, 0, 0, BUCKETS, 0.1);
    set_use(0, 1, 0, BUCKETS, 0.1);
    set_use(0, 2, 0, BUCKETS, 0.95);
    set_use(0, 3, 0, BUCKETS, 0.95);
    CHECK_UINT(find(), 2);
    CHECK_UINT(symptoms.findings[0].nodes, 2);
    CHECK_UINT(symptoms.findings[1].nodes, 2);
}

/* ---- what a cure explains ---- */

/* Node 2 is at 0.9, the others at 0.5: the pool is at 0.6, the excess 0.3 x
   200 s = 60. */
static void hot_node(void)
{
    set_use(0, 2, 0, BUCKETS, 0.9);
    CHECK_UINT(find(), 1);
    CHECK_NEAR(
        symptoms_excess(&symptoms, &symptoms.findings[0], &watches[0], 0), 60,
        1e-9);
}

static struct explained explain(const struct cause *cause)
{
    return diagnosis_explain(&symptoms, &symptoms.findings[0], cause,
                             &watches[0], &watches[1], 0.95);
}

static void what_is_gone_is_explained(void)
{
    hot_node();

    struct explained explained = explain(&any);
    CHECK_NEAR(explained.share, 1, 1e-12);
    CHECK_NEAR(explained.lo, 1, 1e-12);
    CHECK(explained.named);
}

static void what_stays_is_not(void)
{
    hot_node();
    set_use(1, 2, 0, BUCKETS, 0.9);

    struct explained explained = explain(&any);
    CHECK_NEAR(explained.share, 0, 1e-12);
    CHECK(!explained.named);
}

/* At 0.7 the pool is at 0.55 and 0.15 x 200 = 30 are left. */
static void half_is_half(void)
{
    hot_node();
    set_use(1, 2, 0, BUCKETS, 0.7);
    CHECK_NEAR(explain(&any).share, 0.5, 1e-12);
}

/*
 * Left of 60 in the three runs: 0, 30, 60. Ratio 1/2, residuals -30, 0, 30,
 * their variance 900; half = t(0.975, 2) sqrt(900 / 3) / 60
 * = 4.302653 x 17.320508 / 60 = 1.242069.
 */
static void interval_is_that_of_a_ratio(void)
{
    hot_node();
    for (int b = 0; b < BUCKETS; b++) {
        cells[1][1][b][2].use_ratio = 0.7;
        cells[1][2][b][2].use_ratio = 0.9;
    }

    struct explained explained = explain(&any);
    CHECK_NEAR(explained.share, 0.5, 1e-12);
    CHECK_NEAR(explained.lo, 0.5 - 1.242069, 1e-5);
    CHECK_NEAR(explained.hi, 0.5 + 1.242069, 1e-5);
    CHECK(!explained.named);
}

static void one_run_has_no_interval(void)
{
    hot_node();
    watches[0].run_count = watches[1].run_count = 1;

    struct explained explained = explain(&any);
    CHECK_NEAR(explained.share, 1, 1e-12);
    CHECK(isnan(explained.lo));
    CHECK(explained.named);
}

static void a_cause_explains_its_own_symptoms_only(void)
{
    static const struct cause other = {.symptoms = 1u << SYMPTOM_SWALLOWS};

    hot_node();
    CHECK(isnan(explain(&other).share));
    CHECK(!explain(&other).named);
}

static void most_explained_comes_first(void)
{
    static struct explained shares[3] = {
        {0.2, 0.15, 0.3, true}, {0.9, 0.8, 1, true}, {0.05, 0, 0.1, false}};
    struct diagnosis diagnosis = {.trial_count = 3};
    uint32_t named[CAUSE_COUNT];

    for (int i = 0; i < 3; i++) {
        diagnosis.trials[i].tried = true;
        diagnosis.trials[i].explained = &shares[i];
    }
    CHECK_UINT(diagnosis_named(&diagnosis, 0, named), 2);
    CHECK_UINT(named[0], 1);
    CHECK_UINT(named[1], 0);
}

int main(int argc, char **argv)
{
    CU_TestInfo finding[] = {
        {"even nodes have nothing", even_nodes_have_nothing},
        {"hot is found with its time", hot_is_found_with_its_time},
        {"short is not long", short_is_not_long},
        {"busy among the busy is not hot", busy_among_the_busy_is_not_hot},
        {"all full is lack of capacity", all_full_is_lack_of_capacity},
        {"idle counts beside a hot one only",
         idle_counts_beside_a_hot_one_only},
        {"dead is not idle", dead_is_not_idle},
        {"holding without serving swallows", holding_without_serving_swallows},
        {"losing is told from others", losing_is_told_from_others},
        {"queues beyond their load are surges",
         queues_beyond_their_load_are_surges},
        {"absent is not idle", absent_is_not_idle},
        {"queues while all are full are no surges",
         queues_while_all_are_full_are_no_surges},
        {"what no check could save is no finding",
         what_no_check_could_save_is_no_finding},
        {"nodes of a group are one finding", nodes_of_a_group_are_one_finding},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo explaining[] = {
        {"what is gone is explained", what_is_gone_is_explained},
        {"what stays is not", what_stays_is_not},
        {"half is half", half_is_half},
        {"interval is that of a ratio", interval_is_that_of_a_ratio},
        {"one run has no interval", one_run_has_no_interval},
        {"a cause explains its own symptoms only",
         a_cause_explains_its_own_symptoms_only},
        {"most explained comes first", most_explained_comes_first},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("symptoms", NULL, NULL, half_busy, forget, finding),
        SUITE("diagnosis", NULL, NULL, half_busy, forget, explaining),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
