#include "sim/experiment/success_gap.h"

#include "sim/measure/stats.h"

#include <math.h>

struct success_gap
success_gap_of(const double *old_objective, const double *new_objective,
               const double *old_success, const double *new_success,
               uint32_t replications, uint32_t comparisons, double confidence)
{
    struct success_gap gap = {0};
    struct stats_interval paired;

    for (uint32_t i = 0; i < replications; i++)
        gap.both_infinite += isinf(old_objective[i]) && isinf(new_objective[i]);
    if (replications < 2 ||
        gap.both_infinite <= replications - gap.both_infinite)
        return gap;
    paired = stats_paired_t(old_success, new_success, replications,
                            1 - (1 - confidence) / comparisons)
                 .difference;
    if (!(paired.lo > 0) && !(paired.hi < 0)) /* NaN, too */
        return gap;
    gap.separated = true;
    gap.difference = paired.mean;
    gap.lo = paired.lo;
    gap.hi = paired.hi;
    return gap;
}
