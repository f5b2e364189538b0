/* Worked by hand: a deadline of 10 s, 4 s of which have gone by. */
#include "sim/frontdoor/deadline.h"
#include "tests/check.h"

#define S INT64_C(1000000000)

static void seven_seconds_are_too_long(void)
{
    CHECK(deadline_judge(10 * S, 4 * S, 7 * S, 10 * S).hopeless);
}

static void five_will_do_and_six_are_left(void)
{
    struct deadline_verdict verdict =
        deadline_judge(10 * S, 4 * S, 5 * S, 10 * S);

    CHECK(!verdict.hopeless);
    CHECK_INT(verdict.first_token_ns, 6 * S);
}

static void just_enough_is_enough(void)
{
    CHECK(!deadline_judge(10 * S, 4 * S, 6 * S, 10 * S).hopeless);
    CHECK(deadline_judge(10 * S, 4 * S, 6 * S + 1, 10 * S).hopeless);
}

static void own_limit_may_be_the_smaller(void)
{
    CHECK_INT(deadline_judge(60 * S, 4 * S, 5 * S, 10 * S).first_token_ns,
              10 * S);
}

static void nothing_is_hopeless_without_a_deadline(void)
{
    struct deadline_verdict verdict =
        deadline_judge(INT64_MAX, 4 * S, 50 * S, INT64_MAX);

    CHECK(!verdict.hopeless);
    CHECK_INT(verdict.first_token_ns, INT64_MAX);
}

static void what_has_passed_is_hopeless(void)
{
    CHECK(deadline_judge(10 * S, 10 * S, 0, 10 * S).hopeless);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"seven seconds are too long", seven_seconds_are_too_long},
        {"five will do and six are left", five_will_do_and_six_are_left},
        {"just enough is enough", just_enough_is_enough},
        {"own limit may be the smaller", own_limit_may_be_the_smaller},
        {"nothing is hopeless without a deadline",
         nothing_is_hopeless_without_a_deadline},
        {"what has passed is hopeless", what_has_passed_is_hopeless},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("deadline", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
