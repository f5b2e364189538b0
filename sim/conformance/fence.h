/*
 * fence.h - memory whose end is the end of the world.
 *
 * What a policy is lent or given ends where a page begins that nobody may
 * touch: one element too far is a signal at once, not a wrong number later.
 * The host's allocator is made of it; it counts, can be told to fail, and
 * knows what was given back.
 */
#ifndef SIM_CONFORMANCE_FENCE_H
#define SIM_CONFORMANCE_FENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed; the last byte is the last before the fence when size is a multiple
   of 8. Aborts without memory: the check cannot go on. */
void *fence_make(size_t size);
void fence_drop(void *memory, size_t size);

struct fence_block;

/* An allocator as struct lbp_host offers it. */
struct fence_heap {
    struct fence_block *blocks; /* not given back yet */
    uint32_t live;              /* their number */
    uint64_t given;             /* allocations that succeeded */
    uint64_t fail_at;           /* the allocation of this number fails, from
                                   1; 0: none does */
    uint64_t asked;             /* allocations asked for */
    size_t bytes, limit;        /* live; beyond the limit nothing is given */
    unsigned char fill;         /* what fresh memory holds */
    bool refused;               /* some allocation failed */
    bool strange_release;       /* of what was not given */
    bool overrun;               /* written past the end of a block */
};

void *fence_allocate(struct fence_heap *heap, size_t size);
void fence_release(struct fence_heap *heap, void *memory);

/* Looks at the ends of all blocks; sets overrun. */
void fence_inspect(struct fence_heap *heap);

#endif
