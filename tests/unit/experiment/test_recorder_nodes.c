/*
 * What the recorder says of nodes, of the balance between them and of their
 * stability, against sums that can be done in one's head.
 */
#include "tests/unit/experiment/recorder_world.h"

/* --- nodes ---------------------------------------------------------------- */

/* The window opens at 60 s and is 60 s long. Node 0 serves from 50 to 75 s, a
   second request waits from 60 to 75 s and is served until 105 s: busy 45 of
   60 s, waiting 15, in flight 15 * 2 + 30 = 60. */
static void time_averages_cover_the_window_alone(void)
{
    uint32_t first, second;
    struct node_result *node;

    start_at(-1);
    first = enter(0, 25, 50 * S);
    recorder_open(&recorder, nodes, 60 * S);
    second = enter(0, 30, 60 * S);
    leave(first, 75 * S);
    leave(second, 105 * S);
    finish();
    node = &result.nodes[0];
    CHECK_NEAR(node->use_ratio, 0.75, 1e-12);
    CHECK_NEAR(node->gpu_ratio, 0.75, 1e-12);
    CHECK_NEAR(node->queue_mean_requests, 0.25, 1e-12);
    CHECK_NEAR(node->in_flight_mean_requests, 1, 1e-12);
    CHECK_NEAR(result.nodes[1].use_ratio, 0, 0);
    CHECK_NEAR(result.values[M_IN_FLIGHT], 1, 1e-12);
    CHECK_NEAR(result.values[M_FULLEST_USE], 0.75, 1e-12);
    CHECK_NEAR(result.values[M_GPU_USE], 0.375, 1e-12);
    CHECK(isnan(node->cpu_ratio));
    CHECK(isnan(node->memory_ratio));
    CHECK(isnan(node->hit_ratio));
    CHECK(isnan(node->latency_p50_s));
}

/* Slots: one busy slot of four is a use of a quarter. */
static void use_is_a_share_of_the_slots(void)
{
    spec.engine.slots = 4;
    node_init(&nodes[0], &spec, 0, 0, NULL, NULL);
    start_at(0);
    keep_busy(0, 0, 60 * S);
    finish();
    CHECK_NEAR(result.nodes[0].use_ratio, 0.125, 1e-12);
}

/* Buckets of 1 s: node 1 is busy in the first half of bucket 3, and one more
   waits there. */
static void buckets_have_their_own_averages(void)
{
    const struct node_bucket *row;
    uint32_t running, waiting;

    start_at(0);
    running = enter(1, 0.5, 3 * S);
    waiting = enter(1, 0.5, 3 * S);
    leave(running, 7 * S / 2);
    leave(waiting, 4 * S);
    finish();
    row = &result.node_buckets[3 * NODES];
    CHECK_NEAR(row[0].use_ratio, 0, 0);
    CHECK_NEAR(row[1].use_ratio, 1, 1e-6);
    CHECK_NEAR(row[1].in_flight_mean_requests, 1.5, 1e-6);
    CHECK_NEAR(result.buckets[3].in_flight_mean_requests, 1.5, 1e-6);
    CHECK_NEAR(result.node_buckets[4 * NODES + 1].use_ratio, 0, 0);
    CHECK_NEAR(result.node_buckets[2 * NODES + 1].use_ratio, 0, 0);
}

/* Dead from 90 to 105 s of 120. */
static void dead_time_is_a_share_of_the_window(void)
{
    start_at(0);
    pass(90 * S);
    node_die(&nodes[0], &world, 0, 90 * S);
    pass(105 * S);
    node_restart(&nodes[0], 105 * S);
    finish();
    CHECK_NEAR(result.nodes[0].down_ratio, 0.125, 1e-12);
    CHECK_NEAR(result.nodes[1].down_ratio, 0, 0);
    CHECK_NEAR(result.node_buckets[90 * NODES].down_ratio, 1, 1e-6);
    CHECK_NEAR(result.node_buckets[105 * NODES].down_ratio, 0, 1e-6);
}

/* Memory 0.4 + 0.2 for each in service, half of the time; cpu 0.1 each. */
static void stated_shares_are_averaged(void)
{
    spec.memory_given = true;
    spec.memory_base = 0.4;
    spec.memory_per_request = 0.2;
    spec.cpu_per_request = 0.1;
    node_init(&nodes[0], &spec, 0, 0, NULL, NULL);
    start_at(0);
    keep_busy(0, 0, 60 * S);
    finish();
    CHECK_NEAR(result.nodes[0].memory_ratio, 0.5, 1e-9);
    CHECK_NEAR(result.nodes[0].cpu_ratio, 0.05, 1e-9);
    CHECK_NEAR(result.values[M_MEMORY_USE], 0.5, 1e-9); /* of who states it */
    CHECK_NEAR(result.values[M_CPU_USE], 0.05, 1e-9);   /* likewise */
}

static void cpu_nodes_have_no_gpu(void)
{
    spec.kind = NODE_CPU;
    node_init(&nodes[1], &spec, 1, 0, NULL, NULL);
    start_at(0);
    keep_busy(0, 0, 30 * S);
    keep_busy(1, 30 * S, 90 * S);
    finish();
    CHECK(isnan(result.nodes[1].gpu_ratio));
    CHECK_NEAR(result.nodes[1].cpu_ratio, 0.5, 1e-9);
    CHECK_NEAR(result.values[M_GPU_USE], 0.25, 1e-9);
    CHECK_NEAR(result.values[M_CPU_USE], 0.5, 1e-9);
}

/* Three evictions before the window, four in it. */
static void evictions_of_the_window_are_counted(void)
{
    struct result_cache cache;

    CHECK(result_cache_init(&cache, 1, 0, INT64_MAX));
    node_init(&nodes[0], &spec, 0, 0, &cache, NULL);
    start_at(-1);
    for (uint64_t key = 1; key <= 4; key++)
        result_cache_store(&cache, key, 1, 0);
    recorder_open(&recorder, nodes, 0);
    for (uint64_t key = 5; key <= 8; key++)
        result_cache_store(&cache, key, 1, S);
    answer(S, S);
    finish();
    CHECK_UINT(result.nodes[0].evictions, 4);
    CHECK_NEAR(result.values[M_EVICTIONS], 4, 0);
    CHECK_NEAR(result.nodes[0].hit_ratio, 0, 0);
    result_cache_done(&cache);
}

/* Uses of 0.25 and 0.75: mean 0.5, deviation 0.25, so cv 0.5; Jain's index
   1^2 / (2 (1/16 + 9/16)) = 0.8; Gini: of the four differences 0, 1/2, 1/2, 0
   the mean 1/4, over twice the mean. Attempts 1 and 3: 3 over the mean 2. */
static void balance_is_worked_out_by_hand(void)
{
    start_at(0);
    recorder.counts[0].attempts = 1;
    recorder.counts[1].attempts = 3;
    keep_busy(0, 0, 30 * S);
    keep_busy(1, 30 * S, 120 * S);
    finish();
    CHECK_NEAR(result.values[M_BALANCE_CV], 0.5, 1e-12);
    CHECK_NEAR(result.values[M_BALANCE_JAIN], 0.8, 1e-12);
    CHECK_NEAR(result.values[M_BALANCE_GINI], 0.25, 1e-12);
    CHECK_NEAR(result.values[M_BALANCE_SHARE], 1.5, 1e-12);
    CHECK_UINT(result.nodes[1].attempts, 3);
    CHECK_NEAR(result.nodes[1].share_ratio, 0.75, 1e-12);
}

/* By turns for half of the window: even in sum, and in every bucket one has
   all, where cv is 1. */
static void turns_are_even_in_sum_and_not_in_buckets(void)
{
    start_at(0);
    keep_busy(0, 0, 60 * S);
    keep_busy(1, 60 * S, 120 * S);
    finish();
    CHECK_NEAR(result.values[M_BALANCE_CV], 0, 1e-12);
    CHECK_NEAR(result.values[M_BALANCE_WINDOW_CV], 1, 1e-6);
}

/* Buckets in which nobody works have no balance and are left out. */
static void idle_buckets_have_no_balance(void)
{
    start_at(0);
    keep_busy(0, 0, 10 * S);
    finish();
    CHECK_NEAR(result.values[M_BALANCE_WINDOW_CV], 1, 1e-6);
    run_result_done(&result);
    recorder_done(&recorder);
    node_init(&nodes[0], &spec, 0, 0, NULL, NULL);
    start_at(0);
    finish();
    CHECK(isnan(result.values[M_BALANCE_WINDOW_CV]));
    CHECK(isnan(result.values[M_BALANCE_JAIN]));
}

/* Of node 1: 1 .. 100 s, of which a hit. */
static void nodes_may_have_percentiles(void)
{
    setup.node_percentiles = true;
    start_at(0);
    for (int64_t i = 1; i <= 100; i++) {
        struct request request = arrive(i * S);

        request.node = 1;
        recorder_answered(&recorder, &request, i * S, 0, -1);
    }
    finish();
    CHECK_UINT(result.nodes[1].completed, 100);
    CHECK_NEAR(result.nodes[1].latency_p50_s, 50, 50 / 32.0);
    CHECK_NEAR(result.nodes[1].latency_p99_s, 99, 99 / 32.0);
    CHECK_UINT(result.nodes[0].completed, 0);
    CHECK(isnan(result.nodes[0].latency_p50_s));
}

/* --- stability ------------------------------------------------------------ */

/* Work that never ends: one is in service, the others wait. The times at which
   `count` of them enter are spread evenly over [from, to). */
static void pile_up(uint32_t count, int64_t from_ns, int64_t to_ns)
{
    for (uint32_t i = 0; i < count; i++)
        enter(0, 1e6, from_ns + (to_ns - from_ns) / count * i);
}

/* One a second: 15, 45, 75, 105 wait on average of the quarters, and the last
   is more than twice the second. That the other node idles does not help. */
static void queue_that_grows_is_unstable(void)
{
    start_at(0);
    pile_up(120, 0, WINDOW);
    finish();
    CHECK(result.unstable);
}

/* However long it is. */
static void constant_queue_is_stable(void)
{
    start_at(-1);
    pile_up(100, 0, S);
    recorder_open(&recorder, nodes, S);
    finish();
    CHECK(!result.unstable);
}

static void queue_that_grew_at_first_is_stable(void)
{
    start_at(0);
    pile_up(60, 0, 30 * S);
    finish();
    CHECK(!result.unstable);
}

/* 19, 4 and 84 wait in the last three quarters: more than ever, but what fell
   in between does not grow without end. */
static void queue_that_fell_in_between_is_stable(void)
{
    uint32_t waiting[20];

    start_at(0);
    for (uint32_t i = 0; i < 20; i++)
        waiting[i] = enter(0, 1e6, 0);
    pass(60 * S);
    for (uint32_t i = 5; i < 20; i++) {
        node_cancel(&nodes[0], &world, request_at(&slab, waiting[i]),
                    waiting[i], false, 60 * S);
        node_count_in_flight(&nodes[0], -1, 60 * S);
    }
    pile_up(80, 90 * S, 90 * S);
    finish();
    CHECK_NEAR(result.buckets[59].in_flight_mean_requests, 20, 1e-6);
    CHECK_NEAR(result.buckets[61].in_flight_mean_requests, 5, 1e-6);
    CHECK_NEAR(result.buckets[119].in_flight_mean_requests, 85, 1e-6);
    CHECK(!result.unstable);
}

/* Doubling, but a handful: such is chance. */
static void short_queue_is_stable(void)
{
    start_at(0);
    pile_up(10, 0, WINDOW);
    finish();
    CHECK(!result.unstable);
}

/* 120 more requests than before, all of them in service: no queue at all. */
static void busy_slots_are_no_queue(void)
{
    spec.engine.slots = 200;
    node_init(&nodes[0], &spec, 0, 0, NULL, NULL);
    start_at(0);
    pile_up(120, 0, WINDOW);
    finish();
    CHECK(!result.unstable);
}

int main(int argc, char **argv)
{
    CU_TestInfo of_nodes[] = {
        {"time averages cover the window alone",
         time_averages_cover_the_window_alone},
        {"use is a share of the slots", use_is_a_share_of_the_slots},
        {"buckets have their own averages", buckets_have_their_own_averages},
        {"dead time is a share of the window",
         dead_time_is_a_share_of_the_window},
        {"stated shares are averaged", stated_shares_are_averaged},
        {"cpu nodes have no gpu", cpu_nodes_have_no_gpu},
        {"evictions of the window", evictions_of_the_window_are_counted},
        {"may have percentiles", nodes_may_have_percentiles},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo balance[] = {
        {"is worked out by hand", balance_is_worked_out_by_hand},
        {"turns are even in sum and not in buckets",
         turns_are_even_in_sum_and_not_in_buckets},
        {"idle buckets have none", idle_buckets_have_no_balance},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo stability[] = {
        {"queue that grows", queue_that_grows_is_unstable},
        {"constant queue", constant_queue_is_stable},
        {"queue that grew at first", queue_that_grew_at_first_is_stable},
        {"queue that fell in between", queue_that_fell_in_between_is_stable},
        {"short queue", short_queue_is_stable},
        {"busy slots are no queue", busy_slots_are_no_queue},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("recorder nodes", NULL, NULL, prepare, forget, of_nodes),
        SUITE("recorder balance", NULL, NULL, prepare, forget, balance),
        SUITE("recorder stability", NULL, NULL, prepare, forget, stability),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
