/*
 * How pending requests are put into batches: collect, sort by prompt length,
 * cut.
 *
 * A batch is padded: every row of it is as long as its longest prompt, so a
 * batch of n costs n times its longest. Sorting puts like to like, and a cut
 * ends a batch when it is full or, with a ratio, when the next prompt would be
 * that much longer (or shorter) than another one in it. For ten prompts of
 * 2742 tokens, cut at eight, the order alone saves nearly nothing (6000 padded
 * tokens against 6096 as they came) and the ratio of four a good part (4384).
 *
 * Who cannot send all batches of a cut at once sends the first. The others are
 * skipped, and cut anew with what has come meanwhile; so that nobody starves, a
 * request that was skipped `patience` times leads: its batch is the next one.
 * Of several such requests the oldest leads.
 *
 * Both places that batch go by this: a node with the engine "batch", and the
 * front door. The order is stable: equal lengths stay in order of arrival.
 */
#ifndef SIM_CORE_BATCH_CUT_H
#define SIM_CORE_BATCH_CUT_H

#include <stdint.h>

enum batch_order { BATCH_ASCENDING, BATCH_DESCENDING, BATCH_ARRIVAL };

struct batch_rule {
    uint32_t size; /* requests in a batch at most, 1 or more */
    enum batch_order order;
    double ratio;      /* longest over shortest in a batch; 0: any */
    uint32_t patience; /* times to be skipped; 0: for ever */
};

struct batch_item {
    uint32_t request; /* whoever it is to the caller */
    uint32_t length;  /* tokens of its prompt; counts as 1 at least */
    uint32_t place;   /* by arrival, from 0: decides between equals */
    uint32_t skipped; /* times so far */
};

/* Puts items into the rule's order. */
void batch_sort(const struct batch_rule *rule, struct batch_item *items,
                uint32_t count);

/* Where the batch ends that begins with item `from`: the first that is not in
   it. Sorted or not. */
uint32_t batch_end(const struct batch_rule *rule,
                   const struct batch_item *items, uint32_t count,
                   uint32_t from);

/* The batch to send now, of `count` sorted items, 1 or more: from *ret_from up
   to the end that is returned. */
uint32_t batch_choose(const struct batch_rule *rule,
                      const struct batch_item *items, uint32_t count,
                      uint32_t *ret_from);

/* Tokens of one batch, padded: how many there are times the longest. */
uint64_t batch_padded(const struct batch_item *items, uint32_t count);

#endif
