/* Nodes whose memory is full, by hand: eight slots, of which two have room. */
#include "sim/cluster/node_trouble.h"
#include "tests/unit/cluster/engine_world.h"

static void two_have_room(enum memory_full when_full)
{
    spec.engine.slots = 8;
    spec.memory_given = true;
    spec.memory_base = 0.4;
    spec.memory_per_request = 0.3;
    spec.when_memory_full = when_full;
    spec.memory_slow_factor = 2.5;
    make_node();
}

/* An arrival that counts. */
static uint32_t arrive_measured(double need_ms, double at_ms,
                                enum node_answer expected)
{
    uint32_t index;
    struct request *request = request_slab_take(&slab, &index);

    *request = (struct request){.epoch = request->epoch,
                                .number = arrivals++,
                                .flags = REQUEST_MEASURED,
                                .need = need_ms * 1e-3};
    CHECK_INT(
        node_accept(&node, &world, request, index, (int64_t)(at_ms * 1e6)),
        expected);
    return index;
}

static void unless_it_is_said_all_are_served(void)
{
    two_have_room(MEMORY_FULL_SERVE);
    CHECK(!node.special);
    for (int i = 0; i < 8; i++)
        arrive_measured(10, 0, NODE_STARTED);
    CHECK_NEAR((double)event_tree_first(&tree).time_ns, 10 * MS, 0);
    CHECK_UINT(node.memory_short, 0);
}

/* The third takes 2.5 times as long to its end, whatever falls free meanwhile;
   who comes after that is as fast as ever. */
static void who_finds_it_full_is_slow_to_its_end(void)
{
    uint32_t a, b, c, d;

    two_have_room(MEMORY_FULL_SLOW);
    CHECK(node.special);
    a = arrive_measured(10, 0, NODE_STARTED);
    b = arrive_measured(11, 0, NODE_STARTED);
    c = arrive_measured(10, 1, NODE_STARTED);
    ends(a, 10);
    ends(b, 11);
    d = arrive_measured(3, 12, NODE_STARTED);
    ends(d, 15);
    ends(c, 26);
    CHECK_UINT(node.memory_short, 1);
    CHECK(is_quiet());
}

/* With one slot more than there is room, who waited goes on in the place of who
   left: it finds memory as full as that one left it. */
static void who_waited_takes_over_a_full_memory(void)
{
    uint32_t a, b, c, d;

    two_have_room(MEMORY_FULL_SLOW);
    node.slots = 3;
    a = arrive_measured(10, 0, NODE_STARTED);
    b = arrive_measured(21, 0, NODE_STARTED);
    c = arrive_measured(10, 0, NODE_STARTED);
    d = arrive_measured(4, 0, NODE_QUEUED);
    ends(a, 10);
    ends(d, 20);
    ends(b, 21);
    ends(c, 25);
    CHECK_UINT(node.memory_short, 2);
}

/* Of tokens: 4 ms to the first, 6 more to the second; both 2.5 times as long.
 */
static void first_tokens_are_late_too(void)
{
    uint32_t index;
    struct request *request;

    spec.engine.service = (struct service_spec){
        .given = true, .base_s = 4e-3, .per_output_token_s = 3e-3};
    world.first_token_events = true;
    two_have_room(MEMORY_FULL_SLOW);
    arrive(1000, 0, NODE_STARTED);
    arrive(1000, 0, NODE_STARTED);
    request = request_slab_take(&slab, &index);
    *request = (struct request){.epoch = request->epoch,
                                .number = arrivals++,
                                .flags = REQUEST_TOKENS,
                                .need = 1,
                                .input_tokens = 1,
                                .output_tokens = 2};
    node_accept(&node, &world, request, index, 0);
    CHECK_NEAR((double)event_tree_first(&tree).time_ns, 10 * MS, 0);
    CHECK_NEAR((double)node_first_token_at_ns(&node, &slab, request, index),
               10 * MS, 0);
    node_first_token(&node, &world, request, index, 10 * MS);
    CHECK_NEAR((double)node_token_gap_ns(&node, &slab, request, index), 15 * MS,
               0);
    ends(index, 25);
}

static void who_is_refused_leaves_no_trace(void)
{
    uint32_t a, b;

    two_have_room(MEMORY_FULL_REFUSE);
    a = arrive_measured(10, 0, NODE_STARTED);
    b = arrive_measured(20, 0, NODE_STARTED);
    arrive_measured(10, 1, NODE_FULL);
    ends(a, 10);
    arrive_measured(5, 11, NODE_STARTED);
    arrive(5, 12, NODE_FULL); /* does not count */
    CHECK_UINT(node.memory_short, 1);
    CHECK_UINT(node.running, 2);
    (void)b;
}

/* Where memory has room for each slot, who waits takes no memory yet. */
static void who_would_wait_is_not_refused(void)
{
    two_have_room(MEMORY_FULL_REFUSE);
    node.slots = 2;
    arrive(10, 0, NODE_STARTED);
    arrive(10, 0, NODE_STARTED);
    arrive(10, 0, NODE_QUEUED);
}

/* 40 % + 2 x 30 % just fit; with a leak of a hundredth they do not. */
static void what_leaked_takes_room(void)
{
    two_have_room(MEMORY_FULL_REFUSE);
    node_leak(&node, 0.01, 0);
    arrive(10, 0, NODE_STARTED);
    arrive(10, 0, NODE_FULL);
}

/* All at once in one processor: refused by room alone. */
static void sharing_nodes_refuse(void)
{
    spec.engine.kind = ENGINE_SHARING;
    two_have_room(MEMORY_FULL_REFUSE);
    arrive(10, 0, NODE_STARTED);
    arrive(10, 0, NODE_STARTED);
    arrive(10, 0, NODE_FULL);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"unless it is said all are served", unless_it_is_said_all_are_served},
        {"who finds it full is slow to its end",
         who_finds_it_full_is_slow_to_its_end},
        {"who waited takes over a full memory",
         who_waited_takes_over_a_full_memory},
        {"first tokens are late too", first_tokens_are_late_too},
        {"who is refused leaves no trace", who_is_refused_leaves_no_trace},
        {"who would wait is not refused", who_would_wait_is_not_refused},
        {"what leaked takes room", what_leaked_takes_room},
        {"sharing nodes refuse", sharing_nodes_refuse},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("node memory", NULL, NULL, world_begin, world_end, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
