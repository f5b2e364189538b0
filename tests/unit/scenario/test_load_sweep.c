/* `sweep` and `crossover` of a scenario's file: values by hand, and mistakes by
   their words, each at its place. */
#include "tests/unit/scenario/scenario_text.h"

static void axes_stand_in_their_order(void)
{
    struct scenario *scenario =
        loaded(load_more("sweep:\n"
                         "  workload.arrivals.rate: [600/min, 20/s]\n"
                         "  nodes[gpu].count:\n"
                         "    values: [4, 8, 16]\n"
                         "    together: {seed: [1, 2, 3]}\n"));

    if (!scenario)
        return;
    const struct sweep_axis *axes = scenario->sweep.axes;
    CHECK_UINT(scenario->sweep.axis_count, 2);
    CHECK_TEXT(axes[0].paths[0].path, "workload.arrivals.rate");
    CHECK_NEAR(axes[0].paths[0].values[0].number, 10, 0);
    CHECK_UINT(axes[1].path_count, 2);
    CHECK_TEXT(axes[1].paths[1].path, "seed");
    CHECK_TEXT(axes[1].paths[1].values[2].text, "3");
    CHECK_UINT(sweep_point_count(&scenario->sweep), 6);
    scenario_destroy(scenario);
}

/* 10 % of 2/s to 22/s are 2/s; half way, 4 to 8 nodes are 6. */
static void crossover_has_what_was_written(void)
{
    struct scenario *scenario =
        loaded(load_changed("policies: [round_robin]\n",
                            "policies: [round_robin, least_conn]\n"
                            "crossover:\n"
                            "  path: workload.arrivals.rate\n"
                            "  range: 2/s..22/s\n"
                            "  together: {\"nodes[gpu].count\": 4..8}\n"
                            "  within: 10 %\n"
                            "  measure: wait_p99\n"
                            "  between: [least_conn, round_robin]\n"));

    if (!scenario)
        return;
    const struct crossover_spec *spec = &scenario->sweep.crossover;
    CHECK(spec->given);
    CHECK_UINT(spec->path_count, 2);
    CHECK_NEAR(spec->within, 2, 1e-12);
    CHECK_NEAR(sweep_span_at(spec, 1, 12), 6, 1e-12);
    CHECK_INT(spec->measure, M_WAIT_P99);
    CHECK_TEXT(spec->between[0], "least_conn");
    CHECK_TEXT(spec->between[1], "round_robin");
    scenario_destroy(scenario);
}

/* What is written alone: no policies are named, and no width. */
static void crossover_needs_little(void)
{
    struct scenario *scenario =
        loaded(load_more("crossover: {path: seed, range: 1..9}\n"));

    if (!scenario)
        return;
    CHECK(isnan(scenario->sweep.crossover.within));
    CHECK(!scenario->sweep.crossover.between[0]);
    CHECK_INT(scenario->sweep.crossover.measure, MEASURE_COUNT);
    scenario_destroy(scenario);
}

static void check_refused(const char *lines, const char *words)
{
    struct scenario *scenario = load_more(lines);

    CHECK(!scenario);
    scenario_destroy(scenario);
    CHECK(complained(words));
}

static void mistakes_in_axes_are_told(void)
{
    check_refused("sweep: 5\n", "test.yaml:9:8: error: 'sweep' needs");
    check_refused("sweep:\n", "test.yaml:9:1: error: 'sweep' needs");
    check_refused("sweep:\n  seed: {values: [1, 2], together: [3]}\n",
                  "'together' needs a block of settings and their values; "
                  "got a list");
    check_refused(
        "sweep:\n  seed: {values: [1, 2], together: {seed: [3, 4]}}\n",
        "'seed' is varied already");
    check_refused("sweep:\n  seed: {values: [1, 2], together: "
                  "{\"nodes[gpu].count\": [3, 4, 5]}}\n",
                  "'nodes[gpu].count' has 3 values and 'seed', with which it "
                  "moves in step, has 2");
    check_refused("sweep:\n  seed: 1..1000\n  nodes[gpu].count: 1..1000\n",
                  "the sweep has 1000000 points; at most");
}

static void mistakes_in_crossovers_are_told(void)
{
    check_refused("crossover: {path: seed, range: 9..1}\n",
                  "the range of 'seed' has to begin with the smaller end");
    check_refused("crossover: {path: seed, range: 1..9, within: 0}\n",
                  "'within' needs more than 0");
    check_refused("crossover: {path: seed, range: 1..9, within: 2/s}\n",
                  "'within': ");
    check_refused("crossover: {path: seed, range: 1..9, between: [random]}\n",
                  "'between' needs a list of two policies; got a list");
    check_refused("crossover: {path: seed, range: 1..9, between: random}\n",
                  "'between' needs a list of two policies; got ");
    check_refused("crossover: {path: seed, range: 1..9, "
                  "between: [round_robbin, random]}\n",
                  "'round_robbin' is none of the policies");
    CHECK(complained("did you mean 'round_robin'?"));
    check_refused("crossover: {path: seed, range: 1..9, "
                  "between: [round_robin, round_robin]}\n",
                  "a crossover is between two policies, not one");
    check_refused("crossover: {path: workload.arrivals.rate, "
                  "range: 1/s..9/s, together: {seed: 1..9 log}}\n",
                  "'seed' moves in step, as a straight line of "
                  "'workload.arrivals.rate'");
    check_refused("crossover: {path: seed, range: 1..9, "
                  "together: {seed: 1..3}}\n",
                  "'seed' is varied already");
}

/* One setting more than may be varied at once; names of groups tell them
   apart. */
static const char *crowd(const char *head, const char *format, int count,
                         const char *tail)
{
    static char text[3000];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", head);

    for (int i = 0; i < count; i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        used += (size_t)snprintf(text + used, sizeof text - used, format, i);
#pragma GCC diagnostic pop
    }
    snprintf(text + used, sizeof text - used, "%s", tail);
    return text;
}

static void there_may_be_too_many(void)
{
    char words[100];

    snprintf(words, sizeof words, "a sweep has at most %d axes",
             SWEEP_AXES_MAX);
    check_refused(
        crowd("sweep:\n", "  nodes[g%d].count: [1]\n", SWEEP_AXES_MAX + 1, ""),
        words);
    snprintf(words, sizeof words, "at most %d settings may move in step",
             SWEEP_PATHS_MAX);
    check_refused(crowd("sweep:\n  seed: {values: [1], together: {",
                        "\"nodes[g%d].count\": [1], ", SWEEP_PATHS_MAX, "}}\n"),
                  words);
    check_refused(crowd("crossover: {path: seed, range: 1..9, together: {",
                        "\"nodes[g%d].count\": 1..9, ", SWEEP_PATHS_MAX,
                        "}}\n"),
                  words);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"axes stand in their order", axes_stand_in_their_order},
        {"crossover has what was written", crossover_has_what_was_written},
        {"crossover needs little", crossover_needs_little},
        {"mistakes in axes are told", mistakes_in_axes_are_told},
        {"mistakes in crossovers are told", mistakes_in_crossovers_are_told},
        {"there may be too many", there_may_be_too_many},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("load_sweep", NULL, NULL, NULL, forget_diag, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
