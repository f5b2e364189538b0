/* Warnings about what would begin when arrivals are over. */
#include "sim/scenario/lint.h"

#include "tests/unit/scenario/scenario_text.h"

/* Ten minutes; spikes of the main arrivals, and what else follows. */
static void lint_run(const char *spikes, const char *workload, const char *more)
{
    char text[4000];
    struct scenario *scenario;

    snprintf(text, sizeof text,
             "lbsim: 1\nduration: 10 min\nworkload:\n"
             "  arrivals: {rate: 12/s%s}\n"
             "  work: {dist: exponential, mean: 250 ms}\n"
             "  keys: {dist: zipf, distinct: 100}\n%s"
             "nodes:\n"
             "  - {group: gpu, count: 4}\npolicies: [least_conn]\n%s",
             spikes, workload, more);
    scenario = loaded(load_with(text, NULL, 0));
    if (!scenario)
        return;
    scenario_lint(scenario, &last_diag);
    scenario_destroy(scenario);
}

#define SPIKE(at) "{at: " at ", duration: 1 min, factor: 1.1}"
#define OVERLAY(at, length, spike)                                 \
    "  overlay:\n    - {name: more, at: " at ", duration: " length \
    ", arrivals: {rate: 0.1/s, spikes: [" spike "]}, "             \
    "work: {dist: constant, value: 10 ms}}\n"
#define OUTAGE(at) "result_tier: {outages: [{at: " at ", for: 1 min}]}\n"

static void what_begins_in_time_is_fine(void)
{
    lint_run(", spikes: [" SPIKE("9 min") "]",
             OVERLAY("599 s", "1 s", SPIKE("0.5 s")), OUTAGE("599 s"));
    CHECK_UINT(last_diag.warnings, 0);
}

static void an_outage_behind_the_end_is_told(void)
{
    lint_run("", "", OUTAGE("10 min"));
    CHECK(complained("the outage has no effect: it begins when arrivals are "
                     "over, after 10 min"));
    CHECK_UINT(last_diag.warnings, 1);
}

static void a_spike_behind_the_end_is_told(void)
{
    lint_run(", spikes: [" SPIKE("1 min") ", " SPIKE("10 min") "]", "", "");
    CHECK(complained("the spike has no effect: it begins when arrivals are "
                     "over, after 10 min"));
    CHECK_UINT(last_diag.warnings, 1);
}

static void an_overlay_behind_the_end_is_told_once(void)
{
    lint_run("", OVERLAY("10 min", "1 s", SPIKE("5 s")), "");
    CHECK(complained("the overlay has no effect: it begins when arrivals are "
                     "over, after 10 min"));
    CHECK_UINT(last_diag.warnings, 1);
}

/* Its own time starts when it begins. */
static void spikes_of_an_overlay_go_by_its_own_end(void)
{
    lint_run("", OVERLAY("5 min", "2 min", SPIKE("2 min")), "");
    CHECK(complained("the spike has no effect: it begins when arrivals are "
                     "over, after 2 min"));
    CHECK_UINT(last_diag.warnings, 1);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"what begins in time is fine", what_begins_in_time_is_fine},
        {"an outage behind the end is told", an_outage_behind_the_end_is_told},
        {"a spike behind the end is told", a_spike_behind_the_end_is_told},
        {"an overlay behind the end is told once",
         an_overlay_behind_the_end_is_told_once},
        {"spikes of an overlay go by its own end",
         spikes_of_an_overlay_go_by_its_own_end},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("lint times", NULL, NULL, NULL, forget_diag, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
