/*
 * What a sweep found, as table, CSV and JSON: a row a point with every policy's
 * objective, or where the ranking of two policies flips at each point.
 */
#ifndef SIM_REPORT_SWEEP_REPORT_H
#define SIM_REPORT_SWEEP_REPORT_H

#include "sim/experiment/sweep.h"

#include <stdbool.h>
#include <stdio.h>

#define SWEEP_SCHEMA "lbsim.sweep/1"

struct sweep_report {
    const struct scenario *base;
    const struct sweep_result *result;
    uint32_t measures_asked; /* of result->measures, behind the first: those
                                that the table shows too */
};

/* false: no memory, in all of these. Errors of writing are left to ferror. */
bool sweep_table_write(const struct sweep_report *report, FILE *out);
bool sweep_json_write(const struct sweep_report *report, FILE *out);

/* sweep.csv: a row a point, policy and measure. */
void sweep_csv_write(const struct sweep_report *report, FILE *out);

/* crossovers.csv: a row a point. */
void sweep_csv_write_crossovers(const struct sweep_report *report, FILE *out);

/* probes.csv: a row a value that a search looked at. */
void sweep_csv_write_probes(const struct sweep_report *report, FILE *out);

/* What one search found, in words: "round_robin below, ring_hash above". */
void sweep_finding_text(const struct sweep_report *report,
                        const struct crossover_result *found, char *text,
                        size_t size);

/* A value of the crossover's path, to four digits: "12.3/s". */
void sweep_value_text(const struct sweep_report *report, double value,
                      char *text, size_t size);

#endif
