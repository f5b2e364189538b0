/* Warnings about health checks and what goes by them. */
#include "sim/scenario/lint.h"

#include "tests/unit/scenario/scenario_text.h"

/* Four nodes, one of which crashes; a balancer and policies as given. */
static void lint_front(const char *balancer, const char *policies,
                       const char *faults)
{
    char text[4000];
    struct scenario *scenario;

    snprintf(text, sizeof text,
             "lbsim: 1\nduration: 10 min\nworkload:\n"
             "  arrivals: {rate: 12/s}\n"
             "  work: {dist: exponential, mean: 250 ms}\n"
             "nodes: [{group: gpu, count: 4}]\n"
             "balancer: {timeout: {total: 30 s}, %s}\n"
             "policies: [%s]\n%s",
             balancer, policies, faults);
    scenario = loaded(load_with(text, NULL, 0));
    if (!scenario)
        return;
    scenario_lint(scenario, &last_diag);
    scenario_destroy(scenario);
}

#define CRASH "faults: [{kind: crash, target: \"gpu[1]\", at: 2 min}]\n"

static void check_fine(const char *balancer, const char *policies,
                       const char *faults)
{
    lint_front(balancer, policies, faults);
    CHECK_TEXT(last_diag.text ? last_diag.text : "", "");
}

static void check_told(const char *balancer, const char *policies,
                       const char *faults, const char *words)
{
    lint_front(balancer, policies, faults);
    CHECK(complained(words));
    CHECK_UINT(last_diag.warnings, 1);
}

static void what_has_an_effect_is_fine(void)
{
    check_fine("health: {}, panic: {}, slow_start: {}", "least_conn", CRASH);
    check_fine("health: {probe: generation}", "random", "");
    check_fine("health: {path: queued}", "random", "");
    check_fine("health: {generation: {}}", "random", "");
    check_fine("report_interval: 1 s, dynamic_weights: {}", "least_conn", "");
}

static void checks_that_cannot_fail_are_told(void)
{
    check_told("health: {}", "random", "",
               "'health' has no effect: every check passes without 'faults'");
}

static void checks_that_cannot_pass_are_told(void)
{
    check_told("health: {}, network_delay: 501 ms", "random", "",
               "every check fails: its answer takes longer than its time-out");
    check_fine("health: {}, network_delay: 500 ms", "random", CRASH);
}

static void two_rows_of_the_same_are_told(void)
{
    check_told("health: {probe: generation, generation: {}}", "random", "",
               "both rows of checks ask for a token");
}

static void work_of_nothing_is_told(void)
{
    check_told("health: {work: 5 ms}", "random", CRASH,
               "'work' has no effect unless the probe is a generation");
}

static void panic_without_doubts_is_told(void)
{
    check_told("panic: {}", "random", "",
               "'panic' has no effect: nothing makes balancers doubt a node");
    check_told("health: {}, panic: {threshold: 0 %}", "random", CRASH,
               "'panic' has no effect: its threshold is 0 %");
}

static void slow_start_of_nobody_is_told(void)
{
    check_told("slow_start: {}", "least_conn", "",
               "'slow_start' has no effect: nothing makes balancers doubt a ");
    check_told("health: {}, slow_start: {}", "round_robin, two_choices", CRASH,
               "'slow_start' has no effect: no policy here minds it");
    check_told("health: {}, slow_start: {}, caps: {max: 9}", "round_robin",
               CRASH, "'slow_start' has no effect: no policy here minds it");
    check_fine("health: {}, slow_start: {rule: haproxy}, caps: {max: 9}",
               "round_robin", CRASH);
}

static void dynamic_weights_of_nobody_are_told(void)
{
    check_told("report_interval: 1 s, dynamic_weights: {}", "round_robin", "",
               "'dynamic_weights' has no effect: no policy here goes by "
               "weights");
}

static void looks_without_news_are_told(void)
{
    check_told("report_interval: 6 s, dynamic_weights: {}", "least_conn", "",
               "most looks at the weights find no new report");
}

static void light_weights_of_agents_are_told(void)
{
    check_told("report_interval: 1 s, dynamic_weights: {rule: haproxy_agent}",
               "least_conn", "",
               "an agent's percentages of a weight of 1 are cut to whole "
               "numbers: at 0 a node of group 'gpu' takes nothing");
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"what has an effect is fine", what_has_an_effect_is_fine},
        {"checks that cannot fail are told", checks_that_cannot_fail_are_told},
        {"checks that cannot pass are told", checks_that_cannot_pass_are_told},
        {"two rows of the same are told", two_rows_of_the_same_are_told},
        {"work of nothing is told", work_of_nothing_is_told},
        {"panic without doubts is told", panic_without_doubts_is_told},
        {"slow start of nobody is told", slow_start_of_nobody_is_told},
        {"dynamic weights of nobody are told",
         dynamic_weights_of_nobody_are_told},
        {"looks without news are told", looks_without_news_are_told},
        {"light weights of agents are told", light_weights_of_agents_are_told},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("lint_checks", NULL, NULL, NULL, forget_diag, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
