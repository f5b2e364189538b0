/* Who waits at the door, and who goes when. */
#include "sim/experiment/admission_parts.h"

#include "sim/experiment/deadlines.h"
#include "sim/experiment/life.h"
#include "sim/experiment/scaling.h"
#include "sim/experiment/timeouts.h"

/* --- coming in ------------------------------------------------------------ */

/* Flows are apart by class, as classes may go to different nodes, and by
   tenant where these take turns. */
static uint32_t flow_of(const struct sim *sim, const struct request *request,
                        uint32_t index)
{
    const struct admission *admission = sim->admission;
    uint32_t flow = class_of(sim, request) * admission->tenants_apart;

    if (admission->tenants_apart > 1)
        flow += request_door_at(&sim->slab, index)->tenant;
    return flow;
}

static uint64_t key_of(const struct sim *sim, const struct request *request)
{
    enum door_order order = sim->admission->spec->queue.order;

    if (order == DOOR_FCFS)
        return 0;
    return heap_key_of_integer(
        admission_end_ns(sim, request, order == DOOR_SLO));
}

/* Others look at it to see whether anybody waits. */
static void show_waiting(struct sim *sim, struct balancer *balancer)
{
    const struct door *door =
        &sim->admission->doors[balancer->view.balancer_index];
    bool any = door->queue.count > 0 || door->wait_for_node > 0 ||
               sim->admission->spec->fail_fast.given;

    balancer->waiting_head = any ? 0 : REQUEST_NONE;
}

void admission_hold(struct sim *sim, struct request *request, uint32_t index)
{
    struct door *door = door_of(sim, request);
    struct request_door *own = request_door_at(&sim->slab, index);

    request->state = REQUEST_AT_DOOR;
    if (!door_queue_enter(&door->queue, index, flow_of(sim, request, index),
                          key_of(sim, request))) {
        sim_fail(sim, SIM_NO_MEMORY);
        return;
    }
    own->held_at_ns = sim->now_ns;
    door->tokens += own->tokens;
    door->pending[admission_level(sim, request)]++;
    admission_count_waiting(sim, 1);
    show_waiting(sim, &sim->balancers[request->balancer]);
    if (sim->scaling)
        scaling_held(sim);
    if (sim->timeouts)
        timeouts_held(sim, request, index);
}

void admission_let_go(struct sim *sim, const struct request *request,
                      uint32_t index)
{
    struct door *door = door_of(sim, request);
    struct request_door *own = request_door_at(&sim->slab, index);

    door_queue_leave(&door->queue, index);
    door->tokens -= own->tokens;
    door->pending[admission_level(sim, request)]--;
    admission_count_waiting(sim, -1);
    show_waiting(sim, &sim->balancers[request->balancer]);
    admission_count_held(sim, request, index);
}

static bool has_room(const struct sim *sim, const struct request *request,
                     uint32_t index)
{
    const struct door_queue_spec *spec = &sim->admission->spec->queue;
    const struct door *door = door_of(sim, request);
    uint32_t tokens = request_door_at(&sim->slab, index)->tokens;
    uint32_t same;

    door_queue_requests(&door->queue, flow_of(sim, request, index), &same);
    return door->queue.count < spec->size && same < spec->flow_size &&
           door->tokens + tokens <= spec->tokens;
}

static void hold_or_refuse(struct sim *sim, struct request *request,
                           uint32_t index)
{
    if (!sim->admission->spec->queue.given)
        admission_refuse(sim, request, index, REFUSAL_LIMIT);
    else if (!has_room(sim, request, index))
        admission_refuse(sim, request, index, REFUSAL_QUEUE);
    else
        admission_hold(sim, request, index);
}

/* llm-d: what may be shed does not wait for a saturated pool. */
static bool may_not_wait(const struct sim *sim, const struct request *request)
{
    const struct workload_class *class_spec = class_spec_of(sim, request);

    return class_spec && class_spec->urgency == CLASS_BACKGROUND;
}

void admission_dispatch(struct sim *sim, struct request *request,
                        uint32_t index)
{
    struct balancer *balancer = &sim->balancers[request->balancer];
    const struct door *door = door_of(sim, request);
    enum gate gate = admission_gate(sim, request);

    if (gate == GATE_OVERFLOW)
        admission_refuse(sim, request, index, REFUSAL_OVERFLOW);
    else if (gate == GATE_SATURATED && may_not_wait(sim, request))
        admission_refuse(sim, request, index, REFUSAL_SHED);
    else if (gate != GATE_OPEN ||
             !door_queue_flow_is_empty(&door->queue,
                                       flow_of(sim, request, index)))
        hold_or_refuse(sim, request, index);
    else
        life_dispatch(sim, balancer, request, index);
}

/* --- no node for it ------------------------------------------------------ */

static bool was_tried(const struct sim *sim, uint32_t index, uint32_t node)
{
    const uint32_t *tried;

    if (sim->slab.tried_per_request == 0)
        return false;
    tried = request_tried_at(&sim->slab, index);
    for (uint32_t i = 0; i < request_retry_at(&sim->slab, index)->tried; i++)
        if (tried[i] == node)
            return true;
    return false;
}

/* Whether a node that it may go to has no room now, or is away and may come
   back: not that all the policy had were not to its taste. */
static bool is_worth_waiting(const struct sim *sim,
                             const struct request *request, uint32_t index)
{
    const struct balancer *balancer = &sim->balancers[request->balancer];
    bool holds = sim->admission->spec->queue.without_nodes == DOOR_HOLDS;
    bool some = false;

    for (uint32_t i = 0; i < sim->node_count; i++) {
        uint16_t bars = balancer->bars[i];

        if (was_tried(sim, index, i))
            continue;
        if (bars == 0 && !balancer->lacks_model)
            return false;
        some = some || bars == BAR_CAP ||
               (holds && bars != 0 && !(bars & BAR_WEIGHT));
    }
    return some;
}

bool admission_keeps(struct sim *sim, struct request *request, uint32_t index)
{
    if (!sim->admission->spec->queue.given ||
        !is_worth_waiting(sim, request, index))
        return false;
    hold_or_refuse(sim, request, index);
    return true;
}

/* --- going --------------------------------------------------------------- */

/* false: nobody can go now. */
static bool serve_one(struct sim *sim, struct balancer *balancer,
                      struct door *door, uint32_t index)
{
    struct request *request = request_at(&sim->slab, index);
    uint32_t node = LBP_NO_SLOT;
    enum lbp_status status;

    if (sim->deadlines && deadlines_is_hopeless(sim, request)) {
        admission_let_go(sim, request, index);
        deadlines_drop(sim, request, index);
        return true;
    }
    if (admission_is_hopeless(sim, request)) {
        admission_let_go(sim, request, index);
        admission_refuse(sim, request, index, REFUSAL_DEADLINE);
        return true;
    }
    switch (admission_gate(sim, request)) {
    case GATE_OPEN:
        break;
    case GATE_SHUT_LEVEL:
    case GATE_OVERFLOW: /* all of a band are of one level */
        door_queue_block_band(&door->queue, index);
        return true;
    case GATE_SHUT:
    case GATE_SATURATED:
        return false;
    }
    status = life_ask(sim, balancer, request, index, &node);
    if (status == LBP_WAIT)
        return false;
    if (status == LBP_NO_NODE && is_worth_waiting(sim, request, index)) {
        door_queue_block(&door->queue, index);
        return balancer->ask.eligible_count > 0;
    }
    admission_let_go(sim, request, index);
    if (status == LBP_PICKED)
        life_send(sim, balancer, request, index, node);
    else
        life_not_sent(sim, request, index, status);
    return true;
}

static void note_readiness(struct sim *sim, struct balancer *balancer)
{
    const struct fail_fast_spec *spec = &sim->admission->spec->fail_fast;
    uint32_t b = balancer->view.balancer_index;
    struct fail_fast *state = &sim->admission->doors[b].fail_fast;

    if (spec->given &&
        fail_fast_note(state, balancer->ask.eligible_count > 0, sim->now_ns))
        sim_alarm(sim, sim->now_ns + spec->after_ns, ALARM_FAIL_FAST, b, 0);
}

void admission_serve(struct sim *sim, struct balancer *balancer)
{
    struct door *door = &sim->admission->doors[balancer->view.balancer_index];
    uint32_t index;

    if (sim->admission->caps)
        admission_serve_nodes(sim, balancer);
    note_readiness(sim, balancer);
    door_queue_begin_round(&door->queue);
    do {
        index = door_queue_first(&door->queue);
    } while (index != REQUEST_NONE && sim->status == SIM_OK &&
             serve_one(sim, balancer, door, index));
    note_readiness(sim, balancer);
    show_waiting(sim, balancer);
}

/* --- waiting too long ---------------------------------------------------- */

void admission_count_expired(struct sim *sim, const struct request *request)
{
    if (request->flags & REQUEST_MEASURED)
        sim->admission->expired++;
}

static void expire(struct sim *sim, uint32_t index)
{
    struct request *request = request_at(&sim->slab, index);

    admission_count_expired(sim, request);
    admission_let_go(sim, request, index);
    losses_end(sim, request, index, END_TIMED_OUT);
}

/* Takes one out of a flow that has waited for too long; false: there is none.
 */
static bool sweep_one(struct sim *sim, struct door *door, uint32_t flow)
{
    int64_t ttl_ns = sim->admission->spec->flow_control.ttl_ns;
    uint32_t count;
    const struct heap_entry *entries =
        door_queue_requests(&door->queue, flow, &count);

    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = entries[i].request;

        if (sim->now_ns - request_door_at(&sim->slab, index)->held_at_ns >=
            ttl_ns) {
            expire(sim, index);
            return true;
        }
    }
    return false;
}

void admission_sweep(struct sim *sim, uint32_t b)
{
    struct door *door = &sim->admission->doors[b];

    for (uint32_t f = 0; f < door->queue.flow_count; f++)
        while (sweep_one(sim, door, f))
            ;
    sim_alarm(sim, sim->now_ns + sim->admission->spec->flow_control.sweep_ns,
              ALARM_DOOR_SWEEP, b, 0);
}

void admission_fail_fast(struct sim *sim, uint32_t b)
{
    struct door *door = &sim->admission->doors[b];
    int64_t after_ns = sim->admission->spec->fail_fast.after_ns;

    while (fail_fast_is_on(&door->fail_fast, after_ns, sim->now_ns) &&
           door->queue.count > 0) {
        uint32_t index = door_queue_any(&door->queue);
        struct request *request = request_at(&sim->slab, index);

        admission_let_go(sim, request, index);
        admission_refuse(sim, request, index, REFUSAL_FAIL_FAST);
    }
}
