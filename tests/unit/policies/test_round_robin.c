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

/* --- turns of subsets ------------------------------------------------------
 */

static void ten_nodes(const char *settings)
{
    world = world_create(10);
    world_start_named(world, "round_robin", settings);
}

static void nothing_yet(void)
{
    world = NULL;
}

/* A request of that class, which only the nodes of the set may take. */
static uint32_t pick_of(uint64_t set, uint16_t class)
{
    struct lbp_request request;
    uint32_t slot = LBP_NO_SLOT;

    world->eligible[0] = set;
    request = world_request(world);
    request.request_class = class;
    world->ops->pick(world->state, &world->view, &request, &slot, NULL);
    return slot;
}

/* Class 0 may go anywhere, class 1 to the first four of ten nodes only. */
static void alternate(uint32_t *ret_counts)
{
    memset(ret_counts, 0, 10 * sizeof *ret_counts);
    for (int i = 0; i < 200; i++) {
        pick_of(0x3ff, 0);
        ret_counts[pick_of(0xf, 1)]++;
    }
}

/* By hand: the turn goes 0 1 2 3 4 0, then 1 2 3 0 for good, in which class 1
   gets 2 and 0: the first pair is 1 and 3, the other 198 picks alternate. */
static void one_turn_overloads_whoever_stands_behind_the_gap(void)
{
    uint32_t counts[10];

    ten_nodes("per_subset=off");
    alternate(counts);
    CHECK_UINT(counts[0], 99);
    CHECK_UINT(counts[1], 1);
    CHECK_UINT(counts[2], 99);
    CHECK_UINT(counts[3], 1);
}

static void turns_of_their_own_are_even(void)
{
    static const char *const settings[] = {"per_subset=on", ""};
    uint32_t counts[10];

    for (int i = 0; i < 2; i++) {
        ten_nodes(settings[i]);
        alternate(counts);
        for (uint32_t slot = 0; slot < 4; slot++)
            CHECK_UINT(counts[slot], 50);
        if (i == 0)
            forget();
    }
}

/* Without classes or models there is one turn, whatever nodes are missing;
   from the first that differs, each set has its own. */
static void auto_waits_for_a_difference(void)
{
    ten_nodes("");
    CHECK_UINT(pick_of(0x3ff, 7), 0);
    CHECK_UINT(pick_of(0xf, 7), 1);
    CHECK_UINT(pick_of(0x3ff, 7), 2);
    CHECK_UINT(pick_of(0xf, 8), 3); /* a new set goes on where the turn was */
    CHECK_UINT(pick_of(0x3ff, 7), 4);
    CHECK_UINT(pick_of(0xf, 8), 0);
    CHECK_UINT(pick_of(0x3ff, 7), 5);
    CHECK_UINT(pick_of(0xf, 7), 1);
}

static void known_answers_hold_with_subsets(void)
{
    world = world_create(3);
    world_start_named(world, "round_robin", "per_subset=on");
    check_picks("0120120");
    world_set_eligible(world, 1, false);
    check_picks("2020");
    world_set_eligible(world, 1, true);
    check_picks("120");
}

/* 1024 sets are remembered; the one after that makes the table start over. */
static void full_table_starts_over(void)
{
    uint64_t set = 0x3ff;

    world = world_create(11);
    world_start_named(world, "round_robin", "per_subset=on");
    CHECK_UINT(pick_of(set, 0), 0);
    for (uint64_t other = 1025; other < 2048; other++) /* 1023 sets */
        CHECK(pick_of(other, 0) < 11);
    CHECK_UINT(pick_of(set, 0), 1);
    CHECK_UINT(pick_of(1 << 10, 0), 10); /* one too many */
    CHECK_UINT(pick_of(set, 0), 0);      /* new, behind 10 */
    CHECK_UINT(pick_of(set, 0), 1);
}

static void subsets_span_words(void)
{
    world = world_create(200);
    world_start_named(world, "round_robin", "per_subset=on");
    for (int round = 0; round < 3; round++)
        for (uint32_t drop = 0; drop < 2; drop++) {
            world_set_eligible(world, 199, drop == 0);
            CHECK_UINT(world_pick(world), (uint32_t)round + drop);
        }
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
    CU_TestInfo subsets[] = {
        {"one turn overloads whoever stands behind the gap",
         one_turn_overloads_whoever_stands_behind_the_gap},
        {"turns of their own are even", turns_of_their_own_are_even},
        {"auto waits for a difference", auto_waits_for_a_difference},
        {"known answers hold with subsets", known_answers_hold_with_subsets},
        {"full table starts over", full_table_starts_over},
        {"subsets span words", subsets_span_words},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("round_robin", NULL, NULL, three_nodes, forget, tests),
        SUITE("round_robin subsets", NULL, NULL, nothing_yet, forget, subsets),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
