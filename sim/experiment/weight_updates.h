/*
 * Dynamic weights in the run: each period every balancer goes through what
 * nodes have said and weighs them anew (sim/frontdoor/dynamic_weights.h).
 * Private to the files of a simulation.
 */
#ifndef SIM_EXPERIMENT_WEIGHT_UPDATES_H
#define SIM_EXPERIMENT_WEIGHT_UPDATES_H

#include "sim/experiment/world.h"

/* Makes sim->weight_updates, if the scenario has them. false: no memory. */
bool weight_updates_make(struct sim *sim);

/* Sets the first periods. */
void weight_updates_start(struct sim *sim);

/* A balancer's period is over. */
WORLD_RARE void weight_updates_period(struct sim *sim, uint32_t balancer);

void weight_updates_finish(const struct sim *sim, struct run_result *ret);

#endif
