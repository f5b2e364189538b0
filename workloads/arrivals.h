/*
 * When requests arrive: renewal processes of a given rate.
 *
 * poisson: exponential gaps. deterministic: equal gaps, the k-th arrival at
 * k / rate, rounded to the ns once, the first one gap after the start. gamma:
 * gaps of a given coefficient of variation cv (cv 1 is poisson, more is
 * bursty).
 */
#ifndef WORKLOADS_ARRIVALS_H
#define WORKLOADS_ARRIVALS_H

#include "workloads/rng.h"

#include <stdint.h>

enum arrivals_process {
    ARRIVALS_POISSON,
    ARRIVALS_DETERMINISTIC,
    ARRIVALS_GAMMA,
    ARRIVALS_PROCESS_COUNT
};

extern const char *const arrivals_process_names[ARRIVALS_PROCESS_COUNT];

struct arrivals_spec {
    enum arrivals_process process;
    double rate_per_s; /* more than 0, at most 1e15 */
    double cv;         /* gamma only; more than 0 */
};

struct arrivals {
    struct arrivals_spec spec;
    struct rng rng;
    uint64_t count; /* arrivals so far */
    int64_t now_ns; /* of the last arrival */
    double mean_gap_ns;
    double shape; /* gamma: 1 / cv^2 */

    /* deterministic: a gap is gap_whole_ns + gap_rest / divisor */
    int64_t gap_whole_ns;
    uint64_t gap_rest, divisor;
    uint64_t rest; /* numerator of what the arrivals so far were cut by */
};

void arrivals_init(struct arrivals *arrivals, const struct arrivals_spec *spec,
                   uint64_t seed, uint64_t replication);

/* The next arrival in ns from the start; never goes back. INT64_MAX: beyond
   what 64 bits hold (at least 146 years), and so are all later ones. */
int64_t arrivals_next(struct arrivals *arrivals);

#endif
