/* Round robin: the turn, over gaps, joins and leaves. */
#include "tests/unit/policies/world.h"

#include "tests/check.h"

static struct world *world;

static void three_nodes(void)
{
    world = world_create(3);
    world_start_named(world, "round_robin", "");
}

static void forget(void)
{
    world_destroy(world);
}

static void check_picks(const char *expected)
{
    char picked[64] = "";

    for (size_t i = 0; expected[i]; i++) {
        picked[i] = (char)('0' + world_pick(world));
        picked[i + 1] = '\0';
    }
    CHECK_TEXT(picked, expected);
}

static void takes_nodes_in_turn(void)
{
    check_picks("0120120");
    CHECK_UINT(world->draws, 0);
}

static void passes_over_ineligible_nodes(void)
{
    world_set_eligible(world, 1, false);
    check_picks("0202");
}

static void reaches_a_node_that_joins_later(void)
{
    check_picks("012");
    world->view.slot_count = 4;
    world_set_node(world, 3, "n3", 1);
    world_set_eligible(world, 3, true);
    world_tell_members(world);
    check_picks("301");
}

static void starts_over_when_the_last_nodes_leave(void)
{
    check_picks("01");
    world->view.slot_count = 1;
    world->eligible[0] = 1;
    world_tell_members(world);
    check_picks("000");
}

static void turn_moves_while_only_one_is_eligible(void)
{
    world->eligible[0] = 2;
    check_picks("11");
    world->eligible[0] = 7;
    check_picks("20");
}

static void nobody_eligible_is_no_node(void)
{
    world->eligible[0] = 0;
    CHECK_UINT(world_pick(world), LBP_NO_SLOT);
}

static void random_phase_draws_once_and_then_turns(void)
{
    static const uint64_t script[] = {2, 1};
    struct world *other = world_create(3);

    other->script = script;
    world_start_named(other, "round_robin", "phase=random");
    world_tell_members(other);
    CHECK_UINT(other->draws, 1);
    CHECK_UINT(world_pick(other), 2);
    CHECK_UINT(world_pick(other), 0);
    world_destroy(other);
}

static void turn_crosses_words_of_the_eligible_set(void)
{
    struct world *large = world_create(200);

    world_start_named(large, "round_robin", "");
    memset(large->eligible, 0, sizeof large->eligible);
    world_set_eligible(large, 63, true);
    world_set_eligible(large, 64, true);
    world_set_eligible(large, 199, true);
    for (int round = 0; round < 3; round++) {
        CHECK_UINT(world_pick(large), 63);
        CHECK_UINT(world_pick(large), 64);
        CHECK_UINT(world_pick(large), 199);
    }
    world_destroy(large);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"takes nodes in turn", takes_nodes_in_turn},
        {"passes over ineligible nodes", passes_over_ineligible_nodes},
        {"reaches a node that joins later", reaches_a_node_that_joins_later},
        {"starts over when the last nodes leave",
         starts_over_when_the_last_nodes_leave},
        {"turn moves while only one is eligible",
         turn_moves_while_only_one_is_eligible},
        {"nobody eligible is no node", nobody_eligible_is_no_node},
        {"random phase draws once and then turns",
         random_phase_draws_once_and_then_turns},
        {"turn crosses words of the eligible set",
         turn_crosses_words_of_the_eligible_set},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("round_robin", NULL, NULL, three_nodes, forget, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
