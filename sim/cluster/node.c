#include "sim/cluster/node.h"

#include "sim/cluster/batch.h"
#include "sim/cluster/model_shelf.h"
#include "sim/cluster/node_cache.h"
#include "sim/cluster/node_memory.h"
#include "sim/cluster/node_queue.h"
#include "sim/cluster/node_trouble.h"
#include "sim/cluster/sharing.h"

#include <math.h>
#include <stdlib.h>

bool node_needs_work(const struct group_spec *spec)
{
    const struct engine_spec *engine = &spec->engine;

    return engine->kind != ENGINE_SLOTS || engine->order == QUEUE_SJF ||
           engine->speed_varies || spec->cards > 1 ||
           spec->when_memory_full == MEMORY_FULL_SLOW;
}

/* Plain slots need none. */
static const struct engine *choose_engine(const struct group_spec *spec)
{
    const struct engine_spec *engine = &spec->engine;

    if (engine->kind == ENGINE_SHARING)
        return &engine_sharing;
    if (engine->kind == ENGINE_BATCH)
        return &engine_batch;
    if (engine->order == QUEUE_FCFS && !engine->limits_queue &&
        !engine->speed_varies && spec->cards <= 1 &&
        spec->when_memory_full != MEMORY_FULL_SLOW)
        return NULL;
    return &engine_slots;
}

/* What the engine owns. */
static bool make_engine(struct node *node, const struct group_spec *spec)
{
    const struct engine_spec *engine = &spec->engine;

    if (engine->kind == ENGINE_SHARING) {
        node->slots = engine->limit > 0 ? engine->limit : 1;
        node->one_is_full = engine->limit == 0;
        node->sharing = sharing_create(engine);
        if (!node->sharing)
            return false;
    }
    if (engine->kind == ENGINE_BATCH) {
        node->slots = 1;
        node->one_is_full = true;
        node->batch = batch_create(engine);
        if (!node->batch)
            return false;
    }
    if (engine->order != QUEUE_FCFS && engine->kind != ENGINE_BATCH) {
        node->ordered = ordered_queue_create(engine->order, engine->aging_ns);
        if (!node->ordered)
            return false;
    }
    return spec->cards <= 1 ||
           cards_init(&node->cards, spec->cards, node->slots);
}

static bool make_shelf(struct node *node, const struct group_spec *spec)
{
    uint32_t listed = (uint32_t)__builtin_popcountll(spec->models >> 1);

    if (!spec->minds_models || spec->misroute != MISROUTE_LOAD)
        return true;
    node->shelf = malloc(sizeof *node->shelf);
    if (!node->shelf)
        return false;
    model_shelf_init(node->shelf, spec->first_models,
                     spec->load_resident > 0 ? spec->load_resident : listed);
    return true;
}

static bool is_in_trouble(const struct node_trouble *trouble)
{
    return trouble &&
           (trouble->frozen || trouble->swallows || trouble->error_share > 0 ||
            trouble->cuts > 0 || trouble->leak_per_answer > 0);
}

static void choose_way(struct node *node)
{
    node->special = !node->alive || node->presence == NODE_ABSENT ||
                    node->cache || node->engine || node->minds_models ||
                    is_in_trouble(node->trouble) ||
                    node->when_memory_full != MEMORY_FULL_SERVE;
}

void node_trouble_changed(struct node *node)
{
    choose_way(node);
}

bool node_init(struct node *node, const struct group_spec *spec, uint32_t group,
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
        .engine = choose_engine(spec),
        .limits_queue = spec->engine.limits_queue,
        .queue_limit = spec->engine.queue_limit,
        .cache = cache,
        .hits = hits,
        .coalesces = cache && spec->result_cache.coalesce,
        .cache_fill = spec->result_cache.fill,
        .bytes_per_token = spec->result_cache.bytes_per_token,
        .group = group,
        .index = index,
        .memory_base = spec->memory_base,
        .memory_per_request = spec->memory_per_request,
        .cpu_per_request = spec->cpu_per_request,
        .when_memory_full = spec->when_memory_full,
        .memory_slow_factor = spec->memory_slow_factor,
        .kind = spec->kind,
        .minds_models = spec->minds_models,
        .misroute = spec->misroute,
        .models = spec->models,
    };
    choose_way(node);
    return make_engine(node, spec) && make_shelf(node, spec);
}

void node_minds_deadlines(struct node *node)
{
    if (!node->engine)
        node->engine = &engine_slots;
    choose_way(node);
}

void node_done(struct node *node)
{
    sharing_destroy(node->sharing);
    batch_destroy(node->batch);
    ordered_queue_destroy(node->ordered);
    if (node->shelf)
        model_shelf_done(node->shelf);
    free(node->shelf);
    node->shelf = NULL;
    cards_done(&node->cards);
    coalesce_done(&node->coalesce);
    node->sharing = NULL;
    node->batch = NULL;
    node->ordered = NULL;
}

/* What counts as busy, of so many slots. */
static uint32_t count_busy(const struct node *node)
{
    return node->one_is_full && node->running > 1 ? 1 : node->running;
}

static double capped(double share)
{
    return share < 1 ? share : 1;
}

uint32_t node_queue_depth(const struct node *node)
{
    return node->queued + (node->trouble ? node->trouble->held : 0);
}

double node_memory_use(const struct node *node)
{
    if (!node->states_memory)
        return NAN;
    if (!node->alive || node->presence == NODE_ABSENT)
        return 0;
    return capped(node->memory_base + node->memory_per_request * node->running +
                  node->leaked);
}

double node_cpu_use(const struct node *node)
{
    if (!node->states_cpu)
        return NAN;
    if (node->kind == NODE_CPU)
        return (double)count_busy(node) / node->slots;
    return capped(node->cpu_per_request * node->running);
}

double node_gpu_use(const struct node *node)
{
    return node->kind == NODE_GPU ? (double)count_busy(node) / node->slots
                                  : NAN;
}

void engine_advance_shares(const struct node *node, int64_t now_ns,
                           struct node_shares *shares)
{
    double elapsed = (double)(now_ns - shares->at_ns);

    if (node->states_memory)
        shares->memory_ns += elapsed * node_memory_use(node);
    if (node->states_cpu)
        shares->cpu_ns += elapsed * node_cpu_use(node);
    shares->at_ns = now_ns;
}

void node_read(const struct node *node, int64_t now_ns,
               struct node_reading *ret)
{
    const struct node_meter *meter = &node->meter;
    uint64_t now = (uint64_t)now_ns;
    struct node_shares shares = node->shares;

    engine_advance_shares(node, now_ns, &shares);
    *ret = (struct node_reading){
        .at_ns = now_ns,
        .busy = meter->busy + count_busy(node) * now,
        .queued = meter->queued + node_queue_depth(node) * now,
        .in_flight = meter->in_flight + node->in_flight * now,
        .down_ns = meter->down + !node->alive * now,
        .absent_ns = node->absent + (node->presence == NODE_ABSENT) * now,
        .starting_ns = node->starting + (node->presence == NODE_STARTING) * now,
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

int64_t node_least_ns(const struct node *node, const struct request *request)
{
    if (!node->has_costs || !(request->flags & REQUEST_TOKENS))
        return 0;
    return (int64_t)(node->base_ns +
                     node->per_input_ns * request->input_tokens);
}

int64_t node_token_gap_ns(const struct node *node,
                          const struct request_slab *slab,
                          const struct request *request, uint32_t index)
{
    double stretch = node->when_memory_full == MEMORY_FULL_SLOW
                         ? request_work_at(slab, index)->stretch
                         : 1;

    if (!node->has_costs || !(request->flags & REQUEST_TOKENS) ||
        request->output_tokens < 2)
        return 0;
    return (int64_t)(stretch * request->need * node->per_output_ns *
                     request->output_tokens / (request->output_tokens - 1));
}

int64_t node_first_token_at_ns(const struct node *node,
                               const struct request_slab *slab,
                               const struct request *request, uint32_t index)
{
    if (node->engine && slab->with_work)
        return request_work_at(slab, index)->first_token_at_ns;
    return request->started_at_ns + node_first_token_ns(node, request);
}

/* --- in and out ----------------------------------------------------------- */

static enum node_answer enter_engine(struct node *node,
                                     const struct node_world *world,
                                     struct request *request, uint32_t index,
                                     int64_t now_ns)
{
    if (node->engine)
        return node->engine->accept(node, world, request, index, now_ns);
    return slots_accept(node, world, request, index, now_ns);
}

/* NODE_NO_MODEL, NODE_LOADS, or NODE_QUEUED for "go on". */
static enum node_answer
look_for_model(struct node *node, const struct request *request, int64_t now_ns)
{
    if (node->shelf ? model_shelf_has(node->shelf, request->model, now_ns)
                    : node->models >> request->model & 1)
        return NODE_QUEUED;
    node->misrouted += (request->flags & REQUEST_MEASURED) != 0;
    switch (node->misroute) {
    case MISROUTE_RUN:
        return NODE_QUEUED;
    case MISROUTE_LOAD:
        return NODE_LOADS;
    default:
        return NODE_NO_MODEL;
    }
}

/* Apart, as is all that only some nodes need. */
__attribute__((noinline)) static enum node_answer
accept_special(struct node *node, const struct node_world *world,
               struct request *request, uint32_t index, int64_t now_ns)
{
    enum node_answer answer = NODE_QUEUED;

    if (node->trouble)
        answer = node_trouble_meet(node, world, request, index, now_ns);
    if (answer != NODE_QUEUED)
        return answer;
    /* Absent: what was given up on its way may come after it left. */
    if (!node->alive || node->presence == NODE_ABSENT)
        return NODE_DEAD;
    if (node->minds_models)
        answer = look_for_model(node, request, now_ns);
    if (answer != NODE_QUEUED)
        return answer;
    if (node->cache)
        answer = node_cache_ask(node, world, index, now_ns);
    if (answer != NODE_QUEUED)
        return answer;
    if (node_memory_refuses(node, request))
        return NODE_FULL;
    answer = enter_engine(node, world, request, index, now_ns);
    if (node->cache && (answer == NODE_STARTED || answer == NODE_QUEUED) &&
        !node_cache_note_start(node, world, request, index, now_ns))
        return NODE_NO_MEMORY;
    return answer;
}

enum node_answer node_accept(struct node *node, const struct node_world *world,
                             struct request *request, uint32_t index,
                             int64_t now_ns)
{
    if (node->special)
        return accept_special(node, world, request, index, now_ns);
    return slots_accept(node, world, request, index, now_ns);
}

void node_first_token(struct node *node, const struct node_world *world,
                      struct request *request, uint32_t index, int64_t now_ns)
{
    request->flags &= (uint16_t)~REQUEST_FIRST_TOKEN;
    if (node->engine)
        node->engine->first_token(node, world, request, index, now_ns);
    else
        event_tree_set(world->tree, request->leaf,
                       request->started_at_ns + node_service_ns(node, request),
                       RANK_DONE);
}

__attribute__((noinline)) static bool
finish_special(struct node *node, const struct node_world *world,
               const struct request *request, uint32_t index, int64_t now_ns)
{
    if (node->engine)
        node->engine->finish(node, world, request, index, now_ns);
    else
        slots_pass_on(node, world, request->leaf, now_ns);
    if (node->trouble)
        node_trouble_answered(node, world, now_ns);
    return !node->cache ||
           node_cache_note_answer(node, world, request, index, now_ns);
}

bool node_finish(struct node *node, const struct node_world *world,
                 const struct request *request, uint32_t index, int64_t now_ns)
{
    if (node->special)
        return finish_special(node, world, request, index, now_ns);
    slots_pass_on(node, world, request->leaf, now_ns);
    return true;
}

static void leave_engine(struct node *node, const struct node_world *world,
                         const struct request *request, uint32_t index,
                         int64_t now_ns)
{
    if (node->engine)
        node->engine->cancel(node, world, request, index, now_ns);
    else if (request->state == REQUEST_QUEUED)
        node_queue_leave(node, world, request, now_ns);
    else
        slots_pass_on(node, world, request->leaf, now_ns);
}

struct node_cancelled node_cancel(struct node *node,
                                  const struct node_world *world,
                                  const struct request *request, uint32_t index,
                                  bool queued_only, int64_t now_ns)
{
    struct node_cancelled ret = {.orphan = REQUEST_NONE};

    if (queued_only &&
        (request->state == REQUEST_RUNNING || request->state == REQUEST_HIT)) {
        ret.stays = true;
    } else if (request->state == REQUEST_HELD) {
        node_trouble_leave(node, world, request, now_ns);
    } else if (request->state == REQUEST_FOLLOWING) {
        ret.orphan = node_cache_leave(node, world, index, queued_only);
        if (ret.orphan != REQUEST_NONE)
            leave_engine(node, world, request_at(world->slab, ret.orphan),
                         ret.orphan, now_ns);
    } else if (request->state == REQUEST_QUEUED ||
               request->state == REQUEST_RUNNING) {
        ret.stays = node->cache && node_cache_keep(node, world, index);
        if (!ret.stays)
            leave_engine(node, world, request, index, now_ns);
    }
    return ret;
}

void node_change_speed(struct node *node, const struct node_world *world,
                       uint32_t node_index, double factor, int64_t now_ns)
{
    node->need_ns /= factor;
    node->base_ns /= factor;
    node->per_input_ns /= factor;
    node->per_output_ns /= factor;
    node->engine->change_speed(node, world, node_index, factor, now_ns);
}

void node_timer(struct node *node, const struct node_world *world,
                int64_t now_ns)
{
    node->engine->timer(node, world, now_ns);
}

/* --- death ---------------------------------------------------------------- */

void engine_lose(struct lost_list *lost, struct request_slab *slab,
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

static void lose_queued(struct node *node, struct request_slab *slab,
                        struct lost_list *lost, int64_t now_ns)
{
    uint32_t index;

    while ((index = node_queue_next(node, slab, now_ns)) != REQUEST_NONE)
        engine_lose(lost, slab, index);
}

static void lose_held(struct node *node, const struct node_world *world,
                      struct lost_list *lost, int64_t now_ns)
{
    uint32_t index;

    while ((index = node_take_held(node, world, now_ns)) != REQUEST_NONE)
        engine_lose(lost, world->slab, index);
}

static void set_alive(struct node *node, bool alive, int64_t now_ns)
{
    engine_advance_shares(node, now_ns, &node->shares);
    node->alive = alive;
    node->leaked = 0;
    node->meter.down += alive ? (uint64_t)now_ns : 0 - (uint64_t)now_ns;
    choose_way(node);
}

uint32_t node_empty(struct node *node, const struct node_world *world,
                    uint32_t node_index, int64_t now_ns)
{
    const struct engine *engine = node->engine ? node->engine : &engine_slots;
    struct lost_list lost = {REQUEST_NONE, REQUEST_NONE};

    node->lives++;
    engine->lose_running(node, world, node_index, &lost, now_ns);
    lose_queued(node, world->slab, &lost, now_ns);
    if (node->trouble)
        lose_held(node, world, &lost, now_ns);
    if (node->cache) {
        node_cache_lose(node, world, node_index, &lost);
        result_cache_clear(node->cache);
    }
    return lost.head;
}

uint32_t node_die(struct node *node, const struct node_world *world,
                  uint32_t node_index, int64_t now_ns)
{
    uint32_t lost = node_empty(node, world, node_index, now_ns);

    node->deaths++;
    node->died_at_ns = now_ns;
    set_alive(node, false, now_ns);
    return lost;
}

void node_shut(struct node *node, int64_t now_ns)
{
    set_alive(node, false, now_ns);
}

static void count_presence(struct node *node, uint64_t change)
{
    if (node->presence == NODE_ABSENT)
        node->absent += change;
    if (node->presence == NODE_STARTING)
        node->starting += change;
}

void node_set_presence(struct node *node, enum node_presence presence,
                       int64_t now_ns)
{
    engine_advance_shares(node, now_ns, &node->shares);
    count_presence(node, (uint64_t)now_ns);
    node->presence = presence;
    count_presence(node, 0 - (uint64_t)now_ns);
    choose_way(node);
}

void node_restart(struct node *node, int64_t now_ns)
{
    set_alive(node, true, now_ns);
}
