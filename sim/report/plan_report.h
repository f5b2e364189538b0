/*
 * A plan of capacity as text, JSON (schema lbsim.plan/1) and CSV.
 *
 * Like all reports: the same bytes for the same scenario, seed and version.
 */
#ifndef SIM_REPORT_PLAN_REPORT_H
#define SIM_REPORT_PLAN_REPORT_H

#include "sim/experiment/plan.h"
#include "sim/scenario/scenario.h"

#include <stdbool.h>
#include <stdio.h>

#define PLAN_SCHEMA "lbsim.plan/1"

/* Borrowed for the call. */
struct plan_report {
    const struct scenario *scenario;
    const struct plan_result *result;
};

/* false: no memory. Errors of writing are left to ferror(out). */
bool plan_write_table(const struct plan_report *report, FILE *out);
bool plan_write_json(const struct plan_report *report, FILE *out);

/* plan.csv: a row for each goal in each trial of each mix that was asked, and
   a row without goal for mixes of which nothing was left to simulate. */
void plan_write_csv(const struct plan_report *report, FILE *out);

/* ---- words that the three have in common ---- */

#define PLAN_TEXT_SIZE 400

/* "gpu 6, cpu 2": the groups that vary. */
const char *plan_mix_text(const struct plan_report *report,
                          const uint32_t *counts, char text[PLAN_TEXT_SIZE]);

/* "at_load", "at_headroom", "nodes_lost"; and "met", "missed",
   "cannot_tell", "not_run". */
extern const char *const plan_trial_names[];
extern const char *const plan_answer_names[];

/* "found", "infeasible", "undecided", "untried", "limited", "stopped": how a
   policy's search ended; found only with a mix. */
const char *plan_end_name(const struct plan_policy *policy);

#endif
