/*
 * Key texts, each kept once. Internal to the trace module and to the tables of
 * the normaliser.
 *
 * Texts never move, so pointers to them hold until trace_keys_done.
 */
#ifndef WORKLOADS_TRACE_KEYS_H
#define WORKLOADS_TRACE_KEYS_H

#include <stdint.h>

struct trace_key {
    const char *text;
    uint64_t hash; /* XXH64 of the text, seed 0; never 0 */
    uint32_t length;
};

struct trace_keys {
    struct trace_key *items; /* [count], indexed by id */
    uint32_t count, capacity;
    uint32_t *slots;     /* [slot_count], id + 1 by open addressing; 0: free */
    uint32_t slot_count; /* a power of two, or 0 */
    struct trace_keys_block *blocks; /* of texts, newest first */
    uint64_t bytes;                  /* of all memory held */
};

#define TRACE_KEYS_NONE UINT32_MAX

/* XXH64, seed 0, but 1 for 0, which says "no key". */
uint64_t trace_keys_hash(const char *text, uint32_t length);

/* The id of a text, which is copied if it is new. TRACE_KEYS_NONE: no
   memory. */
uint32_t trace_keys_intern(struct trace_keys *keys, const char *text,
                           uint32_t length);

/* The id of a text that was kept; TRACE_KEYS_NONE: it was not. Not after
   trace_keys_freeze. */
uint32_t trace_keys_find(const struct trace_keys *keys, const char *text,
                         uint32_t length);

/* Forgets how to find texts; those kept stay. For when all were read. */
void trace_keys_freeze(struct trace_keys *keys);

void trace_keys_done(struct trace_keys *keys);

#endif
