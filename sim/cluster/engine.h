/*
 * Inside a node: what an engine is to it, and what engines share. For the
 * files of engines and node.c alone.
 *
 * An engine puts a request into service or into the queue, and sets events of
 * the tree: rank RANK_DONE, the subject the request that they are about. A
 * leaf may stand for one request or for all in service; when its event comes,
 * the node hands the request back, to first_token when REQUEST_FIRST_TOKEN is
 * set, else to finish. Requests that end together have one event after the
 * other at the same instant.
 *
 * In service: REQUEST_RUNNING, started_at_ns set, counted by
 * engine_count_running, with a card (engine_take_card). In the queue:
 * REQUEST_QUEUED, through node_queue.h. What an engine allocates, it keeps.
 */
#ifndef SIM_CLUSTER_ENGINE_H
#define SIM_CLUSTER_ENGINE_H

#include "sim/cluster/node.h"

/* Requests on their way out of a dead node; the list grows at its end. */
struct lost_list {
    uint32_t head, tail; /* REQUEST_NONE: empty */
};

struct engine {
    /* NODE_STARTED, NODE_QUEUED, NODE_FULL or NODE_NO_MEMORY. */
    enum node_answer (*accept)(struct node *node,
                               const struct node_world *world,
                               struct request *request, uint32_t index,
                               int64_t now_ns);
    /* The request leaves service: its end, or it is cancelled. The next one
       starts. */
    void (*finish)(struct node *node, const struct node_world *world,
                   const struct request *request, uint32_t index,
                   int64_t now_ns);
    void (*cancel)(struct node *node, const struct node_world *world,
                   const struct request *request, uint32_t index,
                   int64_t now_ns);
    void (*first_token)(struct node *node, const struct node_world *world,
                        struct request *request, uint32_t index,
                        int64_t now_ns);
    /* Everything in service is lost, in an order of the engine's own. */
    void (*lose_running)(struct node *node, const struct node_world *world,
                         uint32_t node_index, struct lost_list *lost,
                         int64_t now_ns);
    /* Costs of the node are already those of the new speed. */
    void (*change_speed)(struct node *node, const struct node_world *world,
                         uint32_t node_index, double factor, int64_t now_ns);
    /* The engine's own event came, see NODE_TIMER; NULL: it has none. */
    void (*timer)(struct node *node, const struct node_world *world,
                  int64_t now_ns);
    /* No event of the engine comes until it thaws; then all in service goes on
       where it stopped. In between requests may be cancelled, and the next one
       takes the place; none is accepted. NULL: not to be frozen. */
    void (*freeze)(struct node *node, const struct node_world *world,
                   uint32_t node_index, int64_t now_ns);
    void (*thaw)(struct node *node, const struct node_world *world,
                 uint32_t node_index, int64_t now_ns);
};

/* slots.c: c servers. The general form, for nodes that are not plain. */
extern const struct engine engine_slots;
/* sharing.c: processor sharing. */
extern const struct engine engine_sharing;
/* batch.c: static batches. */
extern const struct engine engine_batch;

/* slots.c: the plain form, which the hot path inlines. */
enum node_answer slots_accept(struct node *node, const struct node_world *world,
                              struct request *request, uint32_t index,
                              int64_t now_ns);
void slots_pass_on(struct node *node, const struct node_world *world,
                   uint32_t leaf, int64_t now_ns);

/* Up to now_ns, at what the shares have been since the last change. */
__attribute__((noinline)) void
engine_advance_shares(const struct node *node, int64_t now_ns,
                      struct node_shares *shares);

/* What runs changes by so many, change is 1 or -1. Not for nodes of which one
   request is as good as many. */
static inline void engine_count_running(struct node *node, int32_t change,
                                        int64_t now_ns)
{
    if (node->states_shares)
        engine_advance_shares(node, now_ns, &node->shares);
    node->running += (uint32_t)change;
    node->meter.busy -= (uint64_t)(change * now_ns);
}

/* The same for any node: one request or many, a node that is busy with one is
   either busy or idle. */
static inline void engine_count_served(struct node *node, int32_t change,
                                       int64_t now_ns)
{
    uint32_t before = node->running;

    engine_count_running(node, change, now_ns);
    if (node->one_is_full && (change > 0 ? before > 0 : before > 1))
        node->meter.busy += (uint64_t)(change * now_ns);
}

static inline void engine_count_queued(struct node *node, int32_t change,
                                       int64_t now_ns)
{
    node->queued += (uint32_t)change;
    node->meter.queued -= (uint64_t)(change * now_ns);
}

static inline bool engine_is_full(const struct node *node)
{
    return node->limits_queue && node->queued >= node->queue_limit;
}

/* Of nodes that tell their cards apart; the others have nothing to do. */
static inline void engine_take_card(struct node *node,
                                    const struct request_slab *slab,
                                    uint32_t index, int64_t now_ns)
{
    if (node->cards.count > 0)
        request_work_at(slab, index)->card = cards_take(&node->cards, now_ns);
}

static inline void engine_give_card(struct node *node,
                                    const struct request_slab *slab,
                                    uint32_t index, int64_t now_ns)
{
    if (node->cards.count > 0)
        cards_give(&node->cards, request_work_at(slab, index)->card, now_ns);
}

/* It becomes REQUEST_LOST, at the end of the list. */
void engine_lose(struct lost_list *lost, struct request_slab *slab,
                 uint32_t index);

#endif
