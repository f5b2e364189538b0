/*
 * What a scenario says about active health checks: plain data, in base units,
 * checked by who fills it.
 *
 * A rule says how results become a belief, and when the next check comes:
 *
 *   plain    unhealthy_after failures in a row, healthy_after successes in a
 *            row; checks at a fixed rate, or each after the last one's result
 *   envoy    the same, but a failure that is no network failure turns a node
 *            at once; other intervals while a node is unhealthy, while a
 *            change is under way, and before there is any traffic
 *   haproxy  one counter: up while it is at rise or above (healthy_after is
 *            its rise, unhealthy_after its fall); fastinter while it moves,
 *            downinter while the node is down
 *
 * A level says what a check asks of the node, and so which ills it sees.
 */
#ifndef SIM_FRONTDOOR_HEALTH_SPEC_H
#define SIM_FRONTDOOR_HEALTH_SPEC_H

#include <stdbool.h>
#include <stdint.h>

enum health_rule { HEALTH_PLAIN, HEALTH_ENVOY, HEALTH_HAPROXY };

enum health_mode { HEALTH_FIXED_RATE, HEALTH_AFTER_RESULT };

enum probe_level {
    PROBE_TCP,       /* a connection: the kernel answers */
    PROBE_HTTP,      /* the server's health endpoint */
    PROBE_GENERATION /* one token: the engine itself has to work */
};

/* Whether a busy node answers as fast as an idle one, or the check waits its
   turn behind the requests. A generation always waits. */
enum probe_path { PROBE_INDEPENDENT, PROBE_QUEUED };

/* One row of checks that a balancer sends to each node. */
struct health_spec {
    bool given;
    enum health_rule rule;
    enum health_mode mode;
    enum probe_level probe;
    enum probe_path path;
    int64_t interval_ns, timeout_ns; /* timeout below interval when checks
                                        come at a fixed rate */
    uint32_t unhealthy_after, healthy_after; /* 1 or more */
    /* Envoy's, and HAProxy's downinter and fastinter (both edges). */
    int64_t unhealthy_interval_ns, healthy_edge_interval_ns,
        unhealthy_edge_interval_ns;
    int64_t no_traffic_interval_ns; /* 0: the same as with traffic */
    int64_t fast_interval_ns, down_interval_ns; /* as written: see above */
    double interval_jitter; /* up to this share of it is added */
    int64_t jitter_ns;      /* and up to this */
    double spread;          /* up to this share is added or taken away */
    double work_s;          /* of a generation on nodes without token costs */
    int64_t restart_ns;     /* a node found unhealthy is killed, and back after
                               this; 0: it is left alone */
    bool lenient; /* a node that delivers tokens is not dead: a check that
                     it misses counts for nothing */
};

#endif
