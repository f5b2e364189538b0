/* Checks: whom a pick may name, at any size, while nodes come and go. */
#include "sim/conformance/trial.h"

#include "policies/table.h"

#include <stdio.h>
#include <stdlib.h>

void check_table(struct trial *trial)
{
    char reason[CONFORMANCE_TEXT / 2];

    if (!lbp_table_check(trial->ops, reason, sizeof reason))
        trial_fail(trial, "%s", reason);
    else if (trial->ops->check && trial->ops->check(trial->config))
        trial_fail(trial, "check() says of the parameters: %s",
                   trial->ops->check(trial->config));
}

/* A life of so many steps; says when a pick was not sound. */
static bool live(struct trial *trial, const struct stage_options *options,
                 uint32_t steps, const char *when)
{
    struct traffic traffic;
    struct stage stage;

    if (!trial_open(trial, &stage, options))
        return false;
    traffic_start(&traffic, &stage, options->seed + 1);
    while (steps-- > 0 && traffic.unsound == 0)
        traffic_step(&traffic);
    trial_fail_unsound(trial, &traffic, when);
    if (traffic.not_picked > 0 && traffic.open_count == 0)
        trial_fail(trial, "named no node at all %s", when);
    traffic_drain(&traffic);
    stage_close(&stage);
    return traffic.unsound == 0;
}

void check_eligible(struct trial *trial)
{
    static const uint32_t sizes[] = {1, 2, 3, 8, 63, 64, 65, 130};

    for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct stage_options options = {
            .slot_count = sizes[i], .unequal = i % 2, .seed = 11 + i};
        char when[60];

        snprintf(when, sizeof when, "with %u nodes", sizes[i]);
        trial_doing(trial, "%s", when);
        if (!live(trial, &options, 400, when))
            return;
    }
}

void check_nobody(struct trial *trial)
{
    struct traffic traffic;
    struct stage stage;
    struct stage_options options = {.slot_count = 70, .seed = 21};

    if (!trial_open(trial, &stage, &options))
        return;
    trial_doing(trial, "asked with nothing eligible");
    traffic_start(&traffic, &stage, 22);
    for (uint32_t i = 0; i < 50; i++) {
        struct stage_attempt attempt;
        uint32_t slot;

        traffic_step(&traffic);
        stage_mask_none(&stage);
        stage_request(&stage, &attempt, i);
        if (stage_ask(&stage, &attempt, &slot, NULL) == LBP_PICKED)
            trial_fail(trial, "picked slot %u of none", slot);
    }
    traffic_drain(&traffic);
    stage_close(&stage);
}

/* Slots that are not eligible are the matter of another check. */
static void ask_one(struct trial *trial, struct stage *stage, uint32_t slot)
{
    struct stage_attempt attempt;
    uint64_t draws = stage->draws;
    uint32_t picked;
    enum lbp_status status;

    stage_mask_none(stage);
    stage_mask_set(stage, slot, true);
    stage_request(stage, &attempt, slot);
    status = stage_ask(stage, &attempt, &picked, NULL);
    if (status != LBP_PICKED)
        trial_fail(trial,
                   "answered otherwise than PICKED, though slot %u was "
                   "eligible and idle",
                   slot);
    if (stage->draws != draws)
        trial_fail(trial, "drew %llu numbers for slot %u alone",
                   (unsigned long long)(stage->draws - draws), slot);
    if (status == LBP_PICKED && picked == slot) {
        stage_send(stage, &attempt, slot);
        stage_advance(stage, 1000000);
        stage_done(stage, &attempt, LBP_OK);
    }
}

void check_single(struct trial *trial)
{
    struct stage stage;
    struct stage_options options = {.slot_count = 70, .seed = 31};

    if (!trial_open(trial, &stage, &options))
        return;
    for (uint32_t round = 0; round < 3; round++)
        for (uint32_t slot = 0; slot < options.slot_count; slot++)
            ask_one(trial, &stage, slot);
    stage_close(&stage);
}

void check_large(struct trial *trial)
{
    struct stage_options options = {
        .slot_count = 4096, .unequal = true, .seed = 41};

    trial_doing(trial, "with 4,096 nodes");
    live(trial, &options, 300, "with 4,096 nodes");
}

/* ---- nodes that come and go ---- */

static void let_by_state(struct stage *stage, uint32_t slot)
{
    const struct lbp_node *node = stage_node(stage, slot);

    stage_let(stage, slot, node->weight > 0 && node->health <= LBP_DEGRADED);
}

static void change_weight(struct stage *stage, uint32_t slot, uint32_t weight)
{
    struct lbp_node *node = stage_node(stage, slot);

    if (node->key_length == 0)
        return;
    node->weight = weight;
    node->weight_factor = weight % 2 ? 1 : 0.25;
    let_by_state(stage, slot);
}

static void change_health(struct stage *stage, uint32_t slot, uint8_t health)
{
    struct lbp_node *node = stage_node(stage, slot);

    if (node->key_length == 0)
        return;
    node->health = health;
    let_by_state(stage, slot);
}

/* A slot changes hands only when every attempt sent to it is done. */
static void change_node(struct stage *stage, uint32_t slot)
{
    if (stage->in_flight[slot] > 0)
        return;
    if (stage_node(stage, slot)->key_length > 0)
        stage_leave(stage, slot);
    else
        stage_join(stage, slot);
}

static void churn_once(struct traffic *traffic)
{
    struct stage *stage = traffic->stage;
    uint32_t slot = stage_below(&traffic->chance, stage->view->slot_count);

    switch (stage_below(&traffic->chance, 4)) {
    case 0:
        change_weight(stage, slot, stage_below(&traffic->chance, 5));
        break;
    case 1:
        change_health(stage, slot, (uint8_t)stage_below(&traffic->chance, 4));
        break;
    default:
        change_node(stage, slot);
    }
}

/* At least one is left, so that there is something to pick. */
static void keep_one(struct stage *stage)
{
    stage_mask_all(stage);
    if (stage_mask_count(stage) > 0)
        return;
    if (stage_node(stage, 0)->key_length == 0)
        stage_join(stage, 0);
    change_health(stage, 0, LBP_HEALTHY);
    change_weight(stage, 0, 1);
    stage_mask_all(stage);
}

void check_churn(struct trial *trial)
{
    static const uint32_t sizes[] = {5, 40, 100};
    struct traffic traffic;
    struct stage stage;

    for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct stage_options options = {.slot_count = sizes[i], .seed = 51 + i};

        trial_doing(trial, "while nodes came and went, %u slots", sizes[i]);
        if (!trial_open(trial, &stage, &options))
            return;
        traffic_start(&traffic, &stage, 61 + i);
        for (uint32_t step = 0; step < 600 && traffic.unsound == 0; step++) {
            traffic_step(&traffic);
            if (step % 4 > 0)
                continue;
            churn_once(&traffic);
            keep_one(&stage);
            if (!stage_members(&stage))
                trial_fail(trial, "on_members gave false without lack of "
                                  "memory");
        }
        trial_fail_unsound(trial, &traffic, "while nodes came and went");
        traffic_drain(&traffic);
        stage_close(&stage);
    }
}
