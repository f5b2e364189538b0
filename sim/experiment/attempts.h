/*
 * What becomes of attempts, for the mechanisms that learn from it or count it:
 * they are told of each here, when sim->watches_attempts is set by one of
 * them. Private to the files of a simulation.
 */
#ifndef SIM_EXPERIMENT_ATTEMPTS_H
#define SIM_EXPERIMENT_ATTEMPTS_H

#include "sim/experiment/world.h"

/* The attempt leaves for request->node; counts and policy know of it. */
WORLD_APART void attempts_sent(struct sim *sim, struct balancer *balancer,
                               struct request *request, uint32_t index);

/* The attempt is over for its balancer, which has counted it out; the request
   may go on. error: ERROR_NONE of one that was answered. */
WORLD_APART void attempts_over(struct sim *sim, struct balancer *balancer,
                               struct request *request, uint32_t index,
                               enum lbp_outcome outcome,
                               enum attempt_error error);

#endif
