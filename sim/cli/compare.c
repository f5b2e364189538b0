#include "sim/cli/command.h"

#include "sim/cli/options.h"
#include "sim/cli/session.h"
#include "sim/experiment/compare.h"
#include "sim/report/compare_folders.h"
#include "sim/report/compare_report.h"
#include "sim/scenario/lint.h"
#include "sim/scenario/loader.h"
#include "sim/scenario/units.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    REASON_SIZE = 5000,
    TITLE_SIZE = 400,
    REPLICATIONS_MAX = 1000000,
    LEAST_FIRST_LOOK = 5, /* fewer tell little about their own spread */
    MOST_LOOKS_LATER = 32 /* times the first look, unless it is said */
};

enum format { FORMAT_TABLE, FORMAT_JSON, FORMAT_CSV, FORMAT_MARKDOWN };

static const char *const format_names[] = {"table", "json", "csv", "markdown",
                                           NULL};

struct compare_options {
    struct scenario_options scenario;
    struct experiment_options experiment;
    const char **arguments; /* [argument_count] */
    size_t argument_count;
    enum measure_id measures[MEASURE_COUNT]; /* asked for */
    uint32_t measure_count;
    bool all_measures;
    enum format format;
    bool all_pairs, power;
    double until;  /* NaN: not said */
    uint32_t most; /* replications; 0: not said */
};

/* ---- options ---- */

static const struct argp_option rows[] = {
    {0, 0, 0, 0, "What is compared:", 2},
    {"all-pairs", OPTION_ALL_PAIRS, 0, 0,
     "Every policy with every other, not only with the first", 2},
    {"measure", OPTION_MEASURE, "NAME", 0,
     "Besides the objective this measure, or 'all'; may be repeated; default: "
     "those of goals, latency_all_p50_s, latency_all_p99_s, success, hits and "
     "cost",
     2},
    {"until", OPTION_UNTIL, "SHARE", 0,
     "Add replications until each verdict on the objective is clear, or its "
     "difference is known within this share of the reference, such as '1 %'",
     2},
    {"max-replications", OPTION_MAX_REPLICATIONS, "N", 0,
     "With --until: give up there; default: 32 times the first look", 2},
    {0, 0, 0, 0, "What comes out:", 2},
    {"power", OPTION_POWER, 0, 0,
     "The power curve instead: which difference of the objective so many "
     "replications would find",
     2},
    {"format", OPTION_FORMAT, "FORMAT", 0,
     "table (default), json, csv or markdown, on standard output", 2},
    {0},
};

static void parse_measure(struct argp_state *state, const char *name,
                          struct compare_options *options)
{
    enum measure_id id = measure_find(name, strlen(name));

    if (strcmp(name, "all") == 0) {
        options->all_measures = true;
        return;
    }
    if (id == MEASURE_COUNT)
        argp_error(state,
                   "'--measure': there is no measure '%s'; 'lbsim settings "
                   "objective' lists them",
                   name);
    else if (options->measure_count < MEASURE_COUNT)
        options->measures[options->measure_count++] = id;
}

static double parse_until(struct argp_state *state, const char *text)
{
    char reason[200];
    double share = NAN;

    if (!units_parse_share(text, strlen(text), &share, reason, sizeof reason))
        argp_error(state, "'--until': %s", reason);
    else if (!(share > 0 && share < 1))
        argp_error(state,
                   "'--until' needs a share above 0 and below 100 %%, such as "
                   "'1 %%', got '%s'",
                   text);
    return share;
}

static bool is_folder(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static bool wants_folders(const struct compare_options *options)
{
    return options->argument_count > 0 && is_folder(options->arguments[0]);
}

/* Nothing is simulated of folders, so what says how has no place there. */
static void check_folders(struct argp_state *state,
                          const struct compare_options *options)
{
    if (options->argument_count < 2)
        argp_error(state, "two result folders are needed, or more");
    for (size_t i = 1; i < options->argument_count; i++)
        if (!is_folder(options->arguments[i]))
            argp_error(state, "'%s' is no folder, but '%s' is one",
                       options->arguments[i], options->arguments[0]);
    if (options->scenario.overrides.count > 0 ||
        options->scenario.policies.count > 0)
        argp_error(state, "--set, --seed, --replications and --policy say what "
                          "is simulated; result folders are compared as they "
                          "are");
    if (!isnan(options->until) || options->all_pairs)
        argp_error(state, "--%s goes with a scenario, not with result folders",
                   options->all_pairs ? "all-pairs" : "until");
    if (options->experiment.threads > 0 ||
        options->experiment.limit_events > 0 ||
        options->experiment.limit_memory_bytes > 0 ||
        options->experiment.limit_time_ns > 0)
        argp_error(state, "--jobs and --limit-... go with a scenario: nothing "
                          "is simulated of result folders");
}

static void check(struct argp_state *state,
                  const struct compare_options *options)
{
    if (options->power && (options->measure_count > 0 || options->all_measures))
        argp_error(state, "--power is about the objective alone: set that with "
                          "--set objective=...");
    if (options->power && !isnan(options->until))
        argp_error(state, "--power asks for no verdict, so it has no use for "
                          "--until");
    if (wants_folders(options)) {
        check_folders(state, options);
        return;
    }
    if (options->argument_count > 1)
        argp_error(state,
                   "one scenario at a time: '%s' is one too many; result "
                   "folders may be several",
                   options->arguments[1]);
    if (options->most > 0 && isnan(options->until))
        argp_error(state,
                   "--max-replications goes with --until; --replications "
                   "says how many there are without");
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct compare_options *options = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->scenario;
        state->child_inputs[1] = &options->experiment;
        return 0;
    case OPTION_ALL_PAIRS:
        options->all_pairs = true;
        return 0;
    case OPTION_POWER:
        options->power = true;
        return 0;
    case OPTION_MEASURE:
        parse_measure(state, argument, options);
        return 0;
    case OPTION_UNTIL:
        options->until = parse_until(state, argument);
        return 0;
    case OPTION_MAX_REPLICATIONS:
        options->most = (uint32_t)options_count(state, "--max-replications",
                                                argument, 2, REPLICATIONS_MAX);
        return 0;
    case OPTION_FORMAT:
        options->format = (enum format)options_choice(state, "--format",
                                                      argument, format_names);
        return 0;
    case ARGP_KEY_ARG:
        options->arguments[options->argument_count++] = argument;
        options->scenario.file = options->arguments[0];
        return 0;
    case ARGP_KEY_END:
        check(state, options);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- which measures ---- */

struct choice {
    enum measure_id ids[MEASURE_COUNT];
    uint32_t count;
};

static void choose(struct choice *choice, enum measure_id id)
{
    for (uint32_t i = 0; i < choice->count; i++)
        if (choice->ids[i] == id)
            return;
    choice->ids[choice->count++] = id;
}

static bool has_value(const struct compare_side *sides, uint32_t count,
                      enum measure_id id)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; sides[i].values[id] && j < sides[i].count; j++)
            if (!isnan(sides[i].values[id][j]))
                return true;
    return false;
}

/* What most people ask first, where there are such values. */
static void choose_usual(struct choice *choice,
                         const struct compare_side *sides, uint32_t count)
{
    static const enum measure_id usual[] = {
        M_LATENCY_ALL_P50, M_LATENCY_ALL_P99, M_SUCCESS,
        M_RESULT_HIT,      M_TIER_HIT,        M_COST_PER_1000};

    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (has_value(sides, count, usual[i]))
            choose(choice, usual[i]);
}

/* The objective first. scenario: NULL of folders, whose goals are not known. */
static void choose_measures(const struct compare_options *options,
                            enum measure_id objective,
                            const struct scenario *scenario,
                            const struct compare_side *sides, uint32_t count,
                            struct choice *ret)
{
    ret->count = 0;
    choose(ret, objective);
    for (uint32_t i = 0; i < options->measure_count; i++)
        choose(ret, options->measures[i]);
    for (uint32_t id = 0; options->all_measures && id < MEASURE_COUNT; id++)
        if (has_value(sides, count, (enum measure_id)id))
            choose(ret, (enum measure_id)id);
    if (ret->count > 1 || options->measure_count > 0)
        return;
    for (uint32_t i = 0; scenario && i < scenario->goal_count; i++)
        choose(ret, scenario->goals[i].measure);
    choose_usual(ret, sides, count);
}

/* ---- output ---- */

static bool print(enum format format, const struct compare_report *report)
{
    switch (format) {
    case FORMAT_JSON:
        return compare_write_json(report, stdout);
    case FORMAT_CSV:
        compare_write_csv(report, stdout);
        return true;
    case FORMAT_MARKDOWN:
        return compare_write_markdown(report, stdout);
    case FORMAT_TABLE:
        break;
    }
    return compare_write_table(report, stdout);
}

static bool print_power(enum format format, const struct compare_report *report)
{
    switch (format) {
    case FORMAT_JSON:
        return power_write_json(report, stdout);
    case FORMAT_CSV:
        power_write_csv(report, stdout);
        return true;
    case FORMAT_MARKDOWN:
    case FORMAT_TABLE:
        break;
    }
    return power_write_table(report, format == FORMAT_MARKDOWN, stdout);
}

static bool print_comparison(const struct compare_options *options,
                             const struct compare_report *report)
{
    bool fine;

    errno = 0;
    fine = options->power ? print_power(options->format, report)
                          : print(options->format, report);
    if (!fine)
        command_complain("out of memory");
    return fine && !command_output_fails();
}

/* ---- result folders ---- */

static int compare_results(const struct compare_options *options,
                           struct compare_folders *folders)
{
    const struct result_values *first = &folders->results[0];
    struct choice choice;
    char title[TITLE_SIZE];
    struct compare_setup setup = {
        .sides = folders->sides,
        .side_count = folders->side_count,
        .pairs = folders->pairs,
        .pair_count = folders->pair_count,
        .unpaired = folders->unpaired,
        .confidence = first->confidence,
        .min_effect = first->min_effect,
    };
    struct compare_result result;
    struct compare_report report = {
        .result = &result,
        .title = title,
        .replications = folders->replications,
        .until = NAN,
        .partial = first->partial[0] ? first->partial : NULL,
        .before = &folders->notes,
    };

    choose_measures(options, first->objective, NULL, folders->sides,
                    folders->side_count, &choice);
    setup.measures = choice.ids;
    setup.measure_count = choice.count;
    snprintf(title, sizeof title, "%zu results: %.200s is the reference",
             folders->count, first->folder);

    bool fine = compare_sides(&setup, &result);

    if (!fine)
        command_complain("out of memory");
    fine = fine && print_comparison(options, &report);
    compare_done(&result);
    return fine ? EXIT_DONE : EXIT_FAILED;
}

static int compare_result_folders(const struct compare_options *options)
{
    struct compare_folders folders;
    char reason[REASON_SIZE];
    enum result_values_status status =
        compare_folders_load(options->arguments, options->argument_count,
                             &folders, reason, sizeof reason);
    int exit_status =
        status == RESULT_VALUES_BAD ? EXIT_BAD_INPUT : EXIT_FAILED;

    if (status == RESULT_VALUES_OK)
        exit_status = compare_results(options, &folders);
    else
        command_complain("%s", reason);
    compare_folders_done(&folders);
    return exit_status;
}

/* ---- a scenario ---- */

/* Policies of one experiment as sides, and who is compared with whom. */
struct field {
    struct compare_side *sides; /* [policies] */
    struct compare_pair *pairs; /* [pair_count] */
    uint32_t pair_count;
};

static void field_done(struct field *field)
{
    free(field->sides);
    free(field->pairs);
}

static void add_pairs(const struct compare_options *options, uint32_t policies,
                      struct field *field)
{
    for (uint32_t a = 0; a < policies; a++)
        for (uint32_t b = a + 1; b < policies; b++)
            if (a == 0 || options->all_pairs)
                field->pairs[field->pair_count++] = (struct compare_pair){a, b};
}

/* false: no memory. */
static bool field_make(const struct compare_options *options,
                       const struct experiment_result *result,
                       struct field *ret)
{
    uint32_t policies = result->policy_count;

    *ret = (struct field){
        .sides = calloc((size_t)policies + 1, sizeof *ret->sides),
        .pairs = calloc((size_t)policies * policies + 1, sizeof *ret->pairs)};
    if (!ret->sides || !ret->pairs)
        return false;
    for (uint32_t i = 0; i < policies; i++) {
        ret->sides[i] = (struct compare_side){
            .label = result->policies[i].label, .count = result->replications};
        for (uint32_t id = 0; result->replications > 0 && id < MEASURE_COUNT;
             id++)
            ret->sides[i].values[id] = result->policies[i].fold.values[id];
    }
    add_pairs(options, policies, ret);
    return true;
}

struct run {
    const struct compare_options *options;
    const struct scenario *scenario;
    struct experiment_result result;
    struct field field;
    struct choice choice;
    struct compare_setup setup;
    struct compare_result comparison;
    struct looks looks; /* count 0: looked at once */
};

static void forget_look(struct run *run)
{
    compare_done(&run->comparison);
    field_done(&run->field);
    outcome_done(&run->result);
}

static bool judge(struct run *run, uint32_t look)
{
    const struct scenario *scenario = run->scenario;

    if (!field_make(run->options, &run->result, &run->field))
        return false;
    choose_measures(run->options, scenario->objective, scenario,
                    run->field.sides, run->result.policy_count, &run->choice);
    run->setup = (struct compare_setup){
        .sides = run->field.sides,
        .side_count = run->result.policy_count,
        .pairs = run->field.pairs,
        .pair_count = run->field.pair_count,
        .measures = run->choice.ids,
        .measure_count = run->choice.count,
        .ranks = run->result.replications > 0,
        .confidence = scenario->confidence,
        .min_effect = scenario->min_effect,
        .looks = run->looks.count > 0 ? &run->looks : NULL,
        .look = look,
    };
    return compare_sides(&run->setup, &run->comparison);
}

static bool is_told(const struct run *run)
{
    for (uint32_t i = 0; i < run->setup.pair_count; i++)
        if (!looks_have_told(compare_verdict(&run->comparison, 0, i),
                             run->options->until))
            return false;
    return true;
}

/* One look: all replications up to there. */
static enum experiment_status run_look(struct run *run, struct session *session,
                                       uint32_t look)
{
    struct scenario scenario = *run->scenario;
    enum experiment_status status;

    if (run->looks.count > 0)
        scenario.replications = run->looks.at[look];
    status = session_experiment(session, &scenario, &run->result);
    if (status == EXPERIMENT_OK && !judge(run, look))
        status = EXPERIMENT_NO_MEMORY;
    return status;
}

static enum experiment_status run_looks(struct run *run,
                                        struct session *session)
{
    uint32_t count = run->looks.count > 0 ? run->looks.count : 1;

    for (uint32_t look = 0;; look++) {
        enum experiment_status status = run_look(run, session, look);

        if (status != EXPERIMENT_OK || look + 1 == count ||
            run->result.end != EXPERIMENT_WHOLE || run->result.runs_once ||
            is_told(run))
            return status;
        forget_look(run);
    }
}

static struct looks plan_looks(const struct compare_options *options,
                               const struct scenario *scenario)
{
    uint32_t first = scenario->replications;
    uint32_t most = options->most;

    if (first < LEAST_FIRST_LOOK)
        first = LEAST_FIRST_LOOK;
    if (most == 0)
        most = first < REPLICATIONS_MAX / MOST_LOOKS_LATER
                   ? first * MOST_LOOKS_LATER
                   : REPLICATIONS_MAX;
    return looks_plan(first < most ? first : most, most);
}

static void write_title(const struct run *run, char *title, size_t size)
{
    const struct scenario *scenario = run->scenario;
    uint32_t count = run->result.replications;
    size_t used;

    snprintf(title, size,
             "%.200s: %u policies, seed %" PRIu64 ", %u replication%s",
             scenario->name, run->result.policy_count, scenario->seed, count,
             count == 1 ? "" : "s");
    used = strlen(title);
    if (scenario->duration_ns != INT64_MAX)
        snprintf(title + used, size - used, " of %.6g s",
                 1e-9 * (double)scenario->duration_ns);
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

static int report_run(const struct run *run)
{
    struct report_input input = {run->scenario, &run->result};
    struct notes doubts;
    char title[TITLE_SIZE];
    struct compare_report report = {
        .result = &run->comparison,
        .title = title,
        .replications = run->result.replications,
        .until = run->options->until,
        .partial = outcome_end_text(run->result.end),
        .before = &doubts,
    };
    bool fine = notes_collect_doubts(&input, &doubts);

    write_title(run, title, sizeof title);
    if (!fine)
        command_complain("out of memory");
    fine = fine && print_comparison(run->options, &report);
    notes_done(&doubts);

    int status = status_of(&run->result);
    return fine ? status : EXIT_FAILED;
}

static int compare_policies(const struct compare_options *options,
                            const struct scenario *scenario)
{
    struct run run = {.options = options, .scenario = scenario};
    struct session session;
    enum experiment_status outcome;
    int status;

    if (scenario->policy_count < 2) {
        command_complain("the scenario has one policy: name those to compare "
                         "with --policy, the first is the reference");
        return EXIT_BAD_INPUT;
    }
    if (!isnan(options->until))
        run.looks = plan_looks(options, scenario);
    session_begin(&session, &options->experiment);
    outcome = run_looks(&run, &session);
    session_end(&session);
    status = outcome == EXPERIMENT_OK
                 ? report_run(&run)
                 : session_complain(outcome, scenario, &run.result);
    forget_look(&run);
    return status;
}

static int compare_scenario(const struct compare_options *options)
{
    struct diag diag = {0};
    struct scenario *scenario =
        scenario_options_load(&options->scenario, true, &diag);
    int status;

    if (scenario)
        scenario_lint(scenario, &diag);
    command_tell(&diag);
    status = scenario ? compare_policies(options, scenario)
                      : command_load_status(&diag);
    scenario_destroy(scenario);
    diag_done(&diag);
    return status;
}

int command_compare(int argc, char **argv)
{
    static const struct argp_child children[] = {
        {&scenario_options_argp, 0, NULL, 0},
        {&experiment_options_argp, 0, NULL, 0},
        {0}};
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .args_doc = "FILE\nDIR DIR...",
        .doc = "Compare the policies of a scenario, builds of a policy, or "
               "result folders: how large each difference is, how sure that "
               "is, and how many replications would tell.",
        .children = children,
    };
    struct compare_options options = {
        .arguments = calloc((size_t)argc + 1, sizeof *options.arguments),
        .until = NAN,
    };
    int status;

    if (!options.arguments) {
        command_complain("out of memory");
        return EXIT_FAILED;
    }
    command_parse(&argp, argc, argv, &options);
    status = wants_folders(&options) ? compare_result_folders(&options)
                                     : compare_scenario(&options);
    scenario_options_done(&options.scenario);
    free(options.arguments);
    return status;
}
