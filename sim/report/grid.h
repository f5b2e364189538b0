/*
 * Printing a table of libsmartcols, the same whatever the output is.
 */
#ifndef SIM_REPORT_GRID_H
#define SIM_REPORT_GRID_H

#include <libsmartcols.h>
#include <stdbool.h>
#include <stdio.h>

/* No colours, no width of a terminal, no blanks at the ends of lines. false:
   no memory. */
bool grid_write(struct libscols_table *table, FILE *out);

#endif
