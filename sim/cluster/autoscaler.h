/*
 * The autoscaler of one group: one of the rules behind a common face.
 *
 * At each sync it is shown what an operator could read (the nodes' metrics as
 * last scraped, what waits at the front door) and says how many nodes there
 * should be. It touches no node, and knows no clock but the time it is told.
 */
#ifndef SIM_CLUSTER_AUTOSCALER_H
#define SIM_CLUSTER_AUTOSCALER_H

#include "sim/cluster/bucket_window.h"
#include "sim/cluster/scale_spec.h"

/* One node as the metrics have it. values by enum scale_metric, negative: not
   measured; only of ready nodes are they looked at. */
struct scale_sample {
    enum hpa_pod_state state;
    bool starts_up; /* its machine is there, and it is not ready */
    struct hpa_pod_times times;
    double values[SCALE_NODE_METRICS];
};

/* The group at a scrape. */
struct scale_view {
    const struct scale_sample *nodes; /* [node_count] those that exist */
    uint32_t node_count;
    uint32_t current;        /* nodes that are wanted now */
    uint32_t slots_per_node; /* staffing */
    double held;             /* requests that wait at the front door */
    double arrivals_per_s;
    double service_s;                 /* mean of one request; 0: none served */
    double latency_p99_s, ttft_p99_s; /* negative: none was answered */
};

struct autoscaler {
    const struct scale_spec *spec;
    struct hpa_spec hpa_spec;
    struct hpa hpa;
    struct keda_spec keda_spec;
    struct keda keda;
    struct kpa kpa;
    struct bucket_window window; /* kpa */
    uint32_t stable_buckets, panic_buckets;
    struct forecast trend;
    double steps_ahead;
    struct goal_scale_spec goal_spec;
    struct goal_scale goal;
    struct hpa_pod *pods; /* [spec->max] for one metric at a time */
    double excess_burst;  /* kpa: at the last sync */
};

/* start_up_ns: what a new node takes, for rules that look ahead. The spec must
   outlive the scaler. false: no memory; autoscaler_done may be called. */
bool autoscaler_init(struct autoscaler *scaler, const struct scale_spec *spec,
                     int64_t start_up_ns);
void autoscaler_done(struct autoscaler *scaler);

/* kpa: a scrape's span is over. total: of its metric, over all nodes and the
   front door. */
void autoscaler_note(struct autoscaler *scaler, double total);

/* How many nodes there should be, min to max. */
uint32_t autoscaler_sync(struct autoscaler *scaler,
                         const struct scale_view *view, int64_t now_ns);

/* keda: the operator's own look, between none and one. */
uint32_t autoscaler_poll(struct autoscaler *scaler,
                         const struct scale_view *view, int64_t now_ns);

/* The metric that the rule goes by, the first of the targets; SCALE_METRICS:
   none. */
enum scale_metric autoscaler_metric(const struct scale_spec *spec);

/* A node metric summed over the ready nodes, and what waits at the door where
   that is of its kind. */
double autoscaler_total(const struct scale_view *view,
                        enum scale_metric metric);

#endif
