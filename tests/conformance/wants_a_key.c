/* Fails: requests. Every request is taken to have a key. */
#include "tests/conformance/honest.h"

static enum lbp_status pick(void *state, const struct lbp_view *view,
                            const struct lbp_request *request,
                            uint32_t *ret_slot,
                            struct lbp_explanation *explanation)
{
    struct honest *honest = state;

    honest->extra = (unsigned char)request->key[0];
    return honest_pick(state, view, request, ret_slot, explanation);
}

const struct lbp_ops *lbp_entry(uint32_t host_abi)
{
    static struct lbp_ops ops;

    ops = honest_ops;
    ops.pick = pick;
    ops.needs = LBP_NEEDS_KEY;
    return host_abi == LBP_ABI ? &ops : NULL;
}
