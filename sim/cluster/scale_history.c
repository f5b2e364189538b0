#include "sim/cluster/scale_history.h"

#include <stdlib.h>

#define CAPACITY_MAX 1000000 /* a window of a year at 30 s */

uint32_t scale_history_size(int64_t window_ns, int64_t interval_ns)
{
    int64_t entries = 2; /* one at either end */

    if (interval_ns > 0)
        entries += window_ns / interval_ns;
    return entries < CAPACITY_MAX ? (uint32_t)entries : CAPACITY_MAX;
}

bool scale_history_init(struct scale_history *history, uint32_t capacity)
{
    *history = (struct scale_history){.capacity = capacity};
    history->entries = calloc(capacity, sizeof *history->entries);
    return history->entries != NULL;
}

void scale_history_done(struct scale_history *history)
{
    free(history->entries);
    *history = (struct scale_history){0};
}

void scale_history_add(struct scale_history *history, int64_t at_ns,
                       int64_t value)
{
    uint32_t place = (history->oldest + history->count) % history->capacity;

    history->entries[place] = (struct scale_entry){at_ns, value};
    if (history->count < history->capacity)
        history->count++;
    else
        history->oldest = (history->oldest + 1) % history->capacity;
}

int64_t scale_history_sum(const struct scale_history *history, int64_t since_ns)
{
    int64_t sum = 0;

    for (uint32_t i = history->count; i > 0; i--) {
        const struct scale_entry *entry = scale_history_at(history, i - 1);

        if (entry->at_ns <= since_ns)
            break;
        sum += entry->value;
    }
    return sum;
}
