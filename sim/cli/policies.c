#include "sim/cli/command.h"

#include "policies/registry.h"
#include "sim/cli/options.h"
#include "sim/cli/policy_check.h"
#include "sim/scenario/shared_policy.h"
#include "workloads/diag.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void list_policies(void)
{
    uint32_t count;
    const struct lbp_ops *const *list = lbp_registry_list(&count);
    int width = 0;

    for (uint32_t i = 0; i < count; i++)
        if ((int)strlen(list[i]->name) > width)
            width = (int)strlen(list[i]->name);
    for (uint32_t i = 0; i < count; i++)
        printf("%-*s  %s\n", width, list[i]->name, list[i]->summary);
    puts("\n'lbsim policies NAME' explains one and lists its parameters");
}

/* ---- one policy ---- */

static const char *kind_name(enum lbp_param_kind kind)
{
    static const char *const names[] = {
        [LBP_REAL] = "number",
        [LBP_SHARE] = "share",
        [LBP_COUNT] = "count",
        [LBP_DURATION] = "duration",
        [LBP_SWITCH] = "true or false",
        [LBP_CHOICE] = "choice",
        [LBP_TEXT] = "text",
    };

    return names[kind];
}

static void print_bound(const struct lbp_param *param, double value)
{
    printf("%.9g%s", value, param->kind == LBP_DURATION ? " s" : "");
}

static void print_range(const struct lbp_param *param)
{
    if (param->kind == LBP_CHOICE) {
        printf("    one of:   ");
        for (const char *at = param->choices; *at; at++)
            if (*at == '|')
                fputs(", ", stdout);
            else
                putchar(*at);
        putchar('\n');
        return;
    }
    if (param->kind == LBP_SWITCH || param->kind == LBP_TEXT ||
        !(param->min < param->max))
        return;
    printf("    range:    ");
    print_bound(param, param->min);
    printf(" to ");
    print_bound(param, param->max);
    putchar('\n');
}

static void print_param(const struct lbp_param *param)
{
    printf("  %s (%s)\n    %s\n    default:  %s", param->name,
           kind_name(param->kind), param->help,
           param->preset ? param->preset : "off");
    if (param->like)
        printf(" (as %s)", param->like);
    putchar('\n');
    print_range(param);
}

static void print_needs(uint32_t needs)
{
    static const struct {
        uint32_t need;
        const char *name;
    } names[] = {
        {LBP_NEEDS_KEY, "the request's key"},
        {LBP_NEEDS_BLOCKS, "prefix blocks"},
        {LBP_NEEDS_TEXT, "the prompt's text"},
        {LBP_NEEDS_REPORTS, "reports of the nodes"},
        {LBP_NEEDS_PROBES, "probes"},
        {LBP_NEEDS_SESSION, "the session"},
    };
    const char *separator = "needs:     ";

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!(needs & names[i].need))
            continue;
        printf("%s%s", separator, names[i].name);
        separator = ", ";
    }
    if (needs & ~(uint32_t)LBP_PREDICTS)
        putchar('\n');
    if (needs & LBP_PREDICTS)
        puts("offers:    predictions of latency, whose errors are reported");
}

static void explain_policy(const struct lbp_ops *ops)
{
    printf("%s\n\nrule:      %s\ntie rule:  %s\n", ops->name, ops->summary,
           ops->tie_rule);
    print_needs(ops->needs);
    if (!ops->params || !ops->params->name) {
        puts("\nno parameters");
        return;
    }
    puts("\nparameters:");
    for (const struct lbp_param *param = ops->params; param->name; param++)
        print_param(param);
}

static int complain_unknown(const char *name)
{
    uint32_t count;
    const struct lbp_ops *const *list = lbp_registry_list(&count);
    const char **names = calloc(count + 1, sizeof *names);

    command_complain("unknown policy '%s'", name);
    for (uint32_t i = 0; names && i < count; i++)
        names[i] = list[i]->name;

    const char *meant = lbp_registry_meant(name, strlen(name));
    const char *nearest =
        names ? diag_nearest(name, strlen(name), names) : NULL;
    if (meant)
        fprintf(stderr, "  hint: here it is called '%s'; ", meant);
    else if (nearest)
        fprintf(stderr, "  hint: did you mean '%s'? ", nearest);
    else
        fputs("  hint: ", stderr);
    fputs("'lbsim policies' lists all\n", stderr);
    free(names);
    return EXIT_BAD_INPUT;
}

/* ---- the command ---- */

struct policies_options {
    const char *name;
    bool check;
    struct policy_check setup;
};

static const struct argp_option rows[] = {
    {"check", OPTION_CHECK, 0, 0,
     "Check that it keeps the contract (policies/lbp.h): one line for each "
     "promise; status 0 when all are kept, 1 when one is broken",
     0},
    {"param", OPTION_PARAM, "NAME=VALUE", 0,
     "With --check: set a parameter; may be repeated", 0},
    {"limit-time", OPTION_LIMIT_TIME, "TIME", 0,
     "With --check: the longest that one promise may take (default 10 s)", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct policies_options *options = state->input;

    switch (key) {
    case OPTION_CHECK:
        options->check = true;
        return 0;
    case OPTION_PARAM:
        if (!texts_add(&options->setup.params, "%s", argument))
            argp_failure(state, EXIT_FAILED, 0, "no memory");
        return 0;
    case OPTION_LIMIT_TIME:
        options->setup.limit_ns =
            options_duration_ns(state, "--limit-time", argument);
        if (options->setup.limit_ns == 0)
            argp_error(state, "'--limit-time' needs more than 0 s");
        return 0;
    case ARGP_KEY_ARG:
        if (options->name)
            argp_error(state, "'%s' is one argument too many", argument);
        options->name = argument;
        return 0;
    case ARGP_KEY_END:
        if (options->check && !options->name)
            argp_error(state, "'--check' needs the name of a policy, or the "
                              "file of a shared object");
        if (!options->check && options->setup.params.count > 0)
            argp_error(state, "'--param' has a use with '--check' alone");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* A path, and no name of a policy: those have no slash and no ending. */
static bool names_file(const char *name)
{
    size_t length = strlen(name);

    return strchr(name, '/') ||
           (length > 3 && strcmp(name + length - 3, ".so") == 0);
}

static int explain_object(const char *path)
{
    struct shared_policy shared;
    struct shared_policy_error error;

    if (!shared_policy_open(&shared, path, &error)) {
        command_complain("%s", error.reason);
        if (error.hint)
            fprintf(stderr, "  hint: %s\n", error.hint);
        return EXIT_BAD_INPUT;
    }
    explain_policy(&shared.ops);
    shared_policy_close(&shared);
    return EXIT_DONE;
}

static int show(const struct policies_options *options)
{
    const char *name = options->name;
    const struct lbp_ops *ops;

    if (!name) {
        list_policies();
        return EXIT_DONE;
    }
    if (names_file(name))
        return options->check ? policy_check_object(&options->setup, name)
                              : explain_object(name);
    ops = lbp_registry_find(name, strlen(name));
    if (!ops)
        return complain_unknown(name);
    if (options->check)
        return policy_check_ops(&options->setup, ops, NULL);
    explain_policy(ops);
    return EXIT_DONE;
}

int command_policies(int argc, char **argv)
{
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .args_doc = "[NAME|FILE.so]",
        .doc = "List the policies, or explain one: its rule, how it breaks "
               "ties, and its parameters. A shared object is named by its "
               "file.",
    };
    struct policies_options options = {
        .setup = {.limit_ns = POLICY_CHECK_LIMIT_NS}};
    int status;

    command_parse(&argp, argc, argv, &options);
    status = show(&options);
    texts_done(&options.setup.params);
    return status;
}
