#include "sim/frontdoor/retry_spec.h"

#define MS INT64_C(1000000)
#define BIT(cause) (1u << (cause))

const char *const retry_cause_words[CAUSE_COUNT + 1] = {
    [CAUSE_REFUSED] = "refused",
    [CAUSE_RESET] = "reset",
    [CAUSE_CONNECT] = "connect_timeout",
    [CAUSE_ERROR] = "error",
    [CAUSE_FULL] = "full",
    [CAUSE_TTFT] = "ttft",
    [CAUSE_INTER_TOKEN] = "inter_token",
    [CAUSE_ATTEMPT] = "attempt",
    [CAUSE_QUEUE] = "queue",
    [CAUSE_PATIENCE] = "patience",
    [CAUSE_MISROUTE] = "misroute",
};

/* Word of a failure before anything was worked on. */
#define CONNECTION (BIT(CAUSE_REFUSED) | BIT(CAUSE_CONNECT))

static const struct retry_spec plain = {
    .attempts = 2,
    .on = CONNECTION | BIT(CAUSE_RESET) | BIT(CAUSE_FULL) | BIT(CAUSE_TTFT) |
          BIT(CAUSE_ATTEMPT) | BIT(CAUSE_QUEUE),
    .non_idempotent = true,
    .to = RETRY_TO_OTHER,
    .partial = PARTIAL_AGAIN,
    .backoff = {.ladder = BACKOFF_EXPONENTIAL,
                .jitter = JITTER_FULL,
                .base_ns = 25 * MS,
                .max_ns = 250 * MS,
                .factor = 2,
                .spread = 0.2},
    .budget = {.kind = BUDGET_ACTIVE,
               .share = 0.1,
               .at_least = 3,
               .reserve_per_s = 10,
               .ttl_ns = 10000 * MS,
               .tokens = 10,
               .refill = 0.1},
};

/* ngx_http_upstream.c: error and timeout, as many tries as there are peers, a
   POST only when it was not sent yet. */
static void be_nginx(struct retry_spec *spec, uint32_t node_count)
{
    spec->attempts = node_count > 1 ? node_count : 1;
    spec->on = CONNECTION | BIT(CAUSE_RESET) | BIT(CAUSE_TTFT);
    spec->non_idempotent = false;
    spec->partial = PARTIAL_NEVER;
}

/* Three retries of the same server after a second each, the last one at
   another; connections that fail alone. */
static void be_haproxy(struct retry_spec *spec, int64_t connect_ns)
{
    spec->attempts = 4;
    spec->on = CONNECTION;
    spec->to = RETRY_TO_SAME;
    spec->partial = PARTIAL_NEVER;
    spec->backoff_given = true;
    spec->backoff.ladder = BACKOFF_CONSTANT;
    spec->backoff.jitter = JITTER_NONE;
    spec->backoff.base_ns = connect_ns < 1000 * MS ? connect_ns : 1000 * MS;
    spec->backoff.max_ns = spec->backoff.base_ns;
}

/* One retry, back-off from 25 ms, at most three retries at once; or, when a
   budget is named, 20 % of what is out. */
static void be_envoy(struct retry_spec *spec)
{
    spec->on = CONNECTION | BIT(CAUSE_RESET) | BIT(CAUSE_FULL) |
               BIT(CAUSE_ERROR) | BIT(CAUSE_TTFT) | BIT(CAUSE_ATTEMPT);
    spec->to = RETRY_TO_ANY;
    spec->partial = PARTIAL_NEVER;
    spec->backoff_given = true;
    spec->backoff.ladder = BACKOFF_SUMMED;
    spec->budget.share = 0.2;
    if (!spec->budget.given)
        spec->budget.kind = BUDGET_FIXED;
    spec->budget.given = true;
}

/* A6: at most five attempts, its example's ladder; the throttle is off unless
   named. */
static void be_grpc(struct retry_spec *spec)
{
    spec->attempts = 5;
    spec->on = CONNECTION | BIT(CAUSE_RESET) | BIT(CAUSE_FULL);
    spec->to = RETRY_TO_ANY;
    spec->partial = PARTIAL_NEVER;
    spec->backoff_given = true;
    spec->backoff.jitter = JITTER_AROUND;
    spec->backoff.base_ns = 100 * MS;
    spec->backoff.max_ns = 1000 * MS;
    spec->budget.kind = BUDGET_THROTTLE;
}

/* The budget alone limits them: a fifth of the requests of ten seconds, and ten
   a second. */
static void be_finagle(struct retry_spec *spec)
{
    spec->attempts = 100;
    spec->on = CONNECTION | BIT(CAUSE_FULL);
    spec->to = RETRY_TO_ANY;
    spec->partial = PARTIAL_NEVER;
    spec->budget.given = true;
    spec->budget.kind = BUDGET_DEPOSITS;
    spec->budget.share = 0.2;
}

void retry_spec_apply_rule(struct retry_spec *spec, uint32_t node_count,
                           int64_t connect_ns)
{
    struct retry_spec said = *spec;

    *spec = plain;
    spec->given = said.given;
    spec->rule = said.rule;
    spec->on_misroute = said.on_misroute;
    spec->backoff_given = said.backoff_given;
    spec->budget.given = said.budget.given;
    switch ((enum retry_rule)said.rule) {
    case RETRY_PLAIN:
        break;
    case RETRY_NGINX:
        be_nginx(spec, node_count);
        break;
    case RETRY_HAPROXY:
        be_haproxy(spec, connect_ns);
        break;
    case RETRY_ENVOY:
        be_envoy(spec);
        break;
    case RETRY_GRPC:
        be_grpc(spec);
        break;
    case RETRY_FINAGLE:
        be_finagle(spec);
        break;
    }
}

bool retry_spec_stays(const struct retry_spec *spec, uint32_t retry)
{
    if (spec->to != RETRY_TO_SAME)
        return false;
    if (spec->redispatch == 0)
        return retry + 1 < spec->attempts;
    return retry % spec->redispatch != 0;
}
