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

/* What is asked of nodes that do 16 a second. */
static const struct excess_case {
    const char *workload, *balancer; /* their other settings */
    bool grows;
    const char *says;
} excess_cases[] = {
    /* All leave: 20 a second are 1.25 of capacity, 80 % can be done. */
    {"", "timeout: {queue: 100 ms}", false,
     "in the long run 80 % of the work can be done at most, those who wait "
     "too long will leave"},
    {"", "timeout: {total: 9 s}", false, "those who wait too long will leave"},
    {"", "timeout: {attempt: 9 s, cancel: queue}", false,
     "those who wait too long will leave"},
    {"", "timeout: {attempt: 9 s}", false,
     "those who wait too long will leave"},
    {"", "timeout: {ttft: 9 s}", false, "those who wait too long will leave"},
    {"", "degrade: {after: 9 s}", false, "those who wait too long will leave"},
    {"  patience: {dist: exponential, mean: 1 s}\n", "count: 1", false,
     "those who wait too long will leave"},
    /* Their work stays, or they do not leave the door. */
    {"", "timeout: {queue: 100 ms, cancel: false}", true, "queues will grow"},
    {"",
     "timeout: {attempt: 9 s}\n  admission: {in_flight: 8}\n"
     "  queue: {order: fcfs}",
     true, "queues will grow"},
    {"", "timeout: {connect: 100 ms}", true, "queues will grow"},
    {"  patience: {dist: constant, value: 1 s}\n"
     "defaults: {engine: {kind: sharing}}\n",
     "timeout: {cancel: queue}", true, "queues will grow"},
    {"  patience: {dist: constant, value: 1 s}\n"
     "defaults: {engine: {kind: sharing, limit: 1}}\n",
     "timeout: {cancel: queue}", false, "those who wait too long will leave"},
    /* Of two classes the one of three quarters of the requests, which are half
       of the work, leaves: 0.62 stay. Of nine tenths of requests that do not
       leave, 1.125 or more do. */
    {"  classes:\n"
     "    - {name: a, share: 75 %, patience: {dist: constant, value: 1 s},\n"
     "       work: {dist: constant, value: 100 ms}}\n"
     "    - {name: b, share: 25 %, work: {dist: constant, value: 700 ms}}\n",
     "count: 1", false, "those who wait too long will leave"},
    {"  classes:\n"
     "    - {name: a, share: 10 %, patience: {dist: constant, value: 1 s}}\n"
     "    - {name: b, share: 90 %}\n",
     "count: 1", true, "queues will grow"},
    /* Deadlines end requests where they are more than a wish. */
    {"  classes: [{name: a, share: 100 %, deadline: 1 s}]\n", "deadline: {}",
     false, "those who wait too long will leave"},
    {"  classes: [{name: a, share: 100 %, deadline: 1 s}]\n", "count: 1", true,
     "queues will grow"},
};

static void who_leaves_does_not_pile_up(void)
{
    char text[2000];

    for (size_t i = 0; i < sizeof excess_cases / sizeof *excess_cases; i++) {
        const struct excess_case *of = &excess_cases[i];
        struct scenario *scenario;

        snprintf(text, sizeof text,
                 "lbsim: 1\nduration: 10 min\nworkload:\n"
                 "  arrivals: {rate: 20/s}\n"
                 "  work: {dist: exponential, mean: 250 ms}\n%s"
                 "nodes: [{group: gpu, count: 4}]\npolicies: [least_conn]\n"
                 "balancer:\n  %s\n",
                 of->workload, of->balancer);
        scenario = loaded(load_with(text, NULL, 0));
        if (!scenario)
            continue;
        scenario_lint(scenario, &last_diag);
        CHECK(scenario_is_overloaded(scenario) == of->grows);
        CHECK(complained(of->says));
        CHECK((scenario_demand(scenario).working == 1) == of->grows ||
              strstr(of->workload, "90 %") != NULL);
        scenario_destroy(scenario);
    }
}

/* Twice 10 a second for a minute of ten: 1.25 of capacity at the peak. */
static void peaks_at_a_door_that_refuses(void)
{
    for (int i = 0; i < 3; i++) {
        static const char *const doors[] = {"admission: {shedding: {}}",
                                            "timeout: {queue: 100 ms}",
                                            "count: 1"};
        static const char *const says[] = {
            "with a mean of 0.69: while it lasts, the front door will turn the "
            "rest away",
            "with a mean of 0.69: while it lasts, those who wait too long "
            "will leave",
            "with a mean of 0.69: while it lasts, queues grow"};
        char text[1000];
        struct scenario *scenario;

        snprintf(
            text, sizeof text,
            "lbsim: 1\nduration: 10 min\nworkload:\n"
            "  arrivals: {rate: 10/s, spikes: [{at: 1 min, duration: 1 min, "
            "factor: 2}]}\n"
            "  work: {dist: exponential, mean: 250 ms}\n"
            "nodes: [{group: gpu, count: 4}]\npolicies: [least_conn]\n"
            "balancer:\n  %s\n",
            doors[i]);
        scenario = loaded(load_with(text, NULL, 0));
        if (!scenario)
            continue;
        scenario_lint(scenario, &last_diag);
        CHECK(complained("at its peak, 20/s, load is 1.25 of capacity"));
        CHECK(complained(says[i]));
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
        {"who leaves does not pile up", who_leaves_does_not_pile_up},
        {"peaks at a door that refuses", peaks_at_a_door_that_refuses},
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
