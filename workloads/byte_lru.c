#include "workloads/byte_lru.h"

#include <stdlib.h>
#include <string.h>

static bool reach(struct byte_lru *lru, uint32_t item)
{
    uint32_t count = lru->entry_count;
    struct byte_lru_entry *entries;

    if (item < count)
        return true;
    while (count <= item)
        count = count ? 2 * count : 1024;
    entries = realloc(lru->entries, count * sizeof *entries);
    if (!entries)
        return false;
    memset(entries + lru->entry_count, 0,
           (count - lru->entry_count) * sizeof *entries);
    lru->entries = entries;
    lru->entry_count = count;
    return true;
}

static void take_out(struct byte_lru *lru, uint32_t item)
{
    struct byte_lru_entry *entry = &lru->entries[item];

    if (entry->newer)
        lru->entries[entry->newer - 1].older = entry->older;
    else
        lru->newest = entry->older;
    if (entry->older)
        lru->entries[entry->older - 1].newer = entry->newer;
    else
        lru->oldest = entry->newer;
    lru->used -= entry->size;
    *entry = (struct byte_lru_entry){0};
}

static void put_on_top(struct byte_lru *lru, uint32_t item, uint64_t size)
{
    lru->entries[item] =
        (struct byte_lru_entry){.size = size, .older = lru->newest};
    if (lru->newest)
        lru->entries[lru->newest - 1].newer = item + 1;
    else
        lru->oldest = item + 1;
    lru->newest = item + 1;
    lru->used += size;
}

bool byte_lru_use(struct byte_lru *lru, uint32_t item, uint64_t size)
{
    if (!reach(lru, item))
        return false;
    if (size == 0)
        size = 1;
    if (lru->entries[item].size > 0) {
        lru->hits++;
        lru->hit_bytes += size;
        take_out(lru, item);
    } else if (size > lru->capacity) {
        return true;
    }
    while (lru->capacity - lru->used < size)
        take_out(lru, lru->oldest - 1);
    put_on_top(lru, item, size);
    return true;
}

void byte_lru_done(struct byte_lru *lru)
{
    free(lru->entries);
    lru->entries = NULL;
}
