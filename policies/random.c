/*
 * Random: one fair draw among the eligible nodes, blind to load and weight.
 *
 * What many independent clients do without any balancer, and the theory's
 * favourite: every node then sees a Poisson stream if the whole is one.
 */
#include "policies/explain.h"
#include "policies/lbp.h"
#include "policies/members.h"

struct random_pick {
    const struct lbp_host *host;
    struct lbp_members members;
};

static void *random_create(const void *config, const struct lbp_host *host)
{
    struct random_pick *random = host->allocate(host->context, sizeof *random);

    (void)config; /* has no parameters */
    if (random)
        *random = (struct random_pick){.host = host};
    return random;
}

static void random_destroy(void *state)
{
    struct random_pick *random = state;

    if (!random)
        return;
    lbp_members_done(&random->members, random->host);
    random->host->release(random->host->context, random);
}

static bool random_on_members(void *state, const struct lbp_view *view)
{
    struct random_pick *random = state;

    return lbp_members_update(&random->members, view, random->host);
}

static enum lbp_status random_choose(void *state, const struct lbp_view *view,
                                     const struct lbp_request *request,
                                     uint32_t *ret_slot,
                                     struct lbp_explanation *explanation)
{
    struct random_pick *random = state;
    const struct lbp_host *host = random->host;
    uint32_t count = request->eligible_count;
    uint32_t rank = 0;

    (void)view;
    lbp_explain_start(explanation);
    if (count == 0)
        return LBP_NO_NODE;
    if (count > 1) {
        rank = (uint32_t)host->random_below(host->context, count);
        lbp_explain_reason(explanation, "drawn", 1);
    }
    *ret_slot = lbp_members_nth(&random->members, request, rank);
    return LBP_PICKED;
}

const struct lbp_ops policy_random = {
    .abi = LBP_ABI,
    .size = sizeof(struct lbp_ops),
    .name = "random",
    .summary = "one fair draw among the eligible nodes",
    .tie_rule = "none needed: the draw decides",
    .create = random_create,
    .destroy = random_destroy,
    .on_members = random_on_members,
    .pick = random_choose,
};
LBP_ENTRY(policy_random)
