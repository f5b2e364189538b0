/*
 * What can be wrong with a node that is not dead, one thing beside the other:
 *
 *   frozen       it takes what comes and does nothing. What is inside stops and
 *                goes on later; what comes is held as it came, and looked at
 *                when the node thaws. An answer that its cache was giving has
 *                left already.
 *   swallows     what comes is never answered; what is inside is
 *   error_share  so many of those that come are answered with an error at once
 *   cut          some senders cannot reach it
 *   leaks        its memory fills, by each answer or by whoever calls
 *                node_leak, until there is none left
 *
 * A sender is whoever sends attempts, by number: a node knows no balancer. The
 * struct belongs to whoever makes faults strike; nodes that no fault can
 * strike have none. For node.c and the run's faults alone.
 */
#ifndef SIM_CLUSTER_NODE_TROUBLE_H
#define SIM_CLUSTER_NODE_TROUBLE_H

#include "sim/cluster/node.h"
#include "workloads/rng.h"

struct node_trouble {
    bool frozen, swallows;
    int64_t frozen_at_ns;   /* last */
    double error_share;     /* 0: none */
    struct rng errors;      /* which of them */
    uint32_t *cut;          /* [senders] what keeps each from here; borrowed */
    uint32_t cuts;          /* their sum */
    double leak_per_answer; /* share of the memory; 0: none */
    uint32_t full_leaf; /* its event comes when memory is full after an answer;
                           EVENT_NO_LEAF: nobody minds */
    uint32_t held_head, held_tail, held; /* those that came while frozen */
    uint64_t swallowed;                  /* measured attempts */
};

void node_trouble_init(struct node_trouble *trouble);

/* After a change of what is wrong: the node goes the way that fits. */
void node_trouble_changed(struct node *node);

/* From now on nothing happens inside. The node's engine can be frozen: its
   spec says speed_varies. node_index: the value of request->node. */
void node_freeze(struct node *node, const struct node_world *world,
                 uint32_t node_index, int64_t now_ns);

/* It goes on where it stopped. Those that were held are to be taken out, one
   after the other, and to be accepted. */
void node_thaw(struct node *node, const struct node_world *world,
               uint32_t node_index, int64_t now_ns);

/* The next of those that were held, which leaves; REQUEST_NONE: no more. */
uint32_t node_take_held(struct node *node, const struct node_world *world,
                        int64_t now_ns);

/* More of its memory is gone, as a share; true: nothing is left of it. */
bool node_leak(struct node *node, double share, int64_t now_ns);

/* What becomes of a request that comes in: NODE_CUT, NODE_SWALLOWED,
   NODE_ERROR; NODE_STARTED: it is held; NODE_QUEUED: nothing is wrong. A dead
   node only cuts. */
enum node_answer node_trouble_meet(struct node *node,
                                   const struct node_world *world,
                                   struct request *request, uint32_t index,
                                   int64_t now_ns);

/* A request that is held leaves. */
void node_trouble_leave(struct node *node, const struct node_world *world,
                        const struct request *request, int64_t now_ns);

/* An answer is ready. */
void node_trouble_answered(struct node *node, const struct node_world *world,
                           int64_t now_ns);

#endif
