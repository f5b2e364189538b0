#include "sim/cli/command.h"

#include "sim/cli/options.h"
#include "sim/report/charts.h"
#include "sim/report/charts_against.h"
#include "sim/report/charts_plan.h"
#include "sim/report/charts_power.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef LBSIM_PLOTS_DIR
#define LBSIM_PLOTS_DIR "plots" /* the build hands in where it really is */
#endif

enum { PATH_SIZE = 4096 };

struct plot_options {
    const char **folders; /* [folder_count] */
    size_t folder_count;
    const char *plots, *against, *measure, *output;
    bool power; /* the one argument is a CSV file */
};

static const struct argp_option rows[] = {
    {"against", OPTION_AGAINST, "SETTING", 0,
     "One chart of several folders: a measure against a setting in which their "
     "scenarios differ, such as balancer.report_interval",
     0},
    {"measure", OPTION_MEASURE, "NAME", 0,
     "With --against: what to draw; default: the objective", 0},
    {"power", OPTION_POWER, 0, 0,
     "The power curve in the file that 'lbsim compare --power --format csv' or "
     "'lbsim check --power --format csv' printed",
     0},
    {"output", 'o', "FOLDER", 0,
     "With --against and --power: where to write the pictures; default: here",
     0},
    {"plots", OPTION_PLOTS, "DIR", 0,
     "Where the gnuplot scripts are; default: $LBSIM_PLOTS, else those that "
     "came with the program",
     0},
    {0},
};

static void check_power(struct argp_state *state,
                        const struct plot_options *options)
{
    if (options->folder_count != 1)
        argp_error(state, "--power needs one file, as 'lbsim compare --power "
                          "--format csv' or 'lbsim check --power --format csv' "
                          "prints it");
    if (options->against || options->measure)
        argp_error(state, "--%s does not go with --power",
                   options->against ? "against" : "measure");
}

static void check(struct argp_state *state, const struct plot_options *options)
{
    if (options->power) {
        check_power(state, options);
        return;
    }
    if (options->folder_count == 0)
        argp_error(state, "a result folder is needed");
    if (options->against)
        return;
    if (options->folder_count > 1)
        argp_error(state,
                   "one folder at a time: '%s' is one too many, unless "
                   "--against says what to compare",
                   options->folders[1]);
    if (options->measure || options->output)
        argp_error(state, options->measure
                              ? "--measure goes with --against"
                              : "--output goes with --against or --power");
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct plot_options *options = state->input;

    switch (key) {
    case OPTION_PLOTS:
        options->plots = argument;
        return 0;
    case OPTION_POWER:
        options->power = true;
        return 0;
    case OPTION_AGAINST:
        options->against = argument;
        return 0;
    case OPTION_MEASURE:
        options->measure = argument;
        return 0;
    case 'o':
        options->output = argument;
        return 0;
    case ARGP_KEY_ARG:
        options->folders[options->folder_count++] = argument;
        return 0;
    case ARGP_KEY_END:
        check(state, options);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/*
 * Of a program that is installed, the scripts lie in share/ beside its folder,
 * wherever that has been moved to; else they are those of the sources.
 * Returns false when it is not installed.
 */
static bool find_installed(char *ret_folder, size_t size)
{
    static const char beside[] = "/../share/lbsim/plots";
    ssize_t length = readlink("/proc/self/exe", ret_folder, size);
    struct stat about;

    if (length <= 0 || (size_t)length >= size - sizeof beside)
        return false;
    while (length > 0 && ret_folder[length - 1] != '/')
        length--;
    if (length > 1)
        length--; /* the slash is part of what follows */
    memcpy(ret_folder + length, beside, sizeof beside);
    return stat(ret_folder, &about) == 0 && S_ISDIR(about.st_mode);
}

/* installed, of size bytes, is where the answer may be written. */
static const char *plots_folder(const struct plot_options *options,
                                char *installed, size_t size)
{
    const char *named = getenv("LBSIM_PLOTS");

    if (options->plots)
        return options->plots;
    if (named && named[0])
        return named;
    return find_installed(installed, size) ? installed : LBSIM_PLOTS_DIR;
}

static int exit_status_of(int charts)
{
    switch (charts) {
    case CHARTS_DRAWN:
        return EXIT_DONE;
    case CHARTS_BAD_FOLDER:
        return EXIT_BAD_INPUT;
    default:
        return EXIT_FAILED;
    }
}

static int draw(const struct plot_options *options, char **ret_text)
{
    char installed[PATH_SIZE];
    const char *plots = plots_folder(options, installed, sizeof installed);
    struct charts_against against = {
        .setting = options->against,
        .measure = options->measure,
        .folders = options->folders,
        .folder_count = options->folder_count,
        .output = options->output ? options->output : ".",
        .plots = plots,
    };

    if (options->power)
        return charts_draw_power(options->folders[0], against.output, plots,
                                 ret_text);
    if (options->against)
        return charts_draw_against(&against, ret_text);
    if (charts_is_plan(options->folders[0]))
        return charts_draw_plan(options->folders[0], plots, ret_text);
    return charts_draw(options->folders[0], plots, ret_text);
}

int command_plot(int argc, char **argv)
{
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .args_doc = "DIR\n--against SETTING DIR DIR...\n--power FILE",
        .doc = "Draw the charts of a result folder, into DIR/charts; or one "
               "chart of several folders, or of a power curve.",
    };
    struct plot_options options = {
        .folders = calloc((size_t)argc + 1, sizeof *options.folders)};
    char *text = NULL;

    if (!options.folders) {
        command_complain("no memory");
        return EXIT_FAILED;
    }
    command_parse(&argp, argc, argv, &options);

    int charts = draw(&options, &text);
    free(options.folders);
    if (text)
        fputs(text, charts == CHARTS_DRAWN ? stdout : stderr);
    else
        command_complain("out of memory");
    free(text);
    return exit_status_of(charts);
}
