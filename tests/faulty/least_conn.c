/*
 * least_conn with a fault that a review may overlook: it never gives anything
 * to the first node, unless there is no other. A check against a baseline of
 * the true one has to find it.
 */
#include "policies/least_conn.c"

static enum lbp_status blind_pick(void *state, const struct lbp_view *view,
                                  const struct lbp_request *request,
                                  uint32_t *ret_slot,
                                  struct lbp_explanation *explanation)
{
    struct lbp_request seen = *request;
    uint64_t eligible[16];

    if (request->eligible_count < 2 || !lbp_eligible(request, 0) ||
        view->slot_count > 64 * 16)
        return least_conn_pick(state, view, request, ret_slot, explanation);
    for (uint32_t i = 0; i < (view->slot_count + 63) / 64; i++)
        eligible[i] = request->eligible[i];
    eligible[0] &= ~UINT64_C(1);
    seen.eligible = eligible;
    seen.eligible_count--;
    return least_conn_pick(state, view, &seen, ret_slot, explanation);
}

static const struct lbp_ops blind = {
    .abi = LBP_ABI,
    .size = sizeof(struct lbp_ops),
    .name = "least_conn",
    .summary = "fewest requests in flight per weight, but for the first node",
    .tie_rule = "own: one turn of smooth weighted round robin among the tied",
    .params = least_conn_params,
    .term_names = least_conn_terms,
    .config_size = sizeof(struct least_conn_config),
    .create = least_conn_create,
    .destroy = least_conn_destroy,
    .on_members = least_conn_on_members,
    .pick = blind_pick,
    .on_sent = least_conn_on_sent,
    .on_done = least_conn_on_done,
};

const struct lbp_ops *lbp_entry(uint32_t host_abi)
{
    return host_abi == LBP_ABI ? &blind : NULL;
}
