#include "sim/cluster/scale_spec.h"

int64_t start_up_load_ns(const struct start_up_spec *spec)
{
    double seconds = 0;

    if (spec->bytes_per_s > 0)
        seconds = (double)spec->model_bytes / (double)spec->bytes_per_s;
    return (int64_t)(seconds * 1e9 + 0.5) + spec->init_ns;
}

int64_t start_up_warm_ns(const struct start_up_spec *spec)
{
    return spec->warm_up_requests * spec->warm_up_request_ns;
}

int64_t start_up_ns(const struct start_up_spec *spec)
{
    return spec->provision_ns + start_up_load_ns(spec) + start_up_warm_ns(spec);
}

int64_t start_up_vary_ns(int64_t ns, const struct dist *noise, struct rng *rng)
{
    double varied;

    if (noise->kind == DIST_NONE || ns == 0)
        return ns;
    varied = (double)ns * dist_draw(noise, rng);
    return varied < 4.6e18 ? (int64_t)(varied + 0.5) : INT64_MAX / 2;
}
