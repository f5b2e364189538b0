/*
 * Requests that wait at the front door because the policy said so, first come,
 * first asked again.
 */
#include "sim/experiment/life.h"

void door_hold(struct sim *sim, struct balancer *balancer,
               struct request *request, uint32_t index)
{
    request->next = REQUEST_NONE;
    request->prev = balancer->waiting_tail;
    if (balancer->waiting_tail != REQUEST_NONE)
        request_at(&sim->slab, balancer->waiting_tail)->next = index;
    else
        balancer->waiting_head = index;
    balancer->waiting_tail = index;
}

void door_leave(struct sim *sim, struct balancer *balancer,
                const struct request *request)
{
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
        door_leave(sim, balancer, request);
        if (status == LBP_PICKED)
            life_send(sim, balancer, request, index, node);
        else
            life_not_sent(sim, request, index, status);
    }
}

void door_ask_waiting(struct sim *sim)
{
    for (uint32_t i = 0; i < sim->balancer_count; i++)
        ask_waiting_of(sim, &sim->balancers[i]);
}
