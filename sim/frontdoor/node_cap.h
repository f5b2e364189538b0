/*
 * How many requests a balancer has at one node at most: HAProxy's dynamic
 * limit out of maxconn, minconn and fullconn (srv_dynamic_maxconn of its
 * src/queue.c, by the same whole-number arithmetic).
 *
 * With little going on a node gets no more than `min`, so that requests wait
 * where they can still go elsewhere; the more the whole balancer has to do,
 * the more each node is given, and `max` from `full` requests on. A node that
 * warms up gets its share of that.
 */
#ifndef SIM_FRONTDOOR_NODE_CAP_H
#define SIM_FRONTDOOR_NODE_CAP_H

#include <stdint.h>

/* The part of a cap that a node in slow start may use, in whole percent, such
   as HAProxy keeps; 100: all. */
#define NODE_CAP_WARM 100

/*
 * max: 1 or more; min: 0 or max is always max; full: 1 or more; busy: requests
 * that the balancer has, in flight or waiting. At least 1.
 */
uint32_t node_cap(uint32_t max, uint32_t min, uint32_t full, uint64_t busy,
                  uint32_t warm_percent);

#endif
