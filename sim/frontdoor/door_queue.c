#include "sim/frontdoor/door_queue.h"

#include <stdlib.h>

bool door_queue_init(struct door_queue *queue, struct request_slab *slab,
                     const uint32_t *band_of_flow, uint32_t flow_count,
                     uint32_t band_count, enum door_fairness fairness)
{
    *queue = (struct door_queue){
        .slab = slab,
        .fairness = fairness,
        .flows = calloc(flow_count, sizeof *queue->flows),
        .bands = calloc(band_count, sizeof *queue->bands),
    };
    if (!queue->flows || !queue->bands)
        return false;
    queue->flow_count = flow_count;
    queue->band_count = band_count;
    for (uint32_t f = 0; f < flow_count; f++)
        queue->flows[f].band = band_of_flow[f];
    for (uint32_t b = 0; b < band_count; b++)
        queue->bands[b].turn = DOOR_NO_FLOW;
    return true;
}

void door_queue_done(struct door_queue *queue)
{
    for (uint32_t f = 0; f < queue->flow_count; f++)
        request_heap_done(&queue->flows[f].heap);
    free(queue->flows);
    free(queue->bands);
    *queue = (struct door_queue){0};
}

/* --- the ring of a band's flows ------------------------------------------ */

/* Last in turn, which in a ring is right before the one whose turn it is. */
static void join_ring(struct door_queue *queue, uint32_t flow)
{
    struct door_flow *joins = &queue->flows[flow];
    struct door_band *band = &queue->bands[joins->band];
    struct door_flow *turn;

    band->flows++;
    if (band->turn == DOOR_NO_FLOW) {
        joins->before = joins->after = flow;
        band->turn = flow;
        return;
    }
    turn = &queue->flows[band->turn];
    joins->before = turn->before;
    joins->after = band->turn;
    queue->flows[turn->before].after = flow;
    turn->before = flow;
}

static void leave_ring(struct door_queue *queue, uint32_t flow)
{
    struct door_flow *leaves = &queue->flows[flow];
    struct door_band *band = &queue->bands[leaves->band];

    band->flows--;
    if (leaves->after == flow) {
        band->turn = DOOR_NO_FLOW;
        return;
    }
    queue->flows[leaves->before].after = leaves->after;
    queue->flows[leaves->after].before = leaves->before;
    if (band->turn == flow)
        band->turn = leaves->after;
}

/* --- coming and going ------------------------------------------------------
 */

bool door_queue_enter(struct door_queue *queue, uint32_t index, uint32_t flow,
                      uint64_t key)
{
    struct door_flow *joins = &queue->flows[flow];

    if (!request_heap_push(&joins->heap, queue->slab, index, key))
        return false;
    request_at(queue->slab, index)->next = flow;
    queue->count++;
    if (joins->heap.count == 1)
        join_ring(queue, flow);
    return true;
}

void door_queue_leave(struct door_queue *queue, uint32_t index)
{
    const struct request *request = request_at(queue->slab, index);
    uint32_t flow = request->next;
    struct door_flow *leaves = &queue->flows[flow];
    struct door_band *band = &queue->bands[leaves->band];

    request_heap_remove(&leaves->heap, queue->slab, request->place);
    queue->count--;
    if (leaves->heap.count == 0)
        leave_ring(queue, flow);
    else if (band->turn == flow)
        band->turn = leaves->after;
}

bool door_queue_flow_is_empty(const struct door_queue *queue, uint32_t flow)
{
    return queue->flows[flow].heap.count == 0;
}

/* --- rounds -----------------------------------------------------------------
 */

void door_queue_begin_round(struct door_queue *queue)
{
    queue->round++;
}

void door_queue_block(struct door_queue *queue, uint32_t index)
{
    const struct request *request = request_at(queue->slab, index);

    queue->flows[request->next].blocked_in = queue->round;
}

void door_queue_block_band(struct door_queue *queue, uint32_t index)
{
    const struct request *request = request_at(queue->slab, index);

    queue->bands[queue->flows[request->next].band].blocked_in = queue->round;
}

static bool goes_before(const struct heap_entry *a, const struct heap_entry *b)
{
    return a->key != b->key ? a->key < b->key : a->number < b->number;
}

/* In turn the first that is not blocked; in order of first requests the one
   with the earliest. */
static uint32_t first_of_band(const struct door_queue *queue,
                              const struct door_band *band)
{
    const struct heap_entry *best = NULL;
    uint32_t flow = band->turn;

    if (band->blocked_in == queue->round)
        return REQUEST_NONE;
    for (uint32_t i = 0; i < band->flows; i++) {
        const struct door_flow *here = &queue->flows[flow];

        flow = here->after;
        if (here->blocked_in == queue->round)
            continue;
        if (queue->fairness == DOOR_FAIR_ROUND_ROBIN)
            return here->heap.entries[0].request;
        if (!best || goes_before(&here->heap.entries[0], best))
            best = &here->heap.entries[0];
    }
    return best ? best->request : REQUEST_NONE;
}

uint32_t door_queue_first(const struct door_queue *queue)
{
    uint32_t first = REQUEST_NONE;

    for (uint32_t b = 0; b < queue->band_count && first == REQUEST_NONE; b++)
        first = first_of_band(queue, &queue->bands[b]);
    return first;
}

uint32_t door_queue_any(const struct door_queue *queue)
{
    for (uint32_t b = 0; b < queue->band_count; b++)
        if (queue->bands[b].turn != DOOR_NO_FLOW)
            return queue->flows[queue->bands[b].turn].heap.entries[0].request;
    return REQUEST_NONE;
}

const struct heap_entry *door_queue_requests(const struct door_queue *queue,
                                             uint32_t flow, uint32_t *ret_count)
{
    *ret_count = queue->flows[flow].heap.count;
    return queue->flows[flow].heap.entries;
}
