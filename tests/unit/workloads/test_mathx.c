#include "workloads/mathx.h"

#include "tests/check.h"
#include "workloads/rng.h"

#include <float.h>
#include <stdlib.h>

/*
 * The reference is long double arithmetic with at least 64 bits of mantissa
 * (x86) or 113 (64-bit ARM): its own error is a thousandth of what is allowed.
 */
_Static_assert(LDBL_MANT_DIG >= 64, "no reference on this machine");

enum { ROUNDS = 400000 };

/* Distance from the truth in units of the last bit of the nearest double. */
static double ulps(double actual, long double truth)
{
    if (isinf(actual) || fabsl(truth) > DBL_MAX)
        return (isinf(actual) && (fabsl(truth) >= DBL_MAX * (1 + 0x1p-53L)) &&
                (actual > 0) == (truth > 0))
                   ? 0
                   : INFINITY;

    int exponent;
    frexpl(truth, &exponent);
    if (exponent < -1021 || truth == 0)
        exponent = -1021;
    return (double)(fabsl((long double)actual - truth) /
                    ldexpl(1, exponent - 53));
}

struct worst {
    double ulps, x, y;
};

static void note(struct worst *worst, double actual, long double truth,
                 double x, double y)
{
    double distance = ulps(actual, truth);

    if (!(distance <= worst->ulps))
        *worst = (struct worst){distance, x, y};
}

/*
 * The header promises 2. These functions are meant to do much better: but for
 * the last rounding, which is half of a place, they are off by no more than the
 * limits below add to it. Limits so near make wrong constants show.
 */
static void check_worst(const char *what, struct worst worst, double limit)
{
    char text[160];

    snprintf(text, sizeof text, "%s(%a, %a) is off by %.4f ulp", what, worst.x,
             worst.y, worst.ulps);
    CU_assertImplementation(worst.ulps <= limit, __LINE__, text, __FILE__,
                            __func__, CU_FALSE);
}

/* Any positive finite double, each exponent alike, subnormals too. */
static double any_positive(struct rng *rng)
{
    uint64_t bits = rng_next(rng) >> 1;
    double x;

    if (bits >= (uint64_t)0x7ff << 52)
        bits &= ~((uint64_t)1 << 62);
    memcpy(&x, &bits, sizeof x);
    return x;
}

static const double edges[] = {
    0x1p-1074,
    0x1p-1073,
    0x1.fffffffffffffp-1023,
    DBL_MIN,
    0x1p-53,
    0x1p-27,
    0.6875,
    0x1.5ffffffffffffp-1,
    0.5,
    0.99609375,
    1 - 0x1p-53,
    1 - 0x1p-27,
    1,
    1 + 0x1p-52,
    1 + 0x1p-26,
    1.0078125,
    0x1.01fffffffffffp+0,
    1.375,
    0x1.5ffffffffffffp+0,
    1.5,
    2,
    10,
    0x1p52,
    0x1p1023,
    DBL_MAX,
};
enum { EDGE_COUNT = sizeof edges / sizeof *edges };

static void logarithm_is_within_two_ulp(void)
{
    struct worst worst = {0}, worst_near_1 = {0};
    struct rng rng;

    rng_seed(&rng, 1, 1);
    for (int i = 0; i < EDGE_COUNT; i++)
        note(&worst_near_1, mathx_log(edges[i]), logl(edges[i]), edges[i], 0);
    for (int i = 0; i < ROUNDS; i++) {
        double wide = any_positive(&rng);
        double around_1 = 0.5 + 1.5 * rng_uniform(&rng);
        double near_1 =
            1 + (rng_uniform(&rng) - 0.5) * ldexp(1, -(int)rng_below(&rng, 50));
        double unit = rng_uniform_open(&rng);

        note(&worst, mathx_log(wide), logl(wide), wide, 0);
        note(fabs(around_1 - 1) < 0x1p-7 ? &worst_near_1 : &worst,
             mathx_log(around_1), logl(around_1), around_1, 0);
        note(&worst_near_1, mathx_log(near_1), logl(near_1), near_1, 0);
        note(fabs(unit - 1) < 0x1p-7 ? &worst_near_1 : &worst, mathx_log(unit),
             logl(unit), unit, 0);
    }
    check_worst("log", worst, 0.52);
    check_worst("log", worst_near_1, 0.8); /* two roundings of like size */
}

static void exponential_is_within_two_ulp(void)
{
    struct worst worst = {0}, worst_subnormal = {0};
    struct rng rng;

    rng_seed(&rng, 2, 1);
    for (int i = 0; i < ROUNDS; i++) {
        double wide = -708 + 1418 * rng_uniform(&rng);
        double small =
            (rng_uniform(&rng) - 0.5) * ldexp(1, -(int)rng_below(&rng, 60));
        double subnormal = -745.14 + 37 * rng_uniform(&rng);
        double high = 709 + rng_uniform(&rng);

        note(&worst, mathx_exp(wide), expl(wide), wide, 0);
        note(&worst, mathx_exp(small), expl(small), small, 0);
        note(&worst_subnormal, mathx_exp(subnormal), expl(subnormal), subnormal,
             0);
        note(&worst, mathx_exp(high), expl(high), high, 0);
    }
    check_worst("exp", worst, 0.52);
    check_worst("exp", worst_subnormal, 1.02); /* rounded twice */
}

static void power_is_within_two_ulp(void)
{
    struct worst worst = {0}, worst_subnormal = {0};
    struct rng rng;

    rng_seed(&rng, 3, 1);
    for (int i = 0; i < EDGE_COUNT; i++)
        for (int j = 0; j < EDGE_COUNT; j++) {
            note(&worst_subnormal, mathx_pow(edges[i], edges[j]),
                 powl(edges[i], edges[j]), edges[i], edges[j]);
            note(&worst_subnormal, mathx_pow(edges[i], -edges[j]),
                 powl(edges[i], -edges[j]), edges[i], -edges[j]);
        }
    for (int i = 0; i < ROUNDS; i++) {
        double wide = any_positive(&rng);
        double log_wide = log(wide);
        double far = (-708 + 1417 * rng_uniform(&rng)) / log_wide;
        double deep = (-708 - 37 * rng_uniform(&rng)) / log_wide;
        double unit = rng_uniform_open(&rng);
        double shape = -10 * rng_uniform(&rng);
        double near_1 = 1 + (rng_uniform(&rng) - 0.5) * 0x1p-20;
        double about_1 = 0.9 + 0.2 * rng_uniform(&rng);
        double far_from_1 = 1416 * (rng_uniform(&rng) - 0.5) / log(about_1);
        double steep = 1e9 * (rng_uniform(&rng) - 0.5);

        note(&worst, mathx_pow(wide, far), powl(wide, far), wide, far);
        note(&worst_subnormal, mathx_pow(wide, deep), powl(wide, deep), wide,
             deep);
        note(&worst, mathx_pow(unit, shape), powl(unit, shape), unit, shape);
        note(&worst, mathx_pow(about_1, far_from_1), powl(about_1, far_from_1),
             about_1, far_from_1);
        note(&worst, mathx_pow(near_1, steep), powl(near_1, steep), near_1,
             steep);
    }
    check_worst("pow", worst, 0.52);
    check_worst("pow", worst_subnormal, 1.02); /* rounded twice */
}

static void logarithm_keeps_the_edges_of_c(void)
{
    CHECK(mathx_log(0) == -INFINITY);
    CHECK(mathx_log(-0.0) == -INFINITY);
    CHECK(isnan(mathx_log(-1)));
    CHECK(isnan(mathx_log(-INFINITY)));
    CHECK(isnan(mathx_log(NAN)));
    CHECK(mathx_log(INFINITY) == INFINITY);
    CHECK(mathx_log(1) == 0);
}

static void exponential_keeps_the_edges_of_c(void)
{
    CHECK(mathx_exp(0) == 1);
    CHECK(mathx_exp(-0.0) == 1);
    CHECK(mathx_exp(INFINITY) == INFINITY);
    CHECK(mathx_exp(-INFINITY) == 0);
    CHECK(isnan(mathx_exp(NAN)));
    CHECK(mathx_exp(709.79) == INFINITY); /* log of the largest is 709.7827 */
    CHECK(mathx_exp(1e300) == INFINITY);
    CHECK(mathx_exp(-745.14) == 0); /* half of 2^-1074 is at -745.1332 */
    CHECK(mathx_exp(-1e300) == 0);
    CHECK(mathx_exp(-745.13) == 0x1p-1074);
}

/* C17 annex F.10.4.4, for bases that are not negative. */
static void power_keeps_the_edges_of_c(void)
{
    CHECK(mathx_pow(NAN, 0) == 1);
    CHECK(mathx_pow(1, NAN) == 1);
    CHECK(mathx_pow(1, INFINITY) == 1);
    CHECK(isnan(mathx_pow(NAN, 1)));
    CHECK(isnan(mathx_pow(2, NAN)));
    CHECK(isnan(mathx_pow(-2, 3)));
    CHECK(mathx_pow(0, 2) == 0);
    CHECK(mathx_pow(0, -2) == INFINITY);
    CHECK(mathx_pow(0, INFINITY) == 0);
    CHECK(mathx_pow(INFINITY, 0.5) == INFINITY);
    CHECK(mathx_pow(INFINITY, -0.5) == 0);
    CHECK(mathx_pow(0.5, INFINITY) == 0);
    CHECK(mathx_pow(0.5, -INFINITY) == INFINITY);
    CHECK(mathx_pow(2, INFINITY) == INFINITY);
    CHECK(mathx_pow(2, -INFINITY) == 0);
    CHECK(mathx_pow(2, 1024) == INFINITY);
    CHECK(mathx_pow(2, 1e300) == INFINITY);
    CHECK(mathx_pow(2, -1e300) == 0);
    CHECK(mathx_pow(3, 1e-300) == 1);
    CHECK(mathx_pow(2, -1100) == 0);
}

/* Powers of small integers that fit are doubles, so off by nothing. */
static void power_of_integers_is_exact(void)
{
    double truth = 1;

    for (int n = 0; n <= 33; n++, truth *= 3)
        CHECK_NEAR(mathx_pow(3, n), truth, 0);
    for (int n = -1074; n < 1024; n++)
        CHECK_NEAR(mathx_pow(2, n), ldexp(1, n), 0);
}

/* glibc's sine is within an ulp; its argument 2 pi x is rounded, by 4e-16. */
static void sine_of_turns_is_near_libm(void)
{
    for (int i = 0; i <= 100000; i++) {
        double turn = i / 100000.0;

        CHECK_NEAR(mathx_sin_turn(turn), sin(2 * 3.14159265358979323846 * turn),
                   1e-15);
    }
    CHECK_NEAR(mathx_sin_turn(0), 0, 0);
    CHECK_NEAR(mathx_sin_turn(0.5), 0, 0);
    CHECK_NEAR(mathx_sin_turn(0.25), 1, 2.3e-16);
    CHECK_NEAR(mathx_sin_turn(0.75), -1, 2.3e-16);
    CHECK_NEAR(mathx_sin_turn(1.0 / 12), 0.5, 2.3e-16);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"logarithm is within two ulp", logarithm_is_within_two_ulp},
        {"exponential is within two ulp", exponential_is_within_two_ulp},
        {"power is within two ulp", power_is_within_two_ulp},
        {"logarithm keeps the edges of C", logarithm_keeps_the_edges_of_c},
        {"exponential keeps the edges of C", exponential_keeps_the_edges_of_c},
        {"power keeps the edges of C", power_keeps_the_edges_of_c},
        {"power of integers is exact", power_of_integers_is_exact},
        {"sine of turns is near libm", sine_of_turns_is_near_libm},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("mathx", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
