/*
 * Deadlines that are kept: a request ends at that of its class, or at the total
 * time-out, whichever is first; and one that cannot be answered in time is
 * dropped before that, at the front door or when its turn comes in a node's
 * queue. The rule is frontdoor/deadline.h. Off unless balancer.deadline is
 * given. Private to the files of a simulation.
 *
 * What is predicted is the least: the time to the first token on the fastest
 * node without luck, or at_least. How long an answer will be nobody knows.
 */
#ifndef SIM_EXPERIMENT_DEADLINES_H
#define SIM_EXPERIMENT_DEADLINES_H

#include "sim/experiment/world.h"

bool deadlines_make(struct sim *sim); /* false: no memory */
void deadlines_unmake(struct sim *sim);

/* The request arrives: its deadline runs. */
WORLD_APART void deadlines_arrived(struct sim *sim,
                                   const struct request *request,
                                   uint32_t index);

/* The request goes on in another slot. */
void deadlines_moved(struct sim *sim, uint32_t to);

/* Before a dispatch: whether the request is hopeless. */
bool deadlines_is_hopeless(const struct sim *sim,
                           const struct request *request);

/* The same; then it has been ended. */
WORLD_APART bool deadlines_drop(struct sim *sim, struct request *request,
                                uint32_t index);

/* Word has come that a node dropped the request. */
WORLD_RARE void deadlines_expired(struct sim *sim, struct request *request,
                                  uint32_t index);

/* The event of a class's line, and of an alarm. */
WORLD_RARE void deadlines_line(struct sim *sim, uint32_t request_class);
WORLD_RARE void deadlines_alarm(struct sim *sim, const struct alarm *alarm);

/* A node had none for a word; it has asked for attention then. */
bool deadlines_lack_memory(const struct sim *sim);

struct delay_line *deadlines_word_of_nodes(const struct sim *sim);

void deadlines_finish(const struct sim *sim, struct run_result *ret);

#endif
