/*
 * Reports that are late by more at some times than at others: each node has a
 * row of its own, in which none overtakes another, as on a connection. Only
 * where faults hold reports up; all others take the delay line of reports.h.
 */
#ifndef SIM_EXPERIMENT_HELD_REPORTS_H
#define SIM_EXPERIMENT_HELD_REPORTS_H

#include "sim/experiment/world.h"

/* Room for `depth` reports of each node on their way. NULL: no memory. */
struct held_reports *held_reports_create(struct sim *sim, uint32_t depth);

/* It arrives at at_ns, or when the one before it does, if that is later. */
void held_reports_send(struct sim *sim, struct held_reports *held,
                       uint32_t node, const struct lbp_node *word,
                       int64_t at_ns);

/* The node's oldest arrives; it stays valid until the next is sent. */
const struct lbp_node *
held_reports_take(struct sim *sim, struct held_reports *held, uint32_t node);

#endif
