/*
 * Names as reports show them. Of nodes: the group's name and the index in the
 * group, "gpu-0", in the order of the scenario.
 */
#ifndef SIM_REPORT_NAMES_H
#define SIM_REPORT_NAMES_H

#include "sim/scenario/scenario.h"

#include <stddef.h>
#include <stdint.h>

#define NAMES_NODE_SIZE 200 /* longer names are cut */

/* node: from 0, below scenario->node_count. */
const struct group_spec *names_group_of(const struct scenario *scenario,
                                        uint32_t node);
/* Writes to text and returns it. */
const char *names_node(const struct scenario *scenario, uint32_t node,
                       char *text, size_t size);
const char *names_kind(const struct group_spec *group);
/* The main workload, 0, or an overlay. */
const char *names_source(const struct scenario *scenario, uint32_t source);

#endif
