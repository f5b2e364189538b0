/*
 * A node's result cache: whole answers, found by the hash of the normalised
 * prompt, least recently used out first.
 *
 * Bounded by entries, by bytes, or both; entries may age (ttl). Open
 * addressing with linear probing finds, a list through the entries orders;
 * both by 32-bit index. A lookup or insertion costs O(1); nothing is allocated
 * once the cache is as large as it will get.
 *
 * Keys are 64-bit hashes, and two prompts of one hash count as the same: among
 * a million keys that happens once in 37 million caches.
 */
#ifndef SIM_CLUSTER_RESULT_CACHE_H
#define SIM_CLUSTER_RESULT_CACHE_H

#include <stdbool.h>
#include <stdint.h>

struct cache_entry {
    uint64_t hash;
    uint64_t bytes;
    int64_t stored_at_ns;
    uint32_t newer, older; /* by use */
};

struct result_cache {
    struct cache_entry *entries; /* [capacity], indices from 0 */
    uint32_t *table;             /* [table_size] entry + 1, 0: empty */
    uint32_t table_size;         /* a power of two */
    uint32_t capacity, count;
    uint32_t newest, oldest; /* ends of the list by use */
    uint32_t free_head;      /* freed entries, linked by older */
    uint32_t used;           /* entries ever used: the rest is fresh */
    uint64_t limit_entries;  /* 0: none */
    uint64_t limit_bytes;    /* 0: none */
    int64_t ttl_ns;
    uint64_t bytes;
    uint64_t evictions; /* pushed out by others, not aged */
};

/* At least one of the limits must be more than 0. Makes room for the first
   entries; grows up to the limit. false: no memory. */
bool result_cache_init(struct result_cache *cache, uint64_t limit_entries,
                       uint64_t limit_bytes, int64_t ttl_ns);
void result_cache_done(struct result_cache *cache);

/* Forgets everything but the count of evictions: a restart. */
void result_cache_clear(struct result_cache *cache);

/* True on a hit, which makes the entry the newest. An entry older than ttl is
   dropped and is a miss. */
bool result_cache_find(struct result_cache *cache, uint64_t hash,
                       int64_t now_ns);

/* Stores an answer of at least 1 byte; one already there becomes the newest
   and fresh. What is larger than the whole cache is not stored. false: no
   memory; the answer is not stored, the cache goes on. */
bool result_cache_store(struct result_cache *cache, uint64_t hash,
                        uint64_t bytes, int64_t now_ns);

#endif
