/* Who is ahead: against a scan, and the turns at which things change. */
#include "policies/race.h"

#include "tests/check.h"

#include <stdlib.h>

static struct race race;
static void *memory;

static void start(uint32_t count, const int64_t *positions,
                  const int64_t *steps)
{
    free(memory);
    memory = malloc(race_size(count));
    race_init(&race, memory, count);
    for (uint32_t i = 0; i < count; i++)
        race_put(&race, i, positions[i], steps[i]);
    race_start(&race);
}

static void forget(void)
{
    free(memory);
    memory = NULL;
}

/* b, three a turn faster and ten behind, is level never and ahead at the 4th
   turn; c, which has 12 to catch up, is level at the 4th, but behind b by its
   number. */
static void the_faster_one_overtakes(void)
{
    static const uint32_t leaders[] = {0, 0, 0, 1, 1};

    start(3, (const int64_t[]){10, 0, -2}, (const int64_t[]){1, 4, 4});
    for (int turn = 0; turn < 5; turn++)
        CHECK_UINT(race_next(&race), leaders[turn]);
    CHECK_INT(race_position(&race, 0), 15);
    CHECK_INT(race_position(&race, 1), 20);
}

/* 9 to catch up at 3 a turn: level at the 3rd, which is enough for the lower
   number alone. */
static void level_counts_for_the_lower_number(void)
{
    start(2, (const int64_t[]){0, 9}, (const int64_t[]){4, 1});
    CHECK_UINT(race_next(&race), 1);
    CHECK_UINT(race_next(&race), 1);
    CHECK_UINT(race_next(&race), 0);
    start(2, (const int64_t[]){9, 0}, (const int64_t[]){1, 4});
    for (int turn = 0; turn < 3; turn++)
        CHECK_UINT(race_next(&race), 0);
    CHECK_UINT(race_next(&race), 1);
}

static void runners_come_and_go(void)
{
    start(3, (const int64_t[]){5, 3, 0}, (const int64_t[]){1, 1, 0});
    CHECK_UINT(race_next(&race), 0);
    race_leave(&race, 0);
    CHECK_UINT(race_next(&race), 1);
    CHECK_INT(race_position(&race, 1), 5);
    race_enter(&race, 2, 6, 1);
    CHECK_INT(race_position(&race, 2), 6);
    CHECK_UINT(race_next(&race), 2);
    race_take_back(&race, 2, 10);
    CHECK_INT(race_position(&race, 2), -3);
    CHECK_UINT(race_next(&race), 1);
    race_leave(&race, 1);
    race_leave(&race, 2);
    CHECK_UINT(race_next(&race), RACE_NOBODY);
}

static void one_runner_leads(void)
{
    start(1, (const int64_t[]){-7}, (const int64_t[]){2});
    CHECK_UINT(race_next(&race), 0);
    race_take_back(&race, 0, 2);
    CHECK_INT(race_position(&race, 0), -7);
    race_leave(&race, 0);
    CHECK_UINT(race_next(&race), RACE_NOBODY);
}

/* Positions go on where turns are counted from 0 again, 2^40 a turn. */
static void long_races_keep_their_positions(void)
{
    int64_t step = INT64_C(1) << 40, taken = 0;

    start(2, (const int64_t[]){0, 1}, (const int64_t[]){step, step});
    for (int turn = 1; turn <= 200000; turn++) {
        uint32_t leader = race_next(&race);

        CHECK_UINT(leader, turn % 2 ? 1 : 0);
        race_take_back(&race, leader, 2 * step);
        taken += leader == 0;
        if (race_position(&race, 0) != turn * step - taken * 2 * step) {
            CHECK_INT(race_position(&race, 0), turn * step - taken * 2 * step);
            return;
        }
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"the faster one overtakes", the_faster_one_overtakes},
        {"level counts for the lower number",
         level_counts_for_the_lower_number},
        {"runners come and go", runners_come_and_go},
        {"one runner leads", one_runner_leads},
        {"long races keep their positions", long_races_keep_their_positions},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("race", NULL, NULL, NULL, forget, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
