/*
 * A host of somebody else's, against the installed library: three nodes, one
 * of them at its cap, and six requests by the policy that is named.
 */
#include "policies/lbp.h"
#include "policies/params.h"
#include "policies/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 3 };

static uint64_t random_below(void *context, uint64_t bound)
{
    uint64_t *state = context;

    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return bound ? (*state >> 33) % bound : *state;
}

static void *allocate(void *context, size_t size)
{
    (void)context;
    return malloc(size);
}

static void release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

static int serve(const struct lbp_ops *ops, void *state, struct lbp_view *view,
                 uint32_t *in_flight)
{
    uint64_t eligible = 5; /* nodes 0 and 2 */

    for (uint64_t id = 0; id < 6; id++) {
        uint64_t note[2] = {0};
        struct lbp_request request = {
            .size = sizeof request,
            .id = id,
            .deadline_ns = LBP_NO_TIME,
            .note = note,
            .eligible = &eligible,
            .eligible_count = 2,
        };
        uint32_t slot;

        if (ops->pick(state, view, &request, &slot, NULL) != LBP_PICKED)
            return 1;
        in_flight[slot]++;
        if (ops->on_sent)
            ops->on_sent(state, view, &request, slot);
        printf("%u%c", slot, id < 5 ? ' ' : '\n');
    }
    return 0;
}

int main(int argc, char **argv)
{
    uint32_t in_flight[NODES] = {0}, since_report[NODES] = {0};
    uint64_t tokens[NODES] = {0}, chance = 1;
    struct lbp_node nodes[NODES];
    struct lbp_view view = {
        .size = sizeof view,
        .slot_count = NODES,
        .node_stride = sizeof *nodes,
        .nodes = nodes,
        .balancer_count = 1,
        .report_interval_ns = -1,
        .in_flight = in_flight,
        .in_flight_since_report = since_report,
        .in_flight_tokens = tokens,
    };
    struct lbp_host host = {sizeof host, &chance, random_below, allocate,
                            release,     NULL,    NULL};
    const char *name = argc > 1 ? argv[1] : "round_robin";
    const struct lbp_ops *ops = lbp_registry_find(name, strlen(name));
    void *config = ops ? malloc(ops->config_size + 1) : NULL;
    void *state;
    int status = 2;

    if (!config)
        return status;
    lbp_params_preset(ops, config);
    for (uint32_t slot = 0; slot < NODES; slot++)
        nodes[slot] = (struct lbp_node){.key = "n",
                                        .key_length = 1,
                                        .key_hash = slot,
                                        .generation = 1,
                                        .weight = 1,
                                        .weight_factor = 1,
                                        .reported_at_ns = LBP_NO_TIME};
    state = ops->create(config, &host);
    if (state && (!ops->on_members || ops->on_members(state, &view)))
        status = serve(ops, state, &view, in_flight);
    ops->destroy(state);
    free(config);
    return status;
}
