/*
 * What was seen of every node over time, replication by replication: kept while
 * an experiment of one policy is folded, for questions that means over the
 * replications cannot answer.
 */
#ifndef SIM_ADVICE_WATCH_H
#define SIM_ADVICE_WATCH_H

#include "sim/measure/run_result.h"

#include <stdbool.h>
#include <stdint.h>

struct watched_run {
    struct node_bucket *cells; /* [bucket_count][node_count] */
    struct node_result *nodes; /* [node_count] */
    double values[MEASURE_COUNT];
};

struct watch {
    uint32_t run_count, node_count, bucket_count;
    double *edges_s;          /* [bucket_count + 1] */
    struct watched_run *runs; /* [run_count] */
    bool failed;              /* no memory */
};

/* An on_run of struct experiment_setup; context is a struct watch, all zero
   before the first run. Runs of other policies than the first are passed
   over. */
void watch_run(void *context, uint32_t policy, uint32_t replication,
               const struct run_result *run);
void watch_done(struct watch *watch);

static inline const struct node_bucket *watch_cell(const struct watch *watch,
                                                   uint32_t run,
                                                   uint32_t bucket,
                                                   uint32_t node)
{
    return &watch->runs[run].cells[(size_t)bucket * watch->node_count + node];
}

/* Mean use of the nodes that are up in a bucket of one run; NaN: none. */
double watch_pool_use(const struct watch *watch, uint32_t run, uint32_t bucket);

/* Mean over the runs of a measure; NaN where any run has no finite value. */
double watch_mean(const struct watch *watch, enum measure_id id);

#endif
