/*
 * MSER-5, which finds where a series has settled. Expected values were computed
 * independently with exact fractions.
 */
#include "sim/measure/stats.h"
#include "tests/check.h"

#include <math.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define CHECK_SAME(actual, expected) \
    CHECK_NEAR(actual, expected, 1e-9 * fabs((double)(expected)))

/* Rises for about 20 observations, then stays between 7 and 9. */
static const double w60[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5, 6, 6, 7,
                             7, 6, 8, 7, 8, 8, 9, 7, 8, 9, 8, 9, 8, 7, 9,
                             9, 8, 8, 9, 7, 8, 9, 9, 8, 7, 8, 9, 8, 9, 7,
                             9, 8, 8, 7, 9, 8, 9, 9, 7, 8, 8, 9, 8, 7, 9};

/* Batch means are 1.2, 3.8, 5.8, 7.2 and then 8.2 eight times: the statistic
   is 0 for 4, 5 and 6 batches, of which the first counts. */
static void mser5_cuts_the_warm_up(void)
{
    bool reliable = false;

    CHECK_UINT(stats_mser5(w60, COUNT(w60), &reliable), 20);
    CHECK(reliable);
    CHECK_SAME(stats_mean(w60 + 20, 40), 8.2);
}

/* The statistic of each cut, from the batch means that it keeps: it falls to 0
   at the fourth. */
static void mser5_statistic_of_each_cut(void)
{
    static const double statistics[] = {
        0.394907407407407, 0.1701577761, 0.05604, 0.0109739368998628, 0, 0, 0};
    double means[COUNT(w60) / 5];

    for (size_t i = 0; i < COUNT(means); i++)
        means[i] = stats_mean(w60 + 5 * i, 5);
    for (size_t d = 0; d < COUNT(statistics); d++) {
        double kept = (double)(COUNT(means) - d);

        CHECK_NEAR(stats_variance(means + d, COUNT(means) - d) * (kept - 1) /
                       (kept * kept),
                   statistics[d], 1e-9);
    }
}

/* With each observation five times the batch means are the observations, for
   which the statistic is least after 17 (0.0129045241). */
static void mser5_of_repeated_values_is_mser(void)
{
    double repeated[5 * COUNT(w60)];
    bool reliable = false;

    for (size_t i = 0; i < COUNT(repeated); i++)
        repeated[i] = w60[i / 5];
    CHECK_UINT(stats_mser5(repeated, COUNT(repeated), &reliable), 5 * 17);
    CHECK(reliable);
}

static void mser5_leaves_out_an_incomplete_batch(void)
{
    double values[COUNT(w60) + 4];
    bool reliable = false;

    memcpy(values, w60, sizeof w60);
    for (size_t i = COUNT(w60); i < COUNT(values); i++)
        values[i] = 1e9;
    CHECK_UINT(stats_mser5(values, COUNT(values), &reliable), 20);
    CHECK(reliable);
}

static void mser5_of_a_steady_run_cuts_nothing(void)
{
    double steady[1000];
    bool reliable = false;

    for (size_t i = 0; i < COUNT(steady); i++)
        steady[i] = 0.1;
    CHECK_UINT(stats_mser5(steady, COUNT(steady), &reliable), 0);
    CHECK(reliable);
}

/* A queue that only grows: every further cut looks better, up to half. */
static void mser5_of_a_growing_run_is_not_reliable(void)
{
    double growing[1000];
    bool reliable = true;

    for (size_t i = 0; i < COUNT(growing); i++)
        growing[i] = (double)i;
    CHECK_UINT(stats_mser5(growing, COUNT(growing), &reliable), 500);
    CHECK(!reliable);
}

static void mser5_of_a_short_run_is_not_reliable(void)
{
    bool reliable = true;

    CHECK_UINT(stats_mser5(w60, 9, &reliable), 0);
    CHECK(!reliable);
    reliable = true;
    CHECK_UINT(stats_mser5(w60, 0, &reliable), 0);
    CHECK(!reliable);
}

/* A step of 10 after a fifth of two million values that alternate by 1, whose
   batch means alternate by 0.2: what is cut ends with the step, or one batch
   later when that leaves less variance. Quadratic time would not end. */
static void mser5_of_millions_is_quick(void)
{
    const size_t n = 2000000;
    double *values = malloc(n * sizeof *values);
    bool reliable = false;

    CU_ASSERT_FATAL(values != NULL);
    for (size_t i = 0; i < n; i++)
        values[i] = (i < n / 5 ? 10 : 0) + (double)(i % 2);

    CHECK_NEAR((double)stats_mser5(values, n, &reliable), (double)n / 5, 5);
    CHECK(reliable);
    free(values);
}

int main(int argc, char **argv)
{
    CU_TestInfo warm_up[] = {
        {"mser5 statistic of each cut", mser5_statistic_of_each_cut},
        {"cuts the warm-up", mser5_cuts_the_warm_up},
        {"of repeated values is MSER", mser5_of_repeated_values_is_mser},
        {"leaves out an incomplete batch",
         mser5_leaves_out_an_incomplete_batch},
        {"steady run", mser5_of_a_steady_run_cuts_nothing},
        {"growing run", mser5_of_a_growing_run_is_not_reliable},
        {"short run", mser5_of_a_short_run_is_not_reliable},
        {"millions of values", mser5_of_millions_is_quick},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("stats mser5", NULL, NULL, NULL, NULL, warm_up),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
