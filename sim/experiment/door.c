/*
 * Requests that wait at the front door because the policy said so, first come,
 * first asked again. With admission they wait in its queue, where others may
 * wait too and priorities count.
 */
#include "sim/experiment/admission.h"
#include "sim/experiment/batching.h"
#include "sim/experiment/life.h"
#include "sim/experiment/scaling.h"
#include "sim/experiment/timeouts.h"

void door_hold(struct sim *sim, struct balancer *balancer,
               struct request *request, uint32_t index)
{
    if (sim->admission) {
        admission_hold(sim, request, index);
        return;
    }
    request->next = REQUEST_NONE;
    request->prev = balancer->waiting_tail;
    if (balancer->waiting_tail != REQUEST_NONE)
        request_at(&sim->slab, balancer->waiting_tail)->next = index;
    else
        balancer->waiting_head = index;
    balancer->waiting_tail = index;
    if (sim->timeouts)
        timeouts_held(sim, request, index);
    if (sim->scaling)
        scaling_held(sim);
}

void door_leave(struct sim *sim, struct balancer *balancer,
                const struct request *request, uint32_t index)
{
    if (sim->admission) {
        admission_let_go(sim, request, index);
        return;
    }
    if (sim->batching && batching_let_go(sim, request, index))
        return;
    if (request->prev != REQUEST_NONE)
        request_at(&sim->slab, request->prev)->next = request->next;
    else
        balancer->waiting_head = request->next;
    if (request->next != REQUEST_NONE)
        request_at(&sim->slab, request->next)->prev = request->prev;
    else
        balancer->waiting_tail = request->prev;
}

/* First come, first asked; the first that must go on waiting ends the round. */
static void ask_waiting_of(struct sim *sim, struct balancer *balancer)
{
    while (balancer->waiting_head != REQUEST_NONE && sim->status == SIM_OK) {
        uint32_t index = balancer->waiting_head;
        struct request *request = request_at(&sim->slab, index);
        uint32_t node = LBP_NO_SLOT;
        enum lbp_status status = life_ask(sim, balancer, request, index, &node);

        if (status == LBP_WAIT)
            return;
        door_leave(sim, balancer, request, index);
        if (status == LBP_PICKED)
            life_send(sim, balancer, request, index, node);
        else
            life_not_sent(sim, request, index, status);
    }
}

void door_dispatch(struct sim *sim, struct request *request, uint32_t index)
{
    if (sim->batching && batching_wants(sim, request))
        batching_hold(sim, request, index);
    else if (sim->admission)
        admission_dispatch(sim, request, index);
    else
        life_dispatch(sim, &sim->balancers[request->balancer], request, index);
}

void door_ask_waiting(struct sim *sim)
{
    for (uint32_t i = 0; i < sim->balancer_count; i++)
        if (sim->admission)
            admission_serve(sim, &sim->balancers[i]);
        else
            ask_waiting_of(sim, &sim->balancers[i]);
}
