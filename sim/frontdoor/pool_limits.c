#include "sim/frontdoor/pool_limits.h"

enum pool_answer pool_limits_ask(const struct pool_limits_spec *spec,
                                 uint32_t in_flight, uint32_t pending)
{
    if (in_flight >= spec->connections)
        return pending < spec->pending ? POOL_PENDING : POOL_OVERFLOW;
    return in_flight < spec->requests ? POOL_SEND : POOL_OVERFLOW;
}
