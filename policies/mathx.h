/*
 * mathx.h - the exponential for policies that forget by the clock.
 *
 * libm's differs by version and processor, and a policy must decide alike
 * everywhere. This one takes additions, multiplications and a division that
 * every compiler rounds alike (without contraction to fused ones, which
 * -ffp-contract=off forbids), and is within 1.5 of the last place. The
 * traffic's own mathematics has a table and is faster; policies do without.
 */
#ifndef POLICIES_MATHX_H
#define POLICIES_MATHX_H

#include <stdint.h>
#include <string.h>

/* e^x for x of 0 or below; 0 below -708, where results would be subnormal. */
static inline double lbp_exp(double x)
{
    /* ln 2 in two parts: the first has trailing zeroes, so that its product
       with a whole number of up to 10 bits is exact. */
    const double ln2_high = 0x1.62e42fee00000p-1;
    const double ln2_low = 0x1.a39ef35793c76p-33;
    double power, rest, sum = 1, scale;
    uint64_t bits;
    int halvings;

    if (!(x >= -708))
        return x < -708 ? 0 : x; /* NaN stays */
    halvings = (int)(0.5 - x * 0x1.71547652b82fep+0);
    rest = (x + halvings * ln2_high) + halvings * ln2_low;
    /* 1 + r (1 + r/2 (1 + r/3 (...))): what is left out of |r| <= 0.3466 is
       below 2^-57. */
    for (int term = 13; term > 0; term--)
        sum = 1 + rest / term * sum;
    power = 1023.0 - halvings;
    bits = (uint64_t)power << 52;
    memcpy(&scale, &bits, sizeof scale);
    return sum * scale;
}

#endif
