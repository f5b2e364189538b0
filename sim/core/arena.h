/*
 * Memory that lives as long as a run and goes at once: nodes, names, tables.
 *
 * An arena hands out zeroed pieces of larger blocks and never frees a single
 * one. What comes and goes has slots (request.h); what grows has its own block.
 */
#ifndef SIM_CORE_ARENA_H
#define SIM_CORE_ARENA_H

#include <stddef.h>

struct arena_block;

/* {0} is an empty arena. */
struct arena {
    struct arena_block *newest;
    size_t used; /* of the newest block */
};

/*
 * Room for count things of that size, zeroed and aligned for any type; count
 * or size 0 gives a valid address. NULL: no memory, or the product is too
 * large.
 */
void *arena_allocate(struct arena *arena, size_t count, size_t size);

void arena_done(struct arena *arena);

#endif
