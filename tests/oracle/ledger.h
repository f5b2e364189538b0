/*
 * A policy that keeps books: wraps another and counts what is sent and what is
 * over, for each node and each request, whatever mechanisms stand around it.
 * contract.h checks more, of hosts that send one attempt at a time.
 *
 *     nothing ends that was not sent, or ends twice
 *     no request is answered twice
 *     what is in flight at each node is what the view says
 *     a node that is picked was eligible
 */
#ifndef TESTS_ORACLE_LEDGER_H
#define TESTS_ORACLE_LEDGER_H

#include "policies/lbp.h"

#include <stdbool.h>
#include <stdint.h>

struct ledger;

struct ledger_config {
    struct ledger *ledger;
};

struct ledger {
    struct lbp_ops ops; /* to run */
    struct ledger_config config;
    const struct lbp_ops *inner;
    const void *inner_config;

    /* Of 100 picks so many wait or refuse instead, by a hash of request and
       time. */
    uint32_t wait_percent, refuse_percent;

    uint64_t sent, over, answered;
    uint64_t open; /* attempts that were not over at destroy */
    uint64_t complaints;
    char complaint[200]; /* the first */
};

/* inner and its config are borrowed. */
void ledger_init(struct ledger *ledger, const struct lbp_ops *inner,
                 const void *inner_config);

#endif
