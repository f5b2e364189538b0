#include "sim/experiment/hedges.h"

#include "sim/experiment/life.h"
#include "sim/experiment/retries.h"
#include "sim/experiment/twins.h"
#include "sim/frontdoor/recent_latency.h"

#include <math.h>

/* Hedges that a budget may save up. */
#define SAVED_MOST 10.0

struct hedges {
    const struct hedge_spec *spec;
    struct recent_latency *recent; /* [balancer_count][class or 1]; NULL: the
                                      delay is given */
    uint32_t class_count;          /* 1 without classes */
    double *saved;                 /* [balancer_count] hedges of the budget */
    uint32_t *out;                 /* [balancer_count] attempts */
    double slots;                  /* of all nodes */
    uint64_t sent, won, no_budget, saturated; /* of measured requests */
    int64_t worked_ns, wasted_ns; /* in service: of winners, of losers */
};

static uint64_t count_slots(const struct sim *sim)
{
    uint64_t slots = 0;

    for (uint32_t i = 0; i < sim->node_count; i++)
        slots += sim->nodes[i].slots;
    return slots;
}

static bool make_recent(struct sim *sim, struct hedges *hedges)
{
    uint32_t classes = sim->scenario->workload.class_count;
    uint32_t count;

    hedges->class_count = classes > 0 ? classes : 1;
    count = hedges->class_count * sim->balancer_count;
    if (hedges->spec->after_ns >= 0)
        return true;
    hedges->recent = arena_allocate(&sim->arena, count, sizeof *hedges->recent);
    if (!hedges->recent)
        return false;
    for (uint32_t i = 0; i < count; i++)
        recent_latency_init(&hedges->recent[i], hedges->spec->percentile);
    return true;
}

bool hedges_make(struct sim *sim)
{
    const struct hedge_spec *spec = &sim->scenario->balancer.hedge;
    struct hedges *hedges;

    if (!spec->given)
        return true;
    hedges = arena_allocate(&sim->arena, 1, sizeof *hedges);
    if (!hedges)
        return false;
    hedges->spec = spec;
    hedges->slots = (double)count_slots(sim);
    hedges->saved =
        arena_allocate(&sim->arena, sim->balancer_count, sizeof *hedges->saved);
    hedges->out =
        arena_allocate(&sim->arena, sim->balancer_count, sizeof *hedges->out);
    if (!hedges->saved || !hedges->out || !make_recent(sim, hedges))
        return false;
    sim->hedges = hedges;
    sim->watches_attempts = true;
    if (spec->until == HEDGE_UNTIL_TOKEN)
        sim->node_world.first_token_events = true;
    return true;
}

/* --- when ------------------------------------------------------------------
 */

static struct recent_latency *recent_of(const struct sim *sim,
                                        const struct request *request)
{
    const struct hedges *hedges = sim->hedges;
    uint32_t c = hedges->class_count > 1 ? request->taken_for : 0;

    return &hedges->recent[request->balancer * hedges->class_count + c];
}

/* Since the attempt before; negative: not yet known. */
static int64_t delay_ns(const struct sim *sim, const struct request *request)
{
    if (sim->hedges->spec->after_ns >= 0)
        return sim->hedges->spec->after_ns;
    return recent_latency_ns(recent_of(sim, request));
}

static bool has_more(const struct sim *sim, uint32_t index)
{
    return request_retry_at(&sim->slab, index)->begun + 1 <
           sim->hedges->spec->attempts;
}

static void expect_next(struct sim *sim, const struct request *request,
                        uint32_t index)
{
    int64_t after_ns = delay_ns(sim, request);
    int64_t at_ns;

    if (!has_more(sim, index) || after_ns < 0 ||
        after_ns >= INT64_MAX - sim->now_ns)
        return;
    at_ns = sim->now_ns + after_ns;
    request_retry_at(&sim->slab, index)->hedge_at_ns = at_ns;
    sim_alarm(sim, at_ns, ALARM_HEDGE, index, request->epoch);
}

void hedges_sent(struct sim *sim, const struct request *request, uint32_t index)
{
    struct hedges *hedges = sim->hedges;
    double *saved = &hedges->saved[request->balancer];

    hedges->out[request->balancer]++;
    if (request->flags & REQUEST_TWIN)
        return;
    if (!(request->flags & REQUEST_RETRIED)) {
        request_retry_at(&sim->slab, index)->first_sent_at_ns = sim->now_ns;
        *saved += hedges->spec->budget;
        if (*saved > SAVED_MOST && *saved > hedges->spec->budget)
            *saved = fmax(SAVED_MOST, hedges->spec->budget);
    }
    expect_next(sim, request, index);
}

/* How long its class takes from the first attempt up to what decides a race:
   hedges change that only beyond the time at which they are sent. */
static void learn(struct sim *sim, const struct request *request,
                  uint32_t index, int64_t first_token_at_ns)
{
    int64_t at_ns = sim->now_ns;

    if (!sim->hedges->recent || (request->flags & REQUEST_CACHED))
        return;
    if (sim->hedges->spec->until == HEDGE_UNTIL_TOKEN &&
        first_token_at_ns != LBP_NO_TIME)
        at_ns = first_token_at_ns;
    recent_latency_add(
        recent_of(sim, request),
        at_ns - request_retry_at(&sim->slab, index)->first_sent_at_ns);
}

/* --- sending ---------------------------------------------------------------
 */

/* An answer or a first token may be here, or on its way as it is sent. */
static bool is_decided(const struct sim *sim, const struct request *request)
{
    switch (request->state) {
    case REQUEST_TO_NODE:
    case REQUEST_QUEUED:
    case REQUEST_FOLLOWING:
    case REQUEST_LOADING:
    case REQUEST_LOST:
    case REQUEST_HELD:
        return false;
    case REQUEST_RUNNING:
        return sim->hedges->spec->until == HEDGE_UNTIL_TOKEN &&
               (request->flags & (REQUEST_TOKENS | REQUEST_FIRST_TOKEN)) ==
                   REQUEST_TOKENS &&
               sim->nodes[request->node].has_costs;
    default:
        return true;
    }
}

static bool may_hedge(struct sim *sim, const struct request *request)
{
    struct hedges *hedges = sim->hedges;
    uint32_t b = request->balancer;
    bool measured = (request->flags & REQUEST_MEASURED) != 0;

    if (retries_throttled(sim, b))
        return false;
    if (hedges->out[b] * (double)sim->balancer_count >
        hedges->spec->saturation * hedges->slots) {
        hedges->saturated += measured;
        return false;
    }
    /* A hair less, or fifty times 2 % were not one. */
    if (hedges->saved[b] < 1 - 1e-9) {
        hedges->no_budget += measured;
        return false;
    }
    return true;
}

/* What all attempts of the request have been at is not tried by the twin. */
static void note_all_nodes(struct sim *sim, uint32_t index, uint32_t twin)
{
    struct request_retry *retry = request_retry_at(&sim->slab, twin);
    uint32_t *tried = request_tried_at(&sim->slab, twin);
    uint32_t at = index;

    do {
        if (retry->tried < sim->slab.tried_per_request)
            tried[retry->tried++] = request_at(&sim->slab, at)->node;
        if (!(request_at(&sim->slab, at)->flags & REQUEST_HEDGED))
            break;
        at = request_retry_at(&sim->slab, at)->twin;
    } while (at != index);
    retry->attempts = retry->tried;
}

/* false: nobody else could take it now; then there is no further hedge. */
static bool send_twin(struct sim *sim, uint32_t index)
{
    struct balancer *balancer =
        &sim->balancers[request_at(&sim->slab, index)->balancer];
    uint32_t twin_index, node = LBP_NO_SLOT;
    struct request *twin = twins_take(sim, index, &twin_index);
    enum lbp_status status;

    if (!twin)
        return false;
    note_all_nodes(sim, index, twin_index);
    balancer->wants_other = true;
    status = life_ask(sim, balancer, twin, twin_index, &node);
    balancer->wants_other = false;
    if (status != LBP_PICKED) {
        request_slab_give(&sim->slab, twin, twin_index);
        return false;
    }
    sim->hedges->saved[twin->balancer] -= 1;
    sim->hedges->sent += (twin->flags & REQUEST_MEASURED) != 0;
    request_retry_at(&sim->slab, index)->begun++;
    request_retry_at(&sim->slab, twin_index)->begun++;
    sources_redraw_need(sim, twin, index,
                        request_retry_at(&sim->slab, twin_index));
    twins_join(sim, index, twin_index);
    twin->flags &=
        (uint16_t) ~(REQUEST_CACHED | REQUEST_FIRST_TOKEN | REQUEST_CUT);
    twin->flags |= REQUEST_RETRIED;
    life_send(sim, balancer, twin, twin_index, node);
    return true;
}

static void hedge(struct sim *sim, uint32_t index)
{
    struct request *request = request_at(&sim->slab, index);
    uint32_t epoch = request->epoch;

    if (!has_more(sim, index) || is_decided(sim, request) ||
        !may_hedge(sim, request) || !send_twin(sim, index))
        return;
    /* A hit at once may have ended it all. */
    if (request->epoch == epoch && sim->status == SIM_OK &&
        !(request->flags & (REQUEST_ZOMBIE | REQUEST_TWIN)))
        expect_next(sim, request, index);
}

/* --- the race --------------------------------------------------------------
 */

/* In service so far, of an attempt that will not be needed. */
static int64_t worked_ns(const struct sim *sim, const struct request *request)
{
    return request->state == REQUEST_RUNNING &&
                   request->started_at_ns >= request->sent_at_ns
               ? sim->now_ns - request->started_at_ns
               : 0;
}

static void count_waste(struct sim *sim, uint32_t index)
{
    uint32_t at = request_retry_at(&sim->slab, index)->twin;

    for (; at != index; at = request_retry_at(&sim->slab, at)->twin)
        sim->hedges->wasted_ns += worked_ns(sim, request_at(&sim->slab, at));
}

static void win(struct sim *sim, struct request *request, uint32_t index)
{
    if (request->flags & REQUEST_MEASURED) {
        count_waste(sim, index);
        sim->hedges->won += (request->flags & REQUEST_TWIN) != 0;
    }
    twins_drop_others(sim, index, LBP_CANCELLED, ERROR_LOST_RACE);
}

void hedges_first_token(struct sim *sim, const struct request *request,
                        uint32_t index)
{
    if ((request->flags & REQUEST_HEDGED) && !(request->flags & REQUEST_ZOMBIE))
        sim_alarm(sim, sim->now_ns + sim->to_client.delay_ns, ALARM_TOKEN,
                  index, request->epoch);
}

static void answered(struct sim *sim, struct request *request, uint32_t index)
{
    if (request->flags & REQUEST_HEDGED)
        win(sim, request, index);
    if (request->flags & REQUEST_MEASURED)
        sim->hedges->worked_ns += request->started_at_ns >= request->sent_at_ns
                                      ? sim->now_ns - request->started_at_ns
                                      : 0;
}

void hedges_over(struct sim *sim, struct request *request, uint32_t index,
                 enum attempt_error error, int64_t first_token_at_ns)
{
    sim->hedges->out[request->balancer]--;
    if (error != ERROR_NONE)
        return;
    learn(sim, request, index, first_token_at_ns);
    answered(sim, request, index);
}

/* One that was sent meanwhile, after a failure, has put it off. */
static void hedge_if_due(struct sim *sim, uint32_t index)
{
    if (request_retry_at(&sim->slab, index)->hedge_at_ns == sim->now_ns)
        hedge(sim, index);
}

void hedges_alarm(struct sim *sim, const struct alarm *alarm)
{
    struct request *request = request_at(&sim->slab, alarm->subject);

    if (request->epoch != alarm->epoch || (request->flags & REQUEST_ZOMBIE))
        return;
    if (alarm->kind == ALARM_HEDGE)
        hedge_if_due(sim, alarm->subject);
    else if (request->flags & REQUEST_HEDGED)
        win(sim, request, alarm->subject);
}

/* The next one goes at once: gRPC's word for it is a non-fatal failure. */
void hedges_one_failed(struct sim *sim, struct request *request, uint32_t index)
{
    uint32_t heir = twins_part(sim, index);

    request_slab_give(&sim->slab, request, index);
    hedge(sim, heir);
}

void hedges_lost(struct sim *sim, uint32_t index, enum attempt_error error)
{
    twins_drop_others(sim, index, LBP_TIMEOUT, error);
}

void hedges_finish(const struct sim *sim, struct run_result *ret)
{
    const struct hedges *hedges = sim->hedges;
    double all_ns;

    if (!hedges)
        return;
    all_ns = (double)(hedges->worked_ns + hedges->wasted_ns);
    ret->values[M_HEDGES_SENT] = (double)hedges->sent;
    ret->values[M_HEDGES_WON] = (double)hedges->won;
    ret->values[M_HEDGES_WASTED] =
        all_ns > 0 ? (double)hedges->wasted_ns / all_ns : 0;
    ret->values[M_HEDGES_NO_BUDGET] = (double)hedges->no_budget;
    ret->values[M_HEDGES_SATURATED] = (double)hedges->saturated;
}
