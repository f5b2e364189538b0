/* Warnings about nodes that come and go. */
#include "sim/scenario/lint.h"

#include "tests/unit/scenario/scenario_text.h"

/* One group of two nodes with this, asked once a second. */
static void lint(const char *more)
{
    char text[1500];
    struct scenario *scenario;

    snprintf(text, sizeof text,
             "lbsim: 1\n"
             "duration: 1 min\n"
             "workload:\n"
             "  arrivals: {rate: 1.4/s}\n"
             "  work: {dist: exponential, mean: 1 s}\n"
             "nodes: [{group: n, count: 2, %s}]\n"
             "policies: [random]\n",
             more);
    scenario = load_with(text, NULL, 0);
    if (!loaded(scenario))
        return;
    scenario_lint(scenario, &last_diag);
    scenario_destroy(scenario);
}

static void says(const char *more, const char *warning)
{
    lint(more);
    CHECK_UINT(last_diag.warnings, 1);
    if (!last_diag.text || !strstr(last_diag.text, warning)) {
        printf("%s: %s\n", more, last_diag.text ? last_diag.text : "nothing");
        CHECK(!warning);
    }
    diag_done(&last_diag);
}

static void is_fine(const char *more)
{
    lint(more);
    if (last_diag.warnings > 0)
        printf("%s: %s\n", more, last_diag.text);
    CHECK_UINT(last_diag.warnings, 0);
    diag_done(&last_diag);
}

#define START "start_up: {provision: 60 s}, "

static void sound_groups_are_fine(void)
{
    is_fine(START "autoscale: {max: 2, down: {window: 1 min}}");
    is_fine(START "autoscale: {rule: kpa, min: 0, max: 2}");
    is_fine(
        "start_up: {init: 8 s}, rollout: {at: 10 s}, drain: {timeout: 5 s}");
    is_fine(START "autoscale: {rule: staffing, max: 2, "
                  "target: {wait_probability: 5 %}}");
}

static void settings_of_other_rules_are_told(void)
{
    says(START "autoscale: {rule: kpa, max: 2, down: {window: 1 min}}",
         "'down' has no effect on this rule: it is of hpa and keda");
    says(START "autoscale: {max: 2, kpa: {grace: 1 s}}",
         "'kpa' has no effect on this rule: it is of kpa");
    says(START "autoscale: {max: 2, day: 24 h}",
         "'day' has no effect on this rule");
    says(START "autoscale: {rule: demand, max: 2, sync: 1 s}",
         "'sync' has no effect on this rule");
    says(START "autoscale: {rule: schedule, max: 2, schedule: 1 at 10 s, "
               "target: {gpu: 60 %}}",
         "'target' has no effect: the clock decides");
    says(START "autoscale: {max: 2, target: {gpu: 60 %, "
               "wait_probability: 5 %}}",
         "'wait_probability' has no effect");
}

static void scaling_that_is_none_is_told(void)
{
    says(START "autoscale: {min: 2, max: 2}", "cannot be scaled");
    says("autoscale: {max: 2}", "serve at once, which makes scaling easy");
    says(START "autoscale: {max: 2, scrape: 1 min}",
         "see no new metrics: 'scrape' is longer");
    says(START "autoscale: {rule: schedule, max: 3, schedule: \"3 at 5 s, 4 at "
               "10 s\"}",
         "'schedule' asks for 4, but there are 1 to 3 nodes");
    says(START "autoscale: {rule: schedule, max: 3, schedule: 0 at 5 s}",
         "'schedule' asks for 0, but there are 1 to 3 nodes");
}

static void start_ups_without_effect_are_told(void)
{
    says("start_up: {provision: 60 s}", "no node comes or goes");
    says("drain: {timeout: 60 s}", "'drain' has no effect");
    says("start_up: {init: 8 s, per_second: 1 GB}, autoscale: {max: 2}",
         "'per_second' has no effect: nothing is loaded");
    says("start_up: {init: 8 s, warm_up_requests: 3}, autoscale: {max: 2}",
         "'warm_up_requests' has no effect");
}

static void noise_on_no_time_is_told(void)
{
    is_fine("start_up: {provision: 60 s, provision_noise: {dist: exponential}, "
            "init: 8 s, load_noise: {dist: gamma, shape: 2}}, autoscale: {max: "
            "2, lag: 1 s, lag_noise: {dist: exponential}}");
    says("rollout: {at: 10 s}, start_up: {init: 8 s, provision_noise: "
         "{dist: exponential}}",
         "'provision_noise' has no effect: provisioning takes no time");
    says("start_up: {provision: 60 s, load_noise: {dist: exponential}}, "
         "autoscale: {max: 2}",
         "'load_noise' has no effect: to load and to warm up takes no time");
    says(START "autoscale: {max: 2, lag_noise: {dist: exponential}}",
         "'lag_noise' has no effect: there is no lag");
}

static void rollouts_without_effect_are_told(void)
{
    says("start_up: {init: 8 s}, rollout: {at: 2 min}",
         "the rollout has no effect");
    says("rollout: {at: 10 s}", "are back the moment they are empty");
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"sound groups are fine", sound_groups_are_fine},
        {"settings of other rules are told", settings_of_other_rules_are_told},
        {"scaling that is none is told", scaling_that_is_none_is_told},
        {"start-ups without effect are told",
         start_ups_without_effect_are_told},
        {"noise on no time is told", noise_on_no_time_is_told},
        {"rollouts without effect are told", rollouts_without_effect_are_told},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("lint scaling", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
