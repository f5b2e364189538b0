#include "sim/core/delay_line.h"
#include "tests/check.h"

static struct event_tree tree;
static struct delay_line line;

static void line_of_100_ns(void)
{
    CHECK(event_tree_init(&tree, 2));
    delay_line_init(&line, 100, RANK_DONE, 7);
}

static void forget_line(void)
{
    delay_line_done(&line);
    event_tree_done(&tree);
}

static void unused_line_takes_no_leaf(void)
{
    CHECK_UINT(tree.free_count, tree.leaf_count);
}

static void head_stands_in_the_tree(void)
{
    CHECK(delay_line_push(&line, &tree, 1000, 1, 0));
    CHECK(delay_line_push(&line, &tree, 1010, 2, 5));

    CHECK_UINT(event_tree_first(&tree).time_ns, 1100);
    CHECK_UINT(tree.subjects[line.leaf], 7);
    CHECK_UINT(delay_line_pop(&line, &tree).request, 1);
    CHECK_UINT(event_tree_first(&tree).time_ns, 1110);
    CHECK_UINT(delay_line_pop(&line, &tree).epoch, 5);
    CHECK_UINT(event_tree_first(&tree).time_ns, EVENT_NEVER);
}

static void entry_keeps_its_place_in_the_order(void)
{
    uint32_t rival;

    CHECK(delay_line_push(&line, &tree, 0, 1, 0));
    CHECK(delay_line_push(&line, &tree, 0, 2, 0));
    rival = event_tree_take(&tree, 9);
    event_tree_set(&tree, rival, 100, RANK_DONE);

    delay_line_pop(&line, &tree);
    CHECK_UINT(event_leaf_of(event_tree_first(&tree)), line.leaf);
    delay_line_pop(&line, &tree);
    CHECK_UINT(event_leaf_of(event_tree_first(&tree)), rival);
}

static void ring_grows_and_wraps_in_order(void)
{
    uint32_t in = 0, out = 0;

    for (int round = 0; round < 50; round++) {
        for (int i = 0; i < 13; i++)
            CHECK(delay_line_push(&line, &tree, round, in++, 0));
        for (int i = 0; i < 9; i++)
            CHECK_UINT(delay_line_pop(&line, &tree).request, out++);
    }
    while (line.count > 0)
        CHECK_UINT(delay_line_pop(&line, &tree).request, out++);
    CHECK_UINT(out, in);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"an unused line takes no leaf", unused_line_takes_no_leaf},
        {"the head stands in the tree", head_stands_in_the_tree},
        {"an entry keeps its place in the order",
         entry_keeps_its_place_in_the_order},
        {"the ring grows and wraps in order", ring_grows_and_wraps_in_order},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("delay_line", NULL, NULL, line_of_100_ns, forget_line, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
