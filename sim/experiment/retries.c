/*
 * Whether a failed attempt is followed by another one, when, and where to.
 *
 * The order of questions: is another attempt of the same request still out
 * (hedges)? was this a failure that is tried again, and may it be (attempts,
 * time, what has come of the answer)? is there anything left in the budget?
 * Then it waits as long as the ladder, or the full node, says.
 */
#include "sim/experiment/retries.h"

#include "sim/experiment/deadlines.h"
#include "sim/experiment/hedges.h"
#include "sim/experiment/life.h"
#include "sim/experiment/timeouts.h"

#include <math.h>

struct retrying {
    struct retry_budget *budgets; /* [balancer_count] */
    uint32_t *out;                /* [balancer_count] attempts */
};

bool retries_make(struct sim *sim)
{
    const struct retry_spec *spec = &sim->scenario->balancer.retry;
    struct retrying *retrying;

    if (!spec->given || !spec->budget.given)
        return true;
    retrying = arena_allocate(&sim->arena, 1, sizeof *retrying);
    if (!retrying)
        return false;
    retrying->budgets = arena_allocate(&sim->arena, sim->balancer_count,
                                       sizeof *retrying->budgets);
    retrying->out =
        arena_allocate(&sim->arena, sim->balancer_count, sizeof *retrying->out);
    if (!retrying->budgets || !retrying->out)
        return false;
    for (uint32_t b = 0; b < sim->balancer_count; b++)
        retry_budget_init(&retrying->budgets[b], &spec->budget);
    sim->retrying = retrying;
    sim->watches_attempts = true;
    return true;
}

/* --- the budget ------------------------------------------------------------
 */

void retries_sent(struct sim *sim, const struct request *request)
{
    struct retrying *retrying = sim->retrying;

    retrying->out[request->balancer]++;
    if (!(request->flags & (REQUEST_RETRIED | REQUEST_TWIN)))
        retry_budget_request(&retrying->budgets[request->balancer],
                             sim->now_ns);
}

void retries_over(struct sim *sim, struct request *request,
                  enum attempt_error error)
{
    struct retrying *retrying = sim->retrying;

    retrying->out[request->balancer]--;
    if (request->flags & REQUEST_BUDGETED)
        retries_give_back(sim, request);
    if (error != ERROR_LOST_RACE)
        retry_budget_outcome(&retrying->budgets[request->balancer],
                             error == ERROR_NONE);
}

void retries_give_back(struct sim *sim, struct request *request)
{
    request->flags &= (uint16_t)~REQUEST_BUDGETED;
    retry_budget_give(&sim->retrying->budgets[request->balancer]);
}

bool retries_throttled(const struct sim *sim, uint32_t balancer)
{
    const struct retrying *retrying = sim->retrying;

    return retrying && retry_budget_is_throttled(&retrying->budgets[balancer]);
}

static bool take_from_budget(struct sim *sim, struct request *request)
{
    struct retrying *retrying = sim->retrying;
    uint32_t b = request->balancer;

    if (!retrying)
        return true;
    if (!retry_budget_take(&retrying->budgets[b], sim->now_ns,
                           retrying->out[b]))
        return false;
    request->flags |= REQUEST_BUDGETED;
    return true;
}

/* --- may it be tried again? ----------------------------------------------- */

/* CAUSE_COUNT: of what is never tried again. */
static uint32_t cause_of(enum attempt_error error)
{
    switch (error) {
    case ERROR_REFUSED:
        return CAUSE_REFUSED;
    case ERROR_RESET:
        return CAUSE_RESET;
    case ERROR_CONNECT:
        return CAUSE_CONNECT;
    case ERROR_FULL:
        return CAUSE_FULL;
    case ERROR_NO_MODEL:
        return CAUSE_MISROUTE;
    case ERROR_5XX:
        return CAUSE_ERROR;
    case ERROR_TTFT:
        return CAUSE_TTFT;
    case ERROR_INTER_TOKEN:
        return CAUSE_INTER_TOKEN;
    case ERROR_ATTEMPT:
        return CAUSE_ATTEMPT;
    case ERROR_QUEUE:
        return CAUSE_QUEUE;
    case ERROR_PATIENCE:
        return CAUSE_PATIENCE;
    case ERROR_ABANDONED:
    case ERROR_EXPIRED:
    case ERROR_COUNT:
    case ERROR_TOTAL:
    case ERROR_LOST_RACE:
    case ERROR_NONE:
        break;
    }
    return CAUSE_COUNT;
}

/* What was not yet on its way to be worked on can always be sent again. */
static bool was_sent(enum attempt_error error)
{
    return error != ERROR_REFUSED && error != ERROR_CONNECT;
}

static bool is_retried(const struct retry_spec *spec, enum attempt_error error)
{
    return (spec->on >> cause_of(error) & 1) != 0 &&
           (spec->non_idempotent || !was_sent(error));
}

static bool may_retry(struct sim *sim, struct request *request, uint32_t index,
                      enum attempt_error error)
{
    const struct balancer_spec *spec = &sim->scenario->balancer;
    int64_t gone_ns = sim->now_ns - request->arrived_at_ns;

    return spec->retry.given && sim->slab.tried_per_request > 0 &&
           is_retried(&spec->retry, error) &&
           request_retry_at(&sim->slab, index)->begun + 1 <
               spec->retry.attempts &&
           gone_ns < spec->timeout.total_ns &&
           (spec->retry.time_limit_ns == 0 ||
            gone_ns < spec->retry.time_limit_ns) &&
           (spec->retry.partial != PARTIAL_NEVER ||
            timeouts_tokens(sim, request, index) == 0) &&
           take_from_budget(sim, request);
}

/* gRPC's hedges: a failure that is not fatal lets the next one go at once, also
   when no other attempt is out. */
static bool next_hedge_goes(const struct sim *sim,
                            const struct request *request, uint32_t index,
                            enum attempt_error error)
{
    const struct hedge_spec *hedge = &sim->scenario->balancer.hedge;

    return hedge->given && hedge->rule == HEDGE_GRPC &&
           (error == ERROR_REFUSED || error == ERROR_RESET ||
            error == ERROR_CONNECT || error == ERROR_FULL) &&
           request_retry_at(&sim->slab, index)->begun + 1 < hedge->attempts &&
           !retries_throttled(sim, request->balancer);
}

/* --- another attempt -------------------------------------------------------
 */

/* What has come is not asked for again: it goes into the prompt. */
static void resume(struct sim *sim, struct request *request, uint32_t index)
{
    struct request_retry *retry = request_retry_at(&sim->slab, index);
    uint32_t came = timeouts_tokens(sim, request, index);

    if (came == 0)
        return;
    if (came >= request->output_tokens)
        came = request->output_tokens > 0 ? request->output_tokens - 1 : 0;
    if (!(request->flags & REQUEST_RESUMED))
        retry->first_token_at_ns =
            node_first_token_at_ns(&sim->nodes[request->node], &sim->slab,
                                   request, index) +
            sim->to_client.delay_ns;
    request->flags |= REQUEST_RESUMED;
    retry->delivered += came;
    request->input_tokens += came;
    request->output_tokens -= came;
}

int64_t retries_end_of_resumed(struct sim *sim, struct request *request,
                               uint32_t index)
{
    const struct request_retry *retry = request_retry_at(&sim->slab, index);
    struct balancer *balancer = &sim->balancers[request->balancer];

    /* It will be counted out by its prompt as the client knows it. */
    balancer->in_flight_tokens[request->node] -= retry->delivered;
    request->input_tokens -= retry->delivered;
    request->output_tokens += retry->delivered;
    return retry->first_token_at_ns;
}

/* The same need again, or other luck when noise is per attempt. */
static void prepare_retry(struct sim *sim, struct request *request,
                          uint32_t index)
{
    struct request_retry *retry = request_retry_at(&sim->slab, index);

    if (sim->scenario->balancer.retry.partial == PARTIAL_RESUME)
        resume(sim, request, index);
    request_tried_at(&sim->slab, index)[retry->tried++] = request->node;
    retry->attempts = retry->tried;
    retry->begun++;
    sources_redraw_need(sim, request, index, retry);
    request->flags &=
        (uint16_t) ~(REQUEST_CACHED | REQUEST_FIRST_TOKEN | REQUEST_CUT);
    request->flags |= REQUEST_RETRIED;
    if (request->flags & REQUEST_MEASURED)
        sim->recorder.retries++;
}

/* Its chance is the request's and the attempt's own. */
static int64_t back_off_ns(const struct sim *sim, const struct request *request,
                           const struct request_retry *retry)
{
    struct rng rng;

    rng_stream(&rng, sim->scenario->seed, sim->setup->replication, RNG_BACKOFF,
               rng_entity(request->number, retry->begun));
    return backoff_wait_ns(&sim->scenario->balancer.retry.backoff, retry->rungs,
                           rng_uniform(&rng));
}

static int64_t wait_ns(const struct sim *sim, const struct request *request,
                       uint32_t index, enum attempt_error error)
{
    const struct retry_spec *spec = &sim->scenario->balancer.retry;
    struct request_retry *retry = request_retry_at(&sim->slab, index);

    if (error == ERROR_FULL && spec->push_back_ns > 0) {
        retry->rungs = 0;
        return spec->push_back_ns;
    }
    if (!spec->backoff_given ||
        (spec->to == RETRY_TO_SAME && !retry_spec_stays(spec, retry->begun)))
        return 0;
    retry->rungs++;
    return back_off_ns(sim, request, retry);
}

static void try_again(struct sim *sim, struct request *request, uint32_t index)
{
    request->state = REQUEST_AT_DOOR;
    if (!sim->deadlines || !deadlines_drop(sim, request, index))
        door_dispatch(sim, request, index);
}

void retries_alarm(struct sim *sim, const struct alarm *alarm)
{
    struct request *request = request_at(&sim->slab, alarm->subject);

    if (request->epoch == alarm->epoch && request->state == REQUEST_BACKS_OFF)
        try_again(sim, request, alarm->subject);
}

/* Out of time is not the same as broken. */
static enum ending ending_of(enum attempt_error error)
{
    switch (error) {
    case ERROR_TTFT:
    case ERROR_INTER_TOKEN:
    case ERROR_ATTEMPT:
    case ERROR_QUEUE:
    case ERROR_PATIENCE:
    case ERROR_EXPIRED:
        return END_TIMED_OUT;
    default:
        return END_FAILED;
    }
}

void retries_consider(struct sim *sim, struct request *request, uint32_t index,
                      enum attempt_error error)
{
    int64_t after_ns;

    if (request->flags & REQUEST_HEDGED) {
        hedges_one_failed(sim, request, index);
        return;
    }
    if (!may_retry(sim, request, index, error) &&
        !next_hedge_goes(sim, request, index, error)) {
        losses_end(sim, request, index, ending_of(error));
        return;
    }
    prepare_retry(sim, request, index);
    after_ns = wait_ns(sim, request, index, error);
    if (after_ns == 0) {
        try_again(sim, request, index);
        return;
    }
    request->state = REQUEST_BACKS_OFF;
    if (after_ns < INT64_MAX - sim->now_ns)
        sim_alarm(sim, sim->now_ns + after_ns, ALARM_RETRY, index,
                  request->epoch);
}

/* How much more nodes were sent than came. */
static double amplification(const struct sim *sim)
{
    const struct recorder *recorder = &sim->recorder;
    uint64_t attempts = 0;

    for (uint32_t i = 0; i < sim->node_count; i++)
        attempts += recorder->counts[i].attempts;
    return recorder->measured > 0
               ? (double)attempts / (double)recorder->measured
               : NAN;
}

void retries_finish(const struct sim *sim, struct run_result *ret)
{
    uint64_t refused = 0;

    if (sim->retrying || sim->hedges ||
        (sim->timeouts && sim->scenario->balancer.retry.given))
        ret->values[M_AMPLIFICATION] = amplification(sim);
    if (!sim->retrying)
        return;
    for (uint32_t b = 0; b < sim->balancer_count; b++)
        refused += sim->retrying->budgets[b].refused;
    ret->values[M_BUDGET_REFUSALS] = (double)refused;
}
