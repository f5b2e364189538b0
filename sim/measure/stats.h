/*
 * Statistics on short series of doubles: intervals, tests, inequality.
 *
 * The series are what a few dozen replications or nodes yield, one value each,
 * and the questions those of a comparison: how sure is this mean, is the new
 * policy better than the old, how uneven is the load. Only stats_mser5 looks
 * at a long series, in one pass.
 *
 * Pure functions, no state. A series holds finite values unless the function
 * says otherwise. Variances divide by n - 1. What a series is too short for,
 * or an argument out of its range, comes back as NaN. Sources are named at
 * each function.
 */
#ifndef SIM_MEASURE_STATS_H
#define SIM_MEASURE_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

double stats_mean(const double *values, size_t n);
double stats_variance(const double *values, size_t n); /* n - 1 */
double stats_sd(const double *values, size_t n);

/*
 * The rank of a percentile, from 1: the smallest whole number of at least q n.
 * Hyndman & Fan, "Sample quantiles in statistical packages", The American
 * Statistician 50(4), 1996, definition 1.
 *
 * q stands for the smallest real number that rounds to it, so that a decimal
 * which a double cannot hold does no harm: 0.07 * 100 is 7, although the
 * product of the doubles is a little more, and so are 2/3 * 3 and the like.
 * Exact for n up to 2^52 whenever q n is whole. 0 < q <= 1 and n > 0;
 * 1 <= result <= n.
 */
uint64_t stats_nearest_rank(double q, uint64_t n);

/* Whether n values are too few for quantile q, fewer than 1 / (1 - q): its
   nearest rank is then the maximum. 0 < q <= 1. */
bool stats_quantile_is_weak(double q, uint64_t n);

/* The value at the nearest rank, NaN when n is 0. sorted must be ascending
   and may end with infinities. 0 < q <= 1. */
double stats_quantile_sorted(const double *sorted, size_t n, double q);

/*
 * Inequality of shares, all values 0 or more. NaN when the sum is 0.
 *
 * cv: standard deviation (dividing by n) over mean; 0 is even.
 * jain: (sum x)^2 / (n sum x^2); 1 is even, 1/n when one has all. Jain, Chiu &
 *   Hawe, "A quantitative measure of fairness", DEC TR-301, 1984.
 * gini: mean absolute difference of all n^2 pairs over twice the mean; 0 is
 *   even, 1 - 1/n when one has all. Gini, "Variabilita e mutabilita", 1912.
 *   Sorts a copy; NaN also when there is no memory for it.
 */
double stats_cv_population(const double *values, size_t n);
double stats_jain(const double *values, size_t n);
double stats_gini(const double *values, size_t n);
double stats_max_over_mean(const double *values, size_t n);

/*
 * Student's t and the normal distribution, by GSL, to about 1e-9 of the value.
 * Quantiles need p in (0, 1), that of t at least 1e-40 and df in [1, 1e9].
 */
double stats_t_quantile(double p, double df);
double stats_t_two_sided_p(double t, double df);
double stats_normal_quantile(double p);

struct stats_interval {
    double mean, lo, hi; /* lo and hi are NaN for n < 2 */
    size_t n;
};

/* Student t interval of the mean; confidence such as 0.95. */
struct stats_interval stats_t_interval(const double *values, size_t n,
                                       double confidence);

/*
 * Order-statistic interval of quantile q of n independent values: the values
 * at the ranks *ret_lo and *ret_hi (from 1) enclose the true quantile with at
 * least the confidence, each side missing it with at most half of the rest. By
 * the binomial distribution, exact; takes about sqrt(n) steps. A rank of 0 says
 * that no such rank exists on that side: the 99th percentile has an upper one
 * at 95 % from n = 368 on. 0 < q < 1, 0 < confidence < 1.
 * Conover, "Practical Nonparametric Statistics", 3rd ed. 1999, section 3.2.
 */
void stats_quantile_ci_ranks(double q, uint64_t n, double confidence,
                             uint64_t *ret_lo, uint64_t *ret_hi);

/*
 * Two-sided exact sign test, where the value got better in some pairs and
 * worse in others; the caller leaves ties out. The chance of a split at least
 * as uneven when both are equally likely, 1 when there are no pairs.
 * Conover, as above, section 3.4.
 */
double stats_sign_test_p(uint64_t better, uint64_t worse);

/*
 * Holm's step-down adjustment: ret_adjusted[i] is the adjusted p of p[i], in
 * the order given; all those of at most alpha may be called significant, and
 * the chance of even one false call stays within alpha. NaN entries stay NaN
 * and do not count as tests. The two arrays must not overlap.
 * Holm, "A simple sequentially rejective multiple test procedure",
 * Scandinavian Journal of Statistics 6(2), 1979.
 */
void stats_holm(const double *p, double *ret_adjusted, size_t n);

/*
 * The same with other levels than shares of alpha: a test that is one of k not
 * yet rejected is judged at levels[k - 1], as when results are looked at more
 * than once (spending.h). levels: [n], descending; NULL: alpha / k. Adjusted p
 * of at most alpha are significant. Each alpha / k must be spent by a
 * procedure that would keep it: Maurer & Bretz, "Multiple testing in group
 * sequential trials using graphical approaches", Statistics in
 * Biopharmaceutical Research 5(4), 2013.
 */
void stats_step_down(const double *p, const double *levels, double alpha,
                     double *ret_adjusted, size_t n);

/*
 * Paired difference new - old of n pairs: t interval and two-sided p. p is 0
 * when all differences are equal and not 0, 1 when all are 0, and NaN for
 * fewer than two pairs. Pairs that share their random numbers vary together,
 * which is why their difference is known better than either.
 */
struct stats_paired {
    struct stats_interval difference;
    double p;
};
struct stats_paired stats_paired_t(const double *old_values,
                                   const double *new_values, size_t n,
                                   double confidence);

/*
 * Standard deviation of the difference if the two series were independent,
 * over that of the paired differences: how much wider the interval would be
 * without pairs. NaN for fewer than two pairs, or without any variation.
 */
double stats_pairing_gain(const double *old_values, const double *new_values,
                          size_t n);

/*
 * Difference new - old of two independent series, each with a variance of its
 * own; n of the interval is the fewer of both. p as of stats_paired_t. Fewer
 * than two values on either side: no ends, and p NaN.
 * Welch, "The generalization of Student's problem when several different
 * population variances are involved", Biometrika 34, 1947.
 */
struct stats_welch {
    struct stats_interval difference;
    double df, p;
};
struct stats_welch stats_welch_t(const double *old_values, size_t old_n,
                                 const double *new_values, size_t new_n,
                                 double confidence);

/*
 * How many pairs a two-sided paired t test at level alpha needs to see a true
 * difference of effect with the given power (such as 0.9), when differences
 * have standard deviation sd. At least 2; UINT64_MAX when effect is 0.
 *
 * The normal sample size plus z^2 / 2 for not knowing sd: Guenther, "Sample
 * size formulas for normal theory t tests", The American Statistician 35(4),
 * 1981. Within one pair of the exact answer for alpha of 0.01 and more and
 * powers up to 0.95; a few pairs too many for much smaller alpha.
 */
uint64_t stats_pairs_needed(double sd, double effect, double alpha,
                            double power);

/*
 * MSER-5: how many leading observations to cut as warm-up. Of the k means of
 * batches of 5, the cut d in 0 .. k/2 minimises
 *
 *     sum over i > d of (y[i] - mean after d)^2 / (k - d)^2,
 *
 * the first such d if several do. An incomplete last batch is left out.
 * Returns 5 d, 0 for fewer than 10 observations. *ret_reliable is false then,
 * and when the minimum lies at the end of the searched range, which says that
 * the run is too short. One pass, no memory.
 * White, Cobb & Spratt, "A comparison of five steady-state truncation
 * heuristics for simulation", Winter Simulation Conference 2000.
 */
size_t stats_mser5(const double *values, size_t n, bool *ret_reliable);

#endif
