/* When faults strike and end, and what is met at the nodes meanwhile. */
#include "sim/experiment/faults.h"

#include "sim/experiment/members.h"
#include "sim/experiment/misroutes.h"

enum fault_word faults_probe(const struct sim *sim,
                             const struct balancer *balancer, uint32_t index,
                             enum fault_probe level)
{
    (void)balancer;
    (void)level;
    if (sim->nodes[index].alive)
        return FAULT_ANSWERS;
    return sim->node_fault[index]->seen_as == FAULT_REFUSED
               ? FAULT_REFUSES
               : FAULT_SAYS_NOTHING;
}

static void strike(struct sim *sim, uint32_t fault)
{
    const struct fault_spec *spec = &sim->scenario->faults[fault];
    struct fault_state *state = &sim->faults[fault];
    struct node *node = &sim->nodes[state->node];
    uint32_t lost;

    if (!node->alive || !members_exists(sim, state->node))
        return; /* dead already: the first fault rules; or not there */
    sim->node_fault[state->node] = spec;
    lost = node_die(node, &sim->node_world, state->node, sim->now_ns);
    if (spec->restart_after_ns < INT64_MAX) {
        state->phase = FAULT_ENDS;
        event_tree_set(&sim->tree, state->leaf,
                       sim->now_ns + spec->restart_after_ns, RANK_FAULT);
    }
    losses_node_died(sim, fault, lost);
    misroutes_node_died(sim, fault, state->node);
}

void faults_event(struct sim *sim, uint32_t fault)
{
    struct fault_state *state = &sim->faults[fault];

    event_tree_clear(&sim->tree, state->leaf);
    if (state->phase == FAULT_STRIKES)
        strike(sim, fault);
    else if (!sim->nodes[state->node].alive) /* no other took its place */
        node_restart(&sim->nodes[state->node], sim->now_ns);
}

/* The node of a target: groups stand one after another. */
static uint32_t find_target(const struct scenario *scenario,
                            const struct fault_spec *spec)
{
    uint32_t first = 0;

    for (uint32_t g = 0; g < spec->group; g++)
        first += scenario->groups[g].count;
    return first + spec->index;
}

bool faults_start(struct sim *sim)
{
    const struct scenario *scenario = sim->scenario;

    sim->faults =
        arena_allocate(&sim->arena, scenario->fault_count, sizeof *sim->faults);
    if (!sim->faults)
        return false;
    for (uint32_t f = 0; f < scenario->fault_count; f++) {
        const struct fault_spec *spec = &scenario->faults[f];
        struct fault_state *state = &sim->faults[f];

        state->node = find_target(scenario, spec);
        state->leaf = event_tree_take(&sim->tree, f);
        if (state->leaf == EVENT_NO_LEAF)
            return false;
        delay_line_init(&state->inside_lost, spec->inside_lost_after_ns,
                        RANK_FAULT, LINE_INSIDE_LOST + f);
        event_tree_set(&sim->tree, state->leaf, spec->at_ns, RANK_FAULT);
    }
    return true;
}
