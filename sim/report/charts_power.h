/*
 * The power curve as a picture: the smallest difference that so many
 * replications find, a line a comparison, from the CSV of 'lbsim compare
 * --power'; or, from that of 'lbsim check --power', charts_check_power.h.
 */
#ifndef SIM_REPORT_CHARTS_POWER_H
#define SIM_REPORT_CHARTS_POWER_H

/*
 * Draws OUTPUT/MEASURE-power.svg and .png from the file; plots: where power.gp
 * is. *ret_text as for charts_draw (charts.h), and so is the result:
 * CHARTS_BAD_FOLDER when the file is no such CSV.
 */
int charts_draw_power(const char *file, const char *output, const char *plots,
                      char **ret_text);

#endif
