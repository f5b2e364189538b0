/*
 * The depression scale of Hollander & Wolfe, "Nonparametric Statistical
 * Methods", 1999, table 3.1, is worked there: rank sum 40 of 45, estimate 0.46,
 * interval 0.010 to 0.786. Chances are counts of subsets of the ranks: of
 * 1 .. 9 ten have a sum of at most 5.
 */
#include "sim/measure/signed_rank.h"
#include "tests/check.h"

static const double scale[] = {1.83 - 0.878, 0.50 - 0.647, 1.62 - 0.598,
                               2.48 - 2.05,  1.68 - 1.06,  1.88 - 1.29,
                               1.55 - 1.06,  3.06 - 3.14,  1.30 - 1.29};

static struct signed_rank_p test(const double *differences, size_t n)
{
    struct signed_rank_p p = {NAN, NAN};

    CHECK(signed_rank_test(differences, n, &p));
    return p;
}

static void published_example(void)
{
    struct signed_rank_interval interval;

    CHECK_NEAR(test(scale, 9).above, 10 / 512.0, 1e-15);
    CHECK(signed_rank_interval(scale, 9, 0.95, &interval));
    CHECK_NEAR(interval.estimate, 0.46, 1e-12);
    CHECK_NEAR(interval.lo, 0.010, 1e-12);
    CHECK_NEAR(interval.hi, 0.786, 1e-12);
}

static void turned_round_the_tails_change_places(void)
{
    double turned[9];

    for (int i = 0; i < 9; i++)
        turned[i] = -scale[i];
    CHECK_NEAR(test(turned, 9).below, 10 / 512.0, 1e-15);
    CHECK_NEAR(test(turned, 9).above, test(scale, 9).below, 1e-15);
}

static void all_above_is_two_to_the_minus_n(void)
{
    double values[20];

    for (int i = 0; i < 20; i++)
        values[i] = 1 + i;
    CHECK_NEAR(test(values, 1).above, 0.5, 0);
    CHECK_NEAR(test(values, 10).above, 1 / 1024.0, 0);
    CHECK_NEAR(test(values, 20).above, 1 / 1048576.0, 0);
    CHECK_NEAR(test(values, 20).below, 1, 1e-12);
}

/* Where Student's t would be infinite. */
static void equal_ones_are_no_more_certain(void)
{
    static const double values[] = {3, 3, 3, 3, 3};

    CHECK_NEAR(test(values, 5).above, 1 / 32.0, 0);
}

/* Sizes 1, 1, 2 rank 1.5, 1.5, 3; above are 1.5 and 3, so 4.5 of 6. Of the
   eight subsets three reach that: both sets of 1.5 and 3, and all. */
static void equal_sizes_share_their_rank(void)
{
    static const double values[] = {1, -1, 2};

    CHECK_NEAR(test(values, 3).above, 3 / 8.0, 1e-15);
    CHECK_NEAR(test(values, 3).below, 7 / 8.0, 1e-15);
}

static void zeros_say_nothing(void)
{
    static const double values[] = {0, 5, 0, 6, 0};

    CHECK_NEAR(test(values, 5).above, 1 / 4.0, 0);
    CHECK_NEAR(test(values, 1).above, 1, 0);
    CHECK_NEAR(test(values, 1).below, 1, 0);
    CHECK_NEAR(test(values, 0).above, 1, 0);
}

static void infinite_ones_rank_highest(void)
{
    static const double values[] = {INFINITY, -1, INFINITY};

    /* 2.5 + 2.5 of 6; {2.5, 2.5} and all of the eight subsets reach it */
    CHECK_NEAR(test(values, 3).above, 2 / 8.0, 1e-15);
}

/* Beyond 100 values: the normal distribution's, at two standard deviations of
   the rank sum with its step made up for. */
static void many_values_are_near_the_normal_law(void)
{
    enum { N = 400 };
    double values[N];
    double mean = N * (N + 1) / 4.0;
    double sd = sqrt(N * (N + 1.0) * (2 * N + 1) / 24);
    double left = mean + 2 * sd;

    for (int i = N - 1; i >= 0; i--) {
        bool above = left >= i + 1;

        values[i] = above ? i + 1 : -(i + 1);
        left -= above ? i + 1 : 0;
    }
    CHECK_NEAR(test(values, N).above, 0.02275, 3e-5);
    CHECK_NEAR(test(values, N).below, 0.97725, 3e-5);
}

/* 2^-5 is more than 2.5 %, 2^-6 less: from six on the least mean of two, which
   is the least value, is a bound. */
static void few_values_have_no_interval(void)
{
    static const double values[] = {4, 2, 6, 1, 3, 5};
    struct signed_rank_interval interval;

    CHECK(signed_rank_interval(values, 5, 0.95, &interval));
    CHECK(isnan(interval.lo) && isnan(interval.hi));
    CHECK_NEAR(interval.estimate, 3, 0);
    CHECK(signed_rank_interval(values, 6, 0.95, &interval));
    CHECK_NEAR(interval.lo, 1, 0);
    CHECK_NEAR(interval.hi, 6, 0);
    CHECK_NEAR(interval.estimate, 3.5, 0);
    CHECK(signed_rank_interval(values, 0, 0.95, &interval));
    CHECK(isnan(interval.estimate));
}

/* Means of two of 1, 2 and 4, each with itself too: 1, 1.5, 2, 2.5, 3, 4. */
static void means_of_two_in_order(void)
{
    static const double values[] = {1, 2, 4};
    static const double means[] = {1, 1.5, 2, 2.5, 3, 4};

    for (size_t i = 0; i < 6; i++)
        CHECK_NEAR(signed_rank_mean_of_two(values, 3, i + 1), means[i], 4e-6);
}

/* Of four values the rank sum is 0 or 1 in one of 16 each, so at 2 in 16 the
   second smallest mean has to be above 0. 2^-10 is less than 1 in 1,000. */
static void how_many_means_may_be_below(void)
{
    static const struct {
        size_t n;
        double level;
        size_t count;
    } rows[] = {{4, 0.125, 2},  {4, 0.0625, 1}, {4, 0.06, 0},
                {10, 0.001, 1}, {9, 0.001, 0},  {6, 0.025, 1}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t count = 99;

        CHECK(signed_rank_count(rows[i].n, rows[i].level, &count));
        CHECK_UINT(count, rows[i].count);
    }
}

/* The test rejects just where that mean, with the shift, is above 0. */
static void the_test_goes_by_that_mean(void)
{
    static const double values[] = {-0.9, -0.3, 0.4, 0.7, 1.1, 1.2,
                                    1.6,  2,    2.3, 2.4, 3.1, 4};
    double shifted[12];
    size_t count;

    CHECK(signed_rank_count(12, 0.001, &count));
    for (int side = -1; side <= 1; side += 2) {
        double shift =
            -signed_rank_mean_of_two(values, 12, count) + side * 1e-4;

        for (size_t i = 0; i < 12; i++)
            shifted[i] = values[i] + shift;
        CHECK((test(shifted, 12).above <= 0.001) == (side > 0));
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"published example", published_example},
        {"turned round, the tails change places",
         turned_round_the_tails_change_places},
        {"all above is two to the minus n", all_above_is_two_to_the_minus_n},
        {"equal ones are no more certain", equal_ones_are_no_more_certain},
        {"equal sizes share their rank", equal_sizes_share_their_rank},
        {"zeros say nothing", zeros_say_nothing},
        {"infinite ones rank highest", infinite_ones_rank_highest},
        {"many values are near the normal law",
         many_values_are_near_the_normal_law},
        {"few values have no interval", few_values_have_no_interval},
        {"means of two in order", means_of_two_in_order},
        {"how many means may be below", how_many_means_may_be_below},
        {"the test goes by that mean", the_test_goes_by_that_mean},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("signed_rank", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
