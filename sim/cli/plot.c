#include "sim/cli/command.h"

#include "sim/cli/options.h"
#include "sim/report/charts.h"

#include <stdio.h>
#include <stdlib.h>

#ifndef LBSIM_PLOTS_DIR
#define LBSIM_PLOTS_DIR "plots" /* the build hands in where it really is */
#endif

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

static const char *plots_folder(const struct plot_options *options)
{
    const char *named = getenv("LBSIM_PLOTS");

    if (options->plots)
        return options->plots;
    return named && named[0] ? named : LBSIM_PLOTS_DIR;
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
    char *text = NULL;

    argp_parse(&argp, argc, argv, 0, NULL, &options);

    int charts = charts_draw(options.folder, plots_folder(&options), &text);
    if (text)
        fputs(text, charts == CHARTS_DRAWN ? stdout : stderr);
    else
        command_complain("no memory");
    free(text);
    return exit_status_of(charts);
}
