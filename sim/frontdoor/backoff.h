/*
 * How long a retry waits: ladders of bounds, and the share of chance in them.
 *
 * Ladders are named after the proxies whose they are:
 *
 *   constant     base each time
 *   exponential  base * factor^(n - 1), at most max         (gRPC A6; finagle)
 *   summed       base * (factor^n - 1) / (factor - 1), at most max: what was
 *                waited for before counts in           (Envoy's first back-off)
 *
 * and so is chance: none waits exactly the bound, `full` uniformly between 0
 * and the bound (Envoy), `around` the bound times a factor between 1 - spread
 * and 1 + spread (gRPC: 0.8 to 1.2). The chance itself is passed in.
 */
#ifndef SIM_FRONTDOOR_BACKOFF_H
#define SIM_FRONTDOOR_BACKOFF_H

#include <stdint.h>

enum backoff_ladder {
    BACKOFF_NONE, /* at once */
    BACKOFF_CONSTANT,
    BACKOFF_EXPONENTIAL,
    BACKOFF_SUMMED
};

enum backoff_jitter { JITTER_NONE, JITTER_FULL, JITTER_AROUND };

struct backoff_spec {
    uint32_t ladder;         /* enum backoff_ladder */
    uint32_t jitter;         /* enum backoff_jitter */
    int64_t base_ns, max_ns; /* 0 or more; base at most max */
    double factor;           /* above 1 for ladders that grow */
    double spread;           /* of JITTER_AROUND: 0 to 1 */
};

/* The bound of the n-th retry, n from 1, in ns. */
int64_t backoff_bound_ns(const struct backoff_spec *spec, uint32_t retry);

/* What it waits, in ns, when chance, in [0, 1), falls so. */
int64_t backoff_wait_ns(const struct backoff_spec *spec, uint32_t retry,
                        double chance);

#endif
