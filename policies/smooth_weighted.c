/*
 * Smooth weighted round robin: turns in proportion to weight, spread evenly.
 *
 * The rotation of nginx (since 1.3.1; see credits.h). Every eligible node earns
 * its weight as credit, the richest serves and pays what all have earned. A
 * node of weight 5 among two of weight 1 thus serves a a b a c a a and not five
 * times in a row.
 *
 * With max_fails, a failed attempt takes weight / max_fails from the node's
 * effective weight, and each pick gives one unit back.
 */
#include "policies/credits.h"
#include "policies/explain.h"
#include "policies/lbp.h"
#include "policies/weight.h"

enum phase { PHASE_ZERO, PHASE_RANDOM };

#define PHASE_MAX_TURNS 1024 /* a start costs turns x nodes steps */

struct smooth_weighted_config {
    uint64_t max_fails;
    uint32_t phase;
};

struct smooth_weighted {
    struct smooth_weighted_config config;
    const struct lbp_host *host;
    struct credits credits;
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
    credits_init(&smooth->credits, host);
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
    credits_done(&smooth->credits);
    smooth->host->release(smooth->host->context, smooth);
}

/* Enters the sequence at a random turn, once there are nodes. */
static void start_anywhere(struct smooth_weighted *smooth)
{
    uint64_t bound = credits_period(&smooth->credits);
    uint64_t turns;

    if (bound == 0)
        return;
    if (bound > PHASE_MAX_TURNS)
        bound = PHASE_MAX_TURNS;
    turns = smooth->host->random_below(smooth->host->context, bound);
    for (; turns > 0; turns--)
        credits_turn(&smooth->credits, NULL);
    smooth->phase_wanted = false;
}

static bool smooth_weighted_on_members(void *state, const struct lbp_view *view)
{
    struct smooth_weighted *smooth = state;

    if (!credits_update(&smooth->credits, view))
        return false;
    if (smooth->phase_wanted)
        start_anywhere(smooth);
    return true;
}

/* Credits after the pick, in units of weight. */
static void explain_credits(const struct credits *credits,
                            struct lbp_explanation *explanation)
{
    lbp_explain_reason(explanation, "turn", 0);
    for (uint32_t slot = 0; slot < credits->slot_count; slot++)
        if (credits->shares[slot].weight > 0)
            lbp_explain_score(explanation, slot,
                              (double)credits_of(credits, slot) /
                                  LBP_WEIGHT_ONE);
}

static enum lbp_status smooth_weighted_pick(void *state,
                                            const struct lbp_view *view,
                                            const struct lbp_request *request,
                                            uint32_t *ret_slot,
                                            struct lbp_explanation *explanation)
{
    struct smooth_weighted *smooth = state;
    uint32_t slot = credits_turn(&smooth->credits, request->eligible);

    (void)view;
    lbp_explain_start(explanation);
    if (slot == LBP_NO_SLOT)
        return LBP_NO_NODE;
    if (explanation)
        explain_credits(&smooth->credits, explanation);
    *ret_slot = slot;
    return LBP_PICKED;
}

static void smooth_weighted_on_done(void *state, const struct lbp_view *view,
                                    const struct lbp_request *request,
                                    uint32_t slot,
                                    const struct lbp_result *result)
{
    struct smooth_weighted *smooth = state;
    uint64_t units =
        (uint64_t)smooth->credits.shares[slot].weight / LBP_WEIGHT_ONE;

    (void)view;
    (void)request;
    if (smooth->config.max_fails == 0 ||
        (result->outcome != LBP_RESET && result->outcome != LBP_TIMEOUT))
        return;
    credits_lose(&smooth->credits, slot,
                 (int64_t)(units / smooth->config.max_fails * LBP_WEIGHT_ONE));
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
