/*
 * Student's t for means of what is skewed. A sample of a long tail mostly lacks
 * the tail: then its mean is off and it looks narrow, both at once, and t is
 * certain of the wrong sign far more often than it says.
 *
 * Hall, "On the removal of skewness by transformation", Journal of the Royal
 * Statistical Society B 54(1), 1992: a cubic of t, monotone in it, that has
 * nearly Student's distribution.
 */
#ifndef SIM_MEASURE_SKEWNESS_H
#define SIM_MEASURE_SKEWNESS_H

#include <stdbool.h>
#include <stddef.h>

/* Of where n >= 3 values came from, by their second and third central moments,
   means over n: 0 for what is symmetric, 2 for exponential. second > 0. */
double skewness_estimate(double second, double third, size_t n);

/* t is the mean over its standard error, of n values. */
double skewness_remove(double t, double skewness, size_t n);

/*
 * t as little sure as any skewness makes it, from none to SKEWNESS_CAUTION
 * times the one that is seen and SKEWNESS_SPREAD of what chance makes of none,
 * sqrt(6 / n): far out in the tails too few were seen. Never further from 0
 * than t.
 */
double skewness_doubt(double t, double skewness, size_t n);

/* That of the mean of values being 0. false: n < 3, or all are equal. */
bool skewness_t(const double *values, size_t n, double *ret);

#define SKEWNESS_CAUTION 3
#define SKEWNESS_SPREAD 0.5

#endif
