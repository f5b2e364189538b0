/*
 * What a scenario says about the front door: plain data, in base units,
 * checked by who fills it. Every mechanism is off unless given.
 */
#ifndef SIM_FRONTDOOR_BALANCER_SPEC_H
#define SIM_FRONTDOOR_BALANCER_SPEC_H

#include "sim/frontdoor/admission_spec.h"
#include "sim/frontdoor/agent.h"
#include "sim/frontdoor/batching_spec.h"
#include "sim/frontdoor/breaker.h"
#include "sim/frontdoor/connections.h"
#include "sim/frontdoor/deadline.h"
#include "sim/frontdoor/degradation.h"
#include "sim/frontdoor/dynamic_weights.h"
#include "sim/frontdoor/health_spec.h"
#include "sim/frontdoor/max_fails.h"
#include "sim/frontdoor/observe.h"
#include "sim/frontdoor/outlier_spec.h"
#include "sim/frontdoor/panic.h"
#include "sim/frontdoor/retry_spec.h"
#include "sim/frontdoor/slow_start.h"

#include <stdbool.h>
#include <stdint.h>

struct lbp_ops;

enum balancer_assign { BALANCER_ASSIGN_HASH, BALANCER_ASSIGN_ROUND_ROBIN };

/* When nodes report: each at times of its own, or all at once from 0 on. */
enum report_phase { REPORT_PHASE_RANDOM, REPORT_PHASE_SAME };

/* What giving up frees of a node's: nothing, all, or only a place in the queue,
   as of a server that looks for its client before work and not during it. */
enum timeout_cancel { CANCEL_NOTHING, CANCEL_ALL, CANCEL_QUEUED };

/* When a request or an attempt is given up; those of attempts: 0: never. */
struct timeout_spec {
    int64_t total_ns;       /* from intended arrival to the whole answer;
                               INT64_MAX: never */
    int64_t connect_ns;     /* 1 s */
    int64_t ttft_ns;        /* from sending to the first token, or, of an answer
                               that comes in one piece, to the answer */
    int64_t inter_token_ns; /* between two tokens */
    int64_t attempt_ns;     /* from sending to the whole answer */
    int64_t queue_ns;       /* in one row: of the door, or of a node */
    enum timeout_cancel cancel;
};

struct balancer_spec {
    uint32_t count; /* 1 or more */
    enum balancer_assign assign;
    int64_t network_delay_ns;   /* one way, 0 or more */
    int64_t report_interval_ns; /* negative: no reports */
    enum report_phase report_phase;
    int64_t report_delay_ns; /* from node to balancer, 0 or more */
    double report_loss;      /* share of reports that do not arrive */
    struct health_spec health;
    struct health_spec generation; /* a second row of checks; only with the
                                      first */
    struct panic_spec panic;
    struct slow_start_spec slow_start;
    struct dynamic_weights_spec dynamic_weights;
    struct agent_spec agent;
    struct connections_spec connections;
    struct retry_spec retry;
    struct timeout_spec timeout;
    struct max_fails_spec max_fails;
    struct observe_spec observe;
    struct outlier_spec outlier;
    struct breaker_spec breaker;
    struct admission_spec admission;
    struct door_queue_spec queue;
    struct caps_spec caps;
    struct pool_limits_spec pool_limits;
    struct flow_control_spec flow_control;
    struct fail_fast_spec fail_fast;
    struct hedge_spec hedge;
    struct deadline_spec deadline;
    struct degradation_spec degrade;
    struct batching_spec batching;
};

/* Balancers may leave nodes out because of what traffic tells them. Those that
   observe do so through health checks. */
static inline bool balancer_spec_ejects(const struct balancer_spec *spec)
{
    return spec->max_fails.given || spec->outlier.given || spec->breaker.given;
}

/* Nodes may weigh more or less than configured. */
static inline bool
balancer_spec_changes_weights(const struct balancer_spec *spec)
{
    return spec->dynamic_weights.given || spec->slow_start.given ||
           spec->agent.given;
}

/* Whether a policy chooses among the nodes of the routing table, or among all
   as if there were none. */
enum policy_routing { POLICY_ROUTING_OFF, POLICY_ROUTING_TABLE };

/* What a policy is told of a request's output and work before it is answered:
   nothing, what similar ones took, or the truth, which nobody knows. */
enum policy_hints {
    POLICY_HINTS_NONE,
    POLICY_HINTS_HISTORY,
    POLICY_HINTS_EXACT
};

/* One entry of policies: a policy with its parameters. */
struct policy_spec {
    const char *label; /* as shown: "ring_hash", or with the parameters that
                          the user set: "ring_hash(replicas=200)"; unique */
    const char *name;  /* as written: a built-in one's, or the user's own for
                          a shared object */
    const struct lbp_ops *ops;
    const void *config; /* [ops->config_size], NULL when that is 0 */
    const char *so;   /* the shared object's file as written, NULL: built in */
    uint64_t so_hash; /* XXH64 of that file */
    enum policy_routing routing;

    uint32_t hints; /* enum policy_hints */
};

#endif
