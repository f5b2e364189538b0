/*
 * The series S1 and S2 and what a paired t test says of them were computed
 * independently with scipy: mean difference 1.2, half width 0.564281137 (95 %),
 * p 0.000959310299.
 */
#include "sim/experiment/verdict.h"
#include "tests/check.h"

#define N 10

static const double s1[N] = {12, 15, 11, 14, 18, 13, 16, 12, 17, 14};
static const double s2[N] = {11, 13, 11, 12, 17, 12, 14, 12, 15, 13};

static struct verdict verdicts[4];

static const struct verdict *reach(const double *const *values,
                                   uint32_t policies, uint32_t replications)
{
    CHECK(verdicts_reach(values, policies, replications, M_LATENCY_ALL_P99,
                         0.95, 0.01, verdicts));
    return verdicts;
}

static const struct verdict *compare(const double *old_values,
                                     const double *new_values, uint32_t n)
{
    const double *values[] = {old_values, new_values};

    return &reach(values, 2, n)[1];
}

static void first_policy_is_the_reference(void)
{
    compare(s1, s2, N);
    CHECK_INT(verdicts[0].kind, VERDICT_REFERENCE);
    CHECK_TEXT(verdict_names[verdicts[0].kind], "reference");
}

static void clear_difference_is_better(void)
{
    const struct verdict *verdict = compare(s1, s2, N);

    CHECK_INT(verdict->kind, VERDICT_BETTER);
    CHECK_NEAR(verdict->difference, -1.2, 1e-12);
    CHECK_NEAR(verdict->lo, -1.2 - 0.564281137215166, 1e-9);
    CHECK_NEAR(verdict->hi, -1.2 + 0.564281137215166, 1e-9);
    CHECK_NEAR(verdict->p, 0.000959310299123676, 1e-12);
    CHECK_NEAR(verdict->effect_ratio, -1.2 / 14.2, 1e-12); /* mean of S1 */
    CHECK_UINT(verdict->better_pairs, 8);
    CHECK_UINT(verdict->worse_pairs, 0);
    CHECK_TEXT(verdict_names[verdict->kind], "better");
}

static void other_way_round_is_worse(void)
{
    CHECK_INT(compare(s2, s1, N)->kind, VERDICT_WORSE);
}

/* Failures of 0.04 % and a few more, and 14 times as many: half a percent of
   success, and much all the same. 0.5 % more failures are too few. */
static void success_is_judged_by_failures(void)
{
    double few[N], many[N], hardly_more[N];
    const double *values[] = {few, many, hardly_more};

    for (uint32_t i = 0; i < N; i++) {
        double failures = 0.0004 + 1e-5 * i;

        few[i] = 1 - failures;
        many[i] = 1 - 14 * failures;
        hardly_more[i] = 1 - 1.005 * failures;
    }
    CHECK(verdicts_reach(values, 3, N, M_SUCCESS, 0.95, 0.01, verdicts));
    CHECK_INT(verdicts[1].kind, VERDICT_WORSE);
    CHECK_INT(verdicts[2].reason, VERDICT_SMALL);
    CHECK_NEAR(verdict_yardstick(&verdicts[1]), 0.000445, 1e-12);
    /* Of a low share it is the successes, and of no failures none. */
    CHECK_NEAR(verdict_yardstick(&(struct verdict){.reference_mean = 0.2,
                                                   .by_failures = true}),
               0.2, 0);
    CHECK_NEAR(verdict_yardstick(
                   &(struct verdict){.reference_mean = 1, .by_failures = true}),
               0, 0);
    CHECK_NEAR(verdict_yardstick(&(struct verdict){.reference_mean = -3}), 3,
               0);
}

static void higher_may_be_better(void)
{
    const double *values[] = {s2, s1};

    CHECK(verdicts_reach(values, 2, N, M_GOODPUT, 0.95, 0.01, verdicts));
    CHECK_INT(verdicts[1].kind, VERDICT_BETTER);
    CHECK_UINT(verdicts[1].better_pairs, 8);
}

/* Differences -1 and 1 in turn: mean 0.4, sd 0.966, t 1.31, p 0.22. */
static const double noisy[N] = {1, 1, 1, -1, 1, 1, -1, 1, -1, 1};

static void noise_cannot_tell_and_says_how_many_would(void)
{
    double values[N];

    for (int i = 0; i < N; i++)
        values[i] = s1[i] + noisy[i];
    const struct verdict *verdict = compare(s1, values, N);

    CHECK_INT(verdict->kind, VERDICT_CANNOT_TELL);
    CHECK_INT(verdict->reason, VERDICT_NOISE);
    CHECK_TEXT(verdict_names[verdict->kind], "cannot_tell");
    /* ((1.959964 + 1.281552) * 0.966092 / 0.4)^2 + 1.959964^2 / 2 = 63.2;
       sd = sqrt((7 * 0.36 + 3 * 1.96) / 9). */
    CHECK_UINT(verdict->replications_needed, 64);
}

/* 0.05 of that noise: 0.02 +- 0.035 holds 0, and reaches no 1 % of 14.2. */
static void small_noise_is_no_difference(void)
{
    double values[N];

    for (int i = 0; i < N; i++)
        values[i] = s1[i] + 0.05 * noisy[i];
    const struct verdict *verdict = compare(s1, values, N);

    CHECK_INT(verdict->kind, VERDICT_CANNOT_TELL);
    CHECK_INT(verdict->reason, VERDICT_ALIKE);
    CHECK_UINT(verdict->replications_needed, 0);
    CHECK_NEAR(verdict->hi, 0.02 + 0.0345552, 1e-6);
}

/* The same small step in every pair is certain, and still too small: 0.1 of
   14.2 is 0.7 %. */
static void certain_but_small_difference_cannot_tell(void)
{
    double values[N];

    for (int i = 0; i < N; i++)
        values[i] = s1[i] + 0.1 + 0.001 * noisy[i];
    const struct verdict *verdict = compare(s1, values, N);

    CHECK_INT(verdict->kind, VERDICT_CANNOT_TELL);
    CHECK_INT(verdict->reason, VERDICT_SMALL);
    CHECK_UINT(verdict->replications_needed, 0);
    CHECK(verdict->p < 1e-9);
}

/* 0.15 of 14.2 is 1.06 %: just above. */
static void difference_above_min_effect_counts(void)
{
    double values[N];

    for (int i = 0; i < N; i++)
        values[i] = s1[i] + 0.15 + 0.001 * noisy[i];
    CHECK_INT(compare(s1, values, N)->kind, VERDICT_WORSE);
}

static void equal_policies_are_said_to_be_equal(void)
{
    const struct verdict *verdict = compare(s1, s1, N);

    CHECK_INT(verdict->kind, VERDICT_CANNOT_TELL);
    CHECK_INT(verdict->reason, VERDICT_SAME);
    CHECK_NEAR(verdict->p, 1, 0);
    CHECK_UINT(verdict->replications_needed, 0);
}

static void one_pair_cannot_tell(void)
{
    const struct verdict *verdict = compare(s1, s2, 1);

    CHECK_INT(verdict->kind, VERDICT_CANNOT_TELL);
    CHECK_INT(verdict->reason, VERDICT_ONE_PAIR);
    CHECK_NEAR(verdict->difference, -1, 0);
    CHECK(isnan(verdict->p));
}

static void absent_values_leave_their_pair_out(void)
{
    double values[3] = {1, NAN, 2};
    double other[3] = {NAN, 1, 1};
    const double none[2] = {NAN, NAN};

    CHECK_UINT(compare(values, other, 3)->pairs, 1);
    CHECK_INT(compare(none, s1, 2)->reason, VERDICT_NO_VALUE);
    CHECK_INT(verdicts[1].kind, VERDICT_CANNOT_TELL);
}

/* ---- Holm ---- */

/* Differences of mean 1 and the given spread: d +- spread in turn. */
static void spread(double *values, double mean, double width)
{
    for (int i = 0; i < N; i++)
        values[i] = s1[i] + mean + (i % 2 ? width : -width);
}

/*
 * +-w in turn over 10 pairs: sd = w sqrt(10 / 9), so t = mean * 3 / w. Mean -1
 * and w 1.25 give t -2.4 and p 0.0398979 (the density of Student's t with 9
 * degrees of freedom, integrated by Simpson's rule). Alone that is better;
 * among three its adjusted p is three times as large.
 */
static void among_many_more_is_asked(void)
{
    double a[N];
    double b[N];
    double c[N];
    const double *pair[] = {s1, a};
    const double *all[] = {s1, a, b, c};

    spread(a, -1, 1.25);
    spread(b, -1, 3); /* t -1 */
    spread(c, -1, 4);
    CHECK_INT(reach(pair, 2, N)[1].kind, VERDICT_BETTER);
    CHECK_NEAR(verdicts[1].p, 0.0398979, 1e-6);
    CHECK_INT(reach(all, 4, N)[1].kind, VERDICT_CANNOT_TELL);
    CHECK_NEAR(verdicts[1].p, 3 * 0.0398979, 3e-6);
    /* its interval is that of level 0.05 / 3, and so holds 0 */
    CHECK(verdicts[1].lo < 0 && verdicts[1].hi > 0);
    /* and so is what would tell: ((2.393980 + 1.281552) * 1.317616)^2 +
       2.393980^2 / 2 = 26.3, with z of 1 - 0.05 / 6 */
    CHECK_UINT(verdicts[1].replications_needed, 27);
}

/* A clear one does not pay for the others, and they pay one less. */
static void holm_steps_down(void)
{
    double a[N];
    double b[N];
    const double *all[] = {s1, b, a};

    spread(a, -1, 0.1);  /* t -30 */
    spread(b, -1, 1.25); /* p 0.0399, tested at 0.05 / 1 */
    CHECK_INT(reach(all, 3, N)[2].kind, VERDICT_BETTER);
    CHECK_INT(verdicts[1].kind, VERDICT_BETTER);
    CHECK_NEAR(verdicts[1].p, 0.0398979, 1e-6);
    CHECK(verdicts[1].hi < 0);
}

/* ---- infinite values ---- */

/* Ten of ten pairs worse: two-sided p 2 / 2^10. */
static void infinite_is_worse_than_any_number(void)
{
    double values[N];

    for (int i = 0; i < N; i++)
        values[i] = INFINITY;
    const struct verdict *verdict = compare(s1, values, N);

    CHECK_INT(verdict->kind, VERDICT_WORSE);
    CHECK(verdict->by_sign);
    CHECK_NEAR(verdict->p, 2.0 / 1024, 1e-12);
    CHECK_UINT(verdict->worse_pairs, 10);
    CHECK(isnan(verdict->difference));
    CHECK(isnan(verdict->effect_ratio));
    CHECK_INT(compare(values, s1, N)->kind, VERDICT_BETTER);
}

static void both_infinite_is_a_tie(void)
{
    double old_values[N];
    double new_values[N];

    for (int i = 0; i < N; i++) {
        old_values[i] = i < 5 ? INFINITY : 2;
        new_values[i] = i < 5 ? INFINITY : 1;
    }
    const struct verdict *verdict = compare(old_values, new_values, N);

    CHECK_UINT(verdict->better_pairs, 5);
    CHECK_UINT(verdict->worse_pairs, 0);
    /* 2 / 2^5 = 0.0625 is not enough */
    CHECK_NEAR(verdict->p, 0.0625, 1e-12);
    CHECK_INT(verdict->kind, VERDICT_CANNOT_TELL);
    /* six decided pairs would be: 2 / 2^6; half of the pairs are ties */
    CHECK_UINT(verdict->replications_needed, 12);
}

/* As above with one tie more: six of eleven say nothing. */
static void mostly_ties_give_no_forecast(void)
{
    double old_values[N + 1];
    double new_values[N + 1];

    for (int i = 0; i <= N; i++) {
        old_values[i] = i <= 5 ? INFINITY : 2;
        new_values[i] = i <= 5 ? INFINITY : 1;
    }
    const struct verdict *verdict = compare(old_values, new_values, N + 1);

    CHECK_UINT(verdict->better_pairs, 5);
    CHECK_INT(verdict->reason, VERDICT_NOISE);
    CHECK_UINT(verdict->replications_needed, 0);
}

static void all_infinite_on_both_sides_is_the_same(void)
{
    double values[3] = {INFINITY, INFINITY, INFINITY};

    CHECK_INT(compare(values, values, 3)->reason, VERDICT_SAME);
    CHECK_INT(verdicts[1].kind, VERDICT_CANNOT_TELL);
}

/* One pair in ten is infinite, the others differ by 0.1 %. */
static void trifles_are_ties_in_a_sign_test(void)
{
    double values[N];

    for (int i = 0; i < N; i++)
        values[i] = i == 0 ? INFINITY : 1.001 * s1[i];
    const struct verdict *verdict = compare(s1, values, N);

    CHECK_UINT(verdict->worse_pairs, 1);
    CHECK_INT(verdict->kind, VERDICT_CANNOT_TELL);
}

static void balanced_signs_would_never_tell(void)
{
    double old_values[4] = {INFINITY, 1, 1, 1};
    double new_values[4] = {1, INFINITY, 1, 1};

    CHECK_UINT(compare(old_values, new_values, 4)->replications_needed, 0);
}

/* ---- families ---- */

static const struct verdict_rules rules = {0.95, 0.01, NULL};

/* Independent series: Welch's half width of 1.98126379 with 17.33 degrees of
   freedom holds 0. */
static void no_pairs_are_judged_by_welch(void)
{
    const struct verdict_test test = {s2, s1, N, N, BETTER_LOWER, true, false};

    CHECK(verdict_family_reach(&test, 1, &rules, verdicts));
    CHECK_INT(verdicts[0].kind, VERDICT_CANNOT_TELL);
    CHECK_INT(verdicts[0].reason, VERDICT_NOISE);
    CHECK(verdicts[0].unpaired);
    CHECK_NEAR(verdicts[0].difference, 1.2, 1e-12);
    CHECK_NEAR(verdicts[0].hi - 1.2, 1.98126379, 1e-8);
    CHECK_NEAR(verdicts[0].level, 0.05, 1e-12);
    CHECK_NEAR(verdicts[0].reference_mean, 13, 1e-12);
    /* (1.96 + 1.2816)^2 (5.2889 + 3.5556) / 1.44 + 1.92 = 66.5 */
    CHECK_UINT(verdicts[0].replications_needed, 67);
}

static void no_pairs_may_be_of_unequal_number(void)
{
    static const double far[] = {25, NAN, 27, 26, 28, 24};
    const struct verdict_test test = {s1, far, N, 6, BETTER_LOWER, true, false};

    CHECK(verdict_family_reach(&test, 1, &rules, verdicts));
    CHECK_INT(verdicts[0].kind, VERDICT_WORSE);
    CHECK_NEAR(verdicts[0].difference, 26 - 14.2, 1e-12);
    CHECK_UINT(verdicts[0].pairs, 5);
    CHECK_UINT(verdicts[0].better_pairs + verdicts[0].worse_pairs, 0);
}

static void infinite_without_pairs_has_no_test(void)
{
    static const double bad[] = {25, INFINITY, 27};
    const struct verdict_test test = {s1, bad, N, 3, BETTER_LOWER, true, false};

    CHECK(verdict_family_reach(&test, 1, &rules, verdicts));
    CHECK_INT(verdicts[0].kind, VERDICT_CANNOT_TELL);
    CHECK_INT(verdicts[0].reason, VERDICT_INFINITE);
    CHECK(isnan(verdicts[0].difference) && isnan(verdicts[0].p));
}

/* Neither more nor less is better: it differs. */
static void measure_without_a_direction_differs(void)
{
    const struct verdict_test test = {s2,    s1,   N, N, BETTER_NEITHER,
                                      false, false};

    CHECK(verdict_family_reach(&test, 1, &rules, verdicts));
    CHECK_INT(verdicts[0].kind, VERDICT_DIFFERS);
    CHECK_TEXT(verdict_names[verdicts[0].kind], "differs");
}

/* The same p of 0.000959 is enough at a level of 0.001, not at 0.0009, and the
   interval is that of the level: t of 9 degrees of freedom at 0.9995 is
   4.780913, times 0.788810638 / sqrt(10). */
static void levels_of_looks_decide(void)
{
    const struct verdict_test test = {s2, s1, N, N, BETTER_LOWER, false, false};
    double level = 0.001;
    struct verdict_rules look = {0.95, 0.01, &level};

    CHECK(verdict_family_reach(&test, 1, &look, verdicts));
    CHECK_INT(verdicts[0].kind, VERDICT_WORSE);
    CHECK_NEAR(verdicts[0].hi - 1.2, 4.780913 * 0.788810638 / sqrt(10), 1e-6);
    level = 0.0009;
    CHECK(verdict_family_reach(&test, 1, &look, verdicts));
    CHECK_INT(verdicts[0].kind, VERDICT_CANNOT_TELL);
    CHECK(verdicts[0].lo < 0);
}

static void family_of_nothing_is_fine(void)
{
    CHECK(verdict_family_reach(NULL, 0, &rules, verdicts));
}

int main(int argc, char **argv)
{
    CU_TestInfo paired_tests[] = {
        {"the first policy is the reference", first_policy_is_the_reference},
        {"a clear difference is better", clear_difference_is_better},
        {"the other way round is worse", other_way_round_is_worse},
        {"success is judged by failures", success_is_judged_by_failures},
        {"higher may be better", higher_may_be_better},
        {"noise cannot tell and says how many would",
         noise_cannot_tell_and_says_how_many_would},
        {"small noise is no difference", small_noise_is_no_difference},
        {"a certain but small difference cannot tell",
         certain_but_small_difference_cannot_tell},
        {"a difference above min_effect counts",
         difference_above_min_effect_counts},
        {"equal policies are said to be equal",
         equal_policies_are_said_to_be_equal},
        {"one pair cannot tell", one_pair_cannot_tell},
        {"absent values leave their pair out",
         absent_values_leave_their_pair_out},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo holm_tests[] = {
        {"among many more is asked", among_many_more_is_asked},
        {"Holm steps down", holm_steps_down},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo sign_tests[] = {
        {"infinite is worse than any number",
         infinite_is_worse_than_any_number},
        {"both infinite is a tie", both_infinite_is_a_tie},
        {"mostly ties give no forecast", mostly_ties_give_no_forecast},
        {"all infinite on both sides is the same",
         all_infinite_on_both_sides_is_the_same},
        {"trifles are ties in a sign test", trifles_are_ties_in_a_sign_test},
        {"balanced signs would never tell", balanced_signs_would_never_tell},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo family_tests[] = {
        {"no pairs are judged by Welch", no_pairs_are_judged_by_welch},
        {"no pairs may be of unequal number",
         no_pairs_may_be_of_unequal_number},
        {"infinite without pairs has no test",
         infinite_without_pairs_has_no_test},
        {"a measure without a direction differs",
         measure_without_a_direction_differs},
        {"levels of looks decide", levels_of_looks_decide},
        {"a family of nothing is fine", family_of_nothing_is_fine},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("verdict paired", NULL, NULL, NULL, NULL, paired_tests),
        SUITE("verdict holm", NULL, NULL, NULL, NULL, holm_tests),
        SUITE("verdict sign", NULL, NULL, NULL, NULL, sign_tests),
        SUITE("verdict family", NULL, NULL, NULL, NULL, family_tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
