/*
 * One run of gnuplot: a script, its arguments, a picture or a complaint.
 *
 * gnuplot is started directly, without a shell, with no start-up file of the
 * user, no display and the C locale. A run counts only if the exit status is 0
 * and nothing was said on standard error, because gnuplot's warnings (empty
 * range, missing font) come with status 0.
 */
#ifndef SIM_REPORT_CHARTS_GNUPLOT_H
#define SIM_REPORT_CHARTS_GNUPLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CHARTS_GNUPLOT_MAJOR = 5, /* the oldest that the scripts are tried with */
    CHARTS_GNUPLOT_MINOR = 4
};

enum charts_gnuplot_found {
    GNUPLOT_READY,
    GNUPLOT_ABSENT,
    GNUPLOT_OLD,
    GNUPLOT_UNKNOWN /* there was no memory to ask it */
};

/*
 * Asks gnuplot for its version. log: a file to hold what it says; overwritten.
 * ret_version, size bytes: "5.4", for GNUPLOT_OLD only.
 */
enum charts_gnuplot_found charts_gnuplot_find(const char *log,
                                              char *ret_version, size_t size);

/*
 * Runs script with args (NULL at the end) and waits. False when it failed;
 * reterr_text, size bytes, then holds gnuplot's words about it.
 * Paths should be absolute: gnuplot takes a leading '<' or '|' for a command.
 */
bool charts_gnuplot_run(const char *script, const char *const *args,
                        const char *log, char *reterr_text, size_t size);

/* Whether any installed font can write a letter; asks fontconfig's fc-list. */
bool charts_font_has(uint32_t letter, const char *log);

#endif
