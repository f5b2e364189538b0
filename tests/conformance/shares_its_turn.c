/* Fails: instances. One turn for all balancers of the process. */
#include "tests/conformance/honest.h"

static uint32_t turn;

static void *create(const void *config, const struct lbp_host *host)
{
    turn = 0;
    return honest_create(config, host);
}

static enum lbp_status pick(void *state, const struct lbp_view *view,
                            const struct lbp_request *request,
                            uint32_t *ret_slot,
                            struct lbp_explanation *explanation)
{
    struct honest *honest = state;
    enum lbp_status status;

    honest->next = turn;
    status = honest_pick(state, view, request, ret_slot, explanation);
    turn = honest->next;
    return status;
}

const struct lbp_ops *lbp_entry(uint32_t host_abi)
{
    static struct lbp_ops ops;

    ops = honest_ops;
    ops.create = create;
    ops.pick = pick;
    return host_abi == LBP_ABI ? &ops : NULL;
}
