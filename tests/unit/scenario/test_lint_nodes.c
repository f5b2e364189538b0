/* Warnings about what is inside nodes. */
#include "sim/scenario/lint.h"

#include "tests/unit/scenario/scenario_text.h"

static const char first_half[] = "lbsim: 1\n"
                                 "duration: 1 min\n"
                                 "workload:\n"
                                 "  arrivals: {rate: 0.7/s}\n";

/* One node of that engine, asked 0.7 times a second. */
static struct scenario *one_node(const char *engine, const char *more)
{
    char text[1000];

    snprintf(text, sizeof text,
             "%s  work: {dist: exponential, mean: 1 s}\n"
             "nodes: [{group: n, engine: {%s}%s}]\n"
             "policies: [random]\n",
             first_half, engine, more);
    return load_with(text, NULL, 0);
}

static void lint(struct scenario *scenario)
{
    if (!loaded(scenario))
        return;
    scenario_lint(scenario, &last_diag);
    scenario_destroy(scenario);
}

static void says(const char *engine, const char *more, const char *warning)
{
    lint(one_node(engine, more));
    CHECK_UINT(last_diag.warnings, 1);
    if (!last_diag.text || !strstr(last_diag.text, warning)) {
        printf("%s%s: %s\n", engine, more,
               last_diag.text ? last_diag.text : "no warning");
        CHECK(!warning);
    }
    diag_done(&last_diag);
}

static void is_fine(const char *engine, const char *more)
{
    lint(one_node(engine, more));
    CHECK_UINT(last_diag.warnings, 0);
    diag_done(&last_diag);
}

static void sound_engines_are_fine(void)
{
    is_fine("kind: sharing", "");
    is_fine("kind: sharing, limit: 4, order: sjf", "");
    is_fine("slots: 1, order: sjf, queue_limit: 4", "");
    is_fine("slots: 4, order: fcfs", ", cards: 2");
}

static void settings_of_other_engines_are_told(void)
{
    says("kind: sharing, slots: 4", "", "'slots' has no effect");
    says("limit: 4", "", "'limit' has no effect");
    says("slowdown: {base: 1}", "", "'slowdown' has no effect");
    says("aging: 1 s", "", "'aging' has no effect");
}

static void batches_are_looked_at(void)
{
    is_fine("kind: batch", "");
    says("kind: batch, slots: 4", "",
         "'slots' has no effect on an engine of kind batch");
    says("kind: batch, order: sjf", "", "'order' has no effect");
    says("kind: batch, limit: 4", "", "'size' says how many");
    says("size: 4", "",
         "'size' has no effect unless the engine's kind is batch");
    says("kind: sharing, max_skips: 1", "", "'max_skips' has no effect");
    says("kind: batch, ratio: 4", "", "padding costs nothing here");
    says("kind: batch, size: 1, sort: descending", "", "no prompt is padded");
}

static void orders_without_a_difference_are_told(void)
{
    says("order: edf", "", "order edf serves by arrival");
    says("order: priority", "", "order priority serves by arrival");
    says("kind: sharing, order: sjf", "", "without a limit nobody waits");
    says("order: sjf, queue_limit: 1", "", "no two requests wait at once");
    lint(load_with("lbsim: 1\nduration: 1 min\nworkload:\n"
                   "  arrivals: {rate: 0.7/s}\n"
                   "  work: {dist: constant, value: 1 s}\n"
                   "  noise: {dist: exponential, mean: 1}\n"
                   "nodes: [{group: n, engine: {order: sjf}}]\n"
                   "policies: [random]\n",
                   NULL, 0));
    CHECK(strstr(last_diag.text, "order sjf serves by arrival") != NULL);
}

static void limits_without_a_queue_are_told(void)
{
    says("kind: sharing, queue_limit: 3", "",
         "'queue_limit' has no effect: without a limit nobody waits");
    says("kind: sharing, slowdown: {base: 1, per_request: 0}", "",
         "load changes nothing");
    says("slots: 2", ", kind: cpu, cards: 2", "of cpu nodes");
}

static void memory_that_is_never_full_is_told(void)
{
    says("slots: 2", ", memory: {per_request: 50 %, when_full: slow}",
         "the memory has room for all");
    says("slots: 2", ", memory: {when_full: refuse}",
         "the memory has room for all");
    says("slots: 2", ", memory: {slow_factor: 3}",
         "'slow_factor' has no effect unless when_full is slow");
    is_fine("slots: 2", ", memory: {per_request: 51 %, when_full: slow}");
    is_fine("kind: sharing", ", memory: {per_request: 1 %, when_full: refuse}");
}

static void complain_of_predictions(const char *engine, uint32_t warnings)
{
    char text[1000];

    snprintf(text, sizeof text,
             "%s  work: {dist: exponential, mean: 1 s}\n"
             "nodes: [{group: n, count: 2, engine: {%s}}]\n"
             "policies: [predict]\n",
             first_half, engine);
    lint(load_with(text, NULL, 0));
    CHECK_UINT(last_diag.warnings, warnings);
    if (warnings > 0)
        CHECK(
            strstr(
                last_diag.text,
                "predictions of policy predict will be off: nodes of group 'n' share") !=
            NULL);
    diag_done(&last_diag);
}

/* On one server that takes one at a time, or slows down for none, a prediction
   stays true whatever comes later. */
static void predictions_of_sharing_nodes_are_told(void)
{
    complain_of_predictions("kind: sharing", 1);
    complain_of_predictions("kind: sharing, limit: 8", 1);
    complain_of_predictions("kind: sharing, limit: 1", 0);
    complain_of_predictions(
        "kind: sharing, limit: 8, slowdown: {base: 1, per_request: 0}", 0);
    complain_of_predictions("slots: 8", 0);
}

/* 0.7/s: a limit of 4 at 0.5 + 0.5 n serves 4 / 2.5 at once: load 0.4375; no
   limit at 0.5 n serves 2: 0.35. */
static void loads_of_sharing_nodes(void)
{
    static const struct {
        const char *engine;
        double load;
    } cases[] = {
        {"kind: sharing, limit: 4, slowdown: {base: 0.5, per_request: 0.5}",
         0.7 * 2.5 / 4},
        {"kind: sharing, slowdown: {per_request: 0.5}", 0.35},
        {"kind: sharing, limit: 10", 0.7},
        {"kind: sharing, speed: 2", 0.35},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scenario *scenario = loaded(one_node(cases[i].engine, ""));

        CHECK_NEAR(scenario_mean_load(scenario).total, cases[i].load, 1e-12);
        scenario_destroy(scenario);
    }
}

/* Twice what it can do: no queue grows where full nodes refuse. */
static void overload_of_full_nodes_is_stable(void)
{
    struct scenario *scenario =
        loaded(one_node("speed: 0.35, queue_limit: 3", ""));

    CHECK_NEAR(scenario_mean_load(scenario).total, 2, 1e-12);
    CHECK(!scenario_is_overloaded(scenario));
    scenario_destroy(scenario);
    says("speed: 0.35, queue_limit: 3", "", "full nodes will refuse the rest");
}

static void refusals_make_retries_useful(void)
{
    lint(load_with("lbsim: 1\nduration: 1 min\nworkload:\n"
                   "  arrivals: {rate: 1.4/s}\n"
                   "  work: {dist: exponential, mean: 1 s}\n"
                   "nodes: [{group: n, count: 2, engine: {queue_limit: 2}}]\n"
                   "balancer: {retry: {attempts: 2}}\n"
                   "policies: [random]\n",
                   NULL, 0));
    CHECK_UINT(last_diag.warnings, 0);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"sound engines are fine", sound_engines_are_fine},
        {"settings of other engines are told",
         settings_of_other_engines_are_told},
        {"batches are looked at", batches_are_looked_at},
        {"orders without a difference are told",
         orders_without_a_difference_are_told},
        {"predictions of sharing nodes are told",
         predictions_of_sharing_nodes_are_told},
        {"limits without a queue are told", limits_without_a_queue_are_told},
        {"memory that is never full is told",
         memory_that_is_never_full_is_told},
        {"loads of sharing nodes", loads_of_sharing_nodes},
        {"overload of full nodes is stable", overload_of_full_nodes_is_stable},
        {"refusals make retries useful", refusals_make_retries_useful},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("lint nodes", NULL, NULL, NULL, forget_diag, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
