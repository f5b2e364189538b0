/*
 * From the runs of one policy to what is said about it: means over the
 * replications with their confidence, and the marks that keep them honest.
 *
 * - An interval is Student's t over the replications' values, also for their
 *   percentiles. With one replication a percentile of latency gets the
 *   order-statistic interval of the run; it assumes independent requests and
 *   is marked so.
 * - Where a value is infinite in any replication there is no mean, only a
 *   reason.
 * - A percentile q is weak when a replication has fewer than 1 / (1 - q)
 *   values behind it.
 *
 * Folding goes through the runs in the order given, so the sums are the same
 * whatever thread ran them.
 */
#ifndef SIM_EXPERIMENT_FOLD_H
#define SIM_EXPERIMENT_FOLD_H

#include "sim/experiment/class_fold.h"
#include "sim/experiment/strike_fold.h"
#include "sim/measure/run_result.h"

#include <stdbool.h>
#include <stdint.h>

struct measure_fold {
    double mean;       /* NaN: infinite somewhere, or absent everywhere */
    double lo, hi;     /* NaN: no interval */
    uint32_t n;        /* replications with a finite value */
    uint32_t infinite; /* replications in which it is beyond all bounds */
    bool weak;
    bool assumes_independence; /* lo and hi come from one replication */
};

/* Means over the replications; NaN where no replication has a value. */
/* What reports say of a node, and of a group of them, in their order: fields of
   struct node_fold and of struct group_fold. */
#define SERVING_FIELDS(X)      \
    X(attempts)                \
    X(completed)               \
    X(share_ratio)             \
    X(use_ratio)               \
    X(gpu_ratio)               \
    X(cpu_ratio)               \
    X(memory_ratio)            \
    X(in_flight_mean_requests) \
    X(queue_mean_requests)     \
    X(hit_ratio)               \
    X(evictions)               \
    X(down_ratio)              \
    X(deaths)

struct node_fold {
    double attempts, completed, share_ratio, use_ratio, gpu_ratio, cpu_ratio,
        memory_ratio, in_flight_mean_requests, queue_mean_requests, hit_ratio,
        evictions, down_ratio, deaths, latency_p50_s, latency_p99_s,
        ejected_ratio;
};

struct bucket_fold {
    double start_s, end_s, arrived, completed, lost, latency_mean_s,
        latency_p99_s, in_flight_mean_requests, result_hit_ratio,
        tier_hit_ratio, tier_out_ratio, door_queue_mean_requests,
        limit_mean_requests, nodes_mean, nodes_ready_mean;
    double series[SERIES_COUNT];
};

struct node_bucket_fold {
    double use_ratio, in_flight_mean_requests, down_ratio, ejected_ratio,
        absent_ratio, weight_mean;
};

struct curve_fold {
    double latency_s, lo_s, hi_s; /* of completed requests */
    double all_s;                 /* NaN where infinite or absent */
};

struct policy_fold {
    uint32_t replications;
    struct measure_fold measures[MEASURE_COUNT];
    double *values[MEASURE_COUNT]; /* [replications] as the runs gave them */
    double *owned_values;          /* behind values */

    struct books books;                        /* sums over the replications */
    uint64_t source_requests[RUN_SOURCES_MAX]; /* likewise */
    uint64_t measured, measured_answered, excluded; /* sums */
    uint64_t least_measured, least_answered;        /* smallest replication */
    uint32_t unstable;           /* replications whose queues still grew */
    double backlog_growth_per_s; /* mean of all replications */
    uint64_t draws, events, timed_picks;
    double cpu_s, timed_picks_s;

    uint32_t node_count, bucket_count;
    struct node_fold *nodes;               /* [node_count] */
    struct bucket_fold *buckets;           /* [bucket_count] */
    struct node_bucket_fold *node_buckets; /* [bucket_count][node_count] */
    struct curve_fold curve[CURVE_POINTS];

    uint32_t card_count;
    double *card_use_ratios; /* [card_count] means, as struct run_result */

    uint32_t class_count;
    struct class_fold *classes;         /* [class_count] */
    struct class_bucket *class_buckets; /* [bucket_count][class_count] means */
    struct strike_fold *strikes;        /* [strike_count] of all replications */
    uint64_t strike_count, strikes_left_out;
    uint32_t source_count;      /* 0: there are no overlays */
    struct class_fold *sources; /* [source_count] the main workload first */
};

/* runs: [count], the replications of one policy in order, count 1 or more;
   confidence such as 0.95. false: no memory; *ret is then empty. */
bool policy_fold_init(struct policy_fold *ret, const struct run_result *runs,
                      uint32_t count, double confidence);
void policy_fold_done(struct policy_fold *fold);

/*
 * Why mean is NaN, or why there is no interval although there is a mean, as a
 * phrase; NULL when there is nothing to explain. Written to text when it has
 * numbers in it; text holds size bytes, 120 suffice.
 */
const char *policy_fold_reason(const struct policy_fold *fold,
                               enum measure_id id, char *text, size_t size);

/* Values that a percentile needs not to be weak: 100 for a p99; 0 when the
   measure is no percentile. */
uint64_t measure_values_needed(enum measure_id id);

/* The quantile of a percentile measure, 0.99 for a p99; NaN for others. */
double measure_quantile(enum measure_id id);

/* Whether requests without an answer count in it, as infinite. */
bool measure_counts_unanswered(enum measure_id id);

#endif
