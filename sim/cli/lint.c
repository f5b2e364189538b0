#include "sim/cli/command.h"

#include "sim/cli/options.h"
#include "sim/scenario/lint.h"
#include "sim/scenario/loader.h"

#include <stdio.h>

static error_t parse(int key, char *argument, struct argp_state *state)
{
    (void)argument;
    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    state->child_inputs[0] = state->input;
    return 0;
}

static void say_verdict(const char *file, const struct diag *diag)
{
    if (diag->warnings == 0)
        printf("%s: ok\n", file);
    else
        printf("%s: ok, with %u warning%s\n", file, diag->warnings,
               diag->warnings == 1 ? "" : "s");
}

int command_lint(int argc, char **argv)
{
    static const struct argp_child children[] = {
        {&scenario_options_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .parser = parse,
        .args_doc = "FILE",
        .doc = "Check a scenario without running it: what is wrong is an "
               "error (status 2), what you may not mean is a warning. Its "
               "policies are asked for picks: code of a shared object runs.",
        .children = children,
    };
    struct scenario_options options = {0};
    struct diag diag = {0};

    command_parse(&argp, argc, argv, &options);

    struct scenario *scenario = scenario_options_load(&options, true, &diag);
    if (scenario)
        scenario_lint(scenario, &diag);
    command_tell(&diag);
    if (scenario)
        say_verdict(options.file, &diag);

    int status = scenario ? EXIT_DONE : command_load_status(&diag);
    scenario_destroy(scenario);
    scenario_options_done(&options);
    diag_done(&diag);
    return status;
}
