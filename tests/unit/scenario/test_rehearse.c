/*
 * What policies are asked before traffic. The ring's own arcs (policies/ring.h)
 * say exactly what asking for keys can only sample: 100,000 keys tell a share
 * s to sqrt(s (1 - s) / 100000), and four times that is allowed.
 */
#include "policies/ring.h"
#include "sim/scenario/describe.h"
#include "sim/scenario/rehearse.h"
#include "tests/unit/scenario/scenario_text.h"

static void *take(void *context, size_t size)
{
    (void)context;
    return malloc(size);
}

static void drop(void *context, void *memory)
{
    (void)context;
    free(memory);
}

static struct scenario *load_pool(const char *nodes, const char *policies)
{
    char text[21000];

    snprintf(text, sizeof text,
             "lbsim: 1\nduration: 1 min\nworkload:\n"
             "  arrivals: {process: poisson, rate: 1/s}\n"
             "  work: {dist: constant, value: 250 ms}\n"
             "  keys: {dist: zipf, distinct: 9}\n"
             "nodes: %s\npolicies: %s\n",
             nodes, policies);
    return loaded(load_with(text, NULL, 0));
}

/* Exact shares of the ring that the nodes of replication 1 stand on. */
static void ring_shares(const struct scenario *scenario, uint32_t replicas,
                        double *ret_shares, double *ret_max_over_mean)
{
    struct lbp_host host = {.allocate = take, .release = drop};
    struct lbp_node nodes[16];
    char names[16 * DESCRIBE_NAME_SIZE];
    struct lbp_view view = {.size = sizeof view,
                            .slot_count = scenario->node_count,
                            .node_stride = sizeof *nodes,
                            .nodes = nodes};
    struct lbp_ring *ring;

    describe_nodes(scenario, 1, nodes, names);
    ring = lbp_ring_build(&view, replicas, NULL, &host);
    lbp_ring_shares(ring, ret_shares);
    *ret_max_over_mean = lbp_ring_max_over_mean(ring, ret_shares);
    lbp_ring_destroy(ring, &host);
}

static void check_against_ring(uint32_t nodes, uint32_t replicas)
{
    char pool[100], policies[100];
    double shares[16], exact, share;
    struct key_share asked;
    struct scenario *s;

    snprintf(pool, sizeof pool, "[{group: gpu, count: %u}]", nodes);
    snprintf(policies, sizeof policies, "[{ring_hash: {replicas: %u}}]",
             replicas);
    s = load_pool(pool, policies);
    ring_shares(s, replicas, shares, &exact);
    share = exact / nodes;
    CHECK(rehearse_key_share(s, 0, &asked));
    CHECK_NEAR(asked.max_over_mean, exact,
               4 * nodes * sqrt(share * (1 - share) / REHEARSE_KEYS));
    CHECK_NEAR(shares[asked.node] * nodes, exact, 0.02);
    scenario_destroy(s);
}

static void asking_finds_the_arcs_of_the_ring(void)
{
    static const uint32_t nodes[] = {3, 10};
    static const uint32_t replicas[] = {1, 10, 100, 1000};

    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 4; j++)
            check_against_ring(nodes[i], replicas[j]);
}

/* Weights of 3 and 1: a node of weight 3 is due three tenths of all keys. */
static void shares_are_held_against_weights(void)
{
    struct scenario *s = load_pool("[{group: a, count: 3, weight: 3}, "
                                   "{group: b, count: 1}]",
                                   "[ring_hash]");
    double shares[16], plain, most = 0;
    struct key_share asked;

    ring_shares(s, 100, shares, &plain);
    for (int i = 0; i < 4; i++)
        most = fmax(most, shares[i] / (i < 3 ? 0.3 : 0.1));
    CHECK(rehearse_key_share(s, 0, &asked));
    CHECK_NEAR(asked.max_over_mean, most, 0.02);
    CHECK(plain > most); /* what weight explains is no unevenness */
    scenario_destroy(s);
}

static struct scenario *load_rings(int count)
{
    char list[20000] = "[";

    for (int i = 1; i <= count; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list),
                 "%s{ring_hash: {replicas: %d}}", i > 1 ? ", " : "", i);
    snprintf(list + strlen(list), sizeof list - strlen(list), "]");
    return load_pool("[{group: gpu, count: 2}]", list);
}

/* Forty share a million keys; of five hundred nothing is asked. */
static void many_policies_are_asked_for_less(void)
{
    struct key_share asked;
    struct scenario *s = load_rings(40);

    CHECK(rehearse_key_share(s, 39, &asked));
    CHECK_UINT(asked.keys, 25000);
    CHECK(asked.max_over_mean >= 1);
    CHECK(rehearse_is_quick(s));
    scenario_destroy(s);
    s = load_rings(500);
    CHECK(rehearse_key_share(s, 499, &asked));
    CHECK(isnan(asked.max_over_mean));
    CHECK(!rehearse_is_quick(s));
    scenario_destroy(s);
}

static void asking_twice_says_the_same(void)
{
    struct scenario *s = load_pool("[{group: gpu, count: 5}]", "[ring_hash]");
    struct key_share first, second;

    CHECK(rehearse_key_share(s, 0, &first));
    CHECK(rehearse_key_share(s, 0, &second));
    CHECK_NEAR(first.max_over_mean, second.max_over_mean, 0);
    CHECK_UINT(first.node, second.node);
    scenario_destroy(s);
}

static void only_policies_of_keys_are_asked(void)
{
    struct scenario *s = load_pool("[{group: gpu, count: 2}]", "[round_robin]");
    struct key_share asked;

    CHECK(rehearse_key_share(s, 0, &asked));
    CHECK(isnan(asked.max_over_mean));
    scenario_destroy(s);
    s = loaded(load_changed("[round_robin]", "[ring_hash]"));
    CHECK(rehearse_key_share(s, 0, &asked)); /* requests have no keys */
    CHECK(isnan(asked.max_over_mean));
    scenario_destroy(s);
}

#define MIXED "[{group: a, count: 3, weight: 3}, {group: b, count: 1}]"

static void weights_are_read_or_not(void)
{
    static const bool expected[] = {false, false, true, true, false, true};
    struct scenario *s =
        load_pool(MIXED, "[round_robin, random, smooth_weighted, least_conn, "
                         "{least_conn: {ignore_weights: true}}, ring_hash]");

    for (uint32_t i = 0; i < 6; i++)
        CHECK_UINT(rehearse_goes_by_weights(s, i), expected[i]);
    scenario_destroy(s);
}

/* A ring is not rebuilt while a node warms up; a prediction is made longer. */
static void changes_of_weight_are_minded_or_not(void)
{
    static const bool weight[] = {false, false, true, true, true, false};
    static const bool warm_up[] = {false, false, true, true, false, true};
    struct scenario *s =
        load_pool("[{group: a, count: 3}]",
                  "[round_robin, two_choices, smooth_weighted, least_conn, "
                  "ring_hash, predict]");

    for (uint32_t i = 0; i < 6; i++) {
        CHECK_UINT(rehearse_minds_weight_changes(s, i), weight[i]);
        CHECK_UINT(rehearse_minds_warm_up(s, i), warm_up[i]);
    }
    scenario_destroy(s);
}

/*
 * Group b is one node of four and never answers. Who does not look sends it a
 * quarter, or a tenth by weight; least_conn and two choices no more than fill
 * it up to the others' level, where sixteen requests are inside at most.
 */
static void a_stuck_node_gets_what_it_gets(void)
{
    struct scenario *s =
        load_pool(MIXED, "[round_robin, random, smooth_weighted, least_conn, "
                         "two_choices]");
    double share[5];

    for (uint32_t i = 0; i < 5; i++)
        share[i] = rehearse_share_when_stuck(s, i, 1);
    CHECK_NEAR(share[0], 0.25, 1e-9);
    CHECK_NEAR(share[1], 0.25, 4 * sqrt(0.25 * 0.75 / 10000));
    CHECK_NEAR(share[2], 0.1, 1e-9);
    CHECK(share[3] <= 16.0 / 10000);
    CHECK(share[4] <= 16.0 / 10000);
    /* Three stuck nodes of four: two choices pick among them with (3/4)(2/3),
       a sixth for each (Foss and Chernova's bound of stability). */
    CHECK_NEAR(rehearse_share_when_stuck(s, 4, 0), 1.0 / 6, 0.01);
    scenario_destroy(s);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"asking finds the arcs of the ring",
         asking_finds_the_arcs_of_the_ring},
        {"shares are held against weights", shares_are_held_against_weights},
        {"many policies are asked for less", many_policies_are_asked_for_less},
        {"asking twice says the same", asking_twice_says_the_same},
        {"only policies of keys are asked", only_policies_of_keys_are_asked},
        {"weights are read or not", weights_are_read_or_not},
        {"changes of weight are minded or not",
         changes_of_weight_are_minded_or_not},
        {"a stuck node gets what it gets", a_stuck_node_gets_what_it_gets},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("rehearse", NULL, NULL, NULL, forget_diag, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
