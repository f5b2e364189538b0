#include "sim/frontdoor/node_cap.h"

static uint64_t without_slow_start(uint32_t max, uint32_t min, uint32_t full,
                                   uint64_t busy)
{
    uint64_t cap;

    if (busy >= full || min == 0 || min >= max)
        return max;
    cap = busy * max / full;
    return cap < min ? min : cap;
}

uint32_t node_cap(uint32_t max, uint32_t min, uint32_t full, uint64_t busy,
                  uint32_t warm_percent)
{
    uint64_t cap = without_slow_start(max, min, full, busy);

    if (warm_percent < NODE_CAP_WARM)
        cap = cap * warm_percent / NODE_CAP_WARM;
    return cap < 1 ? 1 : (uint32_t)cap;
}
