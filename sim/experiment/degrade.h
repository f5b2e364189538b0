/*
 * Tiered degradation in a run: see sim/frontdoor/degradation.h for its rules.
 *
 * A request that its balancer would end without an answer comes here first
 * (degrade_take), and so does one whose time is up (an alarm). It goes on at
 * the light model's nodes, marked REQUEST_LESSER, or is answered from a cache
 * of old answers at the door; what is then left is a canned failure, which ends
 * as the request would have without any of this.
 *
 * The old answers are those that primaries have given, whatever their age, one
 * cache for all balancers. Answers of the light model are not kept.
 *
 * When the light model's answer is expected is worked out by its costs, for
 * this prompt and answer without noise on the fastest of its nodes, unless the
 * scenario says it.
 */
#ifndef SIM_EXPERIMENT_DEGRADE_H
#define SIM_EXPERIMENT_DEGRADE_H

#include "sim/experiment/world.h"

bool degrade_make(struct sim *sim); /* false: no memory */
void degrade_unmake(struct sim *sim);
void degrade_finish(const struct sim *sim, struct run_result *ret);

/* A request arrived: its time begins, or it is to skip the primary. */
void degrade_arrived(struct sim *sim, struct request *request, uint32_t index);

/* It would end so, and is in no row and at no node. true: it goes on instead,
   and must not be touched. */
bool degrade_take(struct sim *sim, struct request *request, uint32_t index,
                  enum ending ending);

/* It is about to be ended because its client has left: it is not degraded. */
void degrade_client_left(struct sim *sim, const struct request *request);

/* attempts_sent() and attempts_over(). */
void degrade_sent(struct sim *sim, const struct request *request,
                  uint32_t index);
void degrade_over(struct sim *sim, const struct request *request,
                  uint32_t index, enum lbp_outcome outcome);

/* ALARM_DEGRADE: the time of a level is up, epoch is the request's number.
   ALARM_OLD_ANSWER: the cache's answer is there. */
void degrade_alarm(struct sim *sim, const struct alarm *alarm);

#endif
