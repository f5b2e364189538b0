/* Intervals of means and of quantiles, and the distributions behind them. */
#include "tests/unit/measure/stats_series.h"

/* An uneven load, and a correlated series. */
static const double s3[] = {2.1,  3.7, 1.4, 9.8, 2.2, 2.9,
                            31.5, 1.1, 4.6, 2.8, 3.3, 6.4};
static const double b30[] = {5, 7, 6, 9, 8, 4, 3, 6, 7, 5,  9, 10, 8, 7, 6,
                             5, 4, 6, 8, 7, 3, 5, 6, 9, 10, 7, 8,  6, 5, 4};

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

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"t quantiles", t_quantiles},
        {"normal quantiles", normal_quantiles},
        {"arguments out of range", arguments_out_of_range_give_not_a_number},
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
    CU_SuiteInfo suites[] = {
        SUITE("stats intervals", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
