/* Latencies of a group of nodes, from those that each node has kept. */
#include "sim/experiment/group_latencies.h"

#include <stdlib.h>

static struct group_latency of_all(const struct coarse *all)
{
    return (struct group_latency){
        .mean_s = coarse_mean(all) * 1e-9,
        .p50_s = coarse_quantile(all, 0.5) * 1e-9,
        .p99_s = coarse_quantile(all, 0.99) * 1e-9,
    };
}

bool group_latencies_finish(const struct recorder *recorder,
                            const struct scenario *scenario,
                            struct run_result *ret)
{
    uint32_t count = scenario->group_count, node = 0;
    struct coarse *all;

    if (!scenario->node_percentiles)
        return true;
    all = malloc(sizeof *all);
    ret->group_latencies = calloc(count, sizeof *ret->group_latencies);
    if (!all || !ret->group_latencies) {
        free(all);
        return false;
    }
    ret->group_count = count;
    for (uint32_t g = 0; g < count; g++) {
        *all = (struct coarse){0};
        for (uint32_t i = 0; i < scenario->groups[g].count; i++)
            coarse_merge(all, recorder->counts[node++].latency);
        ret->group_latencies[g] = of_all(all);
    }
    free(all);
    return true;
}
