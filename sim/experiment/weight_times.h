/*
 * What nodes weigh over time, where something changes it (slow starts, dynamic
 * weights, agents): the weight that policies are told times its factor, the
 * mean of all balancers. Private to the files of a simulation.
 */
#ifndef SIM_EXPERIMENT_WEIGHT_TIMES_H
#define SIM_EXPERIMENT_WEIGHT_TIMES_H

#include "sim/experiment/world.h"

/* Makes sim->weight_times, if the scenario has any of that. false: no memory.
 */
bool weight_times_make(struct sim *sim);

/* The balancer's weights, or factors, may have changed. Nothing happens when
   they are not looked after. */
void weight_times_look(struct sim *sim, const struct balancer *balancer);

/* Fills the nodes' buckets; NaN when nothing changes weights. */
void weight_times_finish(const struct sim *sim, struct run_result *ret);

#endif
