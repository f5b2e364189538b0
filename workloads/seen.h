/*
 * Which keys have been asked before in a run: the endless cache of which the
 * ideal hit ratio speaks.
 *
 * Numbers of a Zipf universe take one bit each. Keys of traces are known by
 * their 64-bit hashes, in an open hash table that grows with the distinct ones
 * (16 to 32 bytes each): among a hundred million keys two share a hash in one
 * run of some 3,700.
 */
#ifndef WORKLOADS_SEEN_H
#define WORKLOADS_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum seen_answer { SEEN_FIRST, SEEN_AGAIN, SEEN_NO_MEMORY };

/* All zero is an empty set without numbers. */
struct seen {
    uint64_t *numbers; /* bits */
    uint64_t *hashes;  /* [capacity], 0: free */
    size_t capacity;   /* 0 or a power of 2 */
    size_t count;
};

/* For numbers below limit, 0: for hashes only. false: no memory. */
bool seen_init(struct seen *seen, uint64_t limit);
void seen_done(struct seen *seen);

/* Adds; true when it was there. number below the limit. */
bool seen_number(struct seen *seen, uint64_t number);

/* Adds; hash not 0. */
enum seen_answer seen_hash(struct seen *seen, uint64_t hash);

#endif
