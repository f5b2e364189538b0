#include "sim/frontdoor/outlier_stats.h"

#include <math.h>

bool outlier_spec_ejects(const struct outlier_spec *spec,
                         enum outlier_cause cause)
{
    switch (cause) {
    case OUTLIER_SUCCESS_RATE:
        return spec->given && spec->success_rate.enforcing > 0;
    case OUTLIER_FAILURE_PERCENTAGE:
        return spec->given && spec->failure_percentage.enforcing > 0;
    case OUTLIER_LATENCY:
        return spec->given && spec->latency.given &&
               spec->latency.enforcing > 0;
    case OUTLIER_CAUSES:
        return false;
    default:
        return spec->given && spec->rule == OUTLIER_ENVOY &&
               spec->consecutive[cause].errors > 0 &&
               spec->consecutive[cause].enforcing > 0 &&
               (cause != OUTLIER_LOCAL || spec->split_local);
    }
}

double outlier_threshold(const double *rates, uint32_t count,
                         uint32_t stdev_factor)
{
    double sum = 0, squares = 0, mean;

    for (uint32_t i = 0; i < count; i++)
        sum += rates[i];
    mean = sum / count;
    for (uint32_t i = 0; i < count; i++)
        squares += (rates[i] - mean) * (rates[i] - mean);
    return mean - stdev_factor / 1000.0 * sqrt(squares / count);
}

bool outlier_may_eject(const struct outlier_spec *spec, uint32_t ejected,
                       uint32_t nodes)
{
    if (spec->rule == OUTLIER_GRPC)
        return (double)ejected / nodes < spec->max_ejected;
    if (spec->always_eject_one && ejected == 0)
        return true;
    return (double)(ejected + 1) / nodes <= spec->max_ejected;
}

/* No ejection is shorter than the first. */
static int64_t longest_ns(const struct outlier_spec *spec)
{
    return spec->max_ns > spec->base_ns ? spec->max_ns : spec->base_ns;
}

int64_t outlier_duration_ns(const struct outlier_spec *spec,
                            uint32_t multiplier)
{
    int64_t longest = longest_ns(spec);

    if (multiplier > longest / spec->base_ns)
        return longest;
    return spec->base_ns * multiplier;
}

uint32_t outlier_next_multiplier(const struct outlier_spec *spec,
                                 uint32_t multiplier)
{
    int64_t longest = longest_ns(spec);

    if (multiplier == UINT32_MAX)
        return multiplier;
    /* base * multiplier >= longest + base, without an overflow */
    if (spec->rule == OUTLIER_ENVOY && multiplier > 0 &&
        multiplier - 1 >= (longest + spec->base_ns - 1) / spec->base_ns)
        return multiplier;
    return multiplier + 1;
}
