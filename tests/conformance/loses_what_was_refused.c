/* Fails: refused. One of two allocations fails, and the other is lost. */
#include "tests/conformance/honest.h"

static bool on_members(void *state, const struct lbp_view *view)
{
    struct honest *honest = state;
    const struct lbp_host *host = honest->host;
    uint32_t *scratch = host->allocate(host->context, 100);

    if (!scratch || !honest_on_members(state, view))
        return false;
    host->release(host->context, scratch);
    return true;
}

HONEST_BUT(on_members, on_members)
