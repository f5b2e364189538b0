/* Schedules, thresholds, goals and trends. */
#include "sim/cluster/forecast.h"
#include "sim/cluster/hpa.h"
#include "sim/cluster/scale_rules.h"

#include "tests/check.h"

#define HOUR INT64_C(3600000000000)
#define SECOND INT64_C(1000000000)

static const struct schedule_entry entries[] = {{8 * HOUR, 10}, {20 * HOUR, 2}};

static void schedule_follows_the_day(void)
{
    struct schedule_spec spec = {entries, 2, 24 * HOUR};

    CHECK_UINT(schedule_nodes(&spec, 5, 0), 2); /* since last evening */
    CHECK_UINT(schedule_nodes(&spec, 5, 8 * HOUR - 1), 2);
    CHECK_UINT(schedule_nodes(&spec, 5, 8 * HOUR), 10);
    CHECK_UINT(schedule_nodes(&spec, 5, 23 * HOUR), 2);
    CHECK_UINT(schedule_nodes(&spec, 5, 33 * HOUR), 10);
    CHECK_INT(schedule_next_ns(&spec, 0), 8 * HOUR);
    CHECK_INT(schedule_next_ns(&spec, 8 * HOUR), 20 * HOUR);
    CHECK_INT(schedule_next_ns(&spec, 21 * HOUR), 32 * HOUR);
}

static void schedule_without_a_day_ends(void)
{
    struct schedule_spec spec = {entries, 2, 0};

    CHECK_UINT(schedule_nodes(&spec, 5, 0), 5);
    CHECK_UINT(schedule_nodes(&spec, 5, 100 * HOUR), 2);
    CHECK_INT(schedule_next_ns(&spec, 20 * HOUR), INT64_MAX);
    spec.count = 0;
    CHECK_UINT(schedule_nodes(&spec, 5, HOUR), 5);
}

/* One node at 70 %, two at 55 % each: a threshold goes to and fro at 60 %, the
   ratio of the HPA makes one step (kubernetes/website #54304). */
static void ratio_does_not_flap_as_a_threshold_does(void)
{
    static const int64_t uses[] = {0, 700, 550};
    struct threshold_spec naive = {.above = 60, .below = 60};
    uint32_t by_ratio = 1, by_threshold = 1, ratio_steps = 0, steps = 0;

    for (int i = 0; i < 40; i++) { /* 10 minutes of 15 s */
        struct hpa_pod pods[2] = {{HPA_POD_READY, uses[by_ratio]},
                                  {HPA_POD_READY, uses[by_ratio]}};
        struct hpa_metric metric = {HPA_UTILISATION, 60, pods,
                                    by_ratio,        0,  true};
        uint32_t last = by_ratio, last_threshold = by_threshold;

        CHECK(hpa_propose(&metric, by_ratio, 0.1, &by_ratio));
        by_threshold = threshold_next(&naive, by_threshold,
                                      (double)uses[by_threshold] / 10);
        ratio_steps += by_ratio != last;
        steps += by_threshold != last_threshold;
    }
    CHECK_UINT(by_ratio, 2);
    CHECK_UINT(ratio_steps, 1);
    CHECK_UINT(steps, 40);
}

/* A constant load of 1.4 nodes (ai-dynamo/dynamo #9294): without a look at
   what the survivor inherits, 2 and 1 take turns for ever. */
static uint32_t count_steps(bool inherits, double load, uint32_t start)
{
    struct threshold_spec spec = {
        .above = 1, .below = 0.8, .inherits = inherits};
    uint32_t nodes = start, steps = 0;

    for (int i = 0; i < 40; i++) {
        uint32_t last = nodes;

        nodes = threshold_next(&spec, nodes, load / nodes);
        steps += nodes != last;
    }
    return steps;
}

static void survivors_inherit_the_load(void)
{
    struct threshold_spec careful = {
        .above = 1, .below = 0.8, .inherits = true};

    CHECK(count_steps(false, 1.4, 2) > 5);
    CHECK_UINT(count_steps(true, 1.4, 2), 0);
    CHECK_UINT(threshold_next(&careful, 10, 0.7), 9); /* 7 on 9 is 0.78 */
    CHECK_UINT(threshold_next(&careful, 1, 0), 1);    /* it would be the last */
    CHECK_UINT(count_steps(true, 7, 10), 1);
}

static void goal_grows_by_what_it_misses(void)
{
    struct goal_scale_spec spec = goal_scale_defaults();
    struct goal_scale goal = {.spec = &spec};

    spec.target = 2;
    CHECK_UINT(goal_scale_next(&goal, 4, 2.4), 5);
    CHECK_UINT(goal_scale_next(&goal, 4, 20), 8);
    CHECK_UINT(goal_scale_next(&goal, 4, INFINITY), 8);
    CHECK_UINT(goal_scale_next(&goal, 4, 2), 4);
    CHECK_UINT(goal_scale_next(&goal, 4, 1.5), 4);
}

static void goal_shrinks_with_patience(void)
{
    struct goal_scale_spec spec = goal_scale_defaults();
    struct goal_scale goal = {.spec = &spec};

    spec.target = 2;
    for (int i = 0; i < 3; i++)
        CHECK_UINT(goal_scale_next(&goal, 4, 0.9), 4);
    CHECK_UINT(goal_scale_next(&goal, 4, 0.9), 3);
    CHECK_UINT(goal_scale_next(&goal, 3, 0.9), 3);
    CHECK_UINT(goal_scale_next(&goal, 3, 1.9), 3); /* begins anew */
    for (int i = 0; i < 3; i++)
        CHECK_UINT(goal_scale_next(&goal, 3, -1), 3);
    CHECK_UINT(goal_scale_next(&goal, 3, -1), 2);
}

/* 10, 12 give slope 2. Then 17 with 0.5 and 0.3: level 0.5*17 + 0.5*14 = 15.5,
   slope 0.3*3.5 + 0.7*2 = 2.45. */
static void holt_follows(void)
{
    struct forecast_spec spec = forecast_defaults();
    struct forecast trend;

    CHECK(forecast_init(&trend, &spec));
    CHECK_NEAR(forecast_at(&trend, 5), 0, 0);
    forecast_note(&trend, 10);
    CHECK_NEAR(forecast_at(&trend, 5), 10, 0);
    forecast_note(&trend, 12);
    CHECK_NEAR(forecast_at(&trend, 5), 22, 1e-12);
    forecast_note(&trend, 17);
    CHECK_NEAR(forecast_at(&trend, 4), 15.5 + 4 * 2.45, 1e-12);
    for (int i = 0; i < 60; i++)
        forecast_note(&trend, 17 - i);
    CHECK_NEAR(forecast_at(&trend, 100), 0, 0); /* never below nothing */
    forecast_done(&trend);
}

/* Through (0, 1), (1, 3), (2, 2), (3, 6): slope 7/5, mean 3 at 1.5. */
static void least_squares_extrapolate(void)
{
    struct forecast_spec spec = {.method = FORECAST_LINEAR, .points = 4};
    static const double values[] = {50, 1, 3, 2, 6};
    struct forecast trend;

    CHECK(forecast_init(&trend, &spec));
    forecast_note(&trend, values[0]);
    CHECK_NEAR(forecast_at(&trend, 9), 50, 0);
    for (int i = 1; i < 5; i++)
        forecast_note(&trend, values[i]);
    CHECK_NEAR(forecast_at(&trend, 0), 3 + 1.5 * 1.4, 1e-12);
    CHECK_NEAR(forecast_at(&trend, 5), 3 + 6.5 * 1.4, 1e-12);
    forecast_done(&trend);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"a schedule follows the day", schedule_follows_the_day},
        {"a schedule without a day ends", schedule_without_a_day_ends},
        {"a ratio does not flap as a threshold does",
         ratio_does_not_flap_as_a_threshold_does},
        {"survivors inherit the load", survivors_inherit_the_load},
        {"a goal grows by what it misses", goal_grows_by_what_it_misses},
        {"a goal shrinks with patience", goal_shrinks_with_patience},
        {"holt follows", holt_follows},
        {"least squares extrapolate", least_squares_extrapolate},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("scale rules", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
