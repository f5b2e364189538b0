/*
 * Warnings. Loads are worked out by hand in the comments: rate times mean
 * work over slots times speed.
 */
#include "sim/scenario/lint.h"

#include "tests/unit/scenario/scenario_text.h"

/* Lints what was loaded; complaints of loading and linting end in last_diag. */
static void lint(struct scenario *scenario)
{
    if (!loaded(scenario))
        return;
    scenario_lint(scenario, &last_diag);
    scenario_destroy(scenario);
}

static void lint_file(const char *path)
{
    diag_done(&last_diag);
    lint(scenario_load(path, NULL, 0, &last_diag));
}

/* 12/s x 0.25 s / 8 slots = 0.375, but one policy has none to be told from. */
static void a_plain_scenario_is_fine(void)
{
    lint(load_more(""));
    CHECK_UINT(last_diag.warnings, 0);
}

static void loads_are_as_by_hand(void)
{
    struct scenario *s = loaded(load_changed(
        "  - {group: gpu, count: 4, engine: {slots: 2}}\n",
        "  - {group: fast, count: 3, engine: {slots: 8, speed: 1.5}}\n"
        "  - {group: none, count: 0, engine: {speed: 0.1}}\n"
        "  - {group: slow, count: 1, engine: {slots: 4, speed: 0.5}}\n"));
    struct scenario_load load = scenario_mean_load(s);

    /* 36 + 2 slots of speed 1, each 4 requests/s: 152/s; 12 / 152. */
    CHECK_NEAR(load.total, 12.0 / 152, 1e-12);
    /* A quarter of 12/s at 8/s. */
    CHECK_NEAR(load.slowest_equal_share, 3.0 / 8, 1e-12);
    CHECK_UINT(load.slowest_group, 2);
    CHECK(!load.nodes_are_equal);
    scenario_destroy(s);
}

/* scenarios of eight mixed nodes: lognormal tokens have mean median x
   exp(sigma^2 / 2), sigma = ln(p99 / median) / 2.3263; cut at 8000 and 2000
   the work is 0.515 s, so 60/s over 68 slots is 0.454. */
static void quickstart_has_no_warnings(void)
{
    struct diag diag = {0};
    struct scenario *s =
        scenario_load("scenarios/quickstart.yaml", NULL, 0, &diag);
    char *effective = scenario_effective(s);

    CHECK_NEAR(scenario_mean_load(s).total, 60 * 0.515 / 68, 0.005);
    scenario_destroy(s);
    diag_done(&diag);
    lint_file("scenarios/quickstart.yaml");
    CHECK_TEXT(last_diag.text ? last_diag.text : "", "");
    lint(load_with(effective, NULL, 0)); /* neither has what is stored of it */
    CHECK_TEXT(last_diag.text ? last_diag.text : "", "");
    free(effective);
    lint_file("scenarios/theory/mm1.yaml");
    CHECK_TEXT(last_diag.text ? last_diag.text : "", "");
    lint_file("scenarios/theory/two_choices.yaml");
    CHECK_TEXT(last_diag.text ? last_diag.text : "", "");
}

/* 40/s x 0.25 s / 8 = 1.25. */
static void overload_is_told_with_its_size(void)
{
    lint(load_changed("12/s", "40/s"));
    CHECK(complained("test.yaml:4:3: warning: load is 1.25 of capacity, queues "
                     "will grow"));
    CHECK_UINT(last_diag.warnings, 1);
}

/* Equal shares of 12/s: 6/s at a node of 4 x 0.3 = 1.2 slots, 4.8/s: 1.25;
   all together 12 / (32 + 4.8). */
static void the_slowest_node_is_told(void)
{
    lint(load_changed("count: 4, engine: {slots: 2}}",
                      "count: 1, engine: {slots: 8}}\n"
                      "  - {group: old, engine: {slots: 4, speed: 0.3}}"));
    CHECK(complained("round_robin loads the nodes of group 'old' with 1.25 of "
                     "what they can serve"));
    CHECK_UINT(last_diag.warnings, 1);
}

static void groups_without_a_cost_count_as_free(void)
{
    lint(load_changed("count: 4, engine: {slots: 2}}",
                      "count: 4, cost_per_hour: 2.5, engine: {slots: 2}}\n"
                      "  - {group: spare, count: 1, engine: {slots: 2}}"));
    CHECK(complained("test.yaml:7:28: warning: group 'spare' states no cost, "
                     "so it counts as free"));
    CHECK_UINT(last_diag.warnings, 1);
    lint(load_changed("count: 4, engine: {slots: 2}}",
                      "count: 4, cost_per_hour: 2.5, engine: {slots: 2}}\n"
                      "  - {group: spare, count: 1, cost_per_hour: 0, engine: "
                      "{slots: 2}}"));
    CHECK_UINT(last_diag.warnings, 0);
}

static void a_tier_without_effect_is_told(void)
{
    lint(load_more("result_tier: {timeout: 1 s, bytes_per_token: 8, hit_time: "
                   "0 s}\n"));
    CHECK(complained("'result_tier' has no effect: requests have no keys"));
    CHECK(complained("'timeout' has no effect without 'outages'"));
    CHECK(complained("'bytes_per_token' has no effect without 'bytes'"));
    CHECK(complained("a hit answers before a miss is known"));
    CHECK_UINT(last_diag.warnings, 4);
}

static void a_limit_of_bad_rows_needs_skipping(void)
{
    lint(load_changed("arrivals: {process: poisson, rate: 12/s}",
                      "trace: {file: x.csv, bad_rows_limit: 5 %}"));
    CHECK(complained("test.yaml:4:24: warning: 'bad_rows_limit' has no effect: "
                     "the first bad row is an error"));
    lint(load_changed("arrivals: {process: poisson, rate: 12/s}",
                      "trace: {file: x.csv, bad_rows: skip, bad_rows_limit: "
                      "5 %}"));
    CHECK(!last_diag.text || !strstr(last_diag.text, "bad_rows_limit"));
}

/* The same nodes: least_conn waits for an answer before it sends more. */
static void who_looks_at_load_is_not_blamed(void)
{
    static const char nodes[] =
        "count: 1, engine: {slots: 8}}\n"
        "  - {group: old, engine: {slots: 4, speed: 0.3}}";
    const char *const one[] = {"policies=[least_conn]"};
    const char *const two[] = {"policies=[least_conn, round_robin, random]"};
    char text[2000];
    const char *at = strstr(plain_text, "count: 4, engine: {slots: 2}}");

    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - plain_text), plain_text,
             nodes, at + strlen("count: 4, engine: {slots: 2}}"));
    lint(load_with(text, one, 1));
    CHECK_UINT(last_diag.warnings, 0);
    lint(load_with(text, two, 1));
    CHECK(complained("warning: round_robin, random load the nodes of group "
                     "'old' with up to 1."));
    CHECK_UINT(last_diag.warnings, 1);
}

/* By weights of 4:1 the slow node gets 12/5 of the 4.8/s it can serve: 0.5. */
static void weights_that_nobody_reads_are_told(void)
{
    static const char nodes[] =
        "count: 1, weight: 4, engine: {slots: 8}}\n"
        "  - {group: old, engine: {slots: 4, speed: 0.3}}";

    lint(load_changed("count: 4, engine: {slots: 2}}", nodes));
    CHECK(complained("round_robin loads the nodes of group 'old' with 1.25"));
    CHECK(complained("test.yaml:7:28: warning: 'weight' has no effect: no "
                     "policy here goes by weights"));
    CHECK_UINT(last_diag.warnings, 2);
    for (int i = 0; i < 2; i++) {
        static const char *const by_weight[] = {"policies=[smooth_weighted]",
                                                "policies=[least_conn]"};
        char text[2000];
        const char *at = strstr(plain_text, "count: 4, engine: {slots: 2}}");

        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - plain_text),
                 plain_text, nodes,
                 at + strlen("count: 4, engine: {slots: 2}}"));
        lint(load_with(text, &by_weight[i], 1));
        CHECK_UINT(last_diag.warnings, 0);
    }
}

static void idle_equal_nodes_cannot_be_told_apart(void)
{
    lint(load_changed("[round_robin]", "[round_robin, least_conn]"));
    CHECK(complained("load is 0.38 of capacity and nodes are equal"));
    CHECK_UINT(last_diag.warnings, 1);
    lint(load_changed("[round_robin]", "[round_robin, least_conn]\n"
                                       "faults: [{kind: crash, target: "
                                       "\"gpu[0]\", at: 1 min}]"));
    CHECK_UINT(last_diag.warnings, 0); /* a fault tells them apart */
}

static void hash_policies_want_keys(void)
{
    lint(load_changed("[round_robin]", "[ring_hash]"));
    CHECK(complained("test.yaml:8:12: warning: policy ring_hash goes by keys"));
    CHECK_UINT(last_diag.warnings, 1);
    lint(load_changed("250 ms}", "250 ms}\n  keys: {dist: zipf, distinct: 9}"));
    CHECK_UINT(last_diag.warnings, 0);
}

static void check_warning(struct scenario *scenario, const char *words)
{
    lint(scenario);
    CHECK(complained(words));
    CHECK_UINT(last_diag.warnings, 1);
}

static void nodes_without_weight_are_told(void)
{
    check_warning(
        load_changed("  - {group: gpu, count: 4, engine: {slots: 2}}\n",
                     "  - {group: gpu, count: 4, weight: 0}\n"
                     "  - {group: none, count: 0, weight: 5}\n"),
        "every node has weight 0: no request can be sent to any");
}

/* A Pareto law has a mean above shape 1 only. */
static void endless_work_is_told(void)
{
    check_warning(load_changed("{dist: exponential, mean: 250 ms}",
                               "{dist: pareto, shape: 1, min: 250 ms}"),
                  "the mean of 'work' is infinite");
}

/* The other warning is that 'work' is not used. */
static void costs_of_tokens_that_are_not_there_are_told(void)
{
    lint(load_changed("engine: {slots: 2}",
                      "engine: {service: {base: 250 ms, per_output_token: "
                      "0.001 ms}}"));
    CHECK(complained(
        "group 'gpu' has a cost per output token, but requests have no"));
    CHECK_UINT(last_diag.warnings, 2);
}

static void settings_without_effect_are_told(void)
{
    check_warning(load_more("balancer: {retry: {}}\n"),
                  "'retry' has no effect: nothing fails without 'faults'");
    check_warning(load_more("balancer: {health: {}}\n"),
                  "'health' has no effect: every check passes");
    check_warning(load_more("balancer: {report_interval: 1 s}\n"),
                  "'report_interval' has no effect");
    check_warning(load_more("balancer: {assign: round_robin}\n"),
                  "'assign' has no effect with one balancer");
    check_warning(
        load_more("balancer: {timeout: {cancel: false}}\n"),
        "'cancel' has no effect: nothing is given up without 'total'");
    check_warning(load_more("balancer: {timeout: {connect: 2 s}}\n"),
                  "'connect' has no effect: no fault is seen as");
    check_warning(load_more("defaults: {result_cache: {}}\n"),
                  "the result cache of group 'gpu' has no effect");
}

static void ways_of_reports_without_effect(void)
{
    check_warning(load_more("balancer: {report_delay: 1 s}\n"),
                  "'report_delay' has no effect: no policy here goes by");
    check_warning(load_more("balancer: {report_loss: 1 %}\n"),
                  "'report_loss' has no effect: no policy here goes by");
    check_warning(load_more("balancer: {report_phase: same}\n"),
                  "'report_phase' has no effect: no policy here goes by");
    lint(
        load_changed("policies: [round_robin]\n",
                     "policies: [random, resource_score]\n"
                     "balancer: {report_interval: 0 s, report_phase: same}\n"));
    CHECK(complained(
        "'report_phase' has no effect: with 'report_interval' of 0 s"));
    lint(
        load_changed("policies: [round_robin]\n",
                     "policies: [random, resource_score]\n"
                     "balancer: {report_interval: 1 s, report_loss: 100 %}\n"));
    CHECK(complained("no report ever arrives"));
}

static void more_settings_without_effect(void)
{
    check_warning(
        load_changed("slots: 2", "slots: 2, service: {base: 20 ms}"),
        "the service costs of group 'gpu' have no effect: 'work' says what");
    check_warning(load_changed("250 ms}", "250 ms}\n  input_tokens: {dist: "
                                          "constant, value: 3}"),
                  "'input_tokens' has no effect: no group's costs");
    check_warning(load_changed("250 ms}", "250 ms}\n  output_tokens: {dist: "
                                          "constant, value: 3}"),
                  "'output_tokens' has no effect: no group's costs");
    check_warning(load_changed("250 ms}", "250 ms}\n  noise: {dist: "
                                          "exponential, mean: 1, per: "
                                          "attempt}"),
                  "'per: attempt' has no effect");
    check_warning(
        load_changed("count: 4", "count: 4, kind: cpu, cpu_per_request: 2 %"),
        "'cpu_per_request' has no effect on cpu nodes");
    check_warning(
        load_more("faults:\n  - {kind: host_down, target: \"gpu[0]\", at: 1 "
                  "min}\n"),
        "requests to a silent node stay unfinished");
    check_warning(
        load_more("faults:\n  - {kind: crash, target: \"gpu[0]\", at: 1 min, "
                  "inside_lost_after: 1 s}\n"),
        "'inside_lost_after' has no effect unless");
    check_warning(
        load_more("faults: [{kind: crash, target: \"gpu[0]\", at: 1 min}]\n"
                  "balancer: {retry: {attempts: 1}}\n"),
        "'retry' has no effect with one attempt");
}

static void bytes_per_token_needs_bytes(void)
{
    check_warning(
        load_changed("250 ms}\n",
                     "250 ms}\n  keys: {dist: zipf, distinct: 9}\n"
                     "defaults: {result_cache: {bytes_per_token: 2}}\n"),
        "'bytes_per_token' has no effect without 'bytes'");
}

static void equal_replications_are_told(void)
{
    lint(load_with("lbsim: 1\nduration: 1 min\nreplications: 5\n"
                   "workload: {arrivals: {process: deterministic, rate: 5/s}, "
                   "work: {dist: constant, value: 1 s}}\n"
                   "nodes: [{group: a, engine: {slots: 8}}]\n"
                   "policies: [random]\n",
                   NULL, 0));
    CHECK(complained("test.yaml:3:1: warning: traffic is the same in all 5 "
                     "replications"));
}

/* 12/s of 0.25 s at 8 slots: 0.375; three times that at the peak, for 1 min of
   every 10: a mean of 0.375 * 1.2. */
static void peaks_above_capacity_are_named(void)
{
    lint(load_changed("rate: 12/s", "rate: 12/s, spikes: [{at: 2 min, "
                                    "duration: 1 min, factor: 3}]"));
    CHECK(complained("at its peak, 36/s, load is 1.12 of capacity, with a mean "
                     "of 0.45: while it lasts, queues grow"));
    lint(load_changed("rate: 12/s", "rate: 12/s, spikes: [{at: 2 min, "
                                    "duration: 1 min, factor: 2}]"));
    CHECK(!complained("at its peak"));
}

/* 12/s x 0.25 s and, all the time, 10/s x 0.6 s: 9 of 8 slots. */
static void overlays_count_in_the_load(void)
{
    lint(load_changed("  work:",
                      "  overlay: [{arrivals: {process: poisson, rate: 10/s}, "
                      "work: {dist: constant, value: 600 ms}}]\n  work:"));
    CHECK(complained("load is 1.12 of capacity, queues will grow"));
}

static void lint_repeats(const char *rate, const char *distinct)
{
    char text[500];

    snprintf(text, sizeof text,
             "lbsim: 1\nduration: 1 min\n"
             "workload:\n"
             "  arrivals: {rate: %s}\n"
             "  work: {dist: exponential, mean: 250 ms}\n"
             "  keys: {dist: zipf, distinct: %s, repeat_share: 50 %%}\n"
             "nodes: [{group: a, count: 4, engine: {slots: 2}, "
             "result_cache: {}}]\n"
             "policies: [random]\n",
             rate, distinct);
    lint(load_with(text, NULL, 0));
    CHECK_UINT(last_diag.warnings, 1);
}

/* 40/s x 0.25 s / 8 = 1.25, so a fifth must be hits; (1200 - 9) / 2400 are. */
static void hits_may_save_an_overload(void)
{
    lint_repeats("40/s", "9");
    CHECK(complained(
        "test.yaml:4:3: warning: load is 1.25 of capacity unless "
        "caches answer 20 % of requests; one endless cache would answer "
        "50 %"));
}

/* A load of 2.5 of which half works at least; and one of 1.25 whose million of
   questions seldom comes twice: of 1,200 askings by Zipf's law 382 are no first
   ones (computed in Python as a sum over all ranks), 1.25 x 0.841. */
static void hits_cannot_save_every_overload(void)
{
    lint_repeats("80/s", "9");
    CHECK(complained("load is 2.50 of capacity and 1.25 with one endless "
                     "cache, queues will grow"));
    lint_repeats("40/s", "1M");
    CHECK(complained("load is 1.25 of capacity and 1.05 with one endless "
                     "cache, queues will grow"));
}

/* Nothing is said of a load that is not known yet. */
static void a_closed_trace_has_no_load(void)
{
    lint_file("scenarios/azure_conv.yaml");
    CHECK_TEXT(last_diag.text ? last_diag.text : "", "");
}

static void a_line_of_defaults_is_warned_of_once(void)
{
    lint(load_changed("nodes:\n",
                      "defaults: {engine: {kind: sharing, slots: 3}}\n"
                      "nodes:\n"
                      "  - {group: b, count: 1}\n"
                      "  - {group: c, count: 1}\n"));
    CHECK(complained("'slots' has no effect on an engine of kind sharing"));
    CHECK_UINT(last_diag.warnings, 2); /* and that of the group gpu's own */
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"a plain scenario is fine", a_plain_scenario_is_fine},
        {"loads are as by hand", loads_are_as_by_hand},
        {"shipped scenarios have no warnings", quickstart_has_no_warnings},
        {"overload is told with its size", overload_is_told_with_its_size},
        {"the slowest node is told", the_slowest_node_is_told},
        {"groups without a cost count as free",
         groups_without_a_cost_count_as_free},
        {"a tier without effect is told", a_tier_without_effect_is_told},
        {"a limit of bad rows needs skipping",
         a_limit_of_bad_rows_needs_skipping},
        {"who looks at load is not blamed", who_looks_at_load_is_not_blamed},
        {"weights that nobody reads are told",
         weights_that_nobody_reads_are_told},
        {"idle equal nodes cannot be told apart",
         idle_equal_nodes_cannot_be_told_apart},
        {"hash policies want keys", hash_policies_want_keys},
        {"nodes without weight are told", nodes_without_weight_are_told},
        {"endless work is told", endless_work_is_told},
        {"costs of tokens that are not there are told",
         costs_of_tokens_that_are_not_there_are_told},
        {"settings without effect are told", settings_without_effect_are_told},
        {"ways of reports without effect", ways_of_reports_without_effect},
        {"more settings without effect", more_settings_without_effect},
        {"bytes_per_token needs bytes", bytes_per_token_needs_bytes},
        {"equal replications are told", equal_replications_are_told},
        {"a closed trace has no load", a_closed_trace_has_no_load},
        {"peaks above capacity are named", peaks_above_capacity_are_named},
        {"overlays count in the load", overlays_count_in_the_load},
        {"hits may save an overload", hits_may_save_an_overload},
        {"hits cannot save every overload", hits_cannot_save_every_overload},
        {"a line of defaults is warned of once",
         a_line_of_defaults_is_warned_of_once},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("lint", NULL, NULL, NULL, forget_diag, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
