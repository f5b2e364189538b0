/*
 * summary.json, which is also what --format json prints: schema
 * lbsim.result/1.
 *
 * Measures without a value are null beside a "reason"; so are the ends of
 * intervals that do not exist. Numbers have nine significant digits.
 */
#ifndef SIM_REPORT_JSON_H
#define SIM_REPORT_JSON_H

#include "sim/report/report.h"

#include <stdbool.h>
#include <stdio.h>

#define JSON_RESULT_SCHEMA "lbsim.result/1"

/* false: no memory. Errors of writing are left to ferror(out). */
bool json_write_result(const struct report_input *input, FILE *out);

/* speed.json: what the machine did. Never for standard output. */
bool json_write_speed(const struct report_input *input, FILE *out);

#endif
