#include "sim/frontdoor/node_cap.h"

uint32_t node_cap(uint32_t max, uint32_t min, uint32_t full, uint64_t busy)
{
    uint64_t cap;

    if (busy >= full || min == 0 || min >= max)
        return max;
    cap = busy * max / full;
    return cap < min ? min : (uint32_t)cap;
}
