#include "sim/core/batch_cut.h"

#include <stdlib.h>

static int by_place(const struct batch_item *a, const struct batch_item *b)
{
    return (a->place > b->place) - (a->place < b->place);
}

static int compare_ascending(const void *left, const void *right)
{
    const struct batch_item *a = left, *b = right;

    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    return by_place(a, b);
}

static int compare_descending(const void *left, const void *right)
{
    const struct batch_item *a = left, *b = right;

    if (a->length != b->length)
        return a->length > b->length ? -1 : 1;
    return by_place(a, b);
}

static int compare_arrival(const void *left, const void *right)
{
    return by_place(left, right);
}

void batch_sort(const struct batch_rule *rule, struct batch_item *items,
                uint32_t count)
{
    static int (*const compare[])(const void *, const void *) = {
        [BATCH_ASCENDING] = compare_ascending,
        [BATCH_DESCENDING] = compare_descending,
        [BATCH_ARRIVAL] = compare_arrival,
    };

    if (count > 1)
        qsort(items, count, sizeof *items, compare[rule->order]);
}

static uint32_t at_least_one(uint32_t length)
{
    return length > 0 ? length : 1;
}

uint32_t batch_end(const struct batch_rule *rule,
                   const struct batch_item *items, uint32_t count,
                   uint32_t from)
{
    uint32_t shortest = at_least_one(items[from].length);
    uint32_t longest = shortest, end = from + 1;

    while (end < count && end - from < rule->size) {
        uint32_t length = at_least_one(items[end].length);

        if (length < shortest)
            shortest = length;
        if (length > longest)
            longest = length;
        if (rule->ratio > 0 && (double)longest > rule->ratio * (double)shortest)
            break;
        end++;
    }
    return end;
}

/* The item that leads: the oldest of those whose patience is at its end, else
   the first. */
static uint32_t find_leader(const struct batch_rule *rule,
                            const struct batch_item *items, uint32_t count)
{
    uint32_t leader = count;

    for (uint32_t i = 0; rule->patience > 0 && i < count; i++)
        if (items[i].skipped >= rule->patience &&
            (leader == count || items[i].place < items[leader].place))
            leader = i;
    return leader < count ? leader : 0;
}

uint32_t batch_choose(const struct batch_rule *rule,
                      const struct batch_item *items, uint32_t count,
                      uint32_t *ret_from)
{
    uint32_t leader = find_leader(rule, items, count);
    uint32_t from = 0, end = batch_end(rule, items, count, 0);

    while (end <= leader) {
        from = end;
        end = batch_end(rule, items, count, from);
    }
    *ret_from = from;
    return end;
}

uint64_t batch_padded(const struct batch_item *items, uint32_t count)
{
    uint32_t longest = 0;

    for (uint32_t i = 0; i < count; i++)
        if (items[i].length > longest)
            longest = items[i].length;
    return (uint64_t)longest * count;
}
