/* Fails: view. The host's own counts, through a cast. */
#include "tests/conformance/honest.h"

static enum lbp_status pick(void *state, const struct lbp_view *view,
                            const struct lbp_request *request,
                            uint32_t *ret_slot,
                            struct lbp_explanation *explanation)
{
    enum lbp_status status =
        honest_pick(state, view, request, ret_slot, explanation);

    if (status == LBP_PICKED)
        ((uint64_t *)view->in_flight_tokens)[*ret_slot]++;
    return status;
}

HONEST_BUT(pick, pick)
