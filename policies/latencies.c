#include "policies/latencies.h"

#include "policies/mathx.h"

/* What is left of something after so long. */
static double left_after(const struct latencies *latencies, int64_t passed_ns)
{
    return passed_ns > 0
               ? lbp_exp(-(double)passed_ns / (double)latencies->rule.decay_ns)
               : 1;
}

double latencies_level(const struct latencies *latencies, uint32_t slot,
                       int64_t now_ns)
{
    const struct latency *latency = &latencies->items[slot];

    if (!latency->known)
        return 0;
    return latency->level_ns * left_after(latencies, now_ns - latency->at_ns);
}

void latencies_observe(struct latencies *latencies, uint32_t slot,
                       double seen_ns, int64_t now_ns)
{
    struct latency *latency = &latencies->items[slot];
    double left = left_after(latencies, now_ns - latency->at_ns);
    bool jumps = latencies->rule.peak && seen_ns > latency->level_ns;

    if (!latency->known || jumps)
        latency->level_ns = seen_ns;
    else
        latency->level_ns = seen_ns * (1 - left) + latency->level_ns * left;
    latency->at_ns = now_ns;
    latency->known = true;
}

/* --- members ---------------------------------------------------------------
 */

static bool reserve(struct latencies *latencies, uint32_t slot_count,
                    const struct lbp_host *host)
{
    struct latency *items;

    if (slot_count <= latencies->capacity)
        return true;
    items = host->allocate(host->context, slot_count * sizeof *items);
    if (!items)
        return false;
    for (uint32_t slot = 0; slot < latencies->slot_count; slot++)
        items[slot] = latencies->items[slot];
    host->release(host->context, latencies->items);
    latencies->items = items;
    latencies->capacity = slot_count;
    return true;
}

void latencies_done(struct latencies *latencies, const struct lbp_host *host)
{
    host->release(host->context, latencies->items);
    latencies->items = NULL;
    latencies->slot_count = latencies->capacity = 0;
}

/* Forgets nodes that left; those that come are unknown. Whether there are
   any. */
static bool update_nodes(struct latencies *latencies,
                         const struct lbp_view *view)
{
    bool changed = view->slot_count < latencies->slot_count;

    for (uint32_t slot = 0; slot < view->slot_count; slot++) {
        const struct lbp_node *node = lbp_node_at(view, slot);
        struct latency *latency = &latencies->items[slot];
        bool is = node->key_length > 0;
        bool was = slot < latencies->slot_count && latency->present;

        if (is && was && latency->generation == node->generation)
            continue;
        changed |= is || was;
        *latency =
            (struct latency){.generation = node->generation, .present = is};
    }
    latencies->slot_count = view->slot_count;
    return changed;
}

/* Of those of which something is known; 0: of none. */
static double mean_level(const struct latencies *latencies, int64_t now_ns)
{
    double sum = 0;
    uint32_t known = 0;

    for (uint32_t slot = 0; slot < latencies->slot_count; slot++)
        if (latencies->items[slot].known) {
            sum += latencies_level(latencies, slot, now_ns);
            known++;
        }
    return known > 0 ? sum / known : 0;
}

/* What newcomers start with; 0: nothing is known. */
static double newcomer_level(const struct latencies *latencies, int64_t now_ns)
{
    switch ((enum latency_newcomer)latencies->rule.newcomer) {
    case NEWCOMER_MEAN:
        return mean_level(latencies, now_ns);
    case NEWCOMER_DEFAULT:
        return (double)latencies->rule.default_ns;
    default:
        return 0;
    }
}

static void welcome_newcomers(struct latencies *latencies, double level_ns,
                              int64_t now_ns)
{
    for (uint32_t slot = 0; slot < latencies->slot_count; slot++) {
        struct latency *latency = &latencies->items[slot];

        if (latency->known || !latency->present)
            continue;
        latency->level_ns = level_ns;
        latency->at_ns = now_ns;
        latency->known = level_ns > 0;
    }
}

bool latencies_update(struct latencies *latencies, const struct lbp_view *view,
                      const struct lbp_host *host)
{
    bool changed;
    double level_ns;

    if (!reserve(latencies, view->slot_count, host))
        return false;
    changed = update_nodes(latencies, view);
    level_ns = newcomer_level(latencies, view->now_ns);
    if (changed && latencies->rule.history == HISTORY_DROP)
        for (uint32_t slot = 0; slot < latencies->slot_count; slot++)
            latencies->items[slot].known = false;
    welcome_newcomers(latencies, level_ns, view->now_ns);
    return true;
}
