/*
 * Round robin: give requests to the eligible nodes in turn, blind to load.
 *
 * The baseline that every other policy must beat. A pick looks at one word of
 * the eligible set when the next node is near, at all words at worst.
 */
#include "policies/explain.h"
#include "policies/lbp.h"

enum phase { PHASE_ZERO, PHASE_RANDOM };

struct round_robin_config {
    uint32_t phase;
};

struct round_robin {
    const struct lbp_host *host;
    uint32_t next; /* slot at which the next search starts */
    bool phase_wanted;
};

static const struct lbp_param round_robin_params[] = {
    {
        .name = "phase",
        .help = "where the rotation starts: at the first node, or anywhere, "
                "so that several balancers do not march in step",
        .kind = LBP_CHOICE,
        .offset = offsetof(struct round_robin_config, phase),
        .preset = "zero",
        .choices = "zero|random",
    },
    {.name = NULL},
};

static void *round_robin_create(const void *config, const struct lbp_host *host)
{
    const struct round_robin_config *chosen = config;
    struct round_robin *rr = host->allocate(host->context, sizeof *rr);

    if (rr)
        *rr = (struct round_robin){
            .host = host,
            .phase_wanted = chosen && chosen->phase == PHASE_RANDOM,
        };
    return rr;
}

static void round_robin_destroy(void *state)
{
    struct round_robin *rr = state;

    if (rr)
        rr->host->release(rr->host->context, rr);
}

static bool round_robin_on_members(void *state, const struct lbp_view *view)
{
    struct round_robin *rr = state;

    if (rr->phase_wanted && view->slot_count > 0) {
        rr->next = (uint32_t)rr->host->random_below(rr->host->context,
                                                    view->slot_count);
        rr->phase_wanted = false;
    }
    return true;
}

/* The first eligible slot in [from, end), or LBP_NO_SLOT. */
static uint32_t first_eligible(const struct lbp_request *request, uint32_t from,
                               uint32_t end)
{
    for (uint32_t word = from / 64; word * 64 < end; word++) {
        uint64_t bits = request->eligible[word];

        if (word == from / 64)
            bits &= UINT64_MAX << from % 64;
        if (bits) {
            uint32_t slot = word * 64 + (uint32_t)__builtin_ctzll(bits);

            return slot < end ? slot : LBP_NO_SLOT;
        }
    }
    return LBP_NO_SLOT;
}

static enum lbp_status round_robin_pick(void *state,
                                        const struct lbp_view *view,
                                        const struct lbp_request *request,
                                        uint32_t *ret_slot,
                                        struct lbp_explanation *explanation)
{
    struct round_robin *rr = state;
    uint32_t count = view->slot_count;
    uint32_t start = rr->next < count ? rr->next : 0; /* nodes may have left */
    uint32_t slot = first_eligible(request, start, count);

    lbp_explain_start(explanation);
    if (slot == LBP_NO_SLOT)
        slot = first_eligible(request, 0, start);
    if (slot == LBP_NO_SLOT)
        return LBP_NO_NODE;
    lbp_explain_reason(explanation, "turn", 0);
    rr->next = slot + 1; /* wraps at the next pick: nodes may join */
    *ret_slot = slot;
    return LBP_PICKED;
}

const struct lbp_ops policy_round_robin = {
    .abi = LBP_ABI,
    .size = sizeof(struct lbp_ops),
    .name = "round_robin",
    .summary = "eligible nodes in turn, blind to load",
    .tie_rule = "none needed: the turn decides",
    .params = round_robin_params,
    .config_size = sizeof(struct round_robin_config),
    .create = round_robin_create,
    .destroy = round_robin_destroy,
    .on_members = round_robin_on_members,
    .pick = round_robin_pick,
};
LBP_ENTRY(policy_round_robin)
