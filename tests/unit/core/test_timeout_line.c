/* Time-outs that are the same for all. */
#include "sim/core/timeout_line.h"

#include "tests/check.h"

enum { SUBJECT = 77 };

static struct event_tree tree;
static struct timeout_line line;

static void begin(void)
{
    CHECK(event_tree_init(&tree, 2));
    timeout_line_init(&line, 100, SUBJECT);
}

static void end(void)
{
    timeout_line_done(&line);
    event_tree_done(&tree);
}

static uint64_t next_ns(void)
{
    return event_tree_first(&tree).time_ns;
}

static void leaf_stands_for_the_oldest(void)
{
    CHECK(timeout_line_push(&line, &tree, 5, 1, 0));
    CHECK(timeout_line_push(&line, &tree, 6, 2, 0));
    CHECK_UINT(next_ns(), 105);
    CHECK_UINT(event_rank_of(event_tree_first(&tree)), RANK_TIMEOUT);
    CHECK_UINT(tree.subjects[event_leaf_of(event_tree_first(&tree))], SUBJECT);
    CHECK_UINT(timeout_line_oldest(&line)->request, 1);
}

static void entries_are_passed_over_without_events(void)
{
    for (uint32_t i = 0; i < 200; i++)
        CHECK(timeout_line_push(&line, &tree, i, i, i + 7));
    timeout_line_disarm(&line, &tree);
    CHECK_UINT(next_ns(), EVENT_NEVER);
    for (uint32_t i = 0; i < 150; i++) {
        CHECK_UINT(timeout_line_oldest(&line)->request, i);
        CHECK_UINT(timeout_line_oldest(&line)->epoch, i + 7);
        timeout_line_drop(&line);
    }
    timeout_line_arm(&line, &tree);
    CHECK_UINT(next_ns(), 250);
}

static void empty_line_wakes_up_again(void)
{
    CHECK(timeout_line_oldest(&line) == NULL);
    CHECK(timeout_line_push(&line, &tree, 0, 1, 0));
    timeout_line_disarm(&line, &tree);
    timeout_line_drop(&line);
    CHECK(timeout_line_oldest(&line) == NULL);
    CHECK(timeout_line_push(&line, &tree, 40, 2, 0));
    CHECK_UINT(next_ns(), 140);
}

/* A limit of ages is one that is never reached, not one of the past. */
static void far_ends_do_not_wrap(void)
{
    timeout_line_init(&line, INT64_MAX - 10, SUBJECT);
    CHECK(timeout_line_push(&line, &tree, 1000, 1, 0));
    CHECK(timeout_line_oldest(&line)->at_ns > 1000);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"leaf stands for the oldest", leaf_stands_for_the_oldest},
        {"entries are passed over without events",
         entries_are_passed_over_without_events},
        {"empty line wakes up again", empty_line_wakes_up_again},
        {"far ends do not wrap", far_ends_do_not_wrap},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("timeout_line", NULL, NULL, begin, end, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
