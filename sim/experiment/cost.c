#include "sim/experiment/cost.h"

#include "sim/scenario/describe.h"

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

/* Nodes of a group that existed, on average. */
static double existed(const struct run_result *result, uint32_t first,
                      uint32_t count)
{
    double sum = 0;

    for (uint32_t i = first; i < first + count; i++)
        sum += 1 - result->nodes[i].absent_ratio;
    return sum;
}

void cost_finish(const struct scenario *scenario, struct run_result *result)
{
    double *values = result->values;
    double window_s = result->window_end_s - result->window_start_s;
    double hours = window_s / SECONDS_AN_HOUR;
    bool elastic = scenario_nodes_change(scenario);
    double cost = 0, nodes = 0;
    uint32_t first = 0;

    if (!(cost_is_stated(scenario) || elastic) || !result->nodes)
        return;
    for (uint32_t i = 0; i < scenario->group_count; i++) {
        const struct group_spec *group = &scenario->groups[i];
        double count = existed(result, first, group->count);

        cost += count * group->cost_per_hour * hours;
        nodes += count;
        first += group->count;
    }
    if (elastic)
        values[M_NODES_MEAN] = nodes;
    values[M_NODE_HOURS] = nodes * hours;
    if (!cost_is_stated(scenario))
        return;
    values[M_COST] = cost;
    values[M_COST_PER_1000] =
        per_thousand(cost, values[M_COMPLETED] + values[M_DEGRADED]);
    values[M_COST_PER_1000_IN_GOAL] =
        per_thousand(cost, values[M_GOODPUT] * window_s);
}
