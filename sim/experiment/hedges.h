/*
 * Hedges: a request that takes long is sent a second time, to another node,
 * while the first attempt is out. Whichever is first decides the race, with its
 * first token or its answer; the others are cancelled at once. Off unless
 * balancer.hedge is given. Private to the files of a simulation.
 *
 * A hedge is a slot of its own, a twin: see twins.h. One request is answered
 * once, however many were sent.
 */
#ifndef SIM_EXPERIMENT_HEDGES_H
#define SIM_EXPERIMENT_HEDGES_H

#include "sim/experiment/world.h"

bool hedges_make(struct sim *sim); /* false: no memory */

/* An attempt leaves, or is over; one that is answered stands alone for its
   request from then on. */
void hedges_sent(struct sim *sim, const struct request *request,
                 uint32_t index);
void hedges_over(struct sim *sim, struct request *request, uint32_t index,
                 enum attempt_error error, int64_t first_token_at_ns);

/* A hedge may be due; a first token reaches the balancer. */
WORLD_RARE void hedges_alarm(struct sim *sim, const struct alarm *alarm);

/* A node gives the first token of an attempt. */
WORLD_RARE void hedges_first_token(struct sim *sim,
                                   const struct request *request,
                                   uint32_t index);

/* An attempt of a hedged request failed, and is counted out: others are still
   out, so its slot is free, and the next hedge goes at once if it may. */
WORLD_RARE void hedges_one_failed(struct sim *sim, struct request *request,
                                  uint32_t index);

/* The request of this slot, which stands for it, is given up. */
WORLD_RARE void hedges_lost(struct sim *sim, uint32_t index,
                            enum attempt_error error);

void hedges_finish(const struct sim *sim, struct run_result *ret);

#endif
