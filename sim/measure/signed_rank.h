/*
 * Wilcoxon's signed rank test: do paired differences lie above 0, whatever
 * their distribution, as long as it is symmetric when nothing has changed?
 *
 * That is what two builds that behave alike yield on the same traffic: who is
 * old and who is new could be swapped. So the test keeps its promise for
 * differences of percentiles, which have heavy tails, and for those of counts,
 * which are mostly ties, where Student's t at one in ten thousand would not.
 * Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin
 * 1(6), 1945; Hollander & Wolfe, "Nonparametric Statistical Methods", 2nd ed.
 * 1999, section 3.1 (test), 3.2 and 3.3 (estimate and interval).
 */
#ifndef SIM_MEASURE_SIGNED_RANK_H
#define SIM_MEASURE_SIGNED_RANK_H

#include <stdbool.h>
#include <stddef.h>

/* More are answered by the normal approximation, which errs towards caution
   so far out. */
#define SIGNED_RANK_EXACT_MAX 100

/*
 * Of differences that are as likely below 0 as above it: the chance that they
 * rank as high as these or higher, and as low or lower. Zeros are left out,
 * equal sizes share their mean rank, and the chance is that given them,
 * exactly. Values may be infinite, not NaN. Both are 1 when all are 0 or n is
 * 0; the least that k values other than 0 can reach is 2^-k. false: no memory.
 */
struct signed_rank_p {
    double above, below;
};
bool signed_rank_test(const double *differences, size_t n,
                      struct signed_rank_p *ret);

/*
 * The Hodges-Lehmann estimate, the median of all means of two (or of one with
 * itself), and the interval that belongs to the test: a share of at least the
 * confidence of such intervals holds the true centre. Bounds are NaN where n is
 * too small for them: fewer than 6 at 0.95. Finite values; takes n^2 / 2
 * doubles of memory. false: no memory.
 */
struct signed_rank_interval {
    double estimate, lo, hi;
};
bool signed_rank_interval(const double *differences, size_t n,
                          double confidence, struct signed_rank_interval *ret);

/*
 * What the test would take to find differences: it sees them above 0 at a
 * one-sided level when their count-th smallest mean of two is above 0, so what
 * has to be added to all of them is less than that mean. To *ret_count, which
 * is 0 when no n differences reach the level. false: no memory.
 */
bool signed_rank_count(size_t n, double level, size_t *ret_count);

/* The count-th smallest mean of two (or of one with itself) of n values in
   ascending order, to a millionth of their range; count from 1. */
double signed_rank_mean_of_two(const double *ascending, size_t n, size_t count);

#endif
