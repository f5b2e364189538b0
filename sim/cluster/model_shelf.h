/*
 * Which models a node has in memory, and those that it has to load first.
 *
 * A node that loads on demand holds so many models; to make room for one more,
 * the one that was asked for least recently leaves. One load runs at a time,
 * the others wait in the order in which they were asked for; requests wait for
 * their model outside of the engine's queue. A model that leaves disturbs no
 * request that is already in service or in the queue.
 *
 * The shelf knows no clock: who runs the event loop says when a load is done.
 */
#ifndef SIM_CLUSTER_MODEL_SHELF_H
#define SIM_CLUSTER_MODEL_SHELF_H

#include <stdbool.h>
#include <stdint.h>

#define SHELF_MODELS 64
#define SHELF_NOTHING UINT32_MAX

struct shelf_waiter {
    uint32_t request, epoch; /* of another epoch: it ended meanwhile */
    uint32_t model;
};

struct model_shelf {
    uint64_t at_start; /* models in memory when the node starts */
    uint64_t resident; /* now; model 0, "any", always */
    uint32_t limit;    /* of resident models, model 0 not counted */
    int64_t used_at_ns[SHELF_MODELS];
    uint32_t queue[SHELF_MODELS]; /* [queued] to load, the first is under way */
    uint32_t queued;
    struct shelf_waiter *waiters; /* [waiter_count] in order of arrival */
    uint32_t waiter_count, waiter_capacity;
    uint64_t loads; /* finished, since the start of the run */
};

/* The first `limit` of these models, by number, are there at the start. limit
   is 1 or more. */
void model_shelf_init(struct model_shelf *shelf, uint64_t models,
                      uint32_t limit);
void model_shelf_done(struct model_shelf *shelf);

/* Whether the model is in memory; if so, it was asked for now. */
bool model_shelf_has(struct model_shelf *shelf, uint32_t model, int64_t now_ns);

/* A request begins to wait for a model that is not there. *ret_start: a load
   begins now, for none was under way. false: no memory. */
bool model_shelf_wait(struct model_shelf *shelf, uint32_t request,
                      uint32_t epoch, uint32_t model, bool *ret_start);

/* The load under way is done: returns its model, which is there from now on,
   in the place of another if need be. *ret_more: the next load begins. */
uint32_t model_shelf_loaded(struct model_shelf *shelf, int64_t now_ns,
                            bool *ret_more);

/* The first request that waits for the model (SHELF_NOTHING: for any of them)
   leaves. false: there is none. */
bool model_shelf_next(struct model_shelf *shelf, uint32_t model,
                      struct shelf_waiter *ret);

/* As at the start, with nobody waiting: the node died, and its waiters have
   been taken out. */
void model_shelf_reset(struct model_shelf *shelf);

#endif
