/* The random policy: one documented draw, and fair. */
#include "tests/unit/policies/world.h"

#include "tests/check.h"

static struct world *world;

static void four_nodes(void)
{
    world = world_create(4);
    world_start_named(world, "random", "");
}

static void forget(void)
{
    world_destroy(world);
}

static void draw_is_the_rank_among_the_eligible(void)
{
    static const uint64_t script[] = {2, 0, 1, 2};

    world->script = script;
    CHECK_UINT(world_pick(world), 2);
    world_set_eligible(world, 0, false);
    CHECK_UINT(world_pick(world), 1);
    CHECK_UINT(world_pick(world), 2);
    CHECK_UINT(world_pick(world), 3);
    CHECK_UINT(world->draws, 4);
}

static void only_node_is_taken_without_a_draw(void)
{
    for (uint32_t slot = 0; slot < 3; slot++)
        world_set_eligible(world, slot, false);
    CHECK_UINT(world_pick(world), 3);
    CHECK_UINT(world->draws, 0);
}

static void nobody_eligible_is_no_node(void)
{
    world->eligible[0] = 0;
    CHECK_UINT(world_pick(world), LBP_NO_SLOT);
    CHECK_UINT(world->draws, 0);
}

/* Each count is binomial(40000, 1/4): sd 87, five of them are 433. */
static void draws_are_even(void)
{
    uint32_t counts[4] = {0};

    for (int i = 0; i < 40000; i++)
        counts[world_pick(world)]++;
    for (int slot = 0; slot < 4; slot++)
        CHECK_NEAR(counts[slot], 10000, 433);
}

static void draw_finds_its_node_in_later_words_too(void)
{
    static const uint64_t script[] = {129, 128, 64};
    struct world *large = world_create(130);

    world_start_named(large, "random", "");
    large->script = script;
    CHECK_UINT(world_pick(large), 129);
    world_set_eligible(large, 3, false);
    CHECK_UINT(world_pick(large), 129);
    CHECK_UINT(world_pick(large), 65);
    world_destroy(large);
}

/* Every rank, with `missing` nodes of 770 out, spread or side by side. */
static void check_every_rank(uint32_t missing, uint32_t stride)
{
    struct world *large = world_create(770);
    uint64_t rank = 0;

    large->nodes[5].weight = 0; /* a member that takes nothing */
    world_set_eligible(large, 5, false);
    world_start_named(large, "random", "");
    for (uint32_t i = 0; i < missing; i++)
        world_set_eligible(large, (62 + i * stride) % 770, false);
    for (uint32_t slot = 0; slot < 770; slot++) {
        if (!(large->eligible[slot / 64] >> slot % 64 & 1))
            continue;
        large->script = &rank;
        large->draws = 0;
        CHECK_UINT(world_pick(large), slot);
        rank++;
    }
    CHECK_UINT(rank, 770 - 1 - missing);
    world_destroy(large);
}

static void every_rank_is_found_when_nodes_are_missing(void)
{
    check_every_rank(0, 1);
    check_every_rank(1, 1);
    check_every_rank(11, 1);
    check_every_rank(11, 71); /* the last is slot 2 */
    check_every_rank(12, 64);
    check_every_rank(300, 1);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"draw is the rank among the eligible",
         draw_is_the_rank_among_the_eligible},
        {"only node is taken without a draw",
         only_node_is_taken_without_a_draw},
        {"nobody eligible is no node", nobody_eligible_is_no_node},
        {"draws are even", draws_are_even},
        {"draw finds its node in later words too",
         draw_finds_its_node_in_later_words_too},
        {"every rank is found when nodes are missing",
         every_rank_is_found_when_nodes_are_missing},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("random", NULL, NULL, four_nodes, forget, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
