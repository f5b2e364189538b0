/* Alarms behind one leaf of an event tree. */
#include "sim/core/alarms.h"

#include "tests/check.h"

#include <stdlib.h>

enum { SUBJECT = 77 };

static struct event_tree tree;
static struct alarms alarms;

static void begin(void)
{
    CHECK(event_tree_init(&tree, 2));
    alarms_init(&alarms, SUBJECT);
}

static void end(void)
{
    alarms_done(&alarms);
    event_tree_done(&tree);
}

/* What its event says must be what comes out. */
static struct alarm next(void)
{
    struct event_key first = event_tree_first(&tree);
    struct alarm alarm = alarms_pop(&alarms, &tree);

    CHECK_UINT(first.time_ns, (uint64_t)alarm.at_ns);
    CHECK_UINT(event_rank_of(first), RANK_TIMER);
    CHECK_UINT(tree.subjects[event_leaf_of(first)], SUBJECT);
    return alarm;
}

static void order_of_time(void)
{
    CHECK(alarms_set(&alarms, &tree, 30, 1, 10, 0));
    CHECK(alarms_set(&alarms, &tree, 10, 2, 20, 5));
    CHECK(alarms_set(&alarms, &tree, 20, 3, 30, 6));
    CHECK_UINT(next().kind, 2);
    CHECK_UINT(next().subject, 30);
    CHECK_UINT(next().kind, 1);
    CHECK_UINT(event_tree_first(&tree).time_ns, (uint64_t)EVENT_NEVER);
}

static void one_instant_in_order_of_setting(void)
{
    for (uint32_t i = 0; i < 100; i++)
        CHECK(alarms_set(&alarms, &tree, 5, 0, i, i));
    for (uint32_t i = 0; i < 100; i++) {
        struct alarm alarm = next();

        CHECK_UINT(alarm.subject, i);
        CHECK_UINT(alarm.epoch, i);
    }
}

static void nothing_is_taken_before_use(void)
{
    CHECK_UINT(alarms.leaf, EVENT_NO_LEAF);
    CHECK(alarms.heap == NULL);
}

/* Against a plain search for the first among all that are pending. */
static void like_a_plain_search(void)
{
    int64_t at[500];
    bool pending[500] = {false};
    uint32_t state = 12345, set = 0, left = 0;

    for (uint32_t round = 0; round < 1000; round++) {
        state = state * 1664525u + 1013904223u;
        if (set < 500 && (left == 0 || state >> 31)) {
            at[set] = (int64_t)(state >> 8 & 63);
            pending[set] = true;
            CHECK(alarms_set(&alarms, &tree, at[set], 0, set, 0));
            set++;
            left++;
        } else if (left > 0) {
            uint32_t first = 500;

            for (uint32_t i = 0; i < set; i++)
                if (pending[i] && (first == 500 || at[i] < at[first]))
                    first = i;
            CHECK_UINT(next().subject, first);
            pending[first] = false;
            left--;
        }
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"the first by time comes first", order_of_time},
        {"one instant goes by the order of setting",
         one_instant_in_order_of_setting},
        {"nothing is taken before it is used", nothing_is_taken_before_use},
        {"like a plain search for the first", like_a_plain_search},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("alarms", NULL, NULL, begin, end, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
