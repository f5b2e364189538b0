/*
 * What a scenario says about who may come in and who has to wait: plain data,
 * in base units, checked by who fills it. Every mechanism is off unless given,
 * and each balancer keeps its own counts, as proxies that share nothing do.
 *
 * Several of them may stand together. A request then has to pass all that
 * refuse, and waits as long as any one says so.
 */
#ifndef SIM_FRONTDOOR_ADMISSION_SPEC_H
#define SIM_FRONTDOOR_ADMISSION_SPEC_H

#include "workloads/classes.h"

#include <stdbool.h>
#include <stdint.h>

/* --- buckets ------------------------------------------------------------- */

enum bucket_per { BUCKET_PER_BALANCER, BUCKET_PER_CLASS, BUCKET_PER_TENANT };
enum bucket_unit { BUCKET_OF_REQUESTS, BUCKET_OF_TOKENS };

struct bucket_spec {
    bool given;
    enum bucket_per per;
    enum bucket_unit unit; /* tokens: of prompt and expected answer */
    double rate_per_s, burst;
};

/* --- saturation ---------------------------------------------------------- */

enum saturation_by { SATURATION_BY_IN_FLIGHT, SATURATION_BY_REPORTS };

struct saturation_spec {
    enum saturation_by by;
    double per_node;    /* in flight: requests that fill a node; 0: as many as
                           it serves at once */
    double queue_depth; /* reports: what fills a node's queue */
    double kv_use;      /* reports: what fills its memory of keys and values */
    int64_t stale_after_ns; /* older reports count as full */
};

/* Classes are refused from a saturation of their own on. */
struct shedding_spec {
    bool given;
    double limits[CLASS_URGENCIES]; /* by enum class_urgency */
    struct saturation_spec saturation;
};

/* llm-d: requests wait at the door while the pool is saturated. */
struct flow_control_spec {
    bool given;
    double limit; /* saturated from here on */
    struct saturation_spec saturation;
    int64_t sweep_ns; /* how often those that waited too long are looked for */
    int64_t ttl_ns;   /* what is too long; INT64_MAX: nothing is */
};

/* --- limits -------------------------------------------------------------- */

/* A limit on requests in flight that finds itself: additive increase,
   multiplicative decrease. */
enum aimd_grows { AIMD_GROWS_ALWAYS, AIMD_GROWS_WHEN_REACHED };

struct aimd_spec {
    bool given;
    int64_t window_ns;
    int64_t target_ns; /* of the quantile of times to the first token */
    double quantile;
    uint32_t start, least, most; /* least 1 or more; start between them */
    uint32_t increase;
    double decrease; /* factor, above 0 and below 1 */
    enum aimd_grows grows;
};

struct admission_spec {
    bool given;
    uint32_t in_flight; /* most sent and unanswered; 0: no limit */
    bool deadline;      /* what cannot be answered in time is refused */
    struct bucket_spec bucket;
    struct shedding_spec shedding;
    struct aimd_spec adaptive;
};

/* HAProxy's maxconn, minconn, fullconn of servers. */
enum caps_queue { CAPS_QUEUE_AT_BALANCER, CAPS_QUEUE_AT_NODE };

struct caps_spec {
    bool given;
    uint32_t max;  /* in flight to one node; a group may have its own */
    uint32_t min;  /* the cap when little is going on; 0: always max */
    uint32_t full; /* requests at the balancer from which caps are max; 0: the
                      sum of all nodes' */
    enum caps_queue queue;
    uint32_t node_queue; /* most that wait for one node; 0: no limit */
};

/* Envoy's circuit breakers of a cluster; each of two priorities has them. */
struct pool_limits_spec {
    bool given;
    uint32_t connections, pending, requests;
};

/* Linkerd: nobody is kept waiting when no node has been ready for long. */
struct fail_fast_spec {
    bool given;
    uint32_t queue;
    int64_t after_ns;
};

/* --- the queue at the door ----------------------------------------------- */

enum door_order { DOOR_FCFS, DOOR_EDF, DOOR_SLO };
enum door_fairness { DOOR_FAIR_FCFS, DOOR_FAIR_ROUND_ROBIN };
enum door_without_nodes { DOOR_HOLDS, DOOR_FAILS };

struct door_queue_spec {
    bool given;         /* also where another mechanism implies it */
    uint32_t size;      /* most requests that wait; UINT32_MAX: no limit */
    double tokens;      /* most expected tokens that wait; INFINITY: no limit */
    uint32_t flow_size; /* the same of one class and tenant, by turns */
    enum door_order order;
    enum door_fairness fairness;
    enum door_without_nodes without_nodes;
};

#endif
