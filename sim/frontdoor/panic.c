#include "sim/frontdoor/panic.h"

enum { OVERPROVISIONED_PERCENT = 140 };

bool panic_holds(const struct panic_spec *spec, uint32_t healthy,
                 uint32_t members)
{
    if (!spec->given || members == 0)
        return false;
    return (uint64_t)OVERPROVISIONED_PERCENT * healthy / members < 100 &&
           (double)healthy < spec->threshold * members;
}
