/*
 * How full a pool of nodes is, as one number: 1 is full.
 *
 * By reports, as llm-d's endpoint picker has it: a node is as full as the
 * fuller of its queue and its memory of keys and values, each against a
 * threshold (5 requests, 80 %); what a node does not report does not count; a
 * node whose last word is older than 200 ms counts as full. The pool is the
 * mean of its nodes, and an empty pool is full.
 *
 * By requests in flight, as llm-d's other detector has it: their sum over what
 * fills all nodes.
 */
#ifndef SIM_FRONTDOOR_SATURATION_H
#define SIM_FRONTDOOR_SATURATION_H

#include "sim/frontdoor/admission_spec.h"

/* What a balancer believes of one node. */
struct saturation_node {
    int64_t queue_depth;    /* negative: not reported */
    double kv_use;          /* likewise */
    int64_t reported_at_ns; /* INT64_MIN: never */
};

/* How full one node is by its reports. */
double saturation_of_node(const struct saturation_spec *spec,
                          const struct saturation_node *node, int64_t now_ns);

/* Of sums over the nodes: how full they are and how many, or what is in flight
   and what fills them. full 0: there are no nodes. */
double saturation_of_pool(double sum, double full);

#endif
