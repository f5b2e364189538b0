#include "sim/measure/sample.h"
#include "tests/check.h"

#include <math.h>
#include <stdlib.h>

static const double quantiles[] = {0.001, 0.01, 0.1,   0.25,   0.5,
                                   0.9,   0.99, 0.999, 0.9999, 1};

#define QUANTILE_COUNT (sizeof quantiles / sizeof quantiles[0])
#define MILLISECOND 1000000

static struct sample sample;

static void empty_sample(void)
{
    CU_ASSERT_FATAL(sample_init(&sample));
}

static void release_sample(void)
{
    sample_done(&sample);
}

static void add_range(struct sample *to, int64_t first, int64_t last)
{
    for (int64_t value = first; value <= last; value++)
        sample_add(to, value);
}

static double percentile(struct sample *of, double quantile)
{
    return sample_quantile(of, quantile, of->count);
}

/* Width of the bin in which a value falls, in ns. */
static double bin_width(double value)
{
    uint32_t bin = sample_bin((uint64_t)value);

    return (double)(sample_bin_start(bin + 1) - sample_bin_start(bin));
}

/* SplitMix64 (Steele, Lea & Flood 2014): the test's own chance. In (0, 1). */
static double draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return ((double)((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
}

static int64_t exponential(uint64_t *state)
{
    return (int64_t)(-log(draw(state)) * 50 * MILLISECOND);
}

static int64_t lognormal(uint64_t *state)
{
    double radius = sqrt(-2 * log(draw(state)));
    double normal = radius * cos(6.283185307179586 * draw(state));

    return (int64_t)(exp(1.5 * normal) * 20 * MILLISECOND);
}

/* Shape 1.1 from 1 ms to 1000 s, by inversion. */
static int64_t bounded_pareto(uint64_t *state)
{
    double below = draw(state) * (1 - pow(1e-6, 1.1));

    return (int64_t)(pow(1 - below, -1 / 1.1) * MILLISECOND);
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static void empty_has_no_mean_and_no_percentile(void)
{
    CHECK(isnan(sample_mean(&sample)));
    CHECK(isnan(sample_quantile(&sample, 0.5, 0)));
}

static void done_twice_does_nothing(void)
{
    struct sample never = {0};

    sample_done(&never);
    sample_done(&sample);
    sample_done(&sample);
    CHECK(!sample.values);
}

/* sum of 1 .. 9 is 45 */
static void counts_mean_and_extremes(void)
{
    add_range(&sample, 1, 9);

    CHECK_UINT(sample.count, 9);
    CHECK_INT(sample.min_ns, 1);
    CHECK_INT(sample.max_ns, 9);
    CHECK_NEAR(sample_mean(&sample), 5, 0);
}

/* Every value of a power of two and around it lies in its own bin's range,
   and bins follow each other without a gap. */
static void bins_cover_all_values(void)
{
    CHECK_INT(sample_bin_start(0), 0);
    CHECK_INT(sample_bin_start(256), 256);
    CHECK_INT(sample_bin_start(257), 258); /* two values a bin from 256 on */
    CHECK_INT(sample_bin_start(SAMPLE_BINS), INT64_MAX);
    CHECK_UINT(sample_bin(INT64_MAX), SAMPLE_BINS - 1);
    for (uint32_t bin = 0; bin < SAMPLE_BINS; bin++) {
        int64_t first = sample_bin_start(bin);
        int64_t next = sample_bin_start(bin + 1);

        if (first >= next || sample_bin((uint64_t)first) != bin ||
            sample_bin((uint64_t)next - 1) != bin ||
            (first >= 256 && next - first > first / 128))
            CHECK_UINT(bin, UINT64_MAX);
    }
}

/* ceil(0.99 n), for samples that hold 1 .. n. */
static void p99_is_nearest_rank(void)
{
    static const int64_t rows[][2] = {{1, 1},     {2, 2},       {10, 10},
                                      {71, 71},   {100, 99},    {101, 100},
                                      {200, 198}, {10000, 9900}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        release_sample();
        empty_sample();
        add_range(&sample, 1, rows[i][0]);
        CHECK_NEAR(percentile(&sample, 0.99), (double)rows[i][1], 0);
    }
}

static void check_monotone(struct sample *of)
{
    double before = (double)of->min_ns;

    for (double q = 0.0005; q < 1; q += 0.0005) {
        double value = percentile(of, q);

        if (value < before)
            CHECK_NEAR(value, before, 0);
        before = value;
    }
    CHECK(before <= (double)of->max_ns);
    CHECK_NEAR(percentile(of, 1), (double)of->max_ns, 0);
}

static void percentiles_never_fall_as_quantiles_rise(void)
{
    uint64_t state = 11;

    for (int64_t i = 0; i < 1000; i++) /* differ in the 7th digit */
        sample_add(&sample, 1234567000 + i * 7 % 10 * 100);
    check_monotone(&sample);
    for (int64_t i = 0; i < 100000; i++)
        sample_add(&sample, 1234567000 + i * 7 % 10 * 100);
    check_monotone(&sample);
    for (int64_t i = 0; i < 100000; i++)
        sample_add(&sample, bounded_pareto(&state));
    check_monotone(&sample);
}

static void equal_values_come_back_exactly(void)
{
    static const uint64_t counts[] = {1, 71, SAMPLE_EXACT, SAMPLE_EXACT + 1,
                                      200000};

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        while (sample.count < counts[i])
            sample_add(&sample, 123456789012345);
        for (size_t j = 0; j < QUANTILE_COUNT; j++)
            CHECK_NEAR(percentile(&sample, quantiles[j]), 123456789012345, 0);
        CHECK_NEAR(sample_mean(&sample), 123456789012345, 0);
    }
}

/* 1 .. 980 ms are answered, further requests fail: rank 990 of 1,000 is among
   the infinite ones when 20 fail. 0.99 * 980 = 970.2, so rank 971. */
static void failures_count_as_infinite(void)
{
    for (int64_t i = 1; i <= 980; i++)
        sample_add(&sample, i * MILLISECOND);

    CHECK_NEAR(percentile(&sample, 0.99), 971 * MILLISECOND, 0);
    CHECK(isinf(sample_quantile(&sample, 0.99, 1000)));
    CHECK_NEAR(sample_quantile(&sample, 0.98, 1000), 980 * MILLISECOND, 0);
}

static void few_failures_leave_p99_finite(void)
{
    for (int64_t i = 1; i <= 995; i++)
        sample_add(&sample, i * MILLISECOND);

    CHECK_NEAR(sample_quantile(&sample, 0.99, 1000), 990 * MILLISECOND, 0);
    CHECK(isinf(sample_quantile(&sample, 0.999, 1000)));
}

static void all_failed_is_infinite(void)
{
    CHECK(isinf(sample_quantile(&sample, 0.01, 1000)));
    CHECK(isinf(sample_quantile(&sample, 0.99, 1)));
}

/* The same questions beyond the exact size: 98,000 values and 2 % failed. */
static void failures_count_beyond_the_exact_size(void)
{
    add_range(&sample, 1, 98000);

    CHECK(isinf(sample_quantile(&sample, 0.99, 100000)));
    CHECK_NEAR(sample_quantile(&sample, 0.98, 100000), 98000, 0);
    CHECK_NEAR(sample_quantile(&sample, 0.97, 100000), 97000,
               bin_width(97000) / 2);
}

/* Draws n values, then holds each percentile against the sorted values. */
static void check_half_bin(int64_t (*next)(uint64_t *), uint64_t seed, size_t n)
{
    int64_t *values = malloc(n * sizeof *values);

    CU_ASSERT_FATAL(values != NULL);
    for (size_t i = 0; i < n; i++) {
        values[i] = next(&seed);
        sample_add(&sample, values[i]);
    }
    qsort(values, n, sizeof *values, ascending);
    for (size_t i = 0; i < QUANTILE_COUNT; i++) {
        /* n is a multiple of 10,000: the product is whole up to rounding */
        size_t rank = (size_t)(quantiles[i] * (double)n + 0.5);
        double exact = (double)values[rank - 1];

        CHECK_NEAR(percentile(&sample, quantiles[i]), exact,
                   bin_width(exact) / 2);
    }
    CHECK_NEAR(percentile(&sample, 1e-9), (double)values[0], 0);
    check_monotone(&sample);
    free(values);
}

static void exponential_is_within_half_a_bin(void)
{
    check_half_bin(exponential, 1, 2000000);
}

static void lognormal_is_within_half_a_bin(void)
{
    check_half_bin(lognormal, 2, 2000000);
}

static void bounded_pareto_is_within_half_a_bin(void)
{
    check_half_bin(bounded_pareto, 3, 2000000);
}

/* Values of up to 255 ns have a bin each, so nothing is lost. */
static void small_values_stay_exact(void)
{
    for (int64_t i = 0; i < 2560000; i++)
        sample_add(&sample, i % 256);

    for (int64_t k = 1; k <= 16; k++)
        CHECK_NEAR(percentile(&sample, (double)k / 16), (double)(16 * k - 1),
                   0);
}

static void switch_to_bins_jumps_by_less_than_a_bin(void)
{
    uint64_t state = 4;
    double before[QUANTILE_COUNT];

    while (sample.count < SAMPLE_EXACT)
        sample_add(&sample, lognormal(&state));
    for (size_t i = 0; i < QUANTILE_COUNT; i++)
        before[i] = percentile(&sample, quantiles[i]);
    sample_add(&sample, 20 * MILLISECOND); /* the median, nearly */

    for (size_t i = 0; i < QUANTILE_COUNT; i++)
        CHECK_NEAR(percentile(&sample, quantiles[i]), before[i],
                   bin_width(before[i]));
}

static void exact_up_to_the_last_value_that_fits(void)
{
    add_range(&sample, 1, SAMPLE_EXACT);

    CHECK_NEAR(percentile(&sample, 0.5), SAMPLE_EXACT / 2, 0);
    CHECK_NEAR(percentile(&sample, 0.75), SAMPLE_EXACT / 4 * 3, 0);
}

static void values_may_come_between_percentiles(void)
{
    add_range(&sample, 51, 100);
    CHECK_NEAR(percentile(&sample, 0.5), 75, 0);
    add_range(&sample, 1, 50);
    CHECK_NEAR(percentile(&sample, 0.5), 50, 0);
}

/* The last bin is 2^55 ns wide and ends where int64_t does; the sum of 200,000
   such values needs 81 bits. All sit at the end of their bin, so the middle
   value comes out too low, but by less than the bin. */
static void largest_values_work(void)
{
    sample_add(&sample, 0);
    for (int i = 0; i < 200000; i++)
        sample_add(&sample, INT64_MAX);

    CHECK_NEAR(percentile(&sample, 1e-6), 0, 0);
    CHECK_NEAR(percentile(&sample, 0.5), 0x1p63, 0x1p55);
    CHECK_NEAR(percentile(&sample, 1), 0x1p63, 0);
    CHECK_NEAR(sample_mean(&sample), 0x1p63 * 200000 / 200001, 0x1p12);
}

/* Three parts of the given sizes, merged in both orders and groupings. */
static void check_merge(size_t a, size_t b, size_t c)
{
    const size_t sizes[3] = {a, b, c};
    struct sample parts[3], left, right;
    uint64_t state = 5;

    CU_ASSERT_FATAL(sample_init(&left) && sample_init(&right));
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT_FATAL(sample_init(&parts[i]));
        for (size_t j = 0; j < sizes[i]; j++) {
            int64_t value = lognormal(&state);

            sample_add(&parts[i], value);
            sample_add(&sample, value);
        }
        sample_merge(&left, &parts[i]); /* ((0 + a) + b) + c */
    }
    percentile(&parts[1], 0.5);         /* sorts, which must not show */
    sample_merge(&parts[2], &parts[1]); /* c + b */
    sample_merge(&right, &parts[2]);
    sample_merge(&right, &parts[0]);

    CHECK_UINT(left.count, a + b + c);
    CHECK_UINT(right.count, a + b + c);
    CHECK_NEAR(sample_mean(&left), sample_mean(&sample), 0);
    CHECK_NEAR(sample_mean(&right), sample_mean(&sample), 0);
    for (size_t i = 0; i < QUANTILE_COUNT; i++) {
        double whole = percentile(&sample, quantiles[i]);

        CHECK_NEAR(percentile(&left, quantiles[i]), whole, 0);
        CHECK_NEAR(percentile(&right, quantiles[i]), whole, 0);
    }
    for (size_t i = 0; i < 3; i++)
        sample_done(&parts[i]);
    sample_done(&left);
    sample_done(&right);
}

static void merging_exact_samples_stays_exact(void)
{
    check_merge(100, 1, 20000);
}

static void merging_to_just_the_exact_size_stays_exact(void)
{
    check_merge(SAMPLE_EXACT - 2, 1, 1);
}

static void merging_beyond_the_exact_size_fills_bins(void)
{
    check_merge(30000, 30000, 30000);
}

static void merging_bins_with_exact_values(void)
{
    check_merge(100000, 10, 70000);
}

static void merging_bins_into_exact_values(void)
{
    check_merge(10, 100000, 100);
}

static void merging_an_empty_sample_changes_nothing(void)
{
    check_merge(0, 5, 0);
}

int main(int argc, char **argv)
{
    CU_TestInfo basics[] = {
        {"empty has no mean and no percentile",
         empty_has_no_mean_and_no_percentile},
        {"done twice does nothing", done_twice_does_nothing},
        {"count, mean and extremes", counts_mean_and_extremes},
        {"bins cover all values", bins_cover_all_values},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo percentiles[] = {
        {"p99 is the nearest rank", p99_is_nearest_rank},
        {"percentiles never fall as quantiles rise",
         percentiles_never_fall_as_quantiles_rise},
        {"equal values come back exactly", equal_values_come_back_exactly},
        {"exact up to the last value that fits",
         exact_up_to_the_last_value_that_fits},
        {"values may come between percentiles",
         values_may_come_between_percentiles},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo failures[] = {
        {"failures count as infinite", failures_count_as_infinite},
        {"few failures leave p99 finite", few_failures_leave_p99_finite},
        {"all failed is infinite", all_failed_is_infinite},
        {"failures count beyond the exact size",
         failures_count_beyond_the_exact_size},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo bins[] = {
        {"exponential within half a bin", exponential_is_within_half_a_bin},
        {"lognormal within half a bin", lognormal_is_within_half_a_bin},
        {"bounded Pareto within half a bin",
         bounded_pareto_is_within_half_a_bin},
        {"small values stay exact", small_values_stay_exact},
        {"switch to bins jumps by less than a bin",
         switch_to_bins_jumps_by_less_than_a_bin},
        {"largest values work", largest_values_work},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo merging[] = {
        {"exact samples stay exact", merging_exact_samples_stays_exact},
        {"to just the exact size", merging_to_just_the_exact_size_stays_exact},
        {"beyond the exact size", merging_beyond_the_exact_size_fills_bins},
        {"bins with exact values", merging_bins_with_exact_values},
        {"bins into exact values", merging_bins_into_exact_values},
        {"an empty sample changes nothing",
         merging_an_empty_sample_changes_nothing},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("sample", NULL, NULL, empty_sample, release_sample, basics),
        SUITE("sample percentiles", NULL, NULL, empty_sample, release_sample,
              percentiles),
        SUITE("sample with failures", NULL, NULL, empty_sample, release_sample,
              failures),
        SUITE("sample in bins", NULL, NULL, empty_sample, release_sample, bins),
        SUITE("sample merge", NULL, NULL, empty_sample, release_sample,
              merging),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
