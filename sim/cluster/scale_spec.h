/*
 * What a scenario says about groups whose nodes come and go: plain data, in
 * base units, checked by who fills it.
 */
#ifndef SIM_CLUSTER_SCALE_SPEC_H
#define SIM_CLUSTER_SCALE_SPEC_H

#include "sim/cluster/forecast.h"
#include "sim/cluster/hpa.h"
#include "sim/cluster/keda.h"
#include "sim/cluster/kpa.h"
#include "sim/cluster/scale_rules.h"

#include "workloads/dist.h"

#include <stdbool.h>
#include <stdint.h>

enum start_law { START_CONSTANT, START_EXPONENTIAL };

/*
 * From the order of a node until it serves: the machine is provisioned, the
 * model is loaded, then the node is warmed with requests of its own. All zero:
 * it is there at once.
 */
struct start_up_spec {
    int64_t provision_ns; /* its mean */
    enum start_law law;
    struct dist provision_noise; /* instead: factors of mean 1, or none */
    uint64_t model_bytes, bytes_per_s;
    int64_t init_ns;
    uint32_t warm_up_requests;
    int64_t warm_up_request_ns;
    struct dist load_noise; /* factors of mean 1 on loading and warming */
};

/* bytes / bandwidth + init. */
int64_t start_up_load_ns(const struct start_up_spec *spec);
/* Requests that nobody asked, one after the other. */
int64_t start_up_warm_ns(const struct start_up_spec *spec);
/* All of it, on average. */
int64_t start_up_ns(const struct start_up_spec *spec);

/* A time, longer or shorter by one draw of noise; without noise nothing is
   drawn. Within [0, INT64_MAX / 2]. */
int64_t start_up_vary_ns(int64_t ns, const struct dist *noise, struct rng *rng);

enum scale_rule {
    SCALE_HPA,
    SCALE_KEDA,
    SCALE_KPA,
    SCALE_SCHEDULE,
    SCALE_TREND,
    SCALE_GOAL,
    SCALE_STAFFING,
    SCALE_THRESHOLD,
    SCALE_DEMAND /* as many as there is work for, at each arrival and answer */
};

enum scale_metric {
    SCALE_GPU,
    SCALE_CPU,
    SCALE_IN_FLIGHT, /* sent and unanswered */
    SCALE_QUEUE,     /* waiting inside the node */
    SCALE_RPS,       /* attempts that came, per second */
    SCALE_NODE_METRICS,
    SCALE_LATENCY = SCALE_NODE_METRICS, /* of the group: P99, seconds */
    SCALE_TTFT,
    SCALE_METRICS
};

/* Which ready node goes first; of equals the newest. */
enum scale_victim {
    VICTIM_LEAST_REUSE, /* the fewest answers from its cache since it came */
    VICTIM_NEWEST,
    VICTIM_OLDEST,
    VICTIM_LEAST_LOADED
};

enum staffing_method { STAFFING_ERLANG, STAFFING_SQUARE_ROOT };

struct scale_spec {
    bool given;
    enum scale_rule rule;
    uint32_t min, max;
    uint32_t start;                /* nodes at the start of the run */
    double targets[SCALE_METRICS]; /* per node; NaN: not a target */
    double wait_probability;       /* staffing */
    enum staffing_method method;
    int64_t sync_ns, scrape_ns, lag_ns;
    struct dist scrape_noise, lag_noise; /* factors of mean 1, or none */
    enum scale_victim victim;
    bool holds; /* requests that find no node wait at the front door */

    struct hpa_spec hpa;
    struct keda_spec keda; /* but for its hpa, min and max */
    struct kpa_spec kpa;
    struct schedule_spec schedule;
    struct forecast_spec trend;
    int64_t ahead_ns; /* trend: how far; negative: the start-up and a sync */
    double low;       /* share of the target below which one may go */
    bool inherits;
    struct goal_scale_spec goal;
};

/* Every node of the group is drained and started anew, so many at a time. */
struct rollout_spec {
    bool given;
    int64_t at_ns;
    uint32_t at_once;
    int64_t pause_ns; /* from one that is ready again to the next */
};

#endif
