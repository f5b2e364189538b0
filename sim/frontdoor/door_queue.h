/*
 * The queue at the front door: requests that a balancer holds before it sends
 * them anywhere.
 *
 * A request waits in a flow, and a flow belongs to a band. Bands are strict:
 * as long as someone in an earlier band can go, nobody of a later one does.
 * Inside a band flows are served in the order of their first requests, or one
 * request of each in turn (round robin, which lets no tenant crowd out the
 * others). Inside a flow requests go by key: the order of arrival when keys
 * are equal, deadlines when keys are these. It is the shape of llm-d's flow
 * control (pkg/epp/flowcontrol); one band and one flow are a plain FIFO.
 *
 * Serving goes in rounds. In a round the caller takes the first request, or
 * says that its flow is blocked (no node that would take it has room), and
 * asks on: so a flow whose nodes are full does not stop the others.
 *
 * A waiting request knows its flow in request->next and its place there in
 * request->place, so that any one can leave, in O(log n) of its flow's length.
 */
#ifndef SIM_FRONTDOOR_DOOR_QUEUE_H
#define SIM_FRONTDOOR_DOOR_QUEUE_H

#include "sim/core/request.h"
#include "sim/core/request_heap.h"
#include "sim/frontdoor/admission_spec.h"

#include <stdbool.h>
#include <stdint.h>

#define DOOR_NO_FLOW UINT32_MAX

struct door_flow {
    struct request_heap heap;
    uint32_t band;
    uint32_t before, after; /* in the ring of its band's flows with requests */
    uint64_t blocked_in;    /* the round in which it was */
};

struct door_band {
    uint32_t turn;  /* the flow whose turn it is; DOOR_NO_FLOW: all empty */
    uint32_t flows; /* with requests */
    uint64_t blocked_in; /* the round in which all of it was */
};

struct door_queue {
    struct request_slab *slab;
    struct door_flow *flows; /* [flow_count] */
    struct door_band *bands; /* [band_count] the first goes first */
    uint32_t flow_count, band_count;
    uint32_t count; /* of requests */
    enum door_fairness fairness;
    uint64_t round;
};

/*
 * band_of_flow: [flow_count], each below band_count. slab is borrowed. false:
 * no memory; door_queue_done may be called all the same.
 */
bool door_queue_init(struct door_queue *queue, struct request_slab *slab,
                     const uint32_t *band_of_flow, uint32_t flow_count,
                     uint32_t band_count, enum door_fairness fairness);
void door_queue_done(struct door_queue *queue);

/* A request begins to wait; smaller keys go first. false: no memory. */
bool door_queue_enter(struct door_queue *queue, uint32_t index, uint32_t flow,
                      uint64_t key);

/* One that waits leaves, wherever it stands. Its flow has had its turn. */
void door_queue_leave(struct door_queue *queue, uint32_t index);

bool door_queue_flow_is_empty(const struct door_queue *queue, uint32_t flow);

/* A round begins: no flow is blocked. */
void door_queue_begin_round(struct door_queue *queue);

/* Who is next among flows that are not blocked; REQUEST_NONE: nobody. */
uint32_t door_queue_first(const struct door_queue *queue);

/* Nobody of that request's flow can go in this round. */
void door_queue_block(struct door_queue *queue, uint32_t index);

/* Nor anybody of its flow's band. */
void door_queue_block_band(struct door_queue *queue, uint32_t index);

/* Any request, to empty the queue; REQUEST_NONE: it is empty. */
uint32_t door_queue_any(const struct door_queue *queue);

/* The waiting requests of a flow, in no order; *ret_count may be 0. */
const struct heap_entry *door_queue_requests(const struct door_queue *queue,
                                             uint32_t flow,
                                             uint32_t *ret_count);

#endif
