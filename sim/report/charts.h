/*
 * Charts of a result folder, drawn by gnuplot.
 *
 * The C side reads the folder's CSV files, decides what a chart can show
 * (ranges, units, what to leave out and why) and writes one small
 * tab-separated file for each; the scripts in plots/ only draw. Names of
 * policies, nodes and scenarios travel in those files and as arguments, never
 * inside a script, so that no name can be taken for gnuplot's language: inside
 * double quotes gnuplot runs backquoted text in a shell.
 *
 * Every picture is drawn under a temporary name by a gnuplot of its own, must
 * leave nothing on standard error, and is renamed when whole. Nothing needs a
 * display. An older picture of a chart that can no longer be drawn is removed,
 * for it would show other results than the folder holds.
 */
#ifndef SIM_REPORT_CHARTS_H
#define SIM_REPORT_CHARTS_H

enum charts_status {
    CHARTS_DRAWN = 0,      /* all that the data allows; skips have a reason */
    CHARTS_BAD_FOLDER = 2, /* not a result folder */
    CHARTS_FAILED = 3,     /* gnuplot or a file failed, or no memory */
    CHARTS_NO_GNUPLOT = 4  /* absent or too old: the results are unharmed */
};

/*
 * Draws FOLDER/charts/NAME.svg and NAME.png for latency_cdf, policies, nodes,
 * heatmap, timeline, in_flight, hits and, where traffic makes balancers leave
 * nodes out, ejected.
 *
 * folder: a result folder as a run writes it (any of policies.csv, nodes.csv,
 * series.csv, latency.csv and summary.json; a missing one skips its charts).
 * plots_folder: where style.gp and the charts' scripts are.
 *
 * *ret_text is what to tell the user in every case: pictures drawn, charts
 * skipped and why, or how to draw later. Lines end in '\n'. Owned by the
 * caller, released with free(); NULL only if memory is out.
 *
 * Returns an enum charts_status. Starts processes and waits for them; not for
 * two threads on one folder.
 */
int charts_draw(const char *folder, const char *plots_folder, char **ret_text);

#endif
