/*
 * The shared result tier, by hand: 99 requests, every 0.1 s from 0.1 s to
 * 9.9 s, all ask the same key. A look-up that hits answers after 5 ms, one
 * that misses takes 1 ms, one that fails 60 ms; a node works for 50 ms.
 */
#include "tests/unit/experiment/simulation_world.h"

static void use_keys(uint64_t distinct)
{
    struct keys_spec spec = {.kind = KEYS_ZIPF,
                             .exponent = 0,
                             .distinct = distinct,
                             .repeat_share = 1};

    CHECK(keys_init(&scenario.workload.keys, &spec));
}

static struct tier_outage outage;

static void prepare_tier(void)
{
    prepare();
    use_keys(1);
    scenario.tier = (struct tier_spec){
        .given = true,
        .entries = 10,
        .bytes_per_token = 4,
        .ttl_ns = INT64_MAX,
        .hit_time_ns = 5000000,
        .miss_time_ns = 1000000,
        .timeout_ns = 60000000,
    };
    setup.keep_latencies = true;
}

static void use_outage(int64_t at_ns, int64_t for_ns, bool cold)
{
    outage = (struct tier_outage){at_ns, for_ns, cold};
    scenario.tier.outages = &outage;
    scenario.tier.outage_count = 1;
}

static void hit_is_answered_without_a_pick(void)
{
    run(SIM_OK);
    CHECK_UINT(probe.picks, 1);
    CHECK_UINT(result.books.completed, 99);
    CHECK_UINT(result.nodes[0].attempts, 1);
    CHECK_UINT(result.nodes[0].completed, 1);
    CHECK_NEAR(result.latencies[0], 0.051, 1e-9);
    for (int i = 1; i < 99; i++)
        CHECK_NEAR(result.latencies[i], 0.005, 1e-9);
    CHECK_NEAR(result.values[M_TIER_HIT], 98.0 / 99, 1e-12);
    CHECK_NEAR(result.values[M_TIER_FAILED], 0, 0);
    CHECK_NEAR(result.values[M_THROUGHPUT], 9.9, 1e-9);
    CHECK_NEAR(result.values[M_IN_FLIGHT], 0.005, 1e-9); /* 50 ms of 10 s */
}

static void without_a_tier_there_is_no_value(void)
{
    scenario.tier.given = false;
    run(SIM_OK);
    CHECK_UINT(probe.picks, 99);
    CHECK(isnan(result.values[M_TIER_HIT]));
    CHECK(isnan(result.values[M_TIER_FAILED]));
    CHECK(isnan(result.buckets[0].tier_hit_ratio));
    CHECK(isnan(result.buckets[0].tier_out_ratio));
}

/* The node takes 0.25 s: from 0.101 to 0.351 s. What arrives meanwhile, at 0.2
   and 0.3 s, waits for its turn there; the next one hits. */
static void answers_fill_when_they_come_back(void)
{
    scenario.workload.work = constant(0.25);
    run(SIM_OK);
    CHECK_UINT(probe.picks, 3);
    CHECK_NEAR(result.latencies[0], 0.251, 1e-9);
    CHECK_NEAR(result.latencies[1], 0.401, 1e-9);
    CHECK_NEAR(result.latencies[2], 0.551, 1e-9);
    CHECK_NEAR(result.latencies[3], 0.005, 1e-9);
}

static void misses_may_fill_at_once(void)
{
    scenario.workload.work = constant(0.25);
    scenario.tier.fill = TIER_FILL_AT_MISS;
    run(SIM_OK);
    CHECK_UINT(probe.picks, 1);
    CHECK_NEAR(result.values[M_TIER_HIT], 98.0 / 99, 1e-12);
}

/* Stored 0.051 s after a miss, good for a second: the next miss comes 1.1 s
   after the last, at 0.1, 1.2, ... 8.9 s. */
static void answers_age(void)
{
    scenario.tier.ttl_ns = S;
    run(SIM_OK);
    CHECK_UINT(probe.picks, 9);
    CHECK_NEAR(result.latencies[11], 0.051, 1e-9);
    CHECK_NEAR(result.latencies[12], 0.005, 1e-9);
}

/* Out from 2.05 to 3.07 s: ten look-ups fail and go to the node, whose last
   answer comes back at 3.11 s. Cold, the one at 3.1 s misses: it comes to the
   node at 3.101 s, which is free at 3.11 s. */
static void outage_costs_its_time_out(void)
{
    use_outage(205 * S / 100, 102 * S / 100, true);
    run(SIM_OK);
    CHECK_UINT(probe.picks, 1 + 10 + 1);
    CHECK_NEAR(result.values[M_TIER_FAILED], 10, 0);
    CHECK_NEAR(result.values[M_TIER_HIT], 87.0 / 99, 1e-12);
    CHECK_NEAR(result.latencies[19], 0.005, 1e-9);
    CHECK_NEAR(result.latencies[20], 0.11, 1e-9);
    CHECK_NEAR(result.latencies[29], 0.11, 1e-9);
    CHECK_NEAR(result.latencies[30], 0.06, 1e-9);
    CHECK_NEAR(result.latencies[31], 0.005, 1e-9);

    double out_s = 0;
    for (uint32_t b = 0; b < result.bucket_count; b++)
        out_s += result.buckets[b].tier_out_ratio *
                 (result.buckets[b].end_s - result.buckets[b].start_s);
    CHECK_NEAR(out_s, 1.02, 1e-6);
}

static void what_was_stored_may_outlast_an_outage(void)
{
    use_outage(205 * S / 100, 102 * S / 100, false);
    run(SIM_OK);
    CHECK_UINT(probe.picks, 11);
    CHECK_NEAR(result.latencies[30], 0.005, 1e-9);
}

/* Out all the while, and for ever: as without a tier, but later. */
static void endless_outage_stores_nothing(void)
{
    use_outage(0, INT64_MAX, true);
    run(SIM_OK);
    CHECK_UINT(probe.picks, 99);
    CHECK_NEAR(result.values[M_TIER_HIT], 0, 0);
    CHECK_NEAR(result.values[M_LATENCY_MAX], 0.11, 1e-9);
}

static void all_balancers_share_it(void)
{
    scenario.balancer.count = 4;
    run(SIM_OK);
    CHECK_UINT(probe.picks, 1);
}

/* 4 ms in all: the first is given up in the node, the others while they wait
   for their hit. */
static void time_outs_reach_into_the_tier(void)
{
    scenario.balancer.timeout.total_ns = 4000000;
    scenario.tier.fill = TIER_FILL_AT_MISS;
    run(SIM_OK);
    CHECK_UINT(probe.picks, 1);
    CHECK_UINT(result.books.timed_out, 99);
    CHECK_UINT(result.books.completed, 0);
    scenario.tier.fill = TIER_FILL_AT_ANSWER; /* then nothing is ever stored */
    probe.picks = 0;
    run(SIM_OK);
    CHECK_UINT(probe.picks, 99);
    CHECK_UINT(result.books.timed_out, 99);
}

static void times_of_nothing_are_allowed(void)
{
    scenario.tier.hit_time_ns = scenario.tier.miss_time_ns = 0;
    run(SIM_OK);
    CHECK_NEAR(result.latencies[0], 0.05, 1e-9);
    CHECK_NEAR(result.latencies[1], 0, 0);
    CHECK_UINT(result.books.completed, 99);
}

/* Out until 0.25 s: the look-ups at 0.1 and 0.2 s fail. The answer that comes
   back at 0.21 s is not stored, the one at 0.31 s is: the request in between,
   at 0.3 s, goes to the policy, which refuses it. */
static void answers_in_an_outage_are_not_stored(void)
{
    probe.third = LBP_REFUSE; /* requests 2, 5, 8, ... */
    use_outage(0, 25 * S / 100, false);
    run(SIM_OK);
    CHECK_UINT(result.books.refused, 1);
    CHECK_UINT(probe.picks, 3);
    CHECK_UINT(result.books.completed, 98);
}

static void without_keys_nothing_is_looked_up(void)
{
    scenario.workload.keys.spec.kind = KEYS_NONE;
    run(SIM_OK);
    CHECK_UINT(probe.picks, 99);
    CHECK_NEAR(result.latencies[0], 0.05, 1e-9);
}

/* An endless tier hits what one endless cache would, to the request. */
static void endless_tier_is_the_ideal(void)
{
    use_keys(20);
    scenario.tier.entries = 1000;
    scenario.tier.fill = TIER_FILL_AT_MISS;
    run(SIM_OK);
    CHECK(result.values[M_IDEAL_HIT] > 0.7 && result.values[M_IDEAL_HIT] < 1);
    CHECK_NEAR(result.values[M_TIER_HIT], result.values[M_IDEAL_HIT], 1e-12);
    CHECK_NEAR((double)result.nodes[0].completed,
               99 * (1 - result.values[M_TIER_HIT]), 1e-9);
}

/* Too small for its keys it hits what the cache of a single node would. */
static void small_tier_is_as_good_as_a_node_of_its_size(void)
{
    double alone;

    use_keys(20);
    scenario.tier.given = false;
    groups[0].result_cache =
        (struct result_cache_spec){.given = true,
                                   .entries = 7,
                                   .bytes_per_token = 4,
                                   .ttl_ns = INT64_MAX,
                                   .fill = CACHE_FILL_AT_MISS};
    run(SIM_OK);
    alone = result.values[M_RESULT_HIT];
    CHECK(alone > 0.1 && alone < 0.6);
    groups[0].result_cache.given = false;
    scenario.tier.given = true;
    scenario.tier.entries = 7;
    scenario.tier.fill = TIER_FILL_AT_MISS;
    run(SIM_OK);
    CHECK_NEAR(result.values[M_TIER_HIT], alone, 1e-12);
}

/* Behind an endless tier a node's cache sees every key once. */
static void caches_of_nodes_get_what_it_lets_through(void)
{
    use_keys(20);
    groups[0].result_cache =
        (struct result_cache_spec){.given = true,
                                   .entries = 1000,
                                   .bytes_per_token = 4,
                                   .ttl_ns = INT64_MAX,
                                   .fill = CACHE_FILL_AT_MISS};
    scenario.tier.entries = 1000;
    scenario.tier.fill = TIER_FILL_AT_MISS;
    run(SIM_OK);
    CHECK_NEAR(result.values[M_RESULT_HIT], 0, 0);
    CHECK_NEAR(result.values[M_TIER_HIT], result.values[M_IDEAL_HIT], 1e-12);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"a hit is answered without a pick", hit_is_answered_without_a_pick},
        {"without a tier there is no value", without_a_tier_there_is_no_value},
        {"answers fill when they come back", answers_fill_when_they_come_back},
        {"misses may fill at once", misses_may_fill_at_once},
        {"answers age", answers_age},
        {"an outage costs its time-out", outage_costs_its_time_out},
        {"what was stored may outlast an outage",
         what_was_stored_may_outlast_an_outage},
        {"an endless outage stores nothing", endless_outage_stores_nothing},
        {"all balancers share it", all_balancers_share_it},
        {"time-outs reach into the tier", time_outs_reach_into_the_tier},
        {"times of nothing are allowed", times_of_nothing_are_allowed},
        {"answers in an outage are not stored",
         answers_in_an_outage_are_not_stored},
        {"without keys nothing is looked up",
         without_keys_nothing_is_looked_up},
        {"an endless tier is the ideal", endless_tier_is_the_ideal},
        {"a small tier is as good as a node of its size",
         small_tier_is_as_good_as_a_node_of_its_size},
        {"caches of nodes get what it lets through",
         caches_of_nodes_get_what_it_lets_through},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("tier", NULL, NULL, prepare_tier, forget, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
