/*
 * Values as measured: a law given by a file instead of a formula.
 *
 * The file holds one number a line, or comma-separated columns under a header
 * of which one is named; plain, gzip or zstd. A second column may say how much
 * each value counts: how often it was seen, or any other weight. Lines that
 * start with # before the first row, and blank ones, are passed over.
 *
 * As is, a draw is one of the values, each by its weight: sizes that cluster
 * stay in their clusters, and no size appears that was never seen. With
 * interpolation a draw falls evenly between two neighbours, of which a pair
 * counts the mean of both weights: of n values the quantile at k / (n - 1) is
 * the k-th, counted from 0 (Hyndman and Fan 1996, type 7). That is the better
 * choice for few values of something continuous. Nothing lies beyond the least
 * and the greatest value in either way: the tail of a small sample is short.
 */
#ifndef WORKLOADS_EMPIRICAL_H
#define WORKLOADS_EMPIRICAL_H

#include "workloads/diag.h"
#include "workloads/rng.h"

#include <stdbool.h>
#include <stddef.h>

#define EMPIRICAL_VALUE_MAX 1e15
#define EMPIRICAL_COUNT_MAX ((size_t)1 << 26)

struct empirical;

/*
 * From values of 0 or more, in any order, and weights of 0 or more with a sum
 * above 0 (NULL: all alike); both are copied. count at least 1. NULL: no
 * memory.
 */
struct empirical *empirical_create(const double *values, const double *weights,
                                   size_t count, bool interpolate);
void empirical_destroy(struct empirical *table);

struct empirical_spec {
    const char *column;  /* NULL: the only one */
    const char *weights; /* a column; NULL: all values count alike */
    bool interpolate;
};

/* From a file. NULL: diag says what and where. */
struct empirical *empirical_read(const char *path,
                                 const struct empirical_spec *spec,
                                 struct diag *diag);

/* One draw, by inversion: of one uniform number, and growing with it. */
double empirical_draw(const struct empirical *table, struct rng *rng);

/* The value below which a share of 0 to 1 of the draws lies. */
double empirical_quantile(const struct empirical *table, double share);

double empirical_mean(const struct empirical *table);

/* Mean of min(draw, x). */
double empirical_limited_mean(const struct empirical *table, double x);

#endif
