/*
 * Requests that come to a node without their model: turned away, or kept
 * waiting while the node loads it. Private to the files of a simulation.
 */
#ifndef SIM_EXPERIMENT_MISROUTES_H
#define SIM_EXPERIMENT_MISROUTES_H

#include "sim/experiment/life.h"

/* It waits, outside of the node's engine, and the load begins or is queued. */
WORLD_RARE void misroutes_wait(struct sim *sim, struct node *node,
                               struct request *request, uint32_t index);

/* A load of that line, LINE_LOADS + group, is done: those that waited for the
   model go on into the node. */
WORLD_RARE void misroutes_loaded(struct sim *sim, uint32_t line);

/* Of a node that goes, its waiting requests one by one, each REQUEST_LOST; at
   the end false, and the node's models are as at the start. */
WORLD_RARE bool misroutes_take_waiting(struct sim *sim, uint32_t node,
                                       uint32_t *ret);

/* All that a node held, one by one: those that left its engine, in a list from
   lost, and those that waited for a model. Unless the run fails meanwhile. */
WORLD_RARE void misroutes_empty(struct sim *sim, uint32_t node, uint32_t lost,
                                void (*each)(struct sim *sim, uint32_t index));

/* The node died: those that waited for a model are lost like the others. */
WORLD_RARE void misroutes_node_died(struct sim *sim, uint32_t fault,
                                    uint32_t node);

#endif
