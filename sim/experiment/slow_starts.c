#include "sim/experiment/slow_starts.h"

#include "sim/experiment/weight_times.h"
#include "sim/frontdoor/slow_start.h"

#define WARM INT64_C(-1)

struct slow_starts {
    uint64_t count;
    int64_t *since_ns; /* [balancer_count][node_count] it came, or WARM */
    int64_t *next_ns;  /* the same: its next step */
    int64_t *alarm_ns; /* [balancer_count] when the next one rings; WARM: none
                          is set */
};

bool slow_starts_make(struct sim *sim)
{
    size_t count = (size_t)sim->balancer_count * sim->node_count;
    struct slow_starts *starts;

    if (!sim->scenario->balancer.slow_start.given)
        return true;
    starts = arena_allocate(&sim->arena, 1, sizeof *starts);
    if (!starts)
        return false;
    starts->since_ns =
        arena_allocate(&sim->arena, count, sizeof *starts->since_ns);
    starts->next_ns =
        arena_allocate(&sim->arena, count, sizeof *starts->next_ns);
    starts->alarm_ns = arena_allocate(&sim->arena, sim->balancer_count,
                                      sizeof *starts->alarm_ns);
    if (!starts->since_ns || !starts->next_ns || !starts->alarm_ns)
        return false;
    for (size_t i = 0; i < count; i++)
        starts->since_ns[i] = WARM;
    for (uint32_t b = 0; b < sim->balancer_count; b++)
        starts->alarm_ns[b] = WARM;
    sim->slow_starts = starts;
    return true;
}

static size_t place_of(const struct sim *sim, const struct balancer *balancer,
                       uint32_t node)
{
    return (size_t)balancer->view.balancer_index * sim->node_count + node;
}

/* An alarm that is set for later than needed is overtaken by another one, and
   finds nothing to do when it rings. */
static void ring_at(struct sim *sim, uint32_t b, int64_t at_ns)
{
    int64_t *alarm_ns = &sim->slow_starts->alarm_ns[b];

    if (*alarm_ns != WARM && *alarm_ns <= at_ns)
        return;
    *alarm_ns = at_ns;
    sim_alarm(sim, at_ns, ALARM_SLOW_START, b, 0);
}

void slow_starts_begin(struct sim *sim, struct balancer *balancer,
                       uint32_t node)
{
    const struct slow_start_spec *spec = &sim->scenario->balancer.slow_start;
    struct slow_starts *starts = sim->slow_starts;
    size_t at = place_of(sim, balancer, node);

    if (!starts)
        return;
    starts->count++;
    starts->since_ns[at] = sim->now_ns;
    starts->next_ns[at] = sim->now_ns + slow_start_step_ns(spec);
    balancer->nodes[node].weight_factor = slow_start_factor(spec, 0);
    weight_times_look(sim, balancer);
    ring_at(sim, balancer->view.balancer_index, starts->next_ns[at]);
}

void slow_starts_join(struct sim *sim, struct balancer *balancer, uint32_t node)
{
    if (!sim->slow_starts)
        return;
    slow_starts_begin(sim, balancer, node);
    if (!balancer_tell(balancer, sim->now_ns))
        sim_fail(sim, SIM_NO_MEMORY);
}

void slow_starts_end(struct sim *sim, const struct balancer *balancer,
                     uint32_t node)
{
    if (sim->slow_starts)
        sim->slow_starts->since_ns[place_of(sim, balancer, node)] = WARM;
}

/* A node's step, when it is due: its new factor. true: it is another one. */
static bool step_node(struct sim *sim, struct balancer *balancer, uint32_t node)
{
    const struct slow_start_spec *spec = &sim->scenario->balancer.slow_start;
    size_t at = place_of(sim, balancer, node);
    int64_t *next_ns = &sim->slow_starts->next_ns[at];
    double *factor = &balancer->nodes[node].weight_factor;
    double before = *factor;

    if (*next_ns > sim->now_ns)
        return false;
    *factor =
        slow_start_factor(spec, sim->now_ns - sim->slow_starts->since_ns[at]);
    *next_ns = sim->now_ns + slow_start_step_ns(spec);
    if (*factor >= 1)
        sim->slow_starts->since_ns[at] = WARM;
    return *factor != before;
}

void slow_starts_step(struct sim *sim, uint32_t b)
{
    struct slow_starts *starts = sim->slow_starts;
    struct balancer *balancer = &sim->balancers[b];
    int64_t next_ns = INT64_MAX;
    bool changed = false;

    if (starts->alarm_ns[b] != sim->now_ns)
        return; /* overtaken */
    starts->alarm_ns[b] = WARM;
    for (uint32_t i = 0; i < sim->node_count; i++) {
        size_t at = place_of(sim, balancer, i);

        if (starts->since_ns[at] == WARM)
            continue;
        changed = step_node(sim, balancer, i) || changed;
        if (starts->since_ns[at] != WARM && starts->next_ns[at] < next_ns)
            next_ns = starts->next_ns[at];
    }
    if (next_ns != INT64_MAX)
        ring_at(sim, b, next_ns);
    if (!changed)
        return;
    weight_times_look(sim, balancer);
    if (!balancer_tell(balancer, sim->now_ns))
        sim_fail(sim, SIM_NO_MEMORY);
}

void slow_starts_start(struct sim *sim)
{
    if (!slow_start_at_start(&sim->scenario->balancer.slow_start))
        return;
    for (uint32_t b = 0; b < sim->balancer_count; b++) {
        for (uint32_t i = 0; i < sim->node_count; i++)
            if (!(sim->balancers[b].bars[i] & BAR_ABSENT))
                slow_starts_begin(sim, &sim->balancers[b], i);
        if (!balancer_tell(&sim->balancers[b], sim->now_ns))
            sim_fail(sim, SIM_NO_MEMORY);
    }
}

uint32_t slow_starts_cap_percent(const struct sim *sim,
                                 const struct balancer *balancer, uint32_t node)
{
    const struct slow_starts *starts = sim->slow_starts;
    int64_t since_ns;

    if (!starts)
        return 100;
    since_ns = starts->since_ns[place_of(sim, balancer, node)];
    if (since_ns == WARM)
        return 100;
    return slow_start_cap_percent(&sim->scenario->balancer.slow_start,
                                  sim->now_ns - since_ns);
}

void slow_starts_finish(const struct sim *sim, struct run_result *ret)
{
    if (sim->slow_starts)
        ret->values[M_SLOW_STARTS] = (double)sim->slow_starts->count;
}
