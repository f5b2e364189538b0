/* Figures of small columns, worked out by hand, and correlations against
   GSL's. */
#include "tests/check.h"
#include "workloads/figures.h"
#include "workloads/rng.h"

#include <gsl/gsl_statistics.h>
#include <stdlib.h>

/* 1 2 3 4: mean 2.5, variance 5 / 4; ranks ceil(4 p) are 2, 4, 4, 4, 4;
   places 3 p are 1.5, 2.7, 2.85, 2.97, 2.997. */
static void four_values(void)
{
    static const uint64_t values[] = {1, 2, 3, 4};
    static const uint64_t ranked[] = {2, 4, 4, 4, 4};
    static const double linear[] = {2.5, 3.7, 3.85, 3.97, 3.997};
    struct figures figures;

    figures_of_sorted(values, 4, &figures);
    CHECK_UINT(figures.sum, 10);
    CHECK_NEAR(figures.mean, 2.5, 0);
    CHECK_NEAR(figures.deviation, sqrt(1.25), 1e-15);
    CHECK_UINT(figures.min, 1);
    CHECK_UINT(figures.max, 4);
    for (int i = 0; i < FIGURES_QUANTILES; i++) {
        CHECK_UINT(figures.nearest_rank[i], ranked[i]);
        CHECK_NEAR(figures.linear[i], linear[i], 1e-12);
    }
}

static void one_value(void)
{
    static const uint64_t value = 4294967295;
    static const uint32_t x = 7;
    struct figures figures;

    figures_of_sorted(&value, 1, &figures);
    CHECK_UINT(figures.nearest_rank[4], value);
    CHECK_NEAR(figures.linear[0], 4294967295.0, 0);
    CHECK_NEAR(figures.deviation, 0, 0);
    CHECK(isnan(figures_pearson(&x, &x, 1)));
    CHECK(isnan(figures_pearson(NULL, NULL, 0)));
}

/* Textbook ties: x 1 2 2 3 has ranks 1 2.5 2.5 4, y 4 4 1 9 has 2.5 2.5 1 4;
   rho = (0.0 + 0.0 + 0 * -1.5 + 1.5 * 1.5) / ... = 2.25 / 4.5. */
static void spearman_takes_average_ranks(void)
{
    static const uint32_t x[] = {1, 2, 2, 3}, y[] = {4, 4, 1, 9};
    static const uint64_t by_x[] = {1, 2, 2, 3}, by_y[] = {1, 4, 4, 9};

    CHECK_NEAR(figures_spearman(x, y, by_x, by_y, 4), 0.5, 1e-15);
}

static void correlations_agree_with_gsl(void)
{
    enum { COUNT = 500 };
    uint32_t x[COUNT], y[COUNT];
    uint64_t by_x[COUNT], by_y[COUNT];
    double dx[COUNT], dy[COUNT], work[2 * COUNT];
    struct rng rng;

    rng_stream(&rng, 20261129, 1, RNG_KEYS, 2);
    for (int i = 0; i < COUNT; i++) {
        by_x[i] = x[i] = (uint32_t)rng_below(&rng, 60);
        by_y[i] = y[i] = x[i] / 3 + (uint32_t)rng_below(&rng, 4000000000);
        dx[i] = x[i];
        dy[i] = y[i];
    }
    figures_sort(by_x, COUNT);
    figures_sort(by_y, COUNT);
    CHECK_NEAR(figures_pearson(x, y, COUNT),
               gsl_stats_correlation(dx, 1, dy, 1, COUNT), 1e-12);
    CHECK_NEAR(figures_spearman(x, y, by_x, by_y, COUNT),
               gsl_stats_spearman(dx, 1, dy, 1, COUNT, work), 1e-12);
}

/* Counts that are the law itself give its exponent back, whichever the fit. */
static void fits_find_a_clean_law(void)
{
    enum { RANKS = 2000 };
    uint64_t counts[RANKS];
    struct figures_zipf zipf;

    for (int i = 0; i < RANKS; i++)
        counts[i] = (uint64_t)(1e12 * pow(i + 1, -0.75) + 0.5);
    zipf = figures_zipf_of(counts, RANKS);
    CHECK_NEAR(zipf.least_squares, 0.75, 1e-8);
    CHECK_NEAR(zipf.least_squares_1000, 0.75, 1e-8);
    CHECK_NEAR(zipf.maximum_likelihood, 0.75, 1e-8);
    counts[0] = 3;
    counts[1] = 1; /* P(1) = 3/4: 2^-s = 1/3 */
    zipf = figures_zipf_of(counts, 2);
    CHECK_NEAR(zipf.maximum_likelihood, log2(3), 1e-9);
    CHECK_NEAR(zipf.least_squares, log2(3), 1e-9);
    counts[1] = 3; /* flat */
    CHECK_NEAR(figures_zipf_of(counts, 2).maximum_likelihood, 0, 1e-9);
    CHECK(isnan(figures_zipf_of(counts, 1).maximum_likelihood));
    CHECK(isnan(figures_zipf_of(counts, 0).least_squares));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"four values", four_values},
        {"one value", one_value},
        {"Spearman takes average ranks", spearman_takes_average_ranks},
        {"correlations agree with GSL", correlations_agree_with_gsl},
        {"fits find a clean law", fits_find_a_clean_law},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("figures", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
