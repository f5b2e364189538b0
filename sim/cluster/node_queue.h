/*
 * The queue inside a node: those that wait for service, in the order in which
 * they will get it. For engines.
 *
 * First come, first served is a list through the requests. The other orders
 * are heaps: by predicted service time (need without noise), by priority, or
 * by deadline; equals by arrival number. With aging, priority grows by one for
 * each such time since the request's arrival, in whole steps: requests of one
 * priority then keep their order among themselves, so each priority has a
 * heap, and the next request is the best of their heads. That costs as much as
 * there are different priorities in the queue, not requests.
 */
#ifndef SIM_CLUSTER_NODE_QUEUE_H
#define SIM_CLUSTER_NODE_QUEUE_H

#include "sim/cluster/engine.h"
#include "sim/core/request_heap.h"

/* Those of one priority; without aging there is one level for all. */
struct queue_level {
    int32_t priority;
    struct request_heap waiting;
};

struct ordered_queue {
    enum queue_order order;
    int64_t aging_ns;           /* 0: none */
    struct queue_level *levels; /* [level_count] */
    uint32_t level_count, level_capacity;
};

/* NULL: no memory. done accepts NULL. */
struct ordered_queue *ordered_queue_create(enum queue_order order,
                                           int64_t aging_ns);
void ordered_queue_destroy(struct ordered_queue *queue);

/* First come, first served: short enough for the hot path. */
static inline void node_queue_append(struct node *node,
                                     struct request_slab *slab,
                                     struct request *request, uint32_t index,
                                     int64_t now_ns)
{
    request->state = REQUEST_QUEUED;
    request->next = REQUEST_NONE;
    request->prev = node->queue_tail;
    if (node->queue_tail != REQUEST_NONE)
        request_at(slab, node->queue_tail)->next = index;
    else
        node->queue_head = index;
    node->queue_tail = index;
    engine_count_queued(node, 1, now_ns);
}

/* The queue must not be empty. */
static inline struct request *node_queue_take_head(struct node *node,
                                                   struct request_slab *slab,
                                                   int64_t now_ns)
{
    struct request *head = request_at(slab, node->queue_head);

    node->queue_head = head->next;
    if (node->queue_head == REQUEST_NONE)
        node->queue_tail = REQUEST_NONE;
    engine_count_queued(node, -1, now_ns);
    return head;
}

/* Any order. NODE_QUEUED; NODE_FULL when the node limits its queue; or
   NODE_NO_MEMORY. */
enum node_answer node_queue_enter(struct node *node,
                                  const struct node_world *world,
                                  struct request *request, uint32_t index,
                                  int64_t now_ns);

/* Takes the next one out; REQUEST_NONE: nobody waits. */
uint32_t node_queue_next(struct node *node, struct request_slab *slab,
                         int64_t now_ns);

/* The same without those that are too late, which leave for world->expired;
   the queue must not be empty. */
uint32_t node_queue_find_in_time(struct node *node,
                                 const struct node_world *world,
                                 int64_t now_ns);

/* The same; mostly nobody waits, which costs a look. */
static inline uint32_t node_queue_next_in_time(struct node *node,
                                               const struct node_world *world,
                                               int64_t now_ns)
{
    return node->queued > 0 ? node_queue_find_in_time(node, world, now_ns)
                            : REQUEST_NONE;
}

/* Takes this one out, wherever it stands. */
void node_queue_leave(struct node *node, const struct node_world *world,
                      const struct request *request, int64_t now_ns);

#endif
