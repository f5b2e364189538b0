/*
 * Thousands of random scenarios, none of them those of the quick suite.
 */
#include "tests/oracle/invariants.h"

#include "tests/check.h"

static void many_random_scenarios(void)
{
    invariants_check(10000, 6000);
}

static void many_attempts_in_a_hurry(void)
{
    invariants_check_hurried(10000, 6000);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"many random scenarios", many_random_scenarios},
        {"many attempts in a hurry", many_attempts_in_a_hurry},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("many invariants", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
