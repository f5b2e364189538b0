#include "sim/experiment/predictions.h"

#include "sim/measure/measures.h"

static bool cost_the_same(const struct service_spec *a,
                          const struct service_spec *b)
{
    return a->base_s == b->base_s &&
           a->per_input_token_s == b->per_input_token_s &&
           a->per_output_token_s == b->per_output_token_s;
}

struct foresight_costs predictions_costs(const struct scenario *scenario)
{
    const struct service_spec *first = NULL;
    struct foresight_costs none = {0};

    for (uint32_t g = 0; g < scenario->group_count; g++) {
        const struct group_spec *group = &scenario->groups[g];
        const struct service_spec *service = &group->engine.service;

        if (group->count == 0)
            continue;
        if (!service->given || (first && !cost_the_same(first, service)))
            return none;
        first = service;
    }
    if (!first)
        return none;
    return (struct foresight_costs){
        .known = true,
        .base_s = first->base_s,
        .per_input_token_s = first->per_input_token_s,
        .per_output_token_s = first->per_output_token_s,
    };
}

void predictions_finish(const struct balancer *balancers, uint32_t count,
                        double *values)
{
    struct foresight_errors all = {0};

    for (uint32_t b = 0; b < count; b++) {
        const struct foresight_errors *errors = &balancers[b].foresight.errors;

        all.count += errors->count;
        all.expected_s += errors->expected_s;
        all.actual_s += errors->actual_s;
        all.absolute_s += errors->absolute_s;
    }
    if (all.count == 0)
        return;
    values[M_PREDICTION_ERROR] =
        (all.expected_s - all.actual_s) / (double)all.count;
    values[M_PREDICTION_ABS] = all.absolute_s / (double)all.count;
    if (all.actual_s > 0)
        values[M_PREDICTION_RATIO] = all.absolute_s / all.actual_s;
}
