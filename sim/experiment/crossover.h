/*
 * Where does the ranking of two policies flip? A search for the sign change of
 * a noisy function: the paired difference of a measure at x.
 *
 * Knows neither scenarios nor simulations: probe() yields differences at x, one
 * a replication, equal numbers standing for equal seeds at every x.
 *
 * How. A coarse scan of the range first, which tells no flip and several flips
 * from one. Then bisection that never trusts a noisy sign: at each x pairs are
 * added by a fixed schedule (pairs_first, twice that, and so on up to
 * pairs_most) until the sign is certain or the schedule ends. Where it ends
 * without a sign, x is too near to the flip, and the search closes in from both
 * sides. The outermost points with certain signs are the bracket. Inside it,
 * at five places and with replications that the search never saw, a quadratic
 * is fitted to each replication's differences.
 *
 * How sure. The flip is where the mean difference is 0. A fifth of 1 -
 * confidence is spent on signs, divided evenly over all looks that the search
 * could ever take (Bonferroni, so it holds however looks depend on each other).
 * A sign is certain when all of these say so at that level:
 * - Student's t of the mean, at the skewness that makes it least sure: any from
 *   none to three times what is seen and half a standard error of it
 *   (skewness.h), for a sample of a long tail mostly lacks the tail;
 * - Wilcoxon's signed ranks, exact up to SIGNED_RANK_EXACT_MAX pairs;
 * - crossover_least_pairs() pairs with a value, 26 or so: with fewer, all may
 *   lie on one side by chance though the mean is 0, where 0.7 lie on that side,
 *   as of lognormal differences of sigma 1.
 *
 * Differences that are symmetric where they are 0 on average, as those of two
 * policies that could be swapped there, are vouched for by the ranks, whatever
 * the tails. Of skewed ones no test of a mean is exact. One place where the
 * mean is 0 is granted 0.00034 wrong signs (95 %, five places of a scan).
 * Simulated, 300,000 searches each, with 26 to 28 and with 26 to 64 pairs:
 *
 *   normal, t of 3 degrees, ties         0.0001 and less, 0.0001 and less
 *   exponential, Poisson of mean 1.5     0.0001, 0.0001
 *   lognormal, sigma 0.5                 0.0004, 0.0002
 *   lognormal, sigma 1                   0.0002, 0.0002
 *   lognormal, sigma 1.5                 0.0005, 0.0003
 *   one in ten far off, all else close   0.06,   0.06
 *
 * The last cannot be mended: what 26 pairs may well not include, 0.9^26 = 0.06,
 * no test can allow for. More replications do.
 *
 * The other four fifths go to the interval: x belongs to it unless both t and
 * t without twice the skewness that is seen say that the fitted curves are not
 * 0 on average there. A place counts in the fit by how little its replications
 * differ. Fitted values of replications are independent of each other at
 * any x, whatever the correlation between places, and they are independent of
 * the search; for a straight line and t alone this is Fieller's interval.
 * Together: confidence, for normal differences, one flip between neighbours of
 * the scan, and a curve that a quadratic follows inside the bracket. For skewed
 * differences it is an approximation. What replications share, such as a hash
 * ring that does not depend on the seed, is in no interval; and several
 * searches on the same seeds err together.
 *
 * Hall, "On the removal of skewness by transformation", Journal of the Royal
 * Statistical Society B 54(1), 1992.
 * Fieller, "Some problems in interval estimation", Journal of the Royal
 * Statistical Society B 16(2), 1954. Waeber, Frazier & Henderson, "Bisection
 * search with noisy responses", SIAM Journal on Control and Optimization 51(3),
 * 2013, for why a noisy sign must not be trusted.
 */
#ifndef SIM_EXPERIMENT_CROSSOVER_H
#define SIM_EXPERIMENT_CROSSOVER_H

#include <stdbool.h>
#include <stdint.h>

#define CROSSOVER_SCAN_MAX 17
#define CROSSOVER_STEPS_MAX 24 /* probes after the scan */
#define CROSSOVER_PROBES_MAX (CROSSOVER_SCAN_MAX + CROSSOVER_STEPS_MAX)

struct crossover_setup {
    double from, to;   /* from < to; from > 0 with log_scale */
    bool log_scale;    /* halve ratios instead of differences */
    bool whole;        /* x takes whole numbers only */
    double within;     /* a bracket of this width is narrow enough: of x, or of
                          ln x with log_scale; 0 or more */
    double confidence; /* such as 0.95 */
    uint32_t scan_points; /* 2 to CROSSOVER_SCAN_MAX, the ends among them */
    uint32_t pairs_first, pairs_most; /* 2 <= first <= most */

    /*
     * Writes the differences of replications first .. first + count - 1 (from
     * 0) at x and returns how many: count; fewer when nothing in it is left to
     * chance, so that one says all; 0 when the search has to stop. NaN: no
     * value; may be infinite.
     */
    uint32_t (*probe)(void *context, double x, uint32_t first, uint32_t count,
                      double *ret_differences);
    void *context;
};

enum crossover_kind {
    CROSSOVER_FOUND,       /* it flips once, between lo and hi */
    CROSSOVER_NONE,        /* the sign is the same, and certain, at all points
                              of the scan */
    CROSSOVER_SEVERAL,     /* it flips more than once; see flips */
    CROSSOVER_CANNOT_TELL, /* no flip is certain, and neither is that there is
                              none */
    CROSSOVER_STOPPED      /* probe() stopped it */
};

/* As written in results: "cannot_tell". */
extern const char *const crossover_kind_names[];

struct crossover_probe {
    double x;
    uint32_t pairs;      /* with a value */
    int sign;            /* of the difference; 0: not certain */
    double mean, lo, hi; /* t interval at confidence of this x alone, NaN when
                            infinite differences are among them */
};

struct crossover_flip {
    double lo, hi; /* certain signs, opposite ones */
    int sign;      /* at lo */
};

struct crossover_result {
    enum crossover_kind kind;
    int sign;                      /* at the lower end, of the first certain
                                      point; 0: none is certain */
    double at, lo, hi;             /* FOUND: the estimate and its interval */
    double bracket_lo, bracket_hi; /* FOUND: certain signs */
    bool from_curve; /* at, lo and hi are of the fitted curves, else of the
                        bracket alone */
    double sure_from, sure_to; /* CANNOT_TELL with a sign: from here to there */
    uint32_t undecided;        /* points of the scan without a certain sign */
    uint64_t pairs;            /* taken in all, those of the fit among them */

    uint32_t flip_count; /* SEVERAL: 2 or more */
    struct crossover_flip flips[CROSSOVER_SCAN_MAX];
    uint32_t probe_count; /* in order of x */
    struct crossover_probe probes[CROSSOVER_PROBES_MAX];
};

/* With fewer no sign is certain; looks at fewer are left out. */
uint32_t crossover_least_pairs(const struct crossover_setup *setup);

/* false: no memory. */
bool crossover_search(const struct crossover_setup *setup,
                      struct crossover_result *ret);

#endif
