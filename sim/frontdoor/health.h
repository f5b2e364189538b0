/*
 * Active health checks: what a balancer believes of one node.
 *
 * A state machine over results (mechanisms 1.1 to 1.3 of the design), by the
 * rule of health_spec.h. Every rule starts with a healthy node.
 *
 *   plain    unhealthy_after failures in a row turn it, healthy_after
 *            successes in a row turn it back, and the very first result, if it
 *            is a success, makes it healthy at once
 *   envoy    after source/common/upstream/health_checker_base_impl.cc: the
 *            same, but a wrong answer turns it at once
 *   haproxy  after src/check.c: a counter from 0 to rise + fall - 1, up from
 *            rise on. A success adds 1, and jumps to the top once it is up; a
 *            failure takes 1 away, and falls to 0 once it is down. It starts
 *            at rise: up, but the first failure would turn it
 *
 * An inconclusive result changes nothing. When checks happen follows from the
 * belief; at most one is on its way to a node.
 */
#ifndef SIM_FRONTDOOR_HEALTH_H
#define SIM_FRONTDOOR_HEALTH_H

#include "sim/frontdoor/health_spec.h"
#include "workloads/rng.h"

#include <stdbool.h>
#include <stdint.h>

enum health_result {
    HEALTH_OK,
    HEALTH_NO_CONNECTION, /* refused, reset, or no answer in time */
    HEALTH_WRONG_ANSWER,  /* it answered, and said that it is not well */
    HEALTH_INCONCLUSIVE   /* missed, by a node that is visibly at work */
};

struct health {
    bool healthy;
    bool seen;        /* a result has come */
    bool failed;      /* the last one that counted was a failure */
    bool pending;     /* it spoke against the belief, but was not enough */
    uint32_t ok, bad; /* results in a row; not of haproxy */
    uint32_t counter; /* of haproxy alone */
};

void health_init(struct health *health, const struct health_spec *spec);

/* Takes a result; true when the belief changed. */
bool health_note(struct health *health, const struct health_spec *spec,
                 enum health_result result);

/*
 * What was seen of live traffic speaks against the node (haproxy's "observe"):
 * its counter falls to at_most, but not below rise, so that the next failure
 * may be the last. rise + 1 is sudden death, rise is mark down. Of other rules
 * nothing happens.
 */
void health_weaken(struct health *health, const struct health_spec *spec,
                   uint32_t at_most);

/* Between two checks, before chance: by the rule, the belief and the last
   result. has_traffic: the balancer has been asked for a node yet. */
int64_t health_interval_ns(const struct health *health,
                           const struct health_spec *spec, bool has_traffic);

/* Lengthens an interval, or with spread shortens it, as the scenario says.
   Draws only when it says so; never below 1 ms when it does. */
int64_t health_jitter_ns(const struct health_spec *spec, int64_t interval_ns,
                         struct rng *rng);

/* When the check after the one that started and ended at these times starts:
   not before the end, however short a spread has made the interval. */
int64_t health_next_start_ns(const struct health_spec *spec,
                             int64_t interval_ns, int64_t started_at_ns,
                             int64_t ended_at_ns);

/*
 * When a check that starts now yields its result, and which, if it does not
 * have to wait its turn. comes: some word does, and word is what it means. A
 * check fails at the time-out when no word has come until then.
 */
struct health_outlook {
    int64_t ends_at_ns;
    enum health_result result;
};
struct health_outlook health_outlook(const struct health_spec *spec,
                                     int64_t now_ns, int64_t round_trip_ns,
                                     bool comes, enum health_result word);

#endif
