/*
 * Outlier detection step by step. Expected values by hand from Envoy's
 * outlier_detection_impl.cc and gRFC A50; the rates of the tick's tests are
 * those of test_outlier_stats.c.
 */
#include "sim/frontdoor/outliers.h"
#include "tests/check.h"

#define S INT64_C(1000000000)
#define MS INT64_C(1000000)
#define NODES_MAX 20

static struct outlier_spec spec;
static struct outliers outliers;
static struct arena arena;
static uint32_t ejections, returns;
static uint32_t last_node;
static enum outlier_cause last_cause;

static void count_change(void *context, uint32_t node, bool ejected,
                         enum outlier_cause cause)
{
    (void)context;
    last_node = node;
    if (ejected) {
        ejections++;
        last_cause = cause;
    } else {
        returns++;
    }
}

/* Envoy's defaults. */
static void envoy(void)
{
    spec = (struct outlier_spec){
        .given = true,
        .rule = OUTLIER_ENVOY,
        .interval_ns = 10 * S,
        .base_ns = 30 * S,
        .max_ns = 300 * S,
        .max_ejected = 0.1,
        .returned_by_checks = true,
        .consecutive = {{5, 1}, {5, 0}, {5, 1}},
        .success_rate = {5, 100, 1900, 1},
        .failure_percentage = {5, 50, 0.85, 0},
        .latency = {false, OUTLIER_OF_TTFT, 3, 50, 1},
    };
}

static void make(uint32_t nodes)
{
    struct rng rng;

    rng_seed(&rng, 1, 1);
    arena_done(&arena);
    arena = (struct arena){0};
    outliers_init(&outliers, &spec, nodes, rng, &arena);
    outliers.on_change = count_change;
    ejections = 0;
    returns = 0;
}

static void ten_nodes(void)
{
    envoy();
    make(10);
}

static void free_all(void)
{
    arena_done(&arena);
    arena = (struct arena){0};
}

static void over(uint32_t node, uint32_t count, enum blame blame,
                 int64_t now_ns)
{
    for (uint32_t i = 0; i < count; i++)
        outliers_over(&outliers, node, blame, now_ns);
}

/* A hundred requests of which so many were good, never five bad in a row. */
static void hundred(uint32_t node, uint32_t good, int64_t now_ns)
{
    uint32_t bad = 100 - good;

    for (uint32_t i = 0; i < 100; i++) {
        bool fails = (i + 1) * bad / 100 > i * bad / 100;

        over(node, 1, fails ? BLAME_WRONG : BLAME_GOOD, now_ns);
    }
}

/* --- in a row ------------------------------------------------------------- */

static void fifth_failure_in_a_row_ejects(void)
{
    over(3, 4, BLAME_WRONG, S);
    CHECK_UINT(ejections, 0);
    over(3, 1, BLAME_BROKEN, S);
    CHECK_UINT(ejections, 1);
    CHECK_UINT(last_node, 3);
    CHECK_INT(last_cause, OUTLIER_5XX);
    CHECK(outliers.nodes[3].ejected);
}

static void success_between_starts_the_count_anew(void)
{
    over(3, 4, BLAME_WRONG, S);
    over(3, 1, BLAME_GOOD, S);
    over(3, 4, BLAME_WRONG, S);
    CHECK_UINT(ejections, 0);
}

static void full_nodes_and_silence_are_no_failures(void)
{
    over(3, 20, BLAME_OVERLOAD, S);
    over(3, 20, BLAME_NOTHING, S);
    CHECK_UINT(ejections, 0);
    spec.counts_overload = true;
    over(3, 5, BLAME_OVERLOAD, S);
    CHECK_UINT(ejections, 1);
}

/* Gateway failures are detected by themselves but not enforced; with another
   kind of failure among them they are no longer in a row. */
static void gateway_failures_are_a_row_of_their_own(void)
{
    spec.consecutive[OUTLIER_5XX].enforcing = 0;
    over(3, 4, BLAME_CONNECT, S);
    CHECK_UINT(outliers.not_enforced, 0);
    over(3, 1, BLAME_TIMEOUT, S);
    CHECK_UINT(outliers.not_enforced, 2); /* one of each row */
    spec.consecutive[OUTLIER_GATEWAY].enforcing = 1;
    over(3, 4, BLAME_CONNECT, S);
    over(3, 1, BLAME_WRONG, S);
    CHECK_UINT(ejections, 0);
    over(3, 5, BLAME_CONNECT, S);
    CHECK_UINT(ejections, 1);
    CHECK_INT(last_cause, OUTLIER_GATEWAY);
}

/* Connections apart: five failed ones are no failures of answers. */
static void local_errors_are_split_off(void)
{
    spec.split_local = true;
    over(3, 4, BLAME_CONNECT, S);
    over(3, 1, BLAME_WRONG, S); /* its connection is a good one */
    over(3, 4, BLAME_CONNECT, S);
    CHECK_UINT(ejections, 0);
    over(3, 1, BLAME_CONNECT, S);
    CHECK_UINT(ejections, 1);
    CHECK_INT(last_cause, OUTLIER_LOCAL);
    CHECK_UINT(outliers.nodes[3].tallies[OUTLIER_EXTERNAL].total, 1);
    CHECK_UINT(outliers.nodes[3].tallies[OUTLIER_OWN_SIDE].total, 10);
}

/* Ten percent of ten nodes is one. The row starts anew all the same. */
static void second_node_is_over_the_cap(void)
{
    over(3, 5, BLAME_WRONG, S);
    over(4, 5, BLAME_WRONG, S);
    CHECK_UINT(ejections, 1);
    CHECK_UINT(outliers.over_cap, 1);
    CHECK_UINT(outliers.nodes[4].in_a_row[OUTLIER_5XX], 0);
}

static void of_five_nodes_none_goes(void)
{
    make(5);
    over(3, 5, BLAME_WRONG, S);
    CHECK_UINT(ejections, 0);
    CHECK_UINT(outliers.over_cap, 1);
    spec.always_eject_one = true;
    over(3, 5, BLAME_WRONG, S);
    over(4, 5, BLAME_WRONG, S);
    CHECK_UINT(ejections, 1);
}

/* What was under way when it went is not held against it twice: it goes once,
   and starts without a count when it comes back. */
static void late_failures_are_forgotten(void)
{
    spec.max_ejected = 1;
    over(3, 5, BLAME_WRONG, 10 * S);
    over(3, 9, BLAME_WRONG, 12 * S);
    CHECK_UINT(ejections, 1);
    CHECK_UINT(outliers.ejected_count, 1);
    outliers_tick(&outliers, 40 * S);
    over(3, 4, BLAME_WRONG, 41 * S);
    CHECK_UINT(ejections, 1);
    over(3, 1, BLAME_WRONG, 41 * S);
    CHECK_UINT(ejections, 2);
}

/* --- ticks: returns ------------------------------------------------------- */

/* Ejected at 11 s for 30 s: the tick at 40 s is too early. */
static void node_returns_at_a_tick(void)
{
    over(3, 5, BLAME_WRONG, 11 * S);
    for (int64_t t = 20; t <= 40; t += 10)
        outliers_tick(&outliers, t * S);
    CHECK_UINT(returns, 0);
    outliers_tick(&outliers, 50 * S);
    CHECK_UINT(returns, 1);
    CHECK(!outliers.nodes[3].ejected);
}

/* At 10 s for 30 s: Envoy returns it at 40 s, gRPC, which wants more than the
   time to have passed, at 50 s. */
static void grpc_returns_after_the_time_and_not_with_it(void)
{
    over(3, 5, BLAME_WRONG, 10 * S);
    outliers_tick(&outliers, 40 * S);
    CHECK_UINT(returns, 1);
    ten_nodes();
    spec.rule = OUTLIER_GRPC;
    for (uint32_t i = 0; i < 10; i++)
        hundred(i, i == 3 ? 80 : 100, 9 * S);
    outliers_tick(&outliers, 10 * S);
    CHECK_UINT(ejections, 1);
    outliers_tick(&outliers, 40 * S);
    CHECK_UINT(returns, 0);
    outliers_tick(&outliers, 50 * S);
    CHECK_UINT(returns, 1);
}

/* Two ejections in a row last 30 and 60 s. After the second return at 100 s
   each whole interval inside takes one off: at 110 and 120 s. */
static void ejections_grow_and_are_forgiven(void)
{
    over(3, 5, BLAME_WRONG, 10 * S);
    outliers_tick(&outliers, 40 * S); /* returns */
    CHECK_UINT(outliers.nodes[3].multiplier, 1);
    over(3, 5, BLAME_WRONG, 40 * S);
    CHECK_UINT(outliers.nodes[3].multiplier, 2);
    outliers_tick(&outliers, 90 * S);
    CHECK_UINT(returns, 1);
    outliers_tick(&outliers, 100 * S);
    CHECK_UINT(returns, 2);
    CHECK_UINT(outliers.nodes[3].multiplier, 2);
    outliers_tick(&outliers, 110 * S);
    CHECK_UINT(outliers.nodes[3].multiplier, 1);
    outliers_tick(&outliers, 120 * S);
    outliers_tick(&outliers, 130 * S);
    CHECK_UINT(outliers.nodes[3].multiplier, 0);
}

/* Returned by a check at 15 s: the tick at 20 s is no whole interval later. */
static void successful_check_returns_a_node(void)
{
    over(3, 5, BLAME_WRONG, 11 * S);
    outliers_checked(&outliers, 3, 15 * S);
    CHECK_UINT(returns, 1);
    outliers_tick(&outliers, 20 * S);
    CHECK_UINT(outliers.nodes[3].multiplier, 1);
    outliers_tick(&outliers, 30 * S);
    CHECK_UINT(outliers.nodes[3].multiplier, 0);
    spec.returned_by_checks = false;
    over(3, 5, BLAME_WRONG, 31 * S);
    outliers_checked(&outliers, 3, 32 * S);
    CHECK_UINT(returns, 1);
}

static void jitter_makes_it_longer(void)
{
    bool longer = false;

    spec.jitter_ns = 5 * S;
    for (int i = 0; i < 100; i++) {
        make(10);
        outliers.rng.state += (rng_u128)i << 70;
        over(3, 5, BLAME_WRONG, 10 * S);
        CHECK(outliers.nodes[3].jitter_ns >= 0);
        CHECK(outliers.nodes[3].jitter_ns <= 5 * S);
        longer |= outliers.nodes[3].jitter_ns > 4 * S;
    }
    CHECK(longer); /* fails by chance once in 5e9 */
    outliers.nodes[3].jitter_ns = 1;
    outliers_tick(&outliers, 40 * S);
    CHECK_UINT(returns, 0);
    outliers_tick(&outliers, 50 * S);
    CHECK_UINT(returns, 1);
}

/* --- ticks: rates --------------------------------------------------------- */

static void low_success_rate_ejects(void)
{
    for (uint32_t i = 0; i < 10; i++)
        hundred(i, i == 3 ? 80 : 100, 9 * S);
    outliers_tick(&outliers, 10 * S);
    CHECK_UINT(ejections, 1);
    CHECK_UINT(last_node, 3);
    CHECK_INT(last_cause, OUTLIER_SUCCESS_RATE);
}

static void last_interval_alone_counts(void)
{
    for (uint32_t i = 0; i < 10; i++)
        hundred(i, i == 3 ? 80 : 100, 9 * S);
    spec.success_rate.enforcing = 0;
    outliers_tick(&outliers, 10 * S);
    spec.success_rate.enforcing = 1;
    outliers_tick(&outliers, 20 * S);
    CHECK_UINT(ejections, 0);
    CHECK_UINT(outliers.not_enforced, 1);
}

static void small_differences_are_none(void)
{
    static const uint32_t rates[] = {99, 98, 97, 99, 96};

    make(5);
    spec.always_eject_one = true;
    for (uint32_t i = 0; i < 5; i++)
        hundred(i, rates[i], 9 * S);
    outliers_tick(&outliers, 10 * S);
    CHECK_UINT(ejections, 0);
    CHECK_UINT(outliers.over_cap, 0);
}

/* With 99 requests a node is not looked at, and four others are too few. */
static void rates_want_volume_and_nodes(void)
{
    make(5);
    spec.always_eject_one = true;
    hundred(0, 50, 9 * S);
    for (uint32_t i = 1; i < 5; i++)
        over(i, 99, BLAME_GOOD, 9 * S);
    outliers_tick(&outliers, 10 * S);
    CHECK_UINT(ejections, 0);
    hundred(0, 50, 19 * S);
    for (uint32_t i = 1; i < 5; i++)
        over(i, 100, BLAME_GOOD, 19 * S);
    outliers_tick(&outliers, 20 * S);
    CHECK_UINT(ejections, 1);
    CHECK_UINT(last_node, 0);
}

/* One of five: 20 % is above the cap of 10 % for Envoy; for gRPC 0 % is below
   it, and the next is not. */
static void of_five_nodes_grpc_ejects_one(void)
{
    make(5);
    for (uint32_t i = 0; i < 5; i++)
        hundred(i, i == 0 ? 50 : 100, 9 * S);
    outliers_tick(&outliers, 10 * S);
    CHECK_UINT(ejections, 0);
    spec.rule = OUTLIER_GRPC;
    spec.failure_percentage.enforcing = 1;
    spec.failure_percentage.threshold = 0.4;
    for (uint32_t i = 0; i < 5; i++)
        hundred(i, i < 2 ? 50 : 100, 19 * S);
    outliers_tick(&outliers, 20 * S);
    CHECK_UINT(ejections, 1);
    CHECK(outliers.over_cap > 0);
}

/* Exactly 85 failures of 100: enough for Envoy, not for gRPC. */
static void grpc_compares_failures_strictly(void)
{
    spec.success_rate.enforcing = 0;
    spec.failure_percentage.enforcing = 1;
    spec.consecutive[OUTLIER_5XX].enforcing = 0;
    for (uint32_t i = 0; i < 10; i++)
        hundred(i, i == 3 ? 15 : 100, 9 * S);
    outliers_tick(&outliers, 10 * S);
    CHECK_UINT(ejections, 1);
    CHECK_INT(last_cause, OUTLIER_FAILURE_PERCENTAGE);
    make(10);
    spec.rule = OUTLIER_GRPC;
    for (uint32_t i = 0; i < 10; i++)
        hundred(i, i == 3 ? 15 : 100, 9 * S);
    outliers_tick(&outliers, 10 * S);
    CHECK_UINT(ejections, 0);
    for (uint32_t i = 0; i < 10; i++)
        hundred(i, i == 3 ? 14 : 100, 19 * S);
    outliers_tick(&outliers, 20 * S);
    CHECK_UINT(ejections, 1);
}

static void node_goes_once_a_tick(void)
{
    spec.max_ejected = 1;
    spec.failure_percentage.enforcing = 1;
    spec.consecutive[OUTLIER_5XX].enforcing = 0;
    for (uint32_t i = 0; i < 10; i++)
        hundred(i, i == 3 ? 0 : 100, 9 * S);
    outliers_tick(&outliers, 10 * S);
    CHECK_UINT(ejections, 1);
    CHECK_UINT(outliers.ejected_count, 1);
    CHECK_UINT(outliers.nodes[3].multiplier, 1);
}

/* --- ticks: latency ------------------------------------------------------- */

static void answers(uint32_t node, uint32_t count, int64_t latency_ns)
{
    for (uint32_t i = 0; i < count; i++)
        outliers_latency(&outliers, node, latency_ns);
}

/* The pool's median is 100 ms: of 500 values 450 are that. */
static void slow_node_is_ejected(void)
{
    spec.latency.given = true;
    make(10);
    for (uint32_t i = 0; i < 10; i++)
        answers(i, 50, i == 3 ? 301 * MS : 100 * MS);
    outliers_tick(&outliers, 10 * S);
    CHECK_UINT(ejections, 1);
    CHECK_UINT(last_node, 3);
    CHECK_INT(last_cause, OUTLIER_LATENCY);
}

static void three_times_the_median_is_not_above_it(void)
{
    spec.latency.given = true;
    make(10);
    for (uint32_t i = 0; i < 10; i++)
        answers(i, 50, i == 3 ? 300 * MS : 100 * MS);
    outliers_tick(&outliers, 10 * S);
    CHECK_UINT(ejections, 0);
}

/* 49 answers are too few; they are kept for the next tick, and the latest
   count: after 26 quick ones the median is quick. */
static void latest_fifty_answers_count(void)
{
    spec.latency.given = true;
    make(10);
    for (uint32_t i = 0; i < 10; i++)
        answers(i, i == 3 ? 49 : 50, i == 3 ? S : 100 * MS);
    outliers_tick(&outliers, 10 * S);
    CHECK_UINT(ejections, 0);
    answers(3, 26, 100 * MS);
    outliers_tick(&outliers, 20 * S);
    CHECK_UINT(ejections, 0);
    answers(3, 26, S);
    outliers_tick(&outliers, 30 * S);
    CHECK_UINT(ejections, 1);
}

static void ejected_node_starts_without_answers(void)
{
    spec.latency.given = true;
    make(10);
    for (uint32_t i = 0; i < 10; i++)
        answers(i, 50, i == 3 ? S : 100 * MS);
    outliers_tick(&outliers, 10 * S);
    answers(3, 50, S); /* sent before, answered while it is out */
    outliers_tick(&outliers, 40 * S);
    CHECK_UINT(returns, 1);
    outliers_tick(&outliers, 50 * S);
    CHECK_UINT(ejections, 1);
}

static void medians_are_nearest_rank(void)
{
    int64_t values[] = {5, 1, 4, 2, 3, 6};
    int64_t room[3] = {0};
    struct latest latest = {.values = room, .capacity = 3};

    CHECK_INT(latest_median(values, 1), 5);
    CHECK_INT(latest_median(values, 6), 3);
    for (int64_t i = 1; i <= 5; i++)
        latest_add(&latest, i);
    CHECK_UINT(latest_copy(&latest, values), 3);
    CHECK_INT(latest_median(values, 3), 4);
}

/* --- chance and members --------------------------------------------------- */

/* 10000 detections enforced at 30 %: 3000 +- 4 deviations of 45.8. */
static void enforcement_has_its_probability(void)
{
    uint64_t detected = 10000;

    spec.consecutive[OUTLIER_5XX].enforcing = 0.3;
    spec.max_ejected = 1;
    for (uint64_t i = 0; i < detected; i++) {
        over(3, 5, BLAME_WRONG, S);
        outliers_checked(&outliers, 3, S);
    }
    CHECK_NEAR((double)ejections, 3000, 184);
    CHECK_UINT(outliers.not_enforced, detected - ejections);
}

/* Two of ten leave: of eight, one is more than ten percent. A node that leaves
   while it is ejected makes room. */
static void cap_is_of_those_who_are_there(void)
{
    outliers_member(&outliers, 8, false);
    outliers_member(&outliers, 9, false);
    outliers_member(&outliers, 9, false);
    over(3, 5, BLAME_WRONG, S);
    CHECK_UINT(outliers.over_cap, 1);
    outliers_member(&outliers, 8, true);
    outliers_member(&outliers, 9, true);
    over(3, 5, BLAME_WRONG, S);
    CHECK_UINT(ejections, 1);
    outliers_member(&outliers, 3, false);
    CHECK_UINT(outliers.ejected_count, 0);
    over(3, 5, BLAME_WRONG, S); /* late words of one that is gone */
    CHECK_UINT(ejections, 1);
    outliers_member(&outliers, 3, true);
    over(4, 5, BLAME_WRONG, S);
    CHECK_UINT(ejections, 2);
}

int main(int argc, char **argv)
{
    CU_TestInfo rows[] = {
        {"the fifth failure in a row ejects", fifth_failure_in_a_row_ejects},
        {"a success between starts the count anew",
         success_between_starts_the_count_anew},
        {"full nodes and silence are no failures",
         full_nodes_and_silence_are_no_failures},
        {"gateway failures are a row of their own",
         gateway_failures_are_a_row_of_their_own},
        {"local errors are split off", local_errors_are_split_off},
        {"late failures are forgotten", late_failures_are_forgotten},
        {"a second node is over the cap", second_node_is_over_the_cap},
        {"of five nodes none goes", of_five_nodes_none_goes},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo back[] = {
        {"a node returns at a tick", node_returns_at_a_tick},
        {"gRPC returns after the time and not with it",
         grpc_returns_after_the_time_and_not_with_it},
        {"ejections grow and are forgiven", ejections_grow_and_are_forgiven},
        {"a successful check returns a node", successful_check_returns_a_node},
        {"jitter makes it longer", jitter_makes_it_longer},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo ticks[] = {
        {"a low success rate ejects", low_success_rate_ejects},
        {"the last interval alone counts", last_interval_alone_counts},
        {"small differences are none", small_differences_are_none},
        {"rates want volume and nodes", rates_want_volume_and_nodes},
        {"of five nodes gRPC ejects one", of_five_nodes_grpc_ejects_one},
        {"gRPC compares failures strictly", grpc_compares_failures_strictly},
        {"a node goes once a tick", node_goes_once_a_tick},
        {"enforcement has its probability", enforcement_has_its_probability},
        {"the cap is of those who are there", cap_is_of_those_who_are_there},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo latencies[] = {
        {"a slow node is ejected", slow_node_is_ejected},
        {"three times the median is not above it",
         three_times_the_median_is_not_above_it},
        {"the latest fifty answers count", latest_fifty_answers_count},
        {"an ejected node starts without answers",
         ejected_node_starts_without_answers},
        {"medians are nearest rank", medians_are_nearest_rank},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("outliers_in_a_row", NULL, NULL, ten_nodes, free_all, rows),
        SUITE("outliers_return", NULL, NULL, ten_nodes, free_all, back),
        SUITE("outliers_ticks", NULL, NULL, ten_nodes, free_all, ticks),
        SUITE("outliers_latency", NULL, NULL, ten_nodes, free_all, latencies),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
