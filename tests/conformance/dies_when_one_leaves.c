/* Fails: churn. A slot that is empty has no key, which is read. */
#include "tests/conformance/honest.h"

#include <stdlib.h>

static bool on_members(void *state, const struct lbp_view *view)
{
    for (uint32_t slot = 0; slot < view->slot_count; slot++)
        if (view->slot_count == 40 && !lbp_node_at(view, slot)->key)
            abort();
    return honest_on_members(state, view);
}

HONEST_BUT(on_members, on_members)
