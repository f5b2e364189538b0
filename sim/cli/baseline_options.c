#include "sim/cli/baseline_options.h"

#include "sim/cli/command.h"
#include "sim/report/whole_file.h"
#include "sim/scenario/lint.h"
#include "sim/scenario/loader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REASON_SIZE 5000
#define ENDING ".baseline"

static const struct argp_option rows[] = {
    {0, 0, 0, 0, "What is watched, and where it is kept:", 5},
    {"baseline", 'b', "FILE", 0,
     "The baseline; default: the scenario's file with the ending .baseline", 5},
    {"tolerance", OPTION_TOLERANCE, "MEASURE=VALUE", 0,
     "As --set check.tolerances.MEASURE=VALUE: how much worse it may be, such "
     "as latency_p99=5%, success='0.5 points' or latency_mean=off; may be "
     "repeated",
     5},
    {"output", 'o', "DIR", 0,
     "Also write a result folder, as of `lbsim run`; replaces a former result, "
     "nothing else",
     5},
    {0},
};

/* scenarios/my.yaml: scenarios/my.baseline. NULL: no memory. */
static char *path_beside(const char *scenario)
{
    size_t length = strlen(scenario), size = length + sizeof ENDING;
    char *path = malloc(size);

    if (!path)
        return NULL;
    if (length > 5 && strcmp(scenario + length - 5, ".yaml") == 0)
        length -= 5;
    else if (length > 4 && strcmp(scenario + length - 4, ".yml") == 0)
        length -= 4;
    snprintf(path, size, "%.*s%s", (int)length, scenario, ENDING);
    return path;
}

/* --replications is meant for a check too, whatever its scenario says. */
static bool mean_the_check_too(struct texts *overrides)
{
    static const char option[] = "--replications replications=";
    size_t count = overrides->count;

    for (size_t i = 0; i < count; i++)
        if (strncmp(overrides->items[i], option, sizeof option - 1) == 0 &&
            !texts_add(overrides, "--replications check.replications=%s",
                       overrides->items[i] + sizeof option - 1))
            return false;
    return true;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct baseline_options *options = state->input;

    switch (key) {
    case 'b':
        options->given = argument;
        return 0;
    case OPTION_TOLERANCE:
        if (!texts_add(&options->frame.scenario.overrides,
                       "--tolerance check.tolerances.%s", argument))
            argp_failure(state, EXIT_FAILED, 0, "out of memory");
        return 0;
    case ARGP_KEY_END:
        if (!options->frame.scenario.file)
            return 0; /* its own parser complains */
        options->path = options->given
                            ? strdup(options->given)
                            : path_beside(options->frame.scenario.file);
        if (!options->path ||
            !mean_the_check_too(&options->frame.scenario.overrides))
            argp_failure(state, EXIT_FAILED, 0, "out of memory");
        return 0;
    default:
        return frame_parse(key, argument, state, &options->frame);
    }
}

const struct argp baseline_options_argp = {
    .options = rows, .parser = parse, .children = frame_children};

/* ---- the scenario ---- */

static struct scenario *load(const struct baseline_options *options,
                             struct diag *diag)
{
    struct scenario *scenario =
        scenario_options_load(&options->frame.scenario, true, diag);
    char override[60];
    const char *more = override;

    if (!scenario || scenario->check.replications == scenario->replications)
        return scenario;
    snprintf(override, sizeof override, "replications=%" PRIu32,
             scenario->check.replications);
    scenario_destroy(scenario);
    diag_done(diag);
    return scenario_options_load_variant(&options->frame.scenario, &more, 1,
                                         true, diag);
}

/* Other commands run so many, so the scenario is not wrong by it. */
static bool are_not_too_many(const struct scenario *scenario)
{
    if (scenario->check.replications <= CHECK_REPLICATIONS_MAX)
        return true;
    command_complain("a check looks at %d replications at most, not at "
                     "%" PRIu32 "; set 'check.replications'",
                     CHECK_REPLICATIONS_MAX, scenario->check.replications);
    return false;
}

int baseline_options_run(struct baseline_options *options,
                         int (*work)(void *context, struct scenario *scenario),
                         void *context)
{
    struct diag diag = {0};
    struct scenario *scenario = load(options, &diag);
    int status = EXIT_BAD_INPUT;

    if (scenario)
        scenario_lint(scenario, &diag);
    command_tell(&diag);
    if (!scenario)
        status = command_load_status(&diag);
    else if (are_not_too_many(scenario))
        status = work(context, scenario);
    scenario_destroy(scenario);
    free(options->path);
    scenario_options_done(&options->frame.scenario);
    diag_done(&diag);
    return status;
}

bool baseline_is_partial(const struct experiment_result *result, char *text,
                         size_t size)
{
    const char *end = outcome_end_text(result->end);

    if (!end)
        return false;
    snprintf(text, size, "%s: %" PRIu32 " of %" PRIu32 " replications finished",
             end, result->replications, result->replications_asked);
    return true;
}

/* ---- the file ---- */

/* Whether what stands there is a baseline, whole or not, or nothing yet. */
static bool is_ours(const char *path)
{
    char begin[sizeof BASELINE_SCHEMA] = {0};
    FILE *in = fopen(path, "r");
    size_t length;

    if (!in)
        return true; /* nothing there, or a matter for who writes it */
    length = fread(begin, 1, 15, in);
    fclose(in);
    return length == 0 || strcmp(begin, "lbsim.baseline/") == 0;
}

int baseline_may_store(const char *path)
{
    char reason[REASON_SIZE];
    struct whole_file file;

    if (!is_ours(path)) {
        command_complain("'%s' is not replaced: it is no baseline", path);
        return EXIT_BAD_INPUT;
    }
    if (!whole_file_open(&file, path, reason, sizeof reason)) {
        command_complain("%s", reason);
        return EXIT_FAILED;
    }
    whole_file_close(&file);
    return EXIT_DONE;
}

int baseline_store(const char *path, const char *text)
{
    char reason[REASON_SIZE];
    struct whole_file file;
    bool fine = whole_file_open(&file, path, reason, sizeof reason);

    if (fine) {
        fputs(text, file.out);
        fine = whole_file_commit(&file, reason, sizeof reason);
    }
    if (!fine)
        command_complain("%s", reason);
    return fine ? EXIT_DONE : EXIT_FAILED;
}
