/*
 * Deployments: from a moment on every node of a group is drained and started
 * anew, so many at a time, in order of the group. Nodes that came later run the
 * new version already. Private to the files of a simulation.
 */
#ifndef SIM_EXPERIMENT_ROLLOUTS_H
#define SIM_EXPERIMENT_ROLLOUTS_H

#include "sim/experiment/world.h"

void rollouts_start(struct sim *sim);

/* A place for another node to be away is free; the beginning frees all. */
void rollouts_next(struct sim *sim, uint32_t group);

/* A node that was away goes for good. */
void rollouts_place_free(struct sim *sim, uint32_t node);

/* The node is ready: perhaps one that was started anew. */
void rollouts_node_ready(struct sim *sim, uint32_t node);

#endif
