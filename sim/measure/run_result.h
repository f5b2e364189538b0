/*
 * What one simulation yields. Owned by the caller, freed by run_result_done.
 */
#ifndef SIM_MEASURE_RUN_RESULT_H
#define SIM_MEASURE_RUN_RESULT_H

#include "sim/measure/class_measures.h"
#include "sim/measure/measures.h"
#include "sim/measure/sample.h"
#include "sim/measure/series.h"

#include <stdbool.h>
#include <stdint.h>

/* A fault that struck; kind is an enum fault_kind. */
struct fault_strike {
    uint32_t kind, node; /* node UINT32_MAX: the shared tier */
    double at_s, end_s;  /* INFINITY: not before the end of the run */
};

/* Everything that arrived, measured or not. */
struct books {
    uint64_t arrived, completed, degraded, refused, failed, timed_out,
        unfinished;
};

/* Whether everything that arrived ended in one of the ways. */
bool books_balance(const struct books *books);

/* The main workload, and as many overlays as there may be. */
#define RUN_SOURCES_MAX 17

/* Latency at fixed quantiles, for the distribution's picture. */
#define CURVE_POINTS 201
/* Evenly spread along -log10(1 - q), so that the tail is drawn as finely as
   the body: from 0.005 to 0.9999. */
double curve_quantile(uint32_t point);

struct node_result {
    uint64_t attempts;   /* sent to it, measured requests */
    uint64_t completed;  /* answered by it, measured requests */
    double share_ratio;  /* of all attempts */
    double use_ratio;    /* busy share of the window */
    double cpu_ratio;    /* NaN: not stated */
    double gpu_ratio;    /* NaN: a cpu node */
    double memory_ratio; /* NaN: not stated */
    double in_flight_mean_requests, queue_mean_requests;
    double hit_ratio;     /* of its answers; NaN: no cache */
    uint64_t evictions;   /* in the window */
    double down_ratio;    /* share of the window spent dead */
    double absent_ratio;  /* share of the window in which it did not exist: all
                             other shares are of the rest, NaN when that is
                             nothing */
    uint64_t deaths;      /* in the window */
    double ejected_ratio; /* share of the window for which balancers left it
                             out because of what traffic told */
    double latency_p50_s, latency_p99_s; /* NaN unless node percentiles */
};

/* Of the answers of a group of nodes; NaN: none. */
struct group_latency {
    double mean_s, p50_s, p99_s;
};

/* One bucket of time; nodes in node_buckets. */
struct bucket {
    double start_s, end_s;
    uint64_t arrived, completed, lost;    /* by intended arrival; lost: every
                                             other end */
    double latency_mean_s, latency_p99_s; /* of completed ones that arrived in
                                             it; NaN when none */
    double in_flight_mean_requests;
    double result_hit_ratio; /* of answers, by caches of nodes; NaN: none */
    double tier_hit_ratio, tier_out_ratio; /* NaN: no shared tier */
    /* Of admission; 0 without it. */
    double door_queue_mean_requests, limit_mean_requests;
    double nodes_mean, nodes_ready_mean; /* NaN: none come or go */
    double series[SERIES_COUNT];
};

struct node_bucket {
    double use_ratio, in_flight_mean_requests, down_ratio, ejected_ratio;
    double absent_ratio; /* of the bucket: use is of the rest */
    double weight_mean;  /* as policies are told, times its factor; NaN: nothing
                            changes weights */
};

/* Requests of a class that arrived in a bucket of time. */
struct class_bucket {
    double completed, lost;
    double latency_mean_s, latency_p99_s; /* of completed ones; NaN: none */
};

/* Measured requests of one class, or of one source; NaN and INFINITY as in
 * run_result.values. */
struct class_result {
    double values[CLASS_MEASURE_COUNT];
};

struct run_result {
    double values[MEASURE_COUNT]; /* NaN: absent; INFINITY: beyond all bounds */
    /* Of percentiles of latency: the values at the ranks that enclose the true
       one with the scenario's confidence, if requests are independent. NaN
       where there is none: too few values, or no such measure. */
    double rank_lo[MEASURE_COUNT], rank_hi[MEASURE_COUNT];
    struct books books;
    uint64_t source_requests[RUN_SOURCES_MAX]; /* arrived, with overlays; the
                                                  main workload's first */
    uint64_t measured, measured_answered; /* requests in the window; with an
                                             answer */
    uint64_t excluded; /* warm-up arrivals that are not measured */
    double window_start_s, window_end_s;
    bool unstable;               /* queues still grew when arrivals stopped */
    double backlog_growth_per_s; /* requests, from the second to the last
                                    quarter of the window; may be negative */
    uint64_t draws;              /* of the policy */

    double curve_s[CURVE_POINTS];     /* latency of completed; NaN when none */
    double curve_all_s[CURVE_POINTS]; /* INFINITY among the unanswered */

    uint32_t node_count, bucket_count;
    struct node_result *nodes;        /* [node_count] */
    struct bucket *buckets;           /* [bucket_count] */
    struct node_bucket *node_buckets; /* [bucket_count][node_count] */

    /* Busy shares of the window, node after node, of nodes with cards. */
    double *card_use_ratios; /* [card_count] */
    uint32_t card_count;     /* 0: none has several */

    uint32_t group_count;                  /* 0 unless node percentiles */
    struct group_latency *group_latencies; /* [group_count] */
    struct fault_strike *strikes;          /* [strike_count] in order of time */
    uint32_t strike_count;
    uint64_t strikes_left_out; /* more than can be listed */

    uint32_t class_count;         /* 0: requests are of one kind */
    struct class_result *classes; /* [class_count] */

    struct class_bucket *class_buckets; /* [bucket_count][class_count] */
    uint32_t source_count;              /* 0: there are no overlays */
    struct class_result *sources; /* [source_count] the main workload first */

    /* Only when asked for (warm-up auto): latency in s by order of arrival,
       NaN for requests without an answer. */
    double *latencies;
    uint64_t latency_count;
    /* What MSER-5 makes of them, which takes their place in an experiment: how
       many leading arrivals to cut, and whether the run was long enough to
       tell. */
    uint64_t warm_up_cut;
    bool warm_up_sure;

    /* Of the machine, never of the scenario. */
    double cpu_s;
    uint64_t events;
    uint64_t timed_picks; /* a sample of the policy's picks */
    double timed_picks_s; /* that they took together */
};

void run_result_done(struct run_result *result);

/* Gives up what is over time, and the curves of latency: by far the most of
   it. Measures and all that is of the whole window stay. */
void run_result_keep_totals(struct run_result *result);

#endif
