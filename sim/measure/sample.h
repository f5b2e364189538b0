/*
 * A sample of durations: count, mean, extremes and percentiles.
 *
 * The first SAMPLE_EXACT values are kept as they are, so that the percentiles
 * of small runs are exact (nearest rank). Beyond that all values move into a
 * log-linear histogram of 128 steps per doubling (a bin is at most 1/128 of
 * its value wide), and percentiles are interpolated inside the bin. Both add
 * in constant time and constant memory, whatever the run's length.
 *
 * What a percentile is thus depends on the values alone, not on their order
 * nor on how they were merged. It is never off by a bin, and by half a bin at
 * most unless the values crowd at one end of it; never outside of minimum and
 * maximum; and never less than that of a smaller quantile. The idea of the
 * bins is that of Tene's HdrHistogram (2012), with a power of two as precision.
 *
 * Values are nanoseconds, 0 or more. Not for use by several threads at once.
 */
#ifndef SIM_MEASURE_SAMPLE_H
#define SIM_MEASURE_SAMPLE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SAMPLE_EXACT 65536u
#define SAMPLE_STEPS_LOG2 7 /* 128 steps per doubling */
#define SAMPLE_BINS ((64 - SAMPLE_STEPS_LOG2) << SAMPLE_STEPS_LOG2)

/* 128 bits, in words: gcc carries from one to the next better than it adds a
   word to a number of two. */
struct sample_sum {
    uint64_t low, high;
};

struct sample {
    uint64_t count;
    int64_t min_ns, max_ns; /* INT64_MAX and -1 while count is 0 */
    struct sample_sum sum_ns;
    uint64_t sorted; /* count at the time when the values were last sorted */
    int64_t *values; /* [SAMPLE_EXACT], while count <= SAMPLE_EXACT */
    uint64_t *bins;  /* [SAMPLE_BINS], once count > SAMPLE_EXACT */
};

/* Allocates everything it will ever need, 0.6 MB, of which the system provides
   what is touched. false: no memory, and nothing to release. */
bool sample_init(struct sample *sample);

/* Accepts a sample that is all zero bytes, and one that is done. */
void sample_done(struct sample *sample);

/* The first value of a bin, in ns; bin + 1 gives the end of the bin. bin is at
   most SAMPLE_BINS, which gives INT64_MAX. */
int64_t sample_bin_start(uint32_t bin);

/* Moves the exact values into the bins: for sample_add alone. */
__attribute__((noinline, cold)) void sample_spill(struct sample *sample);

/* Values below 256 have a bin each; above, 128 bins per doubling. */
static inline uint32_t sample_bin(uint64_t value)
{
    /* Raised so that the shift is never less than 0. */
    uint64_t raised = value | 1u << SAMPLE_STEPS_LOG2;
    uint32_t top = 63u - (uint32_t)__builtin_clzll(raised);
    uint32_t shift = top - SAMPLE_STEPS_LOG2;

    return (shift << SAMPLE_STEPS_LOG2) + (uint32_t)(value >> shift);
}

static inline void sample_sum_add(struct sample_sum *sum, uint64_t value)
{
    sum->high += __builtin_add_overflow(sum->low, value, &sum->low);
}

static inline void sample_add(struct sample *sample, int64_t value_ns)
{
    uint64_t count = sample->count++;

    assert(value_ns >= 0);
    if (value_ns < sample->min_ns)
        sample->min_ns = value_ns;
    if (value_ns > sample->max_ns)
        sample->max_ns = value_ns;
    sample_sum_add(&sample->sum_ns, (uint64_t)value_ns);
    if (count > SAMPLE_EXACT) {
        sample->bins[sample_bin((uint64_t)value_ns)]++;
        return;
    }
    if (count < SAMPLE_EXACT) {
        sample->values[count] = value_ns;
        return;
    }
    sample_spill(sample);
    sample->bins[sample_bin((uint64_t)value_ns)]++;
}

/* In ns; NaN when the sample is empty. */
double sample_mean(const struct sample *sample);

/*
 * The value at the nearest rank (stats_nearest_rank) of quantile * total, in
 * ns, where the sample is thought to hold total - count further values that
 * are infinite (failed requests): total == count asks for the plain
 * percentile. 0 < quantile <= 1, total >= count.
 *
 * NaN when total is 0; INFINITY when the rank falls among the infinite ones.
 * Sorts the exact values in place, hence not const.
 */
double sample_quantile(struct sample *sample, double quantile, uint64_t total);

/* Adds the values of other, another sample; the order and the grouping of
   merges do not show in any result. */
void sample_merge(struct sample *sample, const struct sample *other);

#endif
