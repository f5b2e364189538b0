/* Two choices: the documented draws, health classes, ties, and the sampling
   that can draw the same node twice. */
#include "tests/unit/policies/world.h"

#include "tests/check.h"

static struct world *world;

static void start(uint32_t count, const char *settings)
{
    world = world_create(count);
    world_start_named(world, "two_choices", settings);
}

static void forget(void)
{
    world_destroy(world);
}

/* Draws 2 of 4, then 2 of 3, are nodes 2 and 3. */
static void second_draw_leaves_out_the_first(void)
{
    static const uint64_t script[] = {2, 2, 2, 2, 2, 1};

    start(4, "");
    world->script = script;
    CHECK_UINT(world_pick(world), 2);
    world->in_flight[2] = 1;
    CHECK_UINT(world_pick(world), 3);
    world->in_flight[2] = 9;
    CHECK_UINT(world_pick(world), 1);
    CHECK_UINT(world->draws, 6);
}

static void healthier_node_wins_however_busy(void)
{
    static const uint64_t script[] = {0, 0, 1, 0};

    start(2, "");
    world->script = script;
    world->nodes[0].health = LBP_DEGRADED;
    world->in_flight[1] = 50;
    CHECK_UINT(world_pick(world), 1);
    CHECK_UINT(world_pick(world), 1);
}

static void only_node_is_taken_without_a_draw(void)
{
    start(3, "");
    world->eligible[0] = 4;
    CHECK_UINT(world_pick(world), 2);
    CHECK_UINT(world->draws, 0);
    world->eligible[0] = 0;
    CHECK_UINT(world_pick(world), LBP_NO_SLOT);
}

static void draws_count_the_eligible_only(void)
{
    static const uint64_t script[] = {1, 1};

    start(5, "");
    world->script = script;
    world->eligible[0] = 0x1A; /* slots 1, 3, 4 */
    world->in_flight[3] = 1;
    CHECK_UINT(world_pick(world), 4);
}

/* How often the busy node of a frozen pool is picked, of 100,000. */
static double busy_share(uint32_t count, const char *settings)
{
    uint32_t busy = 0;

    start(count, settings);
    world->in_flight[0] = 5;
    for (int i = 0; i < 100000; i++)
        busy += world_pick(world) == 0;
    forget();
    return busy / 100000.0;
}

/*
 * envoyproxy/envoy #11004: with replacement the busiest of N nodes is still
 * picked when both draws name it, 1 in N x N.
 */
static void busiest_node_is_picked_only_with_replacement(void)
{
    CHECK_NEAR(busy_share(2, "replacement=true"), 0.25, 0.005);
    CHECK_NEAR(busy_share(4, "replacement=true"), 0.0625, 0.003);
    CHECK_NEAR(busy_share(2, ""), 0, 0);
    CHECK_NEAR(busy_share(4, ""), 0, 0);
    start(1, "");
}

static void ties_go_to_the_first_draw_by_the_own_rule(void)
{
    static const uint64_t script[] = {3, 0, 0, 2};

    start(4, "");
    world->script = script;
    CHECK_UINT(world_pick(world), 3);
    CHECK_UINT(world_pick(world), 0);
}

static void ties_go_to_the_lowest_slot_by_first(void)
{
    static const uint64_t script[] = {3, 0, 0, 2};

    start(4, "ties=first");
    world->script = script;
    CHECK_UINT(world_pick(world), 0);
    CHECK_UINT(world_pick(world), 0);
}

/* The third draw counts the ties from the lowest slot. */
static void ties_are_drawn_last_by_random(void)
{
    static const uint64_t script[] = {3, 0, 0, 3, 0, 1, 0, 2, 0};

    start(4, "ties=random");
    world->script = script;
    CHECK_UINT(world_pick(world), 0);
    CHECK_UINT(world_pick(world), 3);
    CHECK_UINT(world_pick(world), 0);
    CHECK_UINT(world->draws, 9);
}

static void ties_go_to_the_node_picked_longest_ago_by_rotate(void)
{
    start(2, "ties=rotate");
    for (int i = 0; i < 20; i++)
        CHECK_UINT(world_pick(world), (uint32_t)i % 2);
    world->view.slot_count = 3;
    world_set_node(world, 2, "late", 1);
    world->eligible[0] = 5;
    CHECK(world_tell_members(world));
    CHECK_UINT(world_pick(world), 2);
    CHECK_UINT(world_pick(world), 0);
}

static void same_node_twice_is_no_tie_to_draw_for(void)
{
    static const uint64_t script[] = {1, 1, 0, 0};

    start(2, "replacement=true ties=random");
    world->script = script;
    CHECK_UINT(world_pick(world), 1);
    CHECK_UINT(world_pick(world), 0);
    CHECK_UINT(world->draws, 4);
}

static void explanation_names_both_candidates(void)
{
    static const uint64_t script[] = {2, 0, 1, 0, 0};
    struct lbp_score scores[2];
    struct lbp_explanation why = {.capacity = 2, .scores = scores};

    start(3, "ties=random");
    world->script = script;
    world->in_flight[2] = 4;
    CHECK_UINT(world_ask(world, &why), 0);
    CHECK_UINT(why.count, 2);
    CHECK_UINT(scores[0].slot, 2);
    CHECK_NEAR(scores[0].score, 4, 0);
    CHECK_UINT(why.draws, 2);
    CHECK_TEXT(why.reason, "less busy");
    CHECK_UINT(world_ask(world, &why), 0);
    CHECK_UINT(why.draws, 3);
    CHECK_TEXT(why.reason, "tie");
}

static void picks_reach_every_word_of_a_large_pool(void)
{
    static const uint64_t script[] = {4095, 0, 4094, 4000};

    start(4096, "");
    world->script = script;
    world->in_flight[0] = 1;
    CHECK_UINT(world_pick(world), 4095);
    world_set_eligible(world, 70, false);
    CHECK_UINT(world_pick(world), 4095);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"second draw leaves out the first", second_draw_leaves_out_the_first},
        {"healthier node wins however busy", healthier_node_wins_however_busy},
        {"only node is taken without a draw",
         only_node_is_taken_without_a_draw},
        {"draws count the eligible only", draws_count_the_eligible_only},
        {"busiest node is picked only with replacement",
         busiest_node_is_picked_only_with_replacement},
        {"own: ties go to the first draw",
         ties_go_to_the_first_draw_by_the_own_rule},
        {"first: ties go to the lowest slot",
         ties_go_to_the_lowest_slot_by_first},
        {"random: ties are drawn last", ties_are_drawn_last_by_random},
        {"rotate: ties go to the node picked longest ago",
         ties_go_to_the_node_picked_longest_ago_by_rotate},
        {"same node twice is no tie to draw for",
         same_node_twice_is_no_tie_to_draw_for},
        {"explanation names both candidates",
         explanation_names_both_candidates},
        {"picks reach every word of a large pool",
         picks_reach_every_word_of_a_large_pool},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("two_choices", NULL, NULL, NULL, forget, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
