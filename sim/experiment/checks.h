/*
 * Active health checks in the run: each balancer checks each node at times of
 * its own, with the state machine of sim/frontdoor/health.h. Private to the
 * files of a simulation.
 */
#ifndef SIM_EXPERIMENT_CHECKS_H
#define SIM_EXPERIMENT_CHECKS_H

#include "sim/experiment/world.h"

/* Takes leaves and schedules the first checks, if there are any. false: no
   memory. */
bool checks_start(struct sim *sim);

/* A check starts or yields its result. subject: balancer * nodes + node. */
void checks_event(struct sim *sim, uint32_t subject);

#endif
