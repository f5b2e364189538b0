/*
 * What a comparison can find: the power of the paired t test.
 *
 * Exact, by integrating over the standard deviation that the pairs may show.
 * Differences are told in standard deviations of the paired differences, so a
 * comparison's own scale comes in by one factor.
 */
#ifndef SIM_MEASURE_POWER_H
#define SIM_MEASURE_POWER_H

#include <stdint.h>

#define POWER_WANTED 0.9 /* of what is said to be found */

/*
 * The chance that a two-sided t test of n pairs at level alpha rejects when
 * the true difference is ratio standard deviations; ratio 0 or more. NaN for
 * fewer than two pairs.
 */
double power_of_pairs(uint64_t n, double ratio, double alpha);

/* The smallest difference, in standard deviations, that n pairs find with this
   power (such as 0.9). NaN for fewer than two pairs. */
double power_smallest(uint64_t n, double alpha, double power);

#endif
