/*
 * Engine "slots": c servers, service time = need / speed. A request in service
 * owns a leaf of the event tree, which passes on to the next in the queue.
 *
 * The plain form serves first come, first served and refuses nobody: the hot
 * path inlines it. The general form is for nodes with an ordered or limited
 * queue, with cards, or with a speed that varies.
 */
#include "sim/cluster/node_memory.h"
#include "sim/cluster/node_queue.h"
#include "sim/cluster/node_trouble.h"

/* --- the plain form ------------------------------------------------------- */

static void start(const struct node *node, const struct node_world *world,
                  struct request *request, uint32_t index, uint32_t leaf,
                  int64_t now_ns)
{
    int64_t service_ns = node_service_ns(node, request);

    request->state = REQUEST_RUNNING;
    request->started_at_ns = now_ns;
    request->leaf = leaf;
    world->tree->subjects[leaf] = index;
    if (world->first_token_events && (request->flags & REQUEST_TOKENS)) {
        request->flags |= REQUEST_FIRST_TOKEN;
        service_ns = node_first_token_ns(node, request);
    }
    event_tree_set(world->tree, leaf, now_ns + service_ns, RANK_DONE);
}

enum node_answer slots_accept(struct node *node, const struct node_world *world,
                              struct request *request, uint32_t index,
                              int64_t now_ns)
{
    uint32_t leaf;

    if (node->running >= node->slots) {
        node_queue_append(node, world->slab, request, index, now_ns);
        return NODE_QUEUED;
    }
    leaf = event_tree_take(world->tree, index);
    if (leaf == EVENT_NO_LEAF)
        return NODE_NO_MEMORY;
    engine_count_running(node, 1, now_ns);
    start(node, world, request, index, leaf, now_ns);
    return NODE_STARTED;
}

static void free_leaf(struct node *node, const struct node_world *world,
                      uint32_t leaf, int64_t now_ns)
{
    engine_count_running(node, -1, now_ns);
    event_tree_clear(world->tree, leaf);
    event_tree_give(world->tree, leaf);
}

/* A place in service falls free: the head of the queue takes the leaf. */
void slots_pass_on(struct node *node, const struct node_world *world,
                   uint32_t leaf, int64_t now_ns)
{
    uint32_t index = node->queue_head;

    if (index != REQUEST_NONE) {
        struct request *next = node_queue_take_head(node, world->slab, now_ns);

        start(node, world, next, index, leaf, now_ns);
        return;
    }
    free_leaf(node, world, leaf, now_ns);
}

/* --- the general form ----------------------------------------------------- */

/*
 * While a node is frozen, what is in service has its events as long after this
 * moment, which no run reaches, as they would come after now.
 */
#define FROZEN_NS (INT64_C(1) << 62)

static bool is_frozen(const struct node *node)
{
    return node->trouble && node->trouble->frozen;
}

/* What times of events are counted from. */
static int64_t origin_ns(const struct node *node, int64_t now_ns)
{
    return is_frozen(node) ? FROZEN_NS : now_ns;
}

/* The time that is as long after another origin; what is over stays so. */
static int64_t to_origin(int64_t at_ns, int64_t from_ns, int64_t to_ns)
{
    return at_ns < from_ns ? at_ns : at_ns - from_ns + to_ns;
}

static int64_t stretched(int64_t ns, double stretch)
{
    double longer = (double)ns * stretch;

    if (stretch <= 1)
        return ns;
    return longer < 4e18 ? (int64_t)(longer + 0.5) : INT64_MAX / 2;
}

static int64_t event_at_ns(const struct event_tree *tree, uint32_t leaf)
{
    return (int64_t)tree->times_ns[tree->leaf_count + leaf];
}

static void start_general(struct node *node, const struct node_world *world,
                          uint32_t index, uint32_t leaf, int64_t now_ns)
{
    struct request *request = request_at(world->slab, index);
    struct event_tree *tree = world->tree;
    double stretch = node_memory_stretch(node, request);

    engine_take_card(node, world->slab, index, now_ns);
    if (world->slab->with_work) {
        struct request_work *work = request_work_at(world->slab, index);

        work->stretch = stretch;
        work->first_token_at_ns =
            origin_ns(node, now_ns) +
            stretched(node_first_token_ns(node, request), stretch);
    }
    start(node, world, request, index, leaf, now_ns);
    if (stretch > 1)
        event_tree_set(tree, leaf,
                       now_ns +
                           stretched(event_at_ns(tree, leaf) - now_ns, stretch),
                       RANK_DONE);
    if (is_frozen(node)) /* the place of one that was cancelled */
        event_tree_set(tree, leaf,
                       to_origin(event_at_ns(tree, leaf), now_ns, FROZEN_NS),
                       RANK_DONE);
}

static enum node_answer accept(struct node *node,
                               const struct node_world *world,
                               struct request *request, uint32_t index,
                               int64_t now_ns)
{
    uint32_t leaf;

    if (node->running >= node->slots)
        return node_queue_enter(node, world, request, index, now_ns);
    leaf = event_tree_take(world->tree, index);
    if (leaf == EVENT_NO_LEAF)
        return NODE_NO_MEMORY;
    engine_count_running(node, 1, now_ns);
    start_general(node, world, index, leaf, now_ns);
    return NODE_STARTED;
}

static void finish(struct node *node, const struct node_world *world,
                   const struct request *request, uint32_t index,
                   int64_t now_ns)
{
    uint32_t leaf = request->leaf;
    uint32_t next = node_queue_next_in_time(node, world, now_ns);

    engine_give_card(node, world->slab, index, now_ns);
    if (next != REQUEST_NONE)
        start_general(node, world, next, leaf, now_ns);
    else
        free_leaf(node, world, leaf, now_ns);
}

static void cancel(struct node *node, const struct node_world *world,
                   const struct request *request, uint32_t index,
                   int64_t now_ns)
{
    if (request->state == REQUEST_QUEUED)
        node_queue_leave(node, world, request, now_ns);
    else
        finish(node, world, request, index, now_ns);
}

static void first_token(struct node *node, const struct node_world *world,
                        struct request *request, uint32_t index, int64_t now_ns)
{
    double stretch = node->when_memory_full == MEMORY_FULL_SLOW
                         ? request_work_at(world->slab, index)->stretch
                         : 1;

    event_tree_set(world->tree, request->leaf,
                   now_ns + stretched(node_service_ns(node, request) -
                                          node_first_token_ns(node, request),
                                      stretch),
                   RANK_DONE);
}

static int64_t scaled_rest(int64_t at_ns, int64_t origin, double factor)
{
    return at_ns <= origin || factor == 1
               ? at_ns
               : origin + (int64_t)((double)(at_ns - origin) / factor + 0.5);
}

/* The request in service at this node that owns the leaf; REQUEST_NONE: none
   does. */
static uint32_t owner_of_leaf(const struct node_world *world, uint32_t leaf,
                              uint32_t node_index)
{
    const struct event_tree *tree = world->tree;
    struct event_key key = event_tree_read(tree, tree->leaf_count + leaf);
    uint32_t index = tree->subjects[leaf];
    const struct request *request;

    if (key.time_ns == EVENT_NEVER || event_rank_of(key) != RANK_DONE ||
        index >= world->slab->chunk_count << REQUEST_CHUNK_LOG2)
        return REQUEST_NONE;
    request = request_at(world->slab, index);
    return request->node == node_index && request->state == REQUEST_RUNNING &&
                   request->leaf == leaf
               ? index
               : REQUEST_NONE;
}

/* In order of leaf. */
static void lose_running(struct node *node, const struct node_world *world,
                         uint32_t node_index, struct lost_list *lost,
                         int64_t now_ns)
{
    for (uint32_t leaf = 0; leaf < world->tree->leaf_count && node->running > 0;
         leaf++) {
        uint32_t index = owner_of_leaf(world, leaf, node_index);

        if (index == REQUEST_NONE)
            continue;
        engine_lose(lost, world->slab, index);
        engine_give_card(node, world->slab, index, now_ns);
        free_leaf(node, world, leaf, now_ns);
    }
}

/* Moves the events of all in service, and when they had or have their first
   token, from one origin to another, the rest scaled. */
static void move_events(struct node *node, const struct node_world *world,
                        uint32_t node_index, int64_t from_ns, int64_t to_ns,
                        double factor)
{
    struct event_tree *tree = world->tree;
    uint32_t left = node->running;

    for (uint32_t leaf = 0; leaf < tree->leaf_count && left > 0; leaf++) {
        uint32_t index = owner_of_leaf(world, leaf, node_index);
        struct request_work *work;

        if (index == REQUEST_NONE)
            continue;
        left--;
        event_tree_set(
            tree, leaf,
            to_origin(scaled_rest(event_at_ns(tree, leaf), from_ns, factor),
                      from_ns, to_ns),
            RANK_DONE);
        work = request_work_at(world->slab, index);
        work->first_token_at_ns =
            to_origin(scaled_rest(work->first_token_at_ns, from_ns, factor),
                      from_ns, to_ns);
    }
}

static void change_speed(struct node *node, const struct node_world *world,
                         uint32_t node_index, double factor, int64_t now_ns)
{
    int64_t origin = origin_ns(node, now_ns);

    move_events(node, world, node_index, origin, origin, factor);
}

static void freeze(struct node *node, const struct node_world *world,
                   uint32_t node_index, int64_t now_ns)
{
    move_events(node, world, node_index, now_ns, FROZEN_NS, 1);
}

static void thaw(struct node *node, const struct node_world *world,
                 uint32_t node_index, int64_t now_ns)
{
    move_events(node, world, node_index, FROZEN_NS, now_ns, 1);
}

const struct engine engine_slots = {
    .accept = accept,
    .finish = finish,
    .cancel = cancel,
    .first_token = first_token,
    .lose_running = lose_running,
    .change_speed = change_speed,
    .freeze = freeze,
    .thaw = thaw,
};
