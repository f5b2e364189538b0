/*
 * Figures of a column of numbers, as trace profiles state them.
 *
 * Sums are exact integers, so that a mean or a correlation is as good as its
 * last division, and the same everywhere. Standard deviations are those of the
 * population: divide by n, not by n - 1.
 */
#ifndef WORKLOADS_FIGURES_H
#define WORKLOADS_FIGURES_H

#include <stddef.h>
#include <stdint.h>

#define FIGURES_QUANTILES 5

/* 50 %, 90 %, 95 %, 99 %, 99.9 %, in thousandths. */
extern const unsigned figures_thousandths[FIGURES_QUANTILES];

struct figures {
    uint64_t count, sum, min, max;
    double mean, deviation;
    uint64_t nearest_rank[FIGURES_QUANTILES]; /* at 1-based place ceil(p n) */
    double linear[FIGURES_QUANTILES];         /* between, at (n - 1) p */
};

/* values rise; count is above 0. Values are below 2^32. */
void figures_of_sorted(const uint64_t *values, size_t count,
                       struct figures *ret);

/* Pearson's r of pairs below 2^32; NaN where a side does not vary, or of none.
 */
double figures_pearson(const uint32_t *x, const uint32_t *y, size_t count);

/*
 * Spearman's rho, with average ranks for ties: Pearson's r of the ranks. Both
 * columns are given in order of rows and sorted.
 */
double figures_spearman(const uint32_t *x, const uint32_t *y,
                        const uint64_t *sorted_x, const uint64_t *sorted_y,
                        size_t count);

/* The law P(rank) ~ rank^-s fitted to counts, in falling order and above 0.
   NaN where there are less than two ranks. */
struct figures_zipf {
    double least_squares;      /* of log count on log rank, all ranks */
    double least_squares_1000; /* ranks 1 to 1000 */
    double maximum_likelihood; /* on the ranks that there are */
};
struct figures_zipf figures_zipf_of(const uint64_t *counts, size_t ranks);

/* Sorts in rising order. */
void figures_sort(uint64_t *values, size_t count);

#endif
