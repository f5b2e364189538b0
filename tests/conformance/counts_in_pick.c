/* Fails: counts. What is asked for is taken for sent. */
#include "tests/conformance/honest.h"

static enum lbp_status pick(void *state, const struct lbp_view *view,
                            const struct lbp_request *request,
                            uint32_t *ret_slot,
                            struct lbp_explanation *explanation)
{
    struct honest *honest = state;
    enum lbp_status status =
        honest_pick(state, view, request, ret_slot, explanation);

    if (status == LBP_PICKED)
        honest->sent[*ret_slot]++;
    return status;
}

const struct lbp_ops *lbp_entry(uint32_t host_abi)
{
    static struct lbp_ops ops;

    ops = honest_ops;
    ops.pick = pick;
    ops.on_sent = NULL;
    return host_abi == LBP_ABI ? &ops : NULL;
}
