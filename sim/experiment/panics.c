#include "sim/experiment/panics.h"

#include "sim/experiment/levels.h"
#include "sim/frontdoor/panic.h"

#define CALM INT64_C(-1)

struct panics {
    uint64_t count;
    double over_s;      /* of panics that are over, all balancers together */
    int64_t *since_ns;  /* [balancer_count] of the present one, or CALM */
    struct level level; /* balancers that panic */
};

bool panics_make(struct sim *sim)
{
    struct panics *panics;

    if (!sim->scenario->balancer.panic.given)
        return true;
    panics = arena_allocate(&sim->arena, 1, sizeof *panics);
    if (!panics)
        return false;
    panics->since_ns = arena_allocate(&sim->arena, sim->balancer_count,
                                      sizeof *panics->since_ns);
    if (!panics->since_ns ||
        !level_init(&panics->level, sim->recorder.bucket_count, &sim->arena))
        return false;
    for (uint32_t b = 0; b < sim->balancer_count; b++)
        panics->since_ns[b] = CALM;
    sim->panics = panics;
    return true;
}

/* Members that could take requests, and those of them that are not in doubt. */
static void count_members(const struct balancer *balancer,
                          uint32_t *ret_members, uint32_t *ret_healthy)
{
    *ret_members = 0;
    *ret_healthy = 0;
    for (uint32_t i = 0; i < balancer->node_count; i++) {
        if (balancer->bars[i] & BARS_TOLD & ~BARS_OF_DOUBT)
            continue;
        (*ret_members)++;
        *ret_healthy += !(balancer->bars[i] & BARS_OF_DOUBT);
    }
}

void panics_look(struct sim *sim, struct balancer *balancer)
{
    struct panics *panics = sim->panics;
    uint32_t members, healthy;
    int64_t *since_ns;
    bool holds;

    if (!panics)
        return;
    since_ns = &panics->since_ns[balancer->view.balancer_index];
    count_members(balancer, &members, &healthy);
    holds = panic_holds(&sim->scenario->balancer.panic, healthy, members);
    if (holds == (*since_ns != CALM))
        return;
    if (holds) {
        panics->count++;
        *since_ns = sim->now_ns;
    } else {
        panics->over_s += (double)(sim->now_ns - *since_ns) * 1e-9;
        *since_ns = CALM;
    }
    level_set(&panics->level, &sim->recorder,
              panics->level.value + (holds ? 1 : -1), sim->now_ns);
    if (!balancer_overlook(balancer, holds ? BARS_OF_DOUBT : 0, sim->now_ns))
        sim_fail(sim, SIM_NO_MEMORY);
}

void panics_finish(const struct sim *sim, struct run_result *ret)
{
    struct panics *panics = sim->panics;
    double sum_s;

    if (!panics)
        return;
    sum_s = panics->over_s;
    for (uint32_t b = 0; b < sim->balancer_count; b++)
        if (panics->since_ns[b] != CALM)
            sum_s += (double)(sim->now_ns - panics->since_ns[b]) * 1e-9;
    ret->values[M_PANICS] = (double)panics->count;
    ret->values[M_PANIC_TIME] = sum_s / sim->balancer_count;
    level_pass(&panics->level, &sim->recorder, sim->now_ns);
    for (uint32_t b = 0; b < ret->bucket_count; b++)
        ret->buckets[b].series[SERIES_PANIC] =
            level_in_bucket(&panics->level, &sim->recorder, b) /
            sim->balancer_count;
}
