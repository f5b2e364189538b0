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

double coarse_quantile(const struct coarse *coarse, double quantile)
{
    uint64_t rank =
        coarse->count ? stats_nearest_rank(quantile, coarse->count) : 0;
    uint64_t below = 0;

    for (uint32_t bin = 0; rank > 0 && bin < COARSE_BINS; bin++) {
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
