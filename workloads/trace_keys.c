#include "workloads/trace_keys.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define BLOCK_SIZE 65536
#define FIRST_SLOTS 256

struct trace_keys_block {
    struct trace_keys_block *older;
    size_t size, used;
    char text[];
};

uint64_t trace_keys_hash(const char *text, uint32_t length)
{
    uint64_t hash = XXH64(text, length, 0);

    return hash ? hash : 1;
}

static char *take_room(struct trace_keys *keys, size_t length)
{
    struct trace_keys_block *block = keys->blocks;

    if (!block || block->size - block->used < length) {
        size_t size = length > BLOCK_SIZE ? length : BLOCK_SIZE;

        block = malloc(sizeof *block + size);
        if (!block)
            return NULL;
        *block = (struct trace_keys_block){.older = keys->blocks, .size = size};
        keys->blocks = block;
        keys->bytes += sizeof *block + size;
    }
    block->used += length;
    return block->text + block->used - length;
}

/* The slot that holds the text, or the free one where it belongs. */
static uint32_t *find_slot(const struct trace_keys *keys, const char *text,
                           uint32_t length, uint64_t hash)
{
    uint32_t mask = keys->slot_count - 1;
    uint32_t at = (uint32_t)hash & mask;

    for (; keys->slots[at]; at = (at + 1) & mask) {
        const struct trace_key *key = &keys->items[keys->slots[at] - 1];

        if (key->hash == hash && key->length == length &&
            memcmp(key->text, text, length) == 0)
            break;
    }
    return &keys->slots[at];
}

/* Keeps the slots at most half full and room for one item more. */
static bool make_room(struct trace_keys *keys)
{
    if (keys->count == keys->capacity) {
        uint32_t capacity = keys->capacity ? 2 * keys->capacity : 64;
        struct trace_key *items =
            realloc(keys->items, capacity * sizeof *items);

        if (!items)
            return false;
        keys->bytes += (capacity - keys->capacity) * sizeof *items;
        keys->items = items;
        keys->capacity = capacity;
    }
    if (keys->count < keys->slot_count / 2)
        return true;

    uint32_t slot_count = keys->slot_count ? 2 * keys->slot_count : FIRST_SLOTS;
    uint32_t *slots = calloc(slot_count, sizeof *slots);

    if (!slots)
        return false;
    keys->bytes += (slot_count - keys->slot_count) * sizeof *slots;
    free(keys->slots);
    keys->slots = slots;
    keys->slot_count = slot_count;
    for (uint32_t id = 0; id < keys->count; id++) {
        const struct trace_key *key = &keys->items[id];

        *find_slot(keys, key->text, key->length, key->hash) = id + 1;
    }
    return true;
}

uint32_t trace_keys_intern(struct trace_keys *keys, const char *text,
                           uint32_t length)
{
    uint64_t hash = trace_keys_hash(text, length);
    uint32_t *slot;
    char *copy;

    /* Slots double beyond 2^30 keys into more than 32 bits can count. */
    if (keys->count == (uint32_t)1 << 30 || !make_room(keys))
        return TRACE_KEYS_NONE;
    slot = find_slot(keys, text, length, hash);
    if (*slot)
        return *slot - 1;
    copy = take_room(keys, length);
    if (!copy)
        return TRACE_KEYS_NONE;
    memcpy(copy, text, length);
    keys->items[keys->count] = (struct trace_key){copy, hash, length};
    *slot = ++keys->count;
    return keys->count - 1;
}

uint32_t trace_keys_find(const struct trace_keys *keys, const char *text,
                         uint32_t length)
{
    if (keys->slot_count == 0)
        return TRACE_KEYS_NONE;

    uint32_t slot =
        *find_slot(keys, text, length, trace_keys_hash(text, length));

    return slot ? slot - 1 : TRACE_KEYS_NONE;
}

void trace_keys_freeze(struct trace_keys *keys)
{
    free(keys->slots);
    keys->bytes -= keys->slot_count * sizeof *keys->slots;
    keys->slots = NULL;
    keys->slot_count = 0;
}

void trace_keys_done(struct trace_keys *keys)
{
    while (keys->blocks) {
        struct trace_keys_block *older = keys->blocks->older;

        free(keys->blocks);
        keys->blocks = older;
    }
    free(keys->items);
    free(keys->slots);
    *keys = (struct trace_keys){0};
}
