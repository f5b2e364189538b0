#include "sim/frontdoor/late_counts.h"

#include <assert.h>

struct late_counts *late_counts_create(struct arena *arena, uint32_t node_count,
                                       uint32_t on_their_way)
{
    struct late_counts *late = arena_allocate(arena, 1, sizeof *late);
    uint32_t depth = on_their_way + 1; /* and the one that arrived */

    if (!late)
        return NULL;
    late->depth = depth;
    late->marks =
        arena_allocate(arena, (size_t)node_count * depth, sizeof *late->marks);
    late->heads = arena_allocate(arena, node_count, sizeof *late->heads);
    late->counts = arena_allocate(arena, node_count, sizeof *late->counts);
    if (!late->marks || !late->heads || !late->counts)
        return NULL;
    for (uint32_t node = 0; node < node_count; node++) {
        late->heads[node] = 0;
        late->counts[node] = 1;
        late->marks[(size_t)node * depth] =
            (struct late_mark){.made_at_ns = INT64_MIN};
    }
    return late;
}

/* The i-th mark of a node, the oldest first; i is at most its count. */
static struct late_mark *mark_at(const struct late_counts *late, uint32_t node,
                                 uint32_t i)
{
    uint32_t place = late->heads[node] + i;

    if (place >= late->depth)
        place -= late->depth;
    return &late->marks[(size_t)node * late->depth + place];
}

void late_counts_made(struct late_counts *late, uint32_t node, int64_t now_ns)
{
    assert(late->counts[node] < late->depth);
    *mark_at(late, node, late->counts[node]) =
        (struct late_mark){.made_at_ns = now_ns};
    late->counts[node]++;
}

static void drop_oldest(struct late_counts *late, uint32_t node)
{
    assert(late->counts[node] > 1);
    late->heads[node]++;
    if (late->heads[node] == late->depth)
        late->heads[node] = 0;
    late->counts[node]--;
}

uint32_t late_counts_arrived(struct late_counts *late, uint32_t node)
{
    uint32_t in_flight = 0;

    drop_oldest(late, node);
    for (uint32_t i = 0; i < late->counts[node]; i++)
        in_flight += mark_at(late, node, i)->in_flight;
    return in_flight;
}

void late_counts_lost(struct late_counts *late, uint32_t node)
{
    struct late_mark oldest = *mark_at(late, node, 0);
    struct late_mark *next = mark_at(late, node, 1);

    next->made_at_ns = oldest.made_at_ns;
    next->in_flight += oldest.in_flight;
    drop_oldest(late, node);
}

void late_counts_sent(struct late_counts *late, uint32_t node)
{
    mark_at(late, node, late->counts[node] - 1)->in_flight++;
}

bool late_counts_made_at(const struct late_counts *late, uint32_t node,
                         int64_t now_ns)
{
    return mark_at(late, node, late->counts[node] - 1)->made_at_ns == now_ns;
}

bool late_counts_over(struct late_counts *late, uint32_t node,
                      int64_t sent_at_ns, bool after_report)
{
    for (uint32_t i = late->counts[node]; i-- > 0;) {
        struct late_mark *mark = mark_at(late, node, i);

        if (mark->made_at_ns > sent_at_ns ||
            (mark->made_at_ns == sent_at_ns && !after_report))
            continue;
        assert(mark->in_flight > 0);
        mark->in_flight--;
        return true;
    }
    return false;
}
