/*
 * What can be wrong with a node that is not dead, by hand: frozen engines of
 * every kind, errors, swallowing, cut senders and leaks. Times in ms.
 */
#include "sim/cluster/node_trouble.h"

#include "tests/unit/cluster/engine_world.h"

static struct node_trouble trouble;

static void begin(void)
{
    world_begin();
    spec.engine.speed_varies = true;
    node_trouble_init(&trouble);
}

static void ready(void)
{
    make_node();
    node.trouble = &trouble;
}

static void freeze(double at_ms)
{
    node_freeze(&node, &world, 0, (int64_t)(at_ms * 1e6));
}

/* Those that were held are accepted, in order. */
static void thaw(double at_ms)
{
    int64_t now_ns = (int64_t)(at_ms * 1e6);
    uint32_t index;

    node_thaw(&node, &world, 0, now_ns);
    while ((index = node_take_held(&node, &world, now_ns)) != REQUEST_NONE)
        node_accept(&node, &world, request_at(&slab, index), index, now_ns);
}

/* 5 ms of work, 2 of them done; frozen from 2 to 102: it ends at 105. */
static void frozen_work_goes_on_where_it_stopped(void)
{
    uint32_t a, b;

    ready();
    a = arrive(5, 0, NODE_STARTED);
    b = arrive(4, 1, NODE_QUEUED);
    freeze(2);
    CHECK(event_tree_first(&tree).time_ns > UINT64_C(1) << 61);
    thaw(102);
    ends(a, 105);
    ends(b, 109);
    CHECK(is_quiet());
}

static void what_comes_is_held_in_order(void)
{
    uint32_t a, b, c;

    ready();
    freeze(1);
    a = arrive(5, 2, NODE_STARTED);
    b = arrive(1, 3, NODE_STARTED);
    c = arrive(2, 4, NODE_STARTED);
    CHECK_INT(request_at(&slab, a)->state, REQUEST_HELD);
    CHECK_UINT(node_queue_depth(&node), 3);
    CHECK_UINT(node.queued, 0);
    cancel(b, 5);
    CHECK_UINT(node_queue_depth(&node), 2);
    thaw(10);
    ends(a, 15);
    ends(c, 17);
    CHECK(is_quiet());
    CHECK_UINT(node_queue_depth(&node), 0);
}

/* a leaves in the freeze; b takes its place, and its time runs from 20 on. */
static void a_place_that_is_left_is_taken(void)
{
    uint32_t a, b;

    ready();
    a = arrive(5, 0, NODE_STARTED);
    b = arrive(4, 1, NODE_QUEUED);
    freeze(2);
    cancel(a, 3);
    CHECK_INT(request_at(&slab, b)->state, REQUEST_RUNNING);
    thaw(20);
    ends(b, 24);
    CHECK(is_quiet());
}

/* Twice as slow from 4, when frozen since 2: 3 ms are left, 6 from 10 on. */
static void speed_may_change_meanwhile(void)
{
    uint32_t a;

    ready();
    a = arrive(5, 0, NODE_STARTED);
    freeze(2);
    node_change_speed(&node, &world, 0, 0.5, 4 * MS);
    thaw(10);
    ends(a, 16);
}

/* Two share the processor: each has 2 of 4 done at 4; from 104 on likewise. */
static void sharing_stands_still(void)
{
    uint32_t a, b;

    spec.engine.kind = ENGINE_SHARING;
    ready();
    a = arrive(4, 0, NODE_STARTED);
    b = arrive(4, 0, NODE_STARTED);
    freeze(4);
    CHECK(event_tree_first(&tree).time_ns == EVENT_NEVER);
    thaw(104);
    ends(a, 108);
    ends(b, 108);
    CHECK(is_quiet());
}

/* A cancelled one leaves its half to the other: 2 ms alone from 104 on. */
static void sharing_forgets_who_leaves(void)
{
    uint32_t a, b;

    spec.engine.kind = ENGINE_SHARING;
    ready();
    a = arrive(4, 0, NODE_STARTED);
    b = arrive(4, 0, NODE_STARTED);
    freeze(4);
    cancel(a, 50);
    thaw(104);
    ends(b, 106);
    CHECK(is_quiet());
}

/* A batch of two, 6 ms long, of which 4 are left; the third waits for it. */
static void batches_stand_still(void)
{
    uint32_t a, b, c;

    spec.engine.kind = ENGINE_BATCH;
    spec.engine.batch.size = 2;
    ready();
    a = arrive(5, 0, NODE_QUEUED);
    b = arrive(6, 0, NODE_STARTED);
    c = arrive(3, 1, NODE_QUEUED);
    freeze(2);
    CHECK(event_tree_first(&tree).time_ns == EVENT_NEVER);
    cancel(a, 5);
    thaw(52);
    ends(b, 56);
    node_timer(&node, &world, 56 * MS);
    ends(c, 59);
    CHECK(is_quiet());
}

static void the_dead_hold_nobody(void)
{
    uint32_t a, b, lost;

    ready();
    a = arrive(5, 0, NODE_STARTED);
    freeze(1);
    b = arrive(5, 2, NODE_STARTED);
    lost = node_die(&node, &world, 0, 3 * MS);
    CHECK_UINT(lost, a);
    CHECK_UINT(request_at(&slab, a)->next, b);
    CHECK_UINT(request_at(&slab, b)->next, REQUEST_NONE);
    CHECK_UINT(trouble.held, 0);
    node_restart(&node, 4 * MS);
    a = arrive(5, 5, NODE_STARTED);
    CHECK_INT(request_at(&slab, a)->state, REQUEST_HELD); /* still frozen */
    thaw(6);
    ends(a, 11);
    CHECK(is_quiet());
}

/* Waiting from 2 to 10 and from 3 to 10: 15 ms in all. */
static void held_time_is_queue_time(void)
{
    struct node_reading read;

    ready();
    freeze(1);
    arrive(5, 2, NODE_STARTED);
    arrive(5, 3, NODE_STARTED);
    node_read(&node, 10 * MS, &read);
    CHECK_UINT(read.queued, 15 * MS);
}

static void errors_come_by_their_share(void)
{
    uint32_t errors = 0;

    ready();
    trouble.error_share = 0.25;
    rng_stream(&trouble.errors, 1, 1, RNG_FAULT_ERRORS, 0);
    node_trouble_changed(&node);
    for (int i = 0; i < 10000; i++) {
        uint32_t index;
        struct request *request = request_slab_take(&slab, &index);

        *request = (struct request){.epoch = request->epoch, .need = 1};
        errors += node_accept(&node, &world, request, index, i) == NODE_ERROR;
    }
    CHECK_NEAR(errors, 2500, 5 * 43.3); /* binomial */
    trouble.error_share = 0;
    node_trouble_changed(&node);
    arrive(1, 1, NODE_QUEUED);
}

static void a_black_hole_answers_what_it_has(void)
{
    uint32_t a;

    ready();
    a = arrive(5, 0, NODE_STARTED);
    trouble.swallows = true;
    node_trouble_changed(&node);
    arrive(5, 1, NODE_SWALLOWED);
    ends(a, 5);
    CHECK(is_quiet());
}

static void the_cut_are_cut_alone(void)
{
    uint32_t cut[2] = {0, 1}, a, index;
    struct request *request;

    ready();
    trouble.cut = cut;
    trouble.cuts = 1;
    node_trouble_changed(&node);
    a = arrive(5, 0, NODE_STARTED); /* of balancer 0 */
    request = request_slab_take(&slab, &index);
    *request = (struct request){.epoch = request->epoch, .balancer = 1};
    CHECK_INT(node_accept(&node, &world, request, index, MS), NODE_CUT);
    ends(a, 5);
}

/* 30 % are in use, 10 % by each that runs: the fourth answer of 15 % each fills
   the rest, for one runs meanwhile. */
static void answers_leak_until_memory_is_full(void)
{
    uint32_t leaf = event_tree_take(&tree, 77), a;

    spec.memory_given = true;
    spec.memory_base = 0.3;
    spec.memory_per_request = 0.1;
    ready();
    trouble.leak_per_answer = 0.15;
    trouble.full_leaf = leaf;
    node_trouble_changed(&node);
    for (int i = 0; i < 4; i++) {
        a = arrive(1, 2 * i, NODE_STARTED);
        if (i == 3)
            arrive(1, 2 * i, NODE_QUEUED);
        ends(a, 2 * i + 1);
        CHECK_INT(event_tree_read(&tree, tree.leaf_count + leaf).time_ns !=
                      (uint64_t)EVENT_NEVER,
                  i == 3);
    }
    CHECK_NEAR(node_memory_use(&node), 1, 0); /* 0.3 + 0.1 + 0.6 */
    node_die(&node, &world, 0, 8 * MS);
    node_restart(&node, 9 * MS);
    CHECK_NEAR(node_memory_use(&node), 0.3, 1e-12);
}

static void leaks_show_in_the_mean(void)
{
    struct node_reading read;

    spec.memory_given = true;
    spec.memory_base = 0.2;
    ready();
    CHECK(!node_leak(&node, 0.5, 4 * MS));
    node_read(&node, 10 * MS, &read);
    CHECK_NEAR(read.memory_ns, (0.2 * 4 + 0.7 * 6) * 1e6, 1);
    CHECK(node_leak(&node, 0.3, 10 * MS));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"frozen work goes on where it stopped",
         frozen_work_goes_on_where_it_stopped},
        {"what comes is held in order", what_comes_is_held_in_order},
        {"a place that is left is taken", a_place_that_is_left_is_taken},
        {"speed may change meanwhile", speed_may_change_meanwhile},
        {"sharing stands still", sharing_stands_still},
        {"sharing forgets who leaves", sharing_forgets_who_leaves},
        {"batches stand still", batches_stand_still},
        {"the dead hold nobody", the_dead_hold_nobody},
        {"held time is queue time", held_time_is_queue_time},
        {"errors come by their share", errors_come_by_their_share},
        {"a black hole answers what it has", a_black_hole_answers_what_it_has},
        {"the cut are cut alone", the_cut_are_cut_alone},
        {"answers leak until memory is full",
         answers_leak_until_memory_is_full},
        {"leaks show in the mean", leaks_show_in_the_mean},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("node_trouble", NULL, NULL, begin, world_end, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
