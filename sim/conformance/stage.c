#include "sim/conformance/stage.h"

#include "policies/hash.h"
#include "sim/conformance/watch.h"

#include <stdio.h>
#include <string.h>

#define START_NS 1000000000000 /* not 0: nobody may count on that */
#define MEMORY_LIMIT ((size_t)512 << 20)
#define NOISE 0xee
#define PROBE_LATENCY_NS 50000000
#define DEADLINE_NS 60000000000

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

    memset(&stage->host, NOISE, sizeof stage->host);
    stage->host.host = (struct lbp_host){
        .size = (uint32_t)(sizeof(struct lbp_host) + tail),
        .context = stage,
        .random_below = host_random_below,
        .allocate = host_allocate,
        .release = host_release,
        .resident_blocks =
            stage->ops->needs & LBP_NEEDS_BLOCKS ? host_resident_blocks : NULL,
        .probe = stage->ops->needs & LBP_NEEDS_PROBES ? host_probe : NULL,
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
        .weight_factor = 1,
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
    memset(&stage->shown, NOISE, sizeof stage->shown);
    *stage->view = (struct lbp_view){
        .size = (uint32_t)sizeof(struct lbp_view) + tail,
        .slot_count = n,
        .node_stride = (uint32_t)sizeof(struct lbp_node) + tail,
        .balancer_count = 1,
        .now_ns = START_NS,
        .report_interval_ns = -1,
    };
    stage->nodes = fence_make((size_t)n * stage->view->node_stride);
    memset(stage->nodes, tail ? NOISE : 0,
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
    if (!(stage->ops->needs & LBP_NEEDS_REPORTS) &&
        !stage->options.with_reports)
        return;
    stage->view->report_interval_ns = 1000000000;
    for (uint32_t slot = 0; slot < stage->options.slot_count; slot++)
        stage_report(stage, slot);
}

/* ---- life ---- */

static void serve_timer(struct stage *stage)
{
    int64_t next_ns;

    watch_enter();
    next_ns = stage->ops->on_timer(stage->state, stage->view);
    watch_leave();
    if (next_ns != LBP_NO_TIME && next_ns <= stage->view->now_ns) {
        stage->stuck_timers++;
        next_ns = stage->view->now_ns + 1;
    }
    stage->timer_ns = next_ns;
}

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
    *stage = (struct stage){.ops = ops,
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
        serve_timer(stage);
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

/* ---- requests ---- */

void stage_request(struct stage *stage, struct stage_attempt *attempt,
                   uint32_t key)
{
    struct lbp_request *request = &attempt->ask.request;
    int length = snprintf(attempt->key, sizeof attempt->key, "prompt-%u", key);
    uint64_t chance = key;

    memset(&attempt->ask, NOISE, sizeof attempt->ask);
    memcpy(attempt->text, attempt->key, sizeof attempt->text);
    memset(attempt->note, 0, sizeof attempt->note);
    for (uint32_t i = 0; i < STAGE_BLOCKS; i++)
        attempt->blocks[i] = stage_chance(&chance);
    *request = (struct lbp_request){
        .size = (uint32_t)(sizeof *request +
                           (stage->options.later_host ? STAGE_TAIL : 0)),
        .id = stage->next_id++,
        .key = attempt->key,
        .key_length = (uint32_t)length,
        .key_hash = lbp_hash_xxh64(attempt->key, (size_t)length, 0),
        .session_hash = 1 + key % 50,
        .tenant_hash = 1 + key % 5,
        .blocks = attempt->blocks,
        .block_count = 1 + key % STAGE_BLOCKS,
        .block_tokens = 16,
        .text = attempt->text,
        .text_length = (uint32_t)length,
        .input_tokens = 16 * (1 + key % STAGE_BLOCKS),
        .output_tokens_hint = 100,
        .arrived_at_ns = stage->view->now_ns,
        .deadline_ns = stage->view->now_ns + DEADLINE_NS,
        .work_hint_ns = 100000000,
        .note = attempt->note,
    };
}

/* What is of no more use to a policy that has not asked for it. */
static void bare(const struct stage *stage, struct lbp_request *request)
{
    request->eligible = NULL;
    request->eligible_count = 0;
    if (!(stage->ops->needs & LBP_NEEDS_KEY))
        request->key = NULL;
    if (!(stage->ops->needs & LBP_NEEDS_TEXT))
        request->text = NULL;
    if (!(stage->ops->needs & LBP_NEEDS_BLOCKS))
        request->blocks = NULL;
}

enum lbp_status stage_ask(struct stage *stage, struct stage_attempt *attempt,
                          uint32_t *ret_slot,
                          struct lbp_explanation *explanation)
{
    struct lbp_request *request = &attempt->ask.request;
    enum lbp_status status;

    request->eligible = stage->mask;
    request->eligible_count = stage_mask_count(stage);
    *ret_slot = LBP_NO_SLOT;
    stage->in_hot_call = true;
    watch_enter();
    status = stage->ops->pick(stage->state, stage->view, request, ret_slot,
                              explanation);
    watch_leave();
    stage->in_hot_call = false;
    if (stage->options.bare_after_pick)
        bare(stage, request);
    return status;
}

void stage_send(struct stage *stage, struct stage_attempt *attempt,
                uint32_t slot)
{
    attempt->slot = slot;
    attempt->sent_at_ns = stage->view->now_ns;
    stage->in_flight[slot]++;
    stage->since_report[slot]++;
    stage->tokens[slot] += attempt->ask.request.input_tokens;
    if (!stage->ops->on_sent)
        return;
    stage->in_hot_call = true;
    watch_enter();
    stage->ops->on_sent(stage->state, stage->view, &attempt->ask.request, slot);
    watch_leave();
    stage->in_hot_call = false;
}

void stage_first_token(struct stage *stage, struct stage_attempt *attempt)
{
    if (!stage->ops->on_first_token)
        return;
    stage->in_hot_call = true;
    watch_enter();
    stage->ops->on_first_token(stage->state, stage->view, &attempt->ask.request,
                               attempt->slot);
    watch_leave();
    stage->in_hot_call = false;
}

void stage_done(struct stage *stage, struct stage_attempt *attempt,
                enum lbp_outcome outcome)
{
    struct {
        struct lbp_result result;
        // cppcheck-suppress unusedStructMember
        unsigned char tail[STAGE_TAIL]; /* seen as a longer result's end */
    } told;
    uint32_t slot = attempt->slot;

    stage->in_flight[slot]--;
    if (stage->since_report[slot] > 0)
        stage->since_report[slot]--;
    stage->tokens[slot] -= attempt->ask.request.input_tokens;
    if (!stage->ops->on_done)
        return;
    memset(&told, NOISE, sizeof told);
    told.result = (struct lbp_result){
        .size = (uint32_t)(sizeof told.result +
                           (stage->options.later_host ? STAGE_TAIL : 0)),
        .outcome = outcome,
        .sent_at_ns = attempt->sent_at_ns,
        .first_token_at_ns =
            outcome == LBP_OK ? (attempt->sent_at_ns + stage->view->now_ns) / 2
                              : LBP_NO_TIME,
        .done_at_ns = stage->view->now_ns,
        .input_tokens = attempt->ask.request.input_tokens,
        .output_tokens = outcome == LBP_OK ? 100 : 0,
    };
    stage->in_hot_call = true;
    watch_enter();
    stage->ops->on_done(stage->state, stage->view, &attempt->ask.request, slot,
                        &told.result);
    watch_leave();
    stage->in_hot_call = false;
}

/* ---- reports, timers, probes ---- */

void stage_reported(struct stage *stage, uint32_t slot)
{
    stage->since_report[slot] = 0;
    if (!stage->ops->on_report || !stage->state)
        return;
    stage->in_hot_call = true;
    watch_enter();
    stage->ops->on_report(stage->state, stage->view, slot);
    watch_leave();
    stage->in_hot_call = false;
}

/* Before the policy has its members the report is only filled in. */
void stage_report(struct stage *stage, uint32_t slot)
{
    struct lbp_node *node = stage_node(stage, slot);
    double use = stage->in_flight[slot] / 4.0;

    node->reported_at_ns = stage->view->now_ns;
    node->gpu_use = use < 1 ? use : 1;
    node->cpu_use = node->gpu_use / 4;
    node->memory_use = 0.2 + node->gpu_use / 2;
    node->kv_use = node->gpu_use / 2;
    node->running = stage->in_flight[slot] < 4 ? stage->in_flight[slot] : 4;
    node->queue_depth = stage->in_flight[slot] - node->running;
    node->requests_per_s = 10;
    node->errors_per_s = 0;
    if (stage->next_id > 0) /* traffic has begun */
        stage_reported(stage, slot);
}

static void answer_probe(struct stage *stage)
{
    uint32_t slot = stage->probes[0];
    struct {
        struct lbp_probe probe;
        // cppcheck-suppress unusedStructMember
        unsigned char tail[STAGE_TAIL]; /* seen as a longer probe's end */
    } told;

    memmove(stage->probes, stage->probes + 1,
            --stage->probe_count * sizeof *stage->probes);
    if (!stage->ops->on_probe || stage_node(stage, slot)->key_length == 0)
        return;
    memset(&told, NOISE, sizeof told);
    told.probe = (struct lbp_probe){
        .size = (uint32_t)(sizeof told.probe +
                           (stage->options.later_host ? STAGE_TAIL : 0)),
        .in_flight = stage->in_flight[slot],
        .latency_ns = PROBE_LATENCY_NS * (1 + (int64_t)stage->in_flight[slot]),
        .at_ns = stage->view->now_ns,
    };
    stage->in_hot_call = true;
    watch_enter();
    stage->ops->on_probe(stage->state, stage->view, slot, &told.probe);
    watch_leave();
    stage->in_hot_call = false;
}

void stage_advance(struct stage *stage, int64_t ns)
{
    int64_t end_ns = stage->view->now_ns + ns;
    uint32_t served = 0;

    while (stage->timer_ns != LBP_NO_TIME && stage->timer_ns <= end_ns &&
           served++ < 1000) {
        if (stage->timer_ns > stage->view->now_ns)
            stage->view->now_ns = stage->timer_ns;
        serve_timer(stage);
    }
    stage->view->now_ns = end_ns;
    if (stage->probe_count > 0)
        answer_probe(stage);
}

bool stage_is_sound(const struct stage *stage, enum lbp_status status,
                    uint32_t slot)
{
    if ((uint32_t)status > LBP_REFUSE)
        return false;
    return status != LBP_PICKED || stage_mask_has(stage, slot);
}
