/* Warnings about admission and queues that do nothing, or not what is meant. */
#include "sim/scenario/lint.h"

#include "tests/unit/scenario/scenario_text.h"

/* Classes and tenants, and what the balancer has. */
static void lint_door(const char *workload, const char *balancer)
{
    char text[4000];
    struct scenario *scenario;

    snprintf(text, sizeof text,
             "lbsim: 1\nduration: 10 min\nworkload:\n"
             "  arrivals: {rate: 12/s}\n"
             "  work: {dist: exponential, mean: 250 ms}\n%s"
             "nodes:\n"
             "  - {group: gpu, count: 4}\npolicies: [least_conn]\n"
             "balancer:\n%s",
             workload, balancer);
    scenario = loaded(load_with(text, NULL, 0));
    if (!scenario)
        return;
    scenario_lint(scenario, &last_diag);
    scenario_destroy(scenario);
}

#define TENANTS "  tenants: {count: 5}\n"
#define CLASSES                                                       \
    "  classes:\n    - {name: a, share: 50 %, urgency: background}\n" \
    "    - {name: b, share: 50 %, deadline: 5 s}\n"

static void what_works_is_fine(void)
{
    lint_door(
        TENANTS CLASSES,
        "  timeout: {total: 60 s}\n"
        "  caps: {max: 4, min: 2, full: 100}\n"
        "  queue: {order: edf, fairness: round_robin, flow_size: 9}\n"
        "  admission: {deadline: true, bucket: {rate: 20/s, per: tenant}, "
        "shedding: {}}\n");
    CHECK_UINT(last_diag.warnings, 0);
}

static void order_needs_deadlines(void)
{
    lint_door("", "  caps: {max: 4}\n  queue: {order: edf}\n");
    CHECK(complained("'order' has no effect: no request has a deadline"));
    CHECK_UINT(last_diag.warnings, 1);
    lint_door("", "  caps: {max: 4}\n  queue: {order: slo}\n"
                  "  timeout: {total: 60 s}\n");
    CHECK(complained("'order' has no effect: no request has a deadline"));
}

static void turns_need_kinds(void)
{
    lint_door("", "  caps: {max: 4}\n  queue: {fairness: round_robin}\n");
    CHECK(complained("'fairness' has no effect: all requests are of one "
                     "kind"));
    lint_door(TENANTS, "  caps: {max: 4}\n  queue: {flow_size: 9}\n");
    CHECK(complained("tenants share one row: 'flow_size' limits each class "
                     "alone"));
    CHECK_UINT(last_diag.warnings, 1);
}

static void nobody_waits_in_an_idle_queue(void)
{
    lint_door("", "  queue: {size: 100}\n");
    CHECK(complained("nobody waits in the 'queue' unless the policy says so"));
    CHECK_UINT(last_diag.warnings, 1);
}

static void urgency_needs_a_door_that_minds(void)
{
    lint_door(CLASSES, "  count: 1\n");
    CHECK(complained("'urgency' has no effect: the front door neither sheds "
                     "nor queues"));
    CHECK_UINT(last_diag.warnings, 1);
}

static void old_reports_look_full(void)
{
    lint_door("", "  report_interval: 1 s\n  flow_control: {}\n");
    CHECK(complained("reports get up to 1 s old and count as full after 200 "
                     "ms"));
    CHECK_UINT(last_diag.warnings, 1);
}

static void memory_must_be_reported(void)
{
    lint_door("", "  report_interval: 100 ms\n"
                  "  flow_control: {kv_use: 50 %}\n");
    CHECK(complained("'kv_use' has no effect: no engine here reports the "
                     "memory of keys and values"));
    CHECK_UINT(last_diag.warnings, 1);
    lint_door("", "  report_interval: 100 ms\n"
                  "  admission: {shedding: {saturation: reports, "
                  "kv_use: 50 %}}\n");
    CHECK(complained("'kv_use' has no effect"));
}

static void small_buckets_let_nobody_in(void)
{
    lint_door("  input_tokens: {dist: constant, value: 100}\n",
              "  admission: {bucket: {rate: 2k/s, burst: 50, of: tokens}}\n");
    CHECK(complained("a full bucket of 50 does not pay for a usual request, "
                     "which costs 100"));
    CHECK_UINT(last_diag.warnings, 1);
}

static void buckets_of_tokens_want_tokens(void)
{
    lint_door("", "  admission: {bucket: {rate: 2/s, of: tokens}}\n");
    CHECK(complained("the bucket lets everybody in: requests have no tokens"));
    CHECK_UINT(last_diag.warnings, 1);
    lint_door("  input_tokens: {dist: constant, value: 1}\n",
              "  admission: {bucket: {rate: 2/s, of: tokens}}\n");
    CHECK_UINT(last_diag.warnings, 0);
}

/* What sixteen nodes could do comes to four, who do 16 a second: a bucket that
   lets in 15 keeps them from more, buckets of 17 or of twice 9 do not. */
static void what_is_turned_away_does_not_pile_up(void)
{
    char text[2000];

    for (int i = 0; i < 7; i++) {
        static const char *const doors[] = {
            "caps: {max: 4}\n  queue: {size: 9}",
            "admission: {in_flight: 8}",
            "admission: {shedding: {}}",
            "admission: {bucket: {rate: 15/s}}",
            "caps: {max: 4}",
            "admission: {bucket: {rate: 17/s}}",
            "count: 2\n  admission: {bucket: {rate: 9/s}}",
        };
        bool grows = i >= 4;
        struct scenario *scenario;

        snprintf(text, sizeof text,
                 "lbsim: 1\nduration: 10 min\nworkload:\n"
                 "  arrivals: {rate: 64/s}\n"
                 "  work: {dist: exponential, mean: 250 ms}\n"
                 "nodes: [{group: gpu, count: 4}]\npolicies: [least_conn]\n"
                 "balancer:\n  %s\n",
                 doors[i]);
        scenario = loaded(load_with(text, NULL, 0));
        if (!scenario)
            continue;
        scenario_lint(scenario, &last_diag);
        CHECK(scenario_is_overloaded(scenario) == grows);
        CHECK(complained(grows ? "queues will grow"
                               : "the front door will turn the rest away"));
        scenario_destroy(scenario);
    }
}

static void deadline_needs_deadlines(void)
{
    lint_door("", "  admission: {deadline: true}\n");
    CHECK(complained("'deadline' has no effect: no request has one"));
    CHECK_UINT(last_diag.warnings, 1);
}

static void caps_have_parts_that_go_together(void)
{
    lint_door("", "  caps: {max: 4, full: 100, node_queue: 3}\n");
    CHECK(complained("'node_queue' has no effect: requests wait for any node"));
    CHECK(complained("'full' has no effect: the cap is always max"));
    CHECK_UINT(last_diag.warnings, 2);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"what works is fine", what_works_is_fine},
        {"order needs deadlines", order_needs_deadlines},
        {"turns need kinds", turns_need_kinds},
        {"nobody waits in an idle queue", nobody_waits_in_an_idle_queue},
        {"urgency needs a door that minds", urgency_needs_a_door_that_minds},
        {"old reports look full", old_reports_look_full},
        {"memory must be reported", memory_must_be_reported},
        {"small buckets let nobody in", small_buckets_let_nobody_in},
        {"buckets of tokens want tokens", buckets_of_tokens_want_tokens},
        {"what is turned away does not pile up",
         what_is_turned_away_does_not_pile_up},
        {"deadline needs deadlines", deadline_needs_deadlines},
        {"caps have parts that go together", caps_have_parts_that_go_together},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("lint_admission", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
