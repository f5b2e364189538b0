/* Fails: large. Room for a thousand nodes, and no look at their number. */
#include "tests/conformance/honest.h"

enum { ROOM = 1024 };

static bool on_members(void *state, const struct lbp_view *view)
{
    struct honest *honest = state;
    const struct lbp_host *host = honest->host;

    if (!honest->sent)
        honest->sent = host->allocate(host->context, ROOM * sizeof(uint32_t));
    if (!honest->generations)
        honest->generations =
            host->allocate(host->context, ROOM * sizeof(uint32_t));
    if (!honest->sent || !honest->generations)
        return false;
    for (uint32_t slot = 0; slot < view->slot_count; slot++) {
        uint32_t generation = lbp_node_at(view, slot)->generation;

        if (slot >= honest->slot_count ||
            honest->generations[slot] != generation)
            honest->sent[slot] = 0;
        honest->generations[slot] = generation;
    }
    honest->slot_count = view->slot_count;
    return true;
}

HONEST_BUT(on_members, on_members)
