#include "sim/cluster/node.h"

#include <math.h>

void node_init(struct node *node, const struct group_spec *spec, uint32_t group,
               uint32_t index, struct result_cache *cache,
               struct delay_line *hits)
{
    double ns_per_s = 1e9 / spec->engine.speed;
    const struct service_spec *service = &spec->engine.service;

    *node = (struct node){
        .queue_head = REQUEST_NONE,
        .queue_tail = REQUEST_NONE,
        .slots = spec->engine.slots,
        .alive = true,
        .states_memory = spec->memory_given,
        .states_cpu = spec->kind == NODE_CPU || !isnan(spec->cpu_per_request),
        .states_shares = spec->memory_given || (spec->kind == NODE_GPU &&
                                                !isnan(spec->cpu_per_request)),
        .has_costs = service->given,
        .need_ns = ns_per_s,
        .base_ns = service->base_s * ns_per_s,
        .per_input_ns = service->per_input_token_s * ns_per_s,
        .per_output_ns = service->per_output_token_s * ns_per_s,
        .cache = cache,
        .hits = hits,
        .cache_fill = spec->result_cache.fill,
        .bytes_per_token = spec->result_cache.bytes_per_token,
        .group = group,
        .index = index,
        .memory_base = spec->memory_base,
        .memory_per_request = spec->memory_per_request,
        .cpu_per_request = spec->cpu_per_request,
        .kind = spec->kind,
    };
}

static double capped(double share)
{
    return share < 1 ? share : 1;
}

double node_memory_use(const struct node *node)
{
    if (!node->states_memory)
        return NAN;
    if (!node->alive)
        return 0;
    return capped(node->memory_base + node->memory_per_request * node->running);
}

double node_cpu_use(const struct node *node)
{
    if (!node->states_cpu)
        return NAN;
    if (node->kind == NODE_CPU)
        return (double)node->running / node->slots;
    return capped(node->cpu_per_request * node->running);
}

double node_gpu_use(const struct node *node)
{
    return node->kind == NODE_GPU ? (double)node->running / node->slots : NAN;
}

/* Up to now_ns, at what the shares have been since the last change. */
__attribute__((noinline)) static void advance_shares(const struct node *node,
                                                     int64_t now_ns,
                                                     struct node_shares *shares)
{
    double elapsed = (double)(now_ns - shares->at_ns);

    if (node->states_memory)
        shares->memory_ns += elapsed * node_memory_use(node);
    if (node->states_cpu)
        shares->cpu_ns += elapsed * node_cpu_use(node);
    shares->at_ns = now_ns;
}

/* What runs changes by so many, d is 1 or -1. */
static void count_running(struct node *node, int32_t change, int64_t now_ns)
{
    if (node->states_shares)
        advance_shares(node, now_ns, &node->shares);
    node->running += (uint32_t)change;
    node->meter.busy -= (uint64_t)(change * now_ns);
}

static void count_queued(struct node *node, int32_t change, int64_t now_ns)
{
    node->queued += (uint32_t)change;
    node->meter.queued -= (uint64_t)(change * now_ns);
}

void node_read(const struct node *node, int64_t now_ns,
               struct node_reading *ret)
{
    const struct node_meter *meter = &node->meter;
    uint64_t now = (uint64_t)now_ns;
    struct node_shares shares = node->shares;

    advance_shares(node, now_ns, &shares);
    *ret = (struct node_reading){
        .at_ns = now_ns,
        .busy = meter->busy + node->running * now,
        .queued = meter->queued + node->queued * now,
        .in_flight = meter->in_flight + node->in_flight * now,
        .down_ns = meter->down + !node->alive * now,
        .memory_ns = shares.memory_ns,
        .cpu_ns = shares.cpu_ns,
    };
    if (node->kind == NODE_CPU)
        ret->cpu_ns = (double)ret->busy / node->slots;
}

int64_t node_first_token_ns(const struct node *node,
                            const struct request *request)
{
    if (!node->has_costs || !(request->flags & REQUEST_TOKENS))
        return 0;
    return (int64_t)(request->need *
                         (node->base_ns +
                          node->per_input_ns * request->input_tokens) +
                     0.5);
}

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

static void queue_enter(struct node *node, struct request_slab *slab,
                        struct request *request, uint32_t index, int64_t now_ns)
{
    request->state = REQUEST_QUEUED;
    request->next = REQUEST_NONE;
    request->prev = node->queue_tail;
    if (node->queue_tail != REQUEST_NONE)
        request_at(slab, node->queue_tail)->next = index;
    else
        node->queue_head = index;
    node->queue_tail = index;
    count_queued(node, 1, now_ns);
}

static struct request *queue_pop(struct node *node, struct request_slab *slab,
                                 int64_t now_ns)
{
    struct request *head = request_at(slab, node->queue_head);

    node->queue_head = head->next;
    if (node->queue_head == REQUEST_NONE)
        node->queue_tail = REQUEST_NONE;
    count_queued(node, -1, now_ns);
    return head;
}

static void queue_leave(struct node *node, struct request_slab *slab,
                        const struct request *request, int64_t now_ns)
{
    if (request == request_at(slab, node->queue_head)) {
        queue_pop(node, slab, now_ns);
        return;
    }
    request_at(slab, request->prev)->next = request->next;
    if (request->next != REQUEST_NONE)
        request_at(slab, request->next)->prev = request->prev;
    else
        node->queue_tail = request->prev;
    count_queued(node, -1, now_ns);
}

static bool cache_answer(struct node *node, const struct request *request,
                         uint64_t hash, int64_t now_ns)
{
    double bytes = node->bytes_per_token * request->output_tokens;

    return result_cache_store(node->cache, hash,
                              bytes < 1 ? 1 : (uint64_t)bytes, now_ns);
}

/* NODE_HIT, NODE_NO_MEMORY, or NODE_QUEUED for "go on to the engine". Apart, as
   is all that only some nodes need. */
__attribute__((noinline)) static enum node_answer
ask_cache(struct node *node, const struct node_world *world,
          struct request *request, uint32_t index, int64_t now_ns)
{
    uint64_t hash = request_key_at(world->slab, index)->hash;

    if (hash == 0)
        return NODE_QUEUED;
    if (result_cache_find(node->cache, hash, now_ns)) {
        node->hit_count++;
        request->state = REQUEST_HIT;
        request->flags |= REQUEST_CACHED;
        request->started_at_ns = now_ns;
        return delay_line_push(node->hits, world->tree, now_ns, index,
                               request->epoch)
                   ? NODE_HIT
                   : NODE_NO_MEMORY;
    }
    node->miss_count++;
    if (node->cache_fill == CACHE_FILL_AT_MISS &&
        !cache_answer(node, request, hash, now_ns))
        return NODE_NO_MEMORY;
    return NODE_QUEUED;
}

enum node_answer node_accept(struct node *node, const struct node_world *world,
                             struct request *request, uint32_t index,
                             int64_t now_ns)
{
    uint32_t leaf;

    if (!node->alive)
        return NODE_DEAD;
    if (node->cache && world->slab->with_keys) {
        enum node_answer answer =
            ask_cache(node, world, request, index, now_ns);

        if (answer != NODE_QUEUED)
            return answer;
    }
    if (node->running >= node->slots) {
        queue_enter(node, world->slab, request, index, now_ns);
        return NODE_QUEUED;
    }
    leaf = event_tree_take(world->tree, index);
    if (leaf == EVENT_NO_LEAF)
        return NODE_NO_MEMORY;
    count_running(node, 1, now_ns);
    start(node, world, request, index, leaf, now_ns);
    return NODE_STARTED;
}

/* A place in service falls free: the head of the queue takes the leaf. */
static void pass_leaf_on(struct node *node, const struct node_world *world,
                         uint32_t leaf, int64_t now_ns)
{
    uint32_t index = node->queue_head;

    if (index != REQUEST_NONE) {
        struct request *next = queue_pop(node, world->slab, now_ns);

        start(node, world, next, index, leaf, now_ns);
        return;
    }
    count_running(node, -1, now_ns);
    event_tree_clear(world->tree, leaf);
    event_tree_give(world->tree, leaf);
}

/* false: no memory. */
__attribute__((noinline)) static bool tell_cache(struct node *node,
                                                 const struct node_world *world,
                                                 const struct request *request,
                                                 uint32_t index, int64_t now_ns)
{
    uint64_t hash;

    if (!world->slab->with_keys || node->cache_fill != CACHE_FILL_AT_ANSWER)
        return true;
    hash = request_key_at(world->slab, index)->hash;
    return hash == 0 || cache_answer(node, request, hash, now_ns);
}

bool node_finish(struct node *node, const struct node_world *world,
                 const struct request *request, uint32_t index, int64_t now_ns)
{
    pass_leaf_on(node, world, request->leaf, now_ns);
    return !node->cache || tell_cache(node, world, request, index, now_ns);
}

void node_cancel(struct node *node, const struct node_world *world,
                 const struct request *request, int64_t now_ns)
{
    if (request->state == REQUEST_QUEUED)
        queue_leave(node, world->slab, request, now_ns);
    else if (request->state == REQUEST_RUNNING)
        pass_leaf_on(node, world, request->leaf, now_ns);
}

/* A list that grows at its end. */
struct lost_list {
    uint32_t head, tail;
};

static void lose(struct lost_list *lost, struct request_slab *slab,
                 uint32_t index)
{
    struct request *request = request_at(slab, index);

    request->state = REQUEST_LOST;
    request->next = REQUEST_NONE;
    if (lost->tail != REQUEST_NONE)
        request_at(slab, lost->tail)->next = index;
    else
        lost->head = index;
    lost->tail = index;
}

static void lose_running(struct lost_list *lost, struct node *node,
                         const struct node_world *world, uint32_t node_index,
                         int64_t now_ns)
{
    struct event_tree *tree = world->tree;

    for (uint32_t leaf = 0; leaf < tree->leaf_count && node->running > 0;
         leaf++) {
        struct event_key key = event_tree_read(tree, tree->leaf_count + leaf);
        uint32_t index = tree->subjects[leaf];

        if (key.time_ns == EVENT_NEVER || event_rank_of(key) != RANK_DONE)
            continue;
        if (index >= world->slab->chunk_count << REQUEST_CHUNK_LOG2)
            continue;
        if (request_at(world->slab, index)->node != node_index ||
            request_at(world->slab, index)->state != REQUEST_RUNNING ||
            request_at(world->slab, index)->leaf != leaf)
            continue;
        lose(lost, world->slab, index);
        event_tree_clear(tree, leaf);
        event_tree_give(tree, leaf);
        count_running(node, -1, now_ns);
    }
}

static void set_alive(struct node *node, bool alive, int64_t now_ns)
{
    advance_shares(node, now_ns, &node->shares);
    node->alive = alive;
    node->meter.down += alive ? (uint64_t)now_ns : 0 - (uint64_t)now_ns;
}

uint32_t node_die(struct node *node, const struct node_world *world,
                  uint32_t node_index, int64_t now_ns)
{
    struct lost_list lost = {REQUEST_NONE, REQUEST_NONE};

    node->deaths++;
    node->died_at_ns = now_ns;
    lose_running(&lost, node, world, node_index, now_ns);
    while (node->queue_head != REQUEST_NONE) {
        uint32_t index = node->queue_head;

        queue_pop(node, world->slab, now_ns);
        lose(&lost, world->slab, index);
    }
    for (uint32_t i = 0; node->hits && i < node->hits->count; i++) {
        const struct delay_entry *entry = delay_line_at(node->hits, i);
        const struct request *request = request_at(world->slab, entry->request);

        if (request->epoch == entry->epoch && request->node == node_index &&
            request->state == REQUEST_HIT)
            lose(&lost, world->slab, entry->request);
    }
    set_alive(node, false, now_ns);
    if (node->cache)
        result_cache_clear(node->cache);
    return lost.head;
}

void node_restart(struct node *node, int64_t now_ns)
{
    set_alive(node, true, now_ns);
}
