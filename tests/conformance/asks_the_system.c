/* Fails: outside. A call of the system that no list of functions knows. */
#include "tests/conformance/honest.h"

#include <unistd.h>

static void on_done(void *state, const struct lbp_view *view,
                    const struct lbp_request *request, uint32_t slot,
                    const struct lbp_result *result)
{
    struct honest *honest = state;

    honest->extra = (uint64_t)getppid();
    honest_on_done(state, view, request, slot, result);
}

HONEST_BUT(on_done, on_done)
