/* What is told of faults in the end: what struck when, and what it cost. */
#include "sim/experiment/faults_state.h"

#include <math.h>
#include <stdlib.h>

/* Beyond this, strikes are counted and not listed. */
enum { STRIKES_MAX = 100000 };

static bool make_room(struct faults *faults)
{
    uint32_t room = faults->strike_capacity ? 2 * faults->strike_capacity : 16;
    struct fault_strike *more;

    if (faults->strike_count < faults->strike_capacity)
        return true;
    more = realloc(faults->strikes, room * sizeof *faults->strikes);
    if (!more)
        return false;
    faults->strikes = more;
    faults->strike_capacity = room;
    return true;
}

uint32_t faults_note_strike(struct sim *sim, uint32_t kind, uint32_t node,
                            int64_t at_ns)
{
    struct faults *faults = sim->faults;

    faults->strikes_by_kind[kind]++;
    if (faults->strike_count == STRIKES_MAX) {
        faults->strikes_left_out++;
        return HOLD_NONE;
    }
    if (!make_room(faults)) {
        sim_fail(sim, SIM_NO_MEMORY);
        return HOLD_NONE;
    }
    faults->strikes[faults->strike_count] = (struct fault_strike){
        kind, node, (double)at_ns * 1e-9, (double)INFINITY};
    return faults->strike_count++;
}

/* --- availability --------------------------------------------------------- */

/* The part of [since_ns, now] that lies in the window. */
static double part_in_window(const struct sim *sim, int64_t since_ns)
{
    const struct recorder *recorder = &sim->recorder;
    int64_t from_ns = since_ns, to_ns = sim->now_ns;

    if (!recorder->open)
        return 0;
    if (from_ns < recorder->start_ns)
        from_ns = recorder->start_ns;
    if (to_ns > recorder->end_ns)
        to_ns = recorder->end_ns;
    return to_ns > from_ns ? (double)(to_ns - from_ns) : 0;
}

void faults_note_service(struct sim *sim, uint32_t index)
{
    const struct node *node = &sim->nodes[index];
    int64_t *since_ns = &sim->faults->out_since_ns[index];
    bool out =
        !node->alive ||
        (node->trouble && (node->trouble->frozen || node->trouble->swallows));

    if (out == (*since_ns != INT64_MIN))
        return;
    if (!out)
        sim->faults->out_ns[index] += part_in_window(sim, *since_ns);
    *since_ns = out ? sim->now_ns : INT64_MIN;
}

/* The share of the nodes' time in the window in which they were in service. */
static double availability(const struct sim *sim)
{
    const struct faults *faults = sim->faults;
    double window_ns = (double)(sim->recorder.end_ns - sim->recorder.start_ns);
    double out_ns = 0;

    if (!sim->recorder.open || sim->node_count == 0)
        return NAN;
    for (uint32_t i = 0; i < sim->node_count; i++) {
        out_ns += faults->out_ns[i];
        if (faults->out_since_ns[i] != INT64_MIN)
            out_ns += part_in_window(sim, faults->out_since_ns[i]);
    }
    return 1 - out_ns / (window_ns * sim->node_count);
}

/* --- the list ------------------------------------------------------------- */

/* Its outages were known beforehand, and have not been noted. */
static void note_tier(struct sim *sim)
{
    bool by_faults = false;

    for (uint32_t f = 0; f < sim->scenario->fault_count; f++)
        by_faults =
            by_faults || sim->scenario->faults[f].kind == FAULT_TIER_OUTAGE;
    for (uint32_t i = 0; by_faults && i < sim->tier_spec.outage_count; i++) {
        const struct tier_outage *outage = &sim->tier_spec.outages[i];
        uint32_t strike;

        if (outage->at_ns > sim->now_ns)
            return;
        strike = faults_note_strike(sim, FAULT_TIER_OUTAGE, UINT32_MAX,
                                    outage->at_ns);
        if (strike != HOLD_NONE && tier_outage_end_ns(outage) <= sim->now_ns)
            sim->faults->strikes[strike].end_s =
                (double)tier_outage_end_ns(outage) * 1e-9;
    }
}

static int by_time(const void *a, const void *b)
{
    const struct fault_strike *x = a, *y = b;

    if (x->at_s != y->at_s)
        return x->at_s < y->at_s ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static bool has_kind(const struct scenario *scenario, uint32_t kind)
{
    for (uint32_t f = 0; f < scenario->fault_count; f++)
        if ((uint32_t)scenario->faults[f].kind == kind)
            return true;
    return false;
}

static void fill_values(const struct sim *sim, double *values)
{
    const struct scenario *scenario = sim->scenario;
    uint64_t swallowed = 0;

    for (uint32_t i = 0; i < sim->node_count; i++)
        swallowed += sim->faults->troubles[i].swallowed;
    values[M_AVAILABILITY] = availability(sim);
    for (uint32_t kind = 0; kind < FAULT_KIND_COUNT; kind++)
        if (has_kind(scenario, kind))
            values[M_STRIKES_CRASH + kind] =
                (double)sim->faults->strikes_by_kind[kind];
    if (has_kind(scenario, FAULT_MEMORY_LEAK))
        values[M_STRIKES_CRASH + FAULT_OUT_OF_MEMORY] =
            (double)sim->faults->strikes_by_kind[FAULT_OUT_OF_MEMORY];
    if (has_kind(scenario, FAULT_BLACK_HOLE))
        values[M_SWALLOWED] = (double)swallowed;
    if (has_kind(scenario, FAULT_FAIL_FAST))
        values[M_ERRORS_5XX] = (double)sim->recorder.errors[ERROR_5XX];
}

void faults_finish(struct sim *sim, struct run_result *ret)
{
    struct faults *faults = sim->faults;

    if (!faults)
        return;
    note_tier(sim);
    if (faults->strike_count > 1)
        qsort(faults->strikes, faults->strike_count, sizeof *faults->strikes,
              by_time);
    ret->strikes = faults->strikes;
    ret->strike_count = faults->strike_count;
    ret->strikes_left_out = faults->strikes_left_out;
    faults->strikes = NULL;
    faults->strike_count = faults->strike_capacity = 0;
    fill_values(sim, ret->values);
}
