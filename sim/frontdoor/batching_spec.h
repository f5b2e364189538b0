/*
 * Batching at the front door: a balancer collects requests and sends them on
 * in batches, each to one node.
 *
 * It is for nodes that serve static, padded batches. Those that batch as they
 * go (engines slots and sharing stand for them) gain nothing from it, and their
 * requests wait in vain.
 *
 * What is collected goes when it is `collect` requests, when the oldest has
 * waited for max_wait, or when the deadline of one of them is near. Then all
 * go: sorted and cut as sim/core/batch_cut.h says, so nobody is passed over.
 */
#ifndef SIM_FRONTDOOR_BATCHING_SPEC_H
#define SIM_FRONTDOOR_BATCHING_SPEC_H

#include "sim/core/batch_cut.h"

#include <stdbool.h>
#include <stdint.h>

struct batching_spec {
    bool given;
    struct batch_rule rule;     /* without patience */
    uint32_t collect;           /* 1 or more; 0 while loading: as rule.size */
    int64_t max_wait_ns;        /* 0: what comes at the same instant */
    int64_t before_deadline_ns; /* 0: deadlines do not hurry it */
};

#endif
