/* Fails: after_pick. The key is read when it may be gone. */
#include "tests/conformance/honest.h"

static void on_sent(void *state, const struct lbp_view *view,
                    const struct lbp_request *request, uint32_t slot)
{
    struct honest *honest = state;

    if (request->key_length > 0)
        honest->extra += (unsigned char)request->key[0];
    honest_on_sent(state, view, request, slot);
}

static enum lbp_status pick(void *state, const struct lbp_view *view,
                            const struct lbp_request *request,
                            uint32_t *ret_slot,
                            struct lbp_explanation *explanation)
{
    struct lbp_request copy = *request;

    copy.key_length = 0;
    return honest_pick(state, view, &copy, ret_slot, explanation);
}

const struct lbp_ops *lbp_entry(uint32_t host_abi)
{
    static struct lbp_ops ops;

    ops = honest_ops;
    ops.pick = pick;
    ops.on_sent = on_sent;
    return host_abi == LBP_ABI ? &ops : NULL;
}
