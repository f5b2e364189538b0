/*
 * What a scenario says about retries and hedges: plain data, checked by who
 * fills it.
 *
 * A rule is whose habits hold where the scenario is silent: of nginx, HAProxy,
 * Envoy, gRPC (A6), finagle, or plain: another node at once. A rule is nothing
 * but a set of defaults; every part of it can be said otherwise.
 */
#ifndef SIM_FRONTDOOR_RETRY_SPEC_H
#define SIM_FRONTDOOR_RETRY_SPEC_H

#include "sim/frontdoor/backoff.h"
#include "sim/frontdoor/retry_budget.h"

#include <stdbool.h>
#include <stdint.h>

/* Why an attempt can be tried again, in the order of retry_cause_words. */
enum retry_cause {
    CAUSE_REFUSED,
    CAUSE_RESET,
    CAUSE_CONNECT,
    CAUSE_ERROR,
    CAUSE_FULL,
    CAUSE_TTFT,
    CAUSE_INTER_TOKEN,
    CAUSE_ATTEMPT,
    CAUSE_QUEUE,
    CAUSE_PATIENCE,
    CAUSE_MISROUTE,
    CAUSE_COUNT
};

/* As in `on: [refused, reset]`; NULL at the end. */
extern const char *const retry_cause_words[CAUSE_COUNT + 1];

enum retry_rule {
    RETRY_PLAIN,
    RETRY_NGINX,
    RETRY_HAPROXY,
    RETRY_ENVOY,
    RETRY_GRPC,
    RETRY_FINAGLE
};

/* Which nodes a retry may go to: none that was tried, any, the same one. */
enum retry_to { RETRY_TO_OTHER, RETRY_TO_ANY, RETRY_TO_SAME };

/* What happens when a part of the answer has come already. */
enum retry_partial {
    PARTIAL_AGAIN, /* the client has seen nothing: answers are sent whole */
    PARTIAL_NEVER, /* no retry */
    PARTIAL_RESUME /* the rest is asked for: prompt and what has come go in */
};

struct retry_spec {
    bool given;
    uint32_t rule;       /* enum retry_rule */
    uint32_t attempts;   /* counts the first; 1 or more */
    uint32_t on;         /* bit c set: after cause c */
    bool on_misroute;    /* the same of CAUSE_MISROUTE */
    bool non_idempotent; /* also what was on its way to be worked on */
    uint32_t to;         /* enum retry_to */
    uint32_t redispatch; /* RETRY_TO_SAME: each so many retries to another node;
                            0: the last one */
    uint32_t partial;    /* enum retry_partial */
    int64_t time_limit_ns; /* from arrival: none later; 0: no limit */
    int64_t push_back_ns;  /* a full node asks to wait so long; 0: it does
                              not */
    bool backoff_given;
    struct backoff_spec backoff;
    struct budget_spec budget;
};

/* Whose habits hedges have where the scenario is silent. */
enum hedge_rule { HEDGE_LLM, HEDGE_GRPC };

/* What ends a race: the first token, or the whole answer. */
enum hedge_until { HEDGE_UNTIL_TOKEN, HEDGE_UNTIL_ANSWER };

struct hedge_spec {
    bool given;
    uint32_t rule;     /* enum hedge_rule */
    uint32_t attempts; /* of a request, the first counted; 1 or more */
    int64_t after_ns;  /* from the attempt before; negative: the percentile */
    double percentile; /* of recent times of its class, 0 to 1 */
    double budget;     /* hedges per request, in the long run */
    double saturation; /* none above; INFINITY: always */
    uint32_t until;    /* enum hedge_until */
};

/* Sets what the rule says of everything. */
void retry_spec_apply_rule(struct retry_spec *spec, uint32_t node_count,
                           int64_t connect_ns);

/* Whether the n-th retry (from 1) goes to the node of the attempt before. */
bool retry_spec_stays(const struct retry_spec *spec, uint32_t retry);

#endif
