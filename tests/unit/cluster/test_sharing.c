/*
 * Processor sharing, worked out by hand: between two changes each of n
 * requests in service advances by elapsed / slowdown(n).
 */
#include "tests/unit/cluster/engine_world.h"

#include "sim/cluster/sharing.h"

static void sharing_node(void)
{
    world_begin();
    spec.engine.kind = ENGINE_SHARING;
    make_node();
}

/* 4 from 0, 1 from 1: a has 1 at 1 and shares; b has its 1 at 3; a then has 2
   and needs 2 more, alone: 5. */
static void two_share_evenly(void)
{
    uint32_t a = arrive(4, 0, NODE_STARTED);
    uint32_t b = arrive(1, 1, NODE_STARTED);

    CHECK_UINT(node.running, 2);
    ends(b, 3);
    ends(a, 5);
    CHECK(is_quiet());
}

/* 3 each at the same time: all end at 9, in order of arrival. */
static void equals_end_together_in_order(void)
{
    uint32_t a = arrive(3, 0, NODE_STARTED);
    uint32_t b = arrive(3, 0, NODE_STARTED);
    uint32_t c = arrive(3, 0, NODE_STARTED);

    ends(a, 9);
    ends(b, 9);
    ends(c, 9);
    CHECK(is_quiet());
}

/* As before, but b leaves at 3 with 1 done: a has 2 of 4, alone from then on:
   5. The other way round: b is alone from 3 with 1 of 2: 4. */
static void cancelled_one_leaves_its_share(void)
{
    uint32_t a = arrive(4, 0, NODE_STARTED);
    uint32_t b = arrive(2, 1, NODE_STARTED);

    cancel(b, 3);
    ends(a, 5);
    a = arrive(4, 10, NODE_STARTED);
    b = arrive(2, 11, NODE_STARTED);
    cancel(a, 13);
    ends(b, 14);
    CHECK(is_quiet());
}

/* Limit 2. a 4 and b 4 from 0: each has 1 at 2, when c comes and waits. d of 1
   comes at 3 and waits too. a ends at 8 with b; c starts at 8 when a has
   ended, d at the same instant after b: c 2 and d 1 share from 8: d at 10,
   c at 11. */
static void beyond_the_limit_they_wait(void)
{
    uint32_t a, b, c, d;

    spec.engine.limit = 2;
    make_node();
    a = arrive(4, 0, NODE_STARTED);
    b = arrive(4, 0, NODE_STARTED);
    c = arrive(2, 2, NODE_QUEUED);
    d = arrive(1, 3, NODE_QUEUED);
    CHECK_NEAR(node_gpu_use(&node), 1, 0);
    ends(a, 8);
    CHECK_INT(request_at(&slab, c)->started_at_ns, 8 * MS);
    ends(b, 8);
    ends(d, 10);
    CHECK_NEAR(node_gpu_use(&node), 0.5, 0);
    ends(c, 11);
    CHECK(is_quiet());
}

static void queued_one_is_cancelled(void)
{
    uint32_t a, b, c;

    spec.engine.limit = 1;
    make_node();
    a = arrive(4, 0, NODE_STARTED);
    b = arrive(4, 0, NODE_QUEUED);
    c = arrive(1, 0, NODE_QUEUED);
    cancel(b, 1);
    ends(a, 4);
    ends(c, 5);
    CHECK(is_quiet());
}

static void full_node_refuses(void)
{
    spec.engine.limit = 1;
    spec.engine.limits_queue = true;
    spec.engine.queue_limit = 1;
    make_node();
    arrive(4, 0, NODE_STARTED);
    arrive(4, 0, NODE_QUEUED);
    arrive(4, 0, NODE_FULL);
}

/* slowdown(n) = 0.5 + 0.25 n: 0.75 alone, 1 for two. At 1.5 a has got 2 of 4;
   from then on both get 1 a ms: b ends at 2.5, a has got 3 and takes 0.75. */
static void slowdown_has_a_base(void)
{
    uint32_t a, b;

    spec.engine.slowdown_base = 0.5;
    spec.engine.slowdown_per_request = 0.25;
    make_node();
    a = arrive(4, 0, NODE_STARTED);
    b = arrive(1, 1.5, NODE_STARTED);
    ends(b, 2.5);
    ends(a, 3.25);
}

/* Speed 2 halves the need. Twice as fast at 3: a of 8 (4 on this node) and b
   of 4 (2) have 1.5 each at 3; b's 0.5 takes 2 * 0.25, a's 2.5 - 0.5 = 2
   takes 1 alone. */
static void speed_changes_what_is_left(void)
{
    uint32_t a, b;

    spec.engine.speed = 2;
    spec.engine.speed_varies = true;
    make_node();
    a = arrive(8, 0, NODE_STARTED);
    b = arrive(4, 0, NODE_STARTED);
    node_change_speed(&node, &world, 0, 2, 3 * MS);
    ends(b, 3.5);
    ends(a, 4.5);
    a = arrive(8, 10, NODE_STARTED);
    ends(a, 12);
}

/* The first event is this one's first token. */
static void first_token(uint32_t index, int64_t at_ms)
{
    struct event_key first = event_tree_first(&tree);
    struct request *request = request_at(&slab, index);

    CHECK_INT((int64_t)first.time_ns, at_ms * MS);
    CHECK_UINT(tree.subjects[event_leaf_of(first)], index);
    CHECK(request->flags & REQUEST_FIRST_TOKEN);
    node_first_token(&node, &world, request, index, at_ms * MS);
}

/* base 1, 0.1 an input token, 0.2 an output token. a: 10 in, 15 out: first
   token after 2 of 5; b the same from 1 on. a's first at 3 (1 alone, 1
   shared), b's: 2 of its own at 1 + 4 = 5; a's end: at 5 it has 1 + 2 = 3, at
   9 it has 5; b then has 4, 1 more alone: 10. */
static void first_token_comes_in_shared_time(void)
{
    uint32_t index[2];
    struct event_key first;

    spec.engine.service = (struct service_spec){true, 1e-3, 1e-4, 2e-4};
    make_node();
    for (int i = 0; i < 2; i++) {
        struct request *request = request_slab_take(&slab, &index[i]);

        *request = (struct request){.need = 1,
                                    .number = (uint64_t)i,
                                    .flags = REQUEST_TOKENS,
                                    .input_tokens = 10,
                                    .output_tokens = 15};
        CHECK_INT(node_accept(&node, &world, request, index[i], i * MS),
                  NODE_STARTED);
    }
    first_token(index[0], 3);
    CHECK_INT(request_work_at(&slab, index[0])->first_token_at_ns, 3 * MS);
    first = event_tree_first(&tree);
    CHECK_UINT(first.time_ns, 5 * MS);
    first_token(index[1], 5);
    CHECK_INT(node_first_token_at_ns(&node, &slab, request_at(&slab, index[1]),
                                     index[1]),
              5 * MS);
    ends(index[0], 9);
    ends(index[1], 10);
}

static void death_loses_all_inside(void)
{
    uint32_t a, b, c;

    spec.engine.limit = 2;
    make_node();
    a = arrive(4, 0, NODE_STARTED);
    b = arrive(2, 0, NODE_STARTED);
    c = arrive(2, 0, NODE_QUEUED);
    CHECK_UINT(node_die(&node, &world, 0, MS), b); /* it would have ended */
    CHECK_UINT(request_at(&slab, b)->next, a);
    CHECK_UINT(request_at(&slab, a)->next, c);
    CHECK_UINT(request_at(&slab, c)->next, REQUEST_NONE);
    CHECK(is_quiet());
    arrive(1, 2, NODE_DEAD);
    node_restart(&node, 3 * MS);
    a = arrive(1, 4, NODE_STARTED);
    ends(a, 5);
}

/* Without a limit a node is busy or idle: a from 0 to 5, b from 1 to 3 in it;
   with a limit of 4, 7 / 4 of the time of one. */
static void busy_time_is_that_of_the_processor(void)
{
    struct node_reading read;
    uint32_t a = arrive(4, 0, NODE_STARTED);
    uint32_t b = arrive(1, 1, NODE_STARTED);

    CHECK_NEAR(node_gpu_use(&node), 1, 0);
    node_read(&node, 2 * MS, &read);
    CHECK_UINT(read.busy, (uint64_t)(2 * MS));
    ends(b, 3);
    ends(a, 5);
    node_read(&node, 8 * MS, &read);
    CHECK_UINT(read.busy, (uint64_t)(5 * MS));
    CHECK_NEAR(node_gpu_use(&node), 0, 0);
}

/* A node that is never idle: a of a day of work, and every 40 minutes two
   requests of 10 s that share with it, so that they end after 30 s. After 200
   rounds virtual time has been set back many times, and they still do. */
static void long_busy_periods_lose_nothing(void)
{
    double hour = 3600e3;
    uint32_t a = arrive(480 * hour, 0, NODE_STARTED);

    for (int i = 1; i <= 200; i++) {
        double at = i * hour * 2 / 3;
        uint32_t b = arrive(10e3, at, NODE_STARTED);
        uint32_t c = arrive(10e3, at, NODE_STARTED);

        ends(b, at + 30e3);
        ends(c, at + 30e3);
    }
    /* It waited 20 s more in each of them. */
    CHECK_NEAR((double)event_tree_first(&tree).time_ns,
               (480 * hour + 200 * 20e3) * 1e6, 200);
    CHECK(node.sharing->virtual_ns < 2e12);
    cancel(a, 481 * hour);
    CHECK(is_quiet());
    CHECK_NEAR(node.sharing->virtual_ns, 0, 0);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"two share evenly", two_share_evenly},
        {"equals end together, in order", equals_end_together_in_order},
        {"a cancelled one leaves its share", cancelled_one_leaves_its_share},
        {"beyond the limit they wait", beyond_the_limit_they_wait},
        {"a queued one is cancelled", queued_one_is_cancelled},
        {"a full node refuses", full_node_refuses},
        {"the slowdown has a base", slowdown_has_a_base},
        {"speed changes what is left", speed_changes_what_is_left},
        {"the first token comes in shared time",
         first_token_comes_in_shared_time},
        {"death loses all inside", death_loses_all_inside},
        {"busy time is that of the processor",
         busy_time_is_that_of_the_processor},
        {"long busy periods lose nothing", long_busy_periods_lose_nothing},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("sharing", NULL, NULL, sharing_node, world_end, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
