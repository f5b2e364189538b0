/*
 * What a check would find as pictures, one a measure: the smallest change by
 * the number of replications, and beside it the chance by the size of the
 * change, a line a policy, from the CSV of 'lbsim check --power'.
 */
#ifndef SIM_REPORT_CHARTS_CHECK_POWER_H
#define SIM_REPORT_CHARTS_CHECK_POWER_H

#include "sim/report/charts_csv.h"

#include <stdbool.h>
#include <stdio.h>

/* Whether that is what the table holds. */
bool charts_is_check_power(const struct charts_csv *table);

/* Draws OUTPUT/MEASURE-check-power.svg and .png of each measure; note: the
   small print; the rest, and the result, as of charts_single_draw(). */
int charts_draw_check_power(const struct charts_csv *table, const char *note,
                            const char *output, const char *plots, FILE *text);

#endif
