/*
 * A recorder with two nodes of one slot at speed 1, and a clock that passes the
 * edges of its window. Most tests have a window of 120 s, which its 120 buckets
 * cut into whole seconds.
 */
#ifndef TESTS_UNIT_EXPERIMENT_RECORDER_WORLD_H
#define TESTS_UNIT_EXPERIMENT_RECORDER_WORLD_H
#include "sim/experiment/recorder.h"
#include "tests/check.h"

#include <stdlib.h>

#define S INT64_C(1000000000)
#define WINDOW (120 * S)
#define NODES 2

static struct event_tree tree;
static struct request_slab slab;
static struct node_world world;
static struct group_spec spec;
static struct node nodes[NODES];
static struct recorder_setup setup;
static struct recorder recorder;
static struct run_result result;
static uint64_t number; /* of the next request */

static inline void prepare(void)
{
    spec = (struct group_spec){.name = "gpu",
                               .count = NODES,
                               .cpu_per_request = NAN,
                               .engine = {.slots = 1, .speed = 1}};
    CHECK(event_tree_init(&tree, 4));
    request_slab_init(&slab, true, 0);
    world = (struct node_world){.tree = &tree, .slab = &slab};
    for (uint32_t i = 0; i < NODES; i++)
        node_init(&nodes[i], &spec, 0, i, NULL, NULL);
    setup = (struct recorder_setup){.node_count = NODES,
                                    .goodput_bound_s = INFINITY,
                                    .confidence = 0.95,
                                    .end_ns = WINDOW};
    recorder = (struct recorder){0};
    result = (struct run_result){0};
    number = 0;
}

static inline void forget(void)
{
    run_result_done(&result);
    recorder_done(&recorder);
    request_slab_done(&slab);
    event_tree_done(&tree);
}

static inline void start_at(int64_t opens_ns)
{
    CHECK(recorder_init(&recorder, &setup));
    if (opens_ns >= 0)
        recorder_open(&recorder, nodes, opens_ns);
}

/* Time goes on: all edges up to then. */
static inline void pass(int64_t to_ns)
{
    int64_t edge_ns;

    while ((edge_ns = recorder_next_edge_ns(&recorder)) <= to_ns &&
           edge_ns != EVENT_NEVER)
        recorder_edge(&recorder, nodes, edge_ns);
}

static inline void finish(void)
{
    pass(setup.end_ns);
    CHECK(recorder_finish(&recorder, nodes, &result));
}

/* A request of one attempt enters a node, as the door counts it. */
static inline uint32_t enter(uint32_t node, double need_s, int64_t now_ns)
{
    uint32_t index;
    struct request *request = request_slab_take(&slab, &index);

    pass(now_ns);
    request->need = need_s;
    request->flags = 0;
    request->node = node;
    *request_key_at(&slab, index) = (struct request_key){0};
    node_count_in_flight(&nodes[node], 1, now_ns);
    node_accept(&nodes[node], &world, request, index, now_ns);
    return index;
}

static inline void leave(uint32_t index, int64_t now_ns)
{
    struct request *request = request_at(&slab, index);
    struct node *node = &nodes[request->node];

    pass(now_ns);
    CHECK(node_finish(node, &world, request, index, now_ns));
    node_count_in_flight(node, -1, now_ns);
    request_slab_give(&slab, request, index);
}

/* One request keeps the node busy from .. to. */
static inline void keep_busy(uint32_t node, int64_t from_ns, int64_t to_ns)
{
    leave(enter(node, (double)(to_ns - from_ns) * 1e-9, from_ns), to_ns);
}

/* It arrives; the node is the first. */
static inline struct request arrive(int64_t at_ns)
{
    struct request request = {.arrived_at_ns = at_ns, .number = number++};

    pass(at_ns);
    if (recorder_arrived(&recorder, at_ns, false, false))
        request.flags = REQUEST_MEASURED;
    return request;
}

static inline void answer(int64_t at_ns, int64_t latency_ns)
{
    struct request request = arrive(at_ns);

    recorder_answered(&recorder, &request, latency_ns, 0, -1);
}

static inline void lose(int64_t at_ns, enum ending ending)
{
    struct request request = arrive(at_ns);

    recorder_lost(&recorder, &request, ending);
}

#endif
