/*
 * The arithmetic of outlier detection, without state: who is far from the rest,
 * how many may go, and for how long.
 */
#ifndef SIM_FRONTDOOR_OUTLIER_STATS_H
#define SIM_FRONTDOOR_OUTLIER_STATS_H

#include "sim/frontdoor/outlier_spec.h"

/* Whether any node can be ejected for that cause, by what the scenario says. */
bool outlier_spec_ejects(const struct outlier_spec *spec,
                         enum outlier_cause cause);

/* mean - factor / 1000 * standard deviation of the population. count: 1 or
   more; rates in percent, and so is the result, which may be negative. */
double outlier_threshold(const double *rates, uint32_t count,
                         uint32_t stdev_factor);

/* One more of `nodes` may be ejected, with so many out already. Envoy: if the
   share with it is within the bound. gRPC: if the share without it is below. */
bool outlier_may_eject(const struct outlier_spec *spec, uint32_t ejected,
                       uint32_t nodes);

/* How long the ejection lasts that is number `multiplier` (from 1), without
   jitter. */
int64_t outlier_duration_ns(const struct outlier_spec *spec,
                            uint32_t multiplier);

/* The multiplier of the next ejection. Envoy's stops to grow when it no longer
   makes a difference. */
uint32_t outlier_next_multiplier(const struct outlier_spec *spec,
                                 uint32_t multiplier);

#endif
