/* The calls of a policy during traffic, as the contract has them. */
#include "sim/conformance/stage.h"

#include "policies/hash.h"
#include "sim/conformance/watch.h"

#include <stdio.h>
#include <string.h>

#define PROBE_LATENCY_NS 50000000
#define DEADLINE_NS 60000000000

/* ---- requests ---- */

void stage_request(struct stage *stage, struct stage_attempt *attempt,
                   uint32_t key)
{
    struct lbp_request *request = &attempt->ask.request;
    int length = snprintf(attempt->key, sizeof attempt->key, "prompt-%u", key);
    uint64_t chance = key;

    memset(&attempt->ask, STAGE_NOISE, sizeof attempt->ask);
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
    if (!(stage->needs & LBP_NEEDS_KEY))
        request->key = NULL;
    if (!(stage->needs & LBP_NEEDS_TEXT))
        request->text = NULL;
    if (!(stage->needs & LBP_NEEDS_BLOCKS))
        request->blocks = NULL;
}

/* What a pick is shown, and may not change. */
enum { SHOWN_PARTS = 6 };

struct shown_part {
    const char *name;
    const void *data;
    size_t size;
};

static void shown_parts(const struct stage *stage,
                        struct shown_part ret[SHOWN_PARTS])
{
    size_t slots = stage->view->slot_count;

    ret[0] = (struct shown_part){"the view itself", stage->view,
                                 sizeof *stage->view};
    ret[1] = (struct shown_part){"nodes of the view", stage->nodes,
                                 slots * stage->view->node_stride};
    ret[2] = (struct shown_part){"in_flight of the view", stage->in_flight,
                                 slots * sizeof *stage->in_flight};
    ret[3] = (struct shown_part){"in_flight_since_report of the view",
                                 stage->since_report,
                                 slots * sizeof *stage->since_report};
    ret[4] = (struct shown_part){"in_flight_tokens of the view", stage->tokens,
                                 slots * sizeof *stage->tokens};
    ret[5] = (struct shown_part){"the eligible set", stage->mask,
                                 stage->words * sizeof *stage->mask};
}

static void hash_shown(const struct stage *stage, uint64_t ret[SHOWN_PARTS])
{
    struct shown_part parts[SHOWN_PARTS];

    shown_parts(stage, parts);
    for (uint32_t i = 0; i < SHOWN_PARTS; i++)
        ret[i] = lbp_hash_xxh64(parts[i].data, parts[i].size, 0);
}

static void compare_shown(struct stage *stage,
                          const uint64_t before[SHOWN_PARTS])
{
    struct shown_part parts[SHOWN_PARTS];
    uint64_t after[SHOWN_PARTS];

    shown_parts(stage, parts);
    hash_shown(stage, after);
    for (uint32_t i = 0; i < SHOWN_PARTS && !stage->written; i++)
        if (after[i] != before[i])
            stage->written = parts[i].name;
}

enum lbp_status stage_ask(struct stage *stage, struct stage_attempt *attempt,
                          uint32_t *ret_slot,
                          struct lbp_explanation *explanation)
{
    struct lbp_request *request = &attempt->ask.request;
    uint64_t before[SHOWN_PARTS];
    enum lbp_status status;

    request->eligible = stage->mask;
    request->eligible_count = stage_mask_count(stage);
    *ret_slot = LBP_NO_SLOT;
    if (stage->options.watch_view)
        hash_shown(stage, before);
    stage->in_hot_call = true;
    watch_enter();
    status = stage->ops->pick(stage->state, stage->view, request, ret_slot,
                              explanation);
    watch_leave();
    stage->in_hot_call = false;
    if (stage->options.watch_view)
        compare_shown(stage, before);
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
    memset(&told, STAGE_NOISE, sizeof told);
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
    memset(&told, STAGE_NOISE, sizeof told);
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

void stage_timer(struct stage *stage)
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

void stage_advance(struct stage *stage, int64_t ns)
{
    int64_t end_ns = stage->view->now_ns + ns;
    uint32_t served = 0;

    while (stage->timer_ns != LBP_NO_TIME && stage->timer_ns <= end_ns &&
           served++ < 1000) {
        if (stage->timer_ns > stage->view->now_ns)
            stage->view->now_ns = stage->timer_ns;
        stage_timer(stage);
    }
    stage->view->now_ns = end_ns;
    if (stage->probe_count > 0)
        answer_probe(stage);
}
