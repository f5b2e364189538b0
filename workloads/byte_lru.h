/*
 * An LRU cache of so many bytes, over items numbered from 0.
 *
 * Where sizes differ there is no single pass for all capacities, so each one is
 * played. An item larger than the cache is not admitted and evicts nothing.
 */
#ifndef WORKLOADS_BYTE_LRU_H
#define WORKLOADS_BYTE_LRU_H

#include <stdbool.h>
#include <stdint.h>

struct byte_lru {
    uint64_t capacity, used; /* bytes */
    uint64_t hits, hit_bytes;
    struct byte_lru_entry {
        uint64_t size;         /* 0: not in the cache */
        uint32_t newer, older; /* item + 1; 0: none */
    } * entries;               /* [entry_count] */
    uint32_t entry_count;
    uint32_t newest, oldest; /* item + 1 */
};

/* A reference to an item of so many bytes, which are its own each time. An
   item of no bytes counts as one. false: no memory. */
bool byte_lru_use(struct byte_lru *lru, uint32_t item, uint64_t size);
void byte_lru_done(struct byte_lru *lru);

#endif
