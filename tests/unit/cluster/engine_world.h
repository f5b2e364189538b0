/*
 * One node of any engine, its event tree and its requests, for tests of what
 * happens inside a node. Times are in ms.
 */
#ifndef TESTS_UNIT_CLUSTER_ENGINE_WORLD_H
#define TESTS_UNIT_CLUSTER_ENGINE_WORLD_H

#include "sim/cluster/node.h"
#include "tests/check.h"

#include <math.h>

#define MS INT64_C(1000000)

static struct event_tree tree;
static struct request_slab slab;
static struct node_world world;
static struct node node;
static struct group_spec spec;
static uint64_t arrivals;

static void world_begin(void)
{
    spec = (struct group_spec){
        .name = "node",
        .count = 1,
        .cpu_per_request = NAN,
        .engine = {.slots = 1, .speed = 1, .slowdown_per_request = 1}};
    CHECK(event_tree_init(&tree, 4));
    request_slab_init(&slab, false, 0);
    request_slab_add_work(&slab);
    world = (struct node_world){
        .tree = &tree, .slab = &slab, .deadline_after_ns = INT64_MAX};
    node = (struct node){0};
    arrivals = 0;
}

static void world_end(void)
{
    node_done(&node);
    request_slab_done(&slab);
    event_tree_done(&tree);
}

/* The node of the spec as it now is. */
static void make_node(void)
{
    node_done(&node);
    CHECK(node_init(&node, &spec, 0, 0, NULL, NULL));
}

/* A request of that many ms of work comes in at that ms. */
static uint32_t arrive(double need_ms, double at_ms, enum node_answer expected)
{
    uint32_t index;
    struct request *request = request_slab_take(&slab, &index);

    *request = (struct request){.epoch = request->epoch,
                                .number = arrivals++,
                                .need = need_ms * 1e-3,
                                .arrived_at_ns = (int64_t)(at_ms * 1e6)};
    *request_work_at(&slab, index) =
        (struct request_work){.bare_need = need_ms * 1e-3};
    CHECK_INT(
        node_accept(&node, &world, request, index, (int64_t)(at_ms * 1e6)),
        expected);
    return index;
}

/* The first event, at that ms (to the nanosecond), is the end of this one. */
__attribute__((unused)) static void ends(uint32_t index, double at_ms)
{
    struct event_key first = event_tree_first(&tree);
    struct request *request = request_at(&slab, index);

    CHECK_UINT(tree.subjects[event_leaf_of(first)], index);
    CHECK_NEAR((double)first.time_ns, at_ms * 1e6, 0.6);
    CHECK(!(request->flags & REQUEST_FIRST_TOKEN));
    CHECK(node_finish(&node, &world, request, index, (int64_t)first.time_ns));
    request_slab_give(&slab, request, index);
}

__attribute__((unused)) static void cancel(uint32_t index, double at_ms)
{
    struct request *request = request_at(&slab, index);

    node_cancel(&node, &world, request, index, false, (int64_t)(at_ms * 1e6));
    request_slab_give(&slab, request, index);
}

__attribute__((unused)) static bool is_quiet(void)
{
    return event_tree_first(&tree).time_ns == EVENT_NEVER &&
           node.running == 0 && node.queued == 0;
}

#endif
