#include "sim/conformance/stage.h"

#include "policies/hash.h"
#include "sim/conformance/watch.h"

#include <stdio.h>
#include <string.h>

#define START_NS 1000000000000 /* not 0: nobody may count on that */
#define MEMORY_LIMIT ((size_t)512 << 20)

uint64_t stage_chance(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

uint32_t stage_below(uint64_t *state, uint32_t bound)
{
    return (uint32_t)(stage_chance(state) % bound);
}

/* ---- what the host does for the policy ---- */

static uint64_t host_random_below(void *context, uint64_t bound)
{
    struct stage *stage = context;
    uint64_t drawn = stage_chance(&stage->chance);

    stage->draws++;
    return bound ? drawn % bound : drawn;
}

static void *host_allocate(void *context, size_t size)
{
    struct stage *stage = context;
    void *memory = NULL;

    watch_leave();
    stage->hot_allocations += stage->in_hot_call;
    if (!stage->in_hot_call || !stage->refuse_hot)
        memory = fence_allocate(&stage->heap, size);
    watch_enter();
    return memory;
}

static void host_release(void *context, void *memory)
{
    struct stage *stage = context;

    watch_leave();
    fence_release(&stage->heap, memory);
    watch_enter();
}

/* Half of the nodes hold the beginning of half of the prompts. */
static uint32_t host_resident_blocks(void *context,
                                     const struct lbp_request *request,
                                     uint32_t slot)
{
    (void)context;
    if (request->block_count == 0 || (request->blocks[0] + slot) % 4 > 1)
        return 0;
    return (uint32_t)((request->blocks[0] + slot) % request->block_count);
}

static bool host_probe(void *context, uint32_t slot)
{
    struct stage *stage = context;

    if (stage->probe_count == STAGE_PROBES || slot >= stage->view->slot_count ||
        stage_node(stage, slot)->key_length == 0)
        return false;
    stage->probes[stage->probe_count++] = slot;
    return true;
}

static void make_host(struct stage *stage)
{
    size_t tail = stage->options.later_host ? STAGE_TAIL : 0;

    memset(&stage->host, STAGE_NOISE, sizeof stage->host);
    stage->host.host = (struct lbp_host){
        .size = (uint32_t)(sizeof(struct lbp_host) + tail),
        .context = stage,
        .random_below = host_random_below,
        .allocate = host_allocate,
        .release = host_release,
        .resident_blocks =
            stage->needs & LBP_NEEDS_BLOCKS ? host_resident_blocks : NULL,
        .probe = stage->needs & LBP_NEEDS_PROBES ? host_probe : NULL,
    };
    stage->heap.limit = stage->options.memory_limit
                            ? stage->options.memory_limit
                            : MEMORY_LIMIT;
    stage->heap.fill = stage->options.fill;
    stage->heap.fail_at = stage->options.fail_at;
}

/* ---- nodes ---- */

struct lbp_node *stage_node(struct stage *stage, uint32_t slot)
{
    return (struct lbp_node *)(void *)(stage->nodes +
                                       (size_t)slot * stage->view->node_stride);
}

static void set_bit(uint64_t *bits, uint32_t slot, bool on)
{
    uint64_t bit = (uint64_t)1 << slot % 64;

    if (on)
        bits[slot / 64] |= bit;
    else
        bits[slot / 64] &= ~bit;
}

void stage_let(struct stage *stage, uint32_t slot, bool may)
{
    set_bit(stage->eligible, slot, may);
}

static void forget_report(struct lbp_node *node)
{
    node->reported_at_ns = LBP_NO_TIME;
    node->gpu_use = node->cpu_use = node->memory_use = node->kv_use = -1;
    node->queue_depth = node->running = -1;
    node->requests_per_s = node->errors_per_s = -1;
}

void stage_join(struct stage *stage, uint32_t slot)
{
    struct lbp_node *node = stage_node(stage, slot);
    uint32_t generation = node->generation + 1;
    int length = snprintf(stage->keys[slot], STAGE_KEY, "10.%u.%u.%u:8000",
                          generation % 256, slot / 256, slot % 256);

    *node = (struct lbp_node){
        .key = stage->keys[slot],
        .key_length = (uint32_t)length,
        .key_hash = lbp_hash_xxh64(stage->keys[slot], (size_t)length, 0),
        .models = 1,
        .generation = generation,
        .weight = stage->options.unequal ? 1 + slot % 3 : 1,
        .weight_factor = stage->options.unequal && slot % 4 == 1 ? 0.5 : 1,
        .slots = 4,
        .speed = 1,
        .prefill_per_s = 5000,
        .decode_per_s = 50,
        .max_context = 32768,
        .up_since_ns = stage->view->now_ns,
        .group = (uint16_t)(slot + generation), /* nobody's experience */
        .health = LBP_HEALTHY,
    };
    forget_report(node);
    set_bit(stage->eligible, slot, true);
}

void stage_leave(struct stage *stage, uint32_t slot)
{
    struct lbp_node *node = stage_node(stage, slot);
    uint32_t generation = node->generation;

    *node = (struct lbp_node){.generation = generation};
    forget_report(node);
    set_bit(stage->eligible, slot, false);
}

static void make_view(struct stage *stage)
{
    const struct stage_options *options = &stage->options;
    uint32_t n = options->slot_count;
    uint32_t tail = options->later_host ? STAGE_TAIL : 0;

    stage->words = (n + 63) / 64;
    stage->view = &stage->shown.view;
    memset(&stage->shown, STAGE_NOISE, sizeof stage->shown);
    *stage->view = (struct lbp_view){
        .size = (uint32_t)sizeof(struct lbp_view) + tail,
        .slot_count = n,
        .node_stride = (uint32_t)sizeof(struct lbp_node) + tail,
        .balancer_count = 1,
        .now_ns = START_NS,
        .report_interval_ns = -1,
    };
    stage->nodes = fence_make((size_t)n * stage->view->node_stride);
    memset(stage->nodes, tail ? STAGE_NOISE : 0,
           (size_t)n * stage->view->node_stride);
    stage->keys = fence_make((size_t)n * sizeof *stage->keys);
    stage->in_flight = fence_make(n * sizeof *stage->in_flight);
    stage->since_report = fence_make(n * sizeof *stage->since_report);
    stage->tokens = fence_make(n * sizeof *stage->tokens);
    stage->eligible = fence_make(stage->words * sizeof *stage->eligible);
    stage->mask = fence_make(stage->words * sizeof *stage->mask);
    stage->view->nodes = stage->nodes;
    stage->view->in_flight = stage->in_flight;
    stage->view->in_flight_since_report = stage->since_report;
    stage->view->in_flight_tokens = stage->tokens;
}

static void make_nodes(struct stage *stage)
{
    for (uint32_t slot = 0; slot < stage->options.slot_count; slot++) {
        stage_node(stage, slot)->generation = 0;
        stage_join(stage, slot);
    }
    stage_mask_all(stage);
    if (!(stage->needs & LBP_NEEDS_REPORTS) && !stage->options.with_reports)
        return;
    stage->view->report_interval_ns = 1000000000;
    for (uint32_t slot = 0; slot < stage->options.slot_count; slot++)
        stage_report(stage, slot);
}

/* ---- life ---- */

bool stage_members(struct stage *stage)
{
    bool fine = true;

    if (stage->ops->on_members) {
        watch_enter();
        fine = stage->ops->on_members(stage->state, stage->view);
        watch_leave();
    }
    return fine;
}

bool stage_open(struct stage *stage, const struct lbp_ops *ops,
                const void *config, const struct stage_options *options)
{
    uint32_t more = ops->also_needs ? ops->also_needs(config) : 0;

    *stage = (struct stage){.ops = ops,
                            .needs = ops->needs | more,
                            .options = *options,
                            .chance = options->seed,
                            .timer_ns = LBP_NO_TIME};
    make_view(stage);
    make_host(stage);
    watch_enter();
    stage->state = ops->create(config, &stage->host.host);
    watch_leave();
    make_nodes(stage);
    if (!stage->state)
        return false;
    stage->members_failed = !stage_members(stage);
    if (!stage->members_failed && ops->on_timer)
        stage_timer(stage);
    return !stage->members_failed;
}

void stage_close(struct stage *stage)
{
    uint32_t n = stage->options.slot_count;

    if (stage->state) {
        watch_enter();
        stage->ops->destroy(stage->state);
        watch_leave();
    }
    stage->state = NULL;
    fence_inspect(&stage->heap);
    fence_drop(stage->nodes, (size_t)n * stage->view->node_stride);
    fence_drop(stage->keys, (size_t)n * sizeof *stage->keys);
    fence_drop(stage->in_flight, n * sizeof *stage->in_flight);
    fence_drop(stage->since_report, n * sizeof *stage->since_report);
    fence_drop(stage->tokens, n * sizeof *stage->tokens);
    fence_drop(stage->eligible, stage->words * sizeof *stage->eligible);
    fence_drop(stage->mask, stage->words * sizeof *stage->mask);
}

/* ---- the mask ---- */

void stage_mask_all(struct stage *stage)
{
    memcpy(stage->mask, stage->eligible, stage->words * sizeof *stage->mask);
}

void stage_mask_none(struct stage *stage)
{
    memset(stage->mask, 0, stage->words * sizeof *stage->mask);
}

void stage_mask_set(struct stage *stage, uint32_t slot, bool may)
{
    set_bit(stage->mask, slot, may);
}

bool stage_mask_has(const struct stage *stage, uint32_t slot)
{
    return slot < stage->view->slot_count &&
           (stage->mask[slot / 64] >> slot % 64 & 1);
}

uint32_t stage_mask_count(const struct stage *stage)
{
    uint32_t count = 0;

    for (uint32_t word = 0; word < stage->words; word++)
        count += (uint32_t)__builtin_popcountll(stage->mask[word]);
    return count;
}

bool stage_is_sound(const struct stage *stage, enum lbp_status status,
                    uint32_t slot)
{
    if ((uint32_t)status > LBP_REFUSE)
        return false;
    return status != LBP_PICKED || stage_mask_has(stage, slot);
}
