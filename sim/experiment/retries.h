/*
 * Retries: see retries.c for what is asked in which order. Where a failed
 * attempt comes to them is life.h. Private to the files of a simulation.
 */
#ifndef SIM_EXPERIMENT_RETRIES_H
#define SIM_EXPERIMENT_RETRIES_H

#include "sim/experiment/world.h"

/* Budgets, where there are any. false: no memory. */
bool retries_make(struct sim *sim);

/* With budgets: an attempt leaves, or is over. */
void retries_sent(struct sim *sim, const struct request *request);
void retries_over(struct sim *sim, struct request *request,
                  enum attempt_error error);

/* A throttle, which holds hedges back too, has too few tokens left. */
bool retries_throttled(const struct sim *sim, uint32_t balancer);

/* A back-off is over. */
WORLD_RARE void retries_alarm(struct sim *sim, const struct alarm *alarm);

/*
 * A request that was resumed is answered, its last attempt not yet counted out:
 * it has its own lengths again. Returns when its first token reached the
 * client.
 */
WORLD_APART int64_t retries_end_of_resumed(struct sim *sim,
                                           struct request *request,
                                           uint32_t index);

void retries_finish(const struct sim *sim, struct run_result *ret);

#endif
