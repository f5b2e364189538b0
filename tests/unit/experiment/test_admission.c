/*
 * Admission by hand: 99 requests, every 0.1 s from 0.1 s to 9.9 s; the one node
 * has one slot and works for 0.25 s unless a test says so. Counts and waits are
 * worked out on paper.
 */
#include "tests/unit/experiment/simulation_world.h"

static struct workload_class classes[2];

static void prepare_admission(void)
{
    prepare();
    scenario.workload.work = constant(0.25);
    scenario.balancer.queue.size = UINT32_MAX;
    scenario.balancer.queue.flow_size = UINT32_MAX;
    scenario.balancer.queue.tokens = INFINITY;
    scenario.balancer.flow_control.ttl_ns = INT64_MAX;
    setup.keep_latencies = true;
}

static void limit_in_flight(uint32_t limit)
{
    scenario.balancer.admission.given = true;
    scenario.balancer.admission.in_flight = limit;
}

static void wait_at_door(uint32_t size)
{
    scenario.balancer.queue.given = true;
    scenario.balancer.queue.size = size;
}

static void cap_nodes(uint32_t cap, enum caps_queue queue)
{
    scenario.balancer.caps =
        (struct caps_spec){.given = true, .max = cap, .queue = queue};
    scenario.balancer.queue.given = true;
}

static void off_there_are_no_values(void)
{
    run(SIM_OK);
    CHECK(isnan(result.values[M_HELD]));
    CHECK(isnan(result.values[M_REFUSED_LIMIT]));
    CHECK(isnan(result.values[M_TENANT_JAIN]));
}

/* One starts at 0.1 s and ends at 0.35 s, the next to be let in comes at 0.4 s:
   one of three. */
static void limit_without_a_queue_refuses(void)
{
    limit_in_flight(1);
    run(SIM_OK);
    CHECK_UINT(result.books.completed, 33);
    CHECK_UINT(result.books.refused, 66);
    CHECK_NEAR(result.values[M_REFUSED_LIMIT], 66, 0);
    CHECK(isnan(result.values[M_HELD]));
}

/*
 * Services start at 0.1 + 0.25 k s, for k up to 40: at 9.85 s the last but one,
 * and the one of 9.9 s at 10.1 s. Waits are 0.15 s, then 0.2 and 0.25 s in
 * turn, as the place is taken by the first to come after (or at the instant,
 * but behind) the end of a service: 0.15 + 20 x 0.2 + 19 x 0.25 = 8.9 s for 40
 * requests, of which 8.8 s lie in the window of 10 s.
 */
static void queue_holds_and_refuses_when_full(void)
{
    limit_in_flight(1);
    wait_at_door(1);
    run(SIM_OK);
    CHECK_UINT(result.books.completed, 41);
    CHECK_UINT(result.books.refused, 58);
    CHECK_NEAR(result.values[M_REFUSED_QUEUE], 58, 0);
    CHECK_NEAR(result.values[M_HELD], 40, 0);
    CHECK_NEAR(result.values[M_HELD_MEAN], 0.2225, 1e-9);
    CHECK_NEAR(result.values[M_HELD_P99], 0.25, 1e-9);
    CHECK_NEAR(result.values[M_DOOR_QUEUE], 0.88, 1e-9);
    CHECK_NEAR(result.values[M_DOOR_QUEUE_MOST], 1, 0);

    double area = 0;
    for (uint32_t b = 0; b < result.bucket_count; b++)
        area += result.buckets[b].door_queue_mean_requests *
                (result.buckets[b].end_s - result.buckets[b].start_s);
    CHECK_NEAR(area, 8.8, 1e-9);
}

/* Prompt and answer are 100 and 50 tokens; places are for 450. */
static void queue_is_limited_by_tokens_too(void)
{
    scenario.workload.input_tokens = constant(100);
    scenario.workload.output_tokens = constant(50);
    limit_in_flight(1);
    wait_at_door(UINT32_MAX);
    scenario.balancer.queue.tokens = 450;
    run(SIM_OK);
    CHECK_NEAR(result.values[M_DOOR_QUEUE_MOST], 3, 0);
    CHECK(result.values[M_REFUSED_QUEUE] > 0);
}

/* Half a token comes in between two requests: every other one is let in. */
static void bucket_lets_its_rate_in(void)
{
    scenario.balancer.admission.given = true;
    scenario.balancer.admission.bucket =
        (struct bucket_spec){.given = true, .rate_per_s = 5, .burst = 1};
    scenario.workload.work = constant(0.05);
    run(SIM_OK);
    CHECK_UINT(result.books.completed, 50);
    CHECK_NEAR(result.values[M_REFUSED_RATE], 49, 0);
}

/*
 * 150 tokens are expected of each (the mean of the law), which is what comes in
 * in 0.1 s at 1500/s. Answers of 50 tokens are as expected, so every request is
 * let in; at 750/s every other one.
 */
static void bucket_of_tokens(void)
{
    scenario.workload.input_tokens = constant(100);
    scenario.workload.output_tokens = constant(50);
    scenario.workload.work = constant(0.05);
    scenario.balancer.admission.given = true;
    scenario.balancer.admission.bucket =
        (struct bucket_spec){.given = true,
                             .unit = BUCKET_OF_TOKENS,
                             .rate_per_s = 1500,
                             .burst = 150};
    run(SIM_OK);
    CHECK_UINT(result.books.completed, 99);
    scenario.balancer.admission.bucket.rate_per_s = 750;
    run(SIM_OK);
    CHECK_UINT(result.books.completed, 50);
}

/* Clients allow 200 tokens and get 50: 300 are paid, and 150 come back with
   the answer, 0.05 s later. Then 600 s worth of burst last for all. */
static void bucket_gives_back_what_was_not_used(void)
{
    classes[0] = (struct workload_class){
        .name = "only",
        .share = 1,
        .max_output_tokens = 200,
        .urgency = CLASS_NORMAL,
        .deadline_ns = INT64_MAX,
    };
    scenario.workload.classes = classes;
    scenario.workload.class_count = 1;
    scenario.workload.input_tokens = constant(100);
    scenario.workload.output_tokens = constant(50);
    scenario.workload.work = constant(0.05);
    scenario.balancer.admission.given = true;
    scenario.balancer.admission.bucket =
        (struct bucket_spec){.given = true,
                             .unit = BUCKET_OF_TOKENS,
                             .rate_per_s = 1e-6,
                             .burst = 99 * 150 + 150};
    run(SIM_OK);
    CHECK_UINT(result.books.completed, 99);
    scenario.balancer.admission.bucket.burst -= 1;
    run(SIM_OK);
    CHECK_UINT(result.books.completed, 98);
}

/* Two fill the node: the third in flight is one too many for normal work, as
   one in service and one in its queue would be for a queue of one. */
static void shedding_goes_by_saturation(void)
{
    scenario.balancer.admission.given = true;
    scenario.balancer.admission.shedding = (struct shedding_spec){
        .given = true,
        .limits = {0.7, 0.9, 1.0},
        .saturation = {.by = SATURATION_BY_IN_FLIGHT, .per_node = 2},
    };
    run(SIM_OK);
    CHECK_UINT(result.books.completed, 41);
    CHECK_NEAR(result.values[M_REFUSED_SHED], 58, 0);
}

static void hopeless_requests_are_refused(void)
{
    scenario.balancer.admission.given = true;
    scenario.balancer.admission.deadline = true;
    scenario.balancer.timeout.total_ns = S / 4;
    run(SIM_OK);
    CHECK_NEAR(result.values[M_REFUSED_DEADLINE], 0, 0);
    scenario.balancer.timeout.total_ns = S / 4 - 1;
    run(SIM_OK);
    CHECK_NEAR(result.values[M_REFUSED_DEADLINE], 99, 0);
}

/* Two wait behind the one that has the connection: as a queue of two, which
   serves one more than the queue of one. */
static void pool_limits_overflow(void)
{
    scenario.balancer.pool_limits = (struct pool_limits_spec){
        .given = true, .connections = 1, .pending = 2, .requests = 10};
    scenario.balancer.queue.given = true;
    run(SIM_OK);
    CHECK_UINT(result.books.completed, 42);
    CHECK_NEAR(result.values[M_REFUSED_OVERFLOW], 57, 0);
}

/*
 * The node works for 10 s and may have one: from 0.1 s on none is ready. At
 * 3.1 s those of 0.2 to 3.0 s are turned away, and from then on everybody.
 */
static void fail_fast_turns_all_away(void)
{
    scenario.workload.work = constant(10);
    cap_nodes(1, CAPS_QUEUE_AT_BALANCER);
    scenario.balancer.fail_fast =
        (struct fail_fast_spec){.given = true, .after_ns = 3 * S};
    run(SIM_OK);
    CHECK_UINT(result.books.completed, 1);
    CHECK_NEAR(result.values[M_REFUSED_FAIL_FAST], 98, 0);
    CHECK_NEAR(result.values[M_HELD], 29, 0);
    CHECK_NEAR(result.values[M_HELD_P99], 2.9, 1e-9);
}

/* Every window is good: 5 in the first second, 6 in the next, 14 in the last,
   9.5 in the mean. */
static void limit_finds_itself(void)
{
    scenario.workload.work = constant(0.05);
    scenario.balancer.admission.given = true;
    scenario.balancer.admission.adaptive = (struct aimd_spec){
        .given = true,
        .window_ns = S,
        .target_ns = S / 20,
        .quantile = 0.9,
        .start = 5,
        .least = 1,
        .most = 100,
        .increase = 1,
        .decrease = 0.9,
    };
    run(SIM_OK);
    CHECK_NEAR(result.values[M_ADMISSION_LIMIT], 9.5, 1e-9);
    scenario.balancer.admission.adaptive.target_ns -= 1;
    run(SIM_OK); /* 5, floor(4.5), 3, 2, 1, 1, ... */
    CHECK_NEAR(result.values[M_ADMISSION_LIMIT], 2, 1e-9);
}

/*
 * The node works for 10 s and one fills the pool. At 2 s those of 0.2 to 0.5 s
 * have waited for 1.5 s, and so on; at 10 s those up to 8.5 s go, at 10.1 s the
 * one of 8.6 s is served, and at 11 and 12 s the rest goes.
 */
static void flow_control_sweeps(void)
{
    scenario.workload.work = constant(10);
    scenario.balancer.flow_control = (struct flow_control_spec){
        .given = true,
        .limit = 1,
        .saturation = {.by = SATURATION_BY_IN_FLIGHT, .per_node = 1},
        .sweep_ns = S,
        .ttl_ns = 3 * S / 2,
    };
    scenario.balancer.queue.given = true;
    run(SIM_OK);
    CHECK_UINT(result.books.completed, 2);
    CHECK_UINT(result.books.timed_out, 97);
    CHECK_NEAR(result.values[M_EXPIRED], 97, 0);
    CHECK_NEAR(result.latencies[0], 10, 1e-9);
    CHECK_NEAR(result.latencies[85], 11.5, 1e-9); /* of 8.6 s */
}

/* One that waits in the node fills it: the first two are sent, the others only
   as the node's queue is empty again, so nobody is served later than without.
 */
static void flow_control_goes_by_reports(void)
{
    double alone_s;

    run(SIM_OK);
    alone_s = result.values[M_LATENCY_MAX];
    scenario.balancer.report_interval_ns = 0;
    scenario.balancer.flow_control = (struct flow_control_spec){
        .given = true,
        .limit = 1,
        .saturation = {.by = SATURATION_BY_REPORTS,
                       .queue_depth = 1,
                       .kv_use = 0.8},
        .sweep_ns = S,
        .ttl_ns = INT64_MAX,
    };
    scenario.balancer.queue.given = true;
    run(SIM_OK);
    CHECK_UINT(result.books.completed, 99);
    CHECK_NEAR(result.values[M_HELD], 97, 0);
    CHECK_NEAR(result.values[M_LATENCY_MAX], alone_s, 1e-9);
    CHECK(result.nodes[0].queue_mean_requests < 1);
}

/* --- equal to what is known already ------------------------------------------
 */

static double kept[REQUESTS_MAX];

static void keep_latencies(void)
{
    for (uint64_t i = 0; i < result.latency_count && i < REQUESTS_MAX; i++)
        kept[i] = result.latencies[i];
}

static uint32_t count_other_latencies(void)
{
    uint32_t others = 0;

    for (uint64_t i = 0; i < result.latency_count && i < REQUESTS_MAX; i++)
        others += !(fabs(result.latencies[i] - kept[i]) < 1e-9);
    return others;
}

static void use_random_work(void)
{
    struct dist_params params = DIST_PARAMS_NONE;

    params.kind = DIST_EXPONENTIAL;
    params.mean = 0.25;
    CHECK(dist_init(&scenario.workload.work, &params, NULL, 0));
}

/* One queue at the door before three nodes of one slot is one node of three
   slots with a queue of its own, request by request. */
static void central_queue_is_one_node(void)
{
    use_random_work();
    groups[0].engine.slots = 3;
    run(SIM_OK);
    keep_latencies();
    groups[0].engine.slots = 1;
    set_nodes(3);
    use_policy("round_robin");
    cap_nodes(1, CAPS_QUEUE_AT_BALANCER);
    run(SIM_OK);
    CHECK_UINT(result.latency_count, 99);
    CHECK_UINT(count_other_latencies(), 0);
}

/* Waiting at the door for the node that was picked is waiting in the node. */
static void queue_for_a_node_is_its_own_queue(void)
{
    use_random_work();
    set_nodes(3);
    use_policy("round_robin");
    run(SIM_OK);
    keep_latencies();
    cap_nodes(1, CAPS_QUEUE_AT_NODE);
    run(SIM_OK);
    CHECK_UINT(count_other_latencies(), 0);
    CHECK(result.values[M_HELD] > 10);
}

/* Total time-outs strike those who wait at the door for a node too: whatever
   cancelling means for nodes, nobody is left over. */
static void time_outs_reach_the_door(void)
{
    use_random_work();
    use_policy("round_robin");
    scenario.balancer.timeout.total_ns = S;
    for (int cancel = 0; cancel < 2; cancel++) {
        scenario.balancer.timeout.cancel = cancel != 0;
        for (int queue = 0; queue < 2; queue++) {
            cap_nodes(1, queue ? CAPS_QUEUE_AT_NODE : CAPS_QUEUE_AT_BALANCER);
            run(SIM_OK);
            CHECK_UINT(result.books.arrived, 99);
            CHECK_UINT(result.books.unfinished, 0);
            CHECK(result.books.timed_out > 20);
            CHECK(result.books.completed > 0);
        }
    }
}

/* HAProxy's maxqueue: a node with a full queue is not picked; when all are, the
   request waits at the door. */
static void queue_for_a_node_may_be_full(void)
{
    scenario.workload.work = constant(10);
    cap_nodes(1, CAPS_QUEUE_AT_NODE);
    scenario.balancer.caps.node_queue = 2;
    scenario.balancer.queue.size = 5;
    run(SIM_OK);
    CHECK_UINT(result.books.refused, 99 - 1 - 2 - 5);
    CHECK_UINT(result.books.completed, 1 + 2 + 5);
}

int main(int argc, char **argv)
{
    CU_TestInfo doors[] = {
        {"off there are no values", off_there_are_no_values},
        {"a limit without a queue refuses", limit_without_a_queue_refuses},
        {"a queue holds, and refuses when full",
         queue_holds_and_refuses_when_full},
        {"a queue is limited by tokens too", queue_is_limited_by_tokens_too},
        {"a bucket lets its rate in", bucket_lets_its_rate_in},
        {"a bucket of tokens", bucket_of_tokens},
        {"a bucket gives back what was not used",
         bucket_gives_back_what_was_not_used},
        {"shedding goes by saturation", shedding_goes_by_saturation},
        {"hopeless requests are refused", hopeless_requests_are_refused},
        {"pool limits overflow", pool_limits_overflow},
        {"fail fast turns all away", fail_fast_turns_all_away},
        {"the limit finds itself", limit_finds_itself},
        {"flow control sweeps", flow_control_sweeps},
        {"flow control goes by reports", flow_control_goes_by_reports},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo equals[] = {
        {"a central queue is one node", central_queue_is_one_node},
        {"a queue for a node is its own queue",
         queue_for_a_node_is_its_own_queue},
        {"time-outs reach the door", time_outs_reach_the_door},
        {"a queue for a node may be full", queue_for_a_node_may_be_full},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("admission", NULL, NULL, prepare_admission, forget, doors),
        SUITE("admission_equals", NULL, NULL, prepare_admission, forget,
              equals),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
