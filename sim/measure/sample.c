#include "sim/measure/sample.h"

#include "sim/measure/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* Bins below this hold one value each: two doublings' worth of steps. */
#define UNIT_BINS (2u << SAMPLE_STEPS_LOG2)

bool sample_init(struct sample *sample)
{
    /* Pages that are never reached cost nothing: so no calloc, and the bins
       are cleared when they are needed. */
    *sample = (struct sample){
        .min_ns = INT64_MAX,
        .max_ns = -1,
        .values = malloc(SAMPLE_EXACT * sizeof *sample->values),
        .bins = malloc(SAMPLE_BINS * sizeof *sample->bins),
    };
    if (sample->values && sample->bins)
        return true;
    sample_done(sample);
    return false;
}

void sample_done(struct sample *sample)
{
    free(sample->values);
    free(sample->bins);
    *sample = (struct sample){0};
}

int64_t sample_bin_start(uint32_t bin)
{
    assert(bin <= SAMPLE_BINS);
    if (bin < UNIT_BINS)
        return bin;
    if (bin == SAMPLE_BINS) /* would be 2^63 */
        return INT64_MAX;

    uint32_t shift = (bin >> SAMPLE_STEPS_LOG2) - 1;

    return (int64_t)(bin - (shift << SAMPLE_STEPS_LOG2)) << shift;
}

void sample_spill(struct sample *sample)
{
    uint64_t kept = sample->count < SAMPLE_EXACT ? sample->count : SAMPLE_EXACT;

    memset(sample->bins, 0, SAMPLE_BINS * sizeof *sample->bins);
    for (uint64_t i = 0; i < kept; i++)
        sample->bins[sample_bin((uint64_t)sample->values[i])]++;
}

double sample_mean(const struct sample *sample)
{
    wide sum;

    if (sample->count == 0)
        return NAN;
    sum = (wide)sample->sum_ns.high << 64 | sample->sum_ns.low;
    return (double)sum / (double)sample->count;
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* A report asks for hundreds of percentiles in a row: the first one sorts. */
static void sort_values(struct sample *sample)
{
    if (sample->sorted == sample->count)
        return;
    qsort(sample->values, sample->count, sizeof *sample->values, ascending);
    sample->sorted = sample->count;
}

/*
 * The k values of a bin are thought to lie evenly between its first and last
 * value, the j-th at (j - 1/2) / k of the way. Narrowed to what minimum and
 * maximum leave of the bin, so that equal values come back as they went in.
 */
static double value_in_bin(const struct sample *sample, uint32_t bin,
                           uint64_t j)
{
    int64_t first = sample_bin_start(bin);
    int64_t last = sample_bin_start(bin + 1) - 1;

    if (first < sample->min_ns)
        first = sample->min_ns;
    if (last > sample->max_ns)
        last = sample->max_ns;

    double share = ((double)j - 0.5) / (double)sample->bins[bin];

    return (double)first + (double)(last - first) * share;
}

static double value_at_rank(const struct sample *sample, uint64_t rank)
{
    uint32_t bin = sample_bin((uint64_t)sample->min_ns);
    uint64_t before = 0; /* values in lower bins */

    while (before + sample->bins[bin] < rank)
        before += sample->bins[bin++];
    return value_in_bin(sample, bin, rank - before);
}

double sample_quantile(struct sample *sample, double quantile, uint64_t total)
{
    assert(quantile > 0 && quantile <= 1);
    assert(total >= sample->count);
    if (total == 0)
        return NAN;

    uint64_t rank = stats_nearest_rank(quantile, total);

    if (rank > sample->count)
        return INFINITY;
    if (rank == 1) /* both extremes are known exactly, whatever the bins */
        return (double)sample->min_ns;
    if (rank == sample->count)
        return (double)sample->max_ns;
    if (sample->count > SAMPLE_EXACT)
        return value_at_rank(sample, rank);
    sort_values(sample);
    return (double)sample->values[rank - 1];
}

void sample_merge(struct sample *sample, const struct sample *other)
{
    assert(sample != other);
    if (other->count <= SAMPLE_EXACT) {
        for (uint64_t i = 0; i < other->count; i++)
            sample_add(sample, other->values[i]);
        return;
    }
    if (sample->count <= SAMPLE_EXACT)
        sample_spill(sample);
    if (other->min_ns < sample->min_ns)
        sample->min_ns = other->min_ns;
    if (other->max_ns > sample->max_ns)
        sample->max_ns = other->max_ns;
    for (uint32_t bin = 0; bin < SAMPLE_BINS; bin++)
        sample->bins[bin] += other->bins[bin];
    sample->count += other->count;
    sample_sum_add(&sample->sum_ns, other->sum_ns.low);
    sample->sum_ns.high += other->sum_ns.high;
}
