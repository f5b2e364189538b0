/*
 * An indexed heap of requests: the smallest key out first, equal keys in order
 * of arrival.
 *
 * Each request knows its place (request->place), so any one can be taken out
 * in O(log n). Keys are 64-bit numbers; times and counts of either sign, and
 * reals that are not negative, have keys that order as they do. The array
 * grows by doubling and is kept, so nothing is allocated once a node has been
 * as full as it will get.
 */
#ifndef SIM_CORE_REQUEST_HEAP_H
#define SIM_CORE_REQUEST_HEAP_H

#include "sim/core/request.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct heap_entry {
    uint64_t key;
    uint64_t number; /* of the request, by arrival: decides between equals */
    uint32_t request;
};

struct request_heap {
    struct heap_entry *entries; /* [capacity] the first is the smallest */
    uint32_t count, capacity;
};

static inline uint64_t heap_key_of_integer(int64_t value)
{
    return (uint64_t)value ^ (uint64_t)1 << 63;
}

/* value 0 or more. */
static inline uint64_t heap_key_of_real(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double heap_real_of_key(uint64_t key)
{
    double value;

    memcpy(&value, &key, sizeof value);
    return value;
}

void request_heap_done(struct request_heap *heap);

/* false: no memory. The request must be in no other list. */
bool request_heap_push(struct request_heap *heap, struct request_slab *slab,
                       uint32_t index, uint64_t key);

/* Takes one out, by its place; the smallest is at place 0. Returns it. */
uint32_t request_heap_remove(struct request_heap *heap,
                             struct request_slab *slab, uint32_t place);

/* Gives the smallest another key, not smaller than its own. */
void request_heap_postpone_first(struct request_heap *heap,
                                 struct request_slab *slab, uint64_t key);

#endif
