/* HAProxy's count of errors in a row, by hand from __health_adjust of
   src/check.c and its table of what is an error to which layer. */
#include "sim/frontdoor/observe.h"
#include "tests/check.h"

static struct observe_spec spec;
static uint32_t errors;

static void three_errors_of_layer7(void)
{
    spec = (struct observe_spec){.given = true,
                                 .layer = OBSERVE_LAYER7,
                                 .error_limit = 3,
                                 .on_error = OBSERVE_FAIL_CHECK};
    errors = 0;
}

static bool over(enum blame blame)
{
    return observe_over(&spec, &errors, blame);
}

static void third_error_in_a_row_acts(void)
{
    CHECK(!over(BLAME_WRONG));
    CHECK(!over(BLAME_TIMEOUT));
    CHECK(over(BLAME_CONNECT));
}

static void count_starts_anew_after_an_action(void)
{
    for (int i = 0; i < 3; i++)
        over(BLAME_BROKEN);
    CHECK(!over(BLAME_BROKEN));
    CHECK(!over(BLAME_BROKEN));
    CHECK(over(BLAME_BROKEN));
}

static void good_answer_starts_the_count_anew(void)
{
    over(BLAME_WRONG);
    over(BLAME_WRONG);
    over(BLAME_GOOD);
    CHECK_UINT(errors, 0);
    over(BLAME_WRONG);
    over(BLAME_OVERLOAD); /* an answer like any */
    CHECK_UINT(errors, 0);
    over(BLAME_WRONG);
    over(BLAME_NOTHING);
    CHECK_UINT(errors, 1);
}

static void full_nodes_may_count(void)
{
    spec.counts_overload = true;
    over(BLAME_OVERLOAD);
    over(BLAME_OVERLOAD);
    CHECK(over(BLAME_OVERLOAD));
}

/* A connection that comes about is good, whatever is said on it. */
static void layer4_looks_at_connections_alone(void)
{
    spec.layer = OBSERVE_LAYER4;
    for (int i = 0; i < 10; i++) {
        CHECK(!over(BLAME_WRONG));
        CHECK(!over(BLAME_BROKEN));
        CHECK(!over(BLAME_TIMEOUT));
    }
    over(BLAME_CONNECT);
    over(BLAME_CONNECT);
    over(BLAME_WRONG);
    CHECK_UINT(errors, 0);
    over(BLAME_CONNECT);
    over(BLAME_CONNECT);
    CHECK(over(BLAME_CONNECT));
}

static void limit_of_one_acts_every_time(void)
{
    spec.error_limit = 1;
    CHECK(over(BLAME_CONNECT));
    CHECK(over(BLAME_CONNECT));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"the third error in a row acts", third_error_in_a_row_acts},
        {"the count starts anew after an action",
         count_starts_anew_after_an_action},
        {"a good answer starts the count anew",
         good_answer_starts_the_count_anew},
        {"full nodes may count", full_nodes_may_count},
        {"layer4 looks at connections alone",
         layer4_looks_at_connections_alone},
        {"a limit of one acts every time", limit_of_one_acts_every_time},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("observe", NULL, NULL, three_errors_of_layer7, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
