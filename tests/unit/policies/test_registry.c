/*
 * What every built-in policy must bear: nobody, one node, chance that runs
 * out, memory that fails, nodes that come and go. pick allocates nothing: the
 * host of world.h aborts if it does.
 */
#include "tests/unit/policies/world.h"

#include "tests/check.h"

#define FOR_EACH_POLICY(ops)                                        \
    for (const struct lbp_ops *const *each = policies, *ops = NULL; \
         each < policies + policy_count && (ops = *each, true); each++)

static const struct lbp_ops *const *policies;
static uint32_t policy_count;
static struct world *world;

static void list_policies(void)
{
    policies = lbp_registry_list(&policy_count);
    world = NULL;
}

static void forget(void)
{
    world_forget(&world);
}

/* Ends the world before, and sees that it has given back all memory. */
static void start(const struct lbp_ops *ops, uint32_t nodes)
{
    if (world) {
        world->ops->destroy(world->state);
        CHECK_UINT(world->allocations, 0);
        world->ops = NULL;
        world_destroy(world);
    }
    world = world_create(nodes);
    world->key = "a key";
    world_start(world, ops, "");
}

static void policies_are_found_by_their_whole_name(void)
{
    CHECK_UINT(policy_count, 10);
    FOR_EACH_POLICY(ops)
    CHECK(lbp_registry_find(ops->name, strlen(ops->name)) == ops);
    CHECK(lbp_registry_find("round", 5) == NULL);
    CHECK(lbp_registry_find("round_robins", 12) == NULL);
    CHECK(lbp_registry_find("round_robins", 11) != NULL);
    CHECK(lbp_registry_find("", 0) == NULL);
}

/* Without a preset a number is off. */
static bool may_be_off(const struct lbp_param *param)
{
    return param->kind == LBP_REAL || param->kind == LBP_SHARE ||
           param->kind == LBP_COUNT || param->kind == LBP_DURATION;
}

static const char *meant(const char *name)
{
    return lbp_registry_meant(name, strlen(name));
}

static void other_names_lead_to_ours(void)
{
    CHECK_TEXT(meant("p2c"), "two_choices");
    CHECK_TEXT(meant("rr"), "round_robin");
    CHECK_TEXT(meant("Round-Robin"), "round_robin");
    CHECK_TEXT(meant("least connections"), "least_conn");
    CHECK_TEXT(meant("consistent_hash"), "ring_hash");
    CHECK(meant("") == NULL);
    CHECK(meant("magic") == NULL);
    CHECK(meant("p2") == NULL);
    FOR_EACH_POLICY(ops)
    CHECK_TEXT(meant(ops->name), ops->name);
}

static void policies_describe_themselves(void)
{
    FOR_EACH_POLICY(ops)
    {
        CHECK_UINT(ops->abi, LBP_ABI);
        CHECK_UINT(ops->size, sizeof *ops);
        CHECK(strlen(ops->summary) > 10 && strlen(ops->tie_rule) > 10);
        CHECK((ops->params != NULL) == (ops->config_size > 0));
        for (const struct lbp_param *param = ops->params; param && param->name;
             param++)
            CHECK(strlen(param->help) > 10 &&
                  (param->preset || may_be_off(param)));
    }
}

static void nobody_is_no_node(void)
{
    FOR_EACH_POLICY(ops)
    {
        start(ops, 0);
        CHECK_UINT(world_pick(world), LBP_NO_SLOT);
        start(ops, 70);
        memset(world->eligible, 0, sizeof world->eligible);
        CHECK_UINT(world_pick(world), LBP_NO_SLOT);
        CHECK_UINT(world->draws, 0);
    }
}

static void only_node_is_taken_without_a_draw(void)
{
    FOR_EACH_POLICY(ops)
    {
        start(ops, 1);
        CHECK_UINT(world_dispatch(world), 0);
        CHECK_UINT(world_dispatch(world), 0);
        start(ops, 130);
        memset(world->eligible, 0, sizeof world->eligible);
        world_set_eligible(world, 128, true);
        CHECK_UINT(world_dispatch(world), 128);
        CHECK_UINT(world_dispatch(world), 128);
        CHECK_UINT(world->draws, 0);
    }
}

static void tried_nodes_are_not_picked_again(void)
{
    FOR_EACH_POLICY(ops)
    {
        start(ops, 5);
        for (uint32_t attempt = 0; attempt < 5; attempt++) {
            uint32_t slot = world_dispatch(world);

            CHECK(slot < 5 && world->eligible[0] >> slot & 1);
            world_set_eligible(world, slot, false);
        }
        CHECK_UINT(world_dispatch(world), LBP_NO_SLOT);
    }
}

static void huge_weights_are_borne(void)
{
    FOR_EACH_POLICY(ops)
    {
        if (strcmp(ops->name, "ring_hash") == 0)
            continue; /* test_ring.c: 65535 x 100 points take a second */
        start(ops, 4);
        for (uint32_t slot = 0; slot < 4; slot++)
            world->nodes[slot].weight = slot ? 65535 : 1;
        CHECK(world_tell_members(world));
        for (int i = 0; i < 100; i++)
            CHECK(world_dispatch(world) < 4);
    }
}

/* One random step of a host's life: an answer, a change, or a request. */
static void live_a_step(uint64_t *chance)
{
    uint32_t dice = (uint32_t)(world_next(chance) % 100);
    uint32_t slot = (uint32_t)(world_next(chance) % world->view.slot_count);
    char key[WORLD_KEY];

    snprintf(key, sizeof key, "x%u", dice * 997 + slot);
    if (dice < 3 && world->in_flight[slot] == 0) {
        world_set_node(world, slot, key, 1 + dice);
        CHECK(world_tell_members(world));
    } else if (dice < 20) {
        world_set_eligible(world, slot, dice & 1);
    } else if (dice < 55) {
        if (world->in_flight[slot] > 0)
            world_finish(world, slot, dice < 30 ? LBP_TIMEOUT : LBP_OK);
    } else {
        world->key = dice < 60 ? NULL : key;
        slot = world_dispatch(world);
        if (slot == LBP_NO_SLOT)
            CHECK_UINT(world_eligible_count(world), 0);
        else
            CHECK((world->eligible[slot / 64] >> slot % 64 & 1) != 0);
        world->key = NULL;
    }
}

static void picks_are_eligible_whatever_happens(void)
{
    FOR_EACH_POLICY(ops)
    {
        uint64_t chance = 1;

        start(ops, 67);
        for (int step = 0; step < 20000; step++)
            live_a_step(&chance);
    }
}

static void equal_seeds_pick_equally(void)
{
    FOR_EACH_POLICY(ops)
    {
        uint64_t sums[2] = {0, 0};

        for (int run = 0; run < 2; run++) {
            start(ops, 33);
            world->chance = 4;
            for (int i = 0; i < 500; i++)
                sums[run] = sums[run] * 31 + world_dispatch(world);
        }
        CHECK_UINT(sums[0], sums[1]);
    }
}

static void create_without_memory_yields_nothing(void)
{
    FOR_EACH_POLICY(ops)
    {
        start(ops, 1);
        world->fail_after = 0;
        CHECK(ops->create(NULL, &world->host) == NULL);
        ops->destroy(NULL);
    }
}

/* Grows the pool with ever more memory until that succeeds; after each
   failure the old view must go on working. */
static void growth_without_memory_leaves_the_old_state(void)
{
    FOR_EACH_POLICY(ops)
    {
        uint32_t after = 0;

        start(ops, 3);
        for (;; after++) {
            world->view.slot_count = 64;
            world->fail_after = after;
            if (world_tell_members(world))
                break;
            world->view.slot_count = 3;
            world->eligible[0] = 7;
            CHECK(world_dispatch(world) < 3);
            world->eligible[0] = UINT64_MAX;
        }
        for (uint32_t slot = 3; slot < 64; slot++)
            CHECK_UINT(world->in_flight[slot], 0);
    }
}

static void null_config_means_presets(void)
{
    FOR_EACH_POLICY(ops)
    {
        void *other;

        start(ops, 9);
        other = ops->create(NULL, &world->host);
        CHECK(other != NULL);
        if (ops->on_members)
            CHECK(ops->on_members(other, &world->view));
        for (int i = 0; i < 20; i++) {
            struct lbp_request request = world_request(world);
            uint32_t slot = LBP_NO_SLOT, expected;

            world->chance = (uint64_t)i;
            expected = world_pick(world);
            world->chance = (uint64_t)i;
            CHECK_UINT(ops->pick(other, &world->view, &request, &slot, NULL),
                       LBP_PICKED);
            CHECK_UINT(slot, expected);
        }
        ops->destroy(other);
    }
}

static double sum_of_terms(const struct lbp_score *score)
{
    double sum = 0;

    for (int i = 0; i < LBP_MAX_TERMS; i++)
        sum += score->terms[i];
    return sum;
}

static void explanations_open_clean(void)
{
    FOR_EACH_POLICY(ops)
    {
        struct lbp_score scores[2];
        struct lbp_explanation why = {.capacity = 2,
                                      .count = 77,
                                      .scores = scores,
                                      .draws = 77,
                                      .expected_ns = 77};

        start(ops, 6);
        world_ask(world, &why);
        CHECK(why.count <= 2 && why.draws <= 2);
        CHECK((why.expected_ns == -1) == !(ops->needs & LBP_PREDICTS));
        CHECK(why.reason != NULL);
        for (uint32_t i = 0; i < why.count; i++)
            CHECK_NEAR(sum_of_terms(&scores[i]), scores[i].score, 1e-6);
        CHECK((why.count > 0) == (ops->term_names != NULL));
        memset(world->eligible, 0, sizeof world->eligible);
        world_ask(world, &why);
        CHECK(why.reason == NULL);
        CHECK_UINT(why.count, 0);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"policies are found by their whole name",
         policies_are_found_by_their_whole_name},
        {"other names lead to ours", other_names_lead_to_ours},
        {"policies describe themselves", policies_describe_themselves},
        {"nobody is no node", nobody_is_no_node},
        {"only node is taken without a draw",
         only_node_is_taken_without_a_draw},
        {"tried nodes are not picked again", tried_nodes_are_not_picked_again},
        {"huge weights are borne", huge_weights_are_borne},
        {"picks are eligible whatever happens",
         picks_are_eligible_whatever_happens},
        {"equal seeds pick equally", equal_seeds_pick_equally},
        {"create without memory yields nothing",
         create_without_memory_yields_nothing},
        {"growth without memory leaves the old state",
         growth_without_memory_leaves_the_old_state},
        {"NULL config means presets", null_config_means_presets},
        {"explanations open clean", explanations_open_clean},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("registry", NULL, NULL, list_policies, forget, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
