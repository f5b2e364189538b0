#include "sim/cluster/coalesce.h"

#include <assert.h>
#include <stdlib.h>

void coalesce_done(struct coalesce *coalesce)
{
    free(coalesce->entries);
    *coalesce = (struct coalesce){0};
}

/* --- the table ------------------------------------------------------------ */

/* Hashes of keys are well mixed in all their bits. */
static uint32_t home_of(const struct coalesce *coalesce, uint64_t hash)
{
    return (uint32_t)hash & (coalesce->size - 1);
}

/* NULL: nobody works on it. */
static struct coalesce_entry *find(const struct coalesce *coalesce,
                                   uint64_t hash)
{
    uint32_t i;

    if (coalesce->count == 0)
        return NULL;
    for (i = home_of(coalesce, hash);
         coalesce->entries[i].leader != REQUEST_NONE;
         i = (i + 1) & (coalesce->size - 1))
        if (coalesce->entries[i].hash == hash)
            return &coalesce->entries[i];
    return NULL;
}

/* There is room, and no entry of that hash. */
static void put(struct coalesce *coalesce, const struct coalesce_entry *entry)
{
    uint32_t i = home_of(coalesce, entry->hash);

    while (coalesce->entries[i].leader != REQUEST_NONE)
        i = (i + 1) & (coalesce->size - 1);
    coalesce->entries[i] = *entry;
}

/* At most half of the places are taken, so that a search ends soon. */
__attribute__((noinline, cold)) static bool grow(struct coalesce *coalesce)
{
    struct coalesce old = *coalesce;
    uint32_t size = old.size > 0 ? 2 * old.size : 16;
    struct coalesce_entry *entries = calloc(size, sizeof *entries);

    if (!entries)
        return false;
    for (uint32_t i = 0; i < size; i++)
        entries[i].leader = REQUEST_NONE;
    coalesce->entries = entries;
    coalesce->size = size;
    for (uint32_t i = 0; i < old.size; i++)
        if (old.entries[i].leader != REQUEST_NONE)
            put(coalesce, &old.entries[i]);
    free(old.entries);
    return true;
}

/* Takes an entry out, and moves those behind it that would not be found any
   longer (Knuth, vol. 3, 6.4, algorithm R). */
static void drop(struct coalesce *coalesce, const struct coalesce_entry *entry)
{
    uint32_t mask = coalesce->size - 1;
    uint32_t hole = (uint32_t)(entry - coalesce->entries);

    coalesce->count--;
    for (uint32_t i = (hole + 1) & mask;
         coalesce->entries[i].leader != REQUEST_NONE; i = (i + 1) & mask) {
        uint32_t home = home_of(coalesce, coalesce->entries[i].hash);

        if (((i - home) & mask) < ((i - hole) & mask))
            continue; /* its home lies behind the hole */
        coalesce->entries[hole] = coalesce->entries[i];
        hole = i;
    }
    coalesce->entries[hole].leader = REQUEST_NONE;
}

/* --- leaders and followers ------------------------------------------------ */

bool coalesce_follow(struct coalesce *coalesce, struct request_slab *slab,
                     uint64_t hash, uint32_t index)
{
    struct coalesce_entry *entry = find(coalesce, hash);
    struct request *request = request_at(slab, index);

    if (!entry)
        return false;
    request->state = REQUEST_FOLLOWING;
    request->next = REQUEST_NONE;
    request->prev = entry->last;
    if (entry->last != REQUEST_NONE)
        request_at(slab, entry->last)->next = index;
    else
        entry->first = index;
    entry->last = index;
    return true;
}

bool coalesce_lead(struct coalesce *coalesce, uint64_t hash, uint32_t index)
{
    struct coalesce_entry entry = {.hash = hash,
                                   .leader = index,
                                   .first = REQUEST_NONE,
                                   .last = REQUEST_NONE};

    assert(!find(coalesce, hash));
    if (2 * (coalesce->count + 1) > coalesce->size && !grow(coalesce))
        return false;
    coalesce->count++;
    put(coalesce, &entry);
    return true;
}

uint32_t coalesce_end(struct coalesce *coalesce, uint64_t hash, uint32_t index)
{
    struct coalesce_entry *entry = find(coalesce, hash);
    uint32_t first;

    if (!entry || entry->leader != index)
        return REQUEST_NONE;
    first = entry->first;
    drop(coalesce, entry);
    return first;
}

bool coalesce_keep(struct coalesce *coalesce, uint64_t hash, uint32_t index)
{
    struct coalesce_entry *entry = find(coalesce, hash);

    if (!entry || entry->leader != index)
        return false;
    if (entry->first == REQUEST_NONE) {
        drop(coalesce, entry);
        return false;
    }
    entry->kept = true;
    return true;
}

uint32_t coalesce_leave(struct coalesce *coalesce, struct request_slab *slab,
                        uint64_t hash, uint32_t index, bool queued_only)
{
    struct coalesce_entry *entry = find(coalesce, hash);
    const struct request *request = request_at(slab, index);
    uint32_t leader;

    assert(entry);
    if (request->prev != REQUEST_NONE)
        request_at(slab, request->prev)->next = request->next;
    else
        entry->first = request->next;
    if (request->next != REQUEST_NONE)
        request_at(slab, request->next)->prev = request->prev;
    else
        entry->last = request->prev;
    if (entry->first != REQUEST_NONE || !entry->kept)
        return REQUEST_NONE;
    leader = entry->leader;
    if (queued_only && request_at(slab, leader)->state == REQUEST_RUNNING)
        return REQUEST_NONE;
    drop(coalesce, entry);
    return leader;
}
