#include "sim/measure/skewness.h"
#include "tests/check.h"

/* 1, 1, 1, 5: mean 2, squares 3 * 1 + 9, cubes -3 + 27. */
static void estimate_is_that_of_four_numbers_by_hand(void)
{
    CHECK_NEAR(skewness_estimate(3, 6, 4), 6 / pow(3, 1.5) * sqrt(12) / 2,
               1e-12);
    CHECK_NEAR(skewness_estimate(3, 6, 4), 2, 1e-12); /* as spreadsheets say */
}

static void symmetric_values_keep_their_t(void)
{
    const double values[] = {1, 2, 3, 4, 5};
    double t, unskewed;

    CHECK_NEAR(skewness_remove(-7, 0, 10), -7, 0);
    CHECK(skewness_t(values, 5, &t, &unskewed));
    CHECK_NEAR(t, 3 / sqrt(2.5 / 5), 1e-12);
    CHECK_NEAR(unskewed, t, 1e-12);
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
    double t, unskewed;

    CHECK(!skewness_t(equal, 3, &t, &unskewed));
    CHECK(!skewness_t(two, 2, &t, &unskewed));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"estimate is that of four numbers by hand",
         estimate_is_that_of_four_numbers_by_hand},
        {"symmetric values keep their t", symmetric_values_keep_their_t},
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
