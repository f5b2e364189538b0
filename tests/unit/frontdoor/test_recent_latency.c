#include "sim/frontdoor/recent_latency.h"
#include "tests/check.h"

#define MS INT64_C(1000000)

static struct recent_latency recent;

static void half(void)
{
    recent_latency_init(&recent, 0.95);
}

static void says_nothing_of_a_few(void)
{
    for (uint32_t i = 0; i < RECENT_LEAST - 1; i++)
        recent_latency_add(&recent, 10 * MS);
    CHECK_INT(recent_latency_ns(&recent), -1);
    recent_latency_add(&recent, 10 * MS);
    CHECK_NEAR((double)recent_latency_ns(&recent), 10e6, 0.04 * 10e6);
}

/* Every value of 1 to 1000 ms as often: the 95th percentile is 950 ms. */
static void percentile_of_equal_shares(void)
{
    for (int64_t i = 0; i < 10000; i++)
        recent_latency_add(&recent, (i * 37 % 1000 + 1) * MS);
    CHECK_NEAR((double)recent_latency_ns(&recent), 950e6, 0.04 * 950e6);
}

static void what_is_long_ago_fades(void)
{
    for (int64_t i = 0; i < 10000; i++)
        recent_latency_add(&recent, 10 * MS);
    for (int64_t i = 0; i < 100000; i++)
        recent_latency_add(&recent, 1000 * MS);
    for (int64_t i = 0; i < 300000; i++)
        recent_latency_add(&recent, 10 * MS);
    CHECK_NEAR((double)recent_latency_ns(&recent), 10e6, 0.04 * 10e6);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"says nothing of a few", says_nothing_of_a_few},
        {"percentile of equal shares", percentile_of_equal_shares},
        {"what is long ago fades", what_is_long_ago_fades},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("recent_latency", NULL, NULL, half, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
