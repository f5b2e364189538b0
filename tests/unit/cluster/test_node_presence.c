/* Nodes that are taken away: meters of absence, and what is inside. */
#include "tests/unit/cluster/engine_world.h"

static uint64_t absent_ms(double at_ms)
{
    struct node_reading read;

    node_read(&node, (int64_t)(at_ms * 1e6), &read);
    return read.absent_ns / 1000000;
}

static uint64_t starting_ms(double at_ms)
{
    struct node_reading read;

    node_read(&node, (int64_t)(at_ms * 1e6), &read);
    return read.starting_ns / 1000000;
}

static void presence_is_metered(void)
{
    make_node();
    CHECK_UINT(absent_ms(10), 0);
    node_set_presence(&node, NODE_ABSENT, 10 * MS);
    CHECK_UINT(absent_ms(25), 15);
    node_set_presence(&node, NODE_STARTING, 30 * MS);
    CHECK_UINT(absent_ms(99), 20);
    CHECK_UINT(starting_ms(42), 12);
    node_set_presence(&node, NODE_PRESENT, 50 * MS);
    CHECK_UINT(starting_ms(99), 20);
    node_set_presence(&node, NODE_ABSENT, 60 * MS);
    CHECK_UINT(absent_ms(61), 21);
}

/* Memory of a node that is not there is no one's. */
static void absent_nodes_have_no_memory(void)
{
    struct node_reading read;

    spec.memory_given = true;
    spec.memory_base = 0.5;
    make_node();
    node_set_presence(&node, NODE_ABSENT, 10 * MS);
    CHECK_NEAR(node_memory_use(&node), 0, 0);
    node_set_presence(&node, NODE_STARTING, 30 * MS);
    node_read(&node, 40 * MS, &read);
    CHECK_NEAR(read.memory_ns, 0.5 * 20e6, 1e-3);
}

/* What was given up on its way comes after the node left: it costs nothing. */
static void nobody_is_served_by_an_absent_node(void)
{
    make_node();
    node_set_presence(&node, NODE_ABSENT, 10 * MS);
    arrive(10, 11, NODE_DEAD);
    CHECK(is_quiet());
    node_set_presence(&node, NODE_PRESENT, 20 * MS);
    CHECK(!node.special);
    ends(arrive(10, 21, NODE_STARTED), 31);
}

/* Everything inside is handed out, and the node is alive and takes more. */
static void emptying_is_no_death(void)
{
    uint32_t running, queued, next;

    make_node();
    running = arrive(10, 0, NODE_STARTED);
    queued = arrive(10, 1, NODE_QUEUED);
    CHECK_UINT(node_empty(&node, &world, 0, 4 * MS), running);
    CHECK_UINT(request_at(&slab, running)->next, queued);
    CHECK_UINT(request_at(&slab, queued)->next, REQUEST_NONE);
    CHECK_INT(request_at(&slab, queued)->state, REQUEST_LOST);
    CHECK(node.alive);
    CHECK_UINT(node.deaths, 0);
    CHECK_UINT(node.lives, 1);
    CHECK_UINT(node.running + node.queued, 0);
    next = arrive(10, 5, NODE_STARTED);
    ends(next, 15);
    CHECK_UINT(node_empty(&node, &world, 0, 20 * MS), REQUEST_NONE);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"presence is metered", presence_is_metered},
        {"absent nodes have no memory", absent_nodes_have_no_memory},
        {"nobody is served by an absent node",
         nobody_is_served_by_an_absent_node},
        {"emptying is no death", emptying_is_no_death},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("node presence", NULL, NULL, world_begin, world_end, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
