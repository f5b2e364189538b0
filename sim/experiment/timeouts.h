/*
 * Attempts that run out of time: no first token, no further token, no whole
 * answer, or too long in a queue; and clients that lose patience in one.
 *
 * An attempt out of time is cancelled, or its node goes on with it for nobody,
 * and the request may be tried again, as after any failure. What waits at the
 * front door has no attempt: there it is the request that ends. At one instant
 * work is done first, so whoever comes into service just then stays. Off unless
 * a limit or patience is set. Private to the files of a simulation.
 */
#ifndef SIM_EXPERIMENT_TIMEOUTS_H
#define SIM_EXPERIMENT_TIMEOUTS_H

#include "sim/experiment/world.h"

bool timeouts_make(struct sim *sim); /* false: no memory */
void timeouts_unmake(struct sim *sim);

/* The attempt leaves for its node. */
void timeouts_sent(struct sim *sim, struct request *request, uint32_t index);

/* The request is held at the front door. */
WORLD_RARE void timeouts_held(struct sim *sim, struct request *request,
                              uint32_t index);

/* The attempt is lost in a dead node, which may never say so: its epoch has
   moved on, its time runs on. */
WORLD_RARE void timeouts_go_on(struct sim *sim, struct request *request,
                               uint32_t index);

/* The event of a line, and of an alarm. */
WORLD_RARE void timeouts_line(struct sim *sim, uint32_t line);
WORLD_RARE void timeouts_alarm(struct sim *sim, const struct alarm *alarm);

/*
 * How many tokens of the attempt's answer have left its node by now, or had
 * when that died. 0: none, or the answer comes in one piece.
 */
uint32_t timeouts_tokens(const struct sim *sim, const struct request *request,
                         uint32_t index);

void timeouts_finish(const struct sim *sim, struct run_result *ret);

#endif
