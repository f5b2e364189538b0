#include "sim/experiment/looks.h"
#include "tests/check.h"

static void looks_double_up_to_the_last(void)
{
    struct looks looks = looks_plan(10, 320);
    struct looks odd = looks_plan(10, 100);
    struct looks one = looks_plan(10, 10);
    static const uint32_t at[] = {10, 20, 40, 80, 160, 320};
    static const uint32_t odd_at[] = {10, 20, 40, 80, 100};

    CHECK_UINT(looks.count, 6);
    for (uint32_t i = 0; i < 6; i++)
        CHECK_UINT(looks.at[i], at[i]);
    CHECK_UINT(odd.count, 5);
    for (uint32_t i = 0; i < 5; i++)
        CHECK_UINT(odd.at[i], odd_at[i]);
    CHECK_UINT(one.count, 1);
    CHECK_UINT(one.at[0], 10);
}

static void many_looks_end_in_a_long_step(void)
{
    struct looks looks = looks_plan(2, 1000000);

    CHECK_UINT(looks.count, SPENDING_LOOKS_MAX);
    CHECK_UINT(looks.at[SPENDING_LOOKS_MAX - 2], 2u << 14);
    CHECK_UINT(looks.at[SPENDING_LOOKS_MAX - 1], 1000000);
}

/* Together at most alpha: the first level is its part, later ones are larger
   than their part, since they see again what was seen, and below alpha. */
static void levels_are_parts_of_alpha(void)
{
    struct looks looks = looks_plan(10, 320);
    double former = 0;

    for (uint32_t look = 0; look < looks.count; look++) {
        double level;

        looks_levels(&looks, look, 0.06, 1, &level);
        if (look == 0)
            CHECK_NEAR(level, 0.01, 1e-12);
        CHECK(level > former && level < 0.06);
        former = level;
    }
}

/* k tests left share alpha: the level is that of alpha / k, or in large
   families of a little more tests, never of fewer. */
static void levels_of_a_family_descend(void)
{
    struct looks looks = looks_plan(10, 80);
    double levels[100], alone;

    looks_levels(&looks, 2, 0.05, 100, levels);
    for (uint32_t k = 1; k < 100; k++)
        CHECK(levels[k] <= levels[k - 1]);
    looks_levels(&looks, 2, 0.05 / 7, 1, &alone);
    CHECK_NEAR(levels[6], alone, 1e-12);
    looks_levels(&looks, 2, 0.05 / 60, 1, &alone);
    CHECK(levels[59] <= alone && levels[59] > 0.7 * alone);
}

static struct verdict half_width(double half, enum verdict_reason reason)
{
    return (struct verdict){.kind = VERDICT_CANNOT_TELL,
                            .reason = reason,
                            .lo = 1 - half,
                            .hi = 1 + half,
                            .reference_mean = -200};
}

static void told_is_clear_or_narrow(void)
{
    struct verdict wide = half_width(2.01, VERDICT_NOISE);
    struct verdict narrow = half_width(1.99, VERDICT_NOISE);
    struct verdict small = half_width(1.99, VERDICT_SMALL);
    struct verdict alike = half_width(2.01, VERDICT_ALIKE);
    struct verdict clear = {.kind = VERDICT_WORSE, .lo = 1, .hi = 900};

    CHECK(!looks_have_told(&wide, 0.01));
    CHECK(looks_have_told(&narrow, 0.01));
    CHECK(looks_have_told(&small, 0.01));
    CHECK(looks_have_told(&alike, 0.01));
    CHECK(looks_have_told(&clear, 0.01));
}

/* Infinite on both sides may become finite; no value at all does not. */
static void infinite_values_are_not_told(void)
{
    struct verdict ties = {.kind = VERDICT_CANNOT_TELL,
                           .reason = VERDICT_SAME,
                           .by_sign = true,
                           .lo = NAN,
                           .hi = NAN,
                           .reference_mean = NAN};
    struct verdict equal = ties, none = ties;

    equal.by_sign = false;
    none.reason = VERDICT_NO_VALUE;
    CHECK(!looks_have_told(&ties, 0.5));
    CHECK(looks_have_told(&equal, 0.5));
    CHECK(looks_have_told(&none, 0.5));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"looks double up to the last", looks_double_up_to_the_last},
        {"many looks end in a long step", many_looks_end_in_a_long_step},
        {"levels are parts of alpha", levels_are_parts_of_alpha},
        {"levels of a family descend", levels_of_a_family_descend},
        {"told is clear or narrow", told_is_clear_or_narrow},
        {"infinite values are not told", infinite_values_are_not_told},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("looks", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
