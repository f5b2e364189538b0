/*
 * Three hundred random scenarios under each policy, the host checked at every
 * call. The long suite runs thousands.
 */
#include "tests/oracle/invariants.h"

#include "tests/check.h"

static void random_scenarios(void)
{
    invariants_check(1, 300);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"random scenarios", random_scenarios},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("invariants", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
