/*
 * The ring as a module: where points stand, how evenly arcs are shared, what
 * moves when nodes come and go. Expected shares are exact results for random
 * points: a node's share is Beta(V, N V - V), see ring.h.
 */
#include "policies/hash.h"
#include "policies/ring.h"
#include "tests/unit/policies/world.h"

#include "tests/check.h"

static struct world *world;

static void no_world(void)
{
    world = NULL;
}

static void forget(void)
{
    if (world) {
        CHECK_UINT(world->allocations, 0);
        world_destroy(world);
    }
}

static void make_world(uint32_t count, const char *stem, uint64_t seed)
{
    char key[WORLD_KEY];

    forget();
    world = world_create(count);
    for (uint32_t slot = 0; slot < count; slot++) {
        snprintf(key, sizeof key, "%s%u-%u", stem, (unsigned)seed, slot);
        world_set_node(world, slot, key, 1);
    }
}

static struct lbp_ring *build(uint32_t replicas, const struct lbp_ring *old)
{
    struct lbp_ring *ring =
        lbp_ring_build(&world->view, replicas, old, &world->host);

    CHECK(ring != NULL);
    return ring;
}

static void drop(struct lbp_ring *ring)
{
    lbp_ring_destroy(ring, &world->host);
}

static void name_a_b_c(void)
{
    forget();
    world = world_create(3);
    world_set_node(world, 0, "node-a", 1);
    world_set_node(world, 1, "node-b", 1);
    world_set_node(world, 2, "node-c", 1);
}

/* Computed independently with Python's hashlib. */
static void points_stand_where_md5_puts_them(void)
{
    struct lbp_ring *ring;
    double shares[3];

    name_a_b_c();
    ring = build(100, NULL);
    CHECK_UINT(ring->point_count, 300);
    CHECK_UINT(ring->points[0].key, 6159027);
    CHECK_UINT(ring->points[0].value, 1);
    CHECK_UINT(ring->points[1].key, 15254469);
    CHECK_UINT(ring->points[1].value, 0);
    CHECK_UINT(ring->points[2].key, 23887312);
    CHECK_UINT(ring->points[2].value, 0);
    lbp_ring_shares(ring, shares);
    CHECK_NEAR(shares[0], 0.32256, 5e-6);
    CHECK_NEAR(shares[1], 0.31119, 5e-6);
    CHECK_NEAR(shares[2], 0.36625, 5e-6);
    CHECK_NEAR(lbp_ring_max_over_mean(ring, shares), 0.36625 * 3, 2e-5);
    drop(ring);
}

static void weight_is_the_number_of_points(void)
{
    struct lbp_ring *ring;
    double shares[3];

    name_a_b_c();
    world->nodes[0].weight = 3;
    world->nodes[1].weight = 2;
    ring = build(100, NULL);
    CHECK_UINT(ring->nodes[0].points, 300);
    CHECK_UINT(ring->nodes[2].points, 100);
    lbp_ring_shares(ring, shares);
    CHECK_NEAR(shares[0], 0.46205, 5e-6);
    CHECK_NEAR(shares[1], 0.37556, 5e-6);
    CHECK_NEAR(shares[2], 0.16239, 5e-6);
    drop(ring);
}

/* The first point at or after hash, by looking at every point. */
static uint32_t find_slowly(const struct lbp_ring *ring, uint32_t hash)
{
    for (uint32_t at = 0; at < ring->point_count; at++)
        if (ring->points[at].key >= hash)
            return at;
    return 0;
}

static void check_lookups(const struct lbp_ring *ring)
{
    uint64_t chance = 99;

    for (uint32_t i = 0; i < 3000; i++) {
        uint32_t hash = (uint32_t)world_next(&chance);

        CHECK_UINT(lbp_ring_find(ring, hash), find_slowly(ring, hash));
    }
    for (uint32_t at = 0; at < ring->point_count; at++)
        for (uint32_t shift = 0; shift < 3; shift++) {
            uint32_t hash = ring->points[at].key + shift - 1;

            CHECK_UINT(lbp_ring_find(ring, hash), find_slowly(ring, hash));
        }
    CHECK_UINT(lbp_ring_find(ring, 0), find_slowly(ring, 0));
    CHECK_UINT(lbp_ring_find(ring, UINT32_MAX), find_slowly(ring, UINT32_MAX));
}

static void lookup_equals_a_linear_search(void)
{
    static const uint32_t sizes[][2] = {{1, 1}, {2, 3}, {5, 100}, {40, 20}};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct lbp_ring *ring;

        make_world(sizes[i][0], "n", i);
        ring = build(sizes[i][1], NULL);
        check_lookups(ring);
        drop(ring);
    }
}

static bool rings_are_equal(const struct lbp_ring *a, const struct lbp_ring *b)
{
    return a->point_count == b->point_count && a->shift == b->shift &&
           memcmp(a->points, b->points, a->point_count * sizeof a->points[0]) ==
               0 &&
           memcmp(a->index, b->index, sizeof a->index[0] << (32 - a->shift)) ==
               0;
}

/* Random joins, leaves, replacements, weights: merged equals built anew. */
static void merging_equals_building_anew(void)
{
    uint64_t chance = 5;
    struct lbp_ring *ring;

    make_world(12, "n", 0);
    ring = build(30, NULL);
    for (uint32_t step = 0; step < 150; step++) {
        uint32_t slot = (uint32_t)(world_next(&chance) % 12);
        uint32_t weight = (uint32_t)(world_next(&chance) % 3);
        struct lbp_ring *merged, *fresh;
        char key[WORLD_KEY];

        snprintf(key, sizeof key, "step-%u", step);
        if (world_next(&chance) & 1)
            world_set_node(world, slot, key, weight);
        else
            world->nodes[slot].weight = weight;
        world->view.slot_count = 6 + (uint32_t)(world_next(&chance) % 7);
        merged = build(30, ring);
        fresh = build(30, NULL);
        CHECK(rings_are_equal(merged, fresh));
        CHECK(lbp_ring_is_current(merged, &world->view, 30));
        drop(fresh);
        drop(ring);
        ring = merged;
    }
    drop(ring);
}

/* Two slots with one key: every place has two points, the lower slot first. */
static void coinciding_points_are_ordered(void)
{
    struct lbp_ring *ring;

    forget();
    world = world_create(2);
    world_set_node(world, 0, "same", 1);
    world_set_node(world, 1, "same", 1);
    ring = build(50, NULL);
    for (uint32_t at = 0; at < 100; at += 2) {
        CHECK_UINT(ring->points[at].key, ring->points[at + 1].key);
        CHECK_UINT(ring->points[at].value, 0);
        CHECK_UINT(ring->points[at + 1].value, 1);
    }
    drop(ring);
}

/* The slot at a place of the ring where two points coincide. */
static uint32_t first_owner(const struct lbp_ring *ring, uint32_t place)
{
    uint32_t at = lbp_ring_find(ring, place);

    CHECK_UINT(ring->points[at].key, place);
    CHECK_UINT(ring->points[at + 1].key, place);
    return ring->points[at].value;
}

/*
 * MD5 of n688#60 and of n1024#64 both begin with 2018013748 (found with
 * Python's hashlib). "n1024" comes first byte by byte, whatever the slots, and
 * whichever of the two joined later.
 */
static void coinciding_points_follow_node_keys(void)
{
    const uint32_t place = 2018013748;
    struct lbp_ring *both, *one, *merged;

    forget();
    world = world_create(2);
    world_set_node(world, 0, "n688", 1);
    world_set_node(world, 1, "n1024", 1);
    both = build(100, NULL);
    CHECK_UINT(first_owner(both, place), 1);
    for (uint32_t late = 0; late < 2; late++) {
        world->nodes[late].weight = 0;
        one = build(100, NULL);
        world->nodes[late].weight = 1;
        merged = build(100, one);
        CHECK(rings_are_equal(merged, both));
        drop(one);
        drop(merged);
    }
    drop(both);
}

/* MD5 of g#492 and of g7#6769 both begin with 16222531 (likewise). A key that
   begins another comes before it. */
static void coinciding_points_put_the_shorter_key_first(void)
{
    struct lbp_ring *ring;

    forget();
    world = world_create(2);
    world_set_node(world, 0, "g7", 1);
    world_set_node(world, 1, "g", 1);
    ring = build(6770, NULL);
    CHECK_UINT(first_owner(ring, 16222531), 1);
    drop(ring);
}

static void health_alone_leaves_the_ring_current(void)
{
    struct lbp_ring *ring;

    make_world(3, "n", 0);
    ring = build(10, NULL);
    world->nodes[1].health = LBP_UNHEALTHY;
    CHECK(lbp_ring_is_current(ring, &world->view, 10));
    CHECK(!lbp_ring_is_current(ring, &world->view, 11));
    world_set_node(world, 1, "n0-1", 1); /* a new generation */
    CHECK(!lbp_ring_is_current(ring, &world->view, 10));
    world->view.slot_count = 2;
    CHECK(!lbp_ring_is_current(ring, &world->view, 10));
    drop(ring);
}

static int compare_doubles(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;

    return (one > other) - (one < other);
}

struct spread {
    double median_max, mean_max, sd;
};

/* Max over mean and relative sd of shares over many rings of other names. */
static struct spread measure_spread(uint32_t nodes, uint32_t replicas,
                                    uint32_t seeds)
{
    struct spread spread = {0};
    double *maxima = calloc(seeds, sizeof *maxima);
    double *shares = calloc(nodes, sizeof *shares);

    for (uint32_t seed = 0; seed < seeds; seed++) {
        struct lbp_ring *ring;

        make_world(nodes, "node", seed + 1);
        ring = build(replicas, NULL);
        lbp_ring_shares(ring, shares);
        maxima[seed] = lbp_ring_max_over_mean(ring, shares);
        spread.mean_max += maxima[seed] / seeds;
        for (uint32_t slot = 0; slot < nodes; slot++)
            spread.sd += (shares[slot] * nodes - 1) *
                         (shares[slot] * nodes - 1) / (nodes * (double)seeds);
        drop(ring);
    }
    spread.sd = sqrt(spread.sd);
    qsort(maxima, seeds, sizeof *maxima, compare_doubles);
    spread.median_max = (maxima[(seeds - 1) / 2] + maxima[seeds / 2]) / 2;
    free(maxima);
    free(shares);
    return spread;
}

/*
 * envoyproxy/envoy #5846: few points make a lopsided ring. Medians of 60 rings
 * by exact arc lengths; the tolerances are those of the public report's
 * reproduction, and for 10 points the sd of a median of 60 (0.03) times 4.
 */
static void few_points_make_a_lopsided_ring(void)
{
    static const struct {
        uint32_t nodes, replicas;
        double median, tolerance;
    } cases[] = {
        {3, 1, 1.98, 0.25},    {3, 10, 1.25, 0.12},    {3, 100, 1.07, 0.05},
        {3, 1000, 1.02, 0.05}, {10, 1, 2.8, 0.25},     {10, 10, 1.5, 0.12},
        {10, 100, 1.15, 0.05}, {10, 1000, 1.05, 0.05},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK_NEAR(
            measure_spread(cases[i].nodes, cases[i].replicas, 60).median_max,
            cases[i].median, cases[i].tolerance);
}

/*
 * Exact: sd sqrt((N-1)/(NV+1)); E[max] N = integral of 1 - P(V, t)^N over t,
 * divided by V, computed independently with mpmath. An estimate of the sd from
 * S rings of N shares errs by about 1/sqrt(2 S (N-1)) of itself, of the mean
 * maximum by sd_max/sqrt(S); four of either are allowed.
 */
static void shares_spread_as_theory_says(void)
{
    static const struct {
        uint32_t nodes, replicas;
        double sd, max_over_mean, sd_max;
    } cases[] = {
        {4, 1, 0.7745966692, 2.083333333, 0.6},
        {4, 40, 0.1365047266, 1.166850597, 0.09},
        {4, 100, 0.08649448976, 1.104648881, 0.06},
        {8, 10, 0.2939723679, 1.491774799, 0.23},
        {8, 100, 0.09348302603, 1.146871634, 0.06},
        {16, 40, 0.1529736449, 1.298729509, 0.1},
    };
    const uint32_t seeds = 100;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct spread spread =
            measure_spread(cases[i].nodes, cases[i].replicas, seeds);
        double error = 4 / sqrt(2.0 * seeds * (cases[i].nodes - 1));

        CHECK_NEAR(spread.sd, cases[i].sd, cases[i].sd * error);
        CHECK_NEAR(spread.mean_max, cases[i].max_over_mean,
                   4 * cases[i].sd_max / sqrt(seeds));
    }
}

/* Mean share that moves when the last node joins or leaves. */
static double moved_share(uint32_t nodes, uint32_t replicas, bool joins,
                          uint32_t seeds)
{
    double sum = 0;

    for (uint32_t seed = 0; seed < seeds; seed++) {
        struct lbp_ring *with, *without;
        struct lbp_ring_change change;

        make_world(nodes + 1, "node", seed);
        with = build(replicas, NULL);
        world->view.slot_count = nodes;
        without = build(replicas, with);
        change = joins ? lbp_ring_compare(without, with)
                       : lbp_ring_compare(with, without);
        sum += change.moved;
        CHECK_NEAR(change.needless, 0, 0);
        drop(with);
        drop(without);
    }
    return sum / seeds;
}

/* Exact: joining moves 1/(N+1) with the sd given, Beta(V, N V); leaving moves
   1/N. Four standard errors of 100 rings. */
static void joins_and_leaves_move_what_they_must(void)
{
    CHECK_NEAR(moved_share(4, 100, true, 100), 0.2, 0.4 * 0.01787068206);
    CHECK_NEAR(moved_share(8, 100, true, 100), 0.1111111111,
               0.4 * 0.01046984105);
    CHECK_NEAR(moved_share(16, 40, true, 100), 0.05882352941,
               0.4 * 0.009016490179);
    CHECK_NEAR(moved_share(3, 100, false, 100), 0.25, 0.4 * 0.0217);
    CHECK_NEAR(moved_share(7, 100, false, 100), 0.125, 0.4 * 0.0117);
    CHECK_NEAR(moved_share(15, 40, false, 100), 0.0625, 0.4 * 0.0096);
}

static void comparison_sees_needless_moves(void)
{
    struct lbp_ring *before, *after;
    struct lbp_ring_change change;

    make_world(2, "n", 0);
    before = build(100, NULL);
    after = build(50, NULL); /* fewer points of the same nodes */
    change = lbp_ring_compare(before, after);
    CHECK(change.moved > 0.05 && change.moved < 0.95);
    CHECK_NEAR(change.needless, change.moved, 1e-15);
    CHECK_NEAR(lbp_ring_compare(before, before).moved, 0, 0);
    drop(after);
    world_set_node(world, 1, "taken over", 1);
    after = build(100, before);
    change = lbp_ring_compare(before, after);
    CHECK(change.moved > 0.4);
    CHECK_NEAR(change.needless, 0, 0);
    drop(after);
    drop(before);
}

/* 98304 units of weight x 256 would be 25 million points. */
static void too_many_points_are_shared_in_proportion(void)
{
    uint32_t points[3];

    make_world(3, "n", 0);
    world->nodes[0].weight = 65535;
    world->nodes[1].weight = 32768;
    for (uint32_t slot = 0; slot < 3; slot++)
        points[slot] = lbp_ring_points(&world->view, 256, slot);
    CHECK(points[0] + points[1] + points[2] <= LBP_RING_MAX_POINTS);
    CHECK_NEAR((double)points[0] / points[1], 65535.0 / 32768, 1e-6);
    CHECK_UINT(points[2], LBP_RING_MAX_POINTS / 98304);
    world->nodes[0].weight = UINT32_MAX; /* the others keep one at least */
    CHECK_UINT(lbp_ring_points(&world->view, 256, 2), 1);
    world->nodes[0].weight = 2;
    CHECK_UINT(lbp_ring_points(&world->view, 200, 0), 400);
}

static void empty_ring_is_a_ring(void)
{
    struct lbp_ring *ring;
    double shares[1] = {7};

    make_world(1, "n", 0);
    world->nodes[0].weight = 0;
    ring = build(100, NULL);
    CHECK_UINT(ring->point_count, 0);
    lbp_ring_shares(ring, shares);
    CHECK_NEAR(shares[0], 0, 0);
    CHECK_NEAR(lbp_ring_max_over_mean(ring, shares), 0, 0);
    drop(ring);
}

static void missing_memory_yields_no_ring(void)
{
    for (uint32_t after = 0; after < 2; after++) {
        make_world(3, "n", 0);
        world->fail_after = after;
        CHECK(lbp_ring_build(&world->view, 10, NULL, &world->host) == NULL);
        CHECK_UINT(world->allocations, 0);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo places[] = {
        {"points stand where MD5 puts them", points_stand_where_md5_puts_them},
        {"weight is the number of points", weight_is_the_number_of_points},
        {"lookup equals a linear search", lookup_equals_a_linear_search},
        {"merging equals building anew", merging_equals_building_anew},
        {"coinciding points are ordered", coinciding_points_are_ordered},
        {"coinciding points follow node keys",
         coinciding_points_follow_node_keys},
        {"coinciding points put the shorter key first",
         coinciding_points_put_the_shorter_key_first},
        {"health alone leaves the ring current",
         health_alone_leaves_the_ring_current},
        {"too many points are shared in proportion",
         too_many_points_are_shared_in_proportion},
        {"empty ring is a ring", empty_ring_is_a_ring},
        {"missing memory yields no ring", missing_memory_yields_no_ring},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo shares[] = {
        {"few points make a lopsided ring", few_points_make_a_lopsided_ring},
        {"shares spread as theory says", shares_spread_as_theory_says},
        {"joins and leaves move what they must",
         joins_and_leaves_move_what_they_must},
        {"comparison sees needless moves", comparison_sees_needless_moves},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("ring", NULL, NULL, no_world, forget, places),
        SUITE("ring shares", NULL, NULL, no_world, forget, shares),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
