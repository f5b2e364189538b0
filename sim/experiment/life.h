/*
 * What the two halves of a request's life ask of each other: life.c, where all
 * goes well, and losses.c, where it does not. Private to them.
 *
 * Unless said otherwise `index` is the slot of `request`. A function that may
 * end a request or dispatch it anew must be the last to touch it.
 */
#ifndef SIM_EXPERIMENT_LIFE_H
#define SIM_EXPERIMENT_LIFE_H

#include "sim/experiment/world.h"

/* --- life.c --- */

/* The request is over: it leaves the list of those that may time out. */
void life_leave(struct sim *sim, uint32_t index);

/* The balancer has done with the attempt, whatever the node does. */
void life_attempt_over(struct sim *sim, struct node *node,
                       struct request *request, uint32_t index,
                       enum lbp_outcome outcome, int64_t first_token_at_ns);

/* Out of the row of those that the policy holds at the front door. */
void life_leave_door(struct sim *sim, struct balancer *balancer,
                     const struct request *request);

/* Asks the policy, and sends, holds or ends the request as it says. */
void life_dispatch(struct sim *sim, struct balancer *balancer,
                   struct request *request, uint32_t index);

/* It is at its node, or goes on there after a wait. */
void life_reach_node(struct sim *sim, struct node *node,
                     struct request *request, uint32_t index);

/* --- losses.c --- */

/* Over, without an answer; the slot is free again. */
WORLD_RARE void losses_end(struct sim *sim, struct request *request,
                           uint32_t index, enum ending ending);

/* A node has done with work that nobody waits for. */
WORLD_RARE void losses_zombie_gone(struct sim *sim, struct request *request,
                                   uint32_t index);

/* Another try on another node if there may be one, else the end. */
WORLD_RARE void losses_attempt_failed(struct sim *sim, struct request *request,
                                      uint32_t index, enum lbp_outcome outcome,
                                      enum attempt_error error);

/* The attempt came to a node that is down. */
WORLD_RARE void losses_reach_dead_node(struct sim *sim, struct request *request,
                                       uint32_t index);

/* The node refused the attempt: it is full, or lacks the model. */
WORLD_RARE void losses_turned_away(struct sim *sim, struct request *request,
                                   uint32_t index);

/* Word of that refusal has come back. */
WORLD_RARE void losses_refused(struct sim *sim, struct request *request,
                               uint32_t index);

/* The leaf of total time-outs stands for a request that arrived then. */
WORLD_RARE void losses_arm_timeout(struct sim *sim, int64_t arrived_at_ns);

#endif
