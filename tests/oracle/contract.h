/*
 * A policy that checks its host: wraps another and verifies at every call what
 * policies/lbp.h promises to policies. It keeps books of its own: counts of
 * what was sent and is unanswered, times, the fields of every attempt.
 *
 * One struct contract serves one simulation, with all its balancers. Its
 * complaints are texts; the test decides what to do with them.
 */
#ifndef TESTS_ORACLE_CONTRACT_H
#define TESTS_ORACLE_CONTRACT_H

#include "policies/lbp.h"

#include <stdbool.h>
#include <stdint.h>

struct contract;

struct contract_config {
    struct contract *contract;
};

struct contract {
    struct lbp_ops ops; /* to run; with ops.on_first_token set to NULL, no
                           events for first tokens are asked for */
    struct contract_config config;
    const struct lbp_ops *inner;
    const void *inner_config;

    /* Of 100 picks that find a node, so many wait or refuse instead, by a hash
       of request and time. */
    uint32_t wait_percent, refuse_percent;
    bool has_reports; /* fields of nodes may be filled */
    int64_t report_delay_ns;
    bool spares;          /* nodes may be left out of which nothing is said */
    bool is_asked_beside; /* about keys, without sending: see remaps.h */
    bool routed;          /* not every node may take every request */
    bool degrades;        /* and an attempt at a lesser model is none more */

    uint64_t picks, waits, refusals, sent, done, done_ok, first_tokens;
    uint64_t reports, timers;
    uint64_t open;    /* attempts that were unanswered at destroy */
    uint64_t waiting; /* requests whose last pick said LBP_WAIT */

    uint64_t complaints;
    char complaint[200]; /* the first */
};

/* inner and its config are borrowed. */
void contract_init(struct contract *contract, const struct lbp_ops *inner,
                   const void *inner_config);

#endif
