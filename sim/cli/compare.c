#include "sim/cli/command.h"

#include "sim/cli/compare_parts.h"
#include "sim/scenario/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- options ---- */

static const struct argp_option rows[] = {
    {0, 0, 0, 0, "What is compared, and what comes out:", 5},
    {"all-pairs", OPTION_ALL_PAIRS, 0, 0,
     "Every policy with every other, not only with the first", 5},
    {"measure", OPTION_MEASURE, "NAME", 0,
     "Besides the objective this measure, or 'all'; may be repeated; default: "
     "those of goals, latency_all_p50_s, latency_all_p99_s, success, hits and "
     "cost",
     5},
    {"until", OPTION_UNTIL, "SHARE", 0,
     "Add replications until each verdict on the objective is clear, or its "
     "difference is known within this share of the reference, such as '1 %'; "
     "looks after the scenario's replications (5 at least), twice, four times "
     "as many, and so on",
     5},
    {"max-replications", OPTION_MAX_REPLICATIONS, "N", 0,
     "With --until: give up there, 5 or more, and no fewer than those of the "
     "first look; default: 32 times the first look",
     5},
    {"power", OPTION_POWER, 0, 0,
     "The power curve instead: which difference of the objective so many "
     "replications would find",
     5},
    {"format", OPTION_FORMAT, "FORMAT", 0,
     "table (default), json, csv or markdown, on standard output", 5},
    {"output", 'o', "DIR", 0,
     "Also write a result folder of the run, as 'lbsim run' does; with "
     "--until nothing is then simulated twice",
     5},
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
    if (options->frame.scenario.overrides.count > 0 ||
        options->frame.scenario.policies.count > 0)
        argp_error(state, "--set, --seed, --replications and --policy say what "
                          "is simulated; result folders are compared as they "
                          "are");
    if (!isnan(options->until) || options->all_pairs)
        argp_error(state, "--%s goes with a scenario, not with result folders",
                   options->all_pairs ? "all-pairs" : "until");
    if (options->frame.experiment.output || options->frame.experiment.store ||
        options->frame.experiment.shard.count > 0 ||
        options->frame.experiment.threads > 0 ||
        options->frame.experiment.limit_events > 0 ||
        options->frame.experiment.limit_memory_bytes > 0 ||
        options->frame.experiment.limit_time_ns > 0)
        argp_error(state, "--output, --store, --shard, --jobs and --limit-... "
                          "go with a scenario: nothing is simulated of result "
                          "folders");
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
    if (!isnan(options->until) && options->frame.experiment.shard.count > 0)
        argp_error(state, "--until looks at results to know how long to go on, "
                          "so it cannot be run in shards; say how many with "
                          "--replications");
    if (options->most > 0 && isnan(options->until))
        argp_error(state,
                   "--max-replications goes with --until; --replications "
                   "says how many there are without");
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct compare_options *options = state->input;

    switch (key) {
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
        options->most = (uint32_t)options_count(
            state, "--max-replications", argument, COMPARE_FIRST_LOOK_LEAST,
            COMPARE_REPLICATIONS_MAX);
        return 0;
    case ARGP_KEY_ARG:
        options->arguments[options->argument_count++] = argument;
        options->frame.scenario.file = options->arguments[0];
        return 0;
    case ARGP_KEY_END:
        check(state, options);
        return 0;
    default:
        return frame_parse(key, argument, state, &options->frame);
    }
}

int command_compare(int argc, char **argv)
{
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .args_doc = "FILE\nDIR DIR...",
        .doc = "Compare the policies of a scenario, builds of a policy, or "
               "result folders: how large each difference is, how sure that "
               "is, and how many replications would tell.",
        .children = frame_children,
    };
    struct compare_options options = {
        .frame = {.formats = compare_formats},
        .arguments = calloc((size_t)argc + 1, sizeof *options.arguments),
        .until = NAN,
    };
    int status;

    if (!options.arguments) {
        command_complain("out of memory");
        return EXIT_FAILED;
    }
    command_parse(&argp, argc, argv, &options);
    if (options.power)
        options.frame.formats = compare_power_formats;
    status = wants_folders(&options) ? compare_result_folders(&options)
                                     : frame_run(&options.frame, FRAME_LINT,
                                                 compare_scenario, &options);
    free(options.arguments);
    return status;
}
