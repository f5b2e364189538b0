/*
 * Slow start: how much of its weight a node gets that has just come (back).
 *
 * Its caches are cold and its code is not warm, so its share grows over a
 * window instead of starting in full. Two namesakes (mechanisms 3.1, 3.2 of
 * the design):
 *
 *   envoy    source/.../common/load_balancer_impl.cc: the factor grows from
 *            min_share to 1 as (t / window)^(1 / aggression). All nodes start
 *            so, also those of time 0
 *   haproxy  src/server.c: sixteenths, in whole seconds, looked at every
 *            twentieth of the window but no more than once a second. Only
 *            after a recovery. A cap on requests in flight grows as well
 *
 * What becomes of the factor is the policy's: those that go by weights give
 * the node less. Envoy works it out at every pick; here it moves in steps of
 * a hundredth of the window, 100 ms at least, so that policies which build
 * tables build them a hundred times and not at every pick.
 */
#ifndef SIM_FRONTDOOR_SLOW_START_H
#define SIM_FRONTDOOR_SLOW_START_H

#include <stdbool.h>
#include <stdint.h>

enum slow_start_rule { SLOW_START_ENVOY, SLOW_START_HAPROXY };

struct slow_start_spec {
    bool given;
    enum slow_start_rule rule;
    int64_t window_ns; /* above 0; of haproxy 1 s at least */
    double aggression; /* of envoy, above 0; 1: a straight line */
    double min_share;  /* of envoy, above 0, to 1 */
};

/* The share of its weight that a node has which came up_for_ns ago: above 0,
   and 1 once the window is over. */
double slow_start_factor(const struct slow_start_spec *spec, int64_t up_for_ns);

/* Of a cap on requests in flight, in whole percent; below 100 only of haproxy
   while the window lasts, and then perhaps 0: who caps leaves at least one. */
uint32_t slow_start_cap_percent(const struct slow_start_spec *spec,
                                int64_t up_for_ns);

/* The factor is looked at anew so long after the last time. */
int64_t slow_start_step_ns(const struct slow_start_spec *spec);

/* Whether a node begins slowly that has been there from the start. */
static inline bool slow_start_at_start(const struct slow_start_spec *spec)
{
    return spec->given && spec->rule == SLOW_START_ENVOY;
}

#endif
