#include "sim/cluster/result_cache.h"

#include <stdlib.h>

#define NONE UINT32_MAX
#define FIRST_CAPACITY 1024u

/* Hashes are good already, but a trace may bring its own: mix once more, so
   that runs of close numbers do not make long probes (Fibonacci hashing). */
static uint32_t home(const struct result_cache *cache, uint64_t hash)
{
    return (uint32_t)((hash * 0x9E3779B97F4A7C15u) >> 32) &
           (cache->table_size - 1);
}

static void table_insert(struct result_cache *cache, uint32_t entry)
{
    uint32_t at = home(cache, cache->entries[entry].hash);

    while (cache->table[at] != 0)
        at = (at + 1) & (cache->table_size - 1);
    cache->table[at] = entry + 1;
}

/* Where the hash stands in the table, or the empty place that ends the
   search. */
static uint32_t table_find(const struct result_cache *cache, uint64_t hash)
{
    uint32_t at = home(cache, hash);

    while (cache->table[at] != 0 &&
           cache->entries[cache->table[at] - 1].hash != hash)
        at = (at + 1) & (cache->table_size - 1);
    return at;
}

/* Takes one place out and moves later ones of the same run back, so that no
   search ends too early (Knuth, volume 3, 6.4, algorithm R). */
static void table_remove(struct result_cache *cache, uint32_t at)
{
    uint32_t mask = cache->table_size - 1;
    uint32_t hole = at;

    for (uint32_t next = (at + 1) & mask; cache->table[next] != 0;
         next = (next + 1) & mask) {
        uint32_t wanted =
            home(cache, cache->entries[cache->table[next] - 1].hash);

        if (((next - wanted) & mask) >= ((next - hole) & mask)) {
            cache->table[hole] = cache->table[next];
            hole = next;
        }
    }
    cache->table[hole] = 0;
}

static void list_leave(struct result_cache *cache, uint32_t entry)
{
    struct cache_entry *e = &cache->entries[entry];

    if (e->newer != NONE)
        cache->entries[e->newer].older = e->older;
    else
        cache->newest = e->older;
    if (e->older != NONE)
        cache->entries[e->older].newer = e->newer;
    else
        cache->oldest = e->newer;
}

static void list_enter(struct result_cache *cache, uint32_t entry)
{
    struct cache_entry *e = &cache->entries[entry];

    e->newer = NONE;
    e->older = cache->newest;
    if (cache->newest != NONE)
        cache->entries[cache->newest].newer = entry;
    else
        cache->oldest = entry;
    cache->newest = entry;
}

/* Capacity for entries and a table at most half full. */
static bool resize(struct result_cache *cache, uint32_t capacity)
{
    uint32_t table_size = 16;
    struct cache_entry *entries;
    uint32_t *table;

    while (table_size < 2 * (uint64_t)capacity)
        table_size *= 2;
    table = calloc(table_size, sizeof *table);
    if (!table)
        return false;
    entries = realloc(cache->entries, capacity * sizeof *entries);
    if (!entries) {
        free(table);
        return false;
    }
    free(cache->table);
    cache->entries = entries;
    cache->table = table;
    cache->table_size = table_size;
    cache->capacity = capacity;
    for (uint32_t entry = cache->oldest; entry != NONE;
         entry = entries[entry].newer)
        table_insert(cache, entry);
    return true;
}

bool result_cache_init(struct result_cache *cache, uint64_t limit_entries,
                       uint64_t limit_bytes, int64_t ttl_ns)
{
    uint32_t capacity = FIRST_CAPACITY;

    if (limit_entries > 0 && limit_entries < capacity)
        capacity = (uint32_t)limit_entries;
    *cache = (struct result_cache){.newest = NONE,
                                   .oldest = NONE,
                                   .free_head = NONE,
                                   .limit_entries = limit_entries,
                                   .limit_bytes = limit_bytes,
                                   .ttl_ns = ttl_ns};
    return resize(cache, capacity);
}

void result_cache_done(struct result_cache *cache)
{
    free(cache->entries);
    free(cache->table);
    *cache = (struct result_cache){0};
}

void result_cache_clear(struct result_cache *cache)
{
    for (uint32_t i = 0; i < cache->table_size; i++)
        cache->table[i] = 0;
    cache->count = 0;
    cache->used = 0;
    cache->bytes = 0;
    cache->newest = NONE;
    cache->oldest = NONE;
    cache->free_head = NONE;
}

static void drop(struct result_cache *cache, uint32_t at)
{
    uint32_t entry = cache->table[at] - 1;

    list_leave(cache, entry);
    table_remove(cache, at);
    cache->bytes -= cache->entries[entry].bytes;
    cache->entries[entry].older = cache->free_head;
    cache->free_head = entry;
    cache->count--;
}

bool result_cache_find(struct result_cache *cache, uint64_t hash,
                       int64_t now_ns)
{
    uint32_t at = table_find(cache, hash);
    uint32_t entry = cache->table[at] - 1;

    if (cache->table[at] == 0)
        return false;
    if (now_ns - cache->entries[entry].stored_at_ns >= cache->ttl_ns) {
        drop(cache, at);
        return false;
    }
    list_leave(cache, entry);
    list_enter(cache, entry);
    return true;
}

static void evict_oldest(struct result_cache *cache)
{
    drop(cache, table_find(cache, cache->entries[cache->oldest].hash));
    cache->evictions++;
}

static uint32_t take_entry(struct result_cache *cache)
{
    uint32_t entry = cache->free_head;

    if (entry == NONE)
        return cache->used++;
    cache->free_head = cache->entries[entry].older;
    return entry;
}

/* The old answer goes, without counting as evicted. */
static void forget(struct result_cache *cache, uint64_t hash)
{
    uint32_t at = table_find(cache, hash);

    if (cache->table[at] != 0)
        drop(cache, at);
}

static bool has_room(const struct result_cache *cache, uint64_t bytes)
{
    return (cache->limit_entries == 0 || cache->count < cache->limit_entries) &&
           (cache->limit_bytes == 0 ||
            cache->bytes + bytes <= cache->limit_bytes);
}

/* Room for one more entry, up to the limit of entries. */
static bool reserve(struct result_cache *cache)
{
    uint64_t wanted = 2 * (uint64_t)cache->capacity;

    if (cache->count < cache->capacity)
        return true;
    if (cache->limit_entries > 0 && wanted > cache->limit_entries)
        wanted = cache->limit_entries;
    return wanted < NONE / 4 && resize(cache, (uint32_t)wanted);
}

bool result_cache_store(struct result_cache *cache, uint64_t hash,
                        uint64_t bytes, int64_t now_ns)
{
    uint32_t entry;

    if (cache->limit_bytes > 0 && bytes > cache->limit_bytes)
        return true;
    forget(cache, hash);
    while (!has_room(cache, bytes))
        evict_oldest(cache);
    if (!reserve(cache))
        return false;
    entry = take_entry(cache);
    cache->entries[entry] = (struct cache_entry){
        .hash = hash, .bytes = bytes, .stored_at_ns = now_ns};
    list_enter(cache, entry);
    table_insert(cache, entry);
    cache->bytes += bytes;
    cache->count++;
    return true;
}
