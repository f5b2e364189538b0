/*
 * What a check would find, for people and for machines: the curves of
 * baseline_power.h as a table, Markdown, JSON (schema lbsim.check_power/1) or
 * CSV, which 'lbsim plot --power' draws.
 */
#ifndef SIM_REPORT_CHECK_POWER_H
#define SIM_REPORT_CHECK_POWER_H

#include "sim/experiment/baseline_power.h"
#include "sim/report/check_report.h"

#define CHECK_POWER_SCHEMA "lbsim.check_power/1"

struct check_power_report {
    const struct scenario *scenario;
    const struct baseline *baseline;
    const struct baseline_power *power;
};

/* Whether there is such a form of it. */
bool check_power_has(enum check_format format);

/* A format that there is. false: no memory. Errors of writing are left to
   ferror(out). */
bool check_power_write(enum check_format format,
                       const struct check_power_report *report, FILE *out);

#endif
