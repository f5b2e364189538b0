/*
 * The way of reports from the nodes to the balancers: at once, late, or never.
 *
 * A report that is late carries what was true when it was made, and the
 * balancer is told that time. Each balancer may lose it on its own, by its own
 * chance. Private to the files of world.h.
 */
#ifndef SIM_EXPERIMENT_REPORTS_H
#define SIM_EXPERIMENT_REPORTS_H

#include "policies/lbp.h"

#include <stdbool.h>
#include <stdint.h>

struct scenario;
struct sim;

/* How many reports of one node are on their way at once, at most; 0: they
   arrive when they are made. */
uint32_t reports_on_their_way(const struct scenario *scenario);

/* Room for them. false: no memory. */
bool reports_start(struct sim *sim);

/* The word of a node, true now, is sent to all balancers. */
void reports_send(struct sim *sim, uint32_t node, const struct lbp_node *word);

/* The event of the oldest one on its way came: of the line, or, where faults
   hold reports up, of a node. */
void reports_arrive(struct sim *sim, uint32_t subject);

#endif
