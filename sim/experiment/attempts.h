/*
 * What becomes of attempts, for the mechanisms that learn from it or count it:
 * they are told of each here, when sim->watches_attempts is set by one of
 * them. Private to the files of a simulation.
 */
#ifndef SIM_EXPERIMENT_ATTEMPTS_H
#define SIM_EXPERIMENT_ATTEMPTS_H

#include "sim/experiment/world.h"

/* The attempt leaves for request->node; counts and policy know of it. false: it
   waits until the node may have it, and whoever keeps it sends it on. */
WORLD_APART bool attempts_sent(struct sim *sim, struct balancer *balancer,
                               struct request *request, uint32_t index);

/* The attempt is over for its balancer, which has counted it out; the request
   may go on. Of one that was answered error is ERROR_NONE, and its first token
   came at first_token_at_ns, or LBP_NO_TIME where tokens have no times. */
WORLD_APART void attempts_over(struct sim *sim, struct balancer *balancer,
                               struct request *request, uint32_t index,
                               enum lbp_outcome outcome,
                               enum attempt_error error,
                               int64_t first_token_at_ns);

#endif
