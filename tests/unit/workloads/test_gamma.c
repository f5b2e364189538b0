#include "workloads/gamma.h"

#include "tests/check.h"

#include <gsl/gsl_sf_gamma.h>
#include <math.h>

/* GSL's gamma function is within 1e-15 or so of the truth. The law itself is
   tested with the others of dist, and as gaps of arrivals. */
static void function_is_that_of_gsl(void)
{
    for (double x = 1; x <= 101; x += 0.0625) {
        double expected = gsl_sf_gamma(x);

        CHECK_NEAR(gamma_function(x), expected, 2e-13 * expected);
    }
}

/* (n - 1)!, and Gamma(3/2) = sqrt(pi) / 2. */
static void known_values_are_met(void)
{
    CHECK_NEAR(gamma_function(1), 1, 1e-14);
    CHECK_NEAR(gamma_function(2), 1, 1e-14);
    CHECK_NEAR(gamma_function(7), 720, 1e-11);
    CHECK_NEAR(gamma_function(21), 2432902008176640000.0, 1e5);
    CHECK_NEAR(gamma_function(1.5), 0.88622692545275801365, 1e-14);
}

int main(int argc, char **argv)
{
    CU_TestInfo gamma[] = {
        {"function is that of GSL", function_is_that_of_gsl},
        {"known values are met", known_values_are_met},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("gamma", NULL, NULL, NULL, NULL, gamma),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
