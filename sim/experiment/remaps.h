/*
 * Which keys change their node when nodes come and go.
 *
 * A balancer of its own, never asked for a request of the run, is told of every
 * change; before and after each instant at which nodes changed it is asked for
 * the same thousand keys, all nodes idle. The share whose node is another one
 * is what a perfect cache on every node would have to learn anew. Policies that
 * do not go by keys answer differently when asked twice, or always the same
 * node: of them nothing is measured. Private to the files of a simulation.
 */
#ifndef SIM_EXPERIMENT_REMAPS_H
#define SIM_EXPERIMENT_REMAPS_H

#include "sim/experiment/world.h"

/* Makes sim->remaps where requests have keys and nodes come and go; nodes have
   been described. false: no memory, and remaps_unmake is to be called. */
bool remaps_make(struct sim *sim);
void remaps_unmake(struct sim *sim);

/* A node joins, as balancer_member() has it, or leaves. */
void remaps_member(struct sim *sim, uint32_t node, const struct lbp_node *as);

/* The changes of this instant are over. */
void remaps_measure(struct sim *sim);

void remaps_finish(const struct sim *sim, struct run_result *ret);

#endif
