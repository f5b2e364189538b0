/*
 * What stands below the tables of a plan, line by line. Not for others.
 */
#ifndef SIM_REPORT_PLAN_LINES_H
#define SIM_REPORT_PLAN_LINES_H

#include "sim/report/plan_report.h"

/* "1.53 s +-0.08", "infinite", "-". */
const char *plan_value_text(enum measure_id measure,
                            const struct plan_goal *goal,
                            char text[PLAN_TEXT_SIZE]);

/* "latency_all_p99_s at most 2 s". */
const char *plan_bound_text(const struct goal_spec *goal,
                            char text[PLAN_TEXT_SIZE]);

/* Below an empty line. */
void plan_write_lines(const struct plan_report *report, FILE *out);

#endif
