#include "sim/cli/command.h"

#include "sim/cli/options.h"
#include "sim/report/charts.h"

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
    const char *folder, *plots;
};

static const struct argp_option rows[] = {
    {"plots", OPTION_PLOTS, "DIR", 0,
     "Where the gnuplot scripts are; default: $LBSIM_PLOTS, else those that "
     "came with the program",
     0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct plot_options *options = state->input;

    switch (key) {
    case OPTION_PLOTS:
        options->plots = argument;
        return 0;
    case ARGP_KEY_ARG:
        if (options->folder)
            argp_error(state, "one folder at a time: '%s' is one too many",
                       argument);
        options->folder = argument;
        return 0;
    case ARGP_KEY_END:
        if (!options->folder)
            argp_error(state, "a result folder is needed");
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

int command_plot(int argc, char **argv)
{
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .args_doc = "DIR",
        .doc = "Draw the charts of a result folder, into DIR/charts.",
    };
    struct plot_options options = {0};
    char installed[PATH_SIZE];
    char *text = NULL;

    command_parse(&argp, argc, argv, &options);

    int charts =
        charts_draw(options.folder,
                    plots_folder(&options, installed, sizeof installed), &text);
    if (text)
        fputs(text, charts == CHARTS_DRAWN ? stdout : stderr);
    else
        command_complain("out of memory");
    free(text);
    return exit_status_of(charts);
}
