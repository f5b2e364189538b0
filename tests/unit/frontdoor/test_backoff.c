/* Ladders as published: Envoy's back-off strategy (25 ms base, capped at
   250 ms), gRPC A6 (0.1 s, doubled, at most 1 s, times 0.8 to 1.2). */
#include "sim/frontdoor/backoff.h"
#include "tests/check.h"

#define MS INT64_C(1000000)

static const struct backoff_spec envoy = {.ladder = BACKOFF_SUMMED,
                                          .jitter = JITTER_FULL,
                                          .base_ns = 25 * MS,
                                          .max_ns = 250 * MS,
                                          .factor = 2};
static const struct backoff_spec grpc = {.ladder = BACKOFF_EXPONENTIAL,
                                         .jitter = JITTER_AROUND,
                                         .base_ns = 100 * MS,
                                         .max_ns = 1000 * MS,
                                         .factor = 2,
                                         .spread = 0.2};

static void check_bounds(const struct backoff_spec *spec,
                         const int64_t *bounds_ms, uint32_t count)
{
    for (uint32_t n = 1; n <= count; n++)
        CHECK_INT(backoff_bound_ns(spec, n), bounds_ms[n - 1] * MS);
}

static void envoy_sums_and_caps(void)
{
    static const int64_t bounds[] = {25, 75, 175, 250, 250};
    struct backoff_spec uncapped = envoy;

    check_bounds(&envoy, bounds, 5);
    uncapped.max_ns = 10000 * MS;
    CHECK_INT(backoff_bound_ns(&uncapped, 4), 375 * MS);
}

static void envoy_waits_anywhere_below_the_bound(void)
{
    CHECK_INT(backoff_wait_ns(&envoy, 2, 0), 0);
    CHECK_INT(backoff_wait_ns(&envoy, 2, 0.5), 75 * MS / 2);
    CHECK(backoff_wait_ns(&envoy, 2, 0.999999999) < 75 * MS);
}

static void newer_envoy_doubles(void)
{
    static const int64_t bounds[] = {25, 50, 100, 200, 250, 250};
    struct backoff_spec spec = envoy;

    spec.ladder = BACKOFF_EXPONENTIAL;
    check_bounds(&spec, bounds, 6);
}

static void grpc_doubles_to_the_cap(void)
{
    static const int64_t bounds[] = {100, 200, 400, 800, 1000, 1000};

    check_bounds(&grpc, bounds, 6);
}

static void grpc_waits_a_fifth_more_or_less(void)
{
    CHECK_INT(backoff_wait_ns(&grpc, 1, 0), 80 * MS);
    CHECK_INT(backoff_wait_ns(&grpc, 1, 0.5), 100 * MS);
    CHECK_INT(backoff_wait_ns(&grpc, 1, 1), 120 * MS);
    CHECK_INT(backoff_wait_ns(&grpc, 5, 1), 1200 * MS);
}

static void constant_and_none(void)
{
    struct backoff_spec spec = {
        .ladder = BACKOFF_CONSTANT, .base_ns = 1000 * MS, .max_ns = 1000 * MS};

    CHECK_INT(backoff_wait_ns(&spec, 1, 0.3), 1000 * MS);
    CHECK_INT(backoff_wait_ns(&spec, 9, 0.3), 1000 * MS);
    spec.ladder = BACKOFF_NONE;
    CHECK_INT(backoff_wait_ns(&spec, 1, 0.3), 0);
}

static void far_rungs_stay_at_the_cap(void)
{
    CHECK_INT(backoff_bound_ns(&grpc, UINT32_MAX), 1000 * MS);
    CHECK_INT(backoff_bound_ns(&envoy, UINT32_MAX), 250 * MS);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"envoy sums and caps", envoy_sums_and_caps},
        {"envoy waits anywhere below the bound",
         envoy_waits_anywhere_below_the_bound},
        {"newer envoy doubles", newer_envoy_doubles},
        {"grpc doubles to the cap", grpc_doubles_to_the_cap},
        {"grpc waits a fifth more or less", grpc_waits_a_fifth_more_or_less},
        {"constant and none", constant_and_none},
        {"far rungs stay at the cap", far_rungs_stay_at_the_cap},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("backoff", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
