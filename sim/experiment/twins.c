#include "sim/experiment/twins.h"

#include "sim/experiment/deadlines.h"
#include "sim/experiment/life.h"

struct request *twins_take(struct sim *sim, uint32_t index, uint32_t *ret_twin)
{
    struct request *twin = request_slab_take(&sim->slab, ret_twin);
    uint32_t epoch;

    if (!twin) {
        sim_fail(sim, SIM_NO_MEMORY);
        return NULL;
    }
    epoch = twin->epoch;
    *twin = *request_at(&sim->slab, index);
    twin->epoch = epoch;
    twin->flags &=
        (uint16_t) ~(REQUEST_HEDGED | REQUEST_TWIN | REQUEST_BUDGETED);
    request_columns_copy(&sim->slab, index, *ret_twin);
    return twin;
}

/* --- the ring ------------------------------------------------------------- */

static uint32_t next_of(const struct sim *sim, uint32_t index)
{
    return request_retry_at(&sim->slab, index)->twin;
}

static uint32_t before(const struct sim *sim, uint32_t index)
{
    uint32_t at = index;

    while (next_of(sim, at) != index)
        at = next_of(sim, at);
    return at;
}

static bool is_hedged(const struct sim *sim, uint32_t index)
{
    return (request_at(&sim->slab, index)->flags & REQUEST_HEDGED) != 0;
}

void twins_join(struct sim *sim, uint32_t index, uint32_t twin)
{
    struct request *request = request_at(&sim->slab, index);
    struct request_retry *retry = request_retry_at(&sim->slab, index);

    if (!(request->flags & REQUEST_HEDGED)) {
        request->flags |= REQUEST_HEDGED;
        retry->twin = index;
    }
    request_at(&sim->slab, twin)->flags |= REQUEST_HEDGED | REQUEST_TWIN;
    request_retry_at(&sim->slab, twin)->twin = retry->twin;
    retry->twin = twin;
}

uint32_t twins_first(const struct sim *sim, uint32_t index)
{
    while (request_at(&sim->slab, index)->flags & REQUEST_TWIN)
        index = next_of(sim, index);
    return index;
}

uint32_t twins_count(const struct sim *sim, uint32_t index)
{
    uint32_t count = 1;

    if (!is_hedged(sim, index))
        return 1;
    for (uint32_t at = next_of(sim, index); at != index; at = next_of(sim, at))
        count++;
    return count;
}

static void leave_ring(struct sim *sim, uint32_t index)
{
    uint32_t previous = before(sim, index), next = next_of(sim, index);

    request_retry_at(&sim->slab, previous)->twin = next;
    if (next == previous)
        request_at(&sim->slab, next)->flags &= (uint16_t)~REQUEST_HEDGED;
    request_at(&sim->slab, index)->flags &= (uint16_t)~REQUEST_HEDGED;
}

/* --- who stands for the request ------------------------------------------- */

static void replace_in_lists(struct sim *sim, uint32_t from, uint32_t to)
{
    struct request *old = request_at(&sim->slab, from);
    struct request *request = request_at(&sim->slab, to);

    if (old->flags & REQUEST_TWIN)
        return;
    if (sim->timeout_leaf != EVENT_NO_LEAF)
        request_list_replace(&sim->slab, from, to);
    if (sim->origins)
        sources_move(sim, from, to);
    if (sim->deadlines)
        deadlines_moved(sim, to);
    if (sim->slab.with_doors) {
        request_door_at(&sim->slab, to)->paid =
            request_door_at(&sim->slab, from)->paid;
        request_door_at(&sim->slab, from)->paid = 0;
    }
    request->flags &= (uint16_t)~REQUEST_TWIN;
}

void twins_hand_over(struct sim *sim, uint32_t from, uint32_t to)
{
    struct request *old = request_at(&sim->slab, from);
    struct request *request = request_at(&sim->slab, to);

    if (old->flags & REQUEST_HEDGED) {
        request_retry_at(&sim->slab, before(sim, from))->twin = to;
        request->flags |= old->flags & (REQUEST_HEDGED | REQUEST_TWIN);
    }
    replace_in_lists(sim, from, to);
    old->flags &= (uint16_t) ~(REQUEST_HEDGED | REQUEST_TWIN);
}

static void add_tried(struct sim *sim, uint32_t index, uint32_t node)
{
    struct request_retry *retry = request_retry_at(&sim->slab, index);
    uint32_t *tried = request_tried_at(&sim->slab, index);

    for (uint32_t i = 0; i < retry->tried; i++)
        if (tried[i] == node)
            return;
    if (retry->tried < sim->slab.tried_per_request)
        tried[retry->tried++] = node;
}

static void inherit(struct sim *sim, uint32_t from, uint32_t to)
{
    const struct request_retry *old = request_retry_at(&sim->slab, from);
    struct request_retry *retry = request_retry_at(&sim->slab, to);

    for (uint32_t i = 0; i < old->tried; i++)
        add_tried(sim, to, request_tried_at(&sim->slab, from)[i]);
    add_tried(sim, to, request_at(&sim->slab, from)->node);
    if (old->begun > retry->begun)
        retry->begun = old->begun;
}

uint32_t twins_part(struct sim *sim, uint32_t index)
{
    uint32_t heir = next_of(sim, index);

    leave_ring(sim, index);
    if (!(request_at(&sim->slab, index)->flags & REQUEST_TWIN))
        replace_in_lists(sim, index, heir);
    heir = twins_first(sim, heir);
    inherit(sim, index, heir);
    return heir;
}

/* Its attempt ends; the slot is free, or stays at work for nobody. */
static void drop(struct sim *sim, uint32_t index, enum lbp_outcome outcome,
                 enum attempt_error error)
{
    struct request *request = request_at(&sim->slab, index);
    bool left = losses_leave_node(sim, request, index);

    life_attempt_over(sim, &sim->nodes[request->node], request, index, outcome,
                      error, LBP_NO_TIME);
    if (left) {
        request_slab_give(&sim->slab, request, index);
        return;
    }
    request->flags |= REQUEST_ZOMBIE;
    sim->zombies++;
}

uint32_t twins_drop_others(struct sim *sim, uint32_t index,
                           enum lbp_outcome outcome, enum attempt_error error)
{
    uint32_t dropped = 0;

    while (is_hedged(sim, index)) {
        uint32_t other = next_of(sim, index);

        if (!(request_at(&sim->slab, other)->flags & REQUEST_TWIN))
            replace_in_lists(sim, other, index);
        leave_ring(sim, other);
        request_at(&sim->slab, other)->flags &= (uint16_t)~REQUEST_TWIN;
        drop(sim, other, outcome, error);
        dropped++;
    }
    request_at(&sim->slab, index)->flags &= (uint16_t)~REQUEST_TWIN;
    return dropped;
}
