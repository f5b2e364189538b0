/* Fails: cancelled. What the host gave up stays counted as under way. */
#include "tests/conformance/honest.h"

static void on_done(void *state, const struct lbp_view *view,
                    const struct lbp_request *request, uint32_t slot,
                    const struct lbp_result *result)
{
    if (result->outcome != LBP_CANCELLED)
        honest_on_done(state, view, request, slot, result);
}

HONEST_BUT(on_done, on_done)
