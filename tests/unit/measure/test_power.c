/*
 * Power of the paired t test. Expected values come from another formula than
 * the program's, the series of incomplete beta functions for the non-central F
 * distribution, at 30 digits with mpmath.
 */
#include "sim/measure/power.h"
#include "sim/measure/stats.h"
#include "tests/check.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

static void power_is_that_of_the_noncentral_t(void)
{
    static const struct {
        uint64_t n;
        double ratio, alpha, power;
    } rows[] = {
        {2, 1, 0.05, 0.09280915506},     {2, 20, 0.05, 0.9735240462},
        {3, 2, 0.05, 0.4707494313},      {5, 1.5, 0.01, 0.3125361499},
        {10, 1, 0.05, 0.8030968566},     {10, 1.5, 0.001, 0.5317343945},
        {34, 0.5, 0.05, 0.8077775013},   {100, 0.3, 0.05, 0.8439471027},
        {1000, 0.1, 0.01, 0.7194460228},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_NEAR(power_of_pairs(rows[i].n, rows[i].ratio, rows[i].alpha),
                   rows[i].power, 1e-6);
}

/* Without a difference a test rejects as often as its level says. */
static void power_without_a_difference_is_the_level(void)
{
    static const uint64_t ns[] = {2, 3, 5, 10, 100, 100000};

    for (size_t i = 0; i < sizeof ns / sizeof *ns; i++)
        CHECK_NEAR(power_of_pairs(ns[i], 0, 0.05), 0.05, 1e-6);
}

/* Enough pairs for the smallest difference are just enough. */
static void smallest_difference_needs_those_pairs(void)
{
    for (uint64_t n = 5; n <= 2000; n *= 3) {
        double ratio = power_smallest(n, 0.05, 0.9);
        uint64_t needed = stats_pairs_needed(1, ratio, 0.05, 0.9);

        CHECK_NEAR(power_of_pairs(n, ratio, 0.05), 0.9, 1e-5);
        CHECK_NEAR((double)needed, (double)n, 1);
    }
}

/* Of 4,000 synthetic experiments with that difference, 90 % find it: within
   three standard errors of 0.0047. */
static void smallest_difference_is_found_as_often_as_said(void)
{
    enum { N = 10, EXPERIMENTS = 4000 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double ratio = power_smallest(N, 0.01, 0.9);
    unsigned found = 0;

    gsl_rng_set(rng, 20);
    for (int i = 0; i < EXPERIMENTS; i++) {
        double old_values[N], new_values[N];

        for (int j = 0; j < N; j++) {
            old_values[j] = 7 + gsl_ran_gaussian(rng, 5);
            new_values[j] =
                old_values[j] + 3 * ratio + gsl_ran_gaussian(rng, 3);
        }
        found += stats_paired_t(old_values, new_values, N, 0.99).p <= 0.01;
    }
    gsl_rng_free(rng);
    CHECK_NEAR(found / (double)EXPERIMENTS, 0.9, 0.0142);
}

static void one_pair_finds_nothing(void)
{
    CHECK(isnan(power_of_pairs(1, 2, 0.05)));
    CHECK(isnan(power_smallest(1, 0.05, 0.9)));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"power is that of the non-central t",
         power_is_that_of_the_noncentral_t},
        {"power without a difference is the level",
         power_without_a_difference_is_the_level},
        {"the smallest difference needs those pairs",
         smallest_difference_needs_those_pairs},
        {"the smallest difference is found as often as said",
         smallest_difference_is_found_as_often_as_said},
        {"one pair finds nothing", one_pair_finds_nothing},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("power", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
