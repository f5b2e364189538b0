/*
 * The rule's own known answers: 10 requests of which 5 failed open it, 9 of
 * which 9 failed do not (too few). The rest by arithmetic from the rule: open
 * for 30, 60, 120, 240, 300, 300 s when every trial fails.
 */
#include "sim/frontdoor/breaker.h"
#include "tests/check.h"

#define S INT64_C(1000000000)

static struct breaker_spec spec;
static struct breaker breaker;

static void closed_breaker(void)
{
    spec = (struct breaker_spec){.given = true,
                                 .volume = 10,
                                 .failure_share = 0.5,
                                 .window_ns = 10 * S,
                                 .cool_ns = 30 * S,
                                 .max_cool_ns = 300 * S,
                                 .trials = 3};
    breaker_init(&breaker);
}

/* So many at once; true when one of them opened it. */
static bool over(uint32_t count, bool failed, int64_t at_ns)
{
    bool opened = false;

    for (uint32_t i = 0; i < count; i++) {
        breaker_sent(&breaker, &spec);
        opened |= breaker_over(&breaker, &spec, at_ns, failed, at_ns);
    }
    return opened;
}

static void five_failures_of_ten_open(void)
{
    CHECK(!over(5, false, S));
    CHECK(!over(4, true, S));
    CHECK(over(1, true, S));
    CHECK_INT(breaker.state, BREAKER_OPEN);
    CHECK(breaker_bars(&breaker, &spec));
    CHECK_INT(breaker.cool_ns, 30 * S);
}

static void nine_failures_of_nine_are_too_few(void)
{
    CHECK(!over(9, true, S));
    CHECK_INT(breaker.state, BREAKER_CLOSED);
    CHECK(!breaker_bars(&breaker, &spec));
}

/* The tenth makes it ten, of which nine failed, though it succeeds itself. */
static void success_can_be_the_one_that_opens(void)
{
    over(9, true, S);
    CHECK(over(1, false, S));
}

static void four_failures_of_ten_do_not_open(void)
{
    over(6, false, S);
    CHECK(!over(4, true, S));
}

/* 9 failures in second 0. At 9.9 s they are in the window with the tenth, at
   10 s the step they are in is forgotten. */
static void window_forgets(void)
{
    over(9, true, 0);
    CHECK(over(1, true, 9900000000));
    closed_breaker();
    over(9, true, 0);
    CHECK(!over(1, true, 10 * S));
    closed_breaker();
    over(9, true, 0);
    CHECK(!over(1, true, 1000 * S));
    CHECK(over(9, true, 1001 * S));
}

static void three_good_trials_close(void)
{
    over(10, true, S);
    breaker_cooled(&breaker, 31 * S);
    CHECK_INT(breaker.state, BREAKER_HALF_OPEN);
    for (int i = 0; i < 3; i++) {
        CHECK(!breaker_bars(&breaker, &spec));
        CHECK(breaker_sent(&breaker, &spec));
    }
    CHECK(breaker_bars(&breaker, &spec)); /* no more than three */
    CHECK(!breaker_sent(&breaker, &spec));
    for (int i = 0; i < 3; i++)
        CHECK(!breaker_over(&breaker, &spec, 31 * S, false, 32 * S));
    CHECK_INT(breaker.state, BREAKER_CLOSED);
    CHECK(!over(9, true, 33 * S)); /* the window is empty again */
    CHECK(over(1, true, 33 * S));
    CHECK_INT(breaker.cool_ns, 30 * S); /* as at first */
}

static void failed_trial_opens_for_twice_the_time(void)
{
    static const int64_t cools_s[] = {60, 120, 240, 300, 300};
    int64_t now_ns = S;

    over(10, true, now_ns);
    for (int i = 0; i < 5; i++) {
        now_ns += breaker.cool_ns;
        breaker_cooled(&breaker, now_ns);
        breaker_sent(&breaker, &spec);
        CHECK(breaker_over(&breaker, &spec, now_ns, true, now_ns));
        CHECK_INT(breaker.cool_ns, cools_s[i] * S);
    }
}

static void failure_after_good_trials_opens(void)
{
    over(10, true, S);
    breaker_cooled(&breaker, 31 * S);
    CHECK(!over(2, false, 32 * S));
    CHECK(over(1, true, 32 * S));
}

/* Sent at 1 s, over at 40 s: it tells of the time before. */
static void old_requests_are_no_trials(void)
{
    over(10, true, S);
    CHECK(!breaker_over(&breaker, &spec, S, true, 20 * S));
    breaker_cooled(&breaker, 31 * S);
    for (int i = 0; i < 3; i++)
        CHECK(!breaker_over(&breaker, &spec, S, false, 40 * S));
    CHECK_INT(breaker.state, BREAKER_HALF_OPEN);
    CHECK(!breaker_over(&breaker, &spec, S, true, 40 * S));
}

/* An alarm for an earlier opening does not half-open a later one. */
static void it_stays_open_for_its_time(void)
{
    over(10, true, S);
    breaker_cooled(&breaker, 31 * S - 1);
    CHECK_INT(breaker.state, BREAKER_OPEN);
    breaker_cooled(&breaker, 31 * S);
    CHECK_INT(breaker.state, BREAKER_HALF_OPEN);
}

static void trial_that_says_nothing_makes_room(void)
{
    over(10, true, S);
    breaker_cooled(&breaker, 31 * S);
    for (int i = 0; i < 3; i++)
        breaker_sent(&breaker, &spec);
    breaker_void(&breaker, S); /* an old one: no trial */
    CHECK(breaker_bars(&breaker, &spec));
    breaker_void(&breaker, 31 * S);
    CHECK(!breaker_bars(&breaker, &spec));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"five failures of ten open", five_failures_of_ten_open},
        {"nine failures of nine are too few",
         nine_failures_of_nine_are_too_few},
        {"a success can be the one that opens",
         success_can_be_the_one_that_opens},
        {"four failures of ten do not open", four_failures_of_ten_do_not_open},
        {"the window forgets", window_forgets},
        {"three good trials close", three_good_trials_close},
        {"a failed trial opens for twice the time",
         failed_trial_opens_for_twice_the_time},
        {"a failure after good trials opens", failure_after_good_trials_opens},
        {"old requests are no trials", old_requests_are_no_trials},
        {"it stays open for its time", it_stays_open_for_its_time},
        {"a trial that says nothing makes room",
         trial_that_says_nothing_makes_room},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("breaker", NULL, NULL, closed_breaker, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
