/* Axes and crossovers of a command line: values by hand, mistakes by word. */
#include "sim/scenario/loader.h"
#include "sim/scenario/vary.h"
#include "tests/check.h"

static const char text[] =
    "lbsim: 1\n"
    "duration: 10 s\n"
    "workload:\n"
    "  arrivals: {process: poisson, rate: 1/s}\n"
    "  work: {dist: exponential, mean: 1 s}\n"
    "nodes: [{group: n, count: 2}]\n"
    "policies: [round_robin, {ring_hash: {replicas: 100}}]\n";

static struct scenario *scenario;
static struct diag diag;

static void a_scenario(void)
{
    diag = (struct diag){0};
    scenario = scenario_parse("s.yaml", text, sizeof text - 1, NULL, 0, &diag);
}

static void forget(void)
{
    scenario_destroy(scenario);
    diag_done(&diag);
}

static bool vary(const char *first, const char *second)
{
    const char *texts[] = {first, second};

    return scenario_vary(scenario, texts, second ? 2 : 1, &diag);
}

static void check_values(const char *option, const char *const *expected,
                         uint32_t count)
{
    CHECK(vary(option, NULL));
    CHECK_TEXT(diag.text ? diag.text : "", "");

    const struct sweep_path *path = &scenario->sweep.axes[0].paths[0];
    CHECK_UINT(path->value_count, count);
    for (uint32_t i = 0; i < count && i < path->value_count; i++)
        CHECK_TEXT(path->values[i].text, expected[i]);
}

#define CHECK_VALUES(option, ...)                                     \
    do {                                                              \
        static const char *const values[] = {__VA_ARGS__};            \
        check_values(option, values, sizeof values / sizeof *values); \
    } while (0)

static void check_refused(const char *first, const char *second,
                          const char *words)
{
    CHECK(!vary(first, second));
    CHECK(diag.text && strstr(diag.text, words));
}

static void list_keeps_what_was_written(void)
{
    CHECK_VALUES("--vary workload.arrivals.rate=[8/s, 600/min]", "8/s",
                 "600/min");
    CHECK_NEAR(scenario->sweep.axes[0].paths[0].values[1].number, 10, 0);
}

static void list_may_hold_blocks(void)
{
    CHECK_VALUES("--vary workload.work=[{dist: constant, value: 1 s}]",
                 "{dist: constant, value: 1 s}");
    CHECK(isnan(scenario->sweep.axes[0].paths[0].values[0].number));
}

static void step_stays_within_the_range(void)
{
    CHECK_VALUES("--vary workload.arrivals.rate=8/s..13/s step 2/s", "8/s",
                 "10/s", "12/s");
}

static void step_reaches_the_end_in_spite_of_rounding(void)
{
    CHECK_VALUES("--vary workload.arrivals.rate=0.1/s..0.7/s step 0.2/s",
                 "0.1/s", "0.3/s", "0.5/s", "0.7/s");
}

static void whole_numbers_step_by_one(void)
{
    CHECK_VALUES("--vary nodes[n].count=2..4", "2", "3", "4");
}

static void points_are_even(void)
{
    CHECK_VALUES("--vary duration=1 s..2 s points 3", "1 s", "1500 ms", "2 s");
}

static void log_points_have_even_ratios(void)
{
    CHECK_VALUES("--vary workload.arrivals.rate=1/s..100/s points 3 log", "1/s",
                 "10/s", "100/s");
}

static void whole_numbers_that_fall_together_are_one(void)
{
    CHECK_VALUES("--vary nodes[n].count=1..4 points 9", "1", "2", "3", "4");
}

static void parameter_of_a_policy_has_its_kind(void)
{
    CHECK_VALUES("--vary policies[1].ring_hash.replicas=100..300 points 3",
                 "100", "200", "300");
    CHECK_INT(scenario->sweep.axes[0].paths[0].kind, QUANTITY_COUNT);
}

static void what_moves_in_step_has_as_many_values(void)
{
    CHECK(vary("--vary nodes[n].count=2..4",
               "--together workload.arrivals.rate=1/s..2/s"));

    const struct sweep_axis *axis = &scenario->sweep.axes[0];
    CHECK_UINT(axis->path_count, 2);
    CHECK_TEXT(axis->paths[1].values[1].text, "1.5/s");
    CHECK_UINT(sweep_point_count(&scenario->sweep), 3);
}

static void last_axis_moves_fastest(void)
{
    CHECK(vary("--vary nodes[n].count=2..4", "--vary seed=[7, 9]"));
    CHECK_UINT(sweep_point_count(&scenario->sweep), 6);
    CHECK_UINT(sweep_place(&scenario->sweep, 3, 0), 1);
    CHECK_UINT(sweep_place(&scenario->sweep, 3, 1), 1);

    char words[200];
    sweep_point_text(&scenario->sweep, 4, words, sizeof words);
    CHECK_TEXT(words, "nodes[n].count=4, seed=7");
}

static void crossover_moves_others_along_a_line(void)
{
    CHECK(vary("--crossover workload.arrivals.rate=2/s..6/s",
               "--together nodes[n].count=10..30"));

    const struct crossover_spec *spec = &scenario->sweep.crossover;
    CHECK_NEAR(sweep_span_at(spec, 0, 3), 3, 0);
    CHECK_NEAR(sweep_span_at(spec, 1, 3), 15, 1e-12);
    CHECK_NEAR(sweep_span_at(spec, 1, 6), 30, 0);
}

static void steps_go_with_the_one_before(void)
{
    const char *texts[] = {"--crossover workload.arrivals.rate=2/s..6/s",
                           "--vary nodes[n].count=[2, 4]",
                           "--together seed=[7, 9]"};

    CHECK(scenario_vary(scenario, texts, 3, &diag));
    CHECK_UINT(scenario->sweep.axes[0].path_count, 2);
    CHECK_TEXT(scenario->sweep.axes[0].paths[1].values[1].text, "9");
}

static void within_is_of_the_range_or_of_the_value(void)
{
    CHECK(vary("--crossover workload.arrivals.rate=2/s..6/s", "--within 10 %"));
    CHECK_NEAR(scenario->sweep.crossover.within, 0.4, 1e-12);
    CHECK(
        vary("--crossover workload.arrivals.rate=2/s..6/s", "--within 0.3/s"));
    CHECK_NEAR(scenario->sweep.crossover.within, 0.3, 1e-12);
    CHECK(vary("--crossover workload.arrivals.rate=2/s..6/s log",
               "--within 10 %"));
    CHECK_NEAR(scenario->sweep.crossover.within, log(1.1), 1e-12);
}

static void policies_are_known_by_label_or_name(void)
{
    CHECK(vary("--crossover seed=1..9",
               "--between ring_hash(replicas=100),round_robin"));
    CHECK_TEXT(scenario->sweep.crossover.between[0],
               scenario->policies[1].label);
    CHECK_TEXT(scenario->sweep.crossover.between[1], "round_robin");
}

static void mistakes_are_told(void)
{
    check_refused("--vary workload.arrivals.rate=1..2 points 3", NULL,
                  "needs a unit");
    check_refused("--vary workload.work=1 s..2 s points 3", NULL,
                  "takes no numbers");
    check_refused("--vary seed=1..1000000", NULL, "more values");
    check_refused("--together seed=1..2", NULL, "behind the --vary");
    check_refused("--vary nodes[n].count", NULL, "a setting and its value");
    check_refused("--crossover seed=5", NULL, "needs a range");
    check_refused("--crossover seed=1..5 step 2", NULL, "neither step nor");
    check_refused("--crossover seed=1..5", "--vary seed=[1]", "varied already");
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"list keeps what was written", list_keeps_what_was_written},
        {"list may hold blocks", list_may_hold_blocks},
        {"step stays within the range", step_stays_within_the_range},
        {"step reaches the end in spite of rounding",
         step_reaches_the_end_in_spite_of_rounding},
        {"whole numbers step by one", whole_numbers_step_by_one},
        {"points are even", points_are_even},
        {"log points have even ratios", log_points_have_even_ratios},
        {"whole numbers that fall together are one",
         whole_numbers_that_fall_together_are_one},
        {"parameter of a policy has its kind",
         parameter_of_a_policy_has_its_kind},
        {"what moves in step has as many values",
         what_moves_in_step_has_as_many_values},
        {"last axis moves fastest", last_axis_moves_fastest},
        {"crossover moves others along a line",
         crossover_moves_others_along_a_line},
        {"steps go with the one before", steps_go_with_the_one_before},
        {"within is of the range or of the value",
         within_is_of_the_range_or_of_the_value},
        {"policies are known by label or name",
         policies_are_known_by_label_or_name},
        {"mistakes are told", mistakes_are_told},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("vary", NULL, NULL, a_scenario, forget, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
