/* Warnings about what balancers learn from traffic. */
#include "sim/scenario/lint.h"

#include "tests/unit/scenario/scenario_text.h"

/* So many nodes, 12 requests/s, of which each node gets its share. */
static void lint_run(uint32_t nodes, const char *balancer, const char *more)
{
    char text[4000];
    struct scenario *scenario;

    snprintf(text, sizeof text,
             "lbsim: 1\nduration: 10 min\nworkload:\n"
             "  arrivals: {rate: 12/s}\n"
             "  work: {dist: exponential, mean: 50 ms}\n"
             "nodes:\n  - {group: gpu, count: %u, engine: {slots: 4}}\n"
             "balancer: {%s}\n%s%s",
             nodes, balancer, more,
             strstr(more, "policies") ? "" : "policies: [least_conn]\n");
    scenario = loaded(load_with(text, NULL, 0));
    if (!scenario)
        return;
    scenario_lint(scenario, &last_diag);
    scenario_destroy(scenario);
}

#define CRASH "faults: [{kind: crash, target: \"gpu[0]\", at: 1 min}]\n"

static void nothing_fails(void)
{
    static const char *const names[] = {"max_fails", "breaker", "outlier"};

    for (int i = 0; i < 3; i++) {
        char balancer[100], words[200];

        snprintf(balancer, sizeof balancer, "%s: {}", names[i]);
        snprintf(words, sizeof words,
                 "'%s' has no effect: no attempt fails without a fault that "
                 "makes it, or a time-out",
                 names[i]);
        lint_run(10, balancer, "");
        CHECK(complained(words));
        forget_diag();
    }
    lint_run(10, "max_fails: {}, breaker: {}, outlier: {}", CRASH);
    CHECK_UINT(last_diag.warnings, 0);
    forget_diag();
    lint_run(
        10, "breaker: {}",
        "faults: [{kind: slow, factor: 3, target: \"gpu[0]\", at: 1 min}]\n");
    CHECK(complained("'breaker' has no effect"));
    forget_diag();
    lint_run(10, "max_fails: {}, timeout: {attempt: 2 s}", "");
    CHECK_UINT(last_diag.warnings, 0);
    forget_diag();
    lint_run(10, "outlier: {latency: {of: answer}}", "");
    CHECK_UINT(last_diag.warnings, 0);
}

#define FAIL_FAST "faults: [{kind: fail_fast, target: \"gpu[0]\", at: 1 min}]\n"

/* A 5xx is an answer to nginx, and layer 4 does not see it. */
static void errors_are_not_counted(void)
{
    lint_run(10, "max_fails: {}", FAIL_FAST);
    CHECK(complained("'max_fails' does not count what the faults do"));
    forget_diag();
    lint_run(10, "max_fails: {count_5xx: true}", FAIL_FAST);
    CHECK_UINT(last_diag.warnings, 0);
    forget_diag();
    lint_run(10, "health: {rule: haproxy}, observe: {}", FAIL_FAST);
    CHECK(complained("'observe' does not count what the faults do"));
    forget_diag();
    lint_run(10, "health: {rule: haproxy}, observe: {layer: layer7}",
             FAIL_FAST);
    CHECK_UINT(last_diag.warnings, 0);
    forget_diag();
    lint_run(10, "max_fails: {}",
             "faults: [{kind: fail_fast, target: \"gpu[0]\", at: 1 min}, "
             "{kind: crash, target: \"gpu[1]\", at: 1 min}]\n");
    CHECK_UINT(last_diag.warnings, 0);
}

static void lone_node_is_never_left_out(void)
{
    lint_run(1, "max_fails: {}", CRASH);
    CHECK(complained("'max_fails' has no effect: a lone node is never left "
                     "out"));
}

static void two_settings_of_one_name(void)
{
    lint_run(4, "max_fails: {}",
             CRASH "policies: [{smooth_weighted: {max_fails: 2}}]\n");
    CHECK(complained("'max_fails' of smooth_weighted(max_fails=2) lowers "
                     "weights after failures; that of 'balancer', which leaves "
                     "nodes out, is another setting"));
}

static void none_of_few_nodes_may_go(void)
{
    lint_run(5, "outlier: {}", CRASH);
    CHECK(complained("'outlier' never ejects: one of 5 nodes is 20 % of them, "
                     "and 'max_ejection_percent' is 10 %"));
    CHECK(complained("raise max_ejection_percent, or set "
                     "always_eject_one_host"));
    forget_diag();
    lint_run(5, "outlier: {always_eject_one_host: true}", CRASH);
    CHECK_UINT(last_diag.warnings, 0);
    forget_diag();
    lint_run(5, "outlier: {rule: grpc}", CRASH);
    CHECK(!complained("never ejects"));
}

static void checks_return_nodes(void)
{
    lint_run(10, "health: {}, outlier: {}", CRASH);
    CHECK(complained("a node that passes health checks is ejected for 5 s at "
                     "most, and not for 30 s: a successful check returns it"));
}

/* 12/s over 10 nodes are 12 requests of each in 10 s. Among Envoy's other
   causes an idle default is no mistake; gRPC has none. */
static void rates_want_more_requests(void)
{
    lint_run(10, "outlier: {rule: grpc}", CRASH);
    CHECK(complained("'outlier' hardly ever looks at the success rate: a node "
                     "gets about 12 requests in 10 s, and it wants 100"));
    forget_diag();
    lint_run(4, "outlier: {rule: grpc, success_rate_request_volume: 10}",
             CRASH);
    CHECK(complained("'outlier' never looks at the success rate: there are 4 "
                     "nodes, and it wants 5"));
    forget_diag();
    lint_run(10, "outlier: {enforcing_failure_percentage: 100 %}", CRASH);
    CHECK(complained("'outlier' hardly ever looks at the failure percentage: "
                     "a node gets about 12 requests in 10 s, and it wants 50"));
}

static void breakers_want_more_requests(void)
{
    lint_run(10, "breaker: {window: 5 s}", CRASH);
    CHECK(complained("a circuit breaker hardly ever opens: a node gets about 6 "
                     "requests in 5 s, and it wants 10"));
}

static void goals_want_their_mechanism(void)
{
    lint_run(10, "outlier: {}",
             CRASH "goals: {breaker_opens: 3, outliers_latency: 2, "
                   "outlier_ejections: 5}\n");
    CHECK(complained("'breaker_opens' has no value: there is no 'breaker'"));
    CHECK(complained("'outliers_latency' has no value: no 'outlier' ejects for "
                     "that"));
    CHECK_UINT(last_diag.warnings, 2);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"errors are not counted", errors_are_not_counted},
        {"nothing fails", nothing_fails},
        {"a lone node is never left out", lone_node_is_never_left_out},
        {"two settings of one name", two_settings_of_one_name},
        {"none of few nodes may go", none_of_few_nodes_may_go},
        {"checks return nodes", checks_return_nodes},
        {"rates want more requests", rates_want_more_requests},
        {"breakers want more requests", breakers_want_more_requests},
        {"goals want their mechanism", goals_want_their_mechanism},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("lint passive", NULL, NULL, NULL, forget_diag, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
