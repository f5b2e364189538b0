/*
 * The result for people: one row a policy, and notes below.
 *
 * ASCII only, and never fitted to a terminal, so that the bytes are the same
 * everywhere. "+-" stands before half a confidence interval.
 */
#ifndef SIM_REPORT_TABLE_H
#define SIM_REPORT_TABLE_H

#include "sim/report/report.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* false: no memory. Errors of writing are left to ferror(out). */
bool table_write(const struct report_input *input, FILE *out);

/* "4.65 +-0.60", or "4.65 [4.2, 5.1]" of one replication. size 160 suffices. */
void table_measure_text(const struct measure_fold *fold, char *text,
                        size_t size);

/* A verdict in words: "better by 38.3 % (-1.78 s +-0.59)". unit: of the
   objective. both_infinite: pairs that are infinite on both sides, at most
   verdict->pairs. size 160 suffices. */
void table_verdict_text(const struct verdict *verdict, enum measure_unit unit,
                        uint32_t both_infinite, char *text, size_t size);

#endif
