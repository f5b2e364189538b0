/*
 * Expected chances are counts: n pairs that are all worse are one case of 2^n,
 * and Holm multiplies the smallest by the number of tests that could have
 * reached their level.
 */
#include "sim/experiment/regression.h"
#include "tests/check.h"

#include <stdlib.h>

enum { N = 20, MOST_TESTS = 30 };

static double old_values[N], new_values[MOST_TESTS][N];
static struct regression findings[MOST_TESTS];
static struct regression_test tests_of[MOST_TESTS];
static struct regression_rules rules;

/* Around 10; the same for all. */
static void twenty_pairs(void)
{
    rules = (struct regression_rules){0.001, 0.95, false};
    for (int i = 0; i < N; i++)
        old_values[i] = 9.05 + 0.1 * i;
    for (int t = 0; t < MOST_TESTS; t++) {
        memcpy(new_values[t], old_values, sizeof old_values);
        tests_of[t] = (struct regression_test){
            .old_values = old_values,
            .new_values = new_values[t],
            .pairs = N,
            .better = BETTER_LOWER,
            .allowed_ratio = 0.05,
        };
    }
}

static const struct regression *judge(size_t count)
{
    CHECK(regressions_judge(tests_of, count, &rules, findings));
    return findings;
}

/* Changes with a mean of that, spread evenly by up to `spread` around it. */
static void change(int test, double by, double spread)
{
    for (int i = 0; i < N; i++)
        new_values[test][i] +=
            by + spread * ((i * 7 % N) - (N - 1) / 2.0) / ((N - 1) / 2.0);
}

static void identical_values_are_the_same(void)
{
    const struct regression *one = judge(1);

    CHECK_INT(one->kind, REGRESSION_SAME);
    CHECK_INT(one->reason, REGRESSION_CLEAR);
    CHECK_NEAR(one->old_value, 10, 1e-12);
    CHECK_NEAR(one->change, 0, 0);
    CHECK_NEAR(one->allowed, 0.5, 1e-12);
    CHECK_NEAR(one->p, 1, 0);
    CHECK_TEXT(regression_kind_names[one->kind], "same");
}

static void clear_and_large_is_worse(void)
{
    change(0, 1, 0.3);

    const struct regression *one = judge(1);

    CHECK_INT(one->kind, REGRESSION_WORSE);
    CHECK_NEAR(one->p, ldexp(1, -20), 1e-18);
    CHECK_NEAR(one->change, 1, 1e-9); /* symmetric, so its own median */
    CHECK_NEAR(one->change_ratio, 0.1, 1e-9);
    CHECK(one->lo > 0.8 && one->hi < 1.2);
    CHECK_UINT(one->worse_pairs, 20);
}

/* All 20 replications are worse, which is beyond doubt, by 2 % of the 5 %. */
static void clear_but_small_is_within(void)
{
    change(0, 0.2, 0.1);
    CHECK_INT(judge(1)->kind, REGRESSION_WITHIN);
}

/* The point is over the limit and the interval lies across it. */
static void large_but_unclear_fails_nobody(void)
{
    change(0, 0.7, 1.5);

    const struct regression *one = judge(1);

    CHECK_INT(one->kind, REGRESSION_UNCLEAR);
    CHECK_INT(one->reason, REGRESSION_OVER);
    CHECK(one->change > one->allowed && one->lo < one->allowed);
    CHECK(one->pairs_needed > N);
}

static void allowed_but_maybe_worse_is_unclear(void)
{
    change(0, 0.4, 1);

    const struct regression *one = judge(1);

    CHECK_INT(one->kind, REGRESSION_UNCLEAR);
    CHECK_INT(one->reason, REGRESSION_NEAR);
    CHECK(one->change < one->allowed && one->hi > one->allowed);
}

static void better_is_said(void)
{
    change(0, -1, 0.3);
    CHECK_INT(judge(1)->kind, REGRESSION_BETTER);
    CHECK_NEAR(findings[0].p, 1, 1e-5);
}

static void more_may_be_better(void)
{
    tests_of[0].better = tests_of[1].better = BETTER_HIGHER;
    change(0, 1, 0.3);
    change(1, -1, 0.3);
    judge(2);
    CHECK_INT(findings[0].kind, REGRESSION_BETTER);
    CHECK_INT(findings[1].kind, REGRESSION_WORSE);
    CHECK_NEAR(findings[1].change, -1, 1e-9);
    CHECK(findings[1].lo < -1 && findings[1].hi > -1);
}

static void the_larger_tolerance_counts(void)
{
    tests_of[0].allowed = 1.5; /* more than 5 % of 10 */
    tests_of[1].allowed = 0.1; /* less */
    change(0, 1, 0.3);
    change(1, 1, 0.3);
    judge(2);
    CHECK_INT(findings[0].kind, REGRESSION_WITHIN);
    CHECK_NEAR(findings[0].allowed, 1.5, 0);
    CHECK_INT(findings[1].kind, REGRESSION_WORSE);
    CHECK_NEAR(findings[1].allowed, 0.5, 1e-12);
}

/* 2^-9 is more than 1 in 1,000: nine pairs cannot tell. Ten can, if all are
   worse, and no more than one test asks. */
static void few_pairs_cannot_tell(void)
{
    change(0, 1, 0.3);
    tests_of[0].pairs = 9;
    CHECK_INT(judge(1)->kind, REGRESSION_UNCLEAR);
    CHECK_INT(findings[0].reason, REGRESSION_FEW);
    CHECK_UINT(findings[0].pairs_needed, 10);

    tests_of[0].pairs = 10;
    CHECK_INT(judge(1)->kind, REGRESSION_WORSE);
    CHECK_NEAR(findings[0].p, 1 / 1024.0, 1e-15);

    change(1, 1, 0.3);
    tests_of[1].pairs = 10;
    CHECK_INT(judge(2)->kind, REGRESSION_UNCLEAR);
    CHECK_UINT(findings[0].pairs_needed, 11); /* 2^-11 <= 0.001 / 2 */
    CHECK_UINT(regressions_fewest_pairs(1, 0.001), 10);
    CHECK_UINT(regressions_fewest_pairs(2, 0.001), 11);
    CHECK_UINT(regressions_fewest_pairs(28, 0.001), 15);
}

/* What cannot alarm needs no share: 30 tests, one of which changed. */
static void what_is_the_same_costs_nothing(void)
{
    change(7, 1, 0.3);
    judge(MOST_TESTS);
    CHECK_INT(findings[7].kind, REGRESSION_WORSE);
    CHECK_NEAR(findings[7].p, ldexp(1, -20), 1e-18);
    change(8, 0, 0.3);
    judge(MOST_TESTS);
    CHECK_NEAR(findings[7].p, 2 * ldexp(1, -20), 1e-18);
}

/* Ten pairs are enough for one that changed, however many did not. */
static void what_is_the_same_needs_no_more_pairs(void)
{
    change(7, 1, 0.3);
    for (int t = 0; t < MOST_TESTS; t++)
        tests_of[t].pairs = 10;
    judge(MOST_TESTS);
    CHECK_INT(findings[7].kind, REGRESSION_WORSE);
    CHECK_NEAR(findings[7].p, 1 / 1024.0, 1e-15);
}

static void unanswered_is_worse_than_any_number(void)
{
    for (int i = 0; i < N; i++)
        new_values[0][i] = INFINITY;
    new_values[1][3] = INFINITY;
    tests_of[0].better = tests_of[1].better = BETTER_LOWER;
    judge(2);
    CHECK_INT(findings[0].kind, REGRESSION_WORSE);
    CHECK(isnan(findings[0].change) && isnan(findings[0].new_value));
    CHECK_UINT(findings[0].new_unbounded, N);
    CHECK_NEAR(findings[0].old_value, 10, 1e-12);
    /* Nineteen as they were, and one for which there is no excuse. */
    CHECK_INT(findings[1].kind, REGRESSION_UNCLEAR);
    CHECK_INT(findings[1].reason, REGRESSION_UNEVEN);
}

static void unanswered_before_and_now_is_the_same(void)
{
    double both[N];

    for (int i = 0; i < N; i++)
        both[i] = INFINITY;
    tests_of[0].old_values = tests_of[0].new_values = both;
    CHECK_INT(judge(1)->kind, REGRESSION_SAME);
    CHECK_NEAR(findings[0].allowed, 0, 0);
}

static void values_that_went_missing_are_unclear(void)
{
    new_values[0][4] = NAN;
    CHECK_INT(judge(1)->kind, REGRESSION_UNCLEAR);
    CHECK_INT(findings[0].reason, REGRESSION_ABSENT);
    CHECK_UINT(findings[0].pairs, N - 1);
}

static void absent_before_and_now_is_the_same(void)
{
    double none[N];

    for (int i = 0; i < N; i++)
        none[i] = NAN;
    tests_of[0].old_values = tests_of[0].new_values = none;
    CHECK_INT(judge(1)->kind, REGRESSION_SAME);
    CHECK_UINT(findings[0].pairs, 0);
    CHECK(isnan(findings[0].old_value));
}

/* Two of twenty replications are ten times as long, the others as they were:
   typical ones are within the limit, the mean is not. */
static void a_few_disasters_are_not_passed(void)
{
    change(0, 0, 0.01);
    new_values[0][2] = new_values[0][11] = 100;
    CHECK_INT(judge(1)->kind, REGRESSION_UNCLEAR);
    CHECK_INT(findings[0].reason, REGRESSION_UNEVEN);
}

/* Nineteen replications are worse by 1 and one better by 100: typical ones are
   worse beyond doubt, the mean is better. */
static void one_great_gain_is_no_alarm(void)
{
    change(0, 1, 0.3);
    new_values[0][19] = old_values[19] - 100;
    CHECK_INT(judge(1)->kind, REGRESSION_UNCLEAR);
    CHECK_INT(findings[0].reason, REGRESSION_UNEVEN);
    CHECK(findings[0].p <= 0.001);
}

static void without_chance_size_decides(void)
{
    rules.exact = true;
    for (int t = 0; t < 4; t++)
        tests_of[t].pairs = 1;
    new_values[0][0] = old_values[0] * 1.06;
    new_values[1][0] = old_values[0] * 1.04;
    new_values[2][0] = old_values[0] * 0.9;
    judge(4);
    CHECK_INT(findings[0].kind, REGRESSION_WORSE);
    CHECK_INT(findings[1].kind, REGRESSION_WITHIN);
    CHECK_INT(findings[2].kind, REGRESSION_BETTER);
    CHECK_INT(findings[3].kind, REGRESSION_SAME);
}

static void one_pair_with_chance_tells_nothing(void)
{
    tests_of[0].pairs = 1;
    new_values[0][0] *= 2;
    CHECK_INT(judge(1)->kind, REGRESSION_UNCLEAR);
    CHECK_INT(findings[0].reason, REGRESSION_FEW);
    CHECK_UINT(findings[0].pairs_needed, 10);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"identical values are the same", identical_values_are_the_same},
        {"clear and large is worse", clear_and_large_is_worse},
        {"clear but small is within", clear_but_small_is_within},
        {"large but unclear fails nobody", large_but_unclear_fails_nobody},
        {"allowed but maybe worse is unclear",
         allowed_but_maybe_worse_is_unclear},
        {"better is said", better_is_said},
        {"more may be better", more_may_be_better},
        {"the larger tolerance counts", the_larger_tolerance_counts},
        {"few pairs cannot tell", few_pairs_cannot_tell},
        {"what is the same costs nothing", what_is_the_same_costs_nothing},
        {"what is the same needs no more pairs",
         what_is_the_same_needs_no_more_pairs},
        {"unanswered is worse than any number",
         unanswered_is_worse_than_any_number},
        {"unanswered before and now is the same",
         unanswered_before_and_now_is_the_same},
        {"values that went missing are unclear",
         values_that_went_missing_are_unclear},
        {"absent before and now is the same",
         absent_before_and_now_is_the_same},
        {"a few disasters are not passed", a_few_disasters_are_not_passed},
        {"one great gain is no alarm", one_great_gain_is_no_alarm},
        {"without chance size decides", without_chance_size_decides},
        {"one pair with chance tells nothing",
         one_pair_with_chance_tells_nothing},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("regression", NULL, NULL, twenty_pairs, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
