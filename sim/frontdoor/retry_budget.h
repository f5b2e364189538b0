/*
 * What keeps retries from becoming the load that they were meant to survive:
 * a budget of one balancer, asked before each retry (and each hedge).
 *
 *   active    as many at once as a share of the requests that the balancer has
 *             out now, or at_least, whichever is more       (Envoy, LLM rules)
 *   fixed     at most at_least at once     (Envoy's max_retries circuit
 * breaker) deposits  each request pays in a share of a retry, to be used within
 * ttl; beside that, `reserve` a second are free             (finagle) throttle
 * tokens, up to a number: a failure takes one, a success brings `refill`; none
 * while at most half of them are left     (gRPC A6)
 *
 * Deposits and what is taken from them expire a tenth of the ttl at a time, as
 * in the original. Sums are in thousandths of a retry, so they are exact.
 * Times come from outside and never go back.
 */
#ifndef SIM_FRONTDOOR_RETRY_BUDGET_H
#define SIM_FRONTDOOR_RETRY_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

enum budget_kind {
    BUDGET_ACTIVE,
    BUDGET_FIXED,
    BUDGET_DEPOSITS,
    BUDGET_THROTTLE
};

struct budget_spec {
    bool given;
    uint32_t kind;        /* enum budget_kind */
    double share;         /* active, deposits: of requests */
    uint32_t at_least;    /* active, fixed: at once */
    double reserve_per_s; /* deposits */
    int64_t ttl_ns;       /* deposits; above 0 */
    uint32_t tokens;      /* throttle: the most there can be; 1 or more */
    double refill;        /* throttle: for a success, in tokens */
};

#define BUDGET_SLICES 10

struct retry_budget {
    const struct budget_spec *spec; /* borrowed */
    uint32_t active;                /* taken and not given back */
    uint64_t refused;               /* times that take said no */
    int64_t milli_tokens;           /* throttle */
    int64_t slices[BUDGET_SLICES];  /* deposits: milli retries, by time */
    int64_t slice;                  /* number of the newest since time 0 */
};

void retry_budget_init(struct retry_budget *budget,
                       const struct budget_spec *spec);

/* A request came: its first attempt is about to be sent. */
void retry_budget_request(struct retry_budget *budget, int64_t now_ns);

/* An attempt ended. */
void retry_budget_outcome(struct retry_budget *budget, bool success);

/* The most retries that may be active at once while so many requests are out;
   UINT32_MAX: that is not what limits them. */
uint32_t retry_budget_limit(const struct retry_budget *budget,
                            uint32_t requests_out);

/* A throttle has too few tokens left. Of other kinds: false. */
bool retry_budget_is_throttled(const struct retry_budget *budget);

/* May a retry start now? Then it is counted; else the refusal is. */
bool retry_budget_take(struct retry_budget *budget, int64_t now_ns,
                       uint32_t requests_out);

/* A retry that was taken is over. */
void retry_budget_give(struct retry_budget *budget);

#endif
