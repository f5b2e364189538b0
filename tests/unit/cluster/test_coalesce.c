/* Identical questions at one node: one works, the others wait for it. */
#include "sim/cluster/node.h"
#include "tests/check.h"

#include <math.h>

#define MS INT64_C(1000000)

static struct event_tree tree;
static struct request_slab slab;
static struct node_world world;
static struct result_cache cache;
static struct delay_line hits;
static struct node node;

/* One slot; an answer from the cache takes 1 ms. */
static void node_that_coalesces(void)
{
    struct group_spec spec = {
        .name = "gpu",
        .count = 1,
        .cpu_per_request = NAN,
        .engine = {.slots = 1, .speed = 1},
        .result_cache = {.coalesce = true, .bytes_per_token = 4}};

    CHECK(event_tree_init(&tree, 4));
    request_slab_init(&slab, true, 0);
    delay_line_init(&hits, MS, RANK_DONE, 1u << 30);
    CHECK(result_cache_init(&cache, 10, 0, INT64_MAX));
    world = (struct node_world){.tree = &tree, .slab = &slab};
    CHECK(node_init(&node, &spec, 0, 0, &cache, &hits));
}

static void forget_node(void)
{
    node_done(&node);
    result_cache_done(&cache);
    delay_line_done(&hits);
    request_slab_done(&slab);
    event_tree_done(&tree);
}

/* 10 ms of work. */
static uint32_t ask(uint64_t key, int64_t at_ms, enum node_answer expected)
{
    uint32_t index;
    struct request *request = request_slab_take(&slab, &index);

    *request = (struct request){.epoch = request->epoch, .need = 0.010};
    *request_key_at(&slab, index) = (struct request_key){.hash = key};
    CHECK_INT(node_accept(&node, &world, request, index, at_ms * MS), expected);
    return index;
}

static void finish(uint32_t index, int64_t at_ms)
{
    struct event_key first = event_tree_first(&tree);

    CHECK_INT((int64_t)first.time_ns, at_ms * MS);
    CHECK_UINT(tree.subjects[event_leaf_of(first)], index);
    CHECK(node_finish(&node, &world, request_at(&slab, index), index,
                      at_ms * MS));
    request_slab_give(&slab, request_at(&slab, index), index);
}

static struct node_cancelled cancel(uint32_t index, int64_t at_ms)
{
    return node_cancel(&node, &world, request_at(&slab, index), index, false,
                       at_ms * MS);
}

/* Only what has not begun ends. */
static struct node_cancelled cancel_queued(uint32_t index, int64_t at_ms)
{
    return node_cancel(&node, &world, request_at(&slab, index), index, true,
                       at_ms * MS);
}

static void hit_at(uint32_t index, int64_t at_ms)
{
    struct delay_entry entry;

    CHECK_INT((int64_t)event_tree_first(&tree).time_ns, at_ms * MS);
    entry = delay_line_pop(&hits, &tree);
    CHECK_UINT(entry.request, index);
    CHECK_INT(request_at(&slab, index)->state, REQUEST_HIT);
    CHECK(request_at(&slab, index)->flags & REQUEST_CACHED);
}

static void one_works_and_the_others_wait(void)
{
    uint32_t a = ask(7, 0, NODE_STARTED);
    uint32_t b = ask(7, 2, NODE_FOLLOWS);
    uint32_t c = ask(8, 3, NODE_QUEUED);
    uint32_t d = ask(7, 4, NODE_FOLLOWS);
    uint32_t e = ask(8, 5, NODE_FOLLOWS);

    CHECK_UINT(node.queued, 1);
    finish(a, 10);
    CHECK_INT(request_at(&slab, b)->started_at_ns, 10 * MS);
    hit_at(b, 11);
    hit_at(d, 11);
    finish(c, 20);
    hit_at(e, 21);
    ask(7, 22, NODE_HIT);
    CHECK_UINT(node.coalesced_count, 3);
    CHECK_UINT(node.miss_count, 2);
    CHECK_UINT(node.hit_count, 1);
}

static void requests_without_key_work_by_themselves(void)
{
    ask(0, 0, NODE_STARTED);
    ask(0, 0, NODE_QUEUED);
    CHECK_UINT(node.coalesced_count, 0);
}

/* An answer that is not kept is no reason to wait for ever: it has ended, so
   the next one works. */
static void the_next_one_works_again(void)
{
    uint32_t a = ask(7, 0, NODE_STARTED);

    finish(a, 10);
    result_cache_clear(&cache);
    ask(7, 11, NODE_STARTED);
}

static void cancelled_follower_leaves(void)
{
    uint32_t a = ask(7, 0, NODE_STARTED);
    uint32_t b = ask(7, 1, NODE_FOLLOWS);
    uint32_t c = ask(7, 2, NODE_FOLLOWS);
    uint32_t d = ask(7, 3, NODE_FOLLOWS);
    struct node_cancelled done = cancel(c, 4);

    CHECK(!done.stays);
    CHECK_UINT(done.orphan, REQUEST_NONE);
    cancel(d, 5);
    finish(a, 10);
    hit_at(b, 11);
    CHECK_UINT(event_tree_first(&tree).time_ns, EVENT_NEVER);
}

static void cancelled_leader_alone_leaves(void)
{
    uint32_t a = ask(7, 0, NODE_STARTED);
    uint32_t b = ask(7, 1, NODE_FOLLOWS);

    cancel(b, 2);
    CHECK(!cancel(a, 3).stays);
    CHECK_UINT(node.running, 0);
    ask(7, 4, NODE_STARTED);
}

static void work_goes_on_for_those_who_wait(void)
{
    uint32_t a = ask(7, 0, NODE_STARTED);
    uint32_t b = ask(7, 1, NODE_FOLLOWS);

    CHECK(cancel(a, 5).stays);
    CHECK_UINT(node.running, 1);
    finish(a, 10);
    hit_at(b, 11);
}

/* The queued leader too; and a newcomer joins what was given up. */
static void work_ends_with_the_last_who_waits(void)
{
    uint32_t other = ask(1, 0, NODE_STARTED);
    uint32_t a = ask(7, 0, NODE_QUEUED);
    uint32_t b = ask(7, 1, NODE_FOLLOWS);
    uint32_t c;
    struct node_cancelled done;

    CHECK(cancel(a, 2).stays);
    c = ask(7, 3, NODE_FOLLOWS);
    done = cancel(b, 4);
    CHECK_UINT(done.orphan, REQUEST_NONE);
    done = cancel(c, 5);
    CHECK(!done.stays);
    CHECK_UINT(done.orphan, a);
    CHECK_UINT(node.queued, 0);
    finish(other, 10);
    CHECK_UINT(node.running, 0);
    ask(7, 12, NODE_STARTED);
}

/* What has begun goes on, and a newcomer waits for that. */
static void work_that_has_begun_outlives_the_last_who_waits(void)
{
    uint32_t other = ask(1, 0, NODE_STARTED);
    uint32_t a = ask(7, 0, NODE_QUEUED);
    uint32_t b = ask(7, 1, NODE_FOLLOWS);
    uint32_t c, d;
    struct node_cancelled done;

    CHECK(cancel_queued(a, 2).stays);
    finish(other, 10);
    CHECK_INT(request_at(&slab, a)->state, REQUEST_RUNNING);
    done = cancel_queued(b, 12);
    CHECK(!done.stays);
    CHECK_UINT(done.orphan, REQUEST_NONE);
    CHECK_UINT(node.running, 1);
    c = ask(7, 13, NODE_FOLLOWS);
    d = ask(8, 13, NODE_QUEUED);
    CHECK(!cancel_queued(d, 14).stays);
    CHECK_UINT(node.queued, 0);
    finish(a, 20);
    CHECK(cancel_queued(c, 20).stays); /* it is being answered */
    hit_at(c, 21);
}

static void death_loses_those_who_wait(void)
{
    uint32_t a = ask(7, 0, NODE_STARTED);
    uint32_t b = ask(8, 0, NODE_QUEUED);
    uint32_t c = ask(8, 1, NODE_FOLLOWS);
    uint32_t d = ask(7, 2, NODE_FOLLOWS);
    uint32_t e = ask(7, 3, NODE_FOLLOWS);
    const uint32_t expected[] = {a, b, d, e, c};
    uint32_t lost = node_die(&node, &world, 0, 4 * MS);

    for (unsigned i = 0; i < 5; i++) {
        CHECK_UINT(lost, expected[i]);
        CHECK_INT(request_at(&slab, lost)->state, REQUEST_LOST);
        lost = request_at(&slab, lost)->next;
    }
    CHECK_UINT(lost, REQUEST_NONE);
    CHECK_UINT(node.coalesce.count, 0);
    node_restart(&node, 5 * MS);
    ask(7, 6, NODE_STARTED);
}

/* Against a plain list of who leads, over keys that collide in the table. */
static void table_keeps_leaders_apart(void)
{
    struct coalesce table = {0};
    uint32_t leaders[40];
    uint64_t random = 1;

    for (unsigned key = 0; key < 40; key++)
        leaders[key] = REQUEST_NONE;
    for (uint32_t step = 0; step < 20000; step++) {
        unsigned key;
        uint64_t hash;

        random = random * 6364136223846793005u + 1442695040888963407u;
        key = (unsigned)(random >> 33) % 40;
        hash = (uint64_t)(key % 5) + 1 + (uint64_t)key * 1024;
        if (leaders[key] == REQUEST_NONE) {
            CHECK_UINT(coalesce_end(&table, hash, step), REQUEST_NONE);
            CHECK(coalesce_lead(&table, hash, step));
            leaders[key] = step;
        } else {
            uint32_t before = table.count;

            CHECK(!coalesce_keep(&table, hash, leaders[key]));
            CHECK_UINT(table.count, before - 1);
            leaders[key] = REQUEST_NONE;
        }
    }
    CHECK(table.size <= 128);
    coalesce_done(&table);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"one works and the others wait", one_works_and_the_others_wait},
        {"requests without key work by themselves",
         requests_without_key_work_by_themselves},
        {"the next one works again", the_next_one_works_again},
        {"a cancelled follower leaves", cancelled_follower_leaves},
        {"a cancelled leader alone leaves", cancelled_leader_alone_leaves},
        {"work goes on for those who wait", work_goes_on_for_those_who_wait},
        {"work ends with the last who waits",
         work_ends_with_the_last_who_waits},
        {"work that has begun outlives the last who waits",
         work_that_has_begun_outlives_the_last_who_waits},
        {"death loses those who wait", death_loses_those_who_wait},
        {"the table keeps leaders apart", table_keeps_leaders_apart},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("coalesce", NULL, NULL, node_that_coalesces, forget_node, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
