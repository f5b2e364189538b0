/*
 * The frame of commands that simulate a scenario: the options that all of them
 * take, from the command line to the scenario, around the session, and the
 * printed report. A command says what is its own:
 *
 *     struct my_options {
 *         struct frame frame;
 *         bool strict;
 *     };
 *     ... its parser hands what it does not know to frame_parse() ...
 *     command_parse(&argp, argc, argv, &options);
 *     return frame_run(&options.frame, FRAME_LINT, my_scenario, &options);
 */
#ifndef SIM_CLI_FRAME_H
#define SIM_CLI_FRAME_H

#include "sim/cli/experiment_options.h"
#include "sim/cli/options.h"
#include "sim/cli/session.h"
#include "sim/scenario/scenario.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>

#define FRAME_FORMATS_MAX 8

/* A way to write a report: as --format names it, or a file of a result folder.
   false: no memory. */
struct frame_writer {
    const char *name;
    bool (*write)(const void *report, FILE *out);
};

struct frame {
    struct scenario_options scenario;
    struct experiment_options experiment;
    const struct frame_writer *formats; /* of --format, the preset one first,
                                           FRAME_FORMATS_MAX at most; ends with
                                           one without a name */
    unsigned format; /* index of the one that was asked for */
};

/* The children of a command's argp: with --shard, or for commands that write no
   result folder, without. */
extern const struct argp_child frame_children[], frame_children_unsharded[];

/* For what a command's own parser does not know; the frame is of its input. It
   takes --format and --output where the command's rows have them. */
error_t frame_parse(int key, char *argument, struct argp_state *state,
                    struct frame *frame);

/* How far a scenario is looked at before it is handed to a command. */
enum frame_care {
    FRAME_SETTINGS, /* its trace stays closed */
    FRAME_TRACE,
    FRAME_LINT /* and what may not be meant is told */
};

/* Loads the scenario, tells what is wrong with it, hands it to work, and
   releases it and the frame's options. Returns the exit status. */
int frame_run(struct frame *frame, enum frame_care care,
              int (*work)(void *context, struct scenario *scenario),
              void *context);

/* Opens a session, unless that fails works in it, and ends it. Returns the exit
   status. */
int frame_session(const struct frame *frame,
                  int (*work)(void *context, struct session *session),
                  void *context);

/* One experiment in the session. report is called with its result, unless this
   is a shard or it failed; what it returns is the exit status. */
int frame_experiment(struct session *session, const struct scenario *scenario,
                     int (*report)(void *context, struct session *session,
                                   const struct experiment_result *result),
                     void *context);

/* The report in the format that was asked for, on standard output; false: it
   was complained about. */
bool frame_print(const struct frame *frame, const void *report);

/* Writes files, which end with one without a name, and the effective scenario
   into the session's result folder, if there is one, and puts it in its place;
   whole: as session_commit() takes it. false: it was complained about. */
bool frame_keep(struct session *session, const struct scenario *scenario,
                const struct frame_writer *files, const void *report,
                bool whole);

#endif
