/*
 * The shared result tier: a cache of whole answers in front of the nodes, which
 * all balancers share.
 *
 * A request that arrives is looked up before any policy is asked. A hit is
 * answered from here, without a pick and without a node; a miss goes on to the
 * policy once the look-up is over. An answer is stored when it has come back
 * from a node (or, as the cache oracles have it, at once with the miss).
 * During an outage every look-up fails after its time-out, then the request
 * goes on as after a miss, and nothing is stored.
 *
 * Retries are not looked up again. Requests without a key pass by. Off, it
 * costs nothing: arrivals have one test for all that few scenarios need.
 */
#ifndef SIM_EXPERIMENT_TIER_H
#define SIM_EXPERIMENT_TIER_H

#include "sim/experiment/world.h"

/* Makes sim->tier, which stays NULL when the scenario has none, or requests
   have no keys to look up. The slab must be there. false: no memory. */
bool tier_make(struct sim *sim);
void tier_unmake(struct sim *sim);

/* The request arrived: looks it up, and sees to what follows. */
WORLD_APART void tier_arrival(struct sim *sim, struct request *request,
                              uint32_t index);

/* What a look-up led to, line by line (LINE_TIER_HIT and the next). */
struct delay_line *tier_line_of(struct sim *sim, uint32_t line);
void tier_line(struct sim *sim, uint32_t line, struct request *request,
               uint32_t index);

/* The answer to a request with REQUEST_FILLS_TIER has come back. */
WORLD_APART void tier_fill(struct sim *sim, const struct request *request,
                           uint32_t index);

#endif
