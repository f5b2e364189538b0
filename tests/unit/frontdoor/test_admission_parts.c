/*
 * The pure parts of admission against worked examples: the token bucket, the
 * caps of HAProxy, the self-finding limit, saturation as llm-d counts it,
 * Envoy's limits and Linkerd's fail fast.
 */
#include "sim/frontdoor/aimd.h"
#include "sim/frontdoor/fail_fast.h"
#include "sim/frontdoor/node_cap.h"
#include "sim/frontdoor/pool_limits.h"
#include "sim/frontdoor/saturation.h"
#include "sim/frontdoor/token_bucket.h"

#include "tests/check.h"

#define MS INT64_C(1000000)
#define S INT64_C(1000000000)

/* --- token bucket ----------------------------------------------------------
 */

static uint32_t admitted(struct token_bucket *bucket, double rate, double burst,
                         uint32_t tries, int64_t now_ns)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < tries; i++)
        count += token_bucket_take(bucket, rate, burst, 1, now_ns);
    return count;
}

/* By hand: 10/s with a burst of 5 admits 5 at 0 and not the sixth; at 0.25 s
   2.5 tokens are there, which is 2 requests. */
static void bucket_admits_burst_then_rate(void)
{
    struct token_bucket bucket;

    token_bucket_init(&bucket, 5, 0);
    CHECK_UINT(admitted(&bucket, 10, 5, 6, 0), 5);
    CHECK_UINT(admitted(&bucket, 10, 5, 6, 250 * MS), 2);
    /* Half a token was left, so one is whole again after 50 ms more. */
    CHECK_UINT(admitted(&bucket, 10, 5, 6, 300 * MS - 1), 0);
    CHECK_UINT(admitted(&bucket, 10, 5, 6, 300 * MS), 1);
    CHECK_UINT(admitted(&bucket, 10, 5, 9, 60 * S), 5);
}

/* Exactly enough is enough, in however many pieces it came. */
static void bucket_loses_nothing_to_rounding(void)
{
    struct token_bucket bucket;

    token_bucket_init(&bucket, 1, 0);
    CHECK(token_bucket_take(&bucket, 3, 1, 1, 0));
    for (int64_t at = 1; at < 333333334; at += 7777777)
        CHECK(!token_bucket_take(&bucket, 3, 1, 1, at));
    CHECK(!token_bucket_take(&bucket, 3, 1, 1, 333333333));
    CHECK(token_bucket_take(&bucket, 3, 1, 1, 333333334));
}

static void bucket_takes_back_and_goes_into_debt(void)
{
    struct token_bucket bucket;

    token_bucket_init(&bucket, 1000, 0);
    CHECK(token_bucket_take(&bucket, 100, 1000, 900, 0));
    token_bucket_refund(&bucket, 100, 1000, 300, 0); /* 400 */
    CHECK(!token_bucket_take(&bucket, 100, 1000, 401, 0));
    CHECK(token_bucket_take(&bucket, 100, 1000, 400, 0));
    token_bucket_refund(&bucket, 100, 1000, -200, 0);
    CHECK(!token_bucket_take(&bucket, 100, 1000, 1, 2 * S));
    CHECK(token_bucket_take(&bucket, 100, 1000, 1, 2 * S + 10 * MS));
    token_bucket_refund(&bucket, 100, 1000, 5000, 3 * S);
    CHECK(!token_bucket_take(&bucket, 100, 1000, 1001, 3 * S));
    CHECK(token_bucket_take(&bucket, 100, 1000, 1000, 3 * S));
}

/* --- caps of nodes -----------------------------------------------------------
 */

/* HAProxy's manual has minconn 100, maxconn 1000, fullconn 10000: 500 at 5000,
   and 100 at 200; with 15 of 60 s of slow start a quarter of 500. */
static void caps_follow_the_balancers_load(void)
{
    CHECK_UINT(node_cap(1000, 100, 10000, 5000, NODE_CAP_WARM), 500);
    CHECK_UINT(node_cap(1000, 100, 10000, 200, NODE_CAP_WARM), 100);
    CHECK_UINT(node_cap(1000, 100, 10000, 5000, 100 * 15 / 60), 125);
    CHECK_UINT(node_cap(1000, 100, 10000, 10000, NODE_CAP_WARM), 1000);
    CHECK_UINT(node_cap(1000, 100, 10000, 9999, NODE_CAP_WARM), 999);
    CHECK_UINT(node_cap(1000, 0, 10000, 1, NODE_CAP_WARM), 1000);
    CHECK_UINT(node_cap(1000, 1000, 10000, 1, NODE_CAP_WARM), 1000);
}

/* maxconn 100 at 0, 1, 15, 30, 59 of 60 s: 1, 1, 25, 50, 98. */
static void caps_grow_in_slow_start(void)
{
    static const uint32_t seconds[] = {0, 1, 15, 30, 59};
    static const uint32_t caps[] = {1, 1, 25, 50, 98};

    for (int i = 0; i < 5; i++)
        CHECK_UINT(node_cap(100, 0, 1, 1, 100 * seconds[i] / 60), caps[i]);
}

/* --- the limit that finds itself ----------------------------------------- */

static const struct aimd_spec aimd_spec = {
    .given = true,
    .window_ns = S,
    .target_ns = 500 * MS,
    .quantile = 0.9,
    .start = 50,
    .least = 1,
    .most = 1000,
    .increase = 1,
    .decrease = 0.9,
};

/* A window of ten answers, `late` of them past the target. */
static uint32_t after_window(struct aimd *aimd, const struct aimd_spec *spec,
                             int late)
{
    for (int i = 0; i < 10; i++)
        aimd_note(aimd, spec, i < late ? 501 * MS : 500 * MS);
    aimd_close_window(aimd, spec);
    return aimd->limit;
}

/* 50, good, good, bad: 51, 52, floor(0.9 x 52) = 46. */
static void limit_climbs_and_falls(void)
{
    struct aimd aimd;

    aimd_init(&aimd, &aimd_spec);
    CHECK_UINT(after_window(&aimd, &aimd_spec, 0), 51);
    CHECK_UINT(after_window(&aimd, &aimd_spec, 1), 52); /* p90 is the ninth */
    CHECK_UINT(after_window(&aimd, &aimd_spec, 2), 46);
}

static void limit_keeps_between_its_ends(void)
{
    struct aimd_spec spec = aimd_spec;
    struct aimd aimd;

    spec.start = 2;
    spec.most = 3;
    aimd_init(&aimd, &spec);
    CHECK_UINT(after_window(&aimd, &spec, 0), 3);
    CHECK_UINT(after_window(&aimd, &spec, 0), 3);
    for (int i = 0; i < 5; i++)
        after_window(&aimd, &spec, 10);
    CHECK_UINT(aimd.limit, 1);
}

static void limit_stays_without_answers_and_minds_failures(void)
{
    struct aimd aimd;

    aimd_init(&aimd, &aimd_spec);
    CHECK(!aimd_close_window(&aimd, &aimd_spec));
    CHECK_UINT(aimd.limit, 50);
    aimd_note(&aimd, &aimd_spec, -1);
    CHECK(aimd_close_window(&aimd, &aimd_spec));
    CHECK_UINT(aimd.limit, 45);
}

static void limit_may_grow_only_when_reached(void)
{
    struct aimd_spec spec = aimd_spec;
    struct aimd aimd;

    spec.grows = AIMD_GROWS_WHEN_REACHED;
    aimd_init(&aimd, &spec);
    CHECK_UINT(after_window(&aimd, &spec, 0), 50);
    aimd.reached = true;
    CHECK_UINT(after_window(&aimd, &spec, 0), 51);
    CHECK_UINT(after_window(&aimd, &spec, 0), 51);
}

/* --- saturation ---------------------------------------------------------- */

/* Worked example: (queue 2, memory 0.4), (5, 0.2) and a node whose word is old
   give (0.5 + 1 + 1) / 3 = 0.83333. */
static void saturation_is_the_mean_of_the_fuller(void)
{
    static const struct saturation_spec spec = {
        .by = SATURATION_BY_REPORTS,
        .queue_depth = 5,
        .kv_use = 0.8,
        .stale_after_ns = 200 * MS,
    };
    static const struct saturation_node nodes[] = {
        {2, 0.4, 10 * S},
        {5, 0.2, 10 * S - 200 * MS},
        {0, 0.0, 10 * S - 200 * MS - 1},
    };
    static const struct saturation_node silent = {3, -1, INT64_MIN};
    static const struct saturation_node blind = {-1, -1, 10 * S};
    double sum = 0;

    for (int i = 0; i < 3; i++)
        sum += saturation_of_node(&spec, &nodes[i], 10 * S);
    CHECK_NEAR(saturation_of_pool(sum, 3), 2.5 / 3, 1e-15);
    CHECK_NEAR(saturation_of_node(&spec, &silent, 10 * S), 1, 0);
    CHECK_NEAR(saturation_of_node(&spec, &blind, 10 * S), 0, 0);
    CHECK_NEAR(saturation_of_pool(0, 0), 1, 0);
}

/* --- Envoy's limits ------------------------------------------------------ */

static void overflow_is_at_once(void)
{
    static const struct pool_limits_spec spec = {
        .connections = 3, .pending = 2, .requests = 10};
    static const struct pool_limits_spec few = {
        .connections = 3, .pending = 2, .requests = 2};

    CHECK_INT(pool_limits_ask(&spec, 2, 0), POOL_SEND);
    CHECK_INT(pool_limits_ask(&spec, 3, 0), POOL_PENDING);
    CHECK_INT(pool_limits_ask(&spec, 3, 1), POOL_PENDING);
    CHECK_INT(pool_limits_ask(&spec, 3, 2), POOL_OVERFLOW);
    CHECK_INT(pool_limits_ask(&few, 1, 0), POOL_SEND);
    CHECK_INT(pool_limits_ask(&few, 2, 0), POOL_OVERFLOW);
}

/* --- fail fast ----------------------------------------------------------- */

static void fails_fast_after_three_seconds(void)
{
    struct fail_fast state;

    fail_fast_init(&state);
    CHECK(!fail_fast_is_on(&state, 3 * S, 100 * S));
    CHECK(fail_fast_note(&state, false, 10 * S));
    CHECK(!fail_fast_note(&state, false, 11 * S));
    CHECK(!fail_fast_is_on(&state, 3 * S, 13 * S - 1));
    CHECK(fail_fast_is_on(&state, 3 * S, 13 * S));
    CHECK(!fail_fast_note(&state, true, 14 * S));
    CHECK(!fail_fast_is_on(&state, 3 * S, 14 * S));
    CHECK(fail_fast_note(&state, false, 15 * S));
    CHECK(!fail_fast_is_on(&state, 3 * S, 17 * S));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"the bucket admits its burst, then its rate",
         bucket_admits_burst_then_rate},
        {"the bucket loses nothing to rounding",
         bucket_loses_nothing_to_rounding},
        {"the bucket takes back and goes into debt",
         bucket_takes_back_and_goes_into_debt},
        {"caps follow the balancer's load", caps_follow_the_balancers_load},
        {"caps grow in slow start", caps_grow_in_slow_start},
        {"the limit climbs and falls", limit_climbs_and_falls},
        {"the limit keeps between its ends", limit_keeps_between_its_ends},
        {"the limit stays without answers, and minds failures",
         limit_stays_without_answers_and_minds_failures},
        {"the limit may grow only when reached",
         limit_may_grow_only_when_reached},
        {"saturation is the mean of the fuller",
         saturation_is_the_mean_of_the_fuller},
        {"overflow is at once", overflow_is_at_once},
        {"fails fast after three seconds", fails_fast_after_three_seconds},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("admission_parts", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
