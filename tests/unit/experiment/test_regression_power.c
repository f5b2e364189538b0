/*
 * What a check is said to find, against what can be worked out.
 */
#include "sim/experiment/regression_power.h"
#include "tests/check.h"

#include <gsl/gsl_cdf.h>

enum { LAW = 1000, MANY = 1000000 };

static double law[LAW];
static double drawn[REGRESSION_POWER_DRAWS];

/* The normal distribution, by its quantiles, known as from no end of
   replications. */
static void normal_law(void)
{
    for (int i = 0; i < LAW; i++)
        law[i] = gsl_cdf_ugaussian_Pinv((i + 0.5) / LAW);
}

static void draw_normal(uint32_t pairs, double level)
{
    struct regression_spread spread = {law, LAW, MANY};

    CHECK(regression_power_draw(&spread, pairs, level, 1, drawn));
}

/* At 1 in 1,000 ten pairs alarm when all of them are worse, 2^-10 being just
   less: the chance is that of one to the tenth power. */
static void ten_pairs_have_to_be_worse_all(void)
{
    static const double sizes[] = {0.5, 1, 1.5, 2, 2.3, 3};

    draw_normal(10, 0.001);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        double exact = pow(gsl_cdf_ugaussian_P(sizes[i]), 10);
        double sd = sqrt(exact * (1 - exact) / REGRESSION_POWER_DRAWS);

        CHECK_NEAR(regression_power_chance(drawn, sizes[i]), exact, 4 * sd);
    }
}

static void nine_pairs_find_nothing(void)
{
    draw_normal(9, 0.001);
    CHECK(isinf(regression_power_beyond(drawn, 0.01)));
    CHECK_NEAR(regression_power_chance(drawn, 1e9), 0, 0);
}

/* Of many pairs ranks see what a normal test sees with 3 / pi of them. */
static void many_pairs_are_as_good_as_theory(void)
{
    double z = gsl_cdf_ugaussian_Qinv(0.001) + gsl_cdf_ugaussian_Pinv(0.9);

    draw_normal(150, 0.001);
    CHECK_NEAR(regression_power_beyond(drawn, 0.9) / z *
                   sqrt(150 * 0.954929658551372),
               1, 0.03);
}

static void what_does_not_spread_is_found_beyond_what_is_allowed(void)
{
    static const double same[] = {2, 2, 2};
    struct regression_spread spread = {same, 3, 3};

    CHECK_NEAR(regression_spread_sd(&spread), 0, 0);
    CHECK(regression_power_draw(&spread, 12, 0.001, 1, drawn));
    CHECK_NEAR(regression_power_beyond(drawn, 1), 0, 0);
    CHECK_NEAR(regression_power_chance(drawn, 1e-9), 1, 0);
}

/* A spread that twenty replications tell may be larger than it looks. */
static void what_is_little_known_takes_a_larger_change(void)
{
    struct regression_spread spread = {law, LAW, 20};
    double known;

    draw_normal(20, 0.001);
    known = regression_power_beyond(drawn, 0.9);
    CHECK(regression_power_draw(&spread, 20, 0.001, 1, drawn));
    CHECK(regression_power_beyond(drawn, 0.9) > 1.04 * known);
    CHECK(regression_power_beyond(drawn, 0.9) < 1.2 * known);
}

static void all_measures_of_a_policy_share_the_false_alarms(void)
{
    CHECK_NEAR(regression_power_level(0.001, 4), 0.00025, 1e-18);
    CHECK_NEAR(regression_power_level(0.001, 1), 0.001, 0);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"ten pairs have to be worse, all", ten_pairs_have_to_be_worse_all},
        {"nine pairs find nothing", nine_pairs_find_nothing},
        {"many pairs are as good as theory", many_pairs_are_as_good_as_theory},
        {"what does not spread is found beyond what is allowed",
         what_does_not_spread_is_found_beyond_what_is_allowed},
        {"what is little known takes a larger change",
         what_is_little_known_takes_a_larger_change},
        {"all measures of a policy share the false alarms",
         all_measures_of_a_policy_share_the_false_alarms},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("regression_power_drawn", NULL, NULL, normal_law, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
