/*
 * Engine "batch": static batches, one after the other, as an encoder or an
 * embedding model on a CPU box is served.
 *
 * Requests wait until there are `size` of them or the oldest has waited
 * `max_wait`, and go into service together. While a batch runs the others
 * wait; at its end the same two conditions say when the next one starts. Who
 * goes is for sim/core/batch_cut.h to say: sorted by prompt length, cut at
 * `size` and at the ratio, nobody is passed over more than so many times. Of a
 * long queue the BATCH_LOOK oldest are looked at.
 *
 * A batch is padded, so with n prompts it takes, on a node of speed 1,
 *
 *     base + per_input_token * n * longest prompt
 *          + per_output_token * longest answer
 *
 * as prompts of a batch are so much more to compute, while a step of output
 * costs the same for all rows. Noise is of a request: a factor on its own base,
 * prompt and answer before the longest are looked for. Requests with plain
 * `work` have no length: such a batch takes the longest work in it. One alone
 * takes what it takes on a node of slots.
 *
 * All have their first token when the prompts are done, and all have their
 * answer when the batch is over. One that is cancelled leaves a row empty, and
 * the batch takes as long; with the last one the batch is over.
 *
 * Batches collect what comes at the same instant before they start, also with
 * max_wait 0: the event that starts them is the last of its instant.
 */
#ifndef SIM_CLUSTER_BATCH_H
#define SIM_CLUSTER_BATCH_H

#include "sim/cluster/group_spec.h"

#define BATCH_LOOK 1024u

struct batch {
    struct batch_rule rule;
    int64_t max_wait_ns;
    uint32_t leaf; /* EVENT_NO_LEAF until the first request */
    /* In service, in the order in which they end. */
    uint32_t *members; /* [rule.size] */
    uint32_t count;
    int64_t first_token_at_ns, ends_at_ns;
    int64_t frozen_at_ns;     /* INT64_MIN: it is not */
    struct batch_item *items; /* [capacity] for the cut */
    uint32_t capacity;
};

/* NULL: no memory. destroy accepts NULL. */
struct batch *batch_create(const struct engine_spec *spec);
void batch_destroy(struct batch *batch);

#endif
