/*
 * Identical questions at one node: the first to miss the result cache works on
 * the answer, those that come meanwhile wait for it.
 *
 * A leader is in service or in the queue, and owns an entry of the table by
 * the hash of its key; its followers hang on the entry, in order of coming,
 * linked through the requests. Work belongs to the question, not to who asked
 * first: when a leader is cancelled while others wait, its work goes on for
 * them (the entry is `kept`), and ends when the last of them is cancelled too.
 * All operations cost O(1); nothing is allocated once the table is as large as
 * it will get.
 */
#ifndef SIM_CLUSTER_COALESCE_H
#define SIM_CLUSTER_COALESCE_H

#include "sim/core/request.h"

#include <stdbool.h>
#include <stdint.h>

struct coalesce_entry {
    uint64_t hash;        /* of the key */
    uint32_t leader;      /* REQUEST_NONE: the place is empty */
    uint32_t first, last; /* followers, REQUEST_NONE: none */
    bool kept;            /* the leader was cancelled */
};

struct coalesce {
    struct coalesce_entry *entries; /* [size], linear probing */
    uint32_t size;                  /* a power of two, or 0 */
    uint32_t count;                 /* of leaders */
};

void coalesce_done(struct coalesce *coalesce);

/* True when somebody works on it: then the request waits for the answer, in
   state REQUEST_FOLLOWING. hash is not 0. */
bool coalesce_follow(struct coalesce *coalesce, struct request_slab *slab,
                     uint64_t hash, uint32_t index);

/* It works on the answer; nobody else does. false: no memory. */
bool coalesce_lead(struct coalesce *coalesce, uint64_t hash, uint32_t index);

/* A leader's work is over: it leaves the table. Returns its followers as a
   list through `next`; REQUEST_NONE also for a request that leads nobody. */
uint32_t coalesce_end(struct coalesce *coalesce, uint64_t hash, uint32_t index);

/* A leader would be cancelled. True: its work goes on, for others. False: it
   has left the table. */
bool coalesce_keep(struct coalesce *coalesce, uint64_t hash, uint32_t index);

/* A follower is cancelled. Returns the leader whose work nobody needs any
   longer, which has left the table; else REQUEST_NONE, as for a leader in
   service when only queued ones end. */
uint32_t coalesce_leave(struct coalesce *coalesce, struct request_slab *slab,
                        uint64_t hash, uint32_t index, bool queued_only);

#endif
