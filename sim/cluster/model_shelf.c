#include "sim/cluster/model_shelf.h"

#include <stdlib.h>
#include <string.h>

void model_shelf_init(struct model_shelf *shelf, uint64_t models,
                      uint32_t limit)
{
    uint32_t left = limit;

    *shelf = (struct model_shelf){.at_start = 1, .limit = limit};
    for (uint32_t m = 1; m < SHELF_MODELS && left > 0; m++)
        if (models >> m & 1) {
            shelf->at_start |= (uint64_t)1 << m;
            left--;
        }
    shelf->resident = shelf->at_start;
}

void model_shelf_done(struct model_shelf *shelf)
{
    free(shelf->waiters);
    *shelf = (struct model_shelf){0};
}

bool model_shelf_has(struct model_shelf *shelf, uint32_t model, int64_t now_ns)
{
    if (!(shelf->resident >> model & 1))
        return false;
    shelf->used_at_ns[model] = now_ns;
    return true;
}

static bool is_queued(const struct model_shelf *shelf, uint32_t model)
{
    for (uint32_t i = 0; i < shelf->queued; i++)
        if (shelf->queue[i] == model)
            return true;
    return false;
}

bool model_shelf_wait(struct model_shelf *shelf, uint32_t request,
                      uint32_t epoch, uint32_t model, bool *ret_start)
{
    if (shelf->waiter_count == shelf->waiter_capacity) {
        uint32_t capacity =
            shelf->waiter_capacity ? 2 * shelf->waiter_capacity : 16;
        struct shelf_waiter *waiters =
            realloc(shelf->waiters, capacity * sizeof *waiters);

        if (!waiters)
            return false;
        shelf->waiters = waiters;
        shelf->waiter_capacity = capacity;
    }
    shelf->waiters[shelf->waiter_count++] =
        (struct shelf_waiter){request, epoch, model};
    *ret_start = shelf->queued == 0;
    if (!is_queued(shelf, model))
        shelf->queue[shelf->queued++] = model;
    return true;
}

/* The one asked for least recently; of equals the first by number. */
static void evict_one(struct model_shelf *shelf)
{
    uint32_t oldest = 0;

    for (uint32_t m = 1; m < SHELF_MODELS; m++)
        if ((shelf->resident >> m & 1) &&
            (oldest == 0 || shelf->used_at_ns[m] < shelf->used_at_ns[oldest]))
            oldest = m;
    shelf->resident &= ~((uint64_t)1 << oldest) | 1;
}

uint32_t model_shelf_loaded(struct model_shelf *shelf, int64_t now_ns,
                            bool *ret_more)
{
    uint32_t model = shelf->queue[0];

    /* Model 0 is no model, so it is not counted. */
    while ((uint32_t)__builtin_popcountll(shelf->resident >> 1) >= shelf->limit)
        evict_one(shelf);
    shelf->resident |= (uint64_t)1 << model;
    shelf->used_at_ns[model] = now_ns;
    shelf->loads++;
    shelf->queued--;
    memmove(shelf->queue, shelf->queue + 1,
            shelf->queued * sizeof *shelf->queue);
    *ret_more = shelf->queued > 0;
    return model;
}

bool model_shelf_next(struct model_shelf *shelf, uint32_t model,
                      struct shelf_waiter *ret)
{
    uint32_t i = 0;

    while (i < shelf->waiter_count && model != SHELF_NOTHING &&
           shelf->waiters[i].model != model)
        i++;
    if (i == shelf->waiter_count)
        return false;
    *ret = shelf->waiters[i];
    shelf->waiter_count--;
    memmove(&shelf->waiters[i], &shelf->waiters[i + 1],
            (shelf->waiter_count - i) * sizeof *shelf->waiters);
    return true;
}

void model_shelf_reset(struct model_shelf *shelf)
{
    shelf->resident = shelf->at_start;
    shelf->queued = 0;
    shelf->waiter_count = 0;
    memset(shelf->used_at_ns, 0, sizeof shelf->used_at_ns);
}
