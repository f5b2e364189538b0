/*
 * One chart of several result folders: a measure against a setting that the
 * scenarios differ in, a line a policy.
 *
 * The folders are points of one sweep: each was run with another value of the
 * setting, and nothing else that changes results may differ. The value is read
 * from the effective scenario in each folder, the measure with its interval
 * from policies.csv.
 */
#ifndef SIM_REPORT_CHARTS_AGAINST_H
#define SIM_REPORT_CHARTS_AGAINST_H

#include <stddef.h>

struct charts_against {
    const char *setting;        /* "balancer.report_interval" */
    const char *measure;        /* its name; NULL: the objective */
    const char *const *folders; /* [folder_count] */
    size_t folder_count;
    const char *output; /* folder for the pictures, made if need be */
    const char *plots;  /* where against.gp is */
};

/*
 * Writes OUTPUT/MEASURE-by-SETTING.svg and .png. Numbers have an axis of
 * numbers, with a log scale when they span more than two decades; words, and a
 * zero among numbers of more than two decades, are places side by side.
 *
 * *ret_text as for charts_draw (charts.h), and so is the result:
 * CHARTS_BAD_FOLDER when the folders are no sweep of that setting.
 */
int charts_draw_against(const struct charts_against *setup, char **ret_text);

#endif
