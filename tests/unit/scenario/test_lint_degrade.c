/* Warnings about tiered degradation. */
#include "sim/scenario/lint.h"

#include "tests/unit/scenario/scenario_text.h"

static struct scenario *with(const char *degrade, const char *front,
                             const char *workload)
{
    char text[1500];

    snprintf(text, sizeof text,
             "lbsim: 1\n"
             "duration: 1 min\n"
             "workload:\n"
             "  arrivals: {rate: 1.4/s}\n"
             "  work: {dist: exponential, mean: 1 s}\n"
             "%s"
             "nodes:\n"
             "  - {group: a, models: [big]}\n"
             "  - {group: b, models: [small]}\n"
             "routing: {table: {chat: [{model: big}, {model: small}]}}\n"
             "balancer:\n"
             "  degrade: {%s}\n"
             "%s"
             "policies: [random]\n",
             workload, degrade, front);
    return load_with(text, NULL, 0);
}

#define CHAT(more) \
    "  classes: [{name: chat, share: 100 %, model: big" more "}]\n"
#define TIMED "  timeout: {total: 10 s}\n"

static void lint(struct scenario *scenario)
{
    if (!loaded(scenario))
        return;
    scenario_lint(scenario, &last_diag);
    scenario_destroy(scenario);
}

static void says(const char *degrade, const char *front, const char *workload,
                 const char *warning)
{
    lint(with(degrade, front, workload));
    CHECK_UINT(last_diag.warnings, warning ? 1 : 0);
    if (warning && (!last_diag.text || !strstr(last_diag.text, warning))) {
        printf("%s: %s\n", degrade,
               last_diag.text ? last_diag.text : "no warning");
        CHECK(!warning);
    }
    diag_done(&last_diag);
}

static void sound_ones_are_fine(void)
{
    says("light: small", TIMED, CHAT(""), NULL);
    says("light: small", "", CHAT(", deadline: 10 s"), NULL);
    says("light: small, after: 3 s", "", CHAT(""), NULL);
    says("cached: {}", TIMED, CHAT("") "  keys: {dist: zipf, distinct: 9}\n",
         NULL);
}

static void times_without_an_effect_are_told(void)
{
    says("light: small", "", CHAT(""), "the primary has all the time");
    says("light: small, after: 10 s", TIMED, CHAT(""),
         "nothing is degraded for being late");
    says("light: small, after: 3 s, primary_share: 50 %", TIMED, CHAT(""),
         "'primary_share' has no effect");
}

static void levels_without_an_effect_are_told(void)
{
    says("failures: 3", TIMED, CHAT(""), "there is nothing to degrade to");
    says("light: small, cached: {}", TIMED, CHAT(""),
         "'cached' has no effect: requests have no keys");
    says("light: big", TIMED, CHAT(""), "asks for the light model itself");
    says("light_expected: 1 s, cached: {}", TIMED,
         CHAT("") "  keys: {dist: zipf, distinct: 9}\n",
         "'light_expected' has no effect");
    says("failures: 3, cached: {}", TIMED,
         CHAT("") "  keys: {dist: zipf, distinct: 9}\n",
         "'failures' has no effect: there is no light model");
    says("skip: 3 s, cached: {}", TIMED,
         CHAT("") "  keys: {dist: zipf, distinct: 9}\n",
         "'skip' has no effect: there is no light model");
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"sound ones are fine", sound_ones_are_fine},
        {"times without an effect are told", times_without_an_effect_are_told},
        {"levels without an effect are told",
         levels_without_an_effect_are_told},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("lint_degrade", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
