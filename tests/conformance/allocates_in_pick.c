/* Fails: memory. A list of candidates is made for each pick. */
#include "tests/conformance/honest.h"

#include <stdlib.h>

static enum lbp_status pick(void *state, const struct lbp_view *view,
                            const struct lbp_request *request,
                            uint32_t *ret_slot,
                            struct lbp_explanation *explanation)
{
    uint32_t *list = malloc(view->slot_count * sizeof *list);
    uint32_t count = 0;
    enum lbp_status status;

    for (uint32_t slot = 0; list && slot < view->slot_count; slot++)
        if (lbp_eligible(request, slot))
            list[count++] = slot;
    status = honest_pick(state, view, request, ret_slot, explanation);
    free(list);
    return status;
}

HONEST_BUT(pick, pick)
