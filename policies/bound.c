#include "policies/bound.h"

static bool is_member(const struct lbp_node *node)
{
    return node->key_length > 0 && node->weight > 0;
}

static bool is_up(const struct lbp_node *node)
{
    return is_member(node) && node->health != LBP_UNHEALTHY &&
           node->health != LBP_DRAINING;
}

static void add_up_weights(struct lbp_bound *bound, const struct lbp_view *view,
                           bool (*counts)(const struct lbp_node *))
{
    bound->weight = 0;
    for (uint32_t slot = 0; slot < view->slot_count; slot++) {
        const struct lbp_node *node = lbp_node_at(view, slot);

        bound->before[slot] = bound->weight;
        bound->weight += counts(node) ? node->weight : 0;
    }
}

struct lbp_bound *lbp_bound_build(const struct lbp_view *view,
                                  enum lbp_bound_rule rule, uint32_t percent,
                                  const struct lbp_host *host)
{
    struct lbp_bound *bound = host->allocate(
        host->context,
        sizeof *bound + view->slot_count * sizeof bound->before[0]);

    if (!bound)
        return NULL;
    bound->rule = rule;
    bound->percent = percent;
    bound->slot_count = view->slot_count;
    add_up_weights(bound, view, is_up);
    if (bound->weight == 0)
        add_up_weights(bound, view, is_member);
    return bound;
}

uint64_t lbp_bound_whole(const struct lbp_bound *bound,
                         const struct lbp_view *view)
{
    uint64_t in_flight = 0;

    for (uint32_t slot = 0; slot < view->slot_count; slot++)
        in_flight += view->in_flight[slot];
    return (in_flight + 1) * bound->percent;
}

static uint64_t divide_up(uint64_t dividend, uint64_t divisor)
{
    return (dividend + divisor - 1) / divisor;
}

/* The members before this one together, and with it: the difference is exact.
 */
static uint64_t cut(uint64_t total, uint64_t before, uint64_t weight,
                    uint64_t all)
{
    return total * (before + weight) / all - total * before / all;
}

uint64_t lbp_bound_share(const struct lbp_bound *bound,
                         const struct lbp_view *view, uint32_t slot,
                         uint64_t whole)
{
    uint64_t weight = lbp_node_at(view, slot)->weight;
    uint64_t all = bound->weight, share = 1;

    if (all == 0 || slot >= bound->slot_count)
        return 1;
    switch (bound->rule) {
    case LBP_BOUND_PAPER:
        share = divide_up(whole * weight, 100 * all);
        break;
    case LBP_BOUND_HAPROXY:
        share = cut(divide_up(whole, 100), bound->before[slot], weight, all);
        break;
    case LBP_BOUND_ENVOY:
        share = divide_up(divide_up(whole, 100) * weight, all);
        break;
    }
    return share > 0 ? share : 1;
}

bool lbp_bound_has_room(const struct lbp_bound *bound,
                        const struct lbp_view *view, uint32_t slot,
                        uint64_t whole)
{
    uint64_t share = lbp_bound_share(bound, view, slot, whole);
    bool one_more = bound->rule == LBP_BOUND_ENVOY;

    return view->in_flight[slot] < share + one_more;
}
