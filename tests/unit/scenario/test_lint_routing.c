/* Warnings about models, routing and the classifier. */
#include "sim/scenario/lint.h"

#include "tests/unit/scenario/scenario_text.h"

/* Two classes over two groups; what stands in %s is added to the second group,
   and more follows. */
static void lint_fleet(const char *group, const char *more)
{
    char text[4000];
    struct scenario *scenario;

    snprintf(text, sizeof text,
             "lbsim: 1\nduration: 10 min\nworkload:\n"
             "  arrivals: {process: poisson, rate: 12/s}\n"
             "  work: {dist: exponential, mean: 250 ms}\n"
             "  classes:\n"
             "    - {name: chat, share: 60 %%, model: chat}\n"
             "    - {name: light, share: 40 %%, model: light}\n"
             "nodes:\n"
             "  - {group: gpu, count: 4, weight: 2, models: [chat, light]}\n"
             "  - {group: cpu, count: 2, engine: {speed: 0.9}%s}\n%s",
             group, more);
    scenario = loaded(load_with(text, NULL, 0));
    if (!scenario)
        return;
    scenario_lint(scenario, &last_diag);
    scenario_destroy(scenario);
}

#define TABLE \
    "routing: {table: {chat: [{model: chat}], light: [{model: light}]}}\n"

static void a_routed_fleet_is_fine(void)
{
    lint_fleet(", models: [light], max_context: 4k",
               TABLE "policies: [least_conn]\n");
    CHECK_UINT(last_diag.warnings, 0);
}

/* A prompt must fit, even where its tokens cost no time. */
static void tokens_matter_for_a_context(void)
{
    static const char *const added[] = {
        "workload.input_tokens={dist: constant, value: 3000}",
        "nodes[cpu].max_context=4k"};
    static const char text[] =
        "lbsim: 1\nduration: 10 min\nworkload:\n"
        "  arrivals: {process: poisson, rate: 12/s}\n"
        "  work: {dist: exponential, mean: 250 ms}\n"
        "  classes:\n    - {name: chat, share: 100 %, model: chat}\n"
        "nodes:\n  - {group: gpu, count: 4, models: [chat]}\n"
        "  - {group: cpu, count: 2, engine: {speed: 0.9}, models: [chat]}\n"
        "routing: {table: {chat: [{model: chat}]}}\npolicies: [least_conn]\n";

    for (uint32_t i = 1; i <= 2; i++) {
        struct scenario *scenario = loaded(load_with(text, added, i));

        if (!scenario)
            return;
        scenario_lint(scenario, &last_diag);
        CHECK(complained("'input_tokens' has no effect") == (i == 1));
        scenario_destroy(scenario);
    }
}

static void blind_policies_meet_refusal(void)
{
    lint_fleet(", models: [light]",
               TABLE "policies: [{least_conn: {}, routing: off}, random]\n");
    CHECK(complained("send requests of class 'chat' to group 'cpu', which "
                     "lacks their model and refuses them"));
    CHECK_UINT(last_diag.warnings, 1);
    lint_fleet(", models: [light], misroute: run",
               TABLE "policies: [{least_conn: {}, routing: off}, random]\n");
    CHECK_UINT(last_diag.warnings, 0);
}

static void class_that_is_nowhere_fails(void)
{
    lint_fleet(", models: [light]",
               "routing: {table: {chat: [{model: chat}]}}\n"
               "policies: [least_conn]\n");
    CHECK(complained("class 'light' is not in the table: its requests fail"));
    CHECK_UINT(last_diag.warnings, 1);
    lint_fleet(
        ", models: [light]",
        "routing: {default_class: chat, table: {chat: [{model: chat}]}}\n"
        "policies: [least_conn]\n");
    CHECK_UINT(last_diag.warnings, 0);
}

static void model_that_nobody_asks_for_is_told(void)
{
    lint_fleet(", models: [light, code]", TABLE "policies: [least_conn]\n");
    CHECK(complained("nobody asks for the model 'code'"));
    CHECK_UINT(last_diag.warnings, 1);
}

static void models_without_classes_have_no_effect(void)
{
    struct scenario *scenario = loaded(load_changed(
        "{group: gpu, count: 4, engine: {slots: 2}}",
        "{group: gpu, count: 4, engine: {slots: 2}, models: [chat, code]}"));

    scenario_lint(scenario, &last_diag);
    CHECK(complained("'models' has no effect: nobody asks for a model"));
    CHECK_UINT(last_diag.warnings, 1);
    scenario_destroy(scenario);
}

static void what_nothing_uses_is_told(void)
{
    lint_fleet(", models: [light], misroute: run, model_load: {time: 1 s}, "
               "max_context: 4k",
               "classifier: {}\nbalancer: {retry: {on_misroute: true}}\n" TABLE
               "policies: [{least_conn: {}, routing: off}]\n");
    CHECK(complained("'routing' has no effect: every policy says 'routing: "
                     "off'"));
    CHECK(complained("'classifier' has no effect: nothing is routed"));
    CHECK(complained("'model_load' has no effect without 'misroute: load'"));
    CHECK(complained("'max_context' has no effect without routing"));
}

static void misroute_needs_a_model_that_is_lacking(void)
{
    lint_fleet(", misroute: run", TABLE "policies: [least_conn]\n");
    CHECK(complained("'misroute' has no effect: no request is for a model that "
                     "group 'cpu' lacks"));
    CHECK_UINT(last_diag.warnings, 1);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"a routed fleet is fine", a_routed_fleet_is_fine},
        {"tokens matter for a context", tokens_matter_for_a_context},
        {"blind policies meet refusal", blind_policies_meet_refusal},
        {"a class that is nowhere fails", class_that_is_nowhere_fails},
        {"a model that nobody asks for is told",
         model_that_nobody_asks_for_is_told},
        {"models without classes have no effect",
         models_without_classes_have_no_effect},
        {"what nothing uses is told", what_nothing_uses_is_told},
        {"misroute needs a model that is lacking",
         misroute_needs_a_model_that_is_lacking},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("lint routing", NULL, NULL, NULL, forget_diag, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
