#include "sim/core/event_tree.h"
#include "tests/check.h"

#include <stdlib.h>

static struct event_tree tree;

static void small_tree(void)
{
    CHECK(event_tree_init(&tree, 3));
}

static void forget_tree(void)
{
    event_tree_done(&tree);
}

/* Takes the first event off and returns its subject. */
static uint32_t pop(void)
{
    uint32_t leaf = event_leaf_of(event_tree_first(&tree));

    event_tree_clear(&tree, leaf);
    return tree.subjects[leaf];
}

static void put(uint32_t subject, int64_t time_ns, enum event_rank rank)
{
    event_tree_set(&tree, event_tree_take(&tree, subject), time_ns, rank);
}

static void earliest_fires_first(void)
{
    put(3, 30, RANK_DONE);
    put(1, 10, RANK_DONE);
    put(2, 20, RANK_DONE);

    CHECK_UINT(pop(), 1);
    CHECK_UINT(pop(), 2);
    CHECK_UINT(pop(), 3);
    CHECK_UINT(event_tree_first(&tree).time_ns, EVENT_NEVER);
}

static void at_one_instant_ranks_decide(void)
{
    put(9, 5, RANK_SAMPLE);
    put(7, 5, RANK_TIMEOUT);
    put(6, 5, RANK_ARRIVAL);
    put(2, 5, RANK_FAULT);
    put(1, 5, RANK_DONE);

    CHECK_UINT(pop(), 1);
    CHECK_UINT(pop(), 2);
    CHECK_UINT(pop(), 6);
    CHECK_UINT(pop(), 7);
    CHECK_UINT(pop(), 9);
}

static void of_equal_rank_the_first_scheduled_fires_first(void)
{
    for (uint32_t i = 0; i < 20; i++)
        put(i, 5, RANK_DONE);
    for (uint32_t i = 0; i < 20; i++)
        CHECK_UINT(pop(), i);
}

static void reserved_place_is_kept(void)
{
    uint64_t place = event_tree_reserve(&tree);
    uint32_t early = event_tree_take(&tree, 1);

    put(2, 5, RANK_DONE);
    event_tree_set_reserved(&tree, early, 5, RANK_DONE, place);

    CHECK_UINT(pop(), 1);
    CHECK_UINT(pop(), 2);
}

static void set_again_moves_the_event(void)
{
    uint32_t leaf = event_tree_take(&tree, 1);

    put(2, 20, RANK_DONE);
    event_tree_set(&tree, leaf, 10, RANK_DONE);
    event_tree_set(&tree, leaf, 30, RANK_DONE);

    CHECK_UINT(pop(), 2);
    CHECK_UINT(pop(), 1);
}

static void leaf_given_back_is_taken_again(void)
{
    uint32_t leaf = event_tree_take(&tree, 1);

    event_tree_give(&tree, leaf);
    CHECK_UINT(event_tree_take(&tree, 2), leaf);
}

/* Against a plain search, over trees of every small size and many steps. */
static void check_against_search(uint32_t leaf_count)
{
    struct event_tree checked;
    struct event_key *keys = calloc(leaf_count, sizeof *keys);
    uint64_t state = leaf_count;

    CHECK(event_tree_init(&checked, leaf_count));
    for (uint32_t i = 0; i < leaf_count; i++) {
        CHECK_UINT(event_tree_take(&checked, i), i);
        keys[i] = (struct event_key){EVENT_NEVER, UINT64_MAX};
    }
    for (int step = 0; step < 2000; step++) {
        struct event_key least = {EVENT_NEVER, UINT64_MAX};
        uint32_t leaf;

        state = state * 6364136223846793005u + 1442695040888963407u;
        leaf = (uint32_t)(state >> 33) % leaf_count;
        keys[leaf] = event_tree_key(&checked, leaf, (int64_t)(state >> 60),
                                    (enum event_rank)(state >> 40 & 7));
        event_tree_put(&checked, leaf, keys[leaf]);
        for (uint32_t i = 0; i < leaf_count; i++)
            least = event_key_min(least, keys[i]);
        CHECK(event_tree_first(&checked).order == least.order);
    }
    event_tree_done(&checked);
    free(keys);
}

static void agrees_with_a_plain_search(void)
{
    for (uint32_t leaf_count = 2; leaf_count <= 40; leaf_count++)
        check_against_search(leaf_count);
}

static void growth_keeps_what_is_pending(void)
{
    for (uint32_t i = 1000; i-- > 0;)
        put(i, (int64_t)i, RANK_DONE);
    for (uint32_t i = 0; i < 1000; i++)
        CHECK_UINT(pop(), i);
}

/* Twenty bits of a key name a leaf. */
static void full_tree_gives_no_leaf_and_says_so(void)
{
    struct event_tree many;

    CHECK(event_tree_init(&many, 1049)); /* doubling it leaves 2^20 out */
    for (uint32_t i = 0; i < 1u << 20; i++) {
        if (event_tree_is_full(&many))
            CU_FAIL_FATAL("full too early");
        event_tree_take(&many, i);
    }
    CHECK(event_tree_is_full(&many));
    CHECK_UINT(event_tree_take(&many, 0), EVENT_NO_LEAF);
    event_tree_done(&many);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"earliest fires first", earliest_fires_first},
        {"at one instant ranks decide", at_one_instant_ranks_decide},
        {"of equal rank the first scheduled fires first",
         of_equal_rank_the_first_scheduled_fires_first},
        {"a reserved place is kept", reserved_place_is_kept},
        {"set again moves the event", set_again_moves_the_event},
        {"a leaf given back is taken again", leaf_given_back_is_taken_again},
        {"agrees with a plain search", agrees_with_a_plain_search},
        {"growth keeps what is pending", growth_keeps_what_is_pending},
        {"a full tree gives no leaf, and says so",
         full_tree_gives_no_leaf_and_says_so},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("event_tree", NULL, NULL, small_tree, forget_tree, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
