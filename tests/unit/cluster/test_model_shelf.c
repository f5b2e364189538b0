/* Models in memory: who leaves, who waits, and what is loaded next. */
#include "sim/cluster/model_shelf.h"

#include "tests/check.h"

static struct model_shelf shelf;
static bool flag;

static void forget(void)
{
    model_shelf_done(&shelf);
}

static bool wait_for(uint32_t request, uint32_t model)
{
    CHECK(model_shelf_wait(&shelf, request, 7, model, &flag));
    return flag;
}

static void first_of_those_listed_are_there(void)
{
    model_shelf_init(&shelf, 1 | 1 << 2 | 1 << 4 | 1 << 5, 2);
    CHECK(model_shelf_has(&shelf, 0, 1)); /* any */
    CHECK(model_shelf_has(&shelf, 2, 1));
    CHECK(model_shelf_has(&shelf, 4, 1));
    CHECK(!model_shelf_has(&shelf, 5, 1));
}

static void least_recently_used_makes_room(void)
{
    model_shelf_init(&shelf, 1 | 1 << 1 | 1 << 2, 2);
    CHECK(model_shelf_has(&shelf, 2, 10));
    CHECK(model_shelf_has(&shelf, 1, 20));
    CHECK(wait_for(100, 3));
    CHECK_UINT(model_shelf_loaded(&shelf, 30, &flag), 3);
    CHECK(!flag);
    CHECK(model_shelf_has(&shelf, 3, 31));
    CHECK(model_shelf_has(&shelf, 1, 31));
    CHECK(!model_shelf_has(&shelf, 2, 31));
    CHECK_UINT(shelf.loads, 1);
}

static void one_load_runs_at_a_time(void)
{
    model_shelf_init(&shelf, 1 | 1 << 1, 3);
    CHECK(wait_for(100, 3));
    CHECK(!wait_for(101, 2));
    CHECK(!wait_for(102, 3)); /* the load under way will do */
    CHECK_UINT(model_shelf_loaded(&shelf, 30, &flag), 3);
    CHECK(flag);
    CHECK_UINT(model_shelf_loaded(&shelf, 40, &flag), 2);
    CHECK(!flag);
    CHECK(wait_for(103, 5));
}

static void waiters_leave_in_order_by_model(void)
{
    struct shelf_waiter waiter;

    model_shelf_init(&shelf, 1 | 1 << 1, 3);
    for (uint32_t i = 0; i < 40; i++)
        wait_for(i, i % 2 ? 2 : 3);
    for (uint32_t i = 0; i < 20; i++) {
        CHECK(model_shelf_next(&shelf, 2, &waiter));
        CHECK_UINT(waiter.request, 2 * i + 1);
        CHECK_UINT(waiter.epoch, 7);
    }
    CHECK(!model_shelf_next(&shelf, 2, &waiter));
    CHECK(model_shelf_next(&shelf, SHELF_NOTHING, &waiter));
    CHECK_UINT(waiter.request, 0);
}

static void reset_is_the_start(void)
{
    struct shelf_waiter waiter;

    model_shelf_init(&shelf, 1 | 1 << 1, 1);
    wait_for(100, 3);
    model_shelf_loaded(&shelf, 30, &flag);
    wait_for(101, 2);
    model_shelf_reset(&shelf);
    CHECK(model_shelf_has(&shelf, 1, 40));
    CHECK(!model_shelf_has(&shelf, 3, 40));
    CHECK(!model_shelf_next(&shelf, SHELF_NOTHING, &waiter));
    CHECK(wait_for(102, 3));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"the first of those listed are there",
         first_of_those_listed_are_there},
        {"the least recently used makes room", least_recently_used_makes_room},
        {"one load runs at a time", one_load_runs_at_a_time},
        {"waiters leave in order, by model", waiters_leave_in_order_by_model},
        {"reset is the start", reset_is_the_start},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("model shelf", NULL, NULL, NULL, forget, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
