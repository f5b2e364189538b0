/*
 * Panics in the run: when a balancer holds too few nodes healthy, it overlooks
 * its doubts until there are enough again (sim/frontdoor/panic.h). Counted over
 * the whole run. Private to the files of a simulation.
 */
#ifndef SIM_EXPERIMENT_PANICS_H
#define SIM_EXPERIMENT_PANICS_H

#include "sim/experiment/world.h"

/* Makes sim->panics, if the scenario has them. false: no memory. */
bool panics_make(struct sim *sim);

/* Doubts of the balancer have changed, or its members: whether it panics now.
 */
void panics_look(struct sim *sim, struct balancer *balancer);

/* Fills the measures; they stay NaN when the mechanism is off. */
void panics_finish(const struct sim *sim, struct run_result *ret);

#endif
