/*
 * Active health checks: what a balancer believes of one node.
 *
 * A state machine over results in a row (mechanisms 1.1 of the design): a node
 * starts healthy, unhealthy_after failures in a row turn it, healthy_after
 * successes in a row turn it back, and the very first result, if it is a
 * success, makes it healthy at once. When checks happen is kept here too: at
 * most one is on its way to a node.
 */
#ifndef SIM_FRONTDOOR_HEALTH_H
#define SIM_FRONTDOOR_HEALTH_H

#include "sim/frontdoor/balancer_spec.h"

#include <stdbool.h>
#include <stdint.h>

struct health {
    bool healthy;
    bool seen;        /* a result has come */
    uint32_t ok, bad; /* results in a row */
    /* The check: its start, and its outcome once it is on its way. */
    bool on_its_way, will_succeed;
    int64_t started_at_ns, ends_at_ns;
};

void health_init(struct health *health);

/* Takes a result; true when the belief changed. */
bool health_note(struct health *health, const struct health_spec *spec,
                 bool success);

/* When the check after the one that started and ended at these times starts. */
int64_t health_next_start_ns(const struct health_spec *spec,
                             int64_t started_at_ns, int64_t ended_at_ns);

/*
 * When a check that starts now yields its result, and which. answers: the node
 * is alive; refuses: it is dead and says so. A check fails at the time-out
 * when no word has come until then.
 */
struct health_outlook {
    int64_t ends_at_ns;
    bool success;
};
struct health_outlook health_outlook(const struct health_spec *spec,
                                     int64_t now_ns, int64_t round_trip_ns,
                                     bool answers, bool refuses);

#endif
