/* A level over time: means over buckets of one second each, by hand. */
#include "sim/experiment/levels.h"
#include "tests/unit/experiment/recorder_world.h"

static struct arena arena;
static struct level level;

static void a_level_of_a_window_of_120_s(void)
{
    prepare();
    start_at(0);
    CHECK(level_init(&level, recorder.bucket_count, &arena));
}

static void forget_level(void)
{
    arena_done(&arena);
    forget();
}

/* 4 from 0.5 s to 2.25 s, then 1. */
static void a_bucket_has_the_mean_of_its_time(void)
{
    level_set(&level, &recorder, 4, S / 2);
    level_set(&level, &recorder, 1, 9 * S / 4);
    level_pass(&level, &recorder, WINDOW);
    CHECK_NEAR(level_in_bucket(&level, &recorder, 0), 2, 1e-12);
    CHECK_NEAR(level_in_bucket(&level, &recorder, 1), 4, 1e-12);
    CHECK_NEAR(level_in_bucket(&level, &recorder, 2), 1.75, 1e-12);
    CHECK_NEAR(level_in_bucket(&level, &recorder, 119), 1, 1e-12);
    /* 1.75 s of 4 and 117.75 s of 1 */
    CHECK_NEAR(level_mean(&level, &recorder), 124.75 / 120, 1e-12);
    CHECK_NEAR(level.most, 4, 0);
}

static void what_is_beyond_the_window_does_not_count(void)
{
    level_set(&level, &recorder, 3, 119 * S + S / 2);
    level_set(&level, &recorder, 100, WINDOW + S);
    level_pass(&level, &recorder, WINDOW + 2 * S);
    CHECK_NEAR(level_mean(&level, &recorder), 1.5 / 120, 1e-12);
    CHECK_NEAR(level.most, 3, 0);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"a bucket has the mean of its time",
         a_bucket_has_the_mean_of_its_time},
        {"what is beyond the window does not count",
         what_is_beyond_the_window_does_not_count},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        {"levels", NULL, NULL, a_level_of_a_window_of_120_s, forget_level,
         tests},
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
