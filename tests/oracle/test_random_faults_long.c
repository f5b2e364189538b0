/*
 * Ten thousand random scenarios full of faults, none of them those of the
 * quick suite: nothing crashes, nothing is lost or answered twice, and every
 * kind of fault has struck and every mechanism has acted often.
 */
#include "tests/oracle/random_faults.h"

#include "sim/core/clock.h"
#include "tests/check.h"

static void ten_thousand_scenarios(void)
{
    struct random_faults_sums sums = {0};
    int64_t start_ns = clock_now_ns();

    random_faults_check(1000, 10000, &sums);
    CHECK_UINT(sums.scenarios, 10000);
    for (uint32_t kind = 0; kind < FAULT_STRIKE_KINDS; kind++)
        CHECK(sums.strikes[kind] >= 100);
    for (int a = 0; a < RANDOM_FAULTS_ACTS; a++)
        CHECK(sums.acts[a] >= 100);
    random_faults_tell(&sums, (double)(clock_now_ns() - start_ns) * 1e-9);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"ten thousand scenarios", ten_thousand_scenarios},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("many random_faults", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
