/*
 * Least connections: nginx's answers, every rule for ties, and the fast table
 * against a plain scan that looks at every node at every step.
 */
#include "tests/unit/policies/world.h"

#include "tests/check.h"

static struct world *world;

static void forget(void)
{
    world_forget(&world);
}

static void start(const char *settings, const uint32_t *weights)
{
    world_renew(&world, weights);
    world_start_named(world, "least_conn", settings);
}

#define START(settings, ...) \
    start(settings, (const uint32_t[]){__VA_ARGS__, LBP_NO_SLOT})

/* Picks that stay in flight, or end before the next. */
static void check_picks(const char *expected, bool stay)
{
    char found[64] = "";

    for (size_t i = 0; expected[i]; i++) {
        uint32_t slot = world_dispatch(world);

        if (!stay)
            world_finish(world, slot, LBP_OK);
        found[i] = (char)('0' + slot);
        found[i + 1] = '\0';
    }
    CHECK_TEXT(found, expected);
}

/* By hand from nginx's rule. */
static void credit_of_ties_carries_over(void)
{
    START("", 1, 1, 1);
    check_picks("012210012", true);
    START("", 1, 1, 1);
    check_picks("012012", false);
    START("", 2, 1);
    check_picks("010100010", true);
}

static void lowest_quotient_wins(void)
{
    START("", 3, 1);
    world->in_flight[0] = 2;
    world_tell_members(world);
    CHECK_UINT(world_pick(world), 1);
    START("", 3, 1);
    world->in_flight[0] = 3;
    world->in_flight[1] = 1;
    world_tell_members(world);
    CHECK_UINT(world_pick(world), 0); /* a tie: credits 3 and 1 */
}

static void counts_follow_sends_and_answers(void)
{
    START("", 1, 1, 1);
    world_send(world, 0);
    world_send(world, 0);
    world_send(world, 1);
    CHECK_UINT(world_pick(world), 2);
    world_send(world, 2);
    world_send(world, 2);
    CHECK_UINT(world_pick(world), 1);
    world_finish(world, 0, LBP_ERROR);
    world_finish(world, 0, LBP_RESET);
    CHECK_UINT(world_pick(world), 0);
}

static void asking_alone_counts_nothing(void)
{
    START("", 1, 1);
    world_send(world, 0);
    for (int i = 0; i < 5; i++)
        CHECK_UINT(world_pick(world), 1);
}

static void weights_can_be_ignored(void)
{
    START("ignore_weights=true", 9, 1);
    check_picks("0110011", true);
}

static void warm_up_lowers_the_weight(void)
{
    START("", 1, 1);
    world->nodes[1].weight_factor = 0.5;
    world->in_flight[0] = 3;
    world->in_flight[1] = 2; /* 3 / 1 against 2 / 0.5 */
    world_tell_members(world);
    CHECK_UINT(world_pick(world), 0);
}

static void only_eligible_node_is_taken(void)
{
    START("ties=random", 1, 1, 1);
    world->in_flight[1] = 100;
    world->eligible[0] = 2;
    world_tell_members(world);
    CHECK_UINT(world_pick(world), 1);
    CHECK_UINT(world->draws, 0);
}

static void nobody_eligible_or_weight_zero_is_no_node(void)
{
    START("", 1, 1);
    world->eligible[0] = 0;
    CHECK_UINT(world_pick(world), LBP_NO_SLOT);
    START("", 0, 0);
    CHECK_UINT(world_pick(world), LBP_NO_SLOT);
    world_send(world, 0);
    world_finish(world, 0, LBP_OK);
    forget();
    world = world_create(0);
    world_start_named(world, "least_conn", "");
    CHECK_UINT(world_pick(world), LBP_NO_SLOT);
}

static void no_members_yet_is_no_node(void)
{
    forget();
    world = world_create(2);
    world->ops = lbp_registry_find("least_conn", 10);
    world->state = world->ops->create(NULL, &world->host);
    CHECK_UINT(world_pick(world), LBP_NO_SLOT);
}

static void huge_weights_do_not_overflow(void)
{
    START("", 65535, 1);
    for (int i = 0; i < 65535; i++)
        world_dispatch(world);
    CHECK_UINT(world->in_flight[0], 65534);
    CHECK_UINT(world->in_flight[1], 1);
    START("", UINT32_MAX - 1, UINT32_MAX - 1, 1);
    world->in_flight[0] = UINT32_MAX - 2;
    world->in_flight[1] = UINT32_MAX - 3;
    world->in_flight[2] = 1000;
    world_tell_members(world);
    CHECK_UINT(world_pick(world), 1); /* just below 1, 1, and 1000 */
}

/*
 * kubernetes-sigs/gateway-api-inference-extension #1204 and others: on an idle
 * pool the tie rule is the whole policy. 30 requests, one after another, on
 * two nodes; a fair coin stays within 15 +- 6 with 97 % (sd 2.7), and the seed
 * is fixed.
 */
static uint32_t share_of_first(const char *settings)
{
    uint32_t first = 0;

    START(settings, 1, 1);
    for (int i = 0; i < 30; i++) {
        uint32_t slot = world_dispatch(world);

        world_finish(world, slot, LBP_OK);
        first += slot == 0;
    }
    return first;
}

static void tie_rule_decides_on_an_idle_pool(void)
{
    CHECK_UINT(share_of_first("ties=first"), 30);
    CHECK_NEAR(share_of_first("ties=random"), 15, 6);
    CHECK_UINT(share_of_first("ties=rotate"), 15);
    CHECK_UINT(share_of_first("ties=own"), 15);
}

/* The same with four nodes, node 1 missing at every second request. */
static void check_with_a_gap(const char *settings, const uint32_t *expected)
{
    uint32_t counts[4] = {0};

    START(settings, 1, 1, 1, 1);
    for (int i = 0; i < 12; i++) {
        uint32_t slot;

        world_set_eligible(world, 1, i % 2 == 0);
        slot = world_dispatch(world);
        world_finish(world, slot, LBP_OK);
        counts[slot]++;
    }
    for (int slot = 0; slot < 4; slot++)
        CHECK_UINT(counts[slot], expected[slot]);
}

static void rotation_by_last_use_is_fair_over_a_gap(void)
{
    static const uint32_t even[] = {3, 3, 3, 3}, lowest[] = {12, 0, 0, 0};

    check_with_a_gap("ties=rotate", even);
    check_with_a_gap("ties=first", lowest);
}

static void random_tie_is_one_draw_among_the_tied(void)
{
    static const uint64_t script[] = {1, 0, 2};
    struct lbp_score scores[4];
    struct lbp_explanation why = {.capacity = 4, .scores = scores};

    START("ties=random", 2, 1, 2, 4);
    world->script = script;
    world->in_flight[0] = 2; /* quotients 1, 1, 1, 2 */
    world->in_flight[1] = 1;
    world->in_flight[2] = 2;
    world->in_flight[3] = 8;
    world_tell_members(world);
    CHECK_UINT(world_ask(world, &why), 1);
    CHECK_UINT(why.draws, 1);
    CHECK_TEXT(why.reason, "tie");
    CHECK_UINT(why.count, 4);
    CHECK_NEAR(scores[3].score, 2, 0);
    CHECK_UINT(world_pick(world), 0);
    CHECK_UINT(world_pick(world), 2);
}

static void random_tie_among_equal_weights_is_one_draw_too(void)
{
    static const uint64_t script[] = {2, 0, 1};

    START("ties=random", 1, 1, 0, 1, 1);
    world->script = script;
    world->in_flight[1] = 1;
    world_tell_members(world);
    CHECK_UINT(world_pick(world), 4); /* of 0, 3, 4 */
    CHECK_UINT(world_pick(world), 0);
    CHECK_UINT(world_pick(world), 3);
    CHECK_UINT(world->draws, 3);
    world_send(world, 0);
    world_send(world, 3);
    CHECK_UINT(world_pick(world), 4);
    CHECK_UINT(world->draws, 3);
}

/* Weight 2 for one pick changes the way of choosing, twice. */
static void credits_outlive_a_change_of_weights(void)
{
    START("", 1, 1, 1);
    check_picks("01", false); /* credits -1, -1, 2 */
    world->nodes[0].weight = 2;
    world_tell_members(world);
    world_set_eligible(world, 1, false);
    check_picks("2", false); /* 1, -1, 0: 2 had 3, and pays 3 */
    world->nodes[0].weight = 1;
    world_set_eligible(world, 1, true);
    world_tell_members(world);
    check_picks("021", false); /* 2 of (2, 0, 1), 2 of (0, 1, 2), ... */
}

static void explanation_tells_a_clear_winner(void)
{
    struct lbp_explanation why = {0};

    START("", 1, 1);
    world_send(world, 0);
    CHECK_UINT(world_ask(world, &why), 1);
    CHECK_TEXT(why.reason, "least busy");
    CHECK_UINT(why.draws, 0);
}

/*
 * The plain scan: nginx's loop over all nodes, with credits per node.
 */
struct scan {
    int64_t credits[WORLD_MAX];
    uint64_t picked_at[WORLD_MAX];
    uint32_t generations[WORLD_MAX];
    uint64_t turn;
};

static bool may_take(uint32_t slot)
{
    return world->eligible[slot / 64] >> slot % 64 & 1 &&
           world->nodes[slot].weight > 0;
}

static uint32_t scan_lowest(void)
{
    uint32_t best = LBP_NO_SLOT;

    for (uint32_t slot = 0; slot < world->view.slot_count; slot++)
        if (may_take(slot) &&
            (best == LBP_NO_SLOT ||
             (uint64_t)world->in_flight[slot] * world->nodes[best].weight <
                 (uint64_t)world->in_flight[best] * world->nodes[slot].weight))
            best = slot;
    return best;
}

static bool scan_ties(uint32_t slot, uint32_t best)
{
    return may_take(slot) &&
           (uint64_t)world->in_flight[slot] * world->nodes[best].weight ==
               (uint64_t)world->in_flight[best] * world->nodes[slot].weight;
}

static uint32_t scan_own(struct scan *scan, uint32_t best, uint32_t tied)
{
    int64_t earned = 0;
    uint32_t winner = LBP_NO_SLOT;

    if (tied == 1)
        return best;
    for (uint32_t slot = best; slot < world->view.slot_count; slot++) {
        if (!scan_ties(slot, best))
            continue;
        scan->credits[slot] += world->nodes[slot].weight;
        earned += world->nodes[slot].weight;
        if (winner == LBP_NO_SLOT ||
            scan->credits[slot] > scan->credits[winner])
            winner = slot;
    }
    scan->credits[winner] -= earned;
    return winner;
}

static uint32_t scan_rotate(struct scan *scan, uint32_t best)
{
    uint32_t winner = best;

    for (uint32_t slot = best; slot < world->view.slot_count; slot++)
        if (scan_ties(slot, best) &&
            scan->picked_at[slot] < scan->picked_at[winner])
            winner = slot;
    scan->picked_at[winner] = ++scan->turn;
    return winner;
}

static uint32_t scan_pick(struct scan *scan, enum lbp_ties ties)
{
    uint32_t best = scan_lowest(), tied = 0;

    if (best == LBP_NO_SLOT)
        return best;
    for (uint32_t slot = best; slot < world->view.slot_count; slot++)
        tied += scan_ties(slot, best);
    if (ties == LBP_TIES_OWN)
        return scan_own(scan, best, tied);
    return ties == LBP_TIES_ROTATE ? scan_rotate(scan, best) : best;
}

/* What a new node, or none, in a slot means for the scan. */
static void scan_meet(struct scan *scan)
{
    for (uint32_t slot = 0; slot < world->view.slot_count; slot++)
        if (scan->generations[slot] != world->nodes[slot].generation) {
            scan->generations[slot] = world->nodes[slot].generation;
            scan->credits[slot] = 0;
            scan->picked_at[slot] = 0;
        }
}

static uint64_t chance;

static uint32_t below(uint32_t bound)
{
    return (uint32_t)(world_next(&chance) % bound);
}

/* A node joins, leaves, is replaced, or changes its weight. */
static void change_members(struct scan *scan, uint32_t weights)
{
    uint32_t slot = below(world->view.slot_count);
    char key[WORLD_KEY];

    if (below(4) == 0 && world->view.slot_count < 90)
        slot = world->view.slot_count++;
    if (below(2) == 0 && world->in_flight[slot] == 0) {
        snprintf(key, sizeof key, "n%u", below(1000000));
        world_set_node(world, slot, key, 1 + below(weights));
    } else if (world->nodes[slot].key_length > 0) {
        world->nodes[slot].weight = below(weights + 1);
    }
    scan_meet(scan);
    CHECK(world_tell_members(world));
}

static void change_eligible(void)
{
    if (below(20) == 0) {
        for (uint32_t word = 0; word < 2; word++)
            world->eligible[word] = world_next(&chance);
    } else if (below(10) == 0) {
        memset(world->eligible, 0xFF, sizeof world->eligible);
    } else {
        world->eligible[0] ^= (uint64_t)1 << below(64);
    }
    for (uint32_t slot = 0; slot < 128; slot++)
        if (slot >= world->view.slot_count || world->nodes[slot].weight == 0)
            world_set_eligible(world, slot, false);
}

static void answer_one(void)
{
    uint32_t slot = below(world->view.slot_count);

    if (world->in_flight[slot] > 0)
        world_finish(world, slot, LBP_OK);
}

/*
 * Plays random steps against both; load rises and falls, so that all levels
 * are seen. Yields how many picks agreed before the first that did not.
 */
static uint32_t steps_in_step(struct scan *scan, enum lbp_ties ties,
                              uint32_t steps, uint32_t weights)
{
    for (uint32_t step = 0; step < steps; step++) {
        uint32_t dice = below(1000);
        bool filling = step / 1000 % 3 == 0;

        if (dice < 2) {
            change_members(scan, weights);
            change_eligible();
        } else if (dice < 60) {
            change_eligible();
        } else if (dice < (filling ? 350u : 530u)) {
            answer_one();
        } else {
            uint32_t expected = scan_pick(scan, ties);

            if (world_pick(world) != expected)
                return step;
            if (expected != LBP_NO_SLOT && below(8) > 0)
                world_send(world, expected);
        }
    }
    return steps;
}

static void check_against_scan(const char *settings, enum lbp_ties ties,
                               uint32_t nodes, uint32_t steps, uint32_t weights)
{
    struct scan *scan = calloc(1, sizeof *scan);

    forget();
    world = world_create(nodes);
    for (uint32_t slot = 0; slot < nodes; slot++)
        world->nodes[slot].weight = 1 + below(weights);
    world_start_named(world, "least_conn", settings);
    scan_meet(scan);
    CHECK_UINT(steps_in_step(scan, ties, steps, weights), steps);
    free(scan);
}

static void agrees_with_a_plain_scan_over_a_million_steps(void)
{
    chance = 20240601;
    check_against_scan("", LBP_TIES_OWN, 16, 400000, 1);
    check_against_scan("", LBP_TIES_OWN, 16, 200000, 4);
    check_against_scan("", LBP_TIES_OWN, 3, 100000, 2);
    check_against_scan("", LBP_TIES_OWN, 70, 150000, 1);
    check_against_scan("", LBP_TIES_OWN, 70, 100000, 3);
    check_against_scan("", LBP_TIES_OWN, 20, 50000, 1000);
    check_against_scan("", LBP_TIES_OWN, 60, 150000, 1); /* grows past 64 */
}

static void other_tie_rules_agree_with_a_plain_scan(void)
{
    chance = 7;
    check_against_scan("ties=first", LBP_TIES_FIRST, 16, 50000, 3);
    check_against_scan("ties=rotate", LBP_TIES_ROTATE, 16, 50000, 3);
    check_against_scan("ties=rotate", LBP_TIES_ROTATE, 70, 50000, 1);
    check_against_scan("ties=first", LBP_TIES_FIRST, 60, 50000, 1);
    check_against_scan("ties=rotate", LBP_TIES_ROTATE, 60, 50000, 1);
}

/* Counts far apart, and the lowest eligible one now here, now there. */
static void distant_counts_agree_with_a_plain_scan(void)
{
    struct scan *scan = calloc(1, sizeof *scan);

    chance = 11;
    forget();
    world = world_create(20);
    world_start_named(world, "least_conn", "");
    for (uint32_t slot = 0; slot < 20; slot++)
        world->in_flight[slot] = below(400);
    scan_meet(scan);
    world_tell_members(world);
    CHECK_UINT(steps_in_step(scan, LBP_TIES_OWN, 100000, 1), 100000);
    free(scan);
}

/* Counts that only grow use up levels and force the table to be rebuilt. */
static void counts_may_grow_without_bound(void)
{
    START("", 1, 1, 1);
    for (uint32_t i = 0; i < 30000; i++)
        world_dispatch(world);
    for (uint32_t slot = 0; slot < 3; slot++)
        CHECK_UINT(world->in_flight[slot], 10000);
    for (uint32_t i = 0; i < 10000; i++)
        world_finish(world, 1, LBP_OK);
    CHECK_UINT(world_pick(world), 1);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"credit of ties carries over", credit_of_ties_carries_over},
        {"lowest quotient wins", lowest_quotient_wins},
        {"counts follow sends and answers", counts_follow_sends_and_answers},
        {"asking alone counts nothing", asking_alone_counts_nothing},
        {"weights can be ignored", weights_can_be_ignored},
        {"warm-up lowers the weight", warm_up_lowers_the_weight},
        {"only eligible node is taken", only_eligible_node_is_taken},
        {"nobody eligible or weight zero is no node",
         nobody_eligible_or_weight_zero_is_no_node},
        {"no members yet is no node", no_members_yet_is_no_node},
        {"huge weights do not overflow", huge_weights_do_not_overflow},
        {"tie rule decides on an idle pool", tie_rule_decides_on_an_idle_pool},
        {"rotation by last use is fair over a gap",
         rotation_by_last_use_is_fair_over_a_gap},
        {"random tie is one draw among the tied",
         random_tie_is_one_draw_among_the_tied},
        {"random tie among equal weights is one draw too",
         random_tie_among_equal_weights_is_one_draw_too},
        {"credits outlive a change of weights",
         credits_outlive_a_change_of_weights},
        {"explanation tells a clear winner", explanation_tells_a_clear_winner},
        {"agrees with a plain scan over a million steps",
         agrees_with_a_plain_scan_over_a_million_steps},
        {"other tie rules agree with a plain scan",
         other_tie_rules_agree_with_a_plain_scan},
        {"distant counts agree with a plain scan",
         distant_counts_agree_with_a_plain_scan},
        {"counts may grow without bound", counts_may_grow_without_bound},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("least_conn", NULL, NULL, NULL, forget, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
