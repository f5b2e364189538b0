/*
 * What balancers learn from traffic, in the run: nginx's max_fails, HAProxy's
 * observe, outlier detection, circuit breakers. The rules themselves stand in
 * sim/frontdoor/; here they meet attempts, bars and alarms, and are counted.
 *
 *   passive.c   which attempt says what, and who is told; measures
 *   ejectors.c  max_fails, observe and outliers: they doubt a node
 *   breakers.c  circuit breakers: they spare one
 *
 * sim->passive is NULL when the scenario names none of them. Private to the
 * files of a simulation.
 */
#ifndef SIM_EXPERIMENT_PASSIVE_H
#define SIM_EXPERIMENT_PASSIVE_H

#include "sim/experiment/bar_times.h"
#include "sim/experiment/world.h"
#include "sim/frontdoor/blame.h"
#include "sim/frontdoor/breaker.h"
#include "sim/frontdoor/max_fails.h"
#include "sim/frontdoor/outliers.h"

/* Of one balancer. */
struct passive_balancer {
    struct sim *sim;
    struct balancer *balancer;
    struct max_fails max_fails;
    int64_t *returned_ns; /* [node_count] last, after max_fails or outliers;
                             negative: never */
    uint32_t *errors;     /* [node_count] in a row, of observe */
    struct outliers outliers;
    struct breaker *breakers; /* [node_count][breakers_per_node] */
};

/* Over the whole run. */
struct passive_counts {
    uint64_t max_fails, max_fails_trials, observed;
    uint64_t outliers[OUTLIER_CAUSES];
    uint64_t returns; /* of nodes that max_fails or outliers had ejected */
    uint64_t flaps;   /* ejections within a minute of a return */
    uint64_t breaker_opens, breaker_false_opens, breaker_trials;
};

struct passive {
    const struct balancer_spec *spec;
    struct passive_balancer *balancers; /* [balancer_count] */
    uint32_t breakers_per_node; /* 1, or the scenario's models and "any" */
    struct bar_times times;
    struct passive_counts counts;
};

/* Makes sim->passive if the scenario asks for it. false: no memory. */
bool passive_make(struct sim *sim);
void passive_start(struct sim *sim);

/* An attempt leaves for its node, or is over for its balancer. */
void passive_sent(struct sim *sim, const struct balancer *balancer,
                  const struct request *request);
void passive_over(struct sim *sim, const struct balancer *balancer,
                  const struct request *request, enum attempt_error error,
                  enum lbp_outcome outcome, int64_t first_token_at_ns);

/* An active check of the node was passed, and the node is held healthy. */
void passive_checked(struct sim *sim, const struct balancer *balancer,
                     uint32_t node);

/* The node has left all balancers, or joined them as a new one. */
void passive_member(struct sim *sim, uint32_t node, bool is_there);

void passive_finish(const struct sim *sim, struct run_result *ret);

/* --- ejectors.c ----------------------------------------------------------- */

bool ejectors_make(struct sim *sim, struct passive_balancer *at);
void ejectors_start(struct sim *sim);
void ejectors_member(struct passive_balancer *at, uint32_t node, bool is_there);
void ejectors_sent(struct passive_balancer *at, uint32_t node);
void ejectors_over(struct passive_balancer *at, uint32_t node,
                   enum blame blame);
/* Its ALARM_MAX_FAILS (subject: balancer * nodes + node) or ALARM_OUTLIERS
   (subject: balancer) rings. */
void ejectors_may_try(struct sim *sim, uint32_t subject);
void ejectors_tick(struct sim *sim, uint32_t subject);

/* --- breakers.c ----------------------------------------------------------- */

bool breakers_make(struct sim *sim, struct passive_balancer *at);
void breakers_forget(struct passive_balancer *at, uint32_t node);
void breakers_sent(struct passive_balancer *at, const struct request *request);
void breakers_over(struct passive_balancer *at, const struct request *request,
                   enum blame blame);
/* ALARM_BREAKER rings. subject: (balancer * nodes + node) * breakers of a node
   + breaker. */
void breakers_cooled(struct sim *sim, uint32_t subject);

/* --- passive.c, for these two ----------------------------------------------*/

/* A bar falls or is lifted, and what waits at the door is asked about anew.
   tells: it says something new of the node, so it is a detection, a false
   ejection or, lifted, the begin of a slow start. */
void passive_bar(struct passive_balancer *at, uint32_t node,
                 enum balancer_bar bar, bool down, bool tells);

#endif
