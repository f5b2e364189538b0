#include "sim/experiment/weight_times.h"

#include "sim/experiment/levels.h"

#include <math.h>

struct weight_times {
    double *weights;   /* [balancer_count][node_count] at since_ns */
    int64_t *since_ns; /* [balancer_count] */
    double *sums;      /* [bucket_count][node_count] weight times ns */
};

static double weight_of(const struct lbp_node *node)
{
    return node->weight * node->weight_factor;
}

bool weight_times_make(struct sim *sim)
{
    size_t nodes = sim->node_count;
    size_t cells = sim->recorder.bucket_count * nodes;
    struct weight_times *times;

    if (!balancer_spec_changes_weights(&sim->scenario->balancer))
        return true;
    times = arena_allocate(&sim->arena, 1, sizeof *times);
    if (!times)
        return false;
    times->weights = arena_allocate(&sim->arena, sim->balancer_count * nodes,
                                    sizeof *times->weights);
    times->since_ns = arena_allocate(&sim->arena, sim->balancer_count,
                                     sizeof *times->since_ns);
    times->sums = arena_allocate(&sim->arena, cells, sizeof *times->sums);
    if (!times->weights || !times->since_ns || !times->sums)
        return false;
    for (size_t b = 0; b < sim->balancer_count; b++)
        for (size_t i = 0; i < nodes; i++)
            times->weights[b * nodes + i] =
                weight_of(&sim->balancers[b].nodes[i]);
    sim->weight_times = times;
    return true;
}

/* The weights have been what they are until now. */
static void pass(const struct sim *sim, uint32_t balancer)
{
    const struct weight_times *times = sim->weight_times;
    size_t nodes = sim->node_count;

    for (size_t i = 0; i < nodes; i++)
        level_spread(&sim->recorder, times->since_ns[balancer], sim->now_ns,
                     times->weights[balancer * nodes + i], &times->sums[i],
                     nodes);
    times->since_ns[balancer] = sim->now_ns;
}

void weight_times_look(struct sim *sim, const struct balancer *balancer)
{
    struct weight_times *times = sim->weight_times;
    uint32_t index = balancer->view.balancer_index;

    if (!times)
        return;
    pass(sim, index);
    for (uint32_t i = 0; i < sim->node_count; i++)
        times->weights[(size_t)index * sim->node_count + i] =
            weight_of(&balancer->nodes[i]);
}

static void fill(const struct sim *sim, struct run_result *ret)
{
    const struct recorder *recorder = &sim->recorder;

    for (uint32_t b = 0; b < ret->bucket_count; b++) {
        double span_ns = (double)(recorder_edge_ns(recorder, b + 1) -
                                  recorder_edge_ns(recorder, b)) *
                         sim->balancer_count;

        for (uint32_t i = 0; i < sim->node_count; i++) {
            size_t at = (size_t)b * sim->node_count + i;

            ret->node_buckets[at].weight_mean =
                sim->weight_times ? sim->weight_times->sums[at] / span_ns : NAN;
        }
    }
}

void weight_times_finish(const struct sim *sim, struct run_result *ret)
{
    for (uint32_t b = 0; sim->weight_times && b < sim->balancer_count; b++)
        pass(sim, b);
    fill(sim, ret);
}
