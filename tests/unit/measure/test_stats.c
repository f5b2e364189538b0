/* Summaries and quantiles of series. */
#include "tests/unit/measure/stats_series.h"

#include <stdlib.h>

/* An uneven load, and a correlated series. */
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
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("stats series", NULL, NULL, NULL, NULL, series),
        SUITE("stats quantiles", NULL, NULL, NULL, NULL, quantiles),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
