/* Fails: explains. Terms that do not sum to the score. */
#include "tests/conformance/honest.h"

static enum lbp_status pick(void *state, const struct lbp_view *view,
                            const struct lbp_request *request,
                            uint32_t *ret_slot,
                            struct lbp_explanation *explanation)
{
    struct honest *honest = state;
    enum lbp_status status =
        honest_pick(state, view, request, ret_slot, explanation);

    if (!explanation || explanation->capacity == 0 || status != LBP_PICKED)
        return status;
    explanation->count = 1;
    explanation->scores[0] =
        (struct lbp_score){.slot = *ret_slot,
                           .score = honest->sent[*ret_slot] + 1.0,
                           .terms = {honest->sent[*ret_slot]}};
    return status;
}

const struct lbp_ops *lbp_entry(uint32_t host_abi)
{
    static const char *const terms[] = {"sent", NULL};
    static struct lbp_ops ops;

    ops = honest_ops;
    ops.pick = pick;
    ops.term_names = terms;
    return host_abi == LBP_ABI ? &ops : NULL;
}
