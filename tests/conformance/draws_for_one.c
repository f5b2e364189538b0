/* Fails: single. A draw among one. */
#include "tests/conformance/honest.h"

static enum lbp_status pick(void *state, const struct lbp_view *view,
                            const struct lbp_request *request,
                            uint32_t *ret_slot,
                            struct lbp_explanation *explanation)
{
    struct honest *honest = state;
    const struct lbp_host *host = honest->host;

    (void)view;
    lbp_explain_start(explanation);
    if (request->eligible_count == 0)
        return LBP_NO_NODE;
    lbp_explain_reason(explanation, "draw", 1);
    *ret_slot = lbp_nth_eligible(
        request,
        (uint32_t)host->random_below(host->context, request->eligible_count));
    return LBP_PICKED;
}

HONEST_BUT(pick, pick)
