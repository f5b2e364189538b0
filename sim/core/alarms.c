#include "sim/core/alarms.h"

#include <assert.h>
#include <stdlib.h>

void alarms_init(struct alarms *alarms, uint32_t subject)
{
    *alarms = (struct alarms){.leaf = EVENT_NO_LEAF, .subject = subject};
}

void alarms_done(struct alarms *alarms)
{
    free(alarms->heap);
    *alarms = (struct alarms){.leaf = EVENT_NO_LEAF};
}

static bool comes_before(const struct alarm *a, const struct alarm *b)
{
    return a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->order < b->order;
}

static void swap(struct alarm *a, struct alarm *b)
{
    struct alarm kept = *a;

    *a = *b;
    *b = kept;
}

static void rise(struct alarms *alarms, uint32_t i)
{
    while (i > 0 &&
           comes_before(&alarms->heap[i], &alarms->heap[(i - 1) / 2])) {
        swap(&alarms->heap[i], &alarms->heap[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
}

static void sink(struct alarms *alarms, uint32_t i)
{
    for (;;) {
        uint32_t least = i;

        for (uint32_t child = 2 * i + 1;
             child <= 2 * i + 2 && child < alarms->count; child++)
            if (comes_before(&alarms->heap[child], &alarms->heap[least]))
                least = child;
        if (least == i)
            return;
        swap(&alarms->heap[i], &alarms->heap[least]);
        i = least;
    }
}

static bool make_room(struct alarms *alarms, struct event_tree *tree)
{
    uint32_t capacity = alarms->capacity > 0 ? 2 * alarms->capacity : 64;
    struct alarm *heap;

    if (alarms->leaf == EVENT_NO_LEAF) {
        alarms->leaf = event_tree_take(tree, alarms->subject);
        if (alarms->leaf == EVENT_NO_LEAF)
            return false;
    }
    if (alarms->count < alarms->capacity)
        return true;
    if (capacity < alarms->capacity)
        return false;
    heap = realloc(alarms->heap, (size_t)capacity * sizeof *heap);
    if (!heap)
        return false;
    alarms->heap = heap;
    alarms->capacity = capacity;
    return true;
}

static void set_leaf(struct alarms *alarms, struct event_tree *tree)
{
    if (alarms->count == 0)
        event_tree_clear(tree, alarms->leaf);
    else
        event_tree_set(tree, alarms->leaf, alarms->heap[0].at_ns, RANK_TIMER);
}

bool alarms_set(struct alarms *alarms, struct event_tree *tree, int64_t at_ns,
                uint32_t kind, uint32_t subject, uint32_t epoch)
{
    uint32_t last = alarms->count;

    if (!make_room(alarms, tree))
        return false;
    alarms->heap[last] = (struct alarm){.at_ns = at_ns,
                                        .order = alarms->next_order++,
                                        .kind = kind,
                                        .subject = subject,
                                        .epoch = epoch};
    alarms->count++;
    rise(alarms, last);
    if (alarms->heap[0].order == alarms->next_order - 1)
        set_leaf(alarms, tree);
    return true;
}

struct alarm alarms_pop(struct alarms *alarms, struct event_tree *tree)
{
    struct alarm first = alarms->heap[0];

    assert(alarms->count > 0);
    alarms->count--;
    if (alarms->count > 0) {
        alarms->heap[0] = alarms->heap[alarms->count];
        sink(alarms, 0);
    }
    set_leaf(alarms, tree);
    return first;
}
