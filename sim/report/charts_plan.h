/*
 * The mixes that a plan asked, as a picture: of one group that varies, the
 * first goal against its count; of two, which mixes are enough.
 */
#ifndef SIM_REPORT_CHARTS_PLAN_H
#define SIM_REPORT_CHARTS_PLAN_H

#include <stdbool.h>

/* Whether the folder is the result of a plan. */
bool charts_is_plan(const char *folder);

/* Draws FOLDER/charts/plan.svg and .png; plots: where plan.gp is. Result and
 *ret_text as of charts_draw (charts.h). */
int charts_draw_plan(const char *folder, const char *plots, char **ret_text);

#endif
