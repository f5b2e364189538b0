/*
 * Expected values without another source were computed independently with
 * mpmath at 30 digits or with exact fractions, and agree with SciPy or NumPy.
 */
#include "sim/measure/stats.h"
#include "tests/check.h"

#include <math.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define CHECK_SAME(actual, expected) \
    CHECK_NEAR(actual, expected, 1e-9 * fabs((double)(expected)))

/* Two policies' ten replications, an uneven load, and a correlated series. */
static const double s1[] = {12, 15, 11, 14, 18, 13, 16, 12, 17, 14};
static const double s2[] = {11, 13, 11, 12, 17, 12, 14, 12, 15, 13};
static const double s3[] = {2.1,  3.7, 1.4, 9.8, 2.2, 2.9,
                            31.5, 1.1, 4.6, 2.8, 3.3, 6.4};
static const double b30[] = {5, 7, 6, 9, 8, 4, 3, 6, 7, 5,  9, 10, 8, 7, 6,
                             5, 4, 6, 8, 7, 3, 5, 6, 9, 10, 7, 8,  6, 5, 4};

struct summary {
    double mean, variance, sd, cv, jain, gini, max_over_mean;
};

static void check_summary(const double *values, size_t n,
                          const struct summary *expected)
{
    CHECK_SAME(stats_mean(values, n), expected->mean);
    CHECK_SAME(stats_variance(values, n), expected->variance);
    CHECK_SAME(stats_sd(values, n), expected->sd);
    CHECK_SAME(stats_cv_population(values, n), expected->cv);
    CHECK_SAME(stats_jain(values, n), expected->jain);
    CHECK_SAME(stats_gini(values, n), expected->gini);
    CHECK_SAME(stats_max_over_mean(values, n), expected->max_over_mean);
}

static void summaries_of_three_series(void)
{
    static const struct summary of_s1 = {
        14.2,
        5.28888888888889,
        2.29975844142138,
        0.153643832600503,
        0.976937984496124,
        0.0873239436619718,
        1.26760563380282,
    };
    static const struct summary of_s2 = {
        13,
        3.55555555555556,
        1.88561808316413,
        0.137604183230756,
        0.981416957026713,
        0.0738461538461538,
        1.30769230769231,
    };
    static const struct summary of_s3 = {
        5.98333333333333, 70.3687878787879,  8.38861060478956,
        1.34230916815117, 0.356914189499803, 0.528319405756732,
        5.26462395543175,
    };

    check_summary(s1, COUNT(s1), &of_s1);
    check_summary(s2, COUNT(s2), &of_s2);
    check_summary(s3, COUNT(s3), &of_s3);
}

/* One of n nodes has all the load: cv sqrt(n - 1), Jain 1/n, Gini 1 - 1/n. */
static void inequality_at_its_extremes(void)
{
    static const double one[] = {0, 0, 8, 0};
    static const double even[] = {0.1, 0.1, 0.1, 0.1, 0.1};

    CHECK_SAME(stats_cv_population(one, 4), sqrt(3));
    CHECK_SAME(stats_jain(one, 4), 0.25);
    CHECK_SAME(stats_gini(one, 4), 0.75);
    CHECK_SAME(stats_max_over_mean(one, 4), 4);

    CHECK_NEAR(stats_cv_population(even, 5), 0, 0);
    CHECK_SAME(stats_jain(even, 5), 1);
    CHECK_NEAR(stats_gini(even, 5), 0, 1e-15);
    CHECK_SAME(stats_max_over_mean(even, 5), 1);
}

static void inequality_of_nothing_is_not_a_number(void)
{
    static const double idle[] = {0, 0, 0};

    for (size_t n = 0; n <= 3; n += 3) {
        CHECK(isnan(stats_cv_population(idle, n)));
        CHECK(isnan(stats_jain(idle, n)));
        CHECK(isnan(stats_gini(idle, n)));
        CHECK(isnan(stats_max_over_mean(idle, n)));
    }
}

static void too_short_is_not_a_number(void)
{
    CHECK(isnan(stats_mean(s1, 0)));
    CHECK(isnan(stats_variance(s1, 0)));
    CHECK(isnan(stats_variance(s1, 1)));
    CHECK(isnan(stats_sd(s1, 1)));
    CHECK(isnan(stats_quantile_sorted(s1, 0, 0.5)));
}

/* Deviations -6, -3, 3, 6 give 90 / 3. */
static void variance_survives_a_large_mean(void)
{
    static const double far[] = {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16};

    CHECK_SAME(stats_variance(far, 4), 30);
}

/* The exact sum is 4; adding in doubles, plainly or after Kahan, gives 3. */
static void mean_keeps_what_rounding_would_lose(void)
{
    static const double values[] = {1e16, 1, -1e16, 1, 1, 1};
    static const double small_first[] = {1, 1e16, -1e16};

    CHECK_SAME(stats_mean(values, 6), 4.0 / 6);
    CHECK_SAME(stats_mean(small_first, 3), 1.0 / 3);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

static void check_quantiles(const double *values, size_t n,
                            const double *expected)
{
    static const double qs[] = {0.25, 0.5, 0.9, 0.95, 0.99};
    double sorted[COUNT(s3)];

    memcpy(sorted, values, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, ascending);
    for (size_t i = 0; i < COUNT(qs); i++)
        CHECK_NEAR(stats_quantile_sorted(sorted, n, qs[i]), expected[i], 0);
}

/* Inverse of the empirical distribution, numpy's inverted_cdf. */
static void quantiles_are_nearest_rank(void)
{
    static const double of_s1[] = {12, 14, 17, 18, 18};
    static const double of_s2[] = {12, 12, 15, 17, 17};
    static const double of_s3[] = {2.1, 2.9, 9.8, 31.5, 31.5};

    check_quantiles(s1, COUNT(s1), of_s1);
    check_quantiles(s2, COUNT(s2), of_s2);
    check_quantiles(s3, COUNT(s3), of_s3);
}

/* In doubles, 0.07 * 100, 0.55 * 100, 0.56 * 25 and 0.28 * 25 are more than
   the whole number that they should be. */
static void rank_is_that_of_the_decimal(void)
{
    static const struct {
        double q;
        uint64_t n, rank;
    } rows[] = {
        {0.99, 1, 1},
        {0.99, 2, 2},
        {0.99, 71, 71},
        {0.99, 100, 99},
        {0.99, 101, 100},
        {0.99, 200, 198},
        {0.99, 10000, 9900},
        {0.07, 100, 7},
        {0.07, 100000, 7000},
        {0.55, 100, 55},
        {0.56, 25, 14},
        {0.28, 25, 7},
        {0.999, 1000, 999},
        {0.9999, 10000, 9999},
        {0.999999, 1000000000, 999999000},
        {0.5, 7, 4},
        {1, 1, 1},
        {1, 1000000007, 1000000007},
        {1.0 / 3, 3, 1},
        {2.0 / 3, 3, 2},
        {1e-9, 10, 1},
        {1e-300, UINT64_MAX, 1},
        {0.07, 1000000000000, 70000000000},
    };

    for (size_t i = 0; i < COUNT(rows); i++)
        CHECK_UINT(stats_nearest_rank(rows[i].q, rows[i].n), rows[i].rank);
}

/* Every k/n with n up to 300 gives k: the rule holds for all fractions. */
static void rank_of_a_fraction_is_its_numerator(void)
{
    for (uint64_t n = 1; n <= 300; n++)
        for (uint64_t k = 1; k <= n; k++) {
            uint64_t rank = stats_nearest_rank((double)k / (double)n, n);

            if (rank != k)
                CHECK_UINT(rank, k);
        }
}

/* 1 / (1 - q) values are enough: 100 for P99, 1,000 for P99.9. */
static void quantile_of_few_values_is_weak(void)
{
    CHECK(stats_quantile_is_weak(0.99, 0));
    CHECK(stats_quantile_is_weak(0.99, 99));
    CHECK(!stats_quantile_is_weak(0.99, 100));
    CHECK(stats_quantile_is_weak(0.999, 999));
    CHECK(!stats_quantile_is_weak(0.999, 1000));
    CHECK(!stats_quantile_is_weak(0.5, 2));
}

/* Quantiles of 0.95, 0.975 and 0.995. */
static void t_quantiles(void)
{
    static const double rows[][4] = {
        {1, 6.31375151467504, 12.7062047361747, 63.6567411628716},
        {2, 2.91998558035373, 4.30265272974946, 9.92484320091829},
        {4, 2.13184678632665, 2.77644510519779, 4.60409487134999},
        {5, 2.01504837333302, 2.57058183563632, 4.03214298355523},
        {9, 1.83311293265624, 2.26215716279821, 3.24983554159213},
        {10, 1.81246112281168, 2.22813885198627, 3.16927267261695},
        {19, 1.72913281152137, 2.09302405440831, 2.86093460646498},
        {29, 1.6991270265335, 2.0452296421327, 2.75638590367061},
        {30, 1.69726088659396, 2.04227245630124, 2.74999565356723},
        {99, 1.66039115601699, 1.98421695158642, 2.62640545728083},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        CHECK_SAME(stats_t_quantile(0.95, rows[i][0]), rows[i][1]);
        CHECK_SAME(stats_t_quantile(0.975, rows[i][0]), rows[i][2]);
        CHECK_SAME(stats_t_quantile(0.995, rows[i][0]), rows[i][3]);
        CHECK_SAME(stats_t_quantile(0.025, rows[i][0]), -rows[i][2]);
        CHECK_SAME(stats_t_two_sided_p(-rows[i][2], rows[i][0]), 0.05);
    }
}

static void normal_quantiles(void)
{
    CHECK_SAME(stats_normal_quantile(0.9), 1.2815515655446);
    CHECK_SAME(stats_normal_quantile(0.95), 1.64485362695147);
    CHECK_SAME(stats_normal_quantile(0.975), 1.95996398454005);
    CHECK_SAME(stats_normal_quantile(0.99), 2.32634787404084);
    CHECK_SAME(stats_normal_quantile(0.995), 2.5758293035489);
}

/* The library beneath would end the program for some of these. */
static void arguments_out_of_range_give_not_a_number(void)
{
    CHECK(isnan(stats_t_quantile(0, 5)));
    CHECK(isnan(stats_t_quantile(1, 5)));
    CHECK(isnan(stats_t_quantile(NAN, 5)));
    CHECK(isnan(stats_t_quantile(1e-100, 590)));
    CHECK(isnan(stats_t_quantile(0.9, 0)));
    CHECK(isnan(stats_t_quantile(0.9, 0.01)));
    CHECK(isnan(stats_t_quantile(0.9, NAN)));
    CHECK(isnan(stats_t_two_sided_p(NAN, 5)));
    CHECK(isnan(stats_t_two_sided_p(2, 0)));
    CHECK_NEAR(stats_t_two_sided_p(-INFINITY, 5), 0, 0);
    CHECK(isnan(stats_normal_quantile(0)));
    CHECK(isnan(stats_normal_quantile(1)));
    CHECK(isnan(stats_normal_quantile(-1)));
}

static void check_half_widths(const double *values, size_t n,
                              const double *expected)
{
    static const double confidences[] = {0.9, 0.95, 0.99};

    for (size_t i = 0; i < COUNT(confidences); i++) {
        struct stats_interval interval =
            stats_t_interval(values, n, confidences[i]);

        CHECK_UINT(interval.n, n);
        CHECK_SAME(interval.mean, stats_mean(values, n));
        CHECK_SAME(interval.hi - interval.mean, expected[i]);
        CHECK_SAME(interval.mean - interval.lo, expected[i]);
    }
}

static void t_intervals_of_three_series(void)
{
    static const double of_s1[] = {1.3331267503975, 1.64514808313512,
                                   2.36343468954265};
    static const double of_s2[] = {1.09305736742756, 1.34888991781463,
                                   1.93782751645196};
    static const double of_s3[] = {4.34888467743815, 5.32986889710363,
                                   7.52096917677782};

    check_half_widths(s1, COUNT(s1), of_s1);
    check_half_widths(s2, COUNT(s2), of_s2);
    check_half_widths(s3, COUNT(s3), of_s3);
}

/* The intervals of batch means: those of the means of 3, 5, 6 and 10. */
static void t_intervals_of_batch_means(void)
{
    static const struct {
        size_t batch;
        double half_width;
    } rows[] = {{3, 0.841556097448138},
                {5, 1.07364326936704},
                {6, 0.346283544561189},
                {10, 1.27476046574023}};

    for (size_t i = 0; i < COUNT(rows); i++) {
        size_t batches = COUNT(b30) / rows[i].batch;
        double means[10];

        for (size_t j = 0; j < batches; j++)
            means[j] = stats_mean(b30 + j * rows[i].batch, rows[i].batch);

        struct stats_interval interval = stats_t_interval(means, batches, 0.95);

        CHECK_SAME(interval.mean, 6.43333333333333);
        CHECK_SAME(interval.hi - interval.mean, rows[i].half_width);
    }
}

static void interval_of_one_value_has_no_ends(void)
{
    struct stats_interval none = stats_t_interval(s1, 0, 0.95);
    struct stats_interval one = stats_t_interval(s1, 1, 0.95);

    CHECK(isnan(none.mean) && isnan(none.lo) && isnan(none.hi));
    CHECK_NEAR(one.mean, 12, 0);
    CHECK(isnan(one.lo) && isnan(one.hi));
    CHECK_UINT(one.n, 1);
}

static void interval_of_equal_values_is_a_point(void)
{
    static const double equal[] = {0.5, 0.5, 0.5};
    struct stats_interval interval = stats_t_interval(equal, 3, 0.95);

    CHECK_NEAR(interval.lo, 0.5, 0);
    CHECK_NEAR(interval.hi, 0.5, 0);
}

struct ranks {
    double q;
    uint64_t n;
    double confidence;
    uint64_t lo, hi;
};

static void check_ranks(const struct ranks *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t lo = UINT64_MAX, hi = UINT64_MAX;

        stats_quantile_ci_ranks(rows[i].q, rows[i].n, rows[i].confidence, &lo,
                                &hi);
        CHECK_UINT(lo, rows[i].lo);
        CHECK_UINT(hi, rows[i].hi);
    }
}

static void quantile_interval_ranks(void)
{
    static const struct ranks rows[] = {
        {0.5, 10, 0.95, 2, 9},        {0.5, 20, 0.95, 6, 15},
        {0.9, 50, 0.95, 41, 50},      {0.9, 100, 0.95, 84, 96},
        {0.99, 100, 0.95, 97, 0},     {0.99, 500, 0.95, 490, 500},
        {0.99, 1000, 0.95, 983, 997}, {0.5, 1000, 0.99, 459, 542},
    };

    check_ranks(rows, COUNT(rows));
}

static void quantile_interval_ranks_of_long_runs(void)
{
    static const struct ranks rows[] = {
        {0.99, 10000, 0.95, 9880, 9920},
        {0.99, 1000000, 0.95, 989805, 990196},
        {0.5, 1000000, 0.95, 499020, 500981},
        {0.999, 100000000, 0.95, 99899380, 99900620},
    };

    check_ranks(rows, COUNT(rows));
}

/* An upper rank needs q^n <= 0.025, a lower one (1 - q)^n <= 0.025:
   n >= 367.04 for 0.99, n >= 367.04 for 0.01 and n >= 5.32 for 0.5. */
static void quantile_interval_needs_enough_values(void)
{
    uint64_t lo, hi;

    stats_quantile_ci_ranks(0.99, 367, 0.95, &lo, &hi);
    CHECK_UINT(hi, 0);
    stats_quantile_ci_ranks(0.99, 368, 0.95, &lo, &hi);
    CHECK_UINT(hi, 368);
    stats_quantile_ci_ranks(0.01, 367, 0.95, &lo, &hi);
    CHECK_UINT(lo, 0);
    stats_quantile_ci_ranks(0.01, 368, 0.95, &lo, &hi);
    CHECK_UINT(lo, 1);
    stats_quantile_ci_ranks(0.5, 5, 0.95, &lo, &hi);
    CHECK_UINT(lo, 0);
    CHECK_UINT(hi, 0);
    stats_quantile_ci_ranks(0.5, 6, 0.95, &lo, &hi);
    CHECK_UINT(lo, 1);
    CHECK_UINT(hi, 6);
    stats_quantile_ci_ranks(0.5, 0, 0.95, &lo, &hi);
    CHECK_UINT(lo, 0);
    CHECK_UINT(hi, 0);
}

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

/* What is not the program's own word for it follows from what is: the other
   coefficient of variation, Gini's index without bias, the covariance. */
static void forms_that_others_use_follow(void)
{
    static const struct {
        const double *values;
        size_t n;
        double cv, gini;
    } rows[] = {
        {s1, COUNT(s1), 0.161954819818407, 0.0970266040688576},
        {s2, COUNT(s2), 0.145047544858779, 0.0820512820512821},
        {s3, COUNT(s3), 1.40199620135759, 0.576348442643707},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        double n = (double)rows[i].n;

        CHECK_SAME(stats_sd(rows[i].values, rows[i].n) /
                       stats_mean(rows[i].values, rows[i].n),
                   rows[i].cv);
        CHECK_SAME(stats_gini(rows[i].values, rows[i].n) * n / (n - 1),
                   rows[i].gini);
    }
}

/* Sums of squared deviations and steps of B30: lag-1 autocorrelation
   0.3829218734, von Neumann's ratio 1.161231332. */
static void correlated_series_is_seen_in_its_steps(void)
{
    enum { N = COUNT(b30) };
    double mean = stats_mean(b30, N);
    double squares = stats_variance(b30, N) * (N - 1);
    double products = 0, steps = 0;

    for (size_t i = 1; i < N; i++) {
        products += (b30[i] - mean) * (b30[i - 1] - mean);
        steps += (b30[i] - b30[i - 1]) * (b30[i] - b30[i - 1]);
    }
    CHECK_NEAR(products / squares, 0.382921873412577, 1e-9);
    CHECK_NEAR(steps / squares, 1.161231331911, 1e-9);
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
    CU_TestInfo series[] = {
        {"summaries of three series", summaries_of_three_series},
        {"inequality at its extremes", inequality_at_its_extremes},
        {"inequality of nothing", inequality_of_nothing_is_not_a_number},
        {"too short is not a number", too_short_is_not_a_number},
        {"variance survives a large mean", variance_survives_a_large_mean},
        {"mean keeps what rounding would lose",
         mean_keeps_what_rounding_would_lose},
        {"forms that others use follow", forms_that_others_use_follow},
        {"a correlated series is seen in its steps",
         correlated_series_is_seen_in_its_steps},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo quantiles[] = {
        {"quantiles are nearest rank", quantiles_are_nearest_rank},
        {"rank is that of the decimal", rank_is_that_of_the_decimal},
        {"rank of a fraction is its numerator",
         rank_of_a_fraction_is_its_numerator},
        {"quantile of few values is weak", quantile_of_few_values_is_weak},
        {"t quantiles", t_quantiles},
        {"normal quantiles", normal_quantiles},
        {"arguments out of range", arguments_out_of_range_give_not_a_number},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo intervals[] = {
        {"t intervals of three series", t_intervals_of_three_series},
        {"t intervals of batch means", t_intervals_of_batch_means},
        {"one value has no ends", interval_of_one_value_has_no_ends},
        {"equal values are a point", interval_of_equal_values_is_a_point},
        {"quantile ranks", quantile_interval_ranks},
        {"quantile ranks of long runs", quantile_interval_ranks_of_long_runs},
        {"quantile ranks need enough values",
         quantile_interval_needs_enough_values},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo comparisons[] = {
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
        SUITE("stats series", NULL, NULL, NULL, NULL, series),
        SUITE("stats quantiles", NULL, NULL, NULL, NULL, quantiles),
        SUITE("stats intervals", NULL, NULL, NULL, NULL, intervals),
        SUITE("stats comparisons", NULL, NULL, NULL, NULL, comparisons),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
