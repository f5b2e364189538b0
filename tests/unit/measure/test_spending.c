/*
 * Bounds of O'Brien-Fleming's spending function, 4 - 4 Phi(z / sqrt(t)) with z
 * the quantile of 1 - alpha / 4, and of Pocock's, alpha ln(1 + (e - 1) t):
 * Reboussin, DeMets, Kim & Lan, "Computations for group sequential boundaries
 * using the Lan-DeMets spending function method", Controlled Clinical Trials
 * 21, 2000, and the example of the program ld98 that goes with it, printed to
 * four digits there, which integrals at 20 digits differ from by up to 1.1e-4.
 */
#include "sim/measure/spending.h"
#include "sim/measure/stats.h"
#include "tests/check.h"

#include <gsl/gsl_cdf.h>

static double obrien_fleming(double alpha, double t)
{
    return 4 *
           gsl_cdf_ugaussian_Q(stats_normal_quantile(1 - alpha / 4) / sqrt(t));
}

static double pocock(double alpha, double t)
{
    return alpha * log(1 + (exp(1) - 1) * t);
}

/* looks at equal distances; bounds: [looks] in z. */
static void check_bounds(double (*spent)(double alpha, double t),
                         const double *bounds, uint32_t looks)
{
    double at[SPENDING_LOOKS_MAX] = {0}, spend[SPENDING_LOOKS_MAX] = {0};
    double levels[SPENDING_LOOKS_MAX];
    double before = 0;

    for (uint32_t i = 0; i < looks; i++) {
        double now = spent(0.05, (i + 1.0) / looks);

        at[i] = 7 * (i + 1.0); /* any unit will do */
        spend[i] = now - before;
        before = now;
    }
    spending_levels(at, spend, looks, levels);
    for (uint32_t i = 0; i < looks; i++)
        CHECK_NEAR(stats_normal_quantile(1 - levels[i] / 2), bounds[i], 2e-4);
}

static void bounds_of_obrien_and_fleming(void)
{
    static const double two[] = {2.9626, 1.9686};
    static const double three[] = {3.7103, 2.5114, 1.9930};
    static const double four[] = {4.3326, 2.9631, 2.3590, 2.0141};
    static const double five[] = {4.8769, 3.3569, 2.6803, 2.2898, 2.0310};

    check_bounds(obrien_fleming, two, 2);
    check_bounds(obrien_fleming, three, 3);
    check_bounds(obrien_fleming, four, 4);
    check_bounds(obrien_fleming, five, 5);
}

static void bounds_of_pocock(void)
{
    static const double two[] = {2.1570, 2.2010};
    static const double five[] = {2.4380, 2.4268, 2.4101, 2.3966, 2.3859};

    check_bounds(pocock, two, 2);
    check_bounds(pocock, five, 5);
}

/* One look is a plain test. */
static void one_look_spends_all(void)
{
    double at = 10, spend = 0.05, level;

    spending_levels(&at, &spend, 1, &level);
    CHECK_NEAR(level, 0.05, 1e-15);
}

/* A look that adds next to nothing sees what the one before saw: its own 1 %
   all comes from values between the two levels, so both together are 2 %. */
static void look_right_after_another_adds_its_share_to_it(void)
{
    static const double at[] = {1, 1.0001};
    static const double spend[] = {0.01, 0.01};
    double levels[2];

    spending_levels(at, spend, 2, levels);
    CHECK_NEAR(levels[1], 0.02, 2e-3);
}

/* Far apart, looks are independent: of the 99 % that go on, 1/99 rejects. */
static void look_long_after_another_is_a_test_of_its_own(void)
{
    static const double at[] = {1, 1e6};
    static const double spend[] = {0.01, 0.01};
    double levels[2];

    spending_levels(at, spend, 2, levels);
    CHECK_NEAR(levels[1], 0.01 / 0.99, 2e-5);
}

static void bound_may_be_out_of_reach(void)
{
    static const double at[] = {1, 2};
    static const double spend[] = {1e-60, 0.05};
    double levels[2];

    spending_levels(at, spend, 2, levels);
    CHECK_NEAR(levels[1], 0.05, 1e-6);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"bounds of O'Brien and Fleming", bounds_of_obrien_and_fleming},
        {"bounds of Pocock", bounds_of_pocock},
        {"one look spends all", one_look_spends_all},
        {"a look right after another adds its share to it",
         look_right_after_another_adds_its_share_to_it},
        {"a look long after another is a test of its own",
         look_long_after_another_is_a_test_of_its_own},
        {"a bound may be out of reach", bound_may_be_out_of_reach},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("spending", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
