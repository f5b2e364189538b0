/*
 * Kubernetes' autoscaler against known answers: its documentation and source
 * (replica_calculator.go, horizontal.go), worked by hand.
 */
#include "sim/cluster/hpa.h"

#include "tests/check.h"

#define SECOND INT64_C(1000000000)
#define PODS 24

static struct hpa_pod pods[PODS];

/* The first `ready` pods use `use` thousandths each. */
static struct hpa_metric utilisation(uint32_t ready, int64_t use,
                                     int64_t target)
{
    for (uint32_t i = 0; i < PODS; i++)
        pods[i] = (struct hpa_pod){HPA_POD_READY, use};
    return (struct hpa_metric){
        .kind = HPA_UTILISATION,
        .target = target,
        .pods = pods,
        .pod_count = ready,
        .available = true,
    };
}

static struct hpa_metric average(uint32_t ready, int64_t value, int64_t target)
{
    struct hpa_metric metric = utilisation(ready, value, target);

    metric.kind = HPA_AVERAGE_VALUE;
    return metric;
}

static uint32_t propose(struct hpa_metric metric, uint32_t current)
{
    uint32_t replicas = 0;

    CHECK(hpa_propose(&metric, current, 0.1, &replicas));
    return replicas;
}

/* The edge of the tolerance is as doubles have it: 77 of 70 is 0.1 and a
   little more above, 63 is a little less below. */
static void utilisation_is_a_ratio(void)
{
    CHECK_UINT(propose(utilisation(4, 1400, 70), 4), 8);
    CHECK_UINT(propose(utilisation(4, 760, 70), 4), 4);
    CHECK_UINT(propose(utilisation(4, 770, 70), 4), 5);
    CHECK_UINT(propose(utilisation(4, 630, 70), 4), 4);
    CHECK_UINT(propose(utilisation(10, 350, 70), 10), 5);
    CHECK_UINT(propose(utilisation(3, 1000, 70), 3), 5);
    CHECK_UINT(propose(utilisation(1, 2000, 70), 1), 3);
}

/* 769 thousandths are 76 %, which is within a tenth of 70. */
static void utilisation_is_whole_per_cents(void)
{
    CHECK_UINT(propose(utilisation(4, 769, 70), 4), 4);
    CHECK_UINT(propose(utilisation(4, 779, 70), 4), 5);
}

/*
 * Documentation of the Horizontal Pod Autoscaler, algorithm details:
 * ceil(current * metric / target), nothing within a tenth. All exact, but that
 * doubles scale at 110 / 100: |1 - 1.1| is 0.10000000000000009.
 */
static void documented_formula_holds(void)
{
    static const struct {
        uint32_t current;
        int64_t metric, target;
        uint32_t min, max, desired;
    } rows[] = {
        {1, 200000, 100000, 1, 100, 2},   {2, 50000, 100000, 1, 100, 1},
        {4, 100000, 100000, 1, 100, 4},   {4, 109000, 100000, 1, 100, 4},
        {4, 111000, 100000, 1, 100, 5},   {4, 90000, 100000, 1, 100, 4},
        {4, 89000, 100000, 1, 100, 4},    {10, 89000, 100000, 1, 100, 9},
        {3, 900, 600, 1, 100, 5},         {7, 35000, 70000, 1, 100, 4},
        {5, 300000, 50000, 1, 20, 20},    {5, 0, 50000, 2, 100, 2},
        {10, 125000, 100000, 1, 100, 13}, {8, 950, 750, 1, 100, 11},
        {1, 1000000, 10000, 1, 100, 100}, {4, 110000, 100000, 1, 100, 5},
        {4, 90000, 100000, 1, 100, 4},    {10, 1100, 1000, 1, 100, 11},
        {4, 55000, 50000, 1, 100, 5},     {20, 33000, 30000, 1, 100, 22},
    };
    struct hpa_spec spec = hpa_defaults();

    spec.down.window_ns = 0;
    spec.up.policies[1].value = 1000000; /* per cent: as much as it likes */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hpa_metric metric =
            average(rows[i].current, rows[i].metric, rows[i].target);
        struct hpa hpa;

        spec.min = rows[i].min;
        spec.max = rows[i].max;
        CHECK(hpa_init(&hpa, &spec));
        CHECK_UINT(hpa_sync(&hpa, &metric, 1, rows[i].current, 0),
                   rows[i].desired);
        hpa_done(&hpa);
    }
}

/* Four pods, one without a metric: at 200 % it counts as idle, and 150 % ask
   for 6, not 8; at 40 % it counts as 100 %, and 80 % of 4 is 3.2, so 4 stay. */
static void missing_pods_hold_back(void)
{
    struct hpa_metric up = utilisation(4, 1000, 50);

    pods[3].state = HPA_POD_MISSING;
    CHECK_UINT(propose(up, 4), 6);
    up = utilisation(4, 200, 50);
    pods[3].state = HPA_POD_MISSING;
    CHECK_UINT(propose(up, 4), 4);
    up = average(4, 40, 100); /* plain metrics: as the target; (120+100)/4 */
    pods[3].state = HPA_POD_MISSING;
    CHECK_UINT(propose(up, 4), 3);
}

/* Six ready of 100 %, target 50: 12 alone; with two that start, counted as
   idle, 75 % of 8 ask for 12 as well; with twelve 33 %, which turns the
   direction: nothing. Down they do not count: 6 at 20 % ask for 3. */
static void unready_pods_hold_back_only_upwards(void)
{
    struct hpa_metric metric = utilisation(8, 1000, 50);

    pods[6].state = pods[7].state = HPA_POD_UNREADY;
    CHECK_UINT(propose(metric, 8), 12);
    metric = utilisation(18, 1000, 50);
    for (uint32_t i = 6; i < 18; i++)
        pods[i].state = HPA_POD_UNREADY;
    CHECK_UINT(propose(metric, 18), 18);
    metric = utilisation(8, 200, 50);
    pods[6].state = pods[7].state = HPA_POD_UNREADY;
    CHECK_UINT(propose(metric, 8), 3);
}

/* 2 ready at 120 % of the target and 2 that just start come to 60 %: within
   neither, but on the other side. A pod that is being deleted is none. */
static void direction_must_not_flip(void)
{
    struct hpa_metric metric = average(4, 120, 100);

    pods[2].state = pods[3].state = HPA_POD_UNREADY;
    CHECK_UINT(propose(metric, 4), 4);
    metric = average(4, 120, 100);
    pods[2].state = pods[3].state = HPA_POD_IGNORED;
    CHECK_UINT(propose(metric, 4), 3);
}

/* 10 replicas of which 4 are ready: 150 % over 5 counted ask for 8, which is
   less than there is, though the ratio says up. */
static void count_must_not_contradict_the_direction(void)
{
    struct hpa_metric metric = average(5, 1875, 1000);

    pods[4].state = HPA_POD_MISSING;
    CHECK_UINT(propose(metric, 10), 10);
    CHECK_UINT(propose(metric, 6), 8);
}

static void external_values_are_divided(void)
{
    struct hpa_metric metric = {
        .kind = HPA_EXTERNAL,
        .target = 10000,
        .total = 95000,
        .available = true,
    };

    CHECK_UINT(propose(metric, 1), 10);
    CHECK_UINT(propose(metric, 9), 9); /* 1.06 is within */
    CHECK_UINT(propose(metric, 10), 10);
    CHECK_UINT(propose(metric, 40), 10);
}

/* Latency of 3 s, wanted 2 s: half as many again; 2.2 s is the edge. */
static void object_values_come_down(void)
{
    struct hpa_metric metric = utilisation(4, 0, 1);

    metric.kind = HPA_OBJECT;
    metric.target = 2000;
    metric.total = 3000;
    CHECK_UINT(propose(metric, 4), 6);
    metric.total = 2199;
    CHECK_UINT(propose(metric, 4), 4);
    metric.total = 900;
    pods[3].state = HPA_POD_UNREADY;
    CHECK_UINT(propose(metric, 4), 2);
}

static uint32_t together(const struct hpa_metric *metrics, uint32_t count,
                         uint32_t current)
{
    struct hpa_proposals all = {0};

    for (uint32_t i = 0; i < count; i++)
        hpa_add_proposal(&all, &metrics[i], current, 0.1);
    return hpa_largest(&all, current);
}

static void largest_of_several_metrics_counts(void)
{
    struct hpa_metric metrics[2] = {
        {.kind = HPA_EXTERNAL, .target = 10, .total = 60, .available = true},
        {.kind = HPA_EXTERNAL, .target = 10, .total = 20, .available = true},
    };

    CHECK_UINT(together(metrics, 2, 4), 6);
    metrics[1].available = false;
    CHECK_UINT(together(metrics, 2, 4), 6);
    CHECK_UINT(together(metrics, 2, 9), 9); /* not down */
    metrics[1].available = true;
    CHECK_UINT(together(metrics, 2, 9), 6);
    metrics[0].available = metrics[1].available = false;
    CHECK_UINT(together(metrics, 2, 9), 9);
}

static void no_ready_pods_say_nothing(void)
{
    struct hpa_metric metric = utilisation(2, 900, 50);
    uint32_t replicas;

    pods[0].state = HPA_POD_UNREADY;
    pods[1].state = HPA_POD_MISSING;
    CHECK(!hpa_propose(&metric, 2, 0.1, &replicas));
    CHECK_UINT(together(&metric, 1, 2), 2);
}

static void cpu_of_young_pods_is_set_aside(void)
{
    struct hpa_spec spec = hpa_defaults();
    struct hpa_pod_times times = {
        .started_at_ns = 0,
        .ready = true,
        .ready_changed_at_ns = 20 * SECOND,
        .metric_at_ns = 40 * SECOND,
        .metric_window_ns = 30 * SECOND,
    };

    CHECK(hpa_cpu_is_unready(&spec, &times, 60 * SECOND));
    times.metric_at_ns = 50 * SECOND;
    CHECK(!hpa_cpu_is_unready(&spec, &times, 60 * SECOND));
    times.ready = false;
    CHECK(hpa_cpu_is_unready(&spec, &times, 60 * SECOND));
    CHECK(hpa_cpu_is_unready(&spec, &times, 300 * SECOND)); /* never ready */
    times.ready_changed_at_ns = 200 * SECOND;               /* it was once */
    CHECK(!hpa_cpu_is_unready(&spec, &times, 300 * SECOND));
}

/* --- over time -------------------------------------------------------------
 */

static struct hpa hpa;
static struct hpa_spec over_time;

static void begin(struct hpa_spec spec)
{
    over_time = spec;
    CHECK(hpa_init(&hpa, &over_time));
}

static void end(void)
{
    hpa_done(&hpa);
}

static uint32_t settle(uint32_t current, uint32_t proposed, int64_t at_s)
{
    return hpa_settle(&hpa, current, proposed, at_s * SECOND);
}

static struct hpa_spec up_to(uint32_t max)
{
    struct hpa_spec spec = hpa_defaults();

    spec.max = max;
    return spec;
}

/* 10 at 0 s, 8 at 60 s, 5 at 120 s, now 3: the largest of the last 300 s, in
   which one exactly as old no longer is. */
static void way_down_waits_for_the_window(void)
{
    begin(up_to(100));
    CHECK_UINT(settle(10, 10, 0), 10);
    CHECK_UINT(settle(10, 8, 60), 10);
    CHECK_UINT(settle(10, 5, 120), 10);
    CHECK_UINT(settle(10, 3, 200), 10);
    CHECK_UINT(settle(10, 3, 300), 8);
    CHECK_UINT(settle(8, 3, 301), 8);
    CHECK_UINT(settle(8, 3, 361), 5);
    end();
}

/* Recommendations each minute, by hand: 10 until the 10 seen at 60 s is 300 s
   old at 360 s, then 6 until the 6 seen at 240 s is at 540 s. */
static void recommendations_age(void)
{
    static const uint32_t asks[] = {10, 10, 4, 4, 6, 4, 4, 4, 4, 4};
    static const uint32_t gets[] = {10, 10, 10, 10, 10, 10, 6, 6, 6, 4};
    uint32_t current = 10;

    begin(up_to(100));
    for (uint32_t i = 0; i < 10; i++) {
        current = settle(current, asks[i], 60 * i);
        CHECK_UINT(current, gets[i]);
    }
    end();
}

/* The controller's first look notes what is there, so a restart of it does not
   drop the pods. */
static void first_sync_remembers_what_is_there(void)
{
    begin(up_to(100));
    CHECK_UINT(settle(7, 2, 0), 7);
    CHECK_UINT(settle(7, 2, 299), 7);
    CHECK_UINT(settle(7, 2, 300), 2);
    end();
}

static void way_up_may_wait_too(void)
{
    struct hpa_spec spec = up_to(100);

    spec.up.window_ns = 60 * SECOND;
    begin(spec);
    CHECK_UINT(settle(2, 9, 0), 2);
    CHECK_UINT(settle(2, 5, 30), 2);
    CHECK_UINT(settle(2, 9, 60), 5);
    CHECK_UINT(settle(5, 9, 90), 9);
    end();
}

/* Documentation, default behaviour: the larger of 4 pods and 100 % in 15 s. */
static void growth_is_limited(void)
{
    static const uint32_t to_50[] = {5, 10, 20, 40, 50};
    static const uint32_t to_20[] = {5, 10, 20, 20, 20};
    uint32_t current = 1;

    begin(up_to(100));
    for (uint32_t i = 0; i < 5; i++) {
        current = settle(current, 50, 15 * i);
        CHECK_UINT(current, to_50[i]);
    }
    end();
    begin(up_to(100));
    current = 1;
    for (uint32_t i = 0; i < 5; i++) {
        current = settle(current, 20, 15 * i);
        CHECK_UINT(current, to_20[i]);
    }
    end();
}

/* Two syncs in one period share its allowance: 1 -> 5 at 0 s, no more at 10 s,
   on at 15 s. */
static void allowance_is_of_the_period(void)
{
    begin(up_to(100));
    CHECK_UINT(settle(1, 50, 0), 5);
    CHECK_UINT(settle(5, 50, 10), 5);
    CHECK_UINT(settle(5, 50, 15), 10);
    end();
}

/* 10 % a minute, cut off: 72.9 is 72, 64.8 is 64, 57.6 is 57, 51.3 is 51. */
static void shrinking_is_limited(void)
{
    static const uint32_t gets[] = {90, 81, 72, 64, 57, 51};
    struct hpa_spec spec = up_to(100);
    uint32_t current = 100;

    spec.down.window_ns = 0;
    spec.down.policies[0] = (struct hpa_policy){true, 10, 60 * SECOND};
    begin(spec);
    for (uint32_t i = 0; i < 6; i++) {
        current = settle(current, 1, 60 * i);
        CHECK_UINT(current, gets[i]);
    }
    end();
}

/* Of 10 % and 4 pods from 100: max takes 10, min takes 4, disabled none. */
static void selection_of_policies(void)
{
    static const uint32_t gets[] = {90, 96, 100};
    struct hpa_spec spec = up_to(1000);

    spec.down.window_ns = 0;
    spec.down.policy_count = 2;
    spec.down.policies[0] = (struct hpa_policy){true, 10, 60 * SECOND};
    spec.down.policies[1] = (struct hpa_policy){false, 4, 60 * SECOND};
    for (int select = HPA_SELECT_MAX; select <= HPA_SELECT_DISABLED; select++) {
        spec.down.select = (enum hpa_select)select;
        begin(spec);
        CHECK_UINT(settle(100, 1, 0), gets[select]);
        end();
    }
    spec.up.select = HPA_SELECT_MIN; /* 4 pods, not 100 % */
    begin(spec);
    CHECK_UINT(settle(100, 900, 0), 104);
    end();
    spec.up.select = HPA_SELECT_DISABLED;
    begin(spec);
    CHECK_UINT(settle(100, 900, 0), 100);
    end();
}

/* 10 % of one pod is nothing when it is cut off, and one when rounded up. */
static void small_groups_can_grow(void)
{
    struct hpa_spec spec = up_to(10);

    spec.up.policy_count = 1;
    spec.up.policies[0] = (struct hpa_policy){true, 10, 15 * SECOND};
    begin(spec);
    CHECK_UINT(settle(1, 9, 0), 2);
    CHECK_UINT(settle(2, 9, 15), 3);
    end();
}

static void sync_clamps_and_zero_is_off(void)
{
    struct hpa_spec spec = up_to(6);
    struct hpa_metric metric = utilisation(4, 2000, 50);

    spec.min = 2;
    begin(spec);
    CHECK_UINT(hpa_sync(&hpa, &metric, 1, 0, 0), 0);
    CHECK_UINT(hpa_sync(&hpa, &metric, 1, 9, 0), 6);
    CHECK_UINT(hpa_sync(&hpa, &metric, 1, 1, 0), 2);
    CHECK_UINT(hpa_sync(&hpa, &metric, 1, 4, 0), 6);
    end();
}

int main(int argc, char **argv)
{
    CU_TestInfo proposals[] = {
        {"utilisation is a ratio", utilisation_is_a_ratio},
        {"utilisation is whole per cents", utilisation_is_whole_per_cents},
        {"the documented formula holds", documented_formula_holds},
        {"missing pods hold back", missing_pods_hold_back},
        {"unready pods hold back only upwards",
         unready_pods_hold_back_only_upwards},
        {"the direction must not flip", direction_must_not_flip},
        {"the count must not contradict the direction",
         count_must_not_contradict_the_direction},
        {"external values are divided", external_values_are_divided},
        {"object values come down", object_values_come_down},
        {"the largest of several metrics counts",
         largest_of_several_metrics_counts},
        {"no ready pods say nothing", no_ready_pods_say_nothing},
        {"cpu of young pods is set aside", cpu_of_young_pods_is_set_aside},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo behaviour[] = {
        {"the way down waits for the window", way_down_waits_for_the_window},
        {"recommendations age", recommendations_age},
        {"the first sync remembers what is there",
         first_sync_remembers_what_is_there},
        {"the way up may wait too", way_up_may_wait_too},
        {"growth is limited", growth_is_limited},
        {"the allowance is of the period", allowance_is_of_the_period},
        {"shrinking is limited", shrinking_is_limited},
        {"selection of policies", selection_of_policies},
        {"small groups can grow", small_groups_can_grow},
        {"a sync clamps, and zero is off", sync_clamps_and_zero_is_off},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("hpa proposals", NULL, NULL, NULL, NULL, proposals),
        SUITE("hpa behaviour", NULL, NULL, NULL, NULL, behaviour),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
