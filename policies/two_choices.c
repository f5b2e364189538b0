/*
 * Two choices: draw two eligible nodes, take the less busy one.
 *
 * Mitzenmacher, "The Power of Two Choices in Randomized Load Balancing", IEEE
 * TPDS 12(10), 2001; two different nodes as in Finagle's P2C balancer. Busy
 * means our own in-flight count, which is exact, and not the reported queue
 * depth, which is stale and draws herds.
 */
#include "policies/explain.h"
#include "policies/lbp.h"
#include "policies/members.h"
#include "policies/picks.h"
#include "policies/ties.h"

struct two_choices_config {
    bool replacement;
    uint32_t ties;
};

struct two_choices {
    struct two_choices_config config;
    const struct lbp_host *host;
    struct lbp_members members;
    struct lbp_picks picks; /* only with `ties: rotate` */
};

static const struct lbp_param two_choices_params[] = {
    {
        .name = "replacement",
        .help = "whether both draws may name the same node, which then gets "
                "the request however busy it is",
        .kind = LBP_SWITCH,
        .offset = offsetof(struct two_choices_config, replacement),
        .preset = "false",
    },
    LBP_TIES_PARAM(struct two_choices_config),
    {.name = NULL},
};

static void *two_choices_create(const void *config, const struct lbp_host *host)
{
    struct two_choices *two = host->allocate(host->context, sizeof *two);

    if (!two)
        return NULL;
    *two = (struct two_choices){.host = host};
    if (config)
        two->config = *(const struct two_choices_config *)config;
    return two;
}

static void two_choices_destroy(void *state)
{
    struct two_choices *two = state;

    if (!two)
        return;
    lbp_members_done(&two->members, two->host);
    lbp_picks_done(&two->picks, two->host);
    two->host->release(two->host->context, two);
}

static bool two_choices_on_members(void *state, const struct lbp_view *view)
{
    struct two_choices *two = state;

    if (two->config.ties == LBP_TIES_ROTATE &&
        !lbp_picks_update(&two->picks, view->slot_count, two->host))
        return false;
    return lbp_members_update(&two->members, view, two->host);
}

static uint32_t draw_below(const struct two_choices *two, uint32_t bound)
{
    return (uint32_t)two->host->random_below(two->host->context, bound);
}

/* Two slots in the order of the draws; count is 2 or more. */
static void draw_pair(const struct two_choices *two,
                      const struct lbp_request *request, uint32_t count,
                      uint32_t *ret_pair)
{
    if (!two->config.replacement) {
        lbp_members_draw_two(&two->members, request, two->host, ret_pair);
        return;
    }
    for (int i = 0; i < 2; i++)
        ret_pair[i] =
            lbp_members_nth(&two->members, request, draw_below(two, count));
}

/* Below 0 if slot a is better than slot b, 0 if they tie. */
static int compare(const struct lbp_view *view, uint32_t a, uint32_t b)
{
    uint8_t health_a = lbp_node_at(view, a)->health;
    uint8_t health_b = lbp_node_at(view, b)->health;

    if (health_a != health_b)
        return health_a < health_b ? -1 : 1;
    return (view->in_flight[a] > view->in_flight[b]) -
           (view->in_flight[a] < view->in_flight[b]);
}

/* Which of two equally good nodes wins: 0 for the first draw, or 1. */
static uint32_t break_tie(const struct two_choices *two, const uint32_t *pair)
{
    uint32_t lower = pair[1] < pair[0];

    if (pair[0] == pair[1])
        return 0;
    switch ((enum lbp_ties)two->config.ties) {
    case LBP_TIES_FIRST:
        return lower;
    case LBP_TIES_RANDOM: /* ties count up from the lowest slot */
        return draw_below(two, 2) ^ lower;
    case LBP_TIES_ROTATE:
        return lbp_picks_older(&two->picks, pair[1], pair[0]);
    case LBP_TIES_OWN:
        break;
    }
    return 0;
}

static void explain_pair(struct lbp_explanation *explanation,
                         const struct lbp_view *view, const uint32_t *pair,
                         bool tied, uint32_t draws)
{
    lbp_explain_reason(explanation, tied ? "tie" : "less busy", draws);
    for (uint32_t i = 0; i < 2; i++)
        lbp_explain_score(explanation, pair[i], view->in_flight[pair[i]]);
}

/* The better of two draws; count is 2 or more. */
static uint32_t choose(const struct two_choices *two,
                       const struct lbp_view *view,
                       const struct lbp_request *request, uint32_t count,
                       struct lbp_explanation *explanation)
{
    uint32_t pair[2];
    int order;

    draw_pair(two, request, count, pair);
    order = compare(view, pair[0], pair[1]);
    if (explanation) {
        bool drawn = order == 0 && two->config.ties == LBP_TIES_RANDOM &&
                     pair[0] != pair[1];

        explain_pair(explanation, view, pair, order == 0, drawn ? 3 : 2);
    }
    return pair[order == 0 ? break_tie(two, pair) : (uint32_t)(order > 0)];
}

static enum lbp_status two_choices_pick(void *state,
                                        const struct lbp_view *view,
                                        const struct lbp_request *request,
                                        uint32_t *ret_slot,
                                        struct lbp_explanation *explanation)
{
    struct two_choices *two = state;
    uint32_t count = request->eligible_count;

    lbp_explain_start(explanation);
    if (count == 0)
        return LBP_NO_NODE;
    *ret_slot = count == 1 ? lbp_members_nth(&two->members, request, 0)
                           : choose(two, view, request, count, explanation);
    lbp_picks_note(&two->picks, *ret_slot);
    return LBP_PICKED;
}

static const char *const two_choices_terms[] = {"in_flight", NULL};

const struct lbp_ops policy_two_choices = {
    .abi = LBP_ABI,
    .size = sizeof(struct lbp_ops),
    .name = "two_choices",
    .summary = "the less busy of two nodes drawn at random",
    .tie_rule = "own: the first draw",
    .params = two_choices_params,
    .term_names = two_choices_terms,
    .config_size = sizeof(struct two_choices_config),
    .create = two_choices_create,
    .destroy = two_choices_destroy,
    .on_members = two_choices_on_members,
    .pick = two_choices_pick,
};
LBP_ENTRY(policy_two_choices)
