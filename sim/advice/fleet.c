#include "sim/advice/fleet.h"

#include <math.h>

uint32_t fleet_fastest(const struct scenario *scenario)
{
    static const struct workload_request typical = {
        .work_s = -1, .noise = 1, .input_tokens = 1000, .output_tokens = 100};
    static const struct workload_request worker = {.work_s = 1, .noise = 1};
    uint32_t best = 0;
    double least = INFINITY;

    for (uint32_t i = 0; i < scenario->group_count; i++) {
        const struct group_spec *group = &scenario->groups[i];
        double need = draws_need_s(
            group->engine.service.given ? &typical : &worker, group);

        if (group->count > 0 && need < least) {
            least = need;
            best = i;
        }
    }
    return best;
}

double fleet_capacity_per_s(const struct scenario *scenario, uint32_t group,
                            double need_s)
{
    uint32_t at_once = engine_served_at_once(&scenario->groups[group].engine);

    return (at_once > 0 ? at_once : 1) / need_s;
}

/* The smallest and the largest of some values. */
struct range {
    double least, most;
};

static void widen(struct range *range, double value)
{
    range->least = fmin(range->least, value);
    range->most = fmax(range->most, value);
}

static double ratio(const struct range *range)
{
    return range->least > 0 && isfinite(range->most)
               ? range->most / range->least
               : (double)NAN;
}

static bool group_is_plain(const struct group_spec *group)
{
    return group->engine.kind == ENGINE_SLOTS && group->cards <= 1 &&
           group->engine.order == QUEUE_FCFS &&
           group->when_memory_full == MEMORY_FULL_SERVE &&
           !group->engine.limits_queue;
}

void fleet_look(const struct scenario *scenario, const struct draws *draws,
                struct fleet *ret)
{
    static const struct range nothing = {INFINITY, -INFINITY};
    struct range needs = nothing, capacities = nothing, weights = nothing,
                 misfits = nothing;
    double all_weights = 0, fullest = 0;

    ret->slots = UINT32_MAX;
    ret->plain = true;
    for (uint32_t i = 0; i < scenario->group_count; i++) {
        const struct group_spec *group = &scenario->groups[i];
        double need = draws->group_needs_s[i];
        double capacity = fleet_capacity_per_s(scenario, i, need);

        if (group->count == 0)
            continue;
        widen(&needs, need);
        widen(&capacities, capacity);
        widen(&weights, group->weight);
        widen(&misfits, group->weight / capacity);
        fullest = fmax(fullest, group->weight / capacity);
        all_weights += (double)group->weight * group->count;
        if (engine_served_at_once(&group->engine) < ret->slots)
            ret->slots = engine_served_at_once(&group->engine);
        ret->plain &= group_is_plain(group);
    }
    ret->speeds = ratio(&needs);
    ret->capacities = ratio(&capacities);
    ret->weights = ratio(&weights);
    ret->misfit = ratio(&misfits);
    ret->weighted_s = fullest / all_weights;
}
