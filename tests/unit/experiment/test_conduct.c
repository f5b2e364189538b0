#include "policies/lbp.h"
#include "sim/experiment/conduct.h"
#include "tests/check.h"

static const struct lbp_ops blind = {.name = "blind"};
static const struct lbp_ops by_key = {.name = "by_key", .needs = LBP_NEEDS_KEY};

static struct group_spec groups[2];
static struct policy_spec policies[2];
static struct scenario scenario;
static int some_trace; /* stands for one, and is never looked into */

/* A trace as recorded, two equal nodes, nothing random. */
static void scenario_without_chance(void)
{
    for (int i = 0; i < 2; i++)
        groups[i] = (struct group_spec){
            .count = 1,
        };
    policies[0] = policies[1] = (struct policy_spec){.ops = &blind};
    scenario = (struct scenario){
        .duration_ns = 1000000000,
        .workload = {.trace = (const struct trace *)(void *)&some_trace},
        .group_count = 2,
        .groups = groups,
        .node_count = 2,
        .balancer = {.count = 1, .report_interval_ns = -1},
        .policy_count = 2,
        .policies = policies,
    };
}

static void plain_trace_is_fixed(void)
{
    CHECK(conduct_inputs_are_fixed(&scenario));
}

static void constant_sizes_are_fixed(void)
{
    scenario.workload.work.kind = DIST_CONSTANT;
    CHECK(conduct_inputs_are_fixed(&scenario));
}

static void synthetic_arrivals_are_not(void)
{
    scenario.workload.trace = NULL;
    CHECK(!conduct_inputs_are_fixed(&scenario));
}

static void resampled_trace_is_not(void)
{
    scenario.workload.resample = TRACE_RESAMPLE_BLOCKS;
    CHECK(!conduct_inputs_are_fixed(&scenario));
}

static void noise_is_not(void)
{
    scenario.workload.noise.kind = DIST_LOGNORMAL;
    CHECK(!conduct_inputs_are_fixed(&scenario));
}

static void drawn_work_is_not(void)
{
    scenario.workload.work.kind = DIST_EXPONENTIAL;
    CHECK(!conduct_inputs_are_fixed(&scenario));
}

static void synthetic_keys_are_not(void)
{
    scenario.workload.keys.spec.kind = KEYS_ZIPF;
    CHECK(!conduct_inputs_are_fixed(&scenario));
}

static void phases_of_checks_and_reports_are_not(void)
{
    scenario.balancer.health.given = true;
    CHECK(!conduct_inputs_are_fixed(&scenario));
    scenario.balancer.health.given = false;
    scenario.balancer.report_interval_ns = 1;
    CHECK(!conduct_inputs_are_fixed(&scenario));
    scenario.balancer.report_interval_ns = 0; /* fresh at every pick */
    CHECK(conduct_inputs_are_fixed(&scenario));
}

static void several_balancers_are_not(void)
{
    scenario.balancer.count = 2;
    CHECK(!conduct_inputs_are_fixed(&scenario));
}

static void hash_policy_with_changing_node_keys_is_not(void)
{
    policies[1].ops = &by_key;
    CHECK(!conduct_inputs_are_fixed(&scenario));
    groups[0].keys = NODE_KEYS_FIXED;
    CHECK(!conduct_inputs_are_fixed(&scenario));
    groups[1].keys = NODE_KEYS_LISTED;
    CHECK(conduct_inputs_are_fixed(&scenario));
}

static void policy_that_drew_shows(void)
{
    struct run_result runs[2] = {0};

    CHECK(conduct_drew_nothing(runs, 2));
    runs[1].draws = 1;
    CHECK(!conduct_drew_nothing(runs, 2));
}

/* Two batches of 5 high values, then 18 level ones: the level part is left. A
   request without an answer stands within what is cut, and is cut with it. */
static void cut_counts_arrivals_and_not_answers(void)
{
    double latencies[101];
    uint64_t cut = 0;
    bool sure = false;
    struct run_result run = {.latencies = latencies, .latency_count = 101};

    for (int i = 0; i < 101; i++)
        latencies[i] = i <= 10 ? 50 : 1;
    latencies[3] = NAN;
    CHECK(conduct_warm_up_cut(&run, &cut, &sure));
    CHECK_UINT(cut, 11);
    CHECK(sure);
}

static void nothing_answered_cuts_nothing(void)
{
    double latencies[2] = {NAN, NAN};
    uint64_t cut = 9;
    bool sure;
    struct run_result run = {.latencies = latencies, .latency_count = 2};

    CHECK(conduct_warm_up_cut(&run, &cut, &sure));
    CHECK_UINT(cut, 0);
}

static void steady_arrivals(void)
{
    scenario_without_chance();
    scenario.workload = (struct workload_spec){
        .arrivals = {.process = ARRIVALS_DETERMINISTIC, .rate_per_s = 10}};
}

/* Ten a second: the gaps are 0.1 s. */
static void arrival_is_found_by_number(void)
{
    int64_t first = conduct_arrival_of(&scenario, 1, 0);

    CHECK(first >= 0);
    CHECK_INT(conduct_arrival_of(&scenario, 1, 5) - first, 500000000);
    CHECK_INT(conduct_arrival_of(&scenario, 1, 1000), scenario.duration_ns);
}

int main(int argc, char **argv)
{
    CU_TestInfo fixed_tests[] = {
        {"a plain trace is fixed", plain_trace_is_fixed},
        {"constant sizes are fixed", constant_sizes_are_fixed},
        {"synthetic arrivals are not", synthetic_arrivals_are_not},
        {"a resampled trace is not", resampled_trace_is_not},
        {"noise is not", noise_is_not},
        {"drawn work is not", drawn_work_is_not},
        {"synthetic keys are not", synthetic_keys_are_not},
        {"phases of checks and reports are not",
         phases_of_checks_and_reports_are_not},
        {"several balancers are not", several_balancers_are_not},
        {"a hash policy with changing node keys is not",
         hash_policy_with_changing_node_keys_is_not},
        {"a policy that drew shows", policy_that_drew_shows},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo warm_up_tests[] = {
        {"the cut counts arrivals and not answers",
         cut_counts_arrivals_and_not_answers},
        {"nothing answered cuts nothing", nothing_answered_cuts_nothing},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo arrival_tests[] = {
        {"an arrival is found by number", arrival_is_found_by_number},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("conduct fixed", NULL, NULL, scenario_without_chance, NULL,
              fixed_tests),
        SUITE("conduct warm-up", NULL, NULL, NULL, NULL, warm_up_tests),
        SUITE("conduct arrivals", NULL, NULL, steady_arrivals, NULL,
              arrival_tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
