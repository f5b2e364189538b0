/* Fails: memory. The host's own memory, but at the wrong time. */
#include "tests/conformance/honest.h"

static void on_sent(void *state, const struct lbp_view *view,
                    const struct lbp_request *request, uint32_t slot)
{
    struct honest *honest = state;
    const struct lbp_host *host = honest->host;

    host->release(host->context, host->allocate(host->context, 100));
    honest_on_sent(state, view, request, slot);
}

HONEST_BUT(on_sent, on_sent)
