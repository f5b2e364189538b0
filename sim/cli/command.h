/*
 * The commands of lbsim: one file each, one table of all.
 *
 * A command parses its own arguments, prints results to standard output and
 * everything else to standard error, and returns the exit status. Scripts and
 * CI rely on the statuses, so they mean the same for all commands.
 */
#ifndef SIM_CLI_COMMAND_H
#define SIM_CLI_COMMAND_H

#include "workloads/diag.h"

#include <argp.h>
#include <stdbool.h>

enum exit_status {
    EXIT_DONE = 0,
    EXIT_NEGATIVE = 1,     /* a check found what it looks for */
    EXIT_BAD_INPUT = 2,    /* a scenario, or how the command was called */
    EXIT_FAILED = 3,       /* files, memory, or a limit was reached */
    EXIT_NO_BASELINE = 4,  /* there is nothing to compare with */
    EXIT_INCONCLUSIVE = 5, /* as --strict asks to be told */
    EXIT_INTERRUPTED = 130 /* what was whole by then has been reported */
};

struct command {
    const char *name;
    const char *summary; /* one line, for the list of commands */
    /* argv[0] is "lbsim NAME", for messages; argv ends with NULL. */
    int (*run)(int argc, char **argv);
};

/* Ends with a row without a name. */
extern const struct command commands[];

int command_run(int argc, char **argv);
int command_compare(int argc, char **argv);
int command_advise(int argc, char **argv);
int command_plan(int argc, char **argv);
int command_merge(int argc, char **argv);
int command_baseline(int argc, char **argv);
int command_check(int argc, char **argv);
int command_diagnose(int argc, char **argv);
int command_lint(int argc, char **argv);
int command_sweep(int argc, char **argv);
int command_policies(int argc, char **argv);
int command_settings(int argc, char **argv);
int command_schema(int argc, char **argv);
int command_trace(int argc, char **argv);
int command_plot(int argc, char **argv);
int command_version(int argc, char **argv);
int command_help(int argc, char **argv);

/* NULL: there is none of that name. */
const struct command *command_find(const char *name);

/* Calls it under its full name, which argp shows in its messages: argv[0] is
   replaced for good. */
int command_call(const struct command *command, int argc, char **argv);

/*
 * The whole program behind main: argv[1] names the command. Sets up what argp
 * and libsmartcols keep for the process (exit status of bad usage, version,
 * character set) and checks at the end that standard output took everything.
 */
int command_main(int argc, char **argv);

/*
 * Whether standard output lost anything so far; complains if so, with the
 * cause that errno holds. A command that goes on after its results asks at
 * once, with errno set to 0 before it wrote; for the others command_main asks.
 */
bool command_output_fails(void);

/* argp_parse, for whose own lack of memory the process ends too. */
void command_parse(const struct argp *argp, int argc, char **argv, void *input);

/* Complaints to standard error. */
void command_tell(const struct diag *diag);

/* Why no scenario came: bad input, or no memory for a good one. */
int command_load_status(const struct diag *diag);

/* "lbsim: error: ..." on standard error, with a new line. */
__attribute__((format(printf, 1, 2))) void command_complain(const char *format,
                                                            ...);

#endif
