#include "sim/cli/command.h"

#include "sim/cli/experiment_options.h"
#include "sim/cli/options.h"
#include "sim/cli/session.h"
#include "sim/report/advice_report.h"
#include "sim/scenario/loader.h"
#include "workloads/diag.h"

#include <stdio.h>
#include <stdlib.h>

enum { OPTION_NO_RUN = 1000 };
enum format { FORMAT_TABLE, FORMAT_JSON, FORMAT_MARKDOWN };

static const char *const format_names[] = {"table", "json", "markdown", NULL};

struct advise_options {
    struct scenario_options scenario;
    struct experiment_options experiment;
    enum format format;
    bool no_run;
};

static const struct argp_option rows[] = {
    {0, 0, 0, 0, "What comes out:", 5},
    {"format", OPTION_FORMAT, "FORMAT", 0, "table (default), json or markdown",
     5},
    {"no-run", OPTION_NO_RUN, 0, 0,
     "Only the advice; nothing is simulated, nothing is checked", 5},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct advise_options *options = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->scenario;
        state->child_inputs[1] = &options->experiment;
        return 0;
    case OPTION_FORMAT:
        options->format = (enum format)options_choice(state, "--format",
                                                      argument, format_names);
        return 0;
    case OPTION_NO_RUN:
        options->no_run = true;
        return 0;
    case ARGP_KEY_END:
        if (options->scenario.policies.count > 0)
            argp_error(state, "advise chooses what to compare, so it has no "
                              "use for --policy; 'lbsim run' has");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int print(const struct advise_options *options,
                 const struct advice_report *report)
{
    switch (options->format) {
    case FORMAT_JSON:
        if (advice_write_json(report, stdout))
            return EXIT_DONE;
        command_complain("out of memory");
        return EXIT_FAILED;
    case FORMAT_MARKDOWN:
        advice_write_markdown(report, stdout);
        return EXIT_DONE;
    case FORMAT_TABLE:
        break;
    }
    advice_write_text(report, stdout);
    return EXIT_DONE;
}

/* What a limit or an interruption leaves is judged all the same, and said. */
static int status_of(const struct experiment_result *result)
{
    const char *end = outcome_end_text(result->end);

    if (!end)
        return EXIT_DONE;
    command_complain("%s: %u of %u replications finished", end,
                     result->replications, result->replications_asked);
    return result->end == EXPERIMENT_INTERRUPTED ? EXIT_INTERRUPTED
                                                 : EXIT_FAILED;
}

static int judge(const struct advise_options *options,
                 const struct advice_report *asked,
                 const struct experiment_result *result)
{
    struct advice_report report = *asked;
    struct judged judged[ADVICE_MOST];
    int status = status_of(result);

    if (result->replications > 0) { /* else it is advice that was not run */
        if (!advice_judge(report.advice, report.scenario, result, judged)) {
            command_complain("out of memory");
            return EXIT_FAILED;
        }
        report.result = result;
        report.judged = judged;
    }

    int printed = print(options, &report);
    return printed == EXIT_DONE ? status : printed;
}

static int compare(const struct advise_options *options,
                   struct advice_report *report,
                   const struct scenario *scenario)
{
    struct experiment_result result = {0};
    struct session session;

    report->scenario = scenario;
    session_begin(&session, &options->experiment);
    enum experiment_status outcome =
        session_experiment(&session, scenario, &result);
    session_end(&session);

    int status = outcome == EXPERIMENT_OK
                     ? judge(options, report, &result)
                     : session_complain(outcome, scenario, &result);
    outcome_done(&result);
    return status;
}

/* The same scenario with the policies of the advice. */
static int load_and_compare(const struct advise_options *options,
                            struct advice_report *report)
{
    char *override = advice_override(report->advice);
    const char *more[] = {override};
    struct diag diag = {0};
    struct scenario *scenario =
        override ? scenario_options_load_variant(&options->scenario, more, 1,
                                                 true, &diag)
                 : NULL;
    int status;

    command_tell(&diag);
    if (!override)
        command_complain("out of memory");
    if (scenario)
        status = compare(options, report, scenario);
    else
        status = override ? command_load_status(&diag) : EXIT_FAILED;
    scenario_destroy(scenario);
    free(override);
    diag_done(&diag);
    return status;
}

static int advise(const struct advise_options *options,
                  const struct scenario *scenario)
{
    struct facts facts;
    struct advice advice;
    struct advice_report report = {
        .scenario = scenario, .facts = &facts, .advice = &advice};

    if (!facts_gather(scenario, &facts)) {
        command_complain("out of memory, or the trace could not be read again");
        return EXIT_FAILED;
    }
    advice_make(&facts, scenario->objective, &advice);
    return options->no_run ? print(options, &report)
                           : load_and_compare(options, &report);
}

int command_advise(int argc, char **argv)
{
    static const struct argp_child children[] = {
        {&scenario_options_argp, 0, NULL, 0},
        {&experiment_options_argp, 0, NULL, 0},
        {0}};
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .args_doc = "FILE",
        .doc = "Say which policies to compare for the traffic and the nodes "
               "of a scenario, why, and what will not matter; then compare "
               "them and say whether the advice held.",
        .children = children,
    };
    struct advise_options options = {.experiment = {.folderless = true}};
    struct diag diag = {0};

    command_parse(&argp, argc, argv, &options);

    struct scenario *scenario =
        scenario_options_load(&options.scenario, true, &diag);
    command_tell(&diag);

    int status =
        scenario ? advise(&options, scenario) : command_load_status(&diag);
    scenario_destroy(scenario);
    scenario_options_done(&options.scenario);
    diag_done(&diag);
    return status;
}
