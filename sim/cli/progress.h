/*
 * How far a command is, on standard error: a bar on a terminal, a plain line
 * every half a minute elsewhere.
 *
 * A command may run several experiments, such as the points of a sweep. Then
 * the bar is that of all of them, and those to come are reckoned like those
 * that were.
 */
#ifndef SIM_CLI_PROGRESS_H
#define SIM_CLI_PROGRESS_H

#include "sim/experiment/experiment.h"

#include <stdbool.h>

/* What one line says. */
struct progress_line {
    double share; /* of everything, 0 to 1 */
    uint64_t jobs_done, jobs;
    bool of_points;         /* jobs are points and not runs */
    uint64_t point, points; /* from 1; points 0 or 1: a single experiment */
    double left_s;          /* negative: too early to say */
};

struct progress {
    bool quiet, on_terminal;
    bool bar_shown;
    double told_at_s; /* of the last plain line, on the clock of the command */

    uint64_t points, points_done;
    double before_s;   /* that the experiments before took */
    double points_run; /* as many experiments were simulated; what was
                          known without counts for nothing */
    struct experiment_progress last; /* of the experiment under way */
};

void progress_init(struct progress *progress, bool quiet);

/* How many experiments the command will run, if it knows; may be told again
   when it knows better. */
void progress_expect_points(struct progress *progress, uint64_t points);

/* An experiment_setup.on_progress; context is a struct progress. */
void progress_show(void *context, const struct experiment_progress *now);

/* The experiment has ended; another may follow. */
void progress_point_done(struct progress *progress);

/* What is to be said with the experiment under way at now. */
struct progress_line progress_line_of(const struct progress *progress,
                                      const struct experiment_progress *now);

/* Removes the bar. */
void progress_clear(struct progress *progress);

/* Writes the bar's text of exactly columns characters or fewer, without a new
   line: "[=====>    ]  52 %  12 of 20 runs, 31 s left". size suffices with
   columns + 1. */
void progress_bar_text(const struct progress_line *line, unsigned columns,
                       char *text, size_t size);

/* "31 s", "1 min 20 s", "12 min", "2 h 5 min", "3 d 4 h"; never less than 1 s.
   Pieces of a second count as a whole one. */
void progress_duration_text(double seconds, char *text, size_t size);

#endif
