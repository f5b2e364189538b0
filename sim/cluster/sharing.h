/*
 * Engine "sharing": all that is in service advances together, up to a limit;
 * beyond it requests wait in the queue.
 *
 * With n in service a request takes slowdown(n) = base + per_request * n times
 * as long as its service time. Base 0 and per_request 1 is a processor shared
 * evenly (M/G/1-PS); a base above 0 is an accelerator that works on a batch at
 * little more than the cost of one.
 *
 * Virtual time counts the service that a request has got which has been there
 * since the node was last idle: it grows by 1 / slowdown(n) each ns. A request
 * ends when virtual time has grown by its service time, so the moment of its
 * end in virtual time is known when it starts and never changes. A heap holds
 * these moments; one leaf of the event tree stands for the first of them. A
 * change costs O(log n), whatever comes and goes.
 *
 * With token costs a request first waits in the heap for its first token:
 * virtual time has then grown by base and input part of its service. So the
 * time to first token is that of the shared service, exactly.
 */
#ifndef SIM_CLUSTER_SHARING_H
#define SIM_CLUSTER_SHARING_H

#include "sim/cluster/group_spec.h"
#include "sim/core/request_heap.h"

struct sharing {
    struct request_heap served; /* by virtual time of the next event */
    double virtual_ns;          /* at at_ns; 0 when idle */
    int64_t at_ns;
    double base, per_request; /* of the slowdown */
    uint32_t leaf;            /* EVENT_NO_LEAF until the first request */
    bool frozen;              /* virtual time stands still */
};

/* NULL: no memory. destroy accepts NULL. */
struct sharing *sharing_create(const struct engine_spec *spec);
void sharing_destroy(struct sharing *sharing);

#endif
