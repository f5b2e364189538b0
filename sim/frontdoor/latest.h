/*
 * The latest values of one source, and medians over them: so many at most, the
 * oldest go first.
 */
#ifndef SIM_FRONTDOOR_LATEST_H
#define SIM_FRONTDOOR_LATEST_H

#include <stdint.h>

struct latest {
    int64_t *values; /* [capacity] a ring, borrowed */
    uint32_t capacity, count, next;
};

void latest_add(struct latest *latest, int64_t value);
void latest_clear(struct latest *latest);

/* Copies them, in no order, to ret, [capacity]; returns how many there are. */
uint32_t latest_copy(const struct latest *latest, int64_t *ret);

/* Nearest rank: of an even number the lower of the two in the middle. Sorts the
   values. count: 1 or more. */
int64_t latest_median(int64_t *values, uint32_t count);

#endif
