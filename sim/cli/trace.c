#include "sim/cli/command.h"

#include "sim/cli/options.h"
#include "sim/report/profile_report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CAPACITIES 64
#define MEMORY_UNLESS_SAID ((uint64_t)1 << 30)
#define MOST_MEMORY ((uint64_t)1 << 50)

enum {
    OPTION_CAPACITY = 1000,
    OPTION_BYTES,
    OPTION_TRACE_FORMAT,
    OPTION_MEMORY,
    OPTION_SKIP
};

struct list {
    uint64_t values[MOST_CAPACITIES];
    size_t count;
};

struct trace_options {
    bool named; /* the word 'profile' */
    struct profile_spec spec;
    struct list capacities, bytes;
    bool json;
};

static const struct argp_option rows[] = {
    {"capacity", OPTION_CAPACITY, "N,...", 0,
     "hits of LRU caches of so many keys or blocks (default: 1, 10, 100 ... "
     "100000)",
     0},
    {"bytes", OPTION_BYTES, "N,...", 0,
     "the same in bytes, where references have sizes (default: 1000, 10^6, "
     "10^9)",
     0},
    {"trace-format", OPTION_TRACE_FORMAT, "NAME", 0,
     "canonical, azure_llm, vidur, splitwise, mooncake, cache2k, webcachesim "
     "or access_log (default: auto, by content)",
     0},
    {"format", OPTION_FORMAT, "FORMAT", 0, "table (default) or json", 0},
    {"skip-bad-rows", OPTION_SKIP, NULL, 0,
     "count bad rows instead of stopping", 0},
    {"memory", OPTION_MEMORY, "SIZE", 0,
     "stop with an error above it (default: 1 GiB)", 0},
    {0},
};

static void take_list(struct argp_state *state, const char *option,
                      const char *text, struct list *list)
{
    char part[40];

    while (*text) {
        size_t length = strcspn(text, ",");

        if (length == 0 || length >= sizeof part)
            argp_error(state,
                       "'%s' needs numbers separated by commas, got "
                       "'%s'",
                       option, text);
        if (list->count == MOST_CAPACITIES)
            argp_error(state, "'%s' takes at most %d numbers", option,
                       MOST_CAPACITIES);
        memcpy(part, text, length);
        part[length] = '\0';
        list->values[list->count++] =
            options_count(state, option, part, 1, (uint64_t)1 << 60);
        text += length;
        if (*text == ',' && *++text == '\0')
            argp_error(state, "'%s' ends with a comma", option);
    }
}

static enum profile_format parse_trace_format(struct argp_state *state,
                                              const char *text)
{
    for (int i = 0; i < PROFILE_FORMAT_COUNT; i++)
        if (strcmp(text, profile_format_names[i]) == 0)
            return (enum profile_format)i;
    argp_error(
        state,
        "'--trace-format' needs one of auto, canonical, azure_llm, "
        "vidur, splitwise, mooncake, cache2k, webcachesim, access_log; got '%s'",
        text);
    return PROFILE_AUTO;
}

static bool parse_output(struct argp_state *state, const char *text)
{
    if (strcmp(text, "table") != 0 && strcmp(text, "json") != 0)
        argp_error(state,
                   "'--format' needs table or json, got '%s'; the file's own "
                   "format is '--trace-format'",
                   text);
    return strcmp(text, "json") == 0;
}

static void take_argument(struct trace_options *options, const char *argument,
                          struct argp_state *state)
{
    if (!options->named && strcmp(argument, "profile") != 0)
        argp_error(state, "expected 'profile' and a file, got '%s'", argument);
    else if (!options->named)
        options->named = true;
    else if (options->spec.path)
        argp_error(state, "'%s' is one argument too many", argument);
    else
        options->spec.path = argument;
}

static void put_defaults(struct trace_options *options)
{
    struct list *capacities = &options->capacities, *bytes = &options->bytes;

    if (capacities->count == 0)
        for (uint64_t n = 1; n <= 100000; n *= 10)
            capacities->values[capacities->count++] = n;
    if (bytes->count == 0)
        for (uint64_t n = 1000; n <= 1000000000; n *= 1000)
            bytes->values[bytes->count++] = n;
    options->spec.capacities = capacities->values;
    options->spec.capacity_count = capacities->count;
    options->spec.byte_capacities = bytes->values;
    options->spec.byte_capacity_count = bytes->count;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct trace_options *options = state->input;

    switch (key) {
    case OPTION_CAPACITY:
        take_list(state, "--capacity", argument, &options->capacities);
        return 0;
    case OPTION_BYTES:
        take_list(state, "--bytes", argument, &options->bytes);
        return 0;
    case OPTION_TRACE_FORMAT:
        options->spec.format = parse_trace_format(state, argument);
        return 0;
    case OPTION_FORMAT:
        options->json = parse_output(state, argument);
        return 0;
    case OPTION_SKIP:
        options->spec.skip_bad_rows = true;
        return 0;
    case OPTION_MEMORY:
        options->spec.memory_bytes = options_size(state, "--memory", argument);
        return 0;
    case ARGP_KEY_ARG:
        take_argument(options, argument, state);
        return 0;
    case ARGP_KEY_END:
        if (!options->spec.path)
            argp_error(state, "expected 'profile' and a file");
        put_defaults(options);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int print_profile(const struct trace_options *options,
                         const struct profile *profile)
{
    if (!options->json) {
        profile_write_text(profile, options->spec.path, stdout);
        return EXIT_DONE;
    }
    if (profile_write_json(profile, options->spec.path, stdout))
        return EXIT_DONE;
    command_complain("out of memory");
    return EXIT_FAILED;
}

int command_trace(int argc, char **argv)
{
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .args_doc = "profile FILE",
        .doc = "Say what is in a trace: rates and burstiness, sizes, how "
               "often keys and prefix blocks come back, and what LRU caches "
               "would hit.",
    };
    struct trace_options options = {
        .spec = {.memory_bytes = MEMORY_UNLESS_SAID,
                 .bad_rows_hint =
                     "--skip-bad-rows drops such rows and counts them"}};
    struct profile profile;
    struct diag diag = {0};
    int status = EXIT_BAD_INPUT;

    argp_parse(&argp, argc, argv, 0, NULL, &options);
    if (profile_make(&options.spec, &profile, &diag))
        status = print_profile(&options, &profile);
    if (diag.text)
        fputs(diag.text, stderr);
    profile_done(&profile);
    diag_done(&diag);
    return status;
}
