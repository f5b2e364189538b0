#include "sim/cli/command.h"

#include "sim/cli/baseline_options.h"
#include "sim/cli/session.h"
#include "sim/experiment/baseline.h"
#include "sim/experiment/regression.h"
#include "sim/report/check_report.h"
#include "sim/report/report.h"
#include "sim/scenario/loader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

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

static int keep(const struct baseline_options *options,
                const struct scenario *scenario,
                const struct experiment_result *result)
{
    char *text = baseline_text(scenario, result, LBSIM_VERSION);
    int status;

    if (!text) {
        command_complain("out of memory");
        return EXIT_FAILED;
    }
    status = baseline_store(options->path, text);
    if (status == EXIT_DONE)
        tell(options, scenario, result);
    free(text);
    return status;
}

/* Of a part no baseline is kept; the session says why it is one. */
static int end(const struct baseline_options *options, struct session *session,
               const struct scenario *scenario,
               const struct experiment_result *result)
{
    struct report_input input = {scenario, result};
    bool whole = result->end == EXPERIMENT_WHOLE;
    int kept = whole ? keep(options, scenario, result) : EXIT_DONE;
    int status = session_end_result(session, &input, kept == EXIT_DONE);

    if (!whole)
        command_complain("no baseline is kept of a part");
    return status;
}

static int simulate_and_keep(const struct baseline_options *options,
                             const struct scenario *scenario)
{
    struct experiment_result result = {0};
    struct session session;
    int status = baseline_may_store(options->path);

    if (status != EXIT_DONE)
        return status;
    session_begin(&session, &options->experiment);
    status = session_open(&session);
    if (status == EXIT_DONE) {
        enum experiment_status outcome =
            session_experiment(&session, scenario, &result);

        if (outcome != EXPERIMENT_OK)
            status = session_complain(outcome, scenario, &result);
        else if (session_is_shard(&session))
            status = session_end_shard(&session);
        else
            status = end(options, &session, scenario, &result);
    }
    session_end(&session);
    outcome_done(&result);
    return status;
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
    struct scenario *scenario;
    int status;

    command_parse(&argp, argc, argv, &options);
    scenario = baseline_options_load(&options, &status);
    if (scenario)
        status = simulate_and_keep(&options, scenario);
    scenario_destroy(scenario);
    baseline_options_done(&options);
    return status;
}
