/*
 * What a scenario says about nodes: plain data, in base units, checked by who
 * fills it. Their accidents: fault_spec.h.
 */
#ifndef SIM_CLUSTER_GROUP_SPEC_H
#define SIM_CLUSTER_GROUP_SPEC_H

#include "sim/cluster/scale_spec.h"
#include "sim/core/batch_cut.h"

#include <stdbool.h>
#include <stdint.h>

enum node_kind { NODE_GPU, NODE_CPU };

enum engine_kind { ENGINE_SLOTS, ENGINE_SHARING, ENGINE_BATCH };

/* Which of the waiting requests is served next. */
enum queue_order {
    QUEUE_FCFS, /* as they came to the node */
    QUEUE_SJF,  /* the shortest service first, as predicted: without noise */
    QUEUE_PRIORITY, /* the highest priority first */
    QUEUE_EDF       /* the earliest deadline first */
};

/* Seconds on a node of speed 1: base + per_input * tokens + per_output *
   tokens. given false: the workload's own work is the need. */
struct service_spec {
    bool given;
    double base_s, per_input_token_s, per_output_token_s;
};

struct engine_spec {
    enum engine_kind kind;
    uint32_t slots; /* slots: requests served at once, 1 or more */
    uint32_t limit; /* sharing: the same; 0: no limit */
    /* sharing: with n in service each takes base + per_request * n times as
       long as its service time; the sum is more than 0. */
    double slowdown_base, slowdown_per_request;
    /* batch: what a batch is, and how long the oldest may wait for it to fill
       while the node is idle. */
    struct batch_rule batch;
    int64_t batch_max_wait_ns;
    double speed;      /* relative to the reference node, more than 0 */
    bool speed_varies; /* node_change_speed will be used */
    struct service_spec service;
    enum queue_order order;
    int64_t aging_ns;  /* priority: waiting so long is worth 1; 0: nothing */
    bool limits_queue; /* a request that finds queue_limit waiting is refused */
    uint32_t queue_limit;
};

/* What becomes of a request that the memory has no room for. */
enum memory_full { MEMORY_FULL_SERVE, MEMORY_FULL_SLOW, MEMORY_FULL_REFUSE };

enum cache_fill { CACHE_FILL_AT_ANSWER, CACHE_FILL_AT_MISS };

/* Requests served at once; 0: there is no limit. */
static inline uint32_t engine_served_at_once(const struct engine_spec *engine)
{
    if (engine->kind == ENGINE_BATCH)
        return engine->batch.size;
    return engine->kind == ENGINE_SLOTS ? engine->slots : engine->limit;
}

/* The result cache: whole answers by normalised prompt, LRU. */
struct result_cache_spec {
    bool given;
    uint64_t entries;       /* 0: no limit by entries */
    uint64_t bytes;         /* 0: no limit by bytes */
    double bytes_per_token; /* size of an answer: this times output tokens,
                               at least 1 byte */
    int64_t ttl_ns;         /* INT64_MAX: answers do not age */
    int64_t hit_time_ns;
    enum cache_fill fill;
    bool coalesce; /* one works on a missing answer, the others wait for it */
};

enum node_keys { NODE_KEYS_BY_REPLICATION, NODE_KEYS_FIXED, NODE_KEYS_LISTED };

/* What a node does with a request for a model that it does not list. */
enum misroute { MISROUTE_REFUSE, MISROUTE_RUN, MISROUTE_LOAD };

struct group_spec {
    const char *name;
    uint32_t count; /* 0 is allowed */
    enum node_kind kind;
    uint32_t weight;
    uint32_t max_in_flight;   /* of one balancer at a node; 0: unsaid */
    const char *const *zones; /* [zone_count] that its nodes take in turn */
    uint32_t zone_count;      /* 0: it is in none */
    struct engine_spec engine;
    uint32_t cards; /* over which what is in service is spread; 0 is 1 */
    struct result_cache_spec result_cache;
    double memory_base, memory_per_request; /* shares of the node's memory */
    bool memory_given;
    enum memory_full when_memory_full;
    double memory_slow_factor; /* MEMORY_FULL_SLOW: at least 1 */
    double cpu_per_request;    /* of a gpu node: share of cpu per request in
                                  service; NaN: unsaid, cpu is not reported */
    double cost_per_hour;      /* of a node, in any money; 0: not stated */
    enum node_keys keys;
    const char *const *listed_keys; /* [count] when NODE_KEYS_LISTED */
    uint64_t models; /* bit m set: serves model m of the scenario's list */
    uint64_t first_models; /* of these, with MISROUTE_LOAD: there at first */
    bool minds_models;     /* it lists some, and requests ask for some */
    enum misroute misroute;
    int64_t load_ns; /* of a model, with MISROUTE_LOAD */
    uint32_t
        load_resident;    /* models that it holds then; 0: as many as listed */
    uint32_t max_context; /* tokens that it can hold; 0: no limit is known */

    /* Nodes that come and go. With scale.given `count` is the most there may
       be, and scale.start what there is at first. */
    bool start_up_given;
    struct start_up_spec start_up;
    int64_t drain_timeout_ns;
    struct scale_spec scale;
    struct rollout_spec rollout;
    double activation;         /* of keda, as written */
    const char *schedule_text; /* as written, or NULL */
};

/* Whether nodes of the group may refuse a request because they are full. */
static inline bool group_may_refuse(const struct group_spec *group)
{
    return group->engine.limits_queue ||
           group->when_memory_full == MEMORY_FULL_REFUSE;
}

#endif
