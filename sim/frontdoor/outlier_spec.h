/*
 * What a scenario says about outlier detection: plain data, in base units,
 * checked by who fills it. The rule itself stands in outliers.h.
 */
#ifndef SIM_FRONTDOOR_OUTLIER_SPEC_H
#define SIM_FRONTDOOR_OUTLIER_SPEC_H

#include <stdbool.h>
#include <stdint.h>

enum outlier_rule { OUTLIER_ENVOY, OUTLIER_GRPC };

/* Why a node is ejected. */
enum outlier_cause {
    OUTLIER_5XX,     /* failures of any kind in a row */
    OUTLIER_GATEWAY, /* 502, 503, 504 in a row: no connection, a time-out */
    OUTLIER_LOCAL,   /* errors of the balancer's own side in a row */
    OUTLIER_SUCCESS_RATE,
    OUTLIER_FAILURE_PERCENTAGE,
    OUTLIER_LATENCY,
    OUTLIER_CAUSES
};

/* Enforced with a probability: 0 detects and does nothing. */
struct outlier_consecutive_spec {
    uint32_t errors; /* in a row; 0: not looked at */
    double enforcing;
};

struct outlier_success_spec {
    uint32_t min_nodes, volume; /* volume: requests of a node in an interval */
    uint32_t stdev_factor;      /* thousandths of a standard deviation */
    double enforcing;
};

struct outlier_failure_spec {
    uint32_t min_nodes, volume;
    double threshold; /* share of failures */
    double enforcing;
};

/* What is slow about a slow node: the first token, or the whole answer. */
enum outlier_latency_of { OUTLIER_OF_TTFT, OUTLIER_OF_ANSWER };

struct outlier_latency_spec {
    bool given;
    uint32_t of;     /* enum outlier_latency_of */
    double ratio;    /* to the pool's median; above 1 */
    uint32_t volume; /* a node's latest answers, 1 or more */
    double enforcing;
};

/* Defaults when given, Envoy's but where gRPC's differ: 10 s, 30 s, 300 s, 0 s,
   10 %; 5 in a row each, enforced 100 %, 0 % (gateway), 100 %; success rate 5
   nodes, 100 requests, 1900, 100 %; failure percentage 5 nodes, 50 requests,
   85 %, 0 %; latency off: first tokens, 3, 50, 100 %. */
struct outlier_spec {
    bool given;
    uint32_t rule;       /* enum outlier_rule */
    int64_t interval_ns; /* above 0 */
    int64_t base_ns;     /* of an ejection, above 0 */
    int64_t max_ns;      /* of an ejection; less than base_ns counts as that */
    int64_t jitter_ns;   /* at most so much longer; Envoy alone */
    double max_ejected;  /* share of the nodes */
    bool always_eject_one;   /* Envoy: one may go, whatever max_ejected says */
    bool split_local;        /* Envoy: connections apart from answers */
    bool returned_by_checks; /* Envoy: a successful check returns a node */
    bool counts_overload;    /* a full node fails too */
    struct outlier_consecutive_spec consecutive[OUTLIER_LOCAL + 1];
    struct outlier_success_spec success_rate;
    struct outlier_failure_spec failure_percentage;
    struct outlier_latency_spec latency;
};

#endif
