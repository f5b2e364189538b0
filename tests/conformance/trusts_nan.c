/* Fails: reports. Nothing is less than a number that is none. */
#include "tests/conformance/honest.h"

static enum lbp_status pick(void *state, const struct lbp_view *view,
                            const struct lbp_request *request,
                            uint32_t *ret_slot,
                            struct lbp_explanation *explanation)
{
    struct honest *honest = state;
    double least = 1e9;

    lbp_explain_start(explanation);
    if (request->eligible_count == 0)
        return LBP_NO_NODE;
    for (uint32_t slot = 0; slot < view->slot_count; slot++) {
        double use = lbp_node_at(view, slot)->gpu_use + honest->sent[slot];

        if (!lbp_eligible(request, slot) || !(use < least))
            continue;
        least = use;
        *ret_slot = slot;
    }
    return LBP_PICKED;
}

HONEST_BUT(pick, pick)
