/* Warnings about batching at the front door. */
#include "sim/scenario/lint.h"

#include "tests/unit/scenario/scenario_text.h"

#define BATCHES "kind: batch"
#define CLASS(more) "  classes: [{name: a, share: 100 %" more "}]\n"
#define BATCHING(settings) "  batching: {" settings "}\n"

/* The one warning that it gets; NULL: none. */
static void says(const char *engine, const char *workload, const char *front,
                 const char *warning)
{
    char text[1000];
    struct scenario *scenario;

    snprintf(text, sizeof text,
             "lbsim: 1\n"
             "duration: 1 min\n"
             "workload:\n"
             "  arrivals: {rate: 5/s}\n"
             "  input_tokens: {dist: uniform, min: 1, max: 100}\n"
             "%s"
             "nodes: [{group: n, count: 2, engine: {%s, service: "
             "{per_input_token: 1 ms}}}]\n"
             "balancer:\n"
             "  count: 1\n"
             "%s"
             "policies: [random]\n",
             workload, engine, front);
    scenario = load_with(text, NULL, 0);
    if (!loaded(scenario))
        return;
    scenario_lint(scenario, &last_diag);
    scenario_destroy(scenario);
    CHECK_UINT(last_diag.warnings, warning ? 1 : 0);
    if (warning && (!last_diag.text || !strstr(last_diag.text, warning))) {
        printf("%s: %s\n", front,
               last_diag.text ? last_diag.text : "no warning");
        CHECK(!warning);
    }
    diag_done(&last_diag);
}

static void sound_ones_are_fine(void)
{
    says(BATCHES, "", BATCHING(""), NULL);
    says(BATCHES, "", BATCHING("collect: 20, sort: descending"), NULL);
    says(BATCHES, "", BATCHING("ratio: 4, sort: arrival"), NULL);
    says(BATCHES, CLASS(", deadline: 1 s"), BATCHING("before_deadline: 200 ms"),
         NULL);
    says(BATCHES, "", "  timeout: {total: 1 s}\n" BATCHING(""), NULL);
}

static void others_do_not_batch(void)
{
    says("slots: 4", "", BATCHING(""), "it brings nothing");
    says("kind: sharing", "", BATCHING(""), "it brings nothing");
}

static void what_makes_no_difference_is_told(void)
{
    says(BATCHES, "", BATCHING("sort: arrival"), "all that wait go together");
    says(BATCHES, "", BATCHING("size: 8, collect: 4"),
         "batches do not reach this size: 4 are collected");
    says(BATCHES, "", BATCHING("size: 1"), "then go one by one");
    says(BATCHES, "", BATCHING("before_deadline: 1 s"),
         "there are no deadlines");
    says(BATCHES, "", "  timeout: {total: 1 s}\n" BATCHING("max_wait: 1 s"),
         "who waits that long has timed out");
}

static void classes_that_are_not_batched_are_told(void)
{
    says(BATCHES, CLASS(", batched: false"), "",
         "the front door does not batch");
    says(BATCHES, CLASS(", batched: false"), BATCHING(""),
         "no class is batched");
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"sound ones are fine", sound_ones_are_fine},
        {"others do not batch", others_do_not_batch},
        {"what makes no difference is told", what_makes_no_difference_is_told},
        {"classes that are not batched are told",
         classes_that_are_not_batched_are_told},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("lint_batching", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
