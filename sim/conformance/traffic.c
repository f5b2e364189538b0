#include "sim/conformance/traffic.h"

#define KEYS 200
#define STEP_NS 5000000
#define GOOD_ANSWER_NS 100000000

void traffic_start(struct traffic *traffic, struct stage *stage, uint64_t seed)
{
    traffic->stage = stage;
    traffic->chance = seed;
    traffic->open_count = 0;
    for (uint32_t i = 0; i < TRAFFIC_OPEN_MAX; i++)
        traffic->open[i] = &traffic->attempts[i];
    traffic->some_left_out = true;
    traffic->only_good = false;
    traffic->truth_is_told = true;
    traffic->unsound = 0;
    traffic->not_picked = 0;
    stage->next_id += stage->next_id == 0;
}

static enum lbp_outcome draw_outcome(struct traffic *traffic)
{
    uint32_t drawn = stage_below(&traffic->chance, 40);

    return drawn < 5 ? (enum lbp_outcome)(LBP_ERROR + (int)drawn) : LBP_OK;
}

static void answer(struct traffic *traffic, uint32_t index)
{
    struct stage_attempt *attempt = traffic->open[index];
    enum lbp_outcome outcome =
        traffic->only_good ? LBP_OK : draw_outcome(traffic);

    if (outcome == LBP_OK)
        stage_first_token(traffic->stage, attempt);
    stage_done(traffic->stage, attempt, outcome);
    traffic->open_count--;
    for (uint32_t i = index; i < traffic->open_count; i++)
        traffic->open[i] = traffic->open[i + 1];
    traffic->open[traffic->open_count] = attempt;
}

static void answer_some(struct traffic *traffic)
{
    if (traffic->only_good) {
        while (traffic->open_count > 0 &&
               traffic->stage->view->now_ns - traffic->open[0]->sent_at_ns >=
                   GOOD_ANSWER_NS)
            answer(traffic, 0);
    } else if (traffic->open_count > 0 &&
               stage_below(&traffic->chance, 16) < 12) {
        answer(traffic, stage_below(&traffic->chance, traffic->open_count));
    }
    while (traffic->open_count >= TRAFFIC_OPEN_MAX)
        answer(traffic, 0);
}

static void report_some(struct traffic *traffic)
{
    struct stage *stage = traffic->stage;
    uint32_t slot = stage_below(&traffic->chance, stage->view->slot_count);

    if (traffic->truth_is_told && stage->view->report_interval_ns >= 0 &&
        stage_node(stage, slot)->key_length > 0)
        stage_report(stage, slot);
}

static void leave_some_out(struct traffic *traffic)
{
    struct stage *stage = traffic->stage;
    uint32_t share = 1 + stage_below(&traffic->chance, 15), kept;

    stage_mask_all(stage);
    if (!traffic->some_left_out || stage_below(&traffic->chance, 4) > 0 ||
        stage_mask_count(stage) < 2)
        return;
    do
        kept = stage_below(&traffic->chance, stage->view->slot_count);
    while (!stage_mask_has(stage, kept));
    for (uint32_t slot = 0; slot < stage->view->slot_count; slot++)
        if (slot != kept && stage_below(&traffic->chance, 16) < share)
            stage_mask_set(stage, slot, false);
}

uint32_t traffic_step_explained(struct traffic *traffic,
                                struct lbp_explanation *explanation)
{
    struct stage *stage = traffic->stage;
    struct stage_attempt *attempt;
    enum lbp_status status;
    uint32_t slot;

    stage_advance(stage, 1 + stage_below(&traffic->chance, 2 * STEP_NS));
    report_some(traffic);
    answer_some(traffic);
    leave_some_out(traffic);
    attempt = traffic->open[traffic->open_count];
    stage_request(stage, attempt, stage_below(&traffic->chance, KEYS));
    status = stage_ask(stage, attempt, &slot, explanation);
    if (!stage_is_sound(stage, status, slot)) {
        traffic->unsound++;
        traffic->unsound_slot = slot;
        return UINT32_MAX - 8;
    }
    if (status != LBP_PICKED) {
        traffic->not_picked++;
        return UINT32_MAX - 7 + (uint32_t)status;
    }
    stage_send(stage, attempt, slot);
    traffic->open_count++;
    return slot;
}

uint32_t traffic_step(struct traffic *traffic)
{
    return traffic_step_explained(traffic, NULL);
}

void traffic_drain(struct traffic *traffic)
{
    stage_advance(traffic->stage, GOOD_ANSWER_NS);
    while (traffic->open_count > 0)
        answer(traffic, 0);
}

uint32_t traffic_share(struct traffic *traffic, uint32_t steps, uint32_t slot)
{
    uint32_t share = 0;

    traffic->some_left_out = false;
    traffic->only_good = true;
    for (uint32_t step = 0; step < steps; step++)
        share += traffic_step(traffic) == slot;
    traffic_drain(traffic);
    return share;
}

void traffic_press(struct traffic *traffic, uint32_t count, uint32_t slot,
                   enum lbp_outcome outcome, int64_t after_ns)
{
    struct stage *stage = traffic->stage;
    struct stage_attempt attempt;
    uint32_t picked;

    for (uint32_t i = 0; i < count; i++) {
        stage_mask_none(stage);
        stage_mask_set(stage, slot, true);
        stage_request(stage, &attempt, i % KEYS);
        if (stage_ask(stage, &attempt, &picked, NULL) != LBP_PICKED ||
            picked != slot)
            continue;
        stage_send(stage, &attempt, slot);
        stage_advance(stage, after_ns);
        stage_done(stage, &attempt, outcome);
    }
    stage_mask_all(stage);
}
