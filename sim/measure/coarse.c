#include "sim/measure/coarse.h"

#include "sim/measure/stats.h"

#include <math.h>

static double bin_start(uint32_t bin)
{
    uint32_t shift = bin >> COARSE_STEPS_LOG2;

    if (shift > 0)
        shift--;
    return ldexp((double)(bin - (shift << COARSE_STEPS_LOG2)), (int)shift);
}

double coarse_mean(const struct coarse *coarse)
{
    return coarse->count > 0 ? coarse->sum_ns / (double)coarse->count : NAN;
}

/* The sum of a doubling's bins, which a compiler can take several at a time. */
static uint64_t doubling_count(const uint32_t *bins)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < 1u << COARSE_STEPS_LOG2; i++)
        sum += bins[i];
    return sum;
}

/* The first bin of the doubling in which the rank is; *ret_below: how many are
   in lower ones. */
static uint32_t find_doubling(const struct coarse *coarse, uint64_t rank,
                              uint64_t *ret_below)
{
    uint32_t bin = 0;
    uint64_t below = 0;

    for (; bin < COARSE_BINS; bin += 1u << COARSE_STEPS_LOG2) {
        uint64_t here = doubling_count(&coarse->bins[bin]);

        if (below + here >= rank)
            break;
        below += here;
    }
    *ret_below = below;
    return bin;
}

double coarse_quantile(const struct coarse *coarse, double quantile)
{
    uint64_t rank =
        coarse->count ? stats_nearest_rank(quantile, coarse->count) : 0;
    uint64_t below = 0;

    if (rank == 0)
        return NAN;
    for (uint32_t bin = find_doubling(coarse, rank, &below); bin < COARSE_BINS;
         bin++) {
        uint64_t here = coarse->bins[bin];

        if (below + here >= rank) {
            double start = bin_start(bin);
            double part = ((double)(rank - below) - 0.5) / (double)here;

            return start + part * (bin_start(bin + 1) - start);
        }
        below += here;
    }
    return NAN;
}

void coarse_merge(struct coarse *coarse, const struct coarse *from)
{
    coarse->count += from->count;
    coarse->sum_ns += from->sum_ns;
    for (uint32_t bin = 0; bin < COARSE_BINS; bin++)
        coarse->bins[bin] += from->bins[bin];
}
