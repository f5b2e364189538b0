#include "sim/cluster/sharing.h"

#include "sim/cluster/node_queue.h"

#include <stdlib.h>

/* Virtual time is a double: beyond this, some 18 minutes, it is set back, so
   that it always tells a thousandth of a ns apart. */
#define VIRTUAL_MAX_NS 1099511627776.0

struct sharing *sharing_create(const struct engine_spec *spec)
{
    struct sharing *sharing = calloc(1, sizeof *sharing);

    if (!sharing)
        return NULL;
    sharing->base = spec->slowdown_base;
    sharing->per_request = spec->slowdown_per_request;
    sharing->leaf = EVENT_NO_LEAF;
    return sharing;
}

void sharing_destroy(struct sharing *sharing)
{
    if (!sharing)
        return;
    request_heap_done(&sharing->served);
    free(sharing);
}

/* --- virtual time --------------------------------------------------------- */

static double slowdown(const struct sharing *sharing)
{
    return sharing->base + sharing->per_request * sharing->served.count;
}

/* All moments earlier by what has passed: their differences stay. */
__attribute__((noinline, cold)) static void set_back(struct sharing *sharing)
{
    for (uint32_t i = 0; i < sharing->served.count; i++) {
        struct heap_entry *entry = &sharing->served.entries[i];
        double left = heap_real_of_key(entry->key) - sharing->virtual_ns;

        entry->key = heap_key_of_real(left > 0 ? left : 0);
    }
    sharing->virtual_ns = 0;
}

/* Up to now, with as many in service as there have been since at_ns. */
static void advance(struct sharing *sharing, int64_t now_ns)
{
    if (sharing->served.count > 0 && !sharing->frozen)
        sharing->virtual_ns +=
            (double)(now_ns - sharing->at_ns) / slowdown(sharing);
    sharing->at_ns = now_ns;
    if (sharing->virtual_ns > VIRTUAL_MAX_NS)
        set_back(sharing);
}

/* The first event's moment is now: exactly there, whatever the clock's whole
   nanoseconds have rounded off. */
static void land(struct sharing *sharing, int64_t now_ns)
{
    sharing->virtual_ns = heap_real_of_key(sharing->served.entries[0].key);
    sharing->at_ns = now_ns;
    if (sharing->virtual_ns > VIRTUAL_MAX_NS)
        set_back(sharing);
}

/* The leaf stands for the first of those in service. */
static void aim(struct sharing *sharing, const struct node_world *world)
{
    const struct heap_entry *first = sharing->served.entries;
    double wait_ns;
    int64_t at_ns = INT64_MAX / 2;

    if (sharing->served.count == 0) {
        event_tree_clear(world->tree, sharing->leaf);
        sharing->virtual_ns = 0;
        return;
    }
    if (sharing->frozen) {
        event_tree_clear(world->tree, sharing->leaf);
        return;
    }
    wait_ns = (heap_real_of_key(first->key) - sharing->virtual_ns) *
              slowdown(sharing);
    if (wait_ns < 1e18)
        at_ns = sharing->at_ns + (wait_ns > 0 ? (int64_t)(wait_ns + 0.5) : 0);
    world->tree->subjects[sharing->leaf] = first->request;
    event_tree_set(world->tree, sharing->leaf, at_ns, RANK_DONE);
}

/* --- in and out ----------------------------------------------------------- */

/* advance or land comes before, aim after. false: no memory. */
static bool start(struct node *node, const struct node_world *world,
                  uint32_t index, int64_t now_ns)
{
    struct sharing *sharing = node->sharing;
    struct request *request = request_at(world->slab, index);
    int64_t event_ns = node_service_ns(node, request);

    if (node->has_costs && (request->flags & REQUEST_TOKENS)) {
        request->flags |= REQUEST_FIRST_TOKEN;
        event_ns = node_first_token_ns(node, request);
    }
    if (!request_heap_push(
            &sharing->served, world->slab, index,
            heap_key_of_real(sharing->virtual_ns + (double)event_ns)))
        return false;
    request->state = REQUEST_RUNNING;
    request->started_at_ns = now_ns;
    engine_count_served(node, 1, now_ns);
    engine_take_card(node, world->slab, index, now_ns);
    return true;
}

static enum node_answer accept(struct node *node,
                               const struct node_world *world,
                               struct request *request, uint32_t index,
                               int64_t now_ns)
{
    struct sharing *sharing = node->sharing;

    if (!node->one_is_full && node->running >= node->slots)
        return node_queue_enter(node, world, request, index, now_ns);
    if (sharing->leaf == EVENT_NO_LEAF)
        sharing->leaf = event_tree_take(world->tree, index);
    if (sharing->leaf == EVENT_NO_LEAF)
        return NODE_NO_MEMORY;
    advance(sharing, now_ns);
    if (!start(node, world, index, now_ns))
        return NODE_NO_MEMORY;
    aim(sharing, world);
    return NODE_STARTED;
}

/* Virtual time is that of now. The heap has room for the next one, for this
   one has left it. */
static void leave(struct node *node, const struct node_world *world,
                  const struct request *request, uint32_t index, int64_t now_ns)
{
    uint32_t next;

    request_heap_remove(&node->sharing->served, world->slab, request->place);
    engine_count_served(node, -1, now_ns);
    engine_give_card(node, world->slab, index, now_ns);
    next = node_queue_next_in_time(node, world, now_ns);
    if (next != REQUEST_NONE)
        start(node, world, next, now_ns);
    aim(node->sharing, world);
}

static void finish(struct node *node, const struct node_world *world,
                   const struct request *request, uint32_t index,
                   int64_t now_ns)
{
    land(node->sharing, now_ns);
    leave(node, world, request, index, now_ns);
}

static void cancel(struct node *node, const struct node_world *world,
                   const struct request *request, uint32_t index,
                   int64_t now_ns)
{
    if (request->state == REQUEST_QUEUED) {
        node_queue_leave(node, world, request, now_ns);
        return;
    }
    advance(node->sharing, now_ns);
    leave(node, world, request, index, now_ns);
}

static void first_token(struct node *node, const struct node_world *world,
                        struct request *request, uint32_t index, int64_t now_ns)
{
    struct sharing *sharing = node->sharing;
    int64_t rest_ns =
        node_service_ns(node, request) - node_first_token_ns(node, request);

    land(sharing, now_ns);
    request_work_at(world->slab, index)->first_token_at_ns = now_ns;
    request_heap_postpone_first(
        &sharing->served, world->slab,
        heap_key_of_real(sharing->virtual_ns + (double)rest_ns));
    aim(sharing, world);
}

/* In the order in which they would have ended. */
static void lose_running(struct node *node, const struct node_world *world,
                         uint32_t node_index, struct lost_list *lost,
                         int64_t now_ns)
{
    struct sharing *sharing = node->sharing;

    (void)node_index;
    if (sharing->served.count == 0)
        return;
    while (sharing->served.count > 0) {
        uint32_t index = request_heap_remove(&sharing->served, world->slab, 0);

        engine_count_served(node, -1, now_ns);
        engine_give_card(node, world->slab, index, now_ns);
        engine_lose(lost, world->slab, index);
    }
    aim(sharing, world);
}

/* Virtual time counts ns of the node's own speed, so what is left changes. */
static void change_speed(struct node *node, const struct node_world *world,
                         uint32_t node_index, double factor, int64_t now_ns)
{
    struct sharing *sharing = node->sharing;

    (void)node_index;
    if (sharing->served.count == 0)
        return;
    advance(sharing, now_ns);
    set_back(sharing);
    for (uint32_t i = 0; i < sharing->served.count; i++) {
        struct heap_entry *entry = &sharing->served.entries[i];

        entry->key = heap_key_of_real(heap_real_of_key(entry->key) / factor);
    }
    aim(sharing, world);
}

/* Virtual time stands still. */
static void set_frozen(struct sharing *sharing, const struct node_world *world,
                       bool frozen, int64_t now_ns)
{
    advance(sharing, now_ns);
    sharing->frozen = frozen;
    if (sharing->served.count > 0)
        aim(sharing, world);
}

static void freeze(struct node *node, const struct node_world *world,
                   uint32_t node_index, int64_t now_ns)
{
    (void)node_index;
    set_frozen(node->sharing, world, true, now_ns);
}

static void thaw(struct node *node, const struct node_world *world,
                 uint32_t node_index, int64_t now_ns)
{
    (void)node_index;
    set_frozen(node->sharing, world, false, now_ns);
}

const struct engine engine_sharing = {
    .accept = accept,
    .finish = finish,
    .cancel = cancel,
    .first_token = first_token,
    .lose_running = lose_running,
    .change_speed = change_speed,
    .freeze = freeze,
    .thaw = thaw,
};
