#include "sim/cli/command.h"

#include "policies/registry.h"
#include "sim/cli/options.h"
#include "sim/scenario/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HINT_SIZE 300

struct settings_options {
    const char *path; /* NULL: all */
    bool markdown;
};

static const struct argp_option rows[] = {
    {"format", OPTION_FORMAT, "FORMAT", 0,
     "text (default), or markdown: the reference page of all settings", 0},
    {0},
};

static bool parse_format(struct argp_state *state, const char *text)
{
    if (strcmp(text, "text") != 0 && strcmp(text, "markdown") != 0)
        argp_error(state, "'--format' needs text or markdown, got '%s'", text);
    return strcmp(text, "markdown") == 0;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct settings_options *options = state->input;

    switch (key) {
    case OPTION_FORMAT:
        options->markdown = parse_format(state, argument);
        return 0;
    case ARGP_KEY_ARG:
        if (options->path)
            argp_error(state, "'%s' is one argument too many", argument);
        options->path = argument;
        return 0;
    case ARGP_KEY_END:
        if (options->markdown && options->path)
            argp_error(state,
                       "the page in markdown is of all settings, so it "
                       "has no use for '%s'",
                       options->path);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* A policy's own parameters are in no table of settings. */
static bool hint_at_policy(const char *path, char *out, size_t size)
{
    const char *names = path + (strncmp(path, "policies[].", 11) == 0 ? 11 : 0);
    size_t length = strcspn(names, ".");
    const struct lbp_ops *ops = lbp_registry_find(names, length);

    if (ops)
        snprintf(out, size, "'lbsim policies %s' lists its parameters",
                 ops->name);
    return ops != NULL;
}

static int complain_unknown(const char *path)
{
    char hint[HINT_SIZE] = "";

    command_complain("unknown setting '%s'", path);
    if (!hint_at_policy(path, hint, sizeof hint))
        settings_path_hint(path, hint, sizeof hint);
    if (hint[0])
        fprintf(stderr, "  hint: %s\n", hint);
    return EXIT_BAD_INPUT;
}

int command_settings(int argc, char **argv)
{
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .args_doc = "[PATH]",
        .doc = "List all settings of a scenario, those below a path such as "
               "balancer.health, or everything about one.",
    };
    struct settings_options options = {0};

    command_parse(&argp, argc, argv, &options);

    char *text =
        options.markdown ? settings_markdown() : settings_text(options.path);
    if (text) {
        fputs(text, stdout);
        free(text);
        return EXIT_DONE;
    }
    if (options.path && !settings_find(options.path))
        return complain_unknown(options.path);
    command_complain("out of memory");
    return EXIT_FAILED;
}
