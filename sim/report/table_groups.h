/*
 * Below the main table, for pools of several groups: what each group got and
 * how busy that kept it, a line for each policy.
 */
#ifndef SIM_REPORT_TABLE_GROUPS_H
#define SIM_REPORT_TABLE_GROUPS_H

#include "sim/report/report.h"

#include <stdbool.h>
#include <stdio.h>

/* Nothing for one group. More than a few do not fit into a line: then one line
   that says where they are. false: no memory. */
bool table_write_groups(const struct report_input *input, FILE *out);

#endif
