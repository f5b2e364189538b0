#include "sim/frontdoor/slow_start.h"

#include "workloads/mathx.h"

#define MS INT64_C(1000000)
#define S INT64_C(1000000000)

enum { HAPROXY_SCALE = 16 };

static double envoy_factor(const struct slow_start_spec *spec,
                           int64_t up_for_ns)
{
    int64_t up_ms = up_for_ns / MS; /* its clock counts milliseconds */
    double share = (double)(up_ms > 1 ? up_ms : 1) /
                   ((double)spec->window_ns / (double)MS);
    double factor = mathx_pow(share, 1 / spec->aggression);

    return factor > spec->min_share ? factor : spec->min_share;
}

static double haproxy_factor(const struct slow_start_spec *spec,
                             int64_t up_for_ns)
{
    int64_t up_s = up_for_ns / S, window_s = spec->window_ns / S;
    int64_t steps = (HAPROXY_SCALE * up_s + window_s) / window_s;

    return (double)steps / HAPROXY_SCALE;
}

double slow_start_factor(const struct slow_start_spec *spec, int64_t up_for_ns)
{
    double factor;

    if (up_for_ns >= spec->window_ns)
        return 1;
    factor = spec->rule == SLOW_START_ENVOY ? envoy_factor(spec, up_for_ns)
                                            : haproxy_factor(spec, up_for_ns);
    return factor < 1 ? factor : 1;
}

uint32_t slow_start_cap_percent(const struct slow_start_spec *spec,
                                int64_t up_for_ns)
{
    if (spec->rule != SLOW_START_HAPROXY || up_for_ns >= spec->window_ns)
        return 100;
    return (uint32_t)(100 * (up_for_ns / S) / (spec->window_ns / S));
}

int64_t slow_start_step_ns(const struct slow_start_spec *spec)
{
    int64_t step_ns, least_ns;

    if (spec->rule == SLOW_START_HAPROXY) {
        step_ns = spec->window_ns / 20;
        least_ns = S;
    } else {
        step_ns = spec->window_ns / 100;
        least_ns = 100 * MS;
    }
    return step_ns > least_ns ? step_ns : least_ns;
}
