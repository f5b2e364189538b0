/*
 * The cliff of memory: what becomes of a request that a node has no room for.
 *
 * Memory is what the group's `memory` says: a base, so much of each request in
 * service, and what has leaked. As long as the next request fits, nothing
 * changes. Beyond that a node serves all the same (as long as nothing is said),
 * refuses what comes (as servers that count what they hold), or serves what
 * begins there so many times slower to its end (as engines that swap, or throw
 * away and compute anew). A slow request holds its room for longer, so more of
 * the next ones find none: a little less memory can turn a few slow requests
 * into a pool that never keeps up.
 */
#ifndef SIM_CLUSTER_NODE_MEMORY_H
#define SIM_CLUSTER_NODE_MEMORY_H

#include "sim/cluster/node.h"

/* Whether the node refuses a request that comes now. It does not where it would
   wait for the place of another, whose memory it takes over. */
bool node_memory_refuses(struct node *node, const struct request *request);

/* How many times as long a request takes that goes into service now, and counts
   as running already: 1 where it fits. */
double node_memory_stretch(struct node *node, const struct request *request);

#endif
