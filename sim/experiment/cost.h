/*
 * What the nodes of a run cost, in whatever money the scenario counts.
 *
 * A node is paid for as long as it is there, dead or alive, busy or idle: over
 * the measured window. So policies differ in what an answer costs, not in what
 * the pool costs.
 */
#ifndef SIM_EXPERIMENT_COST_H
#define SIM_EXPERIMENT_COST_H

#include "sim/measure/run_result.h"
#include "sim/scenario/scenario.h"

#include <stdbool.h>

/* Whether any group states a cost. */
bool cost_is_stated(const struct scenario *scenario);

/* Fills the measures of cost, out of completions and goodput; they stay absent
   when no group states a cost, or the window never opened. */
void cost_finish(const struct scenario *scenario, struct run_result *result);

#endif
