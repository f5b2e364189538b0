/*
 * What `baseline` and `check` share: where the baseline stands, tolerances, the
 * scenario with the replications of a check, and the baseline as a file.
 */
#ifndef SIM_CLI_BASELINE_OPTIONS_H
#define SIM_CLI_BASELINE_OPTIONS_H

#include "sim/cli/frame.h"
#include "sim/experiment/baseline.h"
#include "sim/experiment/outcome.h"
#include "sim/scenario/scenario.h"

#include <argp.h>
#include <stdbool.h>

struct baseline_options {
    struct frame frame; /* its formats are check's own */
    const char *given;  /* --baseline, or NULL */
    char *path;         /* of the baseline; set when all is parsed */
};

/* To be a child of a command's parser, with the parsers of scenario and
   experiment below it; its input is a baseline_options. */
extern const struct argp baseline_options_argp;

/* As frame_run() does, hands work the scenario as check.replications has it,
   looked over by lint. Releases options; returns the exit status. */
int baseline_options_run(struct baseline_options *options,
                         int (*work)(void *context, struct scenario *scenario),
                         void *context);

/* Why what is left of an experiment is no basis for a baseline or a check, to
   text; false: it is whole. */
bool baseline_is_partial(const struct experiment_result *result, char *text,
                         size_t size);

/* Puts the text in the place of the baseline, whole. What stands there and is
   no baseline is not touched. Complains; returns the exit status. */
int baseline_store(const char *path, const char *text);

/* Whether baseline_store() may write there, before any run: EXIT_DONE, or
   complains. */
int baseline_may_store(const char *path);

#endif
