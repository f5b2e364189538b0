/*
 * What the run knows of its checks: for checks.c, which sends them and draws
 * the conclusions, and check_visits.c, which sees to those that wait their turn
 * in a node.
 */
#ifndef SIM_EXPERIMENT_CHECKS_STATE_H
#define SIM_EXPERIMENT_CHECKS_STATE_H

#include "sim/experiment/checks.h"
#include "sim/experiment/faults.h"
#include "sim/frontdoor/health.h"

enum check_phase {
    CHECK_RESTS,   /* the next one has not started */
    CHECK_TRAVELS, /* to a node in which it will wait its turn */
    CHECK_WAITS,   /* there */
    CHECK_RETURNS  /* its result is settled and will be known */
};

/* Of one node by one balancer; at most one is on its way at a time. */
struct check {
    struct health health;
    enum check_phase phase;
    enum health_result result; /* of the one that returns */
    int64_t started_at_ns;
    uint32_t leaf;
    uint32_t request; /* that waits in the node, or REQUEST_NONE */
};

struct check_row {
    const struct health_spec *spec;
    enum balancer_bar bar;
    struct check *checks; /* [balancer_count][node_count] */
    struct rng *rngs;     /* the same; NULL: intervals have no chance in them */
};

struct checks {
    struct check_row rows[2];
    uint32_t row_count;
    uint32_t inside;         /* waiting in nodes */
    int64_t *answered_at_ns; /* [node_count] last; NULL: nobody is lenient */
};

/* What an event is about. */
struct check_subject {
    const struct check_row *row;
    struct check *check;
    struct balancer *balancer;
    uint32_t index; /* as checks_event takes it */
    uint32_t node;
};

/* --- checks.c ------------------------------------------------------------- */

struct check_subject checks_subject(const struct sim *sim, uint32_t index);

void checks_set_leaf(struct sim *sim, const struct check *check, int64_t at_ns);

/* The result is settled, and known at that time. */
void checks_return_at(struct sim *sim, struct check *check,
                      enum health_result result, int64_t at_ns);

/* The time-out of the check that is under way. */
int64_t checks_timeout_at_ns(const struct check_subject *subject);

/* What faults make of a check that starts now, or arrives. */
enum fault_word checks_ask_faults(const struct sim *sim,
                                  const struct check_subject *subject);

/* What a word comes to; HEALTH_OK of one that none speaks against. */
enum health_result checks_result_of(enum fault_word word);

/* --- check_visits.c --- */

/* Whether a check enters the node. */
bool check_visits_wanted(const struct health_spec *spec);

/* It leaves for the node, is there, and is given up at its time-out. */
void check_visits_send(struct sim *sim, const struct check_subject *subject);
void check_visits_arrive(struct sim *sim, const struct check_subject *subject);
void check_visits_cancel(struct sim *sim, const struct check_subject *subject);

#endif
