#include "sim/core/arena.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define BLOCK_SIZE ((size_t)64 * 1024)

struct arena_block {
    struct arena_block *older;
    size_t size;
    alignas(max_align_t) unsigned char bytes[]; /* [size] */
};

static size_t round_up(size_t size)
{
    size_t step = alignof(max_align_t);

    return (size + step - 1) / step * step;
}

static bool fits(const struct arena *arena, size_t size)
{
    return arena->newest && arena->newest->size - arena->used >= size;
}

/* A large piece gets a block of its own size. */
static bool add_block(struct arena *arena, size_t at_least)
{
    size_t size = at_least > BLOCK_SIZE ? at_least : BLOCK_SIZE;
    struct arena_block *block = calloc(1, sizeof *block + size);

    if (!block)
        return false;
    block->older = arena->newest;
    block->size = size;
    arena->newest = block;
    arena->used = 0;
    return true;
}

void *arena_allocate(struct arena *arena, size_t count, size_t size)
{
    size_t wanted;
    void *piece;

    if (size > 0 && count > (SIZE_MAX / 2) / size)
        return NULL;
    wanted = round_up(count * size);
    if (!fits(arena, wanted) && !add_block(arena, wanted))
        return NULL;
    piece = arena->newest->bytes + arena->used;
    arena->used += wanted;
    return piece;
}

void arena_done(struct arena *arena)
{
    while (arena->newest) {
        struct arena_block *older = arena->newest->older;

        free(arena->newest);
        arena->newest = older;
    }
    *arena = (struct arena){0};
}
