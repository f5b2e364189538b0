#include "sim/measure/skewness.h"
#include "tests/check.h"

/* 1, 1, 1, 5: mean 2, squares 3 * 1 + 9, cubes -3 + 27. */
static void estimate_is_that_of_four_numbers_by_hand(void)
{
    CHECK_NEAR(skewness_estimate(3, 6, 4), 6 / pow(3, 1.5) * sqrt(12) / 2,
               1e-12);
    CHECK_NEAR(skewness_estimate(3, 6, 4), 2, 1e-12); /* as spreadsheets say */
}

/* 1 to 5: no skewness is seen, half of sqrt(6 / 5) is allowed for, towards 0
   on either side: a = sqrt(1.5 / 5) / (3 sqrt(5)), t - a t^2 + ... - a / 2. */
static void symmetric_values_lose_what_chance_hides(void)
{
    const double up[] = {1, 2, 3, 4, 5}, down[] = {-1, -2, -3, -4, -5};
    double t = 3 / sqrt(2.5 / 5), a = sqrt(0.3) / (3 * sqrt(5)), above, below;

    CHECK_NEAR(skewness_remove(-7, 0, 10), -7, 0);
    CHECK(skewness_t(up, 5, &above));
    CHECK(skewness_t(down, 5, &below));
    CHECK_NEAR(above, t - a * t * t + a * a * t * t * t / 3 - a / 2, 1e-12);
    CHECK_NEAR(below, -above, 1e-12);
}

/* What a tail on the side of t makes surer stays as it is. */
static void skewness_never_makes_surer(void)
{
    CHECK_NEAR(skewness_doubt(5, 2, 30), 5, 0);
    CHECK_NEAR(skewness_doubt(-5, -2, 30), -5, 0);
    CHECK_NEAR(skewness_doubt(0, 2, 30), 0, 0);
    for (double t = -30; t <= 30; t += 0.25)
        for (double skewness = -8; skewness <= 8; skewness += 0.5) {
            double less = skewness_doubt(t, skewness, 20);

            CHECK(fabs(less) <= fabs(t));
            CHECK(less * t >= 0);
        }
}

/* Of all that may be, the worst: more skewness is never less doubt, though the
   cubic itself comes back. Its turn is at a = 1.5 (t^2 + 1/2) / t^3. */
static void more_skewness_is_never_less_doubt(void)
{
    double last = INFINITY, t = 10, a = 1.5 * 100.5 / 1000;

    for (double skewness = 0; skewness > -20; skewness -= 0.25) {
        double less = skewness_doubt(t, skewness, 16);

        CHECK(less <= last);
        last = less;
    }
    CHECK_NEAR(last, t - a * 100 + a * a * 1000 / 3 - a / 2, 1e-12);
    CHECK(fabs(skewness_remove(t, -15, 16)) > t); /* by itself it comes back */
}

/* a = 3 / (3 * 4) = 1/4; -4 + 4 - 4/3 + 1/8 */
static void cubic_is_that_of_hall(void)
{
    CHECK_NEAR(skewness_remove(-4, 3, 16), -4.0 / 3 + 0.125, 1e-12);
    CHECK_NEAR(skewness_remove(4, -3, 16), 4.0 / 3 - 0.125, 1e-12);
}

static void equal_or_few_values_have_none(void)
{
    const double equal[] = {2, 2, 2}, two[] = {1, 2};
    double t;

    CHECK(!skewness_t(equal, 3, &t));
    CHECK(!skewness_t(two, 2, &t));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"estimate is that of four numbers by hand",
         estimate_is_that_of_four_numbers_by_hand},
        {"symmetric values lose what chance hides",
         symmetric_values_lose_what_chance_hides},
        {"skewness never makes surer", skewness_never_makes_surer},
        {"more skewness is never less doubt",
         more_skewness_is_never_less_doubt},
        {"cubic is that of Hall", cubic_is_that_of_hall},
        {"equal or few values have none", equal_or_few_values_have_none},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("skewness", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
