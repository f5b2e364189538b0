/*
 * Batching at the front door, in a run: see sim/frontdoor/batching_spec.h.
 *
 * Each balancer collects for each class apart, as a batch is of one model. The
 * policy is asked for the first of a batch; for the others it is shown that
 * node alone, so that it knows of each of them what it knows of any request.
 * Whoever may not go there, or is not let, is asked for singly. Attempts after
 * the first, hedges and degraded requests are late already: they do not wait.
 *
 * Private to the files of a simulation.
 */
#ifndef SIM_EXPERIMENT_BATCHING_H
#define SIM_EXPERIMENT_BATCHING_H

#include "sim/experiment/world.h"

/* false: no memory. */
bool batching_make(struct sim *sim);
void batching_finish(const struct sim *sim, struct run_result *ret);

/* Whether the request, which is about to be dispatched, is to be collected. */
bool batching_wants(const struct sim *sim, const struct request *request);

/* Collects it, and sends what there is if that is enough. */
WORLD_APART void batching_hold(struct sim *sim, struct request *request,
                               uint32_t index);

/* It goes without having been sent. false: it is not among the collected. */
bool batching_let_go(struct sim *sim, const struct request *request,
                     uint32_t index);

/* How many wait at all balancers. */
uint32_t batching_waiting(const struct sim *sim);

/* ALARM_BATCHES: some may have waited for long enough. subject: which balancer
   and class; epoch: how often these had been sent by when it was set. */
void batching_alarm(struct sim *sim, const struct alarm *alarm);

#endif
