#include "sim/frontdoor/connections.h"

#include "sim/frontdoor/balancer.h"

#include <stddef.h>

static struct connections *connections_of(const struct lbp_view *view)
{
    struct balancer *balancer =
        (struct balancer *)(void *)((char *)(uintptr_t)view -
                                    offsetof(struct balancer, view));

    return &balancer->connections;
}

static struct connection *client_of(struct connections *connections,
                                    const struct lbp_request *request)
{
    return &connections->clients[request->id % connections->spec->clients];
}

/* Whether its node is still the one that it was opened to, and to be had. */
static bool is_open(const struct balancer *balancer,
                    const struct connection *connection)
{
    uint32_t slot = connection->slot;

    return slot != LBP_NO_SLOT && balancer->view.now_ns < connection->ends_ns &&
           balancer->nodes[slot].generation == connection->generation &&
           (balancer->eligible[slot / 64] >> (slot % 64) & 1);
}

static int64_t draw_age_ns(struct connections *connections)
{
    const struct connections_spec *spec = connections->spec;
    double change = spec->age_jitter * (2 * rng_uniform(&connections->rng) - 1);

    return spec->max_age_ns + (int64_t)((double)spec->max_age_ns * change);
}

static void open_to(struct balancer *balancer, struct connection *connection,
                    uint32_t slot)
{
    struct connections *connections = &balancer->connections;

    connections->opened++;
    *connection = (struct connection){
        .ends_ns = INT64_MAX,
        .slot = slot,
        .generation = balancer->nodes[slot].generation,
    };
    if (connections->spec->max_age_ns < INT64_MAX)
        connection->ends_ns = balancer->view.now_ns + draw_age_ns(connections);
}

/* The policy may have that one node or none. */
static enum lbp_status pick_alone(struct connections *connections, void *state,
                                  const struct lbp_view *view,
                                  const struct lbp_request *request,
                                  uint32_t slot, uint32_t *ret_slot,
                                  struct lbp_explanation *explanation)
{
    uint64_t *word = &connections->alone[slot / 64];
    struct lbp_request alone = *request;
    enum lbp_status status;

    *word = (uint64_t)1 << (slot % 64);
    alone.eligible = connections->alone;
    alone.eligible_count = 1;
    status =
        connections->policy->pick(state, view, &alone, ret_slot, explanation);
    *word = 0;
    return status;
}

static enum lbp_status connections_pick(void *state,
                                        const struct lbp_view *view,
                                        const struct lbp_request *request,
                                        uint32_t *ret_slot,
                                        struct lbp_explanation *explanation)
{
    struct connections *connections = connections_of(view);
    struct balancer *balancer =
        (struct balancer *)(void *)((char *)connections -
                                    offsetof(struct balancer, connections));
    struct connection *connection = client_of(connections, request);
    bool opens = request->attempt == 0 && !is_open(balancer, connection);
    enum lbp_status status;

    if (request->attempt == 0 && !opens &&
        lbp_eligible(request, connection->slot))
        return pick_alone(connections, state, view, request, connection->slot,
                          ret_slot, explanation);
    status =
        connections->policy->pick(state, view, request, ret_slot, explanation);
    if (opens && status == LBP_PICKED && *ret_slot < view->slot_count)
        open_to(balancer, connection, *ret_slot);
    return status;
}

/* One that broke is known to be broken. */
static void connections_on_done(void *state, const struct lbp_view *view,
                                const struct lbp_request *request,
                                uint32_t slot, const struct lbp_result *result)
{
    struct connections *connections = connections_of(view);
    struct connection *connection = client_of(connections, request);

    if (result->outcome == LBP_RESET && connection->slot == slot)
        connection->slot = LBP_NO_SLOT;
    if (connections->policy->on_done)
        connections->policy->on_done(state, view, request, slot, result);
}

bool connections_init(struct balancer *balancer,
                      const struct connections_spec *spec, struct rng rng,
                      struct arena *arena)
{
    struct connections *connections = &balancer->connections;

    *connections = (struct connections){
        .spec = spec,
        .policy = balancer->policy_ops,
        .ops = *balancer->policy_ops,
        .clients =
            arena_allocate(arena, spec->clients, sizeof *connections->clients),
        .alone =
            arena_allocate(arena, balancer->words, sizeof *connections->alone),
        .rng = rng,
    };
    if (!connections->clients || !connections->alone)
        return false;
    for (uint32_t i = 0; i < spec->clients; i++)
        connections->clients[i].slot = LBP_NO_SLOT;
    connections->ops.pick = connections_pick;
    connections->ops.on_done = connections_on_done;
    balancer->ops = &connections->ops;
    balancer->policy_ops = &connections->ops;
    return true;
}
