#include "sim/experiment/shard.h"
#include "tests/check.h"

/* Counts one by one, for every shard of up to 9 and up to 40 units. */
static void every_unit_has_one_shard_and_sizes_differ_by_one(void)
{
    for (uint32_t count = 1; count <= 9; count++) {
        for (uint64_t units = 0; units <= 40; units++) {
            uint64_t sum = 0;

            for (uint32_t number = 1; number <= count; number++) {
                struct shard shard = {number, count};
                uint64_t own = 0;

                for (uint64_t unit = 0; unit < units; unit++)
                    own += shard_has(&shard, unit);
                CHECK_UINT(shard_size(&shard, units), own);
                CHECK(own == units / count || own == units / count + 1);
                sum += own;
            }
            CHECK_UINT(sum, units);
        }
    }
}

/* Units are numbered replication by replication, here of three policies. */
static void as_many_shards_as_policies_do_not_get_a_policy_each(void)
{
    for (uint32_t number = 1; number <= 3; number++) {
        struct shard shard = {number, 3};
        bool seen[3] = {false};

        for (uint64_t unit = 0; unit < 9; unit++)
            seen[unit % 3] |= shard_has(&shard, unit);
        CHECK(seen[0] && seen[1] && seen[2]);
    }
}

static void without_shards_everything_is_run(void)
{
    struct shard none = {0};

    CHECK(shard_has(&none, 0));
    CHECK(shard_has(&none, UINT64_MAX));
    CHECK_UINT(shard_size(&none, 17), 17);
}

static void one_of_one_is_everything(void)
{
    struct shard whole = {1, 1};

    CHECK(shard_has(&whole, 12345));
    CHECK_UINT(shard_size(&whole, 17), 17);
}

static void more_shards_than_units_leave_some_empty(void)
{
    struct shard first = {1, SHARD_COUNT_MAX};
    struct shard last = {SHARD_COUNT_MAX, SHARD_COUNT_MAX};

    CHECK_UINT(shard_size(&first, 3), 1);
    CHECK_UINT(shard_size(&last, 3), 0);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"every unit has one shard and sizes differ by one",
         every_unit_has_one_shard_and_sizes_differ_by_one},
        {"as many shards as policies do not get a policy each",
         as_many_shards_as_policies_do_not_get_a_policy_each},
        {"without shards everything is run", without_shards_everything_is_run},
        {"one of one is everything", one_of_one_is_everything},
        {"more shards than units leave some empty",
         more_shards_than_units_leave_some_empty},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("shard", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
