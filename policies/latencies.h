/*
 * latencies.h - what is known of each node's latency, which fades.
 *
 * A node's level is a moving average by the clock: the newest observation
 * weighs 1 - e^(-t / decay), t after the one before, and while nothing is
 * observed the level decays to nothing, so that a node that was slow is tried
 * again (Finagle, util/Ema.scala and loadbalancer/PeakEwma.scala).
 */
#ifndef POLICIES_LATENCIES_H
#define POLICIES_LATENCIES_H

#include "policies/lbp.h"

enum latency_newcomer {
    NEWCOMER_PENALTY, /* unknown until its first answer; the policy minds */
    NEWCOMER_MEAN,    /* of those that are known */
    NEWCOMER_ZERO,    /* unknown, and the policy does not mind */
    NEWCOMER_DEFAULT  /* default_ns */
};
enum latency_history { HISTORY_KEEP, HISTORY_DROP };

struct latency_rule {
    int64_t decay_ns; /* above 0 */
    int64_t default_ns;
    uint32_t newcomer; /* enum latency_newcomer */
    uint32_t history;  /* of all, when nodes join or leave */
    bool peak;         /* a slower observation counts at once */
};

struct latency {
    double level_ns; /* at at_ns; from there on it decays */
    int64_t at_ns;
    uint32_t generation;
    bool present; /* the slot has a node */
    bool known;   /* something was observed or assumed */
};

/* A zeroed struct with a rule has no nodes. */
struct latencies {
    struct latency_rule rule;
    struct latency *items; /* [slot_count] */
    uint32_t slot_count, capacity;
};

/* Makes room and takes over the nodes: those that stay keep what is known of
   them, as far as the rule says so. false: no memory, and nothing changed. */
bool latencies_update(struct latencies *latencies, const struct lbp_view *view,
                      const struct lbp_host *host);
void latencies_done(struct latencies *latencies, const struct lbp_host *host);

/* An attempt took so long, as is known now. */
void latencies_observe(struct latencies *latencies, uint32_t slot,
                       double seen_ns, int64_t now_ns);

/* The level now; 0: nothing is known. */
double latencies_level(const struct latencies *latencies, uint32_t slot,
                       int64_t now_ns);

#endif
