/*
 * What one simulation writes down while it runs, and the sums at its end.
 *
 * A request is measured when its intended arrival lies in the window, wherever
 * it ends. Time averages cover the same window: the nodes' meters are read at
 * its edges and at the edges of the buckets into which it is cut.
 */
#ifndef SIM_EXPERIMENT_RECORDER_H
#define SIM_EXPERIMENT_RECORDER_H

#include "sim/cluster/node.h"
#include "sim/experiment/card_records.h"
#include "sim/experiment/class_records.h"
#include "sim/frontdoor/tier_spec.h"
#include "sim/measure/coarse.h"
#include "sim/measure/run_result.h"
#include "sim/measure/sample.h"
#include "workloads/workload.h"

#include <stdbool.h>
#include <stdint.h>

/* How a request can end. */
enum ending {
    END_COMPLETED,
    END_DEGRADED, /* answered by a lesser means */
    END_REFUSED,
    END_FAILED,
    END_TIMED_OUT,
    END_UNFINISHED,
    END_COUNT
};

/* How an attempt can fail. Those from ERROR_TOTAL on end their request, so they
   are not counted by attempts. */
enum attempt_error {
    ERROR_REFUSED,
    ERROR_RESET,
    ERROR_CONNECT,
    ERROR_FULL,
    ERROR_NO_MODEL,
    ERROR_5XX,         /* the node answered with an error at once */
    ERROR_TTFT,        /* no first token in time */
    ERROR_INTER_TOKEN, /* no further token in time */
    ERROR_ATTEMPT,     /* no whole answer in the time of one attempt */
    ERROR_QUEUE,       /* too long in a queue */
    ERROR_PATIENCE,    /* the client left a queue */
    ERROR_ABANDONED,   /* degraded: its level had no more time */
    ERROR_EXPIRED,     /* its node saw that it was too late */
    ERROR_COUNT,
    ERROR_TOTAL,     /* the total time-out, or a deadline */
    ERROR_LOST_RACE, /* another attempt of the same request was faster */
    ERROR_NONE       /* it was answered */
};

/* What every measured request adds to, at the node of its attempt. */
struct node_counts {
    uint64_t attempts, completed, hits;
    struct coarse *latency; /* NULL unless node percentiles are on */
};

/* What is read at the edges of the window and of its buckets. */
struct node_record {
    struct node_reading at_open, at_edge, at_close;
    uint64_t evictions_at_open, evictions_at_close;
    uint64_t deaths_at_open, deaths_at_close;
    uint64_t coalesced_at_open, coalesced_at_close;
};

struct bucket_record {
    uint64_t arrived, completed, lost;
    uint64_t hits, tier_hits;  /* completed from caches of nodes, of the tier */
    double nodes, nodes_ready; /* that existed, that were ready, on average */
    struct coarse latency;
};

struct recorder {
    bool open, closed;        /* the window */
    int64_t start_ns, end_ns; /* of the window */
    double buckets_per_ns;
    int64_t bucket_start_ns; /* of the bucket of now; INT64_MAX after the end */
    uint32_t bucket_count, buckets_read;
    struct bucket_record *bucket;     /* the bucket of now */
    struct bucket_record *buckets;    /* [bucket_count] */
    struct node_bucket *node_buckets; /* [bucket_count][node_count] */
    struct node_counts *counts;       /* [node_count + 1], the tier's last */
    struct node_record *nodes;        /* [node_count] */
    uint32_t node_count;

    struct sample latency, wait, ttft, tpot;
    double confidence;
    int64_t goodput_bound_ns; /* INT64_MAX: no latency goal */
    uint64_t good;

    uint64_t arrived;          /* all */
    uint64_t ended[END_COUNT]; /* all */
    uint64_t measured;
    uint64_t measured_ended[END_COUNT];
    uint64_t retries, no_node, no_model; /* of measured requests */
    uint64_t errors[ERROR_COUNT];        /* of measured requests */
    uint64_t model_loads;                /* in the window */
    bool with_models;                    /* nodes may lack one */
    uint64_t misclassified;              /* of measured requests */
    uint64_t hits;                /* in caches of nodes, of measured requests */
    uint64_t repeats, ideal_hits; /* of measured requests */
    uint64_t tier_failures; /* look-ups of measured requests in an outage */
    bool with_keys, with_caches, with_routing, with_classifier;
    bool with_queue_limits;
    bool with_members;       /* nodes come and go */
    uint64_t raw_ideal_hits; /* the same, before prompts were normalised */
    bool with_raw_keys;
    const struct tier_spec *tier; /* NULL: none; its answers are counted as
                                     those of node number node_count */

    uint64_t lost_attempts;

    double *latencies; /* [latency_capacity] by request, when kept */
    uint64_t latency_capacity, latency_count;
    bool keep_latencies, out_of_memory;

    struct card_records cards;
    struct class_records classes;
    struct class_records sources; /* of overlays, too; none without */
    const struct request_slab *slab;
    struct workload_origin *const *origins; /* by request of the slab */
    double *series;                         /* [bucket_count][SERIES_COUNT] */
    bool with_series[SERIES_COUNT];
    bool has_extras; /* latencies are kept, or there are classes or overlays:
                        one test for what most runs lack */
};

struct recorder_setup {
    uint32_t node_count;
    bool node_percentiles, keep_latencies, with_keys, with_caches;
    bool with_routing, with_classifier;
    bool with_models;       /* nodes may lack a request's model */
    bool with_queue_limits; /* nodes may refuse */
    bool with_members;      /* nodes come and go */
    bool with_raw_keys;     /* prompts are normalised */
    double goodput_bound_s; /* INFINITY: no latency goal */
    double confidence;      /* of intervals from ranks; 0: none are wanted */
    int64_t end_ns;
    uint32_t card_count; /* of nodes that have several */
    uint32_t class_count;
    const struct workload_class *classes;   /* [class_count] */
    uint32_t source_count;                  /* 0: there are no overlays */
    const struct request_slab *slab;        /* borrowed */
    struct workload_origin *const *origins; /* of requests of the slab, with
                                               overlays */
    const struct tier_spec *tier;           /* NULL: none */
};

/* false: no memory. */
bool recorder_init(struct recorder *recorder,
                   const struct recorder_setup *setup);
void recorder_done(struct recorder *recorder);

/* The window opens; meters are read. now_ns must be before the end. */
void recorder_open(struct recorder *recorder, const struct node *nodes,
                   int64_t now_ns);

/* Where a bucket begins, and bucket_count: where the last one ends. */
int64_t recorder_edge_ns(const struct recorder *recorder, uint32_t bucket);

/* The end of the next bucket; EVENT_NEVER before opening and after the end. */
int64_t recorder_next_edge_ns(const struct recorder *recorder);

/* That edge has come: reads the meters, and closes the window at the last. */
void recorder_edge(struct recorder *recorder, const struct node *nodes,
                   int64_t now_ns);

/* The bucket of an arrival in the window, by its edges. */
uint32_t recorder_find_bucket(const struct recorder *recorder,
                              int64_t arrived_at_ns);

/* Few are older than the bucket of now. */
static inline struct bucket_record *
recorder_bucket(const struct recorder *recorder, int64_t arrived_at_ns)
{
    if (arrived_at_ns >= recorder->bucket_start_ns)
        return recorder->bucket;
    return &recorder->buckets[recorder_find_bucket(recorder, arrived_at_ns)];
}

/* A request arrived; true: it is measured. */
bool recorder_arrived(struct recorder *recorder, int64_t at_ns, bool repeats,
                      bool ideal_hit);

/* A request was answered. first_token_ns: from arrival, negative: none. */
void recorder_answered(struct recorder *recorder, const struct request *request,
                       int64_t latency_ns, int64_t wait_ns,
                       int64_t first_token_ns);

/* The answer that is about to be noted is of a lesser means: it counts as
   degraded, in place of completed. */
void recorder_degrades(struct recorder *recorder,
                       const struct request *request);

/* An answer of the front door's own, degraded, of no node. */
void recorder_answered_at_door(struct recorder *recorder,
                               const struct request *request,
                               int64_t latency_ns, int64_t wait_ns);

/* A request ended without an answer. */
void recorder_lost(struct recorder *recorder, const struct request *request,
                   enum ending ending);

/* A mechanism will count what is told over time; without it that is absent. */
void recorder_has_series(struct recorder *recorder, enum series_id id);

/* One more, of a measured request that arrived then. */
void recorder_count(struct recorder *recorder, enum series_id id,
                    int64_t arrived_at_ns);

/* How much longer queues of the last quarter of the window must be than those
   of the second to be called growing. */
double recorder_suspect_growth(const struct recorder *recorder);

/* Fills everything that the recorder knows (recorder_sums.c). false: no
   memory. */
bool recorder_finish(struct recorder *recorder, const struct node *nodes,
                     struct run_result *ret);

#endif
