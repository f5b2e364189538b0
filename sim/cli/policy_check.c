#include "sim/cli/policy_check.h"

#include "policies/params.h"
#include "sim/cli/command.h"
#include "sim/conformance/conformance.h"
#include "sim/scenario/shared_policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_WIDTH = 12, REASON_SIZE = 300 };

/* ---- parameters ---- */

/* "name=value". False: it was complained about. */
static bool set_param(const struct lbp_ops *ops, void *config, const char *text)
{
    size_t length = strcspn(text, "=");
    const struct lbp_param *param = lbp_params_find(ops, text, length);
    char reason[REASON_SIZE];

    if (text[length] == '\0') {
        command_complain("'--param %s': write it as NAME=VALUE", text);
        return false;
    }
    if (!param) {
        command_complain("'--param %s': %s has no parameter '%.*s'", text,
                         ops->name, (int)length, text);
        return false;
    }
    text += length + 1;
    if (lbp_params_set(param, config, text, strlen(text), reason,
                       sizeof reason))
        return true;
    command_complain("%s", reason);
    return false;
}

static bool set_params(const struct policy_check *check,
                       const struct lbp_ops *ops, void *config)
{
    const char *wrong;

    lbp_params_preset(ops, config);
    for (size_t i = 0; i < check->params.count; i++)
        if (!set_param(ops, config, check->params.items[i]))
            return false;
    wrong = ops->check ? ops->check(config) : NULL;
    if (wrong)
        command_complain("policy %s: %s", ops->name, wrong);
    return wrong == NULL;
}

/* ---- results ---- */

/* Figures of this machine go to standard error: standard output is the same
   everywhere. */
static void tell(void *context, const struct conformance_result *result)
{
    static const char *const words[] = {"pass", "FAIL", "skip"};

    (void)context;
    printf("%s  %-*s%s\n", words[result->verdict], NAME_WIDTH, result->name,
           result->contract);
    if (result->seen[0])
        printf("%*s%s%s\n", NAME_WIDTH + 6, "",
               result->verdict == CONFORMANCE_FAIL ? "but: " : "",
               result->seen);
    fflush(stdout); /* what comes next may take its time */
    if (result->note[0])
        fprintf(stderr, "lbsim: %s: %s\n", result->name, result->note);
}

static int run(const struct policy_check *check, const struct lbp_ops *ops,
               const void *config, const char *file)
{
    struct conformance_setup setup = {.ops = ops,
                                      .config = config,
                                      .limit_ns = check->limit_ns,
                                      .tell = tell};
    struct conformance_books books;

    if (file)
        printf("%s from %s, against version %u of the contract:\n\n", ops->name,
               file, LBP_ABI);
    else
        printf("%s, against version %u of the contract:\n\n", ops->name,
               LBP_ABI);
    if (!conformance_run(&setup, &books)) {
        command_complain("no process or memory for the checks");
        return EXIT_FAILED;
    }
    printf("\n%u passed, %u failed, %u skipped\n", books.passed, books.failed,
           books.skipped);
    return books.failed > 0 ? EXIT_NEGATIVE : EXIT_DONE;
}

int policy_check_ops(const struct policy_check *check,
                     const struct lbp_ops *ops, const char *file)
{
    void *config = malloc(ops->config_size + 1);
    int status = EXIT_BAD_INPUT;

    if (!config) {
        command_complain("no memory");
        return EXIT_FAILED;
    }
    if (set_params(check, ops, config))
        status = run(check, ops, config, file);
    free(config);
    return status;
}

/* ---- shared objects ---- */

static void try_object(void *context)
{
    struct shared_policy shared;
    struct shared_policy_error error;

    if (shared_policy_open(&shared, context, &error))
        shared_policy_close(&shared);
}

/* An object that breaks the contract by what it says of itself has failed, as
   one that is none is bad input. */
static int refuse_object(const struct shared_policy_error *error)
{
    if (error->not_kept)
        printf("FAIL  %-*s%s\n", NAME_WIDTH, "entry", error->reason);
    else
        command_complain("%s", error->reason);
    if (error->hint)
        fprintf(stderr, "  hint: %s\n", error->hint);
    return error->not_kept ? EXIT_NEGATIVE : EXIT_BAD_INPUT;
}

int policy_check_object(const struct policy_check *check, const char *path)
{
    size_t size = strlen(path) + 1;
    char *copy = malloc(size);
    char how[CONFORMANCE_TEXT];
    struct shared_policy shared;
    struct shared_policy_error error;
    int status;

    if (!copy) {
        command_complain("no memory");
        return EXIT_FAILED;
    }
    memcpy(copy, path, size);
    if (!conformance_try(try_object, copy, check->limit_ns, how)) {
        printf("FAIL  %-*sopening it %s\n", NAME_WIDTH, "entry", how);
        status = EXIT_NEGATIVE;
    } else if (!shared_policy_open(&shared, path, &error)) {
        status = refuse_object(&error);
    } else {
        status = policy_check_ops(check, &shared.ops, path);
        shared_policy_close(&shared);
    }
    free(copy);
    return status;
}
