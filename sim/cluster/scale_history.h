/*
 * What a scaler remembers of its past: numbers with their times, the newest
 * last, as many as a window of time can hold.
 *
 * A ring of fixed size: the owner says how many entries may matter, and the
 * oldest makes room for the newest.
 */
#ifndef SIM_CLUSTER_SCALE_HISTORY_H
#define SIM_CLUSTER_SCALE_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

struct scale_entry {
    int64_t at_ns;
    int64_t value;
};

struct scale_history {
    struct scale_entry *entries; /* [capacity] */
    uint32_t capacity, count, oldest;
};

/* Entries that a window holds when one is made every interval; at least 1. */
uint32_t scale_history_size(int64_t window_ns, int64_t interval_ns);

/* false: no memory. scale_history_done may be called all the same. */
bool scale_history_init(struct scale_history *history, uint32_t capacity);
void scale_history_done(struct scale_history *history);

void scale_history_add(struct scale_history *history, int64_t at_ns,
                       int64_t value);

/* The i-th from the oldest, i below count. */
static inline const struct scale_entry *
scale_history_at(const struct scale_history *history, uint32_t i)
{
    return &history->entries[(history->oldest + i) % history->capacity];
}

/* Over the entries made after `since_ns`, that moment left out. */
int64_t scale_history_sum(const struct scale_history *history,
                          int64_t since_ns);

#endif
