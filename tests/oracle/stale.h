/*
 * Scenarios whose balancer acts on what nodes said some time ago.
 */
#ifndef TESTS_ORACLE_STALE_H
#define TESTS_ORACLE_STALE_H

#include "tests/oracle/harness.h"

/* Policies that take what was posted for the truth, in the order of the list.
 */
enum stale_policy {
    STALE_RANDOM,      /* which does not look */
    STALE_SHORTEST,    /* queue and in service, ties drawn */
    STALE_OWN_COUNTED, /* the same, with what was sent since */
    STALE_TWO,         /* the shorter of two drawn */
    STALE_POLICIES
};

/*
 * nodes servers of one slot, exponential work of mean 1 s, Poisson arrivals at
 * load a node. Every period_s all queue lengths are posted at once, and nothing
 * else is known of them; period 0: they are always right.
 */
bool stale_load(struct trial *trial, unsigned seed, double seconds,
                unsigned nodes, double load, double period_s);

/* Runs one of the policies of that scenario. */
void stale_run(struct trial *trial, enum stale_policy policy,
               uint32_t replications);

/* --- eight nodes of eight slots under 90 requests a second -----------------
 */

enum herd_policy {
    HERD_RANDOM,
    HERD_PLAIN,      /* resource_score as it is */
    HERD_NORMALISED, /* with what was sent since, in a queue of shares */
    HERD_RAW,        /* the same in a raw queue */
    HERD_TWO,        /* of two nodes drawn */
    HERD_POLICIES
};

bool herd_load(struct trial *trial, unsigned seed, double seconds,
               const char *interval);

/* The mean latency under one of the policies. */
struct trial_estimate herd_mean(struct trial *trial, enum herd_policy policy,
                                uint32_t replications);

#endif
