#include "sim/scenario/sweep_spec.h"

uint64_t sweep_point_count(const struct sweep_spec *spec)
{
    uint64_t count = 1;

    for (uint32_t i = 0; i < spec->axis_count; i++)
        count *= spec->axes[i].paths[0].value_count;
    return count;
}

uint32_t sweep_place(const struct sweep_spec *spec, uint64_t point,
                     uint32_t axis)
{
    for (uint32_t i = spec->axis_count - 1; i > axis; i--)
        point /= spec->axes[i].paths[0].value_count;
    return (uint32_t)(point % spec->axes[axis].paths[0].value_count);
}

double sweep_span_at(const struct crossover_spec *spec, uint32_t path, double x)
{
    const struct sweep_span *first = &spec->spans[0];
    const struct sweep_span *span = &spec->spans[path];
    double share = (x - first->from) / (first->to - first->from);

    if (path == 0)
        return x;
    return share >= 1 ? span->to : span->from + share * (span->to - span->from);
}
