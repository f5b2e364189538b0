#include "sim/cluster/node_trouble.h"

#include "sim/cluster/engine.h"

void node_trouble_init(struct node_trouble *trouble)
{
    *trouble = (struct node_trouble){.full_leaf = EVENT_NO_LEAF,
                                     .held_head = REQUEST_NONE,
                                     .held_tail = REQUEST_NONE};
}

/* --- frozen --------------------------------------------------------------- */

void node_freeze(struct node *node, const struct node_world *world,
                 uint32_t node_index, int64_t now_ns)
{
    node->engine->freeze(node, world, node_index, now_ns);
    node->trouble->frozen = true;
    node->trouble->frozen_at_ns = now_ns;
    node_trouble_changed(node);
}

void node_thaw(struct node *node, const struct node_world *world,
               uint32_t node_index, int64_t now_ns)
{
    node->trouble->frozen = false;
    node->engine->thaw(node, world, node_index, now_ns);
    node_trouble_changed(node);
}

static void count_held(struct node *node, int32_t change, int64_t now_ns)
{
    node->trouble->held += (uint32_t)change;
    node->meter.queued -= (uint64_t)(change * now_ns);
}

static void hold(struct node *node, const struct node_world *world,
                 struct request *request, uint32_t index, int64_t now_ns)
{
    struct node_trouble *trouble = node->trouble;

    request->state = REQUEST_HELD;
    request->next = REQUEST_NONE;
    request->prev = trouble->held_tail;
    if (trouble->held_tail != REQUEST_NONE)
        request_at(world->slab, trouble->held_tail)->next = index;
    else
        trouble->held_head = index;
    trouble->held_tail = index;
    count_held(node, 1, now_ns);
}

void node_trouble_leave(struct node *node, const struct node_world *world,
                        const struct request *request, int64_t now_ns)
{
    struct node_trouble *trouble = node->trouble;

    if (request->prev != REQUEST_NONE)
        request_at(world->slab, request->prev)->next = request->next;
    else
        trouble->held_head = request->next;
    if (request->next != REQUEST_NONE)
        request_at(world->slab, request->next)->prev = request->prev;
    else
        trouble->held_tail = request->prev;
    count_held(node, -1, now_ns);
}

uint32_t node_take_held(struct node *node, const struct node_world *world,
                        int64_t now_ns)
{
    uint32_t index = node->trouble->held_head;

    if (index != REQUEST_NONE)
        node_trouble_leave(node, world, request_at(world->slab, index), now_ns);
    return index;
}

/* --- what comes ----------------------------------------------------------- */

enum node_answer node_trouble_meet(struct node *node,
                                   const struct node_world *world,
                                   struct request *request, uint32_t index,
                                   int64_t now_ns)
{
    struct node_trouble *trouble = node->trouble;

    /* What a health check meets here was decided on its way. */
    bool probe = (request->flags & REQUEST_PROBE) != 0;

    if (trouble->cuts > 0 && !probe && trouble->cut[request->balancer] > 0)
        return NODE_CUT;
    if (!node->alive)
        return NODE_QUEUED;
    if (trouble->swallows && !probe) {
        trouble->swallowed += (request->flags & REQUEST_MEASURED) != 0;
        return NODE_SWALLOWED;
    }
    if (trouble->frozen) {
        hold(node, world, request, index, now_ns);
        return NODE_STARTED;
    }
    if (trouble->error_share > 0 && !probe &&
        rng_uniform(&trouble->errors) < trouble->error_share)
        return NODE_ERROR;
    return NODE_QUEUED;
}

/* --- leaks ---------------------------------------------------------------- */

bool node_leak(struct node *node, double share, int64_t now_ns)
{
    engine_advance_shares(node, now_ns, &node->shares);
    node->leaked += share;
    /* Hundredths do not quite add up to one. */
    return node->memory_base + node->memory_per_request * node->running +
               node->leaked >=
           1 - 1e-9;
}

void node_trouble_answered(struct node *node, const struct node_world *world,
                           int64_t now_ns)
{
    struct node_trouble *trouble = node->trouble;

    if (trouble->leak_per_answer > 0 &&
        node_leak(node, trouble->leak_per_answer, now_ns) &&
        trouble->full_leaf != EVENT_NO_LEAF)
        event_tree_set(world->tree, trouble->full_leaf, now_ns, RANK_FAULT);
}
