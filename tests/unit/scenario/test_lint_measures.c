/* Warnings about goals and objectives of what a scenario does not have. */
#include "sim/scenario/lint.h"

#include "tests/unit/scenario/scenario_text.h"

/* A little of everything, or next to nothing; and what else is said. */
static void lint_with(bool everything, const char *more)
{
    char text[4000];
    struct scenario *scenario;

    snprintf(text, sizeof text,
             "lbsim: 1\nduration: 10 min\nworkload:\n"
             "  arrivals: {rate: 12/s}\n"
             "  work: {dist: exponential, mean: 250 ms}\n%s"
             "nodes:\n"
             "  - {group: gpu, count: 4%s}\npolicies: [least_conn]\n%s%s",
             everything ? "  keys: {dist: zipf, distinct: 100}\n" : "",
             everything ? ", cost_per_hour: 2, engine: {slots: 2, "
                          "queue_limit: 9}, result_cache: {}"
                        : "",
             everything ? "result_tier: {}\n" : "", more);
    scenario = loaded(load_with(text, NULL, 0));
    if (!scenario)
        return;
    scenario_lint(scenario, &last_diag);
    scenario_destroy(scenario);
}

static void what_has_a_value_is_fine(void)
{
    lint_with(true, "objective: tier_hit_ratio\n"
                    "goals: {cost_per_1000: 1, cost_per_1000_in_goal: 2, "
                    "latency_p99: 9 s, goodput: 1/s, result_hit_ratio: 10 %, "
                    "errors_full_attempts: 3}\n");
    CHECK_UINT(last_diag.warnings, 0);
    lint_with(false, "");
    CHECK_UINT(last_diag.warnings, 0);
}

static void an_objective_without_value_is_told(void)
{
    lint_with(false, "objective: tier_hit_ratio\n");
    CHECK(complained("the objective 'tier_hit_ratio' has no value, so verdicts "
                     "cannot tell: there is no 'result_tier'"));
    CHECK_UINT(last_diag.warnings, 1);
}

/* Each goal, and why nothing comes of it. */
static void goals_without_value_are_told(void)
{
    static const char *const cases[][2] = {
        {"cost_per_1000: 1", "no group states 'cost_per_hour'"},
        {"goodput: 1/s", "no goal bounds a latency"},
        {"result_hit_ratio: 10 %", "no group has a 'result_cache'"},
        {"errors_full_attempts: 3", "no engine has a 'queue_limit'"},
        {"errors_no_model_requests: 3", "nothing is routed"},
        {"model_loads: 3", "no group lists models"},
        {"health_ejections: 3", "there are no health checks"},
        {"held_p99: 1 s", "nobody waits at the front door"},
        {"tenant_success_min_ratio: 50 %", "there are no 'tenants'"},
        {"refused_rate_requests: 9", "there is no 'bucket'"},
        {"refused_shed_requests: 9",
         "there is no 'shedding' and no 'flow_control'"},
        {"refused_limit_requests: 9", "there is no limit in flight"},
    };
    char text[400];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(text, sizeof text, "goals: {%s}\n", cases[i][0]);
        lint_with(false, text);
        snprintf(text, sizeof text,
                 "the goal is missed whatever happens: '%.*s",
                 (int)strcspn(cases[i][0], ":"), cases[i][0]);
        CHECK(complained(text));
        CHECK(complained(cases[i][1]));
        CHECK_UINT(last_diag.warnings, 1);
    }
}

static void costs_in_goal_need_both(void)
{
    lint_with(true, "goals: {cost_per_1000_in_goal: 2}\n");
    CHECK(complained("no goal bounds a latency"));
    CHECK_UINT(last_diag.warnings, 1);
    lint_with(false, "goals: {cost_per_1000_in_goal: 2, latency_p99: 9 s}\n");
    CHECK(complained("no group states 'cost_per_hour'"));
    CHECK_UINT(last_diag.warnings, 1);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"what has a value is fine", what_has_a_value_is_fine},
        {"an objective without value is told",
         an_objective_without_value_is_told},
        {"goals without value are told", goals_without_value_are_told},
        {"costs in goal need both", costs_in_goal_need_both},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("lint measures", NULL, NULL, NULL, forget_diag, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
