/*
 * Round robin: give requests to the eligible nodes in turn, blind to load.
 *
 * The baseline that every other policy must beat. A pick looks at one word of
 * the eligible set when the next node is near, at all words at worst; with
 * turns for subsets, it hashes all words.
 *
 * One turn for all requests is unfair once they differ in the nodes that may
 * take them: if a class may only go to the first four of ten nodes, six turns
 * of ten end at the first of these. So with per_subset each set of eligible
 * nodes has its own turn (subsets.h). A set that is new, because a node failed
 * or was tried, goes on where the last pick was.
 */
#include "policies/explain.h"
#include "policies/lbp.h"
#include "policies/subsets.h"

enum phase { PHASE_ZERO, PHASE_RANDOM };

enum per_subset { PER_SUBSET_AUTO, PER_SUBSET_ON, PER_SUBSET_OFF };

struct round_robin_config {
    uint32_t phase, per_subset;
};

struct round_robin {
    const struct lbp_host *host;
    uint32_t next; /* slot at which the next search starts */
    bool phase_wanted;
    bool by_subset;              /* for good, once it is true */
    bool started;                /* the next two are set */
    uint16_t model, class;       /* of the first request */
    struct lbp_subsets *subsets; /* NULL: off */
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
    {
        .name = "per_subset",
        .help = "whether each set of eligible nodes has its own turn; auto: "
                "once requests differ in class or model",
        .kind = LBP_CHOICE,
        .offset = offsetof(struct round_robin_config, per_subset),
        .preset = "auto",
        .like = "vLLM's production-stack",
        .choices = "auto|on|off",
    },
    {.name = NULL},
};

static void *round_robin_create(const void *config, const struct lbp_host *host)
{
    const struct round_robin_config *chosen = config;
    uint32_t per_subset = chosen ? chosen->per_subset : PER_SUBSET_AUTO;
    struct round_robin *rr = host->allocate(host->context, sizeof *rr);

    if (!rr)
        return NULL;
    *rr = (struct round_robin){
        .host = host,
        .phase_wanted = chosen && chosen->phase == PHASE_RANDOM,
        .by_subset = per_subset == PER_SUBSET_ON,
    };
    if (per_subset == PER_SUBSET_OFF)
        return rr;
    rr->subsets = lbp_subsets_create(host);
    if (rr->subsets)
        return rr;
    host->release(host->context, rr);
    return NULL;
}

static void round_robin_destroy(void *state)
{
    struct round_robin *rr = state;

    if (!rr)
        return;
    rr->host->release(rr->host->context, rr->subsets);
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

/* With auto: has a request come that differs from the first? */
static bool takes_turns_by_subset(struct round_robin *rr,
                                  const struct lbp_request *request)
{
    if (rr->by_subset || !rr->subsets)
        return rr->by_subset;
    if (!rr->started) {
        rr->started = true;
        rr->model = request->model;
        rr->class = request->request_class;
    }
    rr->by_subset =
        request->model != rr->model || request->request_class != rr->class;
    return rr->by_subset;
}

/* The first eligible slot from *next on, which then moves behind it. */
static uint32_t take_turn(const struct lbp_request *request, uint32_t count,
                          uint32_t *next)
{
    uint32_t start = *next < count ? *next : 0; /* nodes may have left */
    uint32_t slot = first_eligible(request, start, count);

    if (slot == LBP_NO_SLOT)
        slot = first_eligible(request, 0, start);
    if (slot != LBP_NO_SLOT)
        *next = slot + 1; /* wraps at the next pick: nodes may join */
    return slot;
}

/* Apart, so that a single turn saves no registers for it. */
static __attribute__((noinline)) uint32_t
take_turn_of_subset(struct round_robin *rr, const struct lbp_request *request,
                    uint32_t count)
{
    struct lbp_subset *subset =
        lbp_subsets_of(rr->subsets, request, count, rr->next);
    uint32_t slot = take_turn(request, count, &subset->next);

    rr->next = subset->next; /* where a new set will begin */
    return slot;
}

static enum lbp_status round_robin_pick(void *state,
                                        const struct lbp_view *view,
                                        const struct lbp_request *request,
                                        uint32_t *ret_slot,
                                        struct lbp_explanation *explanation)
{
    struct round_robin *rr = state;
    uint32_t count = view->slot_count;
    uint32_t slot;

    lbp_explain_start(explanation);
    if (request->eligible_count == 0)
        return LBP_NO_NODE;
    slot = takes_turns_by_subset(rr, request)
               ? take_turn_of_subset(rr, request, count)
               : take_turn(request, count, &rr->next);
    if (slot == LBP_NO_SLOT)
        return LBP_NO_NODE;
    lbp_explain_reason(explanation, "turn", 0);
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
