#include "workloads/seen.h"

#include "tests/check.h"

static void numbers_are_remembered(void)
{
    struct seen seen;

    CHECK(seen_init(&seen, 200));
    for (uint64_t number = 0; number < 200; number++)
        CHECK(!seen_number(&seen, number));
    for (uint64_t number = 0; number < 200; number++)
        CHECK(seen_number(&seen, number));
    seen_done(&seen);
}

static void hashes_are_remembered_through_growth(void)
{
    const uint64_t step = 0x9e3779b97f4a7c15;
    struct seen seen;

    CHECK(seen_init(&seen, 0));
    for (uint64_t i = 1; i <= 20000; i++) {
        CHECK_UINT(seen_hash(&seen, i * step), SEEN_FIRST);
        CHECK_UINT(seen_hash(&seen, i * step), SEEN_AGAIN);
    }
    for (uint64_t i = 1; i <= 20000; i++)
        CHECK_UINT(seen_hash(&seen, i * step), SEEN_AGAIN);
    CHECK_UINT(seen.count, 20000);
    seen_done(&seen);
}

/* Equal low bits lead to one place; the rest must tell them apart. */
static void hashes_at_one_place_are_told_apart(void)
{
    struct seen seen;

    CHECK(seen_init(&seen, 0));
    for (uint64_t i = 1; i <= 400; i++)
        CHECK_UINT(seen_hash(&seen, i << 32), SEEN_FIRST);
    for (uint64_t i = 1; i <= 400; i++)
        CHECK_UINT(seen_hash(&seen, i << 32), SEEN_AGAIN);
    CHECK_UINT(seen_hash(&seen, (uint64_t)401 << 32), SEEN_FIRST);
    seen_done(&seen);
}

/* Half full at most: what the header says of 16 to 32 bytes a key. */
static void table_stays_between_a_quarter_and_half_full(void)
{
    struct seen seen;

    CHECK(seen_init(&seen, 0));
    for (uint64_t i = 1; i <= 5000; i++) {
        seen_hash(&seen, i * 0x9e3779b97f4a7c15);
        CHECK(2 * seen.count <= seen.capacity);
        CHECK(i < 512 || 4 * seen.count >= seen.capacity);
    }
    seen_done(&seen);
}

static void what_was_never_filled_can_be_released(void)
{
    struct seen seen = {0};

    seen_done(&seen);
    seen_done(&seen);
    CHECK(seen.hashes == NULL);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"numbers are remembered", numbers_are_remembered},
        {"hashes are remembered through growth",
         hashes_are_remembered_through_growth},
        {"hashes at one place are told apart",
         hashes_at_one_place_are_told_apart},
        {"table stays between a quarter and half full",
         table_stays_between_a_quarter_and_half_full},
        {"what was never filled can be released",
         what_was_never_filled_can_be_released},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("seen", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
