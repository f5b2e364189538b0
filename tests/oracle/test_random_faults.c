/*
 * A hundred random scenarios full of faults, under all mechanisms. The long
 * suite runs ten thousand.
 */
#include "tests/oracle/random_faults.h"

#include "tests/check.h"

static void random_faults(void)
{
    struct random_faults_sums sums = {0};

    random_faults_check(1, 100, &sums);
    CHECK_UINT(sums.scenarios, 100);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"random faults", random_faults},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("random_faults", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
