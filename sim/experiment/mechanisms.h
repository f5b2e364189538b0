/*
 * The mechanisms that are off unless a scenario names them, and where each of
 * them joins a run. Every one keeps its state behind a pointer of its own in
 * struct sim, NULL when it is off. Private to the files of a simulation.
 */
#ifndef SIM_EXPERIMENT_MECHANISMS_H
#define SIM_EXPERIMENT_MECHANISMS_H

#include "sim/experiment/world.h"

/* Makes what scenario and policy ask for; nodes and balancers are there.
   false: no memory, and unmake is to be called all the same. */
bool mechanisms_make(struct sim *sim);
void mechanisms_unmake(struct sim *sim);

/* Schedules the first events, after those of faults, the window, timers,
   checks and reports. false: no memory. */
bool mechanisms_start(struct sim *sim);

/* The first alarm is due. */
WORLD_RARE void mechanisms_alarm(struct sim *sim);

/* Their measures; those of mechanisms that are off stay NaN. */
void mechanisms_finish(const struct sim *sim, struct run_result *ret);

#endif
