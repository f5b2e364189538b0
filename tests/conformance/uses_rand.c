/* Fails: chance. The C library's generator instead of the host's. */
#include "tests/conformance/honest.h"

#include <stdlib.h>

static enum lbp_status pick(void *state, const struct lbp_view *view,
                            const struct lbp_request *request,
                            uint32_t *ret_slot,
                            struct lbp_explanation *explanation)
{
    (void)state;
    (void)view;
    lbp_explain_start(explanation);
    if (request->eligible_count == 0)
        return LBP_NO_NODE;
    *ret_slot =
        lbp_nth_eligible(request, (uint32_t)rand() % request->eligible_count);
    return LBP_PICKED;
}

HONEST_BUT(pick, pick)
