/*
 * Exponential, logarithm and power of our own, so that no libm decides an
 * event: glibc picks variants by processor, and one last bit makes two
 * trajectories part for good. At most 2 ulp from the true value, the same
 * bits from every compiler (built with -ffp-contract=off) and processor.
 *
 * Edges follow C: log(0) is -INFINITY, log of a negative number NaN, exp
 * overflows to INFINITY and underflows to 0, NaN stays NaN.
 */
#ifndef WORKLOADS_MATHX_H
#define WORKLOADS_MATHX_H

double mathx_log(double x);
double mathx_exp(double x);
double mathx_pow(double x, double y); /* x >= 0; below it NaN */

/* sin(2 pi x) for x in [0, 1], within 4e-16. */
double mathx_sin_turn(double x);

#endif
