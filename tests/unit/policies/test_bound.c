/*
 * Bounds of load: how the whole is cut into shares, by the paper and in the
 * ways of two proxies, and who has room. Known answers were computed apart,
 * from the sources that bound.h names.
 */
#include "policies/bound.h"

#include "tests/unit/policies/world.h"

#include "tests/check.h"

static struct world *world;
static struct lbp_bound *bound;

static void nothing_yet(void)
{
    world = NULL;
    bound = NULL;
}

static void forget(void)
{
    if (!world)
        return;
    world_release(world, bound);
    CHECK_UINT(world->allocations, 0);
    world_destroy(world);
}

/* Three nodes of these weights, with as much in flight on the first. */
static void three(uint32_t a, uint32_t b, uint32_t c, enum lbp_bound_rule rule,
                  uint32_t percent)
{
    forget();
    world = world_create(3);
    world->nodes[0].weight = a;
    world->nodes[1].weight = b;
    world->nodes[2].weight = c;
    bound = lbp_bound_build(&world->view, rule, percent, &world->host);
}

static void check_shares(uint32_t in_flight, uint64_t total, uint64_t a,
                         uint64_t b, uint64_t c)
{
    uint64_t found;

    world->in_flight[0] = in_flight;
    found = lbp_bound_whole(bound, &world->view);
    CHECK_UINT((found + 99) / 100, total);
    CHECK_UINT(lbp_bound_share(bound, &world->view, 0, found), a);
    CHECK_UINT(lbp_bound_share(bound, &world->view, 1, found), b);
    CHECK_UINT(lbp_bound_share(bound, &world->view, 2, found), c);
}

static void haproxy_shares_sum_to_the_whole(void)
{
    three(1, 1, 1, LBP_BOUND_HAPROXY, 150);
    check_shares(0, 2, 1, 1, 1);
    check_shares(9, 15, 5, 5, 5);
    check_shares(10, 17, 5, 6, 6);
    check_shares(29, 45, 15, 15, 15);
    three(3, 2, 1, LBP_BOUND_HAPROXY, 125);
    check_shares(9, 13, 6, 4, 3);
    check_shares(10, 14, 7, 4, 3);
    check_shares(29, 38, 19, 12, 7);
}

/* 16.5 / 3 and 13.75 x (3, 2, 1) / 6 rounded up once. */
static void paper_shares_are_rounded_once(void)
{
    three(1, 1, 1, LBP_BOUND_PAPER, 150);
    check_shares(0, 2, 1, 1, 1);
    check_shares(9, 15, 5, 5, 5);
    check_shares(10, 17, 6, 6, 6);
    three(3, 2, 1, LBP_BOUND_PAPER, 125);
    check_shares(10, 14, 7, 5, 3);
    three(1, 1, 0, LBP_BOUND_PAPER, 110);
    check_shares(3, 5, 3, 3, 1); /* 4.4 / 2 */
    three(1, 3, 0, LBP_BOUND_PAPER, 101);
    check_shares(3, 5, 2, 4, 1); /* 1.01, 3.03 */
    three(1, 3, 0, LBP_BOUND_ENVOY, 101);
    check_shares(3, 5, 2, 4, 1);
    three(1, 4, 0, LBP_BOUND_PAPER, 101);
    check_shares(4, 6, 2, 5, 1); /* 1.01, 4.04 */
    three(1, 4, 0, LBP_BOUND_PAPER, 120);
    check_shares(3, 5, 1, 4, 1); /* 0.96, 3.84 */
    three(1, 4, 0, LBP_BOUND_PAPER, 102);
    check_shares(5, 7, 2, 5, 1); /* 1.224, 4.896 */
    three(1, 4, 0, LBP_BOUND_ENVOY, 102);
    check_shares(5, 7, 2, 6, 1); /* 7 x 4 / 5 */
}

/* 17 / 3 and 14 x (3, 2, 1) / 6 rounded up. */
static void envoy_shares_are_rounded_up(void)
{
    three(1, 1, 1, LBP_BOUND_ENVOY, 150);
    check_shares(9, 15, 5, 5, 5);
    check_shares(10, 17, 6, 6, 6);
    three(3, 2, 1, LBP_BOUND_ENVOY, 125);
    check_shares(10, 14, 7, 5, 3);
}

static void check_room(uint32_t slot, uint32_t in_flight, bool expected)
{
    world->in_flight[slot] = in_flight;
    CHECK_UINT(lbp_bound_has_room(bound, &world->view, slot, 1500), expected);
}

/* Of 15 in all each may hold 5: before the next one, or with it. */
static void envoy_lets_in_one_more(void)
{
    three(1, 1, 1, LBP_BOUND_PAPER, 150);
    check_room(0, 4, true);
    check_room(0, 5, false);
    three(1, 1, 1, LBP_BOUND_HAPROXY, 150);
    check_room(0, 4, true);
    check_room(0, 5, false);
    three(1, 1, 1, LBP_BOUND_ENVOY, 150);
    check_room(0, 5, true);
    check_room(0, 6, false);
}

/* The dead hold no share, but what they hold counts in the whole. */
static void shares_are_cut_between_the_living(void)
{
    three(1, 1, 1, LBP_BOUND_HAPROXY, 150);
    world_release(world, bound);
    world->nodes[0].health = LBP_UNHEALTHY;
    bound = lbp_bound_build(&world->view, LBP_BOUND_HAPROXY, 150, &world->host);
    world->in_flight[0] = 9;
    CHECK_UINT(lbp_bound_share(bound, &world->view, 1, 1500), 7);
    CHECK_UINT(lbp_bound_share(bound, &world->view, 2, 1500), 8);
    CHECK_UINT(lbp_bound_whole(bound, &world->view), 1500);
}

static void all_share_when_nobody_lives(void)
{
    three(1, 1, 1, LBP_BOUND_HAPROXY, 150);
    world_release(world, bound);
    for (uint32_t slot = 0; slot < 3; slot++)
        world->nodes[slot].health = LBP_DRAINING;
    bound = lbp_bound_build(&world->view, LBP_BOUND_HAPROXY, 150, &world->host);
    check_shares(9, 15, 5, 5, 5);
}

static void nobody_and_no_memory_are_borne(void)
{
    three(0, 0, 0, LBP_BOUND_HAPROXY, 150);
    check_shares(0, 2, 1, 1, 1);
    world->fail_after = 0;
    CHECK(lbp_bound_build(&world->view, LBP_BOUND_HAPROXY, 150, &world->host) ==
          NULL);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"paper: shares are rounded once", paper_shares_are_rounded_once},
        {"haproxy: shares sum to the whole", haproxy_shares_sum_to_the_whole},
        {"envoy: shares are rounded up", envoy_shares_are_rounded_up},
        {"envoy lets in one more", envoy_lets_in_one_more},
        {"shares are cut between the living",
         shares_are_cut_between_the_living},
        {"all share when nobody lives", all_share_when_nobody_lives},
        {"nobody and no memory are borne", nobody_and_no_memory_are_borne},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("bound", NULL, NULL, nothing_yet, forget, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
