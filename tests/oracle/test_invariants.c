/*
 * Three hundred random scenarios under each policy, the host checked at every
 * call. The long suite runs thousands.
 */
#include "tests/oracle/invariants.h"

#include "tests/check.h"

static void random_scenarios(void)
{
    invariants_check(1, 80);
}

static void attempts_in_a_hurry(void)
{
    invariants_check_hurried(1, 250);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"random scenarios", random_scenarios},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo hurried[] = {
        {"attempts in a hurry", attempts_in_a_hurry},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("invariants", NULL, NULL, NULL, NULL, tests),
        SUITE("invariants_in_a_hurry", NULL, NULL, NULL, NULL, hurried),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
