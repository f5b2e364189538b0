/*
 * How a stream of references comes back to what it has used: the hits of LRU
 * caches of every capacity, from one pass.
 *
 * The distance of a reference is its place in the stack of an LRU cache without
 * end, from 1 at the top: a cache of capacity c hits exactly the references at
 * distance c or less (Mattson, Gecsei, Slutz and Traiger, "Evaluation
 * Techniques for Storage Hierarchies", IBM Systems Journal 9(2), 1970). Places
 * are found in a Fenwick tree over the times of last use, in logarithmic time.
 *
 * Requests refer to several ids at once, blocks of a prefix from its root on.
 * They are read in three ways:
 *
 * A  flat: each id is a reference of its own, in order.
 * B  prefix, head first: a request hits its leading run of resident ids; then
 *    all its ids are used, first to last.
 * C  prefix, tail first: scored as B, then used last to first, so that the
 *    root of the prefix is the last to be evicted.
 *
 * A single id is a request of one, where all three agree.
 *
 * Memory: some 90 bytes for each distinct id, twice that while growing.
 */
#ifndef WORKLOADS_REUSE_H
#define WORKLOADS_REUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum reuse_reading { REUSE_FLAT, REUSE_HEAD, REUSE_TAIL, REUSE_READING_COUNT };

/* All that is known of one id. */
struct reuse_item {
    uint64_t id, count;
    uint64_t predecessor; /* index + 1 of the id before it; 0: it was first */
    uint64_t request;     /* the last one that brought it, from 1 */
    bool torn;            /* it also stood behind another one */
};

struct reuse_stack {
    uint32_t *tree;  /* [capacity + 1], Fenwick's, of marks at last uses */
    uint32_t *owner; /* [capacity + 1] item + 1 used last at that time, or 0 */
    uint32_t *last;  /* [item_capacity] time of last use, 0: never */
    uint32_t capacity, now, live;
};

/* What an endless cache would do for one request. */
struct reuse_score {
    uint32_t known;   /* ids that were used before the request */
    uint32_t leading; /* of these, the run at its start */
    uint32_t repeats; /* ids that stood in the request before, whatever else */
};

/* All zero is empty. */
struct reuse {
    struct reuse_item *items; /* [count] */
    uint32_t count, item_capacity;
    uint32_t *slots; /* [slot_count] item + 1, 0: free */
    size_t slot_count;
    struct reuse_stack head, tail;
    uint64_t *hits[REUSE_READING_COUNT]; /* [item_capacity + 1] by distance */
    bool one_reading; /* only requests of one id: B and C need no work */
    uint64_t references, requests;
    uint32_t *places; /* [place_capacity] of the request in hand */
    size_t place_capacity;
};

/* false: no memory, or more than 2^31 distinct ids. */
bool reuse_request(struct reuse *reuse, const uint64_t *ids, size_t count,
                   struct reuse_score *ret_score);
void reuse_done(struct reuse *reuse);

/* References hit by a cache of so many ids, cold at the start. */
uint64_t reuse_hits(const struct reuse *reuse, enum reuse_reading reading,
                    uint64_t capacity);

/* Bytes held. */
uint64_t reuse_bytes(const struct reuse *reuse);

#endif
