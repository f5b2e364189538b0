/*
 * What the two halves of a request's life ask of each other: life.c, where all
 * goes well, and losses.c, where it does not. Private to them.
 *
 * Unless said otherwise `index` is the slot of `request`. A function that may
 * end a request or dispatch it anew must be the last to touch it.
 */
#ifndef SIM_EXPERIMENT_LIFE_H
#define SIM_EXPERIMENT_LIFE_H

#include "sim/cluster/fault_spec.h"
#include "sim/experiment/world.h"

/* --- life.c --- */

/* The request is over: it leaves the list of those that may time out. */
void life_leave(struct sim *sim, uint32_t index);

/* The balancer has done with the attempt, whatever the node does. */
void life_attempt_over(struct sim *sim, struct node *node,
                       struct request *request, uint32_t index,
                       enum lbp_outcome outcome, enum attempt_error error,
                       int64_t first_token_at_ns);

/* Asks the policy, and sends, holds or ends the request as it says. */
void life_dispatch(struct sim *sim, struct balancer *balancer,
                   struct request *request, uint32_t index);

/* Asks the policy for a node. */
enum lbp_status life_ask(struct sim *sim, struct balancer *balancer,
                         struct request *request, uint32_t index,
                         uint32_t *ret_node);

/* The same with nothing but this node to choose; LBP_NO_NODE: the request may
   not go there. */
WORLD_APART enum lbp_status life_ask_at(struct sim *sim,
                                        struct balancer *balancer,
                                        struct request *request, uint32_t index,
                                        uint32_t node);

/* To the node that the policy has just picked. */
void life_send(struct sim *sim, struct balancer *balancer,
               struct request *request, uint32_t index, uint32_t node_index);

/* An attempt that attempts_sent() held back goes to its node now. */
void life_send_on(struct sim *sim, struct request *request, uint32_t index);

/* Turned away, or nobody there who could serve it. */
WORLD_RARE void life_not_sent(struct sim *sim, struct request *request,
                              uint32_t index, enum lbp_status status);

/* It is at its node, or goes on there after a wait. */
void life_reach_node(struct sim *sim, struct node *node,
                     struct request *request, uint32_t index);

/* --- door.c --- */

/* The policy holds the request: at the end of the row. */
WORLD_RARE void door_hold(struct sim *sim, struct balancer *balancer,
                          struct request *request, uint32_t index);

/* Out of the row. */
void door_leave(struct sim *sim, struct balancer *balancer,
                const struct request *request, uint32_t index);

/* A request that has arrived before goes to the policy, or waits once more. */
void door_dispatch(struct sim *sim, struct request *request, uint32_t index);

/* --- retries.c --- */

/* The attempt has failed and the balancer knows: another one, or the end. */
WORLD_RARE void retries_consider(struct sim *sim, struct request *request,
                                 uint32_t index, enum attempt_error error);

/* The request ends, or goes on, without the retry that it had from a budget. */
WORLD_RARE void retries_give_back(struct sim *sim, struct request *request);

/* --- losses.c --- */

/* An attempt that is given up leaves its node. false: the node goes on with it,
   by balancer.timeout.cancel or because others wait for its work. */
bool losses_leave_node(struct sim *sim, const struct request *request,
                       uint32_t index);

/* Nobody waits for the request any more, wherever it is. */
WORLD_RARE void losses_give_up(struct sim *sim, uint32_t index,
                               enum attempt_error error);

/* The balancer waits no longer for this attempt, which is out. */
WORLD_RARE void losses_attempt_timed_out(struct sim *sim,
                                         struct request *request,
                                         uint32_t index,
                                         enum attempt_error error);

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

/* The node lets go of the attempt, of which its sender hears at once, but for
   the way. */
WORLD_RARE void losses_reset(struct sim *sim, struct request *request,
                             uint32_t index);

/* The attempt came to a node that is down. */
WORLD_RARE void losses_reach_dead_node(struct sim *sim, struct request *request,
                                       uint32_t index);

/* The attempt finds nobody, as its balancer gets to see it. */
WORLD_RARE void losses_out_of_reach(struct sim *sim, struct request *request,
                                    uint32_t index, enum fault_seen_as seen_as);

/* It was inside a node when this fault made it, or its answer, vanish. */
WORLD_RARE void losses_inside(struct sim *sim, struct request *request,
                              uint32_t index, uint32_t fault);

/* A node has an answer, or a refusal, that its balancer does not want, or will
   not get. */
WORLD_RARE void losses_nobody_hears(struct sim *sim, struct request *request,
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
