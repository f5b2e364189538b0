/* Ring hash as a policy: where keys go, how failures are walked over, and how
   few keys move. */
#include "policies/hash.h"
#include "tests/unit/policies/world.h"

#include "tests/check.h"

#include <math.h>

static struct world *world;

static void nodes_a_b_c(void)
{
    world = world_create(3);
    world_set_node(world, 0, "node-a", 1);
    world_set_node(world, 1, "node-b", 1);
    world_set_node(world, 2, "node-c", 1);
    world_start_named(world, "ring_hash", "");
}

static void forget(void)
{
    world_destroy(world);
}

static uint32_t pick_key(const char *key)
{
    world->key = key;
    return world_pick(world);
}

/* Computed independently with Python's hashlib. */
static void keys_go_to_their_first_point(void)
{
    CHECK_UINT(pick_key("hello"), 2);
    CHECK_UINT(pick_key("user-1"), 2);
    CHECK_UINT(pick_key("user-2"), 0);
    CHECK_UINT(pick_key("explain tcp"), 0);
    CHECK_UINT(world->draws, 0);
}

static void ineligible_owner_is_walked_over_and_comes_back(void)
{
    struct lbp_explanation why = {0};

    world->key = "hello";
    CHECK_UINT(world_ask(world, &why), 2);
    CHECK_TEXT(why.reason, "owner");
    world_set_eligible(world, 2, false);
    CHECK(world_ask(world, &why) < 2);
    CHECK_TEXT(why.reason, "walked");
    CHECK_UINT(pick_key("user-2"), 0); /* others stay where they were */
    CHECK_UINT(pick_key("explain tcp"), 0);
    world_set_eligible(world, 2, true);
    CHECK_UINT(pick_key("hello"), 2);
}

static void only_eligible_node_takes_every_key(void)
{
    world->eligible[0] = 2;
    CHECK_UINT(pick_key("hello"), 1);
    CHECK_UINT(pick_key(NULL), 1);
    CHECK_UINT(world->draws, 0);
}

static void nobody_eligible_is_no_node(void)
{
    world->eligible[0] = 0;
    CHECK_UINT(pick_key("hello"), LBP_NO_SLOT);
    CHECK_UINT(pick_key(NULL), LBP_NO_SLOT);
}

static void request_without_key_is_drawn(void)
{
    static const uint64_t script[] = {1, 0};
    struct lbp_explanation why = {0};

    world->script = script;
    world->eligible[0] = 6;
    CHECK_UINT(world_ask(world, &why), 2);
    CHECK_UINT(why.draws, 1);
    CHECK_TEXT(why.reason, "no key");
    CHECK_UINT(world_pick(world), 1);
}

static void hash_alone_is_a_place_too(void)
{
    struct lbp_request request = world_request(world);
    uint32_t slot = LBP_NO_SLOT;

    request.key_hash = (uint64_t)6159027 << 32; /* the first point, b's */
    world->ops->pick(world->state, &world->view, &request, &slot, NULL);
    CHECK_UINT(slot, 1);
    request.key_hash += (uint64_t)1 << 32; /* just after it: a's */
    world->ops->pick(world->state, &world->view, &request, &slot, NULL);
    CHECK_UINT(slot, 0);
}

static void nodes_without_weight_take_nothing(void)
{
    for (uint32_t slot = 0; slot < 3; slot++)
        world->nodes[slot].weight = 0;
    CHECK(world_tell_members(world));
    CHECK_UINT(pick_key("hello"), LBP_NO_SLOT);
}

static void missing_memory_leaves_the_old_ring(void)
{
    world_set_node(world, 0, "other", 1);
    world->fail_after = 0;
    CHECK(!world_tell_members(world));
    CHECK_UINT(pick_key("user-2"), 0);
    world->fail_after = 0; /* what is current needs no memory */
    world_set_node(world, 0, "node-a", 1);
    world->nodes[0].generation -= 2;
    world->nodes[0].health = LBP_DEGRADED;
    CHECK(world_tell_members(world));
}

/*
 * kubernetes/ingress-nginx #4475: how many of 20,000 keys move when a node
 * joins n others. All that do must move to it.
 */
static double moved_by_a_join(uint32_t n)
{
    uint32_t before[20000], moved = 0, astray = 0;
    char key[WORLD_KEY];

    forget();
    world = world_create(n + 1);
    world->view.slot_count = n;
    world_set_eligible(world, n, false);
    world_start_named(world, "ring_hash", "");
    for (uint32_t i = 0; i < 20000; i++) {
        snprintf(key, sizeof key, "k%u", i);
        before[i] = pick_key(key);
    }
    world->view.slot_count = n + 1;
    world_set_eligible(world, n, true);
    CHECK(world_tell_members(world));
    for (uint32_t i = 0; i < 20000; i++) {
        uint32_t now;

        snprintf(key, sizeof key, "k%u", i);
        now = pick_key(key);
        moved += now != before[i];
        astray += now != before[i] && now != n;
    }
    CHECK_UINT(astray, 0);
    return moved / 20000.0;
}

static void joining_node_takes_its_share_and_no_more(void)
{
    CHECK_NEAR(moved_by_a_join(4), 1.0 / 5, 0.05);
    CHECK_NEAR(moved_by_a_join(8), 1.0 / 9, 0.05);
}

/* What the ring is for: a modulus would move N / (N + 1) of them. */
static void modulus_would_move_nearly_all(void)
{
    uint32_t moved = 0;
    char key[WORLD_KEY];

    for (uint32_t i = 0; i < 20000; i++) {
        uint64_t hash;

        snprintf(key, sizeof key, "k%u", i);
        hash = lbp_hash_xxh64(key, strlen(key), 0);
        moved += hash % 4 != hash % 5;
    }
    CHECK_NEAR(moved / 20000.0, 0.8, 0.05);
}

/* --- with a bound ----------------------------------------------------------
 */

static void bounded(const char *settings)
{
    forget();
    world = world_create(3);
    world_set_node(world, 0, "node-a", 1);
    world_set_node(world, 1, "node-b", 1);
    world_set_node(world, 2, "node-c", 1);
    world_start_named(world, "ring_hash", settings);
}

/* "hello" is at node c. With as many in flight as given, 1.5 times a fair share
   of 10 requests is 5: the fifth on c is one too many for the next. */
static void full_owner_spills_along_the_ring(void)
{
    struct lbp_explanation why = {0};

    bounded("bounded_load=1.5");
    world->key = "hello";
    world->in_flight[0] = 4;
    world->in_flight[1] = 1;
    world->in_flight[2] = 4;
    CHECK_UINT(world_ask(world, &why), 2);
    CHECK_TEXT(why.reason, "owner");
    world->in_flight[1] = 0;
    world->in_flight[2] = 5;
    CHECK(world_ask(world, &why) < 2);
    CHECK_TEXT(why.reason, "spilled");
    CHECK_UINT(world->draws, 0);
}

/* The same as without a bound, if its owner were not eligible. */
static void spilled_keys_go_where_a_failure_sends_them(void)
{
    char key[WORLD_KEY];

    bounded("bounded_load=1.25");
    for (int i = 0; i < 300; i++) {
        uint32_t owner, heir;

        snprintf(key, sizeof key, "k%d", i);
        owner = pick_key(key);
        world_set_eligible(world, owner, false);
        heir = pick_key(key);
        world_set_eligible(world, owner, true);
        world->in_flight[owner] = 9;
        CHECK_UINT(pick_key(key), heir);
        world->in_flight[owner] = 0;
    }
}

/* Envoy has one more: 5 of a share of 5 may still take it, 6 may not. */
static void bound_rules_differ_by_one(void)
{
    bounded("bounded_load=1.5 bound_rule=envoy");
    world->key = "hello";
    world->in_flight[0] = 4;
    world->in_flight[2] = 5;
    CHECK_UINT(world_pick(world), 2);
    world->in_flight[0] = 3;
    world->in_flight[2] = 6;
    CHECK(world_pick(world) < 2);
}

/* At no instant does a node hold more than the factor times its fair share of
   all, rounded up (zalando/skipper #1769): half of all ask one key. */
static void nobody_holds_more_than_its_bound(void)
{
    static const struct {
        const char *settings;
        uint32_t percent, extra;
    } cases[] = {{"bounded_load=2", 200, 0},
                 {"bounded_load=1.25", 125, 0},
                 {"bounded_load=1.05", 105, 0},
                 {"bounded_load=1", 100, 0},
                 {"bounded_load=1.25 bound_rule=haproxy", 125, 0},
                 {"bounded_load=1.25 bound_rule=envoy", 125, 1}};

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        uint64_t chance = 3, all = 0, over = 0;
        char key[WORLD_KEY];

        bounded(cases[c].settings);
        for (int step = 0; step < 20000; step++) {
            uint32_t dice = (uint32_t)(world_next(&chance) % 100);
            uint32_t slot = (uint32_t)(world_next(&chance) % 3);
            uint64_t whole = (all + 1) * cases[c].percent;

            if (dice < 52) {
                snprintf(key, sizeof key, "k%u", dice < 26 ? 1 : dice * slot);
                world->key = dice == 51 ? NULL : key;
                slot = world_dispatch(world);
                all++;
                over += world->in_flight[slot] >
                        (whole + 299) / 300 + cases[c].extra;
            } else if (world->in_flight[slot] > 0) {
                world_finish(world, slot, LBP_OK);
                all--;
            }
        }
        CHECK_UINT(over, 0);
        CHECK(all > 10);
    }
}

/* All that may take it hold their share; the least full one does. */
static void least_full_takes_what_nobody_has_room_for(void)
{
    struct lbp_explanation why = {0};

    bounded("bounded_load=1.25");
    world->key = "hello";
    world->in_flight[1] = 9;
    world->in_flight[2] = 8;
    world_set_eligible(world, 0, false);
    CHECK_UINT(world_ask(world, &why), 2);
    CHECK_TEXT(why.reason, "all full");
    world->in_flight[2] = 12; /* shares of 28 are 9, 9, 10 */
    CHECK_UINT(world_pick(world), 1);
    world->in_flight[1] = 12; /* of 32 they are 10, 11, 11 */
    CHECK_UINT(world_pick(world), 1);
}

static void drawn_requests_keep_the_bound_too(void)
{
    static const uint64_t script[] = {2, 2};

    bounded("bounded_load=1.25");
    world->script = script;
    CHECK_UINT(pick_key(NULL), 2);
    world->in_flight[2] = 9;
    CHECK_UINT(pick_key(NULL), 0);
    CHECK_UINT(world->draws, 2);
}

static void missing_memory_leaves_the_old_bound(void)
{
    bounded("bounded_load=1.25");
    for (uint32_t after = 0; after < 3; after++) {
        world->view.slot_count = 70;
        world->fail_after = after;
        CHECK(!world_tell_members(world));
        world->view.slot_count = 3;
        world->in_flight[2] = 9;
        CHECK(pick_key("hello") < 2);
        world->in_flight[2] = 0;
        CHECK_UINT(pick_key("hello"), 2);
    }
}

static void rule_without_a_bound_is_told(void)
{
    struct {
        uint64_t replicas;
        double bounded_load;
        uint32_t bound_rule;
    } config = {100, NAN, 2};

    CHECK(world->ops->check(&config) != NULL);
    config.bounded_load = 1.25;
    CHECK(world->ops->check(&config) == NULL);
    config.bounded_load = NAN;
    config.bound_rule = 0;
    CHECK(world->ops->check(&config) == NULL);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"keys go to their first point", keys_go_to_their_first_point},
        {"ineligible owner is walked over and comes back",
         ineligible_owner_is_walked_over_and_comes_back},
        {"only eligible node takes every key",
         only_eligible_node_takes_every_key},
        {"nobody eligible is no node", nobody_eligible_is_no_node},
        {"request without key is drawn", request_without_key_is_drawn},
        {"hash alone is a place too", hash_alone_is_a_place_too},
        {"nodes without weight take nothing",
         nodes_without_weight_take_nothing},
        {"missing memory leaves the old ring",
         missing_memory_leaves_the_old_ring},
        {"joining node takes its share and no more",
         joining_node_takes_its_share_and_no_more},
        {"modulus would move nearly all", modulus_would_move_nearly_all},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo bounds[] = {
        {"full owner spills along the ring", full_owner_spills_along_the_ring},
        {"spilled keys go where a failure sends them",
         spilled_keys_go_where_a_failure_sends_them},
        {"bound rules differ by one", bound_rules_differ_by_one},
        {"nobody holds more than its bound", nobody_holds_more_than_its_bound},
        {"least full takes what nobody has room for",
         least_full_takes_what_nobody_has_room_for},
        {"drawn requests keep the bound too",
         drawn_requests_keep_the_bound_too},
        {"missing memory leaves the old bound",
         missing_memory_leaves_the_old_bound},
        {"rule without a bound is told", rule_without_a_bound_is_told},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("ring_hash", NULL, NULL, nodes_a_b_c, forget, tests),
        SUITE("ring_hash bounds", NULL, NULL, nodes_a_b_c, forget, bounds),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
