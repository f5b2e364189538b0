/*
 * Slow starts in the run: nodes that have just come (back) and what share of
 * their weight each balancer gives them (sim/frontdoor/slow_start.h). Private
 * to the files of a simulation.
 */
#ifndef SIM_EXPERIMENT_SLOW_STARTS_H
#define SIM_EXPERIMENT_SLOW_STARTS_H

#include "sim/experiment/world.h"

/* Makes sim->slow_starts, if the scenario has them. false: no memory. */
bool slow_starts_make(struct sim *sim);

/* Those of time 0, where all nodes begin slowly. */
void slow_starts_start(struct sim *sim);

/*
 * The balancer is about to trust a node that it doubted: to be called before
 * the bar is lifted, so that the policy is told of both at once. Nothing
 * happens when the mechanism is off.
 */
void slow_starts_begin(struct sim *sim, struct balancer *balancer,
                       uint32_t node);

/* A newcomer has joined; the policy is told of its factor. */
void slow_starts_join(struct sim *sim, struct balancer *balancer,
                      uint32_t node);

/* The balancer doubts the node again, or it leaves. */
void slow_starts_end(struct sim *sim, const struct balancer *balancer,
                     uint32_t node);

/* A step has come for a balancer's nodes that warm up. */
WORLD_RARE void slow_starts_step(struct sim *sim, uint32_t balancer);

/* What of a cap on requests in flight the node may have now, in whole percent
   as haproxy counts; 100 unless it is in such a slow start. */
uint32_t slow_starts_cap_percent(const struct sim *sim,
                                 const struct balancer *balancer,
                                 uint32_t node);

void slow_starts_finish(const struct sim *sim, struct run_result *ret);

#endif
