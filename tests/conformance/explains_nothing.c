/* Fails: explains. An explanation that is never filled. */
#include "tests/conformance/honest.h"

static enum lbp_status pick(void *state, const struct lbp_view *view,
                            const struct lbp_request *request,
                            uint32_t *ret_slot,
                            struct lbp_explanation *explanation)
{
    (void)explanation;
    return honest_pick(state, view, request, ret_slot, NULL);
}

HONEST_BUT(pick, pick)
