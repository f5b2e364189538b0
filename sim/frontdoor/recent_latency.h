/*
 * A percentile of what requests have taken lately, learned while they come: a
 * hedge waits for it.
 *
 * A histogram of 32 steps per doubling, so the percentile is within 3 % of the
 * true one. When it holds RECENT_FULL values all counts are halved: old ones
 * fade, and a change of the load is learned within as many requests. The value
 * is worked out anew once in RECENT_STEP of them.
 */
#ifndef SIM_FRONTDOOR_RECENT_LATENCY_H
#define SIM_FRONTDOOR_RECENT_LATENCY_H

#include "sim/measure/coarse.h"

#include <stdint.h>

#define RECENT_LEAST 100u /* values, before anything is said */
#define RECENT_FULL 20000u
#define RECENT_STEP 64u

struct recent_latency {
    struct coarse seen;
    double quantile;  /* 0 to 1 */
    int64_t value_ns; /* as last worked out; negative: too few */
    uint32_t until_next;
};

void recent_latency_init(struct recent_latency *recent, double quantile);

void recent_latency_add(struct recent_latency *recent, int64_t taken_ns);

/* In ns; negative while fewer than RECENT_LEAST are known. */
static inline int64_t recent_latency_ns(const struct recent_latency *recent)
{
    return recent->value_ns;
}

#endif
