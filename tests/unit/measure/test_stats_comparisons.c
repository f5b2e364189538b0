/* Tests of two series, of many tests at once, and how many pairs they take. */
#include "tests/unit/measure/stats_series.h"

/* 2 * sum of C(n, i) for i up to the smaller count, over 2^n. */
static void sign_test_is_exact(void)
{
    CHECK_SAME(stats_sign_test_p(5, 0), 2.0 / 32);
    CHECK_SAME(stats_sign_test_p(9, 1), 22.0 / 1024);
    CHECK_SAME(stats_sign_test_p(2, 8), 112.0 / 1024);
    CHECK_SAME(stats_sign_test_p(17, 3), 0.0025768280029296875);
    CHECK_SAME(stats_sign_test_p(40, 60), 0.05688793364098079);
    CHECK_SAME(stats_sign_test_p(1100, 900), 8.45708953550392726e-6);
}

static void sign_test_of_a_draw_is_one(void)
{
    CHECK_NEAR(stats_sign_test_p(0, 0), 1, 0);
    CHECK_NEAR(stats_sign_test_p(1, 0), 1, 0);
    CHECK_NEAR(stats_sign_test_p(7, 7), 1, 0);
    CHECK_NEAR(stats_sign_test_p(1000000, 0), 0, 0);
}

static void check_holm(const double *p, const double *expected, size_t n)
{
    double adjusted[8];

    stats_holm(p, adjusted, n);
    for (size_t i = 0; i < n; i++)
        if (isnan(expected[i]))
            CHECK(isnan(adjusted[i]));
        else
            CHECK_NEAR(adjusted[i], expected[i], 1e-15);
}

/* Sorted 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1 is 0.02, 0.03, 0.06, 0.04;
   the last may not be less than the one before. */
static void holm_steps_down(void)
{
    static const double p[] = {0.01, 0.04, 0.03, 0.005};
    static const double adjusted[] = {0.03, 0.06, 0.06, 0.02};

    check_holm(p, adjusted, 4);
}

static void holm_leaves_out_what_was_not_tested(void)
{
    static const double p[] = {NAN, 0.01, NAN, 0.02};
    static const double adjusted[] = {NAN, 0.02, NAN, 0.02};

    check_holm(p, adjusted, 4);
    check_holm(p, adjusted, 1);
    check_holm(p, adjusted, 0);
}

/* Equal p share the larger factor, and nothing exceeds 1. */
static void holm_of_equal_and_large_p(void)
{
    static const double p[] = {0.6, 0.1, 0.1, 0, 0.9};
    static const double adjusted[] = {1, 0.4, 0.4, 0, 1};

    check_holm(p, adjusted, 5);
}

static void paired_difference_of_two_policies(void)
{
    struct stats_paired paired = stats_paired_t(s2, s1, COUNT(s1), 0.95);
    double half_width = paired.difference.hi - paired.difference.mean;

    CHECK_SAME(paired.difference.mean, 1.2);
    CHECK_SAME(half_width, 0.564281137215166);
    CHECK_SAME(paired.difference.mean - paired.difference.lo, half_width);
    CHECK_UINT(paired.difference.n, 10);
    CHECK_SAME(paired.p, 0.000959310299123676);
}

static void paired_difference_changes_sign_with_the_order(void)
{
    struct stats_paired paired = stats_paired_t(s1, s2, COUNT(s1), 0.95);

    CHECK_SAME(paired.difference.mean, -1.2);
    CHECK_SAME(paired.p, 0.000959310299123676);
}

/* Var(X - Y) = Var X + Var Y - 2 Cov(X, Y), with covariance 37/9. */
static void pairs_that_vary_together_differ_less(void)
{
    double difference[COUNT(s1)];

    for (size_t i = 0; i < COUNT(s1); i++)
        difference[i] = s1[i] - s2[i];

    double variance = stats_variance(difference, COUNT(s1));

    CHECK_SAME(variance, 0.622222222222222);
    CHECK_SAME(stats_sd(difference, COUNT(s1)), 0.788810637746615);
    CHECK_SAME(variance, stats_variance(s1, 10) + stats_variance(s2, 10) -
                             2 * 4.11111111111111);
}

static void constant_difference_is_certain(void)
{
    static const double old_values[] = {1, 2, 3};
    static const double new_values[] = {1.5, 2.5, 3.5};
    struct stats_paired shifted =
        stats_paired_t(old_values, new_values, 3, 0.95);
    struct stats_paired same = stats_paired_t(old_values, old_values, 3, 0.95);

    CHECK_NEAR(shifted.difference.lo, 0.5, 0);
    CHECK_NEAR(shifted.difference.hi, 0.5, 0);
    CHECK_NEAR(shifted.p, 0, 0);
    CHECK_NEAR(same.difference.mean, 0, 0);
    CHECK_NEAR(same.p, 1, 0);
}

/* t statistic 4.810702354 from the interval and its quantile. */
static void paired_t_statistic(void)
{
    struct stats_paired paired = stats_paired_t(s2, s1, COUNT(s1), 0.95);
    double half = paired.difference.hi - paired.difference.mean;
    double t = paired.difference.mean / half * stats_t_quantile(0.975, 9);

    CHECK_SAME(t, 4.81070235442364);
    CHECK_SAME(stats_t_two_sided_p(t, 9), paired.p);
}

static void independent_series_after_welch(void)
{
    struct stats_welch welch =
        stats_welch_t(s2, COUNT(s2), s1, COUNT(s1), 0.95);

    CHECK_SAME(welch.difference.mean, 1.2);
    CHECK_SAME(welch.df, 17.334224989057);
    CHECK_SAME(welch.difference.hi - welch.difference.mean, 1.9812637903997);
    CHECK_SAME(welch.difference.mean - welch.difference.lo, 1.9812637903997);
    /* The level at which 0 would be an end of the interval. */
    CHECK_NEAR(
        stats_welch_t(s2, COUNT(s2), s1, COUNT(s1), 1 - welch.p).difference.lo,
        0, 1e-9);
}

/* Equal variances and sizes: twice the degrees of freedom of one series. With
   s2 of 1 and 0, those of the first. */
static void degrees_of_freedom_at_their_extremes(void)
{
    static const double a[] = {1, 2, 3}, b[] = {5, 6, 7};
    static const double constant[] = {4, 4, 4, 4, 4};

    CHECK_SAME(stats_welch_t(a, 3, b, 3, 0.95).df, 4);
    CHECK_SAME(stats_welch_t(constant, 5, b, 3, 0.95).df, 2);
    CHECK_UINT(stats_welch_t(constant, 5, b, 3, 0.95).difference.n, 3);
    CHECK_NEAR(stats_welch_t(constant, 5, constant, 4, 0.95).p, 1, 0);
    CHECK_NEAR(stats_welch_t(constant, 5, constant, 4, 0.95).difference.hi, 0,
               0);
    CHECK(isnan(stats_welch_t(a, 1, b, 3, 0.95).p));
    CHECK(isnan(stats_welch_t(a, 3, b, 1, 0.95).difference.lo));
}

/* (5.2889 + 3.5556) / 0.6222 of S1 and S2. */
static void pairs_gain_what_they_share(void)
{
    static const double twice[] = {24, 30, 22, 28, 36, 26, 32, 24, 34, 28};

    CHECK_SAME(stats_pairing_gain(s1, s2, COUNT(s1)),
               sqrt((5.28888888888889 + 3.55555555555556) / 0.622222222222222));
    /* Var x + Var 2x over Var x. */
    CHECK_SAME(stats_pairing_gain(s1, twice, COUNT(s1)), sqrt(5));
    CHECK(isnan(stats_pairing_gain(s1, s1, COUNT(s1))));
    CHECK(isnan(stats_pairing_gain(s1, s2, 1)));
}

/* Levels of their own for 3, 2 and 1 tests left, of which the first two are
   rejected: adjusted p are at most 0.05 where p is at most the level. */
static void step_down_takes_other_levels(void)
{
    static const double p[] = {0.011, 0.5, 0.004};
    static const double levels[] = {0.02, 0.012, 0.005}; /* one, two, three */
    static const double adjusted[] = {0.05 / 0.012 * 0.011, 1,
                                      0.05 / 0.005 * 0.004};
    double ret[3];

    stats_step_down(p, levels, 0.05, ret, 3);
    for (size_t i = 0; i < 3; i++)
        CHECK_SAME(ret[i], adjusted[i]);
    stats_step_down(p, NULL, 0.05, ret, 3);
    CHECK_SAME(ret[2], 0.012); /* Holm's: 3 p */
}

static void one_pair_tells_nothing(void)
{
    struct stats_paired none = stats_paired_t(s1, s2, 0, 0.95);
    struct stats_paired one = stats_paired_t(s1, s2, 1, 0.95);

    CHECK(isnan(none.difference.mean) && isnan(none.p));
    CHECK_NEAR(one.difference.mean, -1, 0);
    CHECK(isnan(one.difference.lo) && isnan(one.p));
}

/* The exact answers, by integrating the non-central t distribution over the
   standard deviation; Cohen 1988 tabulates 34 for the second row. */
static void pairs_needed_for_an_effect(void)
{
    static const struct {
        double effect, alpha, power;
        uint64_t pairs;
    } rows[] = {
        {0.2, 0.05, 0.9, 265}, {0.5, 0.05, 0.8, 34}, {0.5, 0.05, 0.9, 44},
        {0.8, 0.05, 0.9, 19},  {1, 0.05, 0.9, 13},   {2, 0.05, 0.9, 5},
        {0.2, 0.01, 0.9, 376}, {0.5, 0.01, 0.9, 63}, {1, 0.01, 0.9, 19},
    };

    for (size_t i = 0; i < COUNT(rows); i++)
        for (double scale = -100; scale <= 100; scale += 200)
            CHECK_UINT(stats_pairs_needed(100, rows[i].effect * scale,
                                          rows[i].alpha, rows[i].power),
                       rows[i].pairs);
}

static void pairs_needed_at_the_extremes(void)
{
    CHECK_UINT(stats_pairs_needed(1, 0, 0.05, 0.9), UINT64_MAX);
    CHECK_UINT(stats_pairs_needed(0, 0, 0.05, 0.9), UINT64_MAX);
    CHECK_UINT(stats_pairs_needed(1e300, 1e-300, 0.05, 0.9), UINT64_MAX);
    CHECK_UINT(stats_pairs_needed(NAN, 1, 0.05, 0.9), UINT64_MAX);
    CHECK_UINT(stats_pairs_needed(0, 1, 0.001, 0.9), 2);
    CHECK_UINT(stats_pairs_needed(1, 1e6, 0.5, 0.9), 2);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"paired t statistic", paired_t_statistic},
        {"independent series after Welch", independent_series_after_welch},
        {"degrees of freedom at their extremes",
         degrees_of_freedom_at_their_extremes},
        {"pairs gain what they share", pairs_gain_what_they_share},
        {"step down takes other levels", step_down_takes_other_levels},
        {"sign test is exact", sign_test_is_exact},
        {"sign test of a draw is one", sign_test_of_a_draw_is_one},
        {"Holm steps down", holm_steps_down},
        {"Holm leaves out what was not tested",
         holm_leaves_out_what_was_not_tested},
        {"Holm of equal and large p", holm_of_equal_and_large_p},
        {"paired difference", paired_difference_of_two_policies},
        {"paired difference the other way round",
         paired_difference_changes_sign_with_the_order},
        {"pairs that vary together differ less",
         pairs_that_vary_together_differ_less},
        {"constant difference is certain", constant_difference_is_certain},
        {"one pair tells nothing", one_pair_tells_nothing},
        {"pairs needed for an effect", pairs_needed_for_an_effect},
        {"pairs needed at the extremes", pairs_needed_at_the_extremes},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("stats comparisons", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
