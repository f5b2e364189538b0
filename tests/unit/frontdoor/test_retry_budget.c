/* Known answers from the originals: Envoy's retry budget (20 %, at least 3),
   finagle's (0.2 for 10 s, 10 a second in reserve), gRPC A6's throttle. */
#include "sim/frontdoor/retry_budget.h"
#include "tests/check.h"

#define S INT64_C(1000000000)

static const struct budget_spec envoy = {
    .given = true, .kind = BUDGET_ACTIVE, .share = 0.2, .at_least = 3};
static const struct budget_spec fixed = {
    .given = true, .kind = BUDGET_FIXED, .at_least = 3};
static const struct budget_spec finagle = {.given = true,
                                           .kind = BUDGET_DEPOSITS,
                                           .share = 0.2,
                                           .reserve_per_s = 10,
                                           .ttl_ns = 10 * S};
static const struct budget_spec grpc = {
    .given = true, .kind = BUDGET_THROTTLE, .tokens = 10, .refill = 0.1};

static struct retry_budget budget;

static uint32_t take_all(int64_t now_ns, uint32_t requests_out)
{
    uint32_t taken = 0;

    while (taken < 100000 && retry_budget_take(&budget, now_ns, requests_out))
        taken++;
    return taken;
}

static void share_of_what_is_out_but_three(void)
{
    static const uint32_t out[] = {0, 10, 15, 16, 100};
    static const uint32_t limits[] = {3, 3, 3, 3, 20};

    for (int i = 0; i < 5; i++) {
        retry_budget_init(&budget, &envoy);
        CHECK_UINT(retry_budget_limit(&budget, out[i]), limits[i]);
        CHECK_UINT(take_all(0, out[i]), limits[i]);
    }
}

static void what_is_over_may_be_taken_again(void)
{
    retry_budget_init(&budget, &fixed);
    CHECK_UINT(take_all(0, 1000), 3);
    retry_budget_give(&budget);
    CHECK(retry_budget_take(&budget, 0, 1000));
    CHECK(!retry_budget_take(&budget, 0, 1000));
    CHECK_UINT(budget.refused, 2);
}

static void deposit_many(uint32_t requests, int64_t over_ns)
{
    retry_budget_init(&budget, &finagle);
    for (uint32_t i = 0; i < requests; i++)
        retry_budget_request(&budget, over_ns * i / requests);
}

static void deposits_and_the_reserve(void)
{
    deposit_many(100, 9 * S);
    CHECK_UINT(take_all(9 * S, 0), 120);
    deposit_many(10000, 9 * S);
    CHECK_UINT(take_all(9 * S, 0), 2100);
}

static void deposits_expire_and_so_does_what_was_taken(void)
{
    deposit_many(100, S / 2);
    CHECK_UINT(take_all(20 * S, 0), 100);
    CHECK_UINT(take_all(25 * S, 0), 0);
    CHECK_UINT(take_all(30 * S, 0), 100);
}

static void throttle_by_failures(void)
{
    retry_budget_init(&budget, &grpc);
    for (int i = 0; i < 4; i++)
        retry_budget_outcome(&budget, false);
    CHECK(retry_budget_take(&budget, 0, 0));
    retry_budget_outcome(&budget, false);
    CHECK(!retry_budget_take(&budget, 0, 0));
    retry_budget_outcome(&budget, true);
    CHECK(retry_budget_take(&budget, 0, 0));
}

static void throttle_stays_between_none_and_full(void)
{
    retry_budget_init(&budget, &grpc);
    retry_budget_outcome(&budget, true);
    CHECK_INT(budget.milli_tokens, 10000);
    for (int i = 0; i < 30; i++)
        retry_budget_outcome(&budget, false);
    CHECK_INT(budget.milli_tokens, 0);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"share of what is out, but three", share_of_what_is_out_but_three},
        {"what is over may be taken again", what_is_over_may_be_taken_again},
        {"deposits and the reserve", deposits_and_the_reserve},
        {"deposits expire and so does what was taken",
         deposits_expire_and_so_does_what_was_taken},
        {"throttle by failures", throttle_by_failures},
        {"throttle stays between none and full",
         throttle_stays_between_none_and_full},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("retry_budget", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
