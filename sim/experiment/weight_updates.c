#include "sim/experiment/weight_updates.h"

#include "sim/experiment/panics.h"
#include "sim/experiment/weight_times.h"
#include "sim/frontdoor/dynamic_weights.h"

struct weight_updates {
    uint64_t changes;
    int64_t *used_ns; /* [balancer_count][node_count] the date of the report
                         that was last acted upon */
};

bool weight_updates_make(struct sim *sim)
{
    size_t count = (size_t)sim->balancer_count * sim->node_count;
    struct weight_updates *updates;

    if (!sim->scenario->balancer.dynamic_weights.given)
        return true;
    updates = arena_allocate(&sim->arena, 1, sizeof *updates);
    if (!updates)
        return false;
    updates->used_ns =
        arena_allocate(&sim->arena, count, sizeof *updates->used_ns);
    if (!updates->used_ns)
        return false;
    for (size_t i = 0; i < count; i++)
        updates->used_ns[i] = LBP_NO_TIME;
    sim->weight_updates = updates;
    return true;
}

/* The gpu's use, or the processor's where there is none; negative: unknown. */
static double use_of(const struct lbp_node *node)
{
    return node->gpu_use >= 0 ? node->gpu_use : node->cpu_use;
}

static uint32_t next_weight(const struct sim *sim, const struct lbp_node *node,
                            uint32_t configured)
{
    const struct dynamic_weights_spec *spec =
        &sim->scenario->balancer.dynamic_weights;
    double use = use_of(node);

    if (spec->rule == DYNAMIC_WEIGHTS_HAPROXY_AGENT)
        return dynamic_weights_agent(configured,
                                     dynamic_weights_idle_percent(use));
    return dynamic_weights_step(spec, configured, node->weight, use);
}

/* true: the node weighs something else now. */
static bool weigh(struct sim *sim, struct balancer *balancer, uint32_t index)
{
    const struct lbp_node *node = &balancer->nodes[index];
    uint32_t configured = sim->described[index].weight;
    int64_t *used_ns =
        &sim->weight_updates
             ->used_ns[(size_t)balancer->view.balancer_index * sim->node_count +
                       index];
    uint32_t weight;

    if (configured == 0 || node->reported_at_ns == LBP_NO_TIME ||
        node->reported_at_ns <= *used_ns || use_of(node) < 0)
        return false;
    *used_ns = node->reported_at_ns;
    weight = next_weight(sim, node, configured);
    if (weight == node->weight)
        return false;
    sim->weight_updates->changes++;
    balancer_set_weight(balancer, index, weight);
    return true;
}

static void set_next(struct sim *sim, uint32_t b)
{
    sim_alarm(sim,
              sim->now_ns + sim->scenario->balancer.dynamic_weights.period_ns,
              ALARM_WEIGHTS, b, 0);
}

void weight_updates_period(struct sim *sim, uint32_t b)
{
    struct balancer *balancer = &sim->balancers[b];
    bool changed = false;

    if (balancer->view.report_interval_ns == 0)
        rhythms_show_reports(sim, balancer);
    for (uint32_t i = 0; i < sim->node_count; i++)
        changed = weigh(sim, balancer, i) || changed;
    set_next(sim, b);
    if (!changed)
        return;
    weight_times_look(sim, balancer);
    if (!balancer_tell(balancer, sim->now_ns))
        sim_fail(sim, SIM_NO_MEMORY);
    panics_look(sim, balancer);
    if (balancer->waiting_head != REQUEST_NONE)
        sim->attention = true;
}

void weight_updates_start(struct sim *sim)
{
    for (uint32_t b = 0; sim->weight_updates && b < sim->balancer_count; b++)
        set_next(sim, b);
}

void weight_updates_finish(const struct sim *sim, struct run_result *ret)
{
    if (sim->weight_updates)
        ret->values[M_WEIGHT_CHANGES] = (double)sim->weight_updates->changes;
}
