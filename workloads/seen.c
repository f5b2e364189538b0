#include "workloads/seen.h"

#include <stdlib.h>

bool seen_init(struct seen *seen, uint64_t limit)
{
    *seen = (struct seen){0};
    if (limit > 0)
        seen->numbers = calloc(limit / 64 + 1, sizeof *seen->numbers);
    return limit == 0 || seen->numbers;
}

void seen_done(struct seen *seen)
{
    free(seen->numbers);
    free(seen->hashes);
    *seen = (struct seen){0};
}

bool seen_number(struct seen *seen, uint64_t number)
{
    uint64_t *word = &seen->numbers[number / 64];
    uint64_t bit = (uint64_t)1 << number % 64;
    bool before = *word & bit;

    *word |= bit;
    return before;
}

/* Where the hash is, or the free place where it belongs. */
static uint64_t *place_of(uint64_t *hashes, size_t capacity, uint64_t hash)
{
    size_t i = hash & (capacity - 1);

    while (hashes[i] && hashes[i] != hash)
        i = (i + 1) & (capacity - 1);
    return &hashes[i];
}

static bool grow(struct seen *seen)
{
    size_t capacity = seen->capacity ? 2 * seen->capacity : 1024;
    uint64_t *hashes = calloc(capacity, sizeof *hashes);

    if (!hashes)
        return false;
    for (size_t i = 0; i < seen->capacity; i++)
        if (seen->hashes[i])
            *place_of(hashes, capacity, seen->hashes[i]) = seen->hashes[i];

    free(seen->hashes);
    seen->hashes = hashes;
    seen->capacity = capacity;
    return true;
}

enum seen_answer seen_hash(struct seen *seen, uint64_t hash)
{
    /* At most half full, so that a search takes one or two steps. */
    if (2 * seen->count >= seen->capacity && !grow(seen))
        return SEEN_NO_MEMORY;

    uint64_t *place = place_of(seen->hashes, seen->capacity, hash);
    if (*place)
        return SEEN_AGAIN;
    *place = hash;
    seen->count++;
    return SEEN_FIRST;
}
