/*
 * A time-out that is the same for all: requests enter as it begins to run for
 * them and reach it in that order. Nearly all of them are answered before, so
 * unlike a delay line this one does not have an event for each: its leaf stands
 * for the oldest entry that was there when it was set, and when it fires those
 * that were overtaken meanwhile are passed over at once.
 *
 * An entry carries the epoch of its request; who looks at it compares.
 */
#ifndef SIM_CORE_TIMEOUT_LINE_H
#define SIM_CORE_TIMEOUT_LINE_H

#include "sim/core/event_tree.h"

#include <stdbool.h>
#include <stdint.h>

struct timeout_entry {
    int64_t at_ns;
    uint32_t request, epoch;
};

struct timeout_line {
    struct timeout_entry *entries; /* [capacity] a ring */
    uint32_t capacity;             /* a power of two, or 0 */
    uint32_t head, count;
    uint32_t leaf, subject; /* EVENT_NO_LEAF until it is first used */
    int64_t delay_ns;
    bool armed;
};

/* Its events, of RANK_TIMEOUT, will be about `subject`. */
void timeout_line_init(struct timeout_line *line, int64_t delay_ns,
                       uint32_t subject);
void timeout_line_done(struct timeout_line *line);

/* false: no memory. now_ns never goes back between calls. */
bool timeout_line_push(struct timeout_line *line, struct event_tree *tree,
                       int64_t now_ns, uint32_t request, uint32_t epoch);

/*
 * Its event has come: first disarm, then look at the oldest entry (NULL: none),
 * drop it when it is overtaken or due, and arm the line for the first that is
 * neither.
 */
void timeout_line_disarm(struct timeout_line *line, struct event_tree *tree);
void timeout_line_arm(struct timeout_line *line, struct event_tree *tree);

static inline const struct timeout_entry *
timeout_line_oldest(const struct timeout_line *line)
{
    return line->count > 0 ? &line->entries[line->head] : NULL;
}

static inline void timeout_line_drop(struct timeout_line *line)
{
    line->head = (line->head + 1) & (line->capacity - 1);
    line->count--;
}

#endif
