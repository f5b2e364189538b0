#include "sim/cluster/fault_spec.h"

#define HUNDRED_YEARS_NS INT64_C(3153600000000000000)

const char *const fault_kind_names[FAULT_STRIKE_KINDS] = {
    [FAULT_CRASH] = "crash",
    [FAULT_HOST_DOWN] = "host_down",
    [FAULT_SLOW] = "slow",
    [FAULT_HANG] = "hang",
    [FAULT_BLACK_HOLE] = "black_hole",
    [FAULT_FAIL_FAST] = "fail_fast",
    [FAULT_MEMORY_LEAK] = "memory_leak",
    [FAULT_FLAPPING] = "flapping",
    [FAULT_PARTITION] = "partition",
    [FAULT_PROBE_LOSS] = "probe_loss",
    [FAULT_REPORT_LOSS] = "report_loss",
    [FAULT_REPORT_DELAY] = "report_delay",
    [FAULT_TIER_OUTAGE] = "tier_outage",
    [FAULT_OUT_OF_MEMORY] = "out_of_memory",
};

bool fault_is_fixed(const struct fault_spec *spec)
{
    bool by_share = spec->kind == FAULT_FAIL_FAST ||
                    spec->kind == FAULT_PROBE_LOSS ||
                    spec->kind == FAULT_REPORT_LOSS;

    return !spec->random && spec->together == 0 && !(spec->spread > 0) &&
           !(by_share && spec->share < 1) &&
           fault_target_is_fixed(&spec->target) &&
           fault_target_is_fixed(&spec->balancers);
}

int64_t fault_draw_time_ns(const struct dist *dist, struct rng *rng)
{
    double ns = dist_draw(dist, rng) * 1e9;

    if (!(ns < (double)HUNDRED_YEARS_NS))
        return HUNDRED_YEARS_NS;
    return ns < 1 ? 1 : (int64_t)(ns + 0.5);
}
