/*
 * A delay line: events that all happen a constant time after they were
 * scheduled, so they leave in the order in which they entered. One leaf of the
 * event tree stands for its head; entering and leaving cost O(1).
 *
 * An entry that no longer matters is not searched for: it carries the epoch
 * of its request, and who takes it out compares. An entry lives for the
 * constant delay at most, so stale ones cannot pile up.
 */
#ifndef SIM_CORE_DELAY_LINE_H
#define SIM_CORE_DELAY_LINE_H

#include "sim/core/event_tree.h"

#include <stdbool.h>
#include <stdint.h>

struct delay_entry {
    int64_t at_ns;
    uint64_t sequence;
    uint32_t request, epoch;
};

struct delay_line {
    struct delay_entry *entries; /* [capacity] a ring */
    uint32_t capacity;           /* a power of two, or 0 */
    uint32_t head, count;
    uint32_t leaf, subject; /* EVENT_NO_LEAF until it is first used */
    int64_t delay_ns;
    enum event_rank rank;
};

/* Its events will be about `subject`. Takes nothing until it is used. */
void delay_line_init(struct delay_line *line, int64_t delay_ns,
                     enum event_rank rank, uint32_t subject);
void delay_line_done(struct delay_line *line);

/* false: no memory. now_ns never goes back between calls. Never inlined: it
   would weigh on runs without delays. */
__attribute__((noinline)) bool delay_line_push(struct delay_line *line,
                                               struct event_tree *tree,
                                               int64_t now_ns, uint32_t request,
                                               uint32_t epoch);

/* Takes the head out, once its event has come. */
struct delay_entry delay_line_pop(struct delay_line *line,
                                  struct event_tree *tree);

/* The i-th entry from the head, i below count. */
static inline struct delay_entry *delay_line_at(struct delay_line *line,
                                                uint32_t i)
{
    return &line->entries[(line->head + i) & (line->capacity - 1)];
}

#endif
