/*
 * For how long balancers left nodes out because of what traffic told them
 * (max_fails, outliers, breakers): by node, over the window and its buckets.
 *
 * A node that several mechanisms leave out counts once; of several balancers
 * the mean is told. Private to the files of a simulation.
 */
#ifndef SIM_EXPERIMENT_BAR_TIMES_H
#define SIM_EXPERIMENT_BAR_TIMES_H

#include "sim/core/arena.h"
#include "sim/experiment/recorder.h"

struct bar_times {
    uint32_t balancer_count, node_count;
    uint16_t *bars;    /* [balancer_count][node_count] those that are down */
    int64_t *since_ns; /* the same: when the first of them fell */
    double *out_ns;    /* [bucket_count][node_count] sums over balancers */
};

/* false: no memory. */
bool bar_times_init(struct bar_times *times, uint32_t balancer_count,
                    uint32_t node_count, uint32_t bucket_count,
                    struct arena *arena);

/* A bar of the node falls, or is lifted; nothing happens when it is so. */
void bar_times_change(struct bar_times *times, const struct recorder *recorder,
                      uint32_t balancer, uint32_t node, uint16_t bar, bool down,
                      int64_t now_ns);

/* All bars of a node are lifted: it has gone. */
void bar_times_forget(struct bar_times *times, const struct recorder *recorder,
                      uint32_t balancer, uint32_t node, int64_t now_ns);

/* At the end of the run: fills the buckets' and nodes' shares, and returns the
   mean over nodes, NaN when the window never opened. */
double bar_times_finish(struct bar_times *times,
                        const struct recorder *recorder, int64_t now_ns,
                        struct run_result *ret);

#endif
