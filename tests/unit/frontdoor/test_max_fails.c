/*
 * Timelines of nginx's rule, by hand from ngx_http_upstream_round_robin.c: with
 * max_fails 1 a failure at 100 s excludes through 110 s; the pick at 111 s is a
 * trial, and without its success the peer is out until 122 s.
 */
#include "sim/frontdoor/max_fails.h"
#include "tests/check.h"

#define S INT64_C(1000000000)
#define MS INT64_C(1000000)

static struct max_fails_spec spec;
static struct max_fails_peer peers[2];
static struct max_fails pool;

/* Two peers under nginx's own defaults. */
static void two_peers(void)
{
    spec = (struct max_fails_spec){
        .given = true, .fails = 1, .fail_timeout_ns = 10 * S, .clock_ns = S};
    max_fails_init(&pool, &spec, peers, 2);
}

static void attempt(int64_t at_ns, enum blame blame)
{
    max_fails_sent(&pool, 0, at_ns);
    max_fails_over(&pool, 0, blame, at_ns);
}

static void one_failure_excludes_through_ten_seconds(void)
{
    attempt(100 * S, BLAME_CONNECT);
    CHECK(max_fails_excludes(&pool, 0, 100 * S));
    CHECK(max_fails_excludes(&pool, 0, 110 * S));
    CHECK(max_fails_excludes(&pool, 0, 111 * S - 1)); /* still second 110 */
    CHECK(!max_fails_excludes(&pool, 0, 111 * S));
    CHECK(!max_fails_excludes(&pool, 1, 105 * S));
    CHECK_INT(max_fails_until_ns(&pool, 0), 111 * S);
}

static void one_trial_passes_until_it_ends(void)
{
    attempt(100 * S, BLAME_CONNECT);
    CHECK(max_fails_sent(&pool, 0, 111 * S)); /* the trial */
    CHECK(max_fails_excludes(&pool, 0, 111 * S));
    CHECK(max_fails_excludes(&pool, 0, 121 * S));
    CHECK(!max_fails_excludes(&pool, 0, 122 * S));
    CHECK_INT(max_fails_until_ns(&pool, 0), 122 * S);
}

static void success_of_the_trial_clears(void)
{
    attempt(100 * S, BLAME_CONNECT);
    max_fails_sent(&pool, 0, 111 * S);
    max_fails_over(&pool, 0, BLAME_GOOD, 113 * S);
    CHECK(!max_fails_excludes(&pool, 0, 113 * S));
    CHECK_UINT(peers[0].fails, 0);
    CHECK(!max_fails_sent(&pool, 0, 124 * S)); /* no trial any more */
}

static void failed_trial_excludes_anew_from_its_end(void)
{
    attempt(100 * S, BLAME_CONNECT);
    max_fails_sent(&pool, 0, 111 * S);
    max_fails_over(&pool, 0, BLAME_TIMEOUT, 115 * S);
    CHECK(max_fails_excludes(&pool, 0, 125 * S));
    CHECK(!max_fails_excludes(&pool, 0, 126 * S));
}

/* Failures at 0 and 5 s; successes from 6 to 8 s do not clear, for the peer was
   not checked again; the failure at 9 s is the third. */
static void successes_soon_after_a_failure_clear_nothing(void)
{
    spec.fails = 3;
    attempt(0, BLAME_BROKEN);
    attempt(5 * S, BLAME_BROKEN);
    for (int64_t at = 6; at <= 8; at++)
        attempt(at * S, BLAME_GOOD);
    CHECK(!max_fails_excludes(&pool, 0, 8 * S));
    attempt(9 * S, BLAME_BROKEN);
    CHECK(max_fails_excludes(&pool, 0, 9 * S));
    CHECK(max_fails_excludes(&pool, 0, 19 * S));
    CHECK(!max_fails_excludes(&pool, 0, 20 * S));
}

/* Two failures at 0 and 5 s; picked at 16 s and answered: the count is 0. */
static void success_after_a_quiet_time_clears(void)
{
    spec.fails = 3;
    attempt(0, BLAME_BROKEN);
    attempt(5 * S, BLAME_BROKEN);
    attempt(16 * S, BLAME_GOOD);
    CHECK_UINT(peers[0].fails, 0);
}

static void failures_far_apart_add_up_without_a_success(void)
{
    spec.fails = 2;
    attempt(0, BLAME_BROKEN);
    attempt(3600 * S, BLAME_BROKEN);
    CHECK(max_fails_excludes(&pool, 0, 3600 * S));
}

static void lone_peer_is_never_excluded(void)
{
    max_fails_init(&pool, &spec, peers, 1);
    attempt(100 * S, BLAME_CONNECT);
    CHECK(!max_fails_excludes(&pool, 0, 100 * S));
    CHECK(!max_fails_sent(&pool, 0, 111 * S));
}

/* One of two leaves: the other is alone then. A newcomer has never failed. */
static void leavers_are_forgotten(void)
{
    attempt(100 * S, BLAME_CONNECT);
    max_fails_member(&pool, 1, false);
    CHECK(!max_fails_excludes(&pool, 0, 100 * S));
    max_fails_member(&pool, 1, true);
    CHECK(max_fails_excludes(&pool, 0, 100 * S));
    max_fails_member(&pool, 0, false);
    max_fails_member(&pool, 0, true);
    CHECK(!max_fails_excludes(&pool, 0, 100 * S));
}

static void answers_count_as_failures_where_listed(void)
{
    attempt(100 * S, BLAME_WRONG);
    attempt(100 * S, BLAME_OVERLOAD);
    attempt(100 * S, BLAME_NOTHING);
    CHECK(!max_fails_excludes(&pool, 0, 100 * S));
    spec.counts_overload = true;
    attempt(100 * S, BLAME_OVERLOAD);
    CHECK(max_fails_excludes(&pool, 0, 100 * S));
    spec.counts_5xx = true;
    attempt(112 * S, BLAME_WRONG);
    CHECK(max_fails_excludes(&pool, 0, 122 * S));
}

/* What says nothing is no success of a trial either. */
static void trial_that_says_nothing_changes_nothing(void)
{
    attempt(100 * S, BLAME_CONNECT);
    max_fails_sent(&pool, 0, 111 * S);
    max_fails_over(&pool, 0, BLAME_NOTHING, 112 * S);
    CHECK(max_fails_excludes(&pool, 0, 121 * S));
}

/* As people tell the rule: out from 5.1 s for 10 s. */
static void finer_clock_excludes_for_just_the_time(void)
{
    spec.clock_ns = MS;
    attempt(5100 * MS, BLAME_CONNECT);
    CHECK(max_fails_excludes(&pool, 0, 15100 * MS));
    CHECK(!max_fails_excludes(&pool, 0, 15101 * MS));
    CHECK_INT(max_fails_until_ns(&pool, 0), 15101 * MS);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"one failure excludes through ten seconds",
         one_failure_excludes_through_ten_seconds},
        {"one trial passes until it ends", one_trial_passes_until_it_ends},
        {"success of the trial clears", success_of_the_trial_clears},
        {"a failed trial excludes anew from its end",
         failed_trial_excludes_anew_from_its_end},
        {"successes soon after a failure clear nothing",
         successes_soon_after_a_failure_clear_nothing},
        {"a success after a quiet time clears",
         success_after_a_quiet_time_clears},
        {"failures far apart add up without a success",
         failures_far_apart_add_up_without_a_success},
        {"a lone peer is never excluded", lone_peer_is_never_excluded},
        {"leavers are forgotten", leavers_are_forgotten},
        {"answers count as failures where listed",
         answers_count_as_failures_where_listed},
        {"a trial that says nothing changes nothing",
         trial_that_says_nothing_changes_nothing},
        {"a finer clock excludes for just the time",
         finer_clock_excludes_for_just_the_time},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("max_fails", NULL, NULL, two_peers, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
