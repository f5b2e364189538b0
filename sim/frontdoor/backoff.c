#include "sim/frontdoor/backoff.h"

static double summed(const struct backoff_spec *spec, uint32_t retry)
{
    double max = (double)spec->max_ns;
    double step = (double)spec->base_ns, sum = 0;

    for (uint32_t n = 0; n < retry && sum < max; n++) {
        sum += step;
        step *= spec->factor;
    }
    return sum;
}

static double exponential(const struct backoff_spec *spec, uint32_t retry)
{
    double max = (double)spec->max_ns;
    double bound = (double)spec->base_ns;

    for (uint32_t n = 1; n < retry && bound > 0 && bound < max; n++)
        bound *= spec->factor;
    return bound;
}

int64_t backoff_bound_ns(const struct backoff_spec *spec, uint32_t retry)
{
    double bound;

    switch (spec->ladder) {
    case BACKOFF_CONSTANT:
        return spec->base_ns;
    case BACKOFF_EXPONENTIAL:
        bound = exponential(spec, retry);
        break;
    case BACKOFF_SUMMED:
        bound = summed(spec, retry);
        break;
    default:
        return 0;
    }
    return bound < (double)spec->max_ns ? (int64_t)(bound + 0.5) : spec->max_ns;
}

int64_t backoff_wait_ns(const struct backoff_spec *spec, uint32_t retry,
                        double chance)
{
    double bound = (double)backoff_bound_ns(spec, retry);

    switch (spec->jitter) {
    case JITTER_FULL:
        return (int64_t)(chance * bound);
    case JITTER_AROUND:
        return (int64_t)(bound * (1 + spec->spread * (2 * chance - 1)) + 0.5);
    default:
        return (int64_t)bound;
    }
}
