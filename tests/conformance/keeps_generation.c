/* Fails: generation. Time-outs of a node are held against its successor. */
#include "tests/conformance/honest.h"

static uint32_t *make_array(struct honest *honest, uint32_t count)
{
    return honest->host->allocate(honest->host->context,
                                  count * sizeof(uint32_t));
}

/* Copies what was known of the slot, whoever stands there now. */
static bool on_members(void *state, const struct lbp_view *view)
{
    struct honest *honest = state;
    uint32_t *sent = make_array(honest, view->slot_count);

    if (!sent)
        return false;
    for (uint32_t slot = 0; slot < view->slot_count; slot++)
        sent[slot] = slot < honest->slot_count ? honest->sent[slot] : 0;
    honest->host->release(honest->host->context, honest->sent);
    honest->sent = sent;
    honest->slot_count = view->slot_count;
    return true;
}

/* A time-out weighs as if it were under way for ever. */
static void on_done(void *state, const struct lbp_view *view,
                    const struct lbp_request *request, uint32_t slot,
                    const struct lbp_result *result)
{
    if (result->outcome != LBP_TIMEOUT)
        honest_on_done(state, view, request, slot, result);
}

const struct lbp_ops *lbp_entry(uint32_t host_abi)
{
    static struct lbp_ops ops;

    ops = honest_ops;
    ops.on_members = on_members;
    ops.on_done = on_done;
    return host_abi == LBP_ABI ? &ops : NULL;
}
