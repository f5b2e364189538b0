#include "sim/core/request_heap.h"

#include <assert.h>
#include <stdlib.h>

void request_heap_done(struct request_heap *heap)
{
    free(heap->entries);
    *heap = (struct request_heap){0};
}

static bool goes_before(const struct heap_entry *a, const struct heap_entry *b)
{
    if (a->key != b->key)
        return a->key < b->key;
    return a->number < b->number;
}

static void put(struct request_heap *heap, struct request_slab *slab,
                uint32_t place, const struct heap_entry *entry)
{
    heap->entries[place] = *entry;
    request_at(slab, entry->request)->place = place;
}

/* Finds the place of an entry from a hole on upwards, and puts it there. */
static void sift_up(struct request_heap *heap, struct request_slab *slab,
                    uint32_t hole, const struct heap_entry *entry)
{
    while (hole > 0) {
        uint32_t parent = (hole - 1) / 2;

        if (!goes_before(entry, &heap->entries[parent]))
            break;
        put(heap, slab, hole, &heap->entries[parent]);
        hole = parent;
    }
    put(heap, slab, hole, entry);
}

static void sift_down(struct request_heap *heap, struct request_slab *slab,
                      uint32_t hole, const struct heap_entry *entry)
{
    for (;;) {
        uint32_t child = 2 * hole + 1;

        if (child >= heap->count)
            break;
        if (child + 1 < heap->count &&
            goes_before(&heap->entries[child + 1], &heap->entries[child]))
            child++;
        if (!goes_before(&heap->entries[child], entry))
            break;
        put(heap, slab, hole, &heap->entries[child]);
        hole = child;
    }
    put(heap, slab, hole, entry);
}

__attribute__((noinline, cold)) static bool grow(struct request_heap *heap)
{
    uint32_t capacity = heap->capacity ? 2 * heap->capacity : 16;
    struct heap_entry *entries =
        realloc(heap->entries, capacity * sizeof *entries);

    if (!entries)
        return false;
    heap->entries = entries;
    heap->capacity = capacity;
    return true;
}

bool request_heap_push(struct request_heap *heap, struct request_slab *slab,
                       uint32_t index, uint64_t key)
{
    struct heap_entry entry = {.key = key,
                               .number = request_at(slab, index)->number,
                               .request = index};

    if (heap->count == heap->capacity && !grow(heap))
        return false;
    sift_up(heap, slab, heap->count++, &entry);
    return true;
}

uint32_t request_heap_remove(struct request_heap *heap,
                             struct request_slab *slab, uint32_t place)
{
    uint32_t index = heap->entries[place].request;
    struct heap_entry last = heap->entries[--heap->count];

    assert(place <= heap->count);
    if (place == heap->count)
        return index;
    if (place > 0 && goes_before(&last, &heap->entries[(place - 1) / 2]))
        sift_up(heap, slab, place, &last);
    else
        sift_down(heap, slab, place, &last);
    return index;
}

void request_heap_postpone_first(struct request_heap *heap,
                                 struct request_slab *slab, uint64_t key)
{
    struct heap_entry first = heap->entries[0];

    assert(key >= first.key);
    first.key = key;
    sift_down(heap, slab, 0, &first);
}
