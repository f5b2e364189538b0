/*
 * Envoy's circuit breakers of a cluster: hard limits that turn a request away
 * at once instead of letting a queue grow.
 *
 * Each request in flight uses a connection of its own. While fewer than
 * `connections` are in use a request is sent, unless `requests` are in flight
 * already. When all are in use it is pending, unless `pending` are. Whatever
 * does not fit is an overflow: answered at once, with a word of overload.
 */
#ifndef SIM_FRONTDOOR_POOL_LIMITS_H
#define SIM_FRONTDOOR_POOL_LIMITS_H

#include "sim/frontdoor/admission_spec.h"

enum pool_answer { POOL_SEND, POOL_PENDING, POOL_OVERFLOW };

/* in_flight and pending: of the request's own priority, without it. */
enum pool_answer pool_limits_ask(const struct pool_limits_spec *spec,
                                 uint32_t in_flight, uint32_t pending);

#endif
