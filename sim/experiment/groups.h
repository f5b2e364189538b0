/*
 * Totals of each group of nodes, for pools of several kinds: what its nodes
 * did together, averaged over the replications.
 *
 * Counts, shares and numbers inside are sums over the group's nodes, so over
 * all groups they add up to the totals; uses, down time and memory are means,
 * and the hit ratio is of all answers of the group.
 */
#ifndef SIM_EXPERIMENT_GROUPS_H
#define SIM_EXPERIMENT_GROUPS_H

#include "sim/measure/run_result.h"
#include "sim/scenario/scenario.h"

#include <stdint.h>

/* NaN: the group has no nodes, or none that states it. */
struct group_fold {
    double attempts, completed, share_ratio, use_ratio, gpu_ratio, cpu_ratio,
        memory_ratio, in_flight_mean_requests, queue_mean_requests, hit_ratio,
        evictions, down_ratio, deaths;
    double cost, cost_per_1000; /* of its nodes while they were there, and of
                                   its answers; NaN: nobody states a cost */
    /* Of the answers of its nodes; NaN unless node percentiles. */
    double latency_mean_s, latency_p50_s, latency_p99_s;
};

/* runs: [count], the replications of one policy; ret: [group_count]. A group
   without nodes has sums of 0. */
void group_folds_make(const struct scenario *scenario,
                      const struct run_result *runs, uint32_t count,
                      struct group_fold *ret);

#endif
