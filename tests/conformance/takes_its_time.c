/* Fails: budget. Everything is looked at over and over. */
#include "tests/conformance/honest.h"

static enum lbp_status pick(void *state, const struct lbp_view *view,
                            const struct lbp_request *request,
                            uint32_t *ret_slot,
                            struct lbp_explanation *explanation)
{
    struct honest *honest = state;
    volatile uint32_t sum = 0;

    if (view->slot_count == 64 || view->slot_count == 1024)
        for (uint32_t i = 0; i < 200000; i++)
            sum += honest->sent[i % view->slot_count];
    honest->extra = sum;
    return honest_pick(state, view, request, ret_slot, explanation);
}

HONEST_BUT(pick, pick)
