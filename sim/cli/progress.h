/*
 * How far an experiment is, on standard error: a bar on a terminal, a plain
 * line every half a minute elsewhere.
 */
#ifndef SIM_CLI_PROGRESS_H
#define SIM_CLI_PROGRESS_H

#include "sim/experiment/experiment.h"

#include <stdbool.h>

struct progress {
    bool quiet, on_terminal;
    bool bar_shown;
    double told_at_s; /* of the last plain line */
};

void progress_init(struct progress *progress, bool quiet);

/* An experiment_setup.on_progress; context is a struct progress. */
void progress_show(void *context, const struct experiment_progress *now);

/* Removes the bar. */
void progress_clear(struct progress *progress);

/* Writes the bar's text of exactly columns characters or fewer, without a new
   line: "[=====>    ]  52 %  12 of 20 runs, 31 s left". size suffices with
   columns + 1. */
void progress_bar_text(const struct experiment_progress *now, unsigned columns,
                       char *text, size_t size);

#endif
