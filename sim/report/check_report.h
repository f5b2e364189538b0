/*
 * What a check against a baseline found, for people and for machines.
 *
 * Every format says all of it: each regression with old, new, change, interval
 * and what was allowed, and why what is inconclusive is so. A check that could
 * not be finished has a report too: CI shows it where it would show a result.
 */
#ifndef SIM_REPORT_CHECK_REPORT_H
#define SIM_REPORT_CHECK_REPORT_H

#include "sim/experiment/baseline_check.h"
#include "sim/scenario/scenario.h"

#include <stdbool.h>
#include <stdio.h>

#define CHECK_SCHEMA "lbsim.check/1"

enum check_format {
    CHECK_FORMAT_TABLE,
    CHECK_FORMAT_JSON,
    CHECK_FORMAT_CSV,
    CHECK_FORMAT_MARKDOWN, /* for a pull request */
    CHECK_FORMAT_JUNIT,    /* XML that most CI systems read */
    CHECK_FORMAT_GITHUB,   /* workflow commands, which become annotations */
    CHECK_FORMAT_GITLAB,   /* a Code Quality report */
    CHECK_FORMAT_AZURE,    /* logging commands of Azure Pipelines */
    CHECK_FORMAT_LINES,    /* file:line: error: ..., as compilers do */
    CHECK_FORMAT_COUNT
};

/* Ends with NULL. */
extern const char *const check_format_names[CHECK_FORMAT_COUNT + 1];

struct check_report {
    const struct scenario *scenario;
    const struct baseline *then;      /* what is compared with */
    const struct baseline *now;       /* NULL: nothing came of it */
    const struct check_result *check; /* empty when error says why */
    const char *error; /* why the check was not finished, or NULL */
    bool strict;       /* what is inconclusive fails too */
};

/* false: no memory. Errors of writing are left to ferror(out). */
bool check_report_write(enum check_format format,
                        const struct check_report *report, FILE *out);

#endif
