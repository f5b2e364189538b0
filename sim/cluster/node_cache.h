/*
 * A node's result cache at work: what is asked before the engine, what is
 * learnt from it, and identical questions that wait for one answer. For node.c
 * alone; only for nodes with a cache.
 */
#ifndef SIM_CLUSTER_NODE_CACHE_H
#define SIM_CLUSTER_NODE_CACHE_H

#include "sim/cluster/engine.h"

/* A request comes in. NODE_HIT, NODE_FOLLOWS or NODE_NO_MEMORY; or NODE_QUEUED
   for "go on to the engine". */
enum node_answer node_cache_ask(struct node *node,
                                const struct node_world *world, uint32_t index,
                                int64_t now_ns);

/* The engine has taken it. false: no memory. */
bool node_cache_note_start(struct node *node, const struct node_world *world,
                           const struct request *request, uint32_t index,
                           int64_t now_ns);

/* Its answer is ready: the cache learns it, and who waited has it. false: no
   memory. */
bool node_cache_note_answer(struct node *node, const struct node_world *world,
                            const struct request *request, uint32_t index,
                            int64_t now_ns);

/* It would be cancelled. True: its work goes on, for others. */
bool node_cache_keep(struct node *node, const struct node_world *world,
                     uint32_t index);

/* One that waits for another's answer is cancelled. Returns the request whose
   work nobody needs any longer; REQUEST_NONE: none, or none but one in service
   while only queued ones end. */
uint32_t node_cache_leave(struct node *node, const struct node_world *world,
                          uint32_t index, bool queued_only);

/* The node dies, and what the engine had is in the list: those follow who
   waited for its answers, and those that were being answered. */
void node_cache_lose(struct node *node, const struct node_world *world,
                     uint32_t node_index, struct lost_list *lost);

#endif
