#include "sim/experiment/misroutes.h"

#include "sim/cluster/model_shelf.h"

static void begin_load(struct sim *sim, const struct node *node)
{
    uint32_t index = (uint32_t)(node - sim->nodes);

    /* In another life the same load is another one. */
    if (!delay_line_push(&sim->loads[node->group], &sim->tree, sim->now_ns,
                         index, node->lives))
        sim_fail(sim, SIM_NO_MEMORY);
}

void misroutes_wait(struct sim *sim, struct node *node, struct request *request,
                    uint32_t index)
{
    bool starts;

    if (request->flags & REQUEST_ZOMBIE) {
        losses_zombie_gone(sim, request, index);
        return;
    }
    request->state = REQUEST_LOADING;
    if (!model_shelf_wait(node->shelf, index, request->epoch, request->model,
                          &starts))
        sim_fail(sim, SIM_NO_MEMORY);
    else if (starts)
        begin_load(sim, node);
}

/* NULL: it ended meanwhile. */
static struct request *still_waiting(const struct sim *sim,
                                     const struct shelf_waiter *waiter)
{
    struct request *request = request_at(&sim->slab, waiter->request);

    return request->epoch == waiter->epoch && request->state == REQUEST_LOADING
               ? request
               : NULL;
}

void misroutes_loaded(struct sim *sim, uint32_t line)
{
    struct delay_entry entry =
        delay_line_pop(&sim->loads[line - LINE_LOADS], &sim->tree);
    struct node *node = &sim->nodes[entry.request];
    struct shelf_waiter waiter;
    uint32_t model;
    bool more;

    if (node->lives != entry.epoch)
        return; /* it died meanwhile */
    model = model_shelf_loaded(node->shelf, sim->now_ns, &more);
    if (more)
        begin_load(sim, node);
    sim->recorder.model_loads += sim->recorder.open && !sim->recorder.closed;
    while (sim->status == SIM_OK &&
           model_shelf_next(node->shelf, model, &waiter)) {
        struct request *request = still_waiting(sim, &waiter);

        if (request)
            life_reach_node(sim, node, request, waiter.request);
    }
}

bool misroutes_take_waiting(struct sim *sim, uint32_t index, uint32_t *ret)
{
    struct node *node = &sim->nodes[index];
    struct shelf_waiter waiter;

    while (node->shelf &&
           model_shelf_next(node->shelf, SHELF_NOTHING, &waiter)) {
        struct request *request = still_waiting(sim, &waiter);

        if (!request)
            continue;
        request->state = REQUEST_LOST;
        request->next = REQUEST_NONE;
        *ret = waiter.request;
        return true;
    }
    if (node->shelf)
        model_shelf_reset(node->shelf);
    return false;
}

void misroutes_empty(struct sim *sim, uint32_t node, uint32_t lost,
                     void (*each)(struct sim *sim, uint32_t index))
{
    while (lost != REQUEST_NONE && sim->status == SIM_OK) {
        uint32_t next = request_at(&sim->slab, lost)->next;

        each(sim, lost);
        lost = next;
    }
    while (sim->status == SIM_OK && misroutes_take_waiting(sim, node, &lost))
        each(sim, lost);
}

void misroutes_node_died(struct sim *sim, uint32_t fault, uint32_t index)
{
    uint32_t waiting;

    while (sim->status == SIM_OK &&
           misroutes_take_waiting(sim, index, &waiting))
        losses_node_died(sim, fault, waiting);
}
