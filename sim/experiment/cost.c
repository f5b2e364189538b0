#include "sim/experiment/cost.h"

#include <math.h>

#define SECONDS_AN_HOUR 3600.0

bool cost_is_stated(const struct scenario *scenario)
{
    for (uint32_t i = 0; i < scenario->group_count; i++)
        if (scenario->groups[i].cost_per_hour > 0)
            return true;
    return false;
}

/* NaN when there were none: then no sum of money would buy one. */
static double per_thousand(double cost, double answers)
{
    return answers > 0 ? 1000 * cost / answers : NAN;
}

void cost_finish(const struct scenario *scenario, struct run_result *result)
{
    double *values = result->values;
    double window_s = result->window_end_s - result->window_start_s;
    double hours = window_s / SECONDS_AN_HOUR;
    double cost = 0;

    if (!cost_is_stated(scenario) || !result->nodes)
        return;
    for (uint32_t i = 0; i < scenario->group_count; i++) {
        const struct group_spec *group = &scenario->groups[i];

        cost += group->count * group->cost_per_hour * hours;
    }
    values[M_NODE_HOURS] = scenario->node_count * hours;
    values[M_COST] = cost;
    values[M_COST_PER_1000] = per_thousand(cost, values[M_COMPLETED]);
    values[M_COST_PER_1000_IN_GOAL] =
        per_thousand(cost, values[M_GOODPUT] * window_s);
}
