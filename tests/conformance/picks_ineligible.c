/* Fails: eligible. Now and then a node is taken without a look. */
#include "tests/conformance/honest.h"

static enum lbp_status pick(void *state, const struct lbp_view *view,
                            const struct lbp_request *request,
                            uint32_t *ret_slot,
                            struct lbp_explanation *explanation)
{
    struct honest *honest = state;
    enum lbp_status status =
        honest_pick(state, view, request, ret_slot, explanation);

    if (status == LBP_PICKED && view->slot_count == 63 &&
        request->eligible_count < 40)
        *ret_slot = honest->next % view->slot_count;
    return status;
}

HONEST_BUT(pick, pick)
