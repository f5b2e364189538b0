#include "sim/cli/command.h"

#include "sim/cli/frame.h"
#include "sim/report/advice_report.h"
#include "sim/scenario/loader.h"

#include <stdio.h>
#include <stdlib.h>

enum { OPTION_NO_RUN = 1000, OPTION_FACTS };

struct advise_options {
    struct frame frame;
    bool no_run, facts;
};

static const struct argp_option rows[] = {
    {0, 0, 0, 0, "What comes out:", 5},
    {"format", OPTION_FORMAT, "FORMAT", 0, "table (default), json or markdown",
     5},
    {"facts", OPTION_FACTS, 0, 0,
     "Also all facts, and which of them made each rule speak; JSON has them "
     "anyway",
     5},
    {"no-run", OPTION_NO_RUN, 0, 0,
     "Only the advice; nothing is simulated, nothing is checked", 5},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct advise_options *options = state->input;

    switch (key) {
    case OPTION_NO_RUN:
        options->no_run = true;
        return 0;
    case OPTION_FACTS:
        options->facts = true;
        return 0;
    case ARGP_KEY_END:
        if (options->frame.scenario.policies.count > 0)
            argp_error(state, "advise chooses what to compare, so it has no "
                              "use for --policy; 'lbsim run' has");
        return 0;
    default:
        return frame_parse(key, argument, state, &options->frame);
    }
}

/* ---- what comes out ---- */

/* What to expect is printed before anything runs, so that people have something
   to read meanwhile; this is the rest. */
static bool put_text(const void *report, FILE *out)
{
    advice_write_found(report, out);
    return true;
}

static bool put_json(const void *report, FILE *out)
{
    return advice_write_json(report, out);
}

static bool put_markdown(const void *report, FILE *out)
{
    advice_write_markdown(report, out);
    return true;
}

static const struct frame_writer formats[] = {
    {"table", put_text}, {"json", put_json}, {"markdown", put_markdown}, {0}};

static void print_expected(const struct advise_options *options,
                           const struct advice_report *report)
{
    if (formats[options->frame.format].write != put_text)
        return;
    advice_write_expected(report, stdout);
    fflush(stdout);
}

static int print(const struct advise_options *options,
                 const struct advice_report *report)
{
    return frame_print(&options->frame, report) ? EXIT_DONE : EXIT_FAILED;
}

/* ---- whether it holds ---- */

struct advising {
    const struct advise_options *options;
    struct advice_report report;
};

/* What a limit or an interruption leaves is judged all the same, and said. */
static int judge(void *context, struct session *session,
                 const struct experiment_result *result)
{
    const struct advising *advising = context;
    struct advice_report report = advising->report;
    struct judged judged[ADVICE_MOST];
    struct advice_best best;
    int status = session_tell_end(result);

    (void)session;
    if (result->replications > 0) { /* else it is advice that was not run */
        if (!advice_judge(report.advice, report.scenario, result, judged) ||
            !advice_find_best(report.scenario, result, &best)) {
            command_complain("out of memory");
            return EXIT_FAILED;
        }
        report.result = result;
        report.judged = judged;
        report.best = &best;
    }

    int printed = print(advising->options, &report);
    return printed == EXIT_DONE ? status : printed;
}

static int compare(void *context, struct session *session)
{
    struct advising *advising = context;

    return frame_experiment(session, advising->report.scenario, judge,
                            advising);
}

/* The same scenario with the policies of the advice. NULL: diag says why. */
static struct scenario *load_advised(const struct frame *frame,
                                     const struct advice *advice,
                                     struct diag *diag)
{
    char *override = advice_override(advice);
    struct scenario *scenario = NULL;

    if (override) {
        const char *more[] = {override};

        scenario = scenario_options_load_variant(&frame->scenario, more, 1,
                                                 true, diag);
    } else {
        diag_add_no_memory(diag, NULL);
    }
    free(override);
    return scenario;
}

static int advise_on(struct advising *advising)
{
    const struct advise_options *options = advising->options;

    print_expected(options, &advising->report);
    return options->no_run ? print(options, &advising->report)
                           : frame_session(&options->frame, compare, advising);
}

static int advise(void *context, struct scenario *scenario)
{
    const struct advise_options *options = context;
    struct facts facts;
    struct advice advice;
    struct diag diag = {0};

    if (!facts_gather(scenario, &facts)) {
        command_complain("out of memory, or the trace could not be read again");
        return EXIT_FAILED;
    }
    advice_make(&facts, scenario->objective, &advice);

    struct scenario *advised = load_advised(&options->frame, &advice, &diag);
    struct advising advising = {.options = options,
                                .report = {.scenario = advised,
                                           .facts = &facts,
                                           .advice = &advice,
                                           .all_facts = options->facts}};

    command_tell(&diag);

    int status = advised ? advise_on(&advising) : command_load_status(&diag);
    scenario_destroy(advised);
    diag_done(&diag);
    return status;
}

int command_advise(int argc, char **argv)
{
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .args_doc = "FILE",
        .doc = "Say which policies to compare for the traffic and the nodes "
               "of a scenario, why, and what will not matter; then compare "
               "them and say whether the advice held.",
        .children = frame_children_unsharded,
    };
    struct advise_options options = {
        .frame = {.experiment = {.folderless = true}, .formats = formats}};

    command_parse(&argp, argc, argv, &options);
    return frame_run(&options.frame, FRAME_TRACE, advise, &options);
}
