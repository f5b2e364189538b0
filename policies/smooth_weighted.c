/*
 * Smooth weighted round robin: turns in proportion to weight, spread evenly.
 *
 * The rotation of nginx (src/http/ngx_http_upstream_round_robin.c, since
 * 1.3.1). Every eligible node earns its weight as credit, the richest serves
 * and pays what all have earned. A node of weight 5 among two of weight 1
 * thus serves a a b a c a a and not five times in a row.
 *
 * With max_fails, a failed attempt takes weight / max_fails from the node's
 * effective weight, and each pick gives one unit back. Weights are counted in
 * hundredths (weight.h), and so are credits, losses and recovery.
 */
#include "policies/explain.h"
#include "policies/lbp.h"
#include "policies/weight.h"

enum phase { PHASE_ZERO, PHASE_RANDOM };

#define PHASE_MAX_TURNS 1024 /* a start costs turns x nodes steps */

struct smooth_weighted_config {
    uint64_t max_fails;
    uint32_t phase;
};

struct share {
    int64_t credit;
    int64_t weight;    /* configured, hundredths; 0: takes nothing */
    int64_t effective; /* in [0, weight]: less after failures */
    uint32_t generation;
};

struct smooth_weighted {
    struct smooth_weighted_config config;
    const struct lbp_host *host;
    struct share *shares; /* [slot_count] */
    uint32_t slot_count;
    uint32_t capacity; /* of shares */
    bool phase_wanted;
};

static const struct lbp_param smooth_weighted_params[] = {
    {
        .name = "max_fails",
        .help = "a failure takes weight / max_fails off a node until picks "
                "give it back; resets and time-outs count; 0: no feedback",
        .kind = LBP_COUNT,
        .offset = offsetof(struct smooth_weighted_config, max_fails),
        .max = 1e6,
        .preset = "0",
    },
    {
        .name = "phase",
        .help = "where the rotation starts: at its beginning, or after a "
                "random number of turns, so that several balancers do not "
                "march in step",
        .kind = LBP_CHOICE,
        .offset = offsetof(struct smooth_weighted_config, phase),
        .preset = "zero",
        .choices = "zero|random",
    },
    {.name = NULL},
};

static void *smooth_weighted_create(const void *config,
                                    const struct lbp_host *host)
{
    struct smooth_weighted *smooth =
        host->allocate(host->context, sizeof *smooth);

    if (!smooth)
        return NULL;
    *smooth = (struct smooth_weighted){.host = host};
    if (config)
        smooth->config = *(const struct smooth_weighted_config *)config;
    smooth->phase_wanted = smooth->config.phase == PHASE_RANDOM;
    return smooth;
}

static void smooth_weighted_destroy(void *state)
{
    struct smooth_weighted *smooth = state;

    if (!smooth)
        return;
    smooth->host->release(smooth->host->context, smooth->shares);
    smooth->host->release(smooth->host->context, smooth);
}

static bool reserve(struct smooth_weighted *smooth, uint32_t slot_count)
{
    const struct lbp_host *host = smooth->host;
    struct share *shares;

    if (slot_count <= smooth->capacity)
        return true;
    shares = host->allocate(host->context, slot_count * sizeof *shares);
    if (!shares)
        return false;
    for (uint32_t slot = 0; slot < smooth->slot_count; slot++)
        shares[slot] = smooth->shares[slot];
    host->release(host->context, smooth->shares);
    smooth->shares = shares;
    smooth->capacity = slot_count;
    return true;
}

/* A newcomer starts with no credit; a node that stays keeps what it has. */
static void update_share(struct share *share, const struct lbp_node *node,
                         bool known)
{
    int64_t weight = lbp_weight_scaled(node);

    if (!known || share->generation != node->generation ||
        node->key_length == 0)
        *share = (struct share){.generation = node->generation};
    if (share->weight != weight)
        share->effective = weight;
    share->weight = weight;
}

/*
 * One turn over the eligible nodes, all of them if eligible is NULL. Yields
 * the winner, or LBP_NO_SLOT.
 */
static uint32_t take_turn(struct smooth_weighted *smooth,
                          const uint64_t *eligible)
{
    struct share *best = NULL;
    int64_t earned = 0;

    for (uint32_t slot = 0; slot < smooth->slot_count; slot++) {
        struct share *share = &smooth->shares[slot];

        if (share->weight == 0)
            continue;
        if (eligible && !(eligible[slot / 64] >> slot % 64 & 1))
            continue;
        share->credit += share->effective;
        earned += share->effective;
        if (share->effective < share->weight) {
            share->effective += LBP_WEIGHT_ONE; /* after this turn's use */
            if (share->effective > share->weight)
                share->effective = share->weight;
        }
        if (!best || share->credit > best->credit)
            best = share;
    }
    if (!best)
        return LBP_NO_SLOT;
    best->credit -= earned;
    return (uint32_t)(best - smooth->shares);
}

static uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
    while (b > 0) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* Turns until the sequence repeats: sum of weights / their common divisor. */
static uint64_t period(const struct smooth_weighted *smooth)
{
    uint64_t sum = 0, divisor = 0;

    for (uint32_t slot = 0; slot < smooth->slot_count; slot++) {
        sum += (uint64_t)smooth->shares[slot].weight;
        divisor =
            greatest_divisor(divisor, (uint64_t)smooth->shares[slot].weight);
    }
    return divisor > 0 ? sum / divisor : 0;
}

/* Enters the sequence at a random turn, once there are nodes. */
static void start_anywhere(struct smooth_weighted *smooth)
{
    uint64_t bound = period(smooth);
    uint64_t turns;

    if (bound == 0)
        return;
    if (bound > PHASE_MAX_TURNS)
        bound = PHASE_MAX_TURNS;
    turns = smooth->host->random_below(smooth->host->context, bound);
    for (; turns > 0; turns--)
        take_turn(smooth, NULL);
    smooth->phase_wanted = false;
}

static bool smooth_weighted_on_members(void *state, const struct lbp_view *view)
{
    struct smooth_weighted *smooth = state;

    if (!reserve(smooth, view->slot_count))
        return false;
    for (uint32_t slot = 0; slot < view->slot_count; slot++)
        update_share(&smooth->shares[slot], lbp_node_at(view, slot),
                     slot < smooth->slot_count);
    smooth->slot_count = view->slot_count;
    if (smooth->phase_wanted)
        start_anywhere(smooth);
    return true;
}

/* Credits after the pick, in units of weight. */
static void explain_credits(const struct smooth_weighted *smooth,
                            struct lbp_explanation *explanation)
{
    lbp_explain_reason(explanation, "turn", 0);
    for (uint32_t slot = 0; slot < smooth->slot_count; slot++)
        if (smooth->shares[slot].weight > 0)
            lbp_explain_score(explanation, slot,
                              (double)smooth->shares[slot].credit /
                                  LBP_WEIGHT_ONE);
}

static enum lbp_status smooth_weighted_pick(void *state,
                                            const struct lbp_view *view,
                                            const struct lbp_request *request,
                                            uint32_t *ret_slot,
                                            struct lbp_explanation *explanation)
{
    struct smooth_weighted *smooth = state;
    uint32_t slot = take_turn(smooth, request->eligible);

    (void)view;
    lbp_explain_start(explanation);
    if (slot == LBP_NO_SLOT)
        return LBP_NO_NODE;
    if (explanation)
        explain_credits(smooth, explanation);
    *ret_slot = slot;
    return LBP_PICKED;
}

static void smooth_weighted_on_done(void *state, const struct lbp_view *view,
                                    const struct lbp_request *request,
                                    uint32_t slot,
                                    const struct lbp_result *result)
{
    struct smooth_weighted *smooth = state;
    struct share *share = &smooth->shares[slot];
    uint64_t units = (uint64_t)share->weight / LBP_WEIGHT_ONE;
    int64_t loss;

    (void)view;
    (void)request;
    if (smooth->config.max_fails == 0 ||
        (result->outcome != LBP_RESET && result->outcome != LBP_TIMEOUT))
        return;
    loss = (int64_t)(units / smooth->config.max_fails * LBP_WEIGHT_ONE);
    share->effective = loss < share->effective ? share->effective - loss : 0;
}

static const char *const smooth_weighted_terms[] = {"credit", NULL};

const struct lbp_ops policy_smooth_weighted = {
    .abi = LBP_ABI,
    .size = sizeof(struct lbp_ops),
    .name = "smooth_weighted",
    .summary = "turns in proportion to weight, spread evenly",
    .tie_rule = "equal credits go to the lowest slot",
    .params = smooth_weighted_params,
    .term_names = smooth_weighted_terms,
    .config_size = sizeof(struct smooth_weighted_config),
    .create = smooth_weighted_create,
    .destroy = smooth_weighted_destroy,
    .on_members = smooth_weighted_on_members,
    .pick = smooth_weighted_pick,
    .on_done = smooth_weighted_on_done,
};
LBP_ENTRY(policy_smooth_weighted)
