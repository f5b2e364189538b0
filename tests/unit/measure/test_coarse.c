/*
 * The coarse histogram promises every percentile within 1/32 of the true one,
 * which is the value at the nearest rank of the sorted values.
 */
#include "sim/measure/coarse.h"
#include "sim/measure/stats.h"
#include "tests/check.h"

#include <stdlib.h>

#define COUNT 20000u

static struct coarse coarse;
static double sorted[COUNT];

static void empty(void)
{
    coarse = (struct coarse){0};
}

/* Marsaglia's xorshift64: any scattered values will do. */
static uint64_t scatter(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Values spread over all magnitudes below 2^bits. */
static void fill(unsigned bits)
{
    uint64_t state = 88172645463325252u;

    for (uint32_t i = 0; i < COUNT; i++) {
        unsigned shift = 64 - 1 - (unsigned)(scatter(&state) % bits);
        int64_t value = (int64_t)(scatter(&state) >> shift);

        sorted[i] = (double)value;
        coarse_add(&coarse, value);
    }
    qsort(sorted, COUNT, sizeof sorted[0], by_value);
}

static void check_all_ranks(void)
{
    for (uint32_t permille = 1; permille <= 1000; permille++) {
        double q = permille / 1000.0;
        double truth = stats_quantile_sorted(sorted, COUNT, q);

        /* A ns is the smallest bin. */
        CHECK_NEAR(coarse_quantile(&coarse, q), truth, truth / 32 + 1);
    }
}

static void empty_histogram_has_no_percentile(void)
{
    CHECK(isnan(coarse_quantile(&coarse, 0.5)));
    CHECK(isnan(coarse_mean(&coarse)));
}

static void mean_is_exact(void)
{
    coarse_add(&coarse, 1000000007);
    coarse_add(&coarse, 3);
    coarse_add(&coarse, 14);
    CHECK_UINT(coarse.count, 3);
    CHECK_NEAR(coarse_mean(&coarse), 1000000024 / 3.0, 1e-6);
}

static void one_value_is_every_percentile(void)
{
    coarse_add(&coarse, 1234567890);
    for (double q = 0.001; q <= 1; q += 0.111)
        CHECK_NEAR(coarse_quantile(&coarse, q), 1234567890, 1234567890 / 32.0);
}

static void percentiles_are_within_a_step_of_the_true_ones(void)
{
    fill(40); /* up to 18 min in ns */
    check_all_ranks();
}

static void short_durations_are_counted_one_by_one(void)
{
    fill(6); /* 0 to 63 ns */
    check_all_ranks();
}

static void years_have_their_bins_too(void)
{
    fill(63);
    check_all_ranks();
    coarse_add(&coarse, INT64_MAX);
    CHECK_NEAR(coarse_quantile(&coarse, 1), (double)INT64_MAX,
               (double)INT64_MAX / 32);
}

static void larger_quantile_is_never_less(void)
{
    double last = 0;

    fill(30);
    for (uint32_t i = 1; i <= 1000; i++) {
        double value = coarse_quantile(&coarse, i / 1000.0);

        CHECK(value >= last);
        last = value;
    }
}

/* A bin's neighbours hold the next values, and none is skipped: the bin number
   never falls and rises by one at most from 0 up to 2^16. */
static void bins_are_in_order_without_gaps(void)
{
    for (uint64_t value = 1; value < 65536; value++) {
        uint32_t step = coarse_bin(value) - coarse_bin(value - 1);

        CHECK(step <= 1);
    }
    CHECK(coarse_bin(INT64_MAX) < COARSE_BINS);
}

static void merged_ones_hold_all(void)
{
    static struct coarse other;

    other = (struct coarse){0};
    coarse_add(&coarse, 10);
    coarse_add(&other, 20);
    coarse_add(&other, 30);
    coarse_merge(&coarse, &other);
    CHECK_UINT(coarse.count, 3);
    CHECK_NEAR(coarse_mean(&coarse), 20, 0);
    CHECK_NEAR(coarse_quantile(&coarse, 0.5), 20.5, 1);
    CHECK_NEAR(coarse_quantile(&coarse, 1), 30.5, 1);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"empty has no percentile", empty_histogram_has_no_percentile},
        {"mean is exact", mean_is_exact},
        {"one value is every percentile", one_value_is_every_percentile},
        {"percentiles are within 1/32",
         percentiles_are_within_a_step_of_the_true_ones},
        {"short durations are counted one by one",
         short_durations_are_counted_one_by_one},
        {"years have their bins too", years_have_their_bins_too},
        {"a larger quantile is never less", larger_quantile_is_never_less},
        {"bins are in order without gaps", bins_are_in_order_without_gaps},
        {"merged ones hold all", merged_ones_hold_all},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("coarse", NULL, NULL, empty, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
