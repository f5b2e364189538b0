/* Fails: nobody. The turn goes round until somebody is eligible. */
#include "tests/conformance/honest.h"

static enum lbp_status pick(void *state, const struct lbp_view *view,
                            const struct lbp_request *request,
                            uint32_t *ret_slot,
                            struct lbp_explanation *explanation)
{
    struct honest *honest = state;
    volatile uint32_t slot = honest->next % view->slot_count;

    lbp_explain_start(explanation);
    while (!lbp_eligible(request, slot))
        slot = (slot + 1) % view->slot_count;
    return honest_answer(honest, slot, ret_slot);
}

HONEST_BUT(pick, pick)
