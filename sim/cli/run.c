#include "sim/cli/command.h"

#include "sim/cli/frame.h"
#include "sim/report/csv.h"
#include "sim/report/json.h"
#include "sim/report/table.h"
#include "sim/scenario/loader.h"

#include <stdio.h>
#include <stdlib.h>

struct run_options {
    struct frame frame;
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

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct run_options *options = state->input;

    switch (key) {
    case OPTION_SHOW_EFFECTIVE:
        options->show_effective = true;
        return 0;
    case ARGP_KEY_END:
        if (options->show_effective && (options->frame.experiment.output ||
                                        options->frame.experiment.store))
            argp_error(state,
                       "--show-effective runs nothing, so it has no "
                       "use for %s",
                       options->frame.experiment.output ? "--output"
                                                        : "--store");
        return 0;
    default:
        return frame_parse(key, argument, state, &options->frame);
    }
}

/* ---- the run ---- */

static bool put_table(const void *input, FILE *out)
{
    return table_write(input, out);
}

static bool put_json(const void *input, FILE *out)
{
    return json_write_result(input, out);
}

static bool put_csv(const void *input, FILE *out)
{
    csv_write_policies(input, out);
    return true;
}

static const struct frame_writer formats[] = {
    {"table", put_table}, {"json", put_json}, {"csv", put_csv}, {0}};

/* What is run, and how. */
struct run {
    const struct run_options *options;
    const struct scenario *scenario;
};

static int report(void *context, struct session *session,
                  const struct experiment_result *result)
{
    const struct run *run = context;
    struct report_input input = {run->scenario, result};
    bool fine = frame_print(&run->options->frame, &input);

    return session_end_result(session, &input, fine);
}

static int simulate(void *context, struct session *session)
{
    const struct run *run = context;

    return frame_experiment(session, run->scenario, report, context);
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

    if (options->frame.experiment.quiet ||
        (sweep->axis_count == 0 && !sweep->crossover.given))
        return;
    fprintf(stderr,
            "lbsim: the scenario has a '%s', which is for lbsim sweep: here "
            "the settings are run as they are\n",
            sweep->axis_count > 0 ? "sweep" : "crossover");
}

static int run_scenario(void *context, struct scenario *scenario)
{
    const struct run_options *options = context;
    struct run run = {options, scenario};

    if (options->show_effective)
        return show_effective(scenario);
    tell_if_sweep(options, scenario);
    return frame_session(&options->frame, simulate, &run);
}

int command_run(int argc, char **argv)
{
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .args_doc = "FILE",
        .doc = "Simulate a scenario with all its policies and say which is "
               "best, and how sure that is.",
        .children = frame_children,
    };
    struct run_options options = {.frame = {.formats = formats}};

    command_parse(&argp, argc, argv, &options);
    return frame_run(&options.frame,
                     options.show_effective ? FRAME_SETTINGS : FRAME_LINT,
                     run_scenario, &options);
}
