/*
 * What is in flight since a report, when reports are late.
 *
 * A report that is true at time t and arrives at t + delay says nothing of what
 * was sent in between. So each report leaves a mark when it is made, and counts
 * go to the last mark before them; once the report arrives, all from its mark
 * on is what it could not know. A report that is lost hands its count to the
 * mark before. At the instant of a report both orders happen: what was sent
before it was made is the mark's before, what was sent behind it is its own.
 *
 * Only for scenarios with a delay: without one, one count a node will do.
 */
#ifndef SIM_FRONTDOOR_LATE_COUNTS_H
#define SIM_FRONTDOOR_LATE_COUNTS_H

#include "sim/core/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct late_mark {
    int64_t made_at_ns; /* INT64_MIN: before all reports */
    uint32_t in_flight; /* sent since, and before the next mark */
};

struct late_counts {
    struct late_mark *marks;  /* [node_count * depth] a ring for each node, from
                                 the report that arrived last to the newest */
    uint32_t *heads, *counts; /* [node_count] */
    uint32_t depth;
};

/*
 * Room for node_count nodes with so many reports of each on their way at once,
 * out of arena. NULL: no memory.
 */
struct late_counts *late_counts_create(struct arena *arena, uint32_t node_count,
                                       uint32_t on_their_way);

/* A report is made, and on its way. */
void late_counts_made(struct late_counts *late, uint32_t node, int64_t now_ns);

/* The oldest report on its way arrives; yields what is in flight since it. */
uint32_t late_counts_arrived(struct late_counts *late, uint32_t node);

/* The oldest report on its way is lost. */
void late_counts_lost(struct late_counts *late, uint32_t node);

void late_counts_sent(struct late_counts *late, uint32_t node);

/* Whether a report was made at that instant, already: what is sent now is sent
   behind it. */
bool late_counts_made_at(const struct late_counts *late, uint32_t node,
                         int64_t now_ns);

/* An attempt sent at that time is over; after_report is what
   late_counts_made_at said then. false: the last report to arrive knew of
   it. */
bool late_counts_over(struct late_counts *late, uint32_t node,
                      int64_t sent_at_ns, bool after_report);

#endif
