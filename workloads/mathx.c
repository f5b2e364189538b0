#include "workloads/mathx.h"

#include "workloads/mathx_tables.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* Extra digits in between would give other bits (the x87 has them). */
_Static_assert(FLT_EVAL_METHOD == 0, "doubles must be computed as doubles");

/* log(2), the high part a multiple of 2^-42, so that products with exponents
   of doubles are exact. */
static const double ln2_high = 0x1.62e42fefa38p-1;
static const double ln2_low = 0x1.ef35793c7673p-45;

/* log(2) / 128, the high part with 34 bits for the same reason. */
static const double ln2_128th_high = 0x1.62e42fef8p-8;
static const double ln2_128th_low = 0x1.1cf79abc9e3b4p-43;
static const double one_over_ln2_128th = 0x1.71547652b82fep+7;

static uint64_t bits_of(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/* 2^exponent within the normal range. */
static double power_of_2(int64_t exponent)
{
    return double_of((uint64_t)(exponent + 1023) << 52);
}

/* A number as an unevaluated sum, good for twice the digits. */
struct pair {
    double high, low;
};

/* Exact for any a and b: Knuth, TAOCP vol. 2, 4.2.2, theorem B. */
static struct pair sum_of(double a, double b)
{
    double sum = a + b;
    double b_part = sum - a;

    return (struct pair){sum, (a - (sum - b_part)) + (b - b_part)};
}

/* x in halves of at most 26 bits: Dekker, "A Floating-Point Technique for
   Extending the Available Precision", Numer. Math. 18, 1971. */
static struct pair halves_of(double x)
{
    double scaled = 0x1.0000002p27 * x; /* 2^27 + 1 */
    double high = scaled - (scaled - x);

    return (struct pair){high, x - high};
}

/* Exact unless it over- or underflows; the same paper. */
static struct pair product_of(double a, double b)
{
    struct pair x = halves_of(a), y = halves_of(b);
    double product = a * b;
    double rest = x.high * y.high - product;

    rest += x.high * y.low + x.low * y.high;
    return (struct pair){product, rest + x.low * y.low};
}

/*
 * x = 2^k z with z in [0.6875, 1.375), and log x = k log 2 - log c + log(1 + r)
 * with c = inverse, a short number near 1/z, and r = c z - 1.
 */
struct log_parts {
    double coarse;  /* k log 2 - log c + the first digits of r, exactly */
    double fine;    /* what coarse lacks of k log 2 - log c */
    double r;       /* |r| <= 2^-7 */
    double r_rest;  /* what coarse has not of r, exactly: below 2^-26 */
    double r_error; /* c z - 1 - r */
};

static struct log_parts log_parts_of(double x)
{
    const uint64_t first = 0x3fe6000000000000; /* 0.6875 */
    uint64_t bits = bits_of(x);
    double k = 0;

    if (bits < (uint64_t)1 << 52) { /* subnormal */
        bits = bits_of(x * 0x1p52);
        k = -52;
    }

    uint64_t from_first = bits - first;
    uint64_t piece = from_first >> 45 & 127;
    int64_t exponent = (int64_t)from_first >> 52;
    k += (double)exponent;

    /*
     * Two products that are exact, as the factors are short. z_high is rounded
     * and not cut: cut below 1, r_high and r_rest would cancel.
     */
    double z = double_of(bits - ((uint64_t)exponent << 52));
    double z_high = double_of((bits_of(z) + 0x4000000) & ~(uint64_t)0x7ffffff);
    double inverse = log_table[piece].inverse;
    double r_high = z_high * inverse - 1;
    double r_rest = (z - z_high) * inverse;
    double r = r_high + r_rest;

    /* All three are multiples of 2^-42 below 2^11: no rounding. */
    return (struct log_parts){
        .coarse = k * ln2_high + log_table[piece].high + r_high,
        .fine = k * ln2_low + log_table[piece].low,
        .r = r,
        .r_rest = r_rest,
        .r_error = (r_high - r) + r_rest,
    };
}

/* (log(1 + r) - r + r^2/2) / r^3, by its Taylor series to r^10 in all. */
static double log_tail(double r)
{
    double far = -1.0 / 8 + r * (1.0 / 9 - r * (1.0 / 10));

    return 1.0 / 3 +
           r * (-1.0 / 4 +
                r * (1.0 / 5 + r * (-1.0 / 6 + r * (1.0 / 7 + r * far))));
}

static double log_of_positive(double x)
{
    struct log_parts parts = log_parts_of(x);
    double r = parts.r;
    double curve = r * r * (-0.5 + r * log_tail(r));

    return parts.coarse + (parts.r_rest + (parts.fine + curve));
}

double mathx_log(double x)
{
    if (x > 0 && x <= DBL_MAX)
        return log_of_positive(x);
    if (x == 0)
        return -INFINITY;
    return x < 0 ? (double)NAN : x; /* infinity or NaN */
}

/* log x within 2^-66 of itself; x positive and finite. */
static struct pair long_log(double x)
{
    struct log_parts parts = log_parts_of(x);
    double r = parts.r;
    struct pair square = product_of(r, r);
    struct pair sum = sum_of(parts.coarse, -0.5 * square.high);
    struct pair total = sum_of(sum.high, parts.r_rest);
    double rest =
        -0.5 * square.low - r * parts.r_error + r * square.high * log_tail(r);

    return sum_of(total.high, total.low + sum.low + parts.fine + rest);
}

/*
 * exp(x + rest), x in [-750, 750], rest at most an ulp or so of x:
 * 2^(n/128) exp(r) with n the nearest integer, |r| <= log(2)/256.
 */
static double exp_of_sum(double x, double rest)
{
    const double to_integer = 0x1.8p52; /* adding this rounds to an integer */
    double n = (x * one_over_ln2_128th + to_integer) - to_integer;
    double r = ((x - n * ln2_128th_high) - n * ln2_128th_low) + rest;
    double curve =
        r * r * (1.0 / 2 + r * (1.0 / 6 + r * (1.0 / 24 + r * (1.0 / 120))));

    int64_t steps = (int64_t)n;
    int64_t row = steps & 127;
    int64_t exponent = (steps - row) / 128;
    double value = exp_table[row].value;
    double mantissa = value + value * (exp_table[row].rest + (r + curve));

    /* In two factors, as 2^exponent itself may not be a normal number. */
    int64_t half = exponent / 2;
    return mantissa * power_of_2(half) * power_of_2(exponent - half);
}

double mathx_exp(double x)
{
    if (x >= -746 && x <= 710)
        return exp_of_sum(x, 0);
    if (x > 710)
        return INFINITY;
    return x < 0 ? 0 : x; /* NaN stays */
}

/*
 * |log x| lies between 2^-54 and 2^10 unless x is 1. So a y beyond 2^70 gives
 * infinity or 0 and one below 2^-70 gives 1 to the last bit; in between no
 * product of halves over- or underflows.
 */
static double pow_of_positive(double x, double y)
{
    if (fabs(y) < 0x1p-70 || x == 1)
        return 1;
    if (fabs(y) > 0x1p70)
        return (x > 1) == (y > 0) ? INFINITY : 0;

    struct pair log_x = long_log(x);
    struct pair product = product_of(y, log_x.high);
    if (product.high > 710)
        return INFINITY;
    if (product.high < -746)
        return 0;
    return exp_of_sum(product.high, product.low + y * log_x.low);
}

/* The edges are those of C's pow, annex F.10.4.4, for x >= 0. */
double mathx_pow(double x, double y)
{
    if (y == 0 || x == 1)
        return 1;
    if (isnan(x) || isnan(y) || x < 0)
        return (double)NAN;
    if (x == 0)
        return y > 0 ? 0 : INFINITY;
    if (x > DBL_MAX)
        return y > 0 ? INFINITY : 0;
    return pow_of_positive(x, y);
}

/* Folded into a quarter of a turn, which is exact, and there by its Taylor
   series, whose next term is below 3e-18. */
double mathx_sin_turn(double x)
{
    const double two_pi = 6.283185307179586;
    double sign = 1;

    if (x > 0.5) {
        x = 1 - x;
        sign = -1;
    }
    if (x > 0.25)
        x = 0.5 - x;

    double angle = two_pi * x, square = angle * angle, sum = 1;
    for (int k = 20; k > 0; k -= 2)
        sum = 1 - square / (k * (k + 1)) * sum;
    return sign * angle * sum;
}
