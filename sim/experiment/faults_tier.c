/* Outages of the shared tier: those of its own list, and those of faults. They
   depend on nothing that happens, so they are known before the run begins. */
#include "sim/experiment/faults_state.h"

#include <stdlib.h>

struct outages {
    struct tier_outage *list; /* [capacity] on the heap */
    uint32_t count, capacity;
};

static bool add(struct outages *outages, struct tier_outage outage)
{
    if (outages->count == outages->capacity) {
        uint32_t room = outages->capacity ? 2 * outages->capacity : 16;
        struct tier_outage *more =
            realloc(outages->list, room * sizeof *outages->list);

        if (!more)
            return false;
        outages->list = more;
        outages->capacity = room;
    }
    outages->list[outages->count++] = outage;
    return true;
}

/* Alternates until the process, or the run, is over. */
static bool add_random(struct sim *sim, uint32_t f, struct outages *outages)
{
    const struct fault_spec *spec = &sim->scenario->faults[f];
    int64_t last_ns = fault_end_ns(spec->at_ns, spec->for_ns);
    int64_t run_ns =
        fault_end_ns(sim->scenario->duration_ns, sim->scenario->drain_ns);
    int64_t at_ns = spec->at_ns;
    struct rng times;

    rng_stream(&times, sim->scenario->seed, sim->setup->replication,
               RNG_FAULT_TIMES, rng_entity(f, 0));
    if (run_ns < last_ns)
        last_ns = run_ns;
    while (true) {
        struct tier_outage outage = {.cold = spec->cold};

        outage.at_ns =
            fault_end_ns(at_ns, fault_draw_time_ns(&spec->up, &times));
        if (outage.at_ns >= last_ns)
            return true;
        outage.for_ns = fault_draw_time_ns(&spec->down, &times);
        if (!add(outages, outage))
            return false;
        at_ns = fault_end_ns(outage.at_ns, outage.for_ns);
    }
}

static bool add_fault(struct sim *sim, uint32_t f, struct outages *outages)
{
    const struct fault_spec *spec = &sim->scenario->faults[f];

    if (spec->kind != FAULT_TIER_OUTAGE)
        return true;
    if (spec->random)
        return add_random(sim, f, outages);
    return add(outages,
               (struct tier_outage){spec->at_ns, spec->for_ns, spec->cold});
}

static int by_time(const void *a, const void *b)
{
    const struct tier_outage *x = a, *y = b;

    if (x->at_ns != y->at_ns)
        return x->at_ns < y->at_ns ? -1 : 1;
    return (x->for_ns > y->for_ns) - (x->for_ns < y->for_ns);
}

/* In order of time, those that overlap made one, which is cold if any is. */
static void merge(struct outages *outages)
{
    uint32_t kept = 0;

    if (outages->count == 0)
        return;
    qsort(outages->list, outages->count, sizeof *outages->list, by_time);
    for (uint32_t i = 1; i < outages->count; i++) {
        struct tier_outage *last = &outages->list[kept];
        const struct tier_outage *next = &outages->list[i];
        int64_t end_ns = tier_outage_end_ns(last);

        if (next->at_ns >= end_ns) {
            outages->list[++kept] = *next;
            continue;
        }
        if (tier_outage_end_ns(next) > end_ns)
            last->for_ns = tier_outage_end_ns(next) - last->at_ns;
        last->cold = last->cold || next->cold;
    }
    outages->count = kept + 1;
}

static bool gather(struct sim *sim, struct outages *outages)
{
    const struct tier_spec *spec = &sim->scenario->tier;

    for (uint32_t i = 0; i < spec->outage_count; i++)
        if (!add(outages, spec->outages[i]))
            return false;
    for (uint32_t f = 0; f < sim->scenario->fault_count; f++)
        if (!add_fault(sim, f, outages))
            return false;
    merge(outages);
    return true;
}

bool faults_make_tier_spec(struct sim *sim)
{
    struct outages outages = {0};
    struct tier_outage *kept = NULL;

    sim->tier_spec = sim->scenario->tier;
    if (!sim->tier_spec.given)
        return true;
    if (gather(sim, &outages))
        kept = arena_allocate(&sim->arena, outages.count, sizeof *kept);
    for (uint32_t i = 0; kept && i < outages.count; i++)
        kept[i] = outages.list[i];
    free(outages.list);
    sim->tier_spec.outages = kept;
    sim->tier_spec.outage_count = outages.count;
    return kept != NULL;
}
