/* Fails: outside. The machine's time instead of the host's. */
#include "tests/conformance/honest.h"

#include <time.h>

static void on_sent(void *state, const struct lbp_view *view,
                    const struct lbp_request *request, uint32_t slot)
{
    struct honest *honest = state;

    honest->extra = (uint64_t)time(NULL);
    honest_on_sent(state, view, request, slot);
}

HONEST_BUT(on_sent, on_sent)
