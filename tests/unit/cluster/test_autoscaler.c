/* The rules behind their common face, and how long a start takes. */
#include "sim/cluster/autoscaler.h"

#include "tests/check.h"

#include <math.h>

#define SECOND INT64_C(1000000000)
#define NODES 8

static struct scale_spec spec;
static struct autoscaler scaler;
static struct scale_sample samples[NODES];
static struct scale_view view;

static void setup(void)
{
    spec = (struct scale_spec){
        .min = 1,
        .max = 20,
        .start = 2,
        .sync_ns = 15 * SECOND,
        .scrape_ns = 15 * SECOND,
        .hpa = hpa_defaults(),
        .keda = keda_defaults(),
        .kpa = kpa_defaults(),
        .trend = forecast_defaults(),
        .ahead_ns = -1,
        .low = 0.8,
        .goal = goal_scale_defaults(),
    };
    for (int m = 0; m < SCALE_METRICS; m++)
        spec.targets[m] = NAN;
    view = (struct scale_view){
        .nodes = samples,
        .slots_per_node = 1,
        .latency_p99_s = -1,
        .ttft_p99_s = -1,
    };
    scaler = (struct autoscaler){0};
}

static void teardown(void)
{
    autoscaler_done(&scaler);
}

static void begin(enum scale_rule rule, int64_t start_up_s)
{
    spec.rule = rule;
    CHECK(autoscaler_init(&scaler, &spec, start_up_s * SECOND));
}

/* So many ready nodes, all with this value of a metric. */
static void show(uint32_t count, enum scale_metric metric, double value)
{
    view.node_count = count;
    view.current = count;
    for (uint32_t i = 0; i < NODES; i++) {
        samples[i] = (struct scale_sample){.state = HPA_POD_READY};
        for (int m = 0; m < SCALE_NODE_METRICS; m++)
            samples[i].values[m] = m == (int)metric ? value : 0;
    }
}

static uint32_t sync_at(int64_t at_s)
{
    return autoscaler_sync(&scaler, &view, at_s * SECOND);
}

/* 14 GB at 2 GB/s, 8 s, and three requests of 1.5 s: 19.5 s. */
static void start_takes_its_parts(void)
{
    struct start_up_spec start = {
        .model_bytes = 14000000000,
        .bytes_per_s = 2000000000,
        .init_ns = 8 * SECOND,
        .warm_up_requests = 3,
        .warm_up_request_ns = 3 * SECOND / 2,
    };

    CHECK_INT(start_up_load_ns(&start), 15 * SECOND);
    CHECK_INT(start_up_warm_ns(&start), 9 * SECOND / 2);
    CHECK_INT(start_up_ns(&start), 39 * SECOND / 2);
    start.provision_ns = 60 * SECOND;
    CHECK_INT(start_up_ns(&start), 159 * SECOND / 2);
    start = (struct start_up_spec){0};
    CHECK_INT(start_up_ns(&start), 0);
}

/* 4 at 140 % of 70 %, but busy ends at 100 %: 1.43 times 4. */
static void hpa_goes_by_shares(void)
{
    spec.targets[SCALE_GPU] = 0.7;
    begin(SCALE_HPA, 0);
    show(4, SCALE_GPU, 1);
    CHECK_UINT(sync_at(0), 6);
    show(4, SCALE_GPU, 0.76);
    CHECK_UINT(sync_at(15), 4);
    show(4, SCALE_GPU, 0.77);
    CHECK_UINT(sync_at(30), 5);
}

/* Of several metrics the one that asks for most; one that is not there holds
   back the way down. */
static void hpa_takes_several(void)
{
    spec.targets[SCALE_GPU] = 0.5;
    spec.targets[SCALE_QUEUE] = 2;
    spec.targets[SCALE_LATENCY] = 2;
    spec.hpa.down.window_ns = 0;
    begin(SCALE_HPA, 0);
    show(4, SCALE_GPU, 0.5);
    for (int i = 0; i < 4; i++)
        samples[i].values[SCALE_QUEUE] = 3;
    view.latency_p99_s = 1;
    CHECK_UINT(sync_at(0), 6);
    view.latency_p99_s = 4;
    CHECK_UINT(sync_at(15), 8);
    show(4, SCALE_GPU, 0.1);
    view.latency_p99_s = -1;
    CHECK_UINT(sync_at(30), 4);
    view.latency_p99_s = 0.1;
    CHECK_UINT(sync_at(45), 1);
}

/* A value that did not come makes a pod missing. */
static void unmeasured_nodes_are_missing(void)
{
    spec.targets[SCALE_GPU] = 0.5;
    begin(SCALE_HPA, 0);
    show(4, SCALE_GPU, 1);
    samples[3].values[SCALE_GPU] = -1;
    CHECK_UINT(sync_at(0), 6); /* not 8 */
}

static void cpu_of_young_nodes_is_set_aside(void)
{
    spec.targets[SCALE_CPU] = 0.5;
    begin(SCALE_HPA, 0);
    show(2, SCALE_CPU, 1);
    for (int i = 0; i < 2; i++)
        samples[i].times = (struct hpa_pod_times){
            -3600 * SECOND, true, -3600 * SECOND, 15 * SECOND, 15 * SECOND};
    CHECK_UINT(sync_at(15), 4);
    samples[1].times.started_at_ns = 0;
    samples[1].times.ready_changed_at_ns = 5 * SECOND;
    CHECK_UINT(sync_at(15), 2); /* 100 % and an idle one are at the target */
}

/* Two nodes at the target, and a third whose start goes on. Set aside it
   changes nothing; counted as idle it is a third too many: 2 / 3 of the target
   by three nodes. Kubernetes counts it once it is old, and only if its
   readiness may change so late. */
static void cpu_of_starting_nodes_counts_when_told(void)
{
    spec.targets[SCALE_CPU] = 0.5;
    spec.hpa.down.window_ns = 0;
    spec.hpa.cpu_initialization_ns = 60 * SECOND;
    begin(SCALE_HPA, 0);
    show(3, SCALE_CPU, 0.5);
    for (int i = 0; i < 2; i++)
        samples[i].times = (struct hpa_pod_times){
            -3600 * SECOND, true, -3600 * SECOND, 90 * SECOND, 15 * SECOND};
    samples[2] = (struct scale_sample){
        .state = HPA_POD_UNREADY,
        .starts_up = true,
        .times = {0, false, 0, 90 * SECOND, 15 * SECOND},
    };
    CHECK_UINT(sync_at(100), 3);
    scaler.hpa_spec.initial_readiness_delay_ns = 0;
    CHECK_UINT(sync_at(59), 3);
    CHECK_UINT(sync_at(100), 2);
}

/* 95 in all at 10 a node; at the door they count too. */
static void keda_divides_and_wakes(void)
{
    spec.min = 0;
    spec.targets[SCALE_QUEUE] = 10;
    begin(SCALE_KEDA, 0);
    show(5, SCALE_QUEUE, 15);
    view.held = 20;
    CHECK_UINT(sync_at(0), 10);
    show(0, SCALE_QUEUE, 0);
    CHECK_UINT(autoscaler_poll(&scaler, &view, 30 * SECOND), 1);
    view.held = 0;
    CHECK_UINT(autoscaler_poll(&scaler, &view, 60 * SECOND), 0);
}

static void kpa_has_two_windows(void)
{
    spec.min = 0;
    spec.scrape_ns = SECOND;
    spec.targets[SCALE_IN_FLIGHT] = 70;
    spec.kpa.max = 20;
    begin(SCALE_KPA, 0);
    CHECK_UINT(scaler.stable_buckets, 60);
    CHECK_UINT(scaler.panic_buckets, 6);
    show(2, SCALE_IN_FLIGHT, 0);
    for (int i = 0; i < 54; i++)
        autoscaler_note(&scaler, 140);
    CHECK_UINT(sync_at(54), 2);
    for (int i = 0; i < 6; i++)
        autoscaler_note(&scaler, 350);
    CHECK_UINT(sync_at(60), 5); /* in a panic */
    CHECK(scaler.kpa.panics);
    CHECK_NEAR(scaler.excess_burst, 2 * 100 - 211 - 350, 0);
}

static void schedule_is_followed(void)
{
    static const struct schedule_entry entries[] = {{100 * SECOND, 7}};

    spec.schedule = (struct schedule_spec){entries, 1, 0};
    begin(SCALE_SCHEDULE, 0);
    CHECK_UINT(sync_at(0), 2);
    CHECK_UINT(sync_at(100), 7);
}

/* In flight 10, then 16: 6 more a sync of 15 s, and a start of 75 s and a sync
   are 6 steps: 52 at 8 a node. */
static void trend_orders_ahead(void)
{
    spec.targets[SCALE_IN_FLIGHT] = 8;
    begin(SCALE_TREND, 75);
    show(2, SCALE_IN_FLIGHT, 5);
    CHECK_UINT(sync_at(0), 2);
    show(2, SCALE_IN_FLIGHT, 8);
    CHECK_UINT(sync_at(15), 7); /* 6.5 */
}

static void goal_looks_at_the_group(void)
{
    spec.targets[SCALE_TTFT] = 2;
    spec.low = 0.5;
    begin(SCALE_GOAL, 0);
    show(4, SCALE_GPU, 0);
    view.ttft_p99_s = 3;
    CHECK_UINT(sync_at(0), 6);
    view.ttft_p99_s = 1.5;
    CHECK_UINT(sync_at(60), 4);
}

/* 8 erlangs, at most 20 % wait: 12 servers, and 12 by the root; of 5 slots
   each 3 nodes. Before anything was served nobody knows. */
static void staffing_counts_servers(void)
{
    spec.wait_probability = 0.2;
    begin(SCALE_STAFFING, 0);
    show(4, SCALE_GPU, 0);
    view.slots_per_node = 5;
    CHECK_UINT(sync_at(0), 4);
    view.arrivals_per_s = 4;
    view.service_s = 2;
    CHECK_UINT(sync_at(60), 3);
    spec.method = STAFFING_SQUARE_ROOT;
    CHECK_UINT(sync_at(120), 3);
}

static void threshold_steps(void)
{
    spec.targets[SCALE_GPU] = 0.6;
    spec.inherits = true;
    begin(SCALE_THRESHOLD, 0);
    show(4, SCALE_GPU, 0.61);
    CHECK_UINT(sync_at(0), 5);
    show(4, SCALE_GPU, 0.4); /* the others would have 0.53, above 0.48 */
    CHECK_UINT(sync_at(15), 4);
    show(4, SCALE_GPU, 0.35);
    CHECK_UINT(sync_at(30), 3);
}

static void demand_is_met(void)
{
    spec.min = 0;
    spec.targets[SCALE_IN_FLIGHT] = 2;
    begin(SCALE_DEMAND, 0);
    show(2, SCALE_IN_FLIGHT, 2);
    CHECK_UINT(sync_at(0), 2);
    view.held = 1;
    CHECK_UINT(sync_at(0), 3);
    show(2, SCALE_IN_FLIGHT, 0);
    view.held = 0;
    CHECK_UINT(sync_at(0), 0);
}

static void limits_hold_for_every_rule(void)
{
    spec.max = 5;
    spec.min = 2;
    spec.targets[SCALE_IN_FLIGHT] = 1;
    begin(SCALE_DEMAND, 0);
    show(4, SCALE_IN_FLIGHT, 9);
    CHECK_UINT(sync_at(0), 5);
    show(4, SCALE_IN_FLIGHT, 0);
    CHECK_UINT(sync_at(0), 2);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"a start takes its parts", start_takes_its_parts},
        {"hpa goes by shares", hpa_goes_by_shares},
        {"hpa takes several", hpa_takes_several},
        {"unmeasured nodes are missing", unmeasured_nodes_are_missing},
        {"cpu of young nodes is set aside", cpu_of_young_nodes_is_set_aside},
        {"cpu of starting nodes counts when told",
         cpu_of_starting_nodes_counts_when_told},
        {"keda divides and wakes", keda_divides_and_wakes},
        {"kpa has two windows", kpa_has_two_windows},
        {"a schedule is followed", schedule_is_followed},
        {"a trend orders ahead", trend_orders_ahead},
        {"a goal looks at the group", goal_looks_at_the_group},
        {"staffing counts servers", staffing_counts_servers},
        {"a threshold steps", threshold_steps},
        {"demand is met", demand_is_met},
        {"limits hold for every rule", limits_hold_for_every_rule},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("autoscaler", NULL, NULL, setup, teardown, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
