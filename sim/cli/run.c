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
    {0, 0, 0, 0, "What comes out:", 2},
    {"format", OPTION_FORMAT, "FORMAT", 0,
     "table (default), json or csv, on standard output", 2},
    {"output", 'o', "DIR", 0,
     "Also write a result folder; replaces a former result, nothing else. What "
     "is finished is kept in DIR/runs.sqlite",
     2},
    {"show-effective", OPTION_SHOW_EFFECTIVE, 0, 0,
     "Print every setting with where it comes from, and do not run", 2},
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

/* Before a replication is whole there is nothing to write. */
static bool write_folder(struct session *session,
                         const struct report_input *input)
{
    struct result_folder *folder = session_folder(session);

    if (!folder || input->result->replications == 0)
        return true;

    char reason[REASON_SIZE] = "out of memory";
    char *effective = scenario_effective(input->scenario);
    bool fine = effective && result_folder_write(folder, input, effective,
                                                 reason, sizeof reason);

    free(effective);
    if (!fine)
        command_complain("%s", reason);
    return fine &&
           session_commit(session, input->result->end == EXPERIMENT_WHOLE);
}

/* A warm-up by requests can be longer than the run, which only the run shows.
 */
static void tell_if_nothing_measured(const struct report_input *input)
{
    const struct experiment_result *result = input->result;

    if (result->replications > 0 && result->policy_count > 0 &&
        result->policies[0].fold.measured == 0 &&
        result->policies[0].fold.books.arrived > 0)
        command_complain("nothing was measured: the warm-up took every "
                         "request; shorten 'warm_up' or lengthen 'duration'");
}

static void tell_speed(const struct experiment_result *result)
{
    uint64_t requests = 0;

    for (uint32_t i = 0; i < result->policy_count; i++)
        requests += result->policies[i].fold.books.arrived;
    fprintf(stderr,
            "lbsim: %" PRIu64 " requests, %" PRIu64
            " events in %.2f s on %u thread%s (%.0f ns of CPU a request)\n",
            requests, result->events, result->elapsed_s, result->threads,
            result->threads == 1 ? "" : "s",
            requests > 0 ? 1e9 * result->cpu_s / (double)requests : 0);
}

static int status_of(const struct experiment_result *result)
{
    const char *end = outcome_end_text(result->end);

    if (!end)
        return EXIT_DONE;
    command_complain("%s: %u of %u replication%s finished", end,
                     result->replications, result->replications_asked,
                     result->replications_asked == 1 ? "" : "s");
    return result->end == EXPERIMENT_INTERRUPTED ? EXIT_INTERRUPTED
                                                 : EXIT_FAILED;
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
    fine = write_folder(session, input) && fine;
    tell_if_nothing_measured(input);
    if (!options->experiment.quiet && input->result->replications > 0)
        tell_speed(input->result);

    int status = status_of(input->result);
    return fine ? status : EXIT_FAILED;
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
