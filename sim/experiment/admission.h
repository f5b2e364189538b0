/*
 * Who may come in, and who has to wait: admission and queues at the front door.
 *
 * Every request that arrives is asked for in this order: is everybody turned
 * away (fail fast), has its bucket a token, is the pool too full for its kind,
 * can it still be answered in time. Then it goes to the policy, unless a limit
 * says that it has to wait (requests in flight, a saturated pool, connections)
 * or others of its flow wait already; and it is held as well when the nodes
 * that it may go to are all at their caps, or away. Without a queue, or with a
 * full one, it is refused instead.
 *
 * The mechanisms themselves are pure modules in sim/frontdoor/; here they meet
 * the run. Each balancer has its own. Off, `sim->admission` is NULL and nothing
 * is asked.
 *
 *   admission.c        who is turned away, on the way in
 *   admission_door.c   who waits, and who goes when
 *   admission_nodes.c  caps of nodes, and queues for one node
 *   admission_books.c  what is counted and measured
 *   admission_make.c   how it is made
 */
#ifndef SIM_EXPERIMENT_ADMISSION_H
#define SIM_EXPERIMENT_ADMISSION_H

#include "sim/experiment/world.h"

/* Whether the scenario needs any of it; then requests have the column
   request_door, which is to be made before the first request is taken. */
bool admission_is_needed(const struct scenario *scenario);

/* Makes sim->admission, which stays NULL when it is not needed. Nodes and
   balancers must be there. false: no memory. */
bool admission_make(struct sim *sim);
void admission_unmake(struct sim *sim);
void admission_start(struct sim *sim);

/* Its measures, and what buckets of time show of it. */
void admission_finish(const struct sim *sim, struct run_result *ret);

/* --- a request's way, all only with sim->admission ----------------------- */

/* A request arrives: who sends it, and what it is expected to cost. */
WORLD_APART void admission_fill(struct sim *sim, const struct request *request,
                                uint32_t index,
                                const struct workload_origin *origin);

/* It is measured or not by now: turned away, or on its way to the policy. */
WORLD_APART void admission_arrival(struct sim *sim, struct request *request,
                                   uint32_t index);

/* To the policy, or to the queue, or away. */
WORLD_APART void admission_dispatch(struct sim *sim, struct request *request,
                                    uint32_t index);

/* The policy had no node for it: whether it is held until there is one. */
WORLD_RARE bool admission_keeps(struct sim *sim, struct request *request,
                                uint32_t index);

/* It begins to wait, whatever the size of the queue; it leaves the queue. */
void admission_hold(struct sim *sim, struct request *request, uint32_t index);
void admission_let_go(struct sim *sim, const struct request *request,
                      uint32_t index);

/* Requests that wait at all doors together. */
uint32_t admission_waiting(const struct sim *sim);

/* Something has happened: whoever may go now, goes. */
void admission_serve(struct sim *sim, struct balancer *balancer);

/* attempts_sent() and attempts_over(). */
bool admission_sent(struct sim *sim, struct balancer *balancer,
                    struct request *request, uint32_t index);
void admission_over(struct sim *sim, struct request *request, uint32_t index,
                    enum lbp_outcome outcome, int64_t first_token_at_ns);

/* A request that waits is about to be given up, as it has waited too long. */
void admission_count_expired(struct sim *sim, const struct request *request);

/* Whether the attempt waits at the door for its node, which has nothing of
   it yet. */
bool admission_waits_for_node(const struct sim *sim, uint32_t index);

/* The request is over, however it ended. */
WORLD_APART void admission_ended(struct sim *sim, const struct request *request,
                                 uint32_t index);

/* --- alarms --------------------------------------------------------------- */

void admission_close_window(struct sim *sim, uint32_t balancer);
void admission_sweep(struct sim *sim, uint32_t balancer);
void admission_fail_fast(struct sim *sim, uint32_t balancer);

/* The node may have so many requests in flight from now on, 0: any number; at
   all balancers, whichever of them was told. Only with caps. true: it was
   another number before. */
bool admission_set_cap(struct sim *sim, uint32_t node, uint32_t cap);

#endif
