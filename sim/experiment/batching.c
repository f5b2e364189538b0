#include "sim/experiment/batching.h"

#include "sim/experiment/deadlines.h"
#include "sim/experiment/life.h"
#include "sim/experiment/scaling.h"
#include "sim/experiment/timeouts.h"

struct collected {
    uint32_t request, epoch;
    int64_t since_ns;
    int64_t due_ns; /* must go then */
};

/* Of one class at one balancer. */
struct collection {
    struct collected *waiting; /* [spec->collect] in order of arrival */
    uint32_t count;
    uint32_t rounds;  /* how often all were sent */
    int64_t alarm_ns; /* the earliest that was set in this round; INT64_MAX */
};

struct batching {
    const struct batching_spec *spec;
    uint32_t class_count;           /* 1 or more */
    struct collection *collections; /* [balancer_count * class_count] */
    struct batch_item *items;       /* [spec->collect] for the cut */
    /* Of batches whose first request is measured. */
    uint64_t batches, requests, tokens, padded;
    double held_s;
};

bool batching_make(struct sim *sim)
{
    const struct batching_spec *spec = &sim->scenario->balancer.batching;
    uint32_t classes = sim->scenario->workload.class_count;
    struct batching *batching;
    size_t count;

    if (!spec->given)
        return true;
    batching = arena_allocate(&sim->arena, 1, sizeof *batching);
    if (!batching)
        return false;
    *batching = (struct batching){.spec = spec,
                                  .class_count = classes > 0 ? classes : 1};
    count = (size_t)sim->balancer_count * batching->class_count;
    batching->collections =
        arena_allocate(&sim->arena, count, sizeof *batching->collections);
    batching->items =
        arena_allocate(&sim->arena, spec->collect, sizeof *batching->items);
    if (!batching->collections || !batching->items)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct collection *at = &batching->collections[i];

        *at = (struct collection){.alarm_ns = INT64_MAX};
        at->waiting =
            arena_allocate(&sim->arena, spec->collect, sizeof *at->waiting);
        if (!at->waiting)
            return false;
    }
    sim->batching = batching;
    return true;
}

/* --- who waits ------------------------------------------------------------ */

static const struct workload_class *class_of(const struct sim *sim,
                                             const struct request *request)
{
    return sim->scenario->workload.class_count > 0
               ? &sim->scenario->workload.classes[request->taken_for]
               : NULL;
}

static uint32_t number_of(const struct sim *sim, const struct request *request)
{
    uint32_t class_number =
        sim->scenario->workload.class_count > 0 ? request->taken_for : 0;

    return request->balancer * sim->batching->class_count + class_number;
}

bool batching_wants(const struct sim *sim, const struct request *request)
{
    const struct workload_class *of = class_of(sim, request);

    return !(request->flags & (REQUEST_RETRIED | REQUEST_LESSER)) &&
           (!of || of->batched);
}

/* The class's own deadline or the total time-out, what comes first. */
static int64_t due_ns(const struct sim *sim, const struct request *request)
{
    const struct batching_spec *spec = sim->batching->spec;
    const struct workload_class *of = class_of(sim, request);
    int64_t after_ns = sim->scenario->balancer.timeout.total_ns;
    int64_t wait_ns = sim->now_ns + spec->max_wait_ns, hurry_ns;

    if (of && of->deadline_ns < after_ns)
        after_ns = of->deadline_ns;
    if (spec->before_deadline_ns == 0 ||
        after_ns >= INT64_MAX - request->arrived_at_ns)
        return wait_ns;
    hurry_ns = request->arrived_at_ns + after_ns - spec->before_deadline_ns;
    return hurry_ns < wait_ns ? hurry_ns : wait_ns;
}

static void set_alarm(struct sim *sim, struct collection *at, int64_t at_ns)
{
    if (at_ns >= at->alarm_ns)
        return;
    at->alarm_ns = at_ns;
    sim_alarm(sim, at_ns, ALARM_BATCHES,
              (uint32_t)(at - sim->batching->collections), at->rounds);
}

bool batching_let_go(struct sim *sim, const struct request *request,
                     uint32_t index)
{
    struct collection *at =
        &sim->batching->collections[number_of(sim, request)];
    uint32_t i = 0;

    while (i < at->count && at->waiting[i].request != index)
        i++;
    if (i == at->count)
        return false;
    at->count--;
    for (; i < at->count; i++)
        at->waiting[i] = at->waiting[i + 1];
    return true;
}

uint32_t batching_waiting(const struct sim *sim)
{
    uint32_t collections = sim->balancer_count * sim->batching->class_count;
    uint32_t waiting = 0;

    for (uint32_t i = 0; i < collections; i++)
        waiting += sim->batching->collections[i].count;
    return waiting;
}

/* --- who goes ------------------------------------------------------------- */

/* To *node, or where the policy wants it; what it is sent to first is *node. */
static void send_one(struct sim *sim, struct request *request, uint32_t index,
                     uint32_t *node)
{
    struct balancer *balancer = &sim->balancers[request->balancer];
    uint32_t picked = *node;
    enum lbp_status status = LBP_NO_NODE;

    if (*node != LBP_NO_SLOT)
        status = life_ask_at(sim, balancer, request, index, *node);
    if (status != LBP_PICKED)
        status = life_ask(sim, balancer, request, index, &picked);
    if (status == LBP_WAIT) {
        door_hold(sim, balancer, request, index);
    } else if (status == LBP_PICKED) {
        if (*node == LBP_NO_SLOT)
            *node = picked;
        life_send(sim, balancer, request, index, picked);
    } else {
        life_not_sent(sim, request, index, status);
    }
}

static void count_batch(struct sim *sim, const struct collection *at,
                        const struct batch_item *items, uint32_t count)
{
    struct batching *batching = sim->batching;

    if (!(request_at(&sim->slab, items[0].request)->flags & REQUEST_MEASURED))
        return;
    batching->batches++;
    batching->requests += count;
    batching->padded += batch_padded(items, count);
    for (uint32_t i = 0; i < count; i++) {
        batching->tokens += items[i].length;
        batching->held_s +=
            (double)(sim->now_ns - at->waiting[items[i].place].since_ns) * 1e-9;
    }
}

static void send_batch(struct sim *sim, const struct collection *at,
                       const struct batch_item *items, uint32_t count)
{
    uint32_t node = LBP_NO_SLOT;

    count_batch(sim, at, items, count);
    for (uint32_t i = 0; i < count && sim->status == SIM_OK; i++) {
        uint32_t index = items[i].request;
        struct request *request = request_at(&sim->slab, index);

        if (request->epoch == at->waiting[items[i].place].epoch &&
            !(sim->deadlines && deadlines_drop(sim, request, index)))
            send_one(sim, request, index, &node);
    }
}

/* What becomes of requests as they are sent may end them or make them retry,
   but brings no new one here, so what has waited can be read until the end. */
static void send_all(struct sim *sim, struct collection *at)
{
    struct batch_item *items = sim->batching->items;
    const struct batch_rule *rule = &sim->batching->spec->rule;
    uint32_t count = at->count, end;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = at->waiting[i].request;

        items[i] = (struct batch_item){
            .request = index,
            .length = request_at(&sim->slab, index)->input_tokens,
            .place = i};
    }
    at->count = 0;
    at->rounds++;
    at->alarm_ns = INT64_MAX;
    batch_sort(rule, items, count);
    for (uint32_t from = 0; from < count; from = end) {
        end = batch_end(rule, items, count, from);
        send_batch(sim, at, items + from, end - from);
    }
}

void batching_hold(struct sim *sim, struct request *request, uint32_t index)
{
    struct collection *at =
        &sim->batching->collections[number_of(sim, request)];
    int64_t at_ns = due_ns(sim, request);

    request->state = REQUEST_AT_DOOR;
    at->waiting[at->count++] = (struct collected){.request = index,
                                                  .epoch = request->epoch,
                                                  .since_ns = sim->now_ns,
                                                  .due_ns = at_ns};
    if (sim->timeouts)
        timeouts_held(sim, request, index);
    if (sim->scaling)
        scaling_held(sim);
    if (at->count == sim->batching->spec->collect)
        send_all(sim, at);
    else
        set_alarm(sim, at, at_ns);
}

/* Who set it may have left meanwhile. */
void batching_alarm(struct sim *sim, const struct alarm *alarm)
{
    struct collection *at = &sim->batching->collections[alarm->subject];
    int64_t first_ns = INT64_MAX;

    if (at->rounds != alarm->epoch)
        return;
    for (uint32_t i = 0; i < at->count; i++)
        if (at->waiting[i].due_ns < first_ns)
            first_ns = at->waiting[i].due_ns;
    at->alarm_ns = INT64_MAX;
    if (first_ns <= sim->now_ns)
        send_all(sim, at);
    else
        set_alarm(sim, at, first_ns);
}

/* --- measures ------------------------------------------------------------- */

void batching_finish(const struct sim *sim, struct run_result *ret)
{
    const struct batching *batching = sim->batching;
    double requests;

    if (!batching)
        return;
    requests = (double)batching->requests;
    ret->values[M_DOOR_BATCHES] = (double)batching->batches;
    if (batching->batches == 0)
        return;
    ret->values[M_DOOR_BATCH_SIZE] = requests / (double)batching->batches;
    ret->values[M_DOOR_BATCH_WAIT] = batching->held_s / requests;
    if (batching->padded > 0)
        ret->values[M_DOOR_BATCH_PADDING] =
            1 - (double)batching->tokens / (double)batching->padded;
}
