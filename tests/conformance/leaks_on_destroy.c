/* Fails: destroy. The counts stay when the policy goes. */
#include "tests/conformance/honest.h"

static void destroy(void *state)
{
    struct honest *honest = state;

    if (honest && honest->extra == 0) {
        honest->host->release(honest->host->context, honest->generations);
        honest->host->release(honest->host->context, honest);
    }
}

HONEST_BUT(destroy, destroy)
