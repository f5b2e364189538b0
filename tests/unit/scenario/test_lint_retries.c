/* Warnings about time-outs, retries, hedges and deadlines; rules. */
#include "sim/scenario/lint.h"

#include "tests/unit/scenario/scenario_text.h"

/* What strikes gpu[0] at 1 min. */
static const char *fault = "kind: crash";

static struct scenario *load_front(const char *nodes, const char *balancer)
{
    char text[3000];

    snprintf(text, sizeof text,
             "lbsim: 1\nduration: 10 min\nworkload:\n"
             "  arrivals: {process: poisson, rate: 12/s}\n"
             "  work: {dist: exponential, mean: 250 ms}\n"
             "nodes: [{group: gpu, %s}]\nbalancer: {%s}\n"
             "faults: [{%s, target: \"gpu[0]\", at: 1 min}]\n"
             "policies: [random]\n",
             nodes, balancer, fault);
    return loaded(load_with(text, NULL, 0));
}

static void says(const char *nodes, const char *balancer, const char *warning)
{
    struct scenario *scenario = load_front(nodes, balancer);

    if (!scenario)
        return;
    scenario_lint(scenario, &last_diag);
    scenario_destroy(scenario);
    if (!last_diag.text || !strstr(last_diag.text, warning))
        CHECK_TEXT(last_diag.text ? last_diag.text : "", warning);
    forget_diag();
}

#define FOUR "count: 4"

static void causes_that_never_happen(void)
{
    says(FOUR, "retry: {on: [reset, ttft]}",
         "'ttft' never happens: balancer.timeout.ttft is not set");
    says(FOUR, "retry: {on: [refused, patience]}",
         "'patience' never happens: no client has 'patience'");
    says(FOUR, "timeout: {queue: 1 s}, retry: {on: [queue, misroute]}",
         "'misroute' never happens: every node serves every model");
}

static void is_fine(const char *with, const char *balancer)
{
    struct scenario *scenario;

    fault = with;
    scenario = load_front(FOUR, balancer);
    if (!scenario)
        return;
    scenario_lint(scenario, &last_diag);
    scenario_destroy(scenario);
    CHECK_TEXT(last_diag.text ? last_diag.text : "", "");
    forget_diag();
    fault = "kind: crash";
}

static void says_with(const char *with, const char *balancer,
                      const char *warning)
{
    fault = with;
    says(FOUR, balancer, warning);
    fault = "kind: crash";
}

#define SILENT "kind: host_down, seen_as: silent"
#define TOTAL "timeout: {total: 9 s}, "

static void failures_that_no_fault_makes(void)
{
    says_with("kind: crash", "retry: {on: [refused, error]}",
              "'error' never happens: no fault is of kind fail_fast");
    says_with("kind: crash", "retry: {on: [reset, connect_timeout]}",
              "'connect_timeout' never happens: no fault is seen as");
    says_with("kind: crash, seen_as: connect_timeout",
              "retry: {on: [reset, refused]}",
              "'refused' never happens: no fault is seen as refused");
    says_with("kind: fail_fast", "retry: {on: [reset, error]}",
              "'reset' never happens: no fault resets what is inside a node");
    says_with("kind: fail_fast", "retry: {on: [reset]}",
              "'retry' has no effect: the faults make no failure");
    is_fine("kind: crash", "retry: {on: [refused, reset]}");
    is_fine("kind: fail_fast", "retry: {on: [error]}");
    is_fine("kind: crash, seen_as: connect_timeout",
            "retry: {on: [reset, connect_timeout]}");
}

static void silence_is_no_failure(void)
{
    says_with(SILENT, TOTAL "retry: {}", "silence is no failure");
    says_with(SILENT,
              TOTAL "retry: {on: [reset]}, health: {restart_takes: 9 s}",
              "'retry' does not help a request that meets a silent node");
    is_fine(SILENT,
            "timeout: {total: 9 s, attempt: 2 s}, retry: {on: [attempt]}");
}

static void settings_of_other_kinds(void)
{
    says(FOUR, "retry: {budget: {kind: throttle, share: 5 %}}",
         "'share' has no effect: it is of the kinds active and deposits");
    says(FOUR, "retry: {redispatch: 2}",
         "'redispatch' has no effect: it is for 'to: same'");
    says(FOUR, "retry: {backoff: {spread: 30 %}}",
         "'spread' has no effect: it is for 'jitter: around'");
    says(FOUR, "retry: {partial: never}",
         "'partial' has no effect: no node answers token by token");
    says(FOUR, "timeout: {inter_token: 1 s}",
         "'inter_token' has no effect: no node answers token by token");
    says(FOUR, "timeout: {ttft: 2 s, total: 1 s}",
         "'ttft' has no effect: 'total' is reached before");
}

static void nowhere_to_go(void)
{
    says("count: 1", "retry: {}",
         "'retry' has no effect: there is no other node");
    says("count: 1", "hedge: {}",
         "'hedge' has no effect: there is no other node");
    says(FOUR, "hedge: {attempts: 1}", "'hedge' has no effect with one");
    says(FOUR, "deadline: {}", "'deadline' has no effect: no request has one");
}

static const struct retry_spec *retry_of(const struct scenario *scenario)
{
    return &scenario->balancer.retry;
}

/* What is said holds over the rule, the rule over the defaults. */
static void rules_fill_what_is_unsaid(void)
{
    struct scenario *scenario =
        load_front(FOUR, "retry: {rule: envoy, attempts: 3}");

    CHECK_UINT(retry_of(scenario)->attempts, 3);
    CHECK_UINT(retry_of(scenario)->to, RETRY_TO_ANY);
    CHECK_UINT(retry_of(scenario)->budget.kind, BUDGET_FIXED);
    CHECK_INT(backoff_bound_ns(&retry_of(scenario)->backoff, 3), 175000000);
    scenario_destroy(scenario);
    scenario = load_front(FOUR, "retry: {rule: envoy, budget: {}}");
    CHECK_UINT(retry_of(scenario)->budget.kind, BUDGET_ACTIVE);
    CHECK_NEAR(retry_of(scenario)->budget.share, 0.2, 1e-12);
    scenario_destroy(scenario);
    scenario = load_front(FOUR, "retry: {rule: nginx}");
    CHECK_UINT(retry_of(scenario)->attempts, 4);
    CHECK(!retry_of(scenario)->non_idempotent);
    scenario_destroy(scenario);
    scenario =
        load_front(FOUR, "retry: {rule: haproxy}, timeout: {connect: 300 ms}");
    CHECK_INT(retry_of(scenario)->backoff.base_ns, 300000000);
    scenario_destroy(scenario);
    scenario = load_front(FOUR, "retry: {rule: haproxy, backoff: {base: 2 s, "
                                "max: 5 s}, on: [reset]}");
    CHECK_INT(retry_of(scenario)->backoff.base_ns, 2000000000);
    CHECK_UINT(retry_of(scenario)->on, 1u << CAUSE_RESET);
    scenario_destroy(scenario);
}

static uint64_t hash_of(const char *balancer)
{
    struct scenario *scenario = load_front(FOUR, balancer);
    uint64_t hash = scenario ? scenario->hash : 0;

    scenario_destroy(scenario);
    return hash;
}

/* Two ways to say the same are the same; what changes results is not. */
static void hashes_go_by_meaning(void)
{
    uint64_t plain = hash_of("retry: {}");

    CHECK_UINT(hash_of("retry: {rule: plain, attempts: 2, to: other}"), plain);
    CHECK_UINT(hash_of("retry: {on: [queue, refused, reset, connect_timeout, "
                       "full, ttft, attempt]}"),
               plain);
    CHECK(hash_of("retry: {on: [refused]}") != plain);
    CHECK(hash_of("retry: {rule: grpc}") != plain);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"causes that never happen", causes_that_never_happen},
        {"settings of other kinds", settings_of_other_kinds},
        {"nowhere to go", nowhere_to_go},
        {"rules fill what is unsaid", rules_fill_what_is_unsaid},
        {"hashes go by meaning", hashes_go_by_meaning},
        {"failures that no fault makes", failures_that_no_fault_makes},
        {"silence is no failure", silence_is_no_failure},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("lint_retries", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
