/*
 * Smooth weighted round robin: nginx's sequences with their credits, failure
 * feedback, and the public complaint about bursts.
 */
#include "tests/unit/policies/world.h"

#include "tests/check.h"

static struct world *world;

static void forget(void)
{
    world_forget(&world);
}

/* As many nodes as weights; LBP_NO_SLOT ends them. */
static void start(const char *settings, const uint32_t *weights)
{
    world_renew(&world, weights);
    world_start_named(world, "smooth_weighted", settings);
}

#define START(settings, ...) \
    start(settings, (const uint32_t[]){__VA_ARGS__, LBP_NO_SLOT})

/* Node and credits after each pick, as "a(-2,1,1) ...". */
static void check_picks(const char *expected)
{
    char found[512] = "";
    size_t length = 0;

    while (length < strlen(expected)) {
        struct lbp_score scores[8];
        struct lbp_explanation why = {.capacity = 8, .scores = scores};
        uint32_t slot = world_ask(world, &why);

        length += (size_t)sprintf(found + length, "%s%c(", length ? " " : "",
                                  (int)('a' + slot));
        for (uint32_t i = 0; i < why.count; i++)
            length += (size_t)sprintf(found + length, "%s%g", i ? "," : "",
                                      scores[i].score);
        length += (size_t)sprintf(found + length, ")");
    }
    CHECK_TEXT(found, expected);
}

static void check_nodes(const char *expected)
{
    char found[128] = "";

    for (size_t i = 0; expected[i]; i++) {
        found[i] = (char)('a' + world_pick(world));
        found[i + 1] = '\0';
    }
    CHECK_TEXT(found, expected);
}

/* 5,1,1 is in the comments of nginx; the others by hand from its rule. */
static void credits_follow_nginx(void)
{
    START("", 5, 1, 1);
    check_picks("a(-2,1,1) a(-4,2,2) b(1,-4,3) a(-1,-3,4) c(4,-2,-2) "
                "a(2,-1,-1) a(0,0,0)");
    START("", 3, 2, 1);
    check_picks("a(-3,2,1) b(0,-2,2) a(-3,0,3) c(0,2,-2) b(3,-2,-1) a(0,0,0)");
    START("", 2, 1, 1);
    check_picks("a(-2,1,1) b(0,-2,2) c(2,-1,-1) a(0,0,0)");
    START("", 4, 2);
    check_picks("a(-2,2) b(2,-2) a(0,0)");
    START("", 100, 50, 25);
    check_nodes("abacaba");
}

static void one_failure_costs_one_turn(void)
{
    START("max_fails=2", 4, 4);
    world_send(world, 0);
    world_finish(world, 0, LBP_RESET);
    check_picks("b(2,-2) a(-2,2) b(2,-2) a(-2,2) b(2,-2) a(-2,2)");
}

static void only_resets_and_timeouts_are_failures(void)
{
    static const enum lbp_outcome harmless[] = {LBP_OK, LBP_ERROR, LBP_OVERLOAD,
                                                LBP_CANCELLED};

    START("max_fails=2", 4, 4);
    for (size_t i = 0; i < sizeof harmless / sizeof harmless[0]; i++) {
        world_send(world, 0);
        world_finish(world, 0, harmless[i]);
    }
    check_nodes("abab");
    world_send(world, 0);
    world_finish(world, 0, LBP_TIMEOUT);
    check_nodes("baba");
}

static void failures_do_nothing_when_feedback_is_off(void)
{
    START("", 4, 4);
    world_send(world, 0);
    world_finish(world, 0, LBP_RESET);
    check_nodes("abab");
}

/*
 * Five failures of 2 take the effective weight of 4 to 0, not below. By the
 * rule (use, then +1): a earns 0, 1, 2, 3, 4, 4 and b 4 each time.
 */
static void effective_weight_ends_at_zero_and_recovers(void)
{
    START("max_fails=2", 4, 4);
    for (int i = 0; i < 5; i++) {
        world_send(world, 0);
        world_finish(world, 0, LBP_RESET);
    }
    check_picks("b(0,0) b(1,-1) a(-3,3) b(0,0) a(-4,4) b(0,0)");
}

static void warm_up_scales_the_weight(void)
{
    /* 1 x 0.25 against 1: one turn in five. */
    START("", 1, 1);
    world->nodes[1].weight_factor = 0.25;
    world_tell_members(world);
    check_nodes("aabaaaabaa");
    world->nodes[1].weight_factor = 1;
    world_tell_members(world);
    check_nodes("abababab");
}

static void newcomer_starts_without_credit_and_stayers_keep_theirs(void)
{
    START("", 5, 1, 1);
    check_picks("a(-2,1,1) a(-4,2,2)");
    world->view.slot_count = 4;
    world_set_node(world, 3, "n3", 1);
    world_set_eligible(world, 3, true);
    world_tell_members(world);
    check_picks("b(1,-5,3,1)");
    world_set_node(world, 2, "other", 1); /* takes over the slot */
    world_tell_members(world);
    check_picks("a(-2,-4,1,2)");
}

static void ineligible_nodes_neither_earn_nor_win(void)
{
    START("", 5, 1, 1);
    world_set_eligible(world, 0, false);
    check_picks("b(0,-1,1) c(0,0,0) b(0,-1,1)");
}

static void nobody_or_weight_zero_is_no_node(void)
{
    START("", 3, 2);
    world->eligible[0] = 0;
    CHECK_UINT(world_pick(world), LBP_NO_SLOT);
    START("", 0, 0);
    CHECK_UINT(world_pick(world), LBP_NO_SLOT);
    START("", 0, 7, 0);
    check_nodes("bbb");
}

static void huge_weights_keep_their_proportion(void)
{
    uint32_t light = 0;

    START("", 65535, 1);
    for (int i = 0; i < 65536; i++)
        light += world_pick(world) == 1;
    CHECK_UINT(light, 1);
    START("", UINT32_MAX - 1, UINT32_MAX - 1);
    check_nodes("abab");
}

static void random_phase_enters_the_same_sequence_later(void)
{
    static const uint64_t script[] = {2};

    forget();
    world = world_create(3);
    world->nodes[0].weight = 5;
    world->script = script;
    world_start_named(world, "smooth_weighted", "phase=random");
    CHECK_UINT(world->draws, 1);
    check_nodes("bacaa"); /* a a was passed over */
    world_tell_members(world);
    CHECK_UINT(world->draws, 1);
}

static void random_phase_waits_for_the_first_node(void)
{
    forget();
    world = world_create(0);
    world_start_named(world, "smooth_weighted", "phase=random");
    CHECK_UINT(world->draws, 0);
    world->view.slot_count = 2;
    world_set_node(world, 0, "x", 65535);
    world_set_node(world, 1, "y", 65534);
    world_tell_members(world);
    CHECK_UINT(world->draws, 1);
}

/* The longest run of slot 0 in count picks; also counts picks by slot. */
static uint32_t longest_run(uint32_t count, uint32_t *counts)
{
    uint32_t run = 0, longest = 0;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = world_pick(world);

        if (slot < 6) /* the largest pool of this test */
            counts[slot]++;
        run = slot == 0 ? run + 1 : 0;
        if (run > longest)
            longest = run;
    }
    return longest;
}

/*
 * envoyproxy/envoy #3407: a heavy weight must not be served in one burst.
 * 10,000 picks hold 1428 cycles of 7 and 400 of 25.
 */
static void heavy_weight_is_not_served_in_one_burst(void)
{
    uint32_t counts[6] = {0}, wide[6] = {0};

    START("", 5, 1, 1);
    CHECK_UINT(longest_run(1428 * 7, counts), 4);
    CHECK_UINT(counts[0], 1428 * 5);
    CHECK_UINT(counts[2], 1428);
    START("", 20, 1, 1, 1, 1, 1);
    CHECK_UINT(longest_run(10000, wide), 8);
    CHECK_UINT(wide[0], 8000);
    for (int slot = 1; slot < 6; slot++)
        CHECK_UINT(wide[slot], 400);
}

static void every_cycle_has_each_light_node_once(void)
{
    START("", 20, 1, 1, 1, 1, 1);
    for (int cycle = 0; cycle < 400; cycle++) {
        uint32_t counts[6] = {0};

        for (int i = 0; i < 25; i++)
            counts[world_pick(world)]++;
        for (int slot = 1; slot < 6; slot++)
            CHECK_UINT(counts[slot], 1);
    }
}

/* --- against the rule itself -----------------------------------------------
 */

/* nginx's rule, as its article and its source say it, over all slots. Weights
   are in hundredths, as ours are. */
struct reference {
    int64_t credit[WORLD_MAX], effective[WORLD_MAX], weight[WORLD_MAX];
};

static struct reference *reference;

static uint32_t reference_pick(void)
{
    uint32_t best = LBP_NO_SLOT;
    int64_t total = 0;

    for (uint32_t slot = 0; slot < world->view.slot_count; slot++) {
        if (!(world->eligible[slot / 64] >> slot % 64 & 1) ||
            reference->weight[slot] == 0)
            continue;
        reference->credit[slot] += reference->effective[slot];
        total += reference->effective[slot];
        if (reference->effective[slot] < reference->weight[slot])
            reference->effective[slot] += 100;
        if (reference->effective[slot] > reference->weight[slot])
            reference->effective[slot] = reference->weight[slot];
        if (best == LBP_NO_SLOT ||
            reference->credit[slot] > reference->credit[best])
            best = slot;
    }
    if (best != LBP_NO_SLOT)
        reference->credit[best] -= total;
    return best;
}

static void set_weight(uint32_t slot, uint32_t weight)
{
    int64_t scaled = 100 * (int64_t)weight;

    world->nodes[slot].weight = weight;
    if (reference->weight[slot] != scaled) /* else it goes on recovering */
        reference->effective[slot] = scaled;
    reference->weight[slot] = scaled;
}

static uint64_t below(uint64_t bound)
{
    return world_next(&world->chance) % bound;
}

/* Weights of few kinds, of many, and far apart. */
static uint32_t some_weight(void)
{
    static const uint32_t few[] = {1, 1, 1, 2, 3, 0};

    switch (below(4)) {
    case 0:
        return (uint32_t)(1 + below(1000));
    case 1:
        return (uint32_t)(1 + below(10));
    case 2:
        return below(20) ? few[below(6)] : UINT32_MAX / 100;
    default:
        return few[below(6)];
    }
}

static void start_both(uint32_t count, uint64_t chance, const char *settings)
{
    forget();
    world = world_create(count);
    world->chance = chance;
    *reference = (struct reference){0};
    for (uint32_t slot = 0; slot < count; slot++)
        set_weight(slot, some_weight());
    world_start_named(world, "smooth_weighted", settings);
}

static void fail_node(uint32_t slot, int64_t max_fails)
{
    int64_t loss = reference->weight[slot] / 100 / max_fails * 100;

    world_send(world, slot);
    world_finish(world, slot, LBP_RESET);
    reference->effective[slot] = reference->effective[slot] > loss
                                     ? reference->effective[slot] - loss
                                     : 0;
}

/* What happens between picks, now and then; also as retries do: a node is left
   out of one pick alone. */
static void disturb(uint32_t count, int64_t max_fails)
{
    uint32_t slot = (uint32_t)below(count);

    switch (below(400)) {
    case 0:
        set_weight(slot, some_weight());
        world_tell_members(world);
        break;
    case 1:
        if (max_fails > 0)
            fail_node(slot, max_fails);
        break;
    case 2:
    case 3:
    case 4:
        world_set_eligible(world, slot,
                           !(world->eligible[slot / 64] >> slot % 64 & 1));
        break;
    case 5:
        for (uint32_t i = 0; i < count; i++)
            world_set_eligible(world, i, below(3) > 0);
        break;
    default:
        break;
    }
}

static void check_pick(uint32_t *wrong)
{
    *wrong += world_pick(world) != reference_pick();
}

static uint32_t compare(uint32_t count, uint32_t steps, int64_t max_fails)
{
    uint32_t wrong = 0;

    for (uint32_t step = 0; step < steps; step++) {
        bool retries = below(8) == 0;
        uint32_t slot = (uint32_t)below(count);
        bool was;

        disturb(count, max_fails);
        check_pick(&wrong);
        if (!retries)
            continue;
        was = world->eligible[slot / 64] >> slot % 64 & 1;
        world_set_eligible(world, slot, false);
        check_pick(&wrong);
        world_set_eligible(world, slot, was);
    }
    return wrong;
}

static void check_sizes(int64_t max_fails, const char *settings)
{
    static const struct {
        uint32_t count, steps;
    } runs[] = {{1, 2000},    {3, 20000},   {5, 20000},  {11, 60000},
                {12, 120000}, {31, 200000}, {65, 80000}, {257, 20000}};

    reference = malloc(sizeof *reference);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        start_both(runs[i].count, 77 + i, settings);
        CHECK_UINT(compare(runs[i].count, runs[i].steps, max_fails), 0);
    }
    free(reference);
}

/* Over half a million picks each: one million in both. */
static void agrees_with_nginx_over_a_million_picks(void)
{
    check_sizes(0, "");
    check_sizes(3, "max_fails=3");
}

/* Nothing changes for longer than turns are counted in one piece (65,536). */
static void agrees_where_nothing_changes_for_long(void)
{
    static const uint32_t counts[] = {7, 12, 40};

    reference = malloc(sizeof *reference);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        uint32_t wrong = 0;

        start_both(counts[i], 5 + i, "");
        for (int step = 0; step < 150000; step++)
            check_pick(&wrong);
        CHECK_UINT(wrong, 0);
    }
    free(reference);
}

/* The largest pool there is, all weights different: nobody overflows. */
static void agrees_in_the_largest_pool(void)
{
    uint32_t wrong = 0;

    reference = malloc(sizeof *reference);
    start_both(4096, 3, "");
    for (uint32_t slot = 0; slot < 4096; slot++)
        set_weight(slot, UINT32_MAX / 100 - slot);
    world_tell_members(world);
    for (int step = 0; step < 3000; step++)
        check_pick(&wrong);
    CHECK_UINT(wrong, 0);
    free(reference);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"credits follow nginx", credits_follow_nginx},
        {"one failure costs one turn", one_failure_costs_one_turn},
        {"only resets and time-outs are failures",
         only_resets_and_timeouts_are_failures},
        {"failures do nothing when feedback is off",
         failures_do_nothing_when_feedback_is_off},
        {"effective weight ends at zero and recovers",
         effective_weight_ends_at_zero_and_recovers},
        {"warm-up scales the weight", warm_up_scales_the_weight},
        {"newcomer starts without credit, stayers keep theirs",
         newcomer_starts_without_credit_and_stayers_keep_theirs},
        {"ineligible nodes neither earn nor win",
         ineligible_nodes_neither_earn_nor_win},
        {"nobody or weight zero is no node", nobody_or_weight_zero_is_no_node},
        {"huge weights keep their proportion",
         huge_weights_keep_their_proportion},
        {"random phase enters the same sequence later",
         random_phase_enters_the_same_sequence_later},
        {"random phase waits for the first node",
         random_phase_waits_for_the_first_node},
        {"heavy weight is not served in one burst",
         heavy_weight_is_not_served_in_one_burst},
        {"every cycle has each light node once",
         every_cycle_has_each_light_node_once},
        {"agrees with nginx over a million picks",
         agrees_with_nginx_over_a_million_picks},
        {"agrees where nothing changes for long",
         agrees_where_nothing_changes_for_long},
        {"agrees in the largest pool", agrees_in_the_largest_pool},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("smooth_weighted", NULL, NULL, NULL, forget, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
