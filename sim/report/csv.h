/*
 * The tables of a result folder as CSV (RFC 4180, with a header row).
 *
 * Each begins with comment lines ("# scenario: ...") that say where it comes
 * from. Columns name their units. A value that does not exist is an empty
 * field; policies.csv says why in its last column.
 */
#ifndef SIM_REPORT_CSV_H
#define SIM_REPORT_CSV_H

#include "sim/report/report.h"

#include <stdio.h>

/* Errors of writing are left to ferror(out). */
void csv_write_policies(const struct report_input *input, FILE *out);

/* Measures of each policy in each replication, from which results of several
   runs are compared. Empty: no value, or infinite; the last column names
   those that are infinite. The head says how to judge. */
void csv_write_values(const struct report_input *input, FILE *out);
void csv_write_nodes(const struct report_input *input, FILE *out);

/* Policies times the cards of nodes that have several. */
void csv_write_cards(const struct report_input *input, FILE *out);

/* Policies times classes; a header alone when there are no classes. */
void csv_write_classes(const struct report_input *input, FILE *out);
/* The same of the main workload and its overlays. */
void csv_write_sources(const struct report_input *input, FILE *out);

/* What struck when, in each replication under each policy; end_s is empty where
   it lasted to the end of the run, node where the shared tier was struck. */
void csv_write_faults(const struct report_input *input, FILE *out);

/* Totals of each group of nodes. */
void csv_write_groups(const struct report_input *input, FILE *out);

/* Time buckets (csv_series.c): totals in rows of node "all", and one row a
 * node. */
void csv_write_series(const struct report_input *input, FILE *out);

/* The same of each class; a header alone when there are no classes. */
void csv_write_class_series(const struct report_input *input, FILE *out);

/* The distribution of latency at fixed quantiles. */
void csv_write_latency(const struct report_input *input, FILE *out);

#endif
