#include "sim/cli/command.h"

#include "sim/cli/baseline_options.h"
#include "sim/experiment/baseline.h"
#include "sim/experiment/regression.h"
#include "sim/report/check_report.h"
#include "sim/report/report.h"
#include "sim/report/whole_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static error_t parse(int key, char *argument, struct argp_state *state)
{
    (void)argument;
    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    state->child_inputs[0] = state->input;
    return 0;
}

/* What a check will be able to tell. */
static void tell_power(const struct scenario *scenario, uint32_t runs)
{
    size_t tests =
        (size_t)scenario->policy_count * scenario->check.tolerance_count;
    uint32_t fewest =
        regressions_fewest_pairs(tests, scenario->check.false_alarms);

    if (runs < fewest)
        printf("- so few replications cannot raise an alarm about all "
               "of them at once: that takes %" PRIu32 ", and %" PRIu32
               " make it likely (check.replications)\n",
               fewest, fewest + 5);
}

static void tell(const struct baseline_options *options,
                 const struct scenario *scenario,
                 const struct experiment_result *result)
{
    printf("%s: %s, seed %" PRIu64 ": %" PRIu32 " polic%s, %" PRIu32
           " measures, ",
           options->path, scenario->name, scenario->seed,
           scenario->policy_count, scenario->policy_count == 1 ? "y" : "ies",
           scenario->check.tolerance_count);
    if (baseline_is_exact(scenario, result)) {
        printf("one run, as nothing is random\n");
        return;
    }
    printf("%" PRIu32 " replication%s\n", result->replications,
           result->replications == 1 ? "" : "s");
    tell_power(scenario, result->replications);
}

/* ---- what stood there ---- */

static bool same_values(const struct baseline_measure *a,
                        const struct baseline_measure *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (isnan(a->values[i]) != isnan(b->values[i]) ||
            (!isnan(a->values[i]) && a->values[i] != b->values[i]))
            return false;
    return true;
}

/* Of the measures that both have. */
static void tell_values(const struct baseline *then, const struct baseline *now)
{
    uint32_t both = 0, changed = 0;

    for (uint32_t i = 0; i < now->policy_count; i++) {
        const struct baseline_policy *is = &now->policies[i];
        const struct baseline_policy *was = baseline_pair(now, is, then);

        for (uint32_t m = 0; was && m < is->measure_count; m++) {
            const struct baseline_measure *old_one =
                baseline_find_measure(was, is->measures[m].name);

            if (!old_one)
                continue;
            both++;
            changed += then->runs != now->runs ||
                       !same_values(old_one, &is->measures[m], now->runs);
        }
    }
    printf("- replaces a baseline of the same settings: %" PRIu32 " of %" PRIu32
           " measures have changed\n",
           changed, both);
}

/* Complaints of diag without the name of the file. */
static void tell_differences(const struct diag *diag)
{
    const char *at = diag->text;

    while (at && (at = strstr(at, "error: ")) != NULL) {
        int length;

        at += 7;
        length = (int)strcspn(at, "\n");
        printf("- replaces a baseline of another kind: %.*s\n", length, at);
        at += length;
    }
}

static void tell_replaced(const struct baseline *then,
                          const struct baseline *now)
{
    struct diag diag = {0};

    if (then && now) {
        bool differs = baseline_differs(then, now, &diag);

        if (baseline_lacks_policies(then, now, false, &diag) || differs)
            tell_differences(&diag);
        else
            tell_values(then, now);
    }
    diag_done(&diag);
}

/* ret: NULL if there is none, or it cannot be read, which is told. */
static struct baseline *read_replaced(const char *path)
{
    struct diag diag = {0};
    struct baseline *baseline = NULL;
    size_t length;
    char *text = whole_file_read(path, BASELINE_SIZE_MAX, &length);

    if (text && length > 0) {
        baseline = baseline_parse(path, text, length, &diag);
        if (!baseline)
            printf("- replaces a baseline that cannot be read\n");
    }
    free(text);
    diag_done(&diag);
    return baseline;
}

/* After the new one is told of; then is what stood there, or NULL. */
static void tell_change(const struct baseline *then, const char *text)
{
    struct diag diag = {0};
    struct baseline *now =
        then ? baseline_parse("now", text, strlen(text), &diag) : NULL;

    tell_replaced(then, now);
    baseline_destroy(now);
    diag_done(&diag);
}

static int keep(const struct baseline_options *options,
                const struct scenario *scenario,
                const struct experiment_result *result)
{
    char *text = baseline_text(scenario, result, LBSIM_VERSION);
    struct baseline *then;
    int status;

    if (!text) {
        command_complain("out of memory");
        return EXIT_FAILED;
    }
    then = read_replaced(options->path);
    status = baseline_store(options->path, text);
    if (status == EXIT_DONE) {
        tell(options, scenario, result);
        tell_change(then, text);
    }
    baseline_destroy(then);
    free(text);
    return status;
}

/* What is kept, and how. */
struct keeping {
    const struct baseline_options *options;
    const struct scenario *scenario;
};

/* Of a part no baseline is kept; the session says why it is one. */
static int end(void *context, struct session *session,
               const struct experiment_result *result)
{
    const struct keeping *keeping = context;
    struct report_input input = {keeping->scenario, result};
    bool whole = result->end == EXPERIMENT_WHOLE;
    int kept =
        whole ? keep(keeping->options, keeping->scenario, result) : EXIT_DONE;
    int status = session_end_result(session, &input, kept == EXIT_DONE);

    if (!whole)
        command_complain("no baseline is kept of a part");
    return status;
}

static int simulate(void *context, struct session *session)
{
    const struct keeping *keeping = context;

    return frame_experiment(session, keeping->scenario, end, context);
}

static int keep_baseline(void *context, struct scenario *scenario)
{
    const struct baseline_options *options = context;
    struct keeping keeping = {options, scenario};
    int status = baseline_may_store(options->path);

    return status == EXIT_DONE
               ? frame_session(&options->frame, simulate, &keeping)
               : status;
}

int command_baseline(int argc, char **argv)
{
    static const struct argp_child children[] = {
        {&baseline_options_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .parser = parse,
        .args_doc = "FILE",
        .doc = "Simulate a scenario and keep what it yields as a baseline, a "
               "text for version control. `lbsim check` then tells whether a "
               "change made it worse.",
        .children = children,
    };
    struct baseline_options options = {0};

    command_parse(&argp, argc, argv, &options);
    return baseline_options_run(&options, keep_baseline, &options);
}
