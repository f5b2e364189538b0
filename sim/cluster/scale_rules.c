#include "sim/cluster/scale_rules.h"

#include <math.h>

/* --- schedule --------------------------------------------------------------
 */

/* The last entry not after a time of the day; count: none. */
static uint32_t last_entry(const struct schedule_spec *spec, int64_t time_ns)
{
    uint32_t last = spec->count;

    for (uint32_t i = 0; i < spec->count; i++)
        if (spec->entries[i].at_ns <= time_ns)
            last = i;
    return last;
}

uint32_t schedule_nodes(const struct schedule_spec *spec, uint32_t before,
                        int64_t now_ns)
{
    int64_t time_ns = spec->day_ns > 0 ? now_ns % spec->day_ns : now_ns;
    uint32_t last = last_entry(spec, time_ns);

    if (spec->count == 0)
        return before;
    if (last < spec->count)
        return spec->entries[last].nodes;
    return spec->day_ns > 0 ? spec->entries[spec->count - 1].nodes : before;
}

int64_t schedule_next_ns(const struct schedule_spec *spec, int64_t now_ns)
{
    int64_t day_ns = spec->day_ns;
    int64_t start_ns = day_ns > 0 ? now_ns - now_ns % day_ns : 0;

    for (uint32_t i = 0; i < spec->count; i++)
        if (start_ns + spec->entries[i].at_ns > now_ns)
            return start_ns + spec->entries[i].at_ns;
    if (spec->count == 0 || day_ns == 0)
        return INT64_MAX;
    return start_ns + day_ns + spec->entries[0].at_ns;
}

/* --- threshold -------------------------------------------------------------
 */

uint32_t threshold_next(const struct threshold_spec *spec, uint32_t current,
                        double value)
{
    double left = value;

    if (value > spec->above)
        return current + 1;
    if (current == 0)
        return 0;
    if (spec->inherits)
        left = current > 1 ? value * current / (current - 1) : INFINITY;
    return left < spec->below ? current - 1 : current;
}

/* --- goal ------------------------------------------------------------------
 */

struct goal_scale_spec goal_scale_defaults(void)
{
    return (struct goal_scale_spec){
        .relax = 0.5,
        .max_factor = 2,
        .patience = 4,
    };
}

uint32_t goal_scale_next(struct goal_scale *goal, uint32_t current,
                         double value)
{
    const struct goal_scale_spec *spec = goal->spec;

    if (value > spec->target) {
        double factor = fmin(value / spec->target, spec->max_factor);

        goal->fewer = 0;
        return (uint32_t)ceil(current * factor);
    }
    if (value > spec->target * spec->relax) {
        goal->fewer = 0;
        return current;
    }
    if (++goal->fewer < spec->patience)
        return current;
    goal->fewer = 0;
    return current > 0 ? current - 1 : 0;
}
