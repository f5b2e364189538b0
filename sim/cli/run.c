#include "sim/cli/command.h"

#include "sim/cli/options.h"
#include "sim/cli/session.h"
#include "sim/report/csv.h"
#include "sim/report/json.h"
#include "sim/report/result_folder.h"
#include "sim/report/table.h"
#include "sim/scenario/lint.h"
#include "sim/scenario/loader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REASON_SIZE 5000 /* a path and why */

enum format { FORMAT_TABLE, FORMAT_JSON, FORMAT_CSV };

struct run_options {
    struct scenario_options scenario;
    struct experiment_options experiment;
    enum format format;
    bool show_effective;
};

/* ---- options ---- */

static const struct argp_option rows[] = {
    {0, 0, 0, 0, "What comes out:", 5},
    {"format", OPTION_FORMAT, "FORMAT", 0,
     "table (default), json or csv, on standard output", 5},
    {"output", 'o', "DIR", 0,
     "Also write a result folder; replaces a former result, nothing else. What "
     "is finished is kept in DIR/runs.sqlite",
     5},
    {"show-effective", OPTION_SHOW_EFFECTIVE, 0, 0,
     "Print every setting with where it comes from, and do not run", 5},
    {0},
};

static const char *const format_names[] = {"table", "json", "csv", NULL};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct run_options *options = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->scenario;
        state->child_inputs[1] = &options->experiment;
        state->child_inputs[2] = &options->experiment;
        return 0;
    case OPTION_FORMAT:
        options->format = (enum format)options_choice(state, "--format",
                                                      argument, format_names);
        return 0;
    case 'o':
        experiment_options_note_place(&options->experiment, key, argument,
                                      state);
        options->experiment.output = argument;
        return 0;
    case OPTION_SHOW_EFFECTIVE:
        options->show_effective = true;
        return 0;
    case ARGP_KEY_END:
        if (options->show_effective &&
            (options->experiment.output || options->experiment.store))
            argp_error(state,
                       "--show-effective runs nothing, so it has no "
                       "use for %s",
                       options->experiment.output ? "--output" : "--store");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- the run ---- */

static bool print_result(enum format format, const struct report_input *input)
{
    switch (format) {
    case FORMAT_JSON:
        return json_write_result(input, stdout);
    case FORMAT_CSV:
        csv_write_policies(input, stdout);
        return true;
    case FORMAT_TABLE:
        break;
    }
    return table_write(input, stdout);
}

static int report(const struct run_options *options, struct session *session,
                  const struct report_input *input)
{
    errno = 0;
    bool fine = print_result(options->format, input);

    if (!fine)
        command_complain("out of memory");
    else
        fine = !command_output_fails();
    return session_end_result(session, input, fine);
}

static int run_scenario(const struct run_options *options,
                        const struct scenario *scenario)
{
    struct experiment_result result = {0};
    struct report_input input = {scenario, &result};
    struct session session;

    session_begin(&session, &options->experiment);
    int status = session_open(&session);
    if (status == EXIT_DONE) {
        enum experiment_status outcome =
            session_experiment(&session, scenario, &result);

        if (outcome != EXPERIMENT_OK)
            status = session_complain(outcome, scenario, &result);
        else if (session_is_shard(&session))
            status = session_end_shard(&session);
        else
            status = report(options, &session, &input);
    }
    session_end(&session);
    outcome_done(&result);
    return status;
}

static int show_effective(const struct scenario *scenario)
{
    char *text = scenario_effective(scenario);

    if (!text) {
        command_complain("out of memory");
        return EXIT_FAILED;
    }
    fputs(text, stdout);
    free(text);
    return EXIT_DONE;
}

/* What `lbsim sweep` would vary stays as it is. */
static void tell_if_sweep(const struct run_options *options,
                          const struct scenario *scenario)
{
    const struct sweep_spec *sweep = &scenario->sweep;

    if (options->experiment.quiet ||
        (sweep->axis_count == 0 && !sweep->crossover.given))
        return;
    fprintf(stderr,
            "lbsim: the scenario has a '%s', which is for lbsim sweep: here "
            "the settings are run as they are\n",
            sweep->axis_count > 0 ? "sweep" : "crossover");
}

int command_run(int argc, char **argv)
{
    static const struct argp_child children[] = {
        {&scenario_options_argp, 0, NULL, 0},
        {&experiment_options_argp, 0, NULL, 0},
        {&shard_options_argp, 0, NULL, 0},
        {0}};
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .args_doc = "FILE",
        .doc = "Simulate a scenario with all its policies and say which is "
               "best, and how sure that is.",
        .children = children,
    };
    struct run_options options = {0};
    struct diag diag = {0};
    int status;

    command_parse(&argp, argc, argv, &options);

    struct scenario *scenario = scenario_options_load(
        &options.scenario, !options.show_effective, &diag);
    if (scenario && !options.show_effective)
        scenario_lint(scenario, &diag);
    command_tell(&diag);
    if (scenario && !options.show_effective)
        tell_if_sweep(&options, scenario);
    if (scenario)
        status = options.show_effective ? show_effective(scenario)
                                        : run_scenario(&options, scenario);
    else
        status = command_load_status(&diag);
    scenario_destroy(scenario);
    scenario_options_done(&options.scenario);
    diag_done(&diag);
    return status;
}
