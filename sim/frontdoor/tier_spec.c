#include "sim/frontdoor/tier_spec.h"

int64_t tier_outage_end_ns(const struct tier_outage *outage)
{
    if (outage->for_ns > INT64_MAX - outage->at_ns)
        return INT64_MAX;
    return outage->at_ns + outage->for_ns;
}

double tier_out_share(const struct tier_spec *spec, int64_t from_ns,
                      int64_t to_ns)
{
    int64_t out_ns = 0;

    for (uint32_t i = 0; i < spec->outage_count; i++) {
        const struct tier_outage *outage = &spec->outages[i];
        int64_t end_ns = tier_outage_end_ns(outage);
        int64_t first = outage->at_ns > from_ns ? outage->at_ns : from_ns;
        int64_t last = end_ns < to_ns ? end_ns : to_ns;

        if (last > first)
            out_ns += last - first;
    }
    return to_ns > from_ns ? (double)out_ns / (double)(to_ns - from_ns) : 0;
}
