/*
 * Nodes as a balancer sees them before any report: what the scenario says of
 * each, under the name that hash policies place.
 *
 * Simulations start from it, and so does whoever asks a policy something
 * before any traffic (sim/frontdoor/rehearsal.h).
 */
#ifndef SIM_SCENARIO_DESCRIBE_H
#define SIM_SCENARIO_DESCRIBE_H

#include "policies/lbp.h"
#include "sim/scenario/scenario.h"

#include <stdbool.h>
#include <stdint.h>

#define DESCRIBE_NAME_SIZE 96 /* "<group>-<index>~<8 hex>" */

/*
 * Names decide where a node stands on a hash ring, and one ring is one draw of
 * luck: so they change with the replication (from 1), unless the scenario
 * fixes or lists them.
 *
 * ret: [node_count]. texts: [node_count * DESCRIBE_NAME_SIZE], behind the
 * nodes' keys and to be kept as long as they.
 */
void describe_nodes(const struct scenario *scenario, uint32_t replication,
                    struct lbp_node *ret, char *texts);

/* Whether requests have keys; those of a trace that is not open may. */
bool scenario_has_keys(const struct scenario *scenario);

/* The strictest latency goal is what a good answer has to meet, in s; INFINITY:
   there is none. */
double scenario_goodput_bound_s(const struct scenario *scenario);

/* Whether nodes come and go: a group has an autoscaler, or is rolled out. */
bool scenario_nodes_change(const struct scenario *scenario);

#endif
