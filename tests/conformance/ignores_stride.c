/* Fails: sizes. Nodes are taken for as large as this version's. */
#include "tests/conformance/honest.h"

static enum lbp_status pick(void *state, const struct lbp_view *view,
                            const struct lbp_request *request,
                            uint32_t *ret_slot,
                            struct lbp_explanation *explanation)
{
    const struct lbp_node *nodes = view->nodes;
    struct honest *honest = state;
    uint32_t best = LBP_NO_SLOT;

    lbp_explain_start(explanation);
    for (uint32_t slot = 0; slot < view->slot_count; slot++)
        if (lbp_eligible(request, slot) &&
            (best == LBP_NO_SLOT ||
             (honest->sent[slot] + 1.0) / (nodes[slot].weight + 1.0) <
                 (honest->sent[best] + 1.0) / (nodes[best].weight + 1.0)))
            best = slot;
    return honest_answer(honest, best, ret_slot);
}

HONEST_BUT(pick, pick)
