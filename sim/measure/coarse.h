/*
 * A small histogram of durations, for where there are many of them: one for
 * each bucket of time, or each node. 32 steps per doubling, interpolated, so a
 * percentile is within 1/32 of the true one, or a nanosecond. 8 KiB each.
 */
#ifndef SIM_MEASURE_COARSE_H
#define SIM_MEASURE_COARSE_H

#include <stdint.h>

#define COARSE_STEPS_LOG2 5
#define COARSE_BINS ((64 - COARSE_STEPS_LOG2) << COARSE_STEPS_LOG2)

struct coarse {
    uint64_t count;
    double sum_ns;
    uint32_t bins[COARSE_BINS];
};

static inline uint32_t coarse_bin(uint64_t value)
{
    /* Raised so that the shift is never less than 0. */
    uint64_t raised = value | 1u << COARSE_STEPS_LOG2;
    uint32_t top = 63u - (uint32_t)__builtin_clzll(raised);
    uint32_t shift = top - COARSE_STEPS_LOG2;

    return (shift << COARSE_STEPS_LOG2) + (uint32_t)(value >> shift);
}

static inline void coarse_add(struct coarse *coarse, int64_t value_ns)
{
    coarse->count++;
    coarse->sum_ns += (double)value_ns;
    coarse->bins[coarse_bin((uint64_t)value_ns)]++;
}

/* In ns; NaN when empty. 0 < quantile <= 1, nearest rank. */
double coarse_quantile(const struct coarse *coarse, double quantile);
double coarse_mean(const struct coarse *coarse);

/* Adds the durations of another one. */
void coarse_merge(struct coarse *coarse, const struct coarse *from);

#endif
