#include "sim/report/number.h"
#include "tests/check.h"

#include <stdlib.h>

static char text[NUMBER_SIZE];

static void exact_has_nine_digits(void)
{
    CHECK_TEXT(number_exact(text, 1.0 / 3), "0.333333333");
    CHECK_TEXT(number_exact(text, 5), "5");
    CHECK_TEXT(number_exact(text, 123456789012.0), "1.23456789e+11");
    CHECK_TEXT(number_exact(text, -0.0), "0");
}

static void what_is_not_finite_is_not_written(void)
{
    CHECK_TEXT(number_exact(text, NAN), "");
    CHECK_TEXT(number_exact(text, INFINITY), "");
}

static void short_has_three_digits(void)
{
    CHECK_TEXT(number_short(text, 4.6512), "4.65");
    CHECK_TEXT(number_short(text, 0.021349), "0.0213");
    CHECK_TEXT(number_short(text, 1234.5), "1234");
    CHECK_TEXT(number_short(text, 0), "0");
    CHECK_TEXT(number_short(text, -1.2), "-1.20");
    CHECK_TEXT(number_short(text, 0.1), "0.100");
}

/* 9.996 is 10.0 to three digits, and 99.96 is 100. */
static void short_rounds_over_a_power_of_ten(void)
{
    CHECK_TEXT(number_short(text, 9.996), "10.0");
    CHECK_TEXT(number_short(text, 99.96), "100");
}

static void short_says_what_is_no_number(void)
{
    CHECK_TEXT(number_short(text, NAN), "-");
    CHECK_TEXT(number_short(text, INFINITY), "infinite");
    CHECK_TEXT(number_short(text, 1.5e20), "1.5e+20");
}

/* Larger values never look smaller. */
static void short_keeps_order(void)
{
    double last = 0;

    for (double value = 0.001; value < 2000; value *= 1.0007) {
        double shown = atof(number_short(text, value));

        CHECK(shown >= last);
        last = shown;
    }
}

static void half_width_rounds_up(void)
{
    CHECK_TEXT(number_half_width(text, 4.65, 0.3016), "0.31");
    CHECK_TEXT(number_half_width(text, 4.65, 0.30), "0.30");
    CHECK_TEXT(number_half_width(text, 0.0213, 0.00001), "0.0001");
    CHECK_TEXT(number_half_width(text, 1234, 7.2), "8");
    CHECK_TEXT(number_half_width(text, 1, NAN), "-");
}

static void percent_has_one_decimal(void)
{
    CHECK_TEXT(number_percent(text, 0.3433), "34.3 %");
    CHECK_TEXT(number_percent(text, 1), "100.0 %");
    CHECK_TEXT(number_percent(text, 0), "0.0 %");
    CHECK_TEXT(number_percent(text, NAN), "-");
    CHECK_TEXT(number_percent(text, INFINITY), "infinite");
    CHECK_TEXT(number_percent(text, 1.5), "150.0 %");
}

static void nearly_all_is_not_all(void)
{
    CHECK_TEXT(number_percent(text, 0.99999), "99.999 %");
    CHECK_TEXT(number_percent(text, 0.00001), "<0.1 %");
    CHECK_TEXT(number_percent(text, 0.9987), "99.9 %");
    CHECK_TEXT(number_percent(text, 0.999951), "99.995 %"); /* 100.00 in two */
    CHECK_TEXT(number_percent(text, 0.99995 - 1e-7), "99.99 %");
    /* One request in ten thousand million, the most that a run can have. */
    CHECK_TEXT(number_percent(text, 1 - 1e-10), "99.99999999 %");
}

/* 84 and 497 lost of 721090 are 0.0116 % and 0.0689 %. */
static void rare_failures_can_be_told_apart(void)
{
    CHECK_TEXT(number_percent(text, 1 - 84 / 721090.0), "99.99 %");
    CHECK_TEXT(number_percent(text, 1 - 497 / 721090.0), "99.93 %");
}

/* A third three times is not quite 1 in binary, and yet all. */
static void rounding_of_the_machine_is_not_a_failure(void)
{
    CHECK_TEXT(number_percent(text, 1 - 1e-15), "100.0 %");
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"exact has nine digits", exact_has_nine_digits},
        {"what is not finite is not written",
         what_is_not_finite_is_not_written},
        {"short has three digits", short_has_three_digits},
        {"short rounds over a power of ten", short_rounds_over_a_power_of_ten},
        {"short says what is no number", short_says_what_is_no_number},
        {"short keeps order", short_keeps_order},
        {"half a width rounds up", half_width_rounds_up},
        {"percent has one decimal", percent_has_one_decimal},
        {"nearly all is not all", nearly_all_is_not_all},
        {"rare failures can be told apart", rare_failures_can_be_told_apart},
        {"rounding of the machine is not a failure",
         rounding_of_the_machine_is_not_a_failure},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("number", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
