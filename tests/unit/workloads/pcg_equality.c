/* Compares workloads/rng with the published pcg64; built where its C++ header
   is installed (Debian: libpcg-cpp-dev). */
#include "tests/check.h"
#include "tests/unit/workloads/pcg_reference.h"
#include "workloads/rng.h"

#include <stdbool.h>

enum { DRAWS = 1000000, BETWEEN_JUMPS = 9973 };

struct start {
    uint64_t seed_high, seed_low, stream_high, stream_low;
};

static rng_u128 join(uint64_t high, uint64_t low)
{
    return (rng_u128)high << 64 | low;
}

/* Jumps of growing size, in both directions, come between the draws. */
static uint64_t draws_until_they_differ(const struct start *start)
{
    struct rng rng;
    rng_u128 jump = 1;

    rng_seed(&rng, join(start->seed_high, start->seed_low),
             join(start->stream_high, start->stream_low));
    pcg_reference_seed(start->seed_high, start->seed_low, start->stream_high,
                       start->stream_low);
    for (uint64_t i = 0; i < DRAWS; i++) {
        if (rng_next(&rng) != pcg_reference_next())
            return i;
        if (i % BETWEEN_JUMPS == 0) {
            jump = jump * 5 + 3;
            rng_advance(&rng, jump);
            pcg_reference_advance((uint64_t)(jump >> 64), (uint64_t)jump);
        }
    }
    return DRAWS;
}

static void a_million_draws_are_equal(void)
{
    static const struct start starts[] = {
        {0, 42, 0, 54},
        {0, 0, 0, 0},
        {0, 1, 0, UINT64_MAX},
        {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX},
        {0x0123456789abcdef, 0xfedcba9876543210, 0x13579bdf02468ace, 7},
    };

    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        CHECK_UINT(draws_until_they_differ(&starts[i]), DRAWS);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"a million draws are equal", a_million_draws_are_equal},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("pcg_equality", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
