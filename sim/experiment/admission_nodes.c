/*
 * Caps of nodes, and queues for one node.
 *
 * A node at its cap is barred, and requests wait at the door for any node; or,
 * as HAProxy does where it must be this one, it may still be picked, and then
 * the request waits for it. What waits for a node counts as sent to it, for the
 * policy and in every count, but it has not left the front door.
 */
#include "sim/experiment/admission_parts.h"

#include "sim/experiment/life.h"
#include "sim/experiment/slow_starts.h"
#include "sim/frontdoor/node_cap.h"

#include <stdlib.h>

/* --- caps ----------------------------------------------------------------- */

static uint32_t cap_now(const struct sim *sim, const struct door *door,
                        uint32_t node)
{
    const struct admission *admission = sim->admission;
    uint64_t busy =
        (uint64_t)door->in_flight[0] + door->in_flight[1] + door->queue.count;

    return node_cap(
        admission->caps[node], admission->spec->caps.min, admission->full, busy,
        slow_starts_cap_percent(
            sim, &sim->balancers[door - sim->admission->doors], node));
}

static void update_node(struct sim *sim, uint32_t b, uint32_t node)
{
    const struct door *door = &sim->admission->doors[b];
    uint32_t room = sim->admission->spec->caps.node_queue;
    bool full = door->at_node[node] >= cap_now(sim, door, node);

    if (door->for_node)
        full = full && room > 0 && door->for_node[node].count >= room;
    balancer_bar(&sim->balancers[b], node, BAR_CAP, full, sim->now_ns);
}

bool admission_set_cap(struct sim *sim, uint32_t node, uint32_t cap)
{
    uint32_t *now = &sim->admission->caps[node];

    if (cap == 0)
        cap = UINT32_MAX;
    if (*now == cap)
        return false;
    *now = cap;
    for (uint32_t b = 0; b < sim->balancer_count; b++)
        update_node(sim, b, node);
    sim->attention = true;
    return true;
}

/* Caps that follow the load change for all nodes at once. */
static void update_caps(struct sim *sim, uint32_t b, uint32_t node)
{
    if (sim->admission->spec->caps.min == 0) {
        update_node(sim, b, node);
        return;
    }
    for (uint32_t i = 0; i < sim->node_count; i++)
        update_node(sim, b, i);
}

/* --- waiting for one node ------------------------------------------------ */

static void wait_for_node(struct sim *sim, struct door *door,
                          struct request *request, uint32_t index)
{
    struct request_door *own = request_door_at(&sim->slab, index);
    struct balancer *balancer = &sim->balancers[request->balancer];
    uint32_t class_index = class_of(sim, request);

    if (!door_queue_enter(&door->for_node[request->node], index, class_index,
                          0)) {
        sim_fail(sim, SIM_NO_MEMORY);
        return;
    }
    own->waits_for_node = true;
    own->held_at_ns = sim->now_ns;
    door->wait_for_node++;
    balancer->waiting_head = 0;
    admission_count_waiting(sim, 1);
}

static void wait_no_more(struct sim *sim, struct door *door,
                         const struct request *request, uint32_t index)
{
    struct request_door *own = request_door_at(&sim->slab, index);

    door_queue_leave(&door->for_node[request->node], index);
    own->waits_for_node = false;
    door->wait_for_node--;
    admission_count_waiting(sim, -1);
    admission_count_held(sim, request, index);
}

bool admission_waits_for_node(const struct sim *sim, uint32_t index)
{
    return request_door_at(&sim->slab, index)->waits_for_node;
}

bool admission_sent(struct sim *sim, struct balancer *balancer,
                    struct request *request, uint32_t index)
{
    struct door *door = door_of(sim, request);
    bool waits = false;

    door->in_flight[admission_level(sim, request)]++;
    if (sim->admission->spec->fail_fast.given)
        sim->attention = true; /* it may have taken the last one ready */
    if (!sim->admission->caps)
        return true;
    waits = door->for_node &&
            door->at_node[request->node] >= cap_now(sim, door, request->node);
    if (waits)
        wait_for_node(sim, door, request, index);
    else
        door->at_node[request->node]++;
    update_caps(sim, balancer->view.balancer_index, request->node);
    return !waits;
}

void admission_leave_node(struct sim *sim, const struct request *request,
                          uint32_t index)
{
    struct door *door = door_of(sim, request);

    if (admission_waits_for_node(sim, index))
        wait_no_more(sim, door, request, index);
    else
        door->at_node[request->node]--;
    update_caps(sim, request->balancer, request->node);
}

/* --- going on ------------------------------------------------------------ */

static void send_on(struct sim *sim, struct door *door, uint32_t index)
{
    struct request *request = request_at(&sim->slab, index);

    wait_no_more(sim, door, request, index);
    door->at_node[request->node]++;
    update_caps(sim, request->balancer, request->node);
    life_send_on(sim, request, index);
}

/* Its node is not to be had any more: as if it had not been picked. */
static void pick_anew(struct sim *sim, uint32_t index)
{
    struct request *request = request_at(&sim->slab, index);

    life_attempt_over(sim, &sim->nodes[request->node], request, index,
                      LBP_CANCELLED, ERROR_LOST_RACE, LBP_NO_TIME);
    request->epoch++;
    request->state = REQUEST_AT_DOOR;
    admission_dispatch(sim, request, index);
}

static void serve_node(struct sim *sim, struct balancer *balancer,
                       struct door *door, uint32_t node)
{
    struct door_queue *queue = &door->for_node[node];
    bool away = (balancer->bars[node] & BARS_TOLD & ~balancer->overlooked) != 0;

    door_queue_begin_round(queue);
    while (queue->count > 0 && sim->status == SIM_OK) {
        uint32_t index = door_queue_first(queue);

        if (away)
            pick_anew(sim, index);
        else if (door->at_node[node] < cap_now(sim, door, node))
            send_on(sim, door, index);
        else
            return;
    }
}

void admission_serve_nodes(struct sim *sim, struct balancer *balancer)
{
    uint32_t b = balancer->view.balancer_index;
    struct door *door = &sim->admission->doors[b];

    if (sim->admission->spec->slow_start.given) /* caps grow by themselves */
        for (uint32_t i = 0; i < sim->node_count; i++)
            update_node(sim, b, i);
    for (uint32_t i = 0; i < sim->node_count && door->wait_for_node > 0; i++)
        serve_node(sim, balancer, door, i);
}

/* --- making -------------------------------------------------------------- */

static bool make_door_caps(struct sim *sim, struct door *door)
{
    const struct admission *admission = sim->admission;

    door->at_node =
        arena_allocate(&sim->arena, sim->node_count, sizeof *door->at_node);
    if (!door->at_node || admission->spec->caps.queue == CAPS_QUEUE_AT_BALANCER)
        return door->at_node != NULL;
    door->for_node =
        arena_allocate(&sim->arena, sim->node_count, sizeof *door->for_node);
    for (uint32_t i = 0; door->for_node && i < sim->node_count; i++)
        if (!door_queue_init(&door->for_node[i], &sim->slab,
                             admission->band_of_class, admission->class_count,
                             admission->band_count, DOOR_FAIR_FCFS))
            return false;
    return door->for_node != NULL;
}

bool admission_make_caps(struct sim *sim)
{
    struct admission *admission = sim->admission;
    const struct caps_spec *spec = &admission->spec->caps;
    uint64_t sum = 0;
    uint32_t i = 0;

    if (!spec->given)
        return true;
    admission->caps =
        arena_allocate(&sim->arena, sim->node_count, sizeof *admission->caps);
    if (!admission->caps)
        return false;
    for (uint32_t g = 0; g < sim->scenario->group_count; g++) {
        const struct group_spec *group = &sim->scenario->groups[g];
        uint32_t cap = group->max_in_flight;

        if (cap == 0)
            cap = spec->max > 0 ? spec->max : UINT32_MAX;
        sum += (uint64_t)cap * group->count;
        for (uint32_t k = 0; k < group->count; k++, i++)
            admission->caps[i] = cap;
    }
    if (sum > UINT32_MAX)
        sum = UINT32_MAX;
    admission->full = spec->full > 0 ? spec->full : sum > 0 ? (uint32_t)sum : 1;
    for (uint32_t b = 0; b < sim->balancer_count; b++)
        if (!make_door_caps(sim, &admission->doors[b]))
            return false;
    return true;
}

void admission_unmake_caps(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->balancer_count; b++) {
        struct door *door = &sim->admission->doors[b];

        for (uint32_t i = 0; door->for_node && i < sim->node_count; i++)
            door_queue_done(&door->for_node[i]);
    }
}
