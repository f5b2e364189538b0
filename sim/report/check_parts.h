/*
 * The writers behind check_report_write(), one a format. Each writes the whole
 * report; false: no memory.
 */
#ifndef SIM_REPORT_CHECK_PARTS_H
#define SIM_REPORT_CHECK_PARTS_H

#include "sim/report/check_report.h"

bool check_write_table(const struct check_report *report, FILE *out);
bool check_write_json(const struct check_report *report, FILE *out);
bool check_write_csv(const struct check_report *report, FILE *out);
bool check_write_markdown(const struct check_report *report, FILE *out);
bool check_write_junit(const struct check_report *report, FILE *out);
bool check_write_github(const struct check_report *report, FILE *out);
bool check_write_gitlab(const struct check_report *report, FILE *out);
bool check_write_azure(const struct check_report *report, FILE *out);
bool check_write_lines(const struct check_report *report, FILE *out);

#endif
