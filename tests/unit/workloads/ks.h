/*
 * Goodness of fit for the tests of samplers.
 *
 * All of them use fixed seeds and a level of 0.001: a right sampler fails one
 * such test in a thousand, once and for all, when its seed is chosen.
 */
#ifndef TESTS_UNIT_WORKLOADS_KS_H
#define TESTS_UNIT_WORKLOADS_KS_H

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* Upper 0.1 % point of Kolmogorov's distribution: 2 exp(-2 x^2) = 0.001. */
#define KS_LIMIT 1.9495

/* Two-sided normal at 0.001, for sample means and shares. */
#define KS_NORMAL_LIMIT 3.2905

static inline int ks_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* sqrt(n) sup |F_n - F|; sorts the sample. context goes to cdf. */
static inline double ks_distance(double *sample, size_t count,
                                 double (*cdf)(double x, const void *context),
                                 const void *context)
{
    double n = (double)count, worst = 0;

    qsort(sample, count, sizeof *sample, ks_compare);
    for (size_t i = 0; i < count; i++) {
        double share = cdf(sample[i], context);

        worst = fmax(worst, share - (double)i / n);
        worst = fmax(worst, (double)(i + 1) / n - share);
    }
    return sqrt(n) * worst;
}

#endif
