/*
 * Active health checks in the run: each balancer checks each node at times of
 * its own, with the state machine of sim/frontdoor/health.h.
 *
 * A check that looks at the server alone is answered after the round trip. One
 * that waits its turn enters the node as a request does: it queues behind the
 * others, takes a slot, and falls with the node. So whatever makes requests
 * late makes it late too, and what it costs the engine is paid. It is known by
 * REQUEST_PROBE, counted nowhere but in the node's own meters, and cancelled
 * at its time-out.
 *
 * There are two rows of checks at most: those of balancer.health, and beside
 * them those of balancer.health.generation. Each has a bar of its own. Private
 * to the files of a simulation.
 */
#ifndef SIM_EXPERIMENT_CHECKS_H
#define SIM_EXPERIMENT_CHECKS_H

#include "sim/experiment/world.h"
#include "sim/frontdoor/observe.h"

/* Takes leaves and schedules the first checks, if there are any. false: no
   memory. */
bool checks_start(struct sim *sim);

/* A check starts, reaches its node, or yields its result. subject: (row *
   balancers + balancer) * nodes + node. */
void checks_event(struct sim *sim, uint32_t subject);

/* A check that waited its turn leaves its node: it was served, or the node
   died under it. Frees its slot. */
WORLD_RARE void checks_left_node(struct sim *sim, struct request *request,
                                 uint32_t index);

/* An attempt was answered by its node, which so is visibly at work. Told when
   checks are lenient. */
void checks_answered(struct sim *sim, uint32_t node);

/* Live traffic speaks against the node: HAProxy's observe has reached its
   limit, and does this to the state of the checks. The next one comes after
   fastinter at the latest, where the scenario has that. Only with checks. */
void checks_observed(struct sim *sim, const struct balancer *balancer,
                     uint32_t node, enum observe_action action);

/* A newcomer takes the place: what was believed of the node before it is
   forgotten. */
void checks_forget(struct sim *sim, uint32_t node);

/* Slots of the slab that belong to checks: no request waits for them. */
uint32_t checks_inside(const struct sim *sim);

#endif
