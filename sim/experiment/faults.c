/* When faults strike and end. */
#include "sim/experiment/faults_state.h"

#include "sim/experiment/members.h"

#include <stdlib.h>
#include <string.h>

/* The entity of a unit that has no node of its own. */
#define ENTITY_OF_ALL 0xFFFFFFu

/* --- holds ---------------------------------------------------------------- */

/* HOLD_NONE: no memory. */
static uint32_t take_hold(struct faults *faults)
{
    uint32_t hold = faults->free_hold;

    if (hold != HOLD_NONE) {
        faults->free_hold = faults->holds[hold].next;
        return hold;
    }
    if (faults->hold_count == faults->hold_capacity) {
        uint32_t room = faults->hold_capacity ? 2 * faults->hold_capacity : 16;
        struct fault_hold *more =
            realloc(faults->holds, room * sizeof *faults->holds);

        if (!more)
            return HOLD_NONE;
        faults->holds = more;
        faults->hold_capacity = room;
    }
    return faults->hold_count++;
}

static void give_hold(struct faults *faults, uint32_t hold)
{
    faults->holds[hold].next = faults->free_hold;
    faults->free_hold = hold;
}

/* At the end of its node's list, so that the first of a kind stands first. */
static void join_node(struct faults *faults, uint32_t hold)
{
    uint32_t *link = &faults->first_hold[faults->holds[hold].node];

    while (*link != HOLD_NONE)
        link = &faults->holds[*link].next;
    *link = hold;
    faults->holds[hold].next = HOLD_NONE;
}

/* --- strikes -------------------------------------------------------------- */

/* Where nodes come and go, one that is not there cannot be struck. */
static void add_victim(struct sim *sim, uint32_t node)
{
    struct faults *faults = sim->faults;
    uint64_t *word = &faults->bits[node / 64], bit = (uint64_t)1 << node % 64;

    if ((*word & bit) || !members_exists(sim, node))
        return;
    *word |= bit;
    faults->victims[faults->victim_count++] = node;
}

struct chosen {
    struct sim *sim;
    const struct fault_run *run;
};

static void take_victim(void *context, uint32_t i)
{
    const struct chosen *chosen = context;

    add_victim(chosen->sim, chosen->run->nodes[i]);
}

/* Each of those struck first may take others of its zone along. */
static void spread(struct sim *sim, struct fault_run *run)
{
    struct faults *faults = sim->faults;
    uint32_t first = faults->victim_count;

    for (uint32_t v = 0; v < first; v++) {
        const char *zone = faults->zone[faults->victims[v]];

        for (uint32_t i = 0; zone && i < sim->node_count; i++)
            if (i != faults->victims[v] && faults->zone[i] &&
                strcmp(faults->zone[i], zone) == 0 &&
                rng_uniform(&run->victims) < run->spec->spread)
                add_victim(sim, i);
    }
}

static void choose_victims(struct sim *sim, const struct fault_unit *unit)
{
    struct faults *faults = sim->faults;
    struct fault_run *run = &faults->runs[unit->fault];
    struct chosen chosen = {sim, run};
    uint32_t together = run->spec->together;

    memset(faults->bits, 0, (sim->node_count + 63) / 64 * sizeof *faults->bits);
    faults->victim_count = 0;
    if (unit->node != UNIT_OF_ALL)
        add_victim(sim, unit->node);
    else
        fault_draw_some(&run->victims, run->node_count,
                        together > 0 && together < run->node_count
                            ? together
                            : run->node_count,
                        take_victim, &chosen);
    if (run->spec->spread > 0)
        spread(sim, run);
}

/* HOLD_NONE: no memory. */
static uint32_t make_hold(struct sim *sim, const struct fault_unit *unit,
                          uint32_t node)
{
    struct faults *faults = sim->faults;
    uint32_t hold = take_hold(faults);

    if (hold == HOLD_NONE)
        return hold;
    faults->holds[hold] = (struct fault_hold){
        .fault = unit->fault,
        .node = node,
        .next_of_strike = HOLD_NONE,
        .leaf = EVENT_NO_LEAF,
        .lost = REQUEST_NONE,
        .strike = faults_note_strike(sim, faults->runs[unit->fault].spec->kind,
                                     node, sim->now_ns),
        .since_ns = sim->now_ns,
        .next_ns = INT64_MAX,
    };
    join_node(faults, hold);
    faults_begin(sim, hold);
    return hold;
}

/* What is lost is told when all of them are down: nobody is sent from one of
   them to the next. */
static void strike_nodes(struct sim *sim, struct fault_unit *unit)
{
    struct faults *faults = sim->faults;
    uint32_t last = HOLD_NONE;

    choose_victims(sim, unit);
    unit->holds = HOLD_NONE;
    for (uint32_t v = 0; v < faults->victim_count; v++) {
        uint32_t hold = make_hold(sim, unit, faults->victims[v]);

        if (hold == HOLD_NONE) {
            sim_fail(sim, SIM_NO_MEMORY);
            return;
        }
        if (last == HOLD_NONE)
            unit->holds = hold;
        else
            faults->holds[last].next_of_strike = hold;
        last = hold;
    }
    for (uint32_t hold = unit->holds; hold != HOLD_NONE;
         hold = faults->holds[hold].next_of_strike)
        faults_mourn(sim, hold);
}

/* How long a strike lasts. */
static int64_t length_ns(const struct fault_spec *spec, struct rng *times)
{
    if (spec->random)
        return fault_draw_time_ns(&spec->down, times);
    return spec->kind == FAULT_CRASH || spec->kind == FAULT_HOST_DOWN
               ? spec->restart_after_ns
               : spec->for_ns;
}

/* The unit's next event; a time that is never is none. */
static void aim(struct sim *sim, struct fault_unit *unit, int64_t at_ns)
{
    if (at_ns < INT64_MAX)
        event_tree_set(&sim->tree, unit->leaf, at_ns, RANK_FAULT);
}

static void strike(struct sim *sim, struct fault_unit *unit)
{
    const struct fault_spec *spec = sim->faults->runs[unit->fault].spec;

    unit->strikes_next = false;
    aim(sim, unit, fault_end_ns(sim->now_ns, length_ns(spec, &unit->times)));
    strike_nodes(sim, unit);
}

/* When a random one that is over, or has not begun, strikes next. */
static void aim_at_next_strike(struct sim *sim, struct fault_unit *unit,
                               int64_t from_ns)
{
    const struct fault_spec *spec = sim->faults->runs[unit->fault].spec;
    int64_t at_ns =
        fault_end_ns(from_ns, fault_draw_time_ns(&spec->up, &unit->times));

    unit->strikes_next = true;
    if (at_ns < fault_end_ns(spec->at_ns, spec->for_ns))
        aim(sim, unit, at_ns);
}

static void end(struct sim *sim, struct fault_unit *unit)
{
    struct faults *faults = sim->faults;
    uint32_t hold = unit->holds;

    unit->holds = HOLD_NONE;
    while (hold != HOLD_NONE && sim->status == SIM_OK) {
        uint32_t next = faults->holds[hold].next_of_strike;

        if (faults_end(sim, hold))
            give_hold(faults, hold);
        hold = next;
    }
    if (faults->runs[unit->fault].spec->random)
        aim_at_next_strike(sim, unit, sim->now_ns);
}

void faults_forget_node(struct sim *sim, uint32_t node)
{
    struct faults *faults = sim->faults;

    while (faults && faults->first_hold[node] != HOLD_NONE) {
        uint32_t hold = faults->first_hold[node];
        bool detached = faults->holds[hold].over;

        faults_drop(sim, hold);
        if (detached)
            give_hold(faults, hold);
    }
}

/* What ails the process and not its machine, the network or its program, and
   so ends with it. Memory that has leaked is free then, but the program that
   leaks is the same. */
static bool is_of_process(const struct fault_spec *spec)
{
    return spec->kind == FAULT_HANG || spec->kind == FAULT_BLACK_HOLE ||
           spec->kind == FAULT_FAIL_FAST;
}

void faults_end_of_process(struct sim *sim, uint32_t node)
{
    struct faults *faults = sim->faults;
    uint32_t hold = faults ? faults->first_hold[node] : HOLD_NONE;

    while (hold != HOLD_NONE) {
        uint32_t next = faults->holds[hold].next;
        const struct fault_hold *of = &faults->holds[hold];

        /* One that is over restarts the process itself. */
        if (!of->over && is_of_process(faults->runs[of->fault].spec))
            faults_drop(sim, hold);
        hold = next;
    }
}

void faults_event(struct sim *sim, uint32_t subject)
{
    struct faults *faults = sim->faults;
    struct fault_unit *unit = &faults->units[subject];

    if (subject >= faults->unit_count) {
        if (faults_step(sim, subject - faults->unit_count))
            give_hold(faults, subject - faults->unit_count);
        return;
    }
    event_tree_clear(&sim->tree, unit->leaf);
    if (unit->strikes_next)
        strike(sim, unit);
    else
        end(sim, unit);
}

/* --- the start ------------------------------------------------------------ */

static bool make_by_node(struct sim *sim, struct faults *faults)
{
    struct arena *arena = &sim->arena;
    uint32_t count = sim->node_count;
    uint32_t most = count > sim->balancer_count ? count : sim->balancer_count;

    faults->first_hold = arena_allocate(arena, count, sizeof(uint32_t));
    faults->kills = arena_allocate(arena, count, sizeof(uint32_t));
    faults->slowness = arena_allocate(arena, count, sizeof(double));
    faults->out_since_ns = arena_allocate(arena, count, sizeof(int64_t));
    faults->out_ns = arena_allocate(arena, count, sizeof(double));
    faults->zone = arena_allocate(arena, count, sizeof *faults->zone);
    faults->troubles = arena_allocate(arena, count, sizeof *faults->troubles);
    faults->victims = arena_allocate(arena, count, sizeof(uint32_t));
    faults->bits = arena_allocate(arena, most / 64 + 1, sizeof(uint64_t));
    faults->scratch = arena_allocate(arena, most / 64 + 1, sizeof(uint64_t));
    return faults->first_hold && faults->kills && faults->slowness &&
           faults->out_since_ns && faults->out_ns && faults->zone &&
           faults->troubles && faults->victims && faults->bits &&
           faults->scratch;
}

static void fill_by_node(struct sim *sim, struct faults *faults)
{
    const struct scenario *scenario = sim->scenario;
    uint32_t i = 0;

    for (uint32_t g = 0; g < scenario->group_count; g++) {
        const struct group_spec *group = &scenario->groups[g];

        for (uint32_t k = 0; k < group->count; k++, i++) {
            faults->first_hold[i] = HOLD_NONE;
            faults->slowness[i] = 1;
            faults->out_since_ns[i] = INT64_MIN;
            faults->zone[i] = group->zone_count > 0
                                  ? group->zones[k % group->zone_count]
                                  : NULL;
            node_trouble_init(&faults->troubles[i]);
            rng_stream(&faults->troubles[i].errors, scenario->seed,
                       sim->setup->replication, RNG_FAULT_ERRORS, i);
        }
    }
}

/* Nodes that only crash need none: they go the short way while they live. */
static bool needs_trouble(enum fault_kind kind)
{
    return kind == FAULT_HANG || kind == FAULT_BLACK_HOLE ||
           kind == FAULT_FAIL_FAST || kind == FAULT_MEMORY_LEAK ||
           kind == FAULT_PARTITION;
}

static bool give_trouble(struct sim *sim, struct faults *faults, uint32_t index,
                         enum fault_kind kind)
{
    struct node_trouble *trouble = &faults->troubles[index];

    sim->nodes[index].trouble = trouble;
    if (kind == FAULT_PARTITION && !trouble->cut)
        trouble->cut = arena_allocate(&sim->arena, sim->balancer_count,
                                      sizeof *trouble->cut);
    return kind != FAULT_PARTITION || trouble->cut != NULL;
}

static bool find_nodes(struct sim *sim, struct faults *faults,
                       struct fault_run *run)
{
    uint32_t words = (sim->node_count + 63) / 64;

    memset(faults->bits, 0, words * sizeof *faults->bits);
    fault_target_resolve(&run->spec->target, &run->victims, sim->node_count,
                         faults->bits, faults->scratch);
    for (uint32_t w = 0; w < words; w++)
        run->node_count += (uint32_t)__builtin_popcountll(faults->bits[w]);
    run->nodes =
        arena_allocate(&sim->arena, run->node_count, sizeof *run->nodes);
    if (!run->nodes)
        return false;
    for (uint32_t i = 0, n = 0; i < sim->node_count; i++)
        if (faults->bits[i / 64] >> i % 64 & 1)
            run->nodes[n++] = i;
    return true;
}

/* All that it may strike, in a zone or beyond what is drawn. */
static bool prepare_nodes(struct sim *sim, struct faults *faults,
                          const struct fault_run *run)
{
    if (!needs_trouble(run->spec->kind))
        return true;
    if (run->spec->spread > 0) {
        for (uint32_t i = 0; i < sim->node_count; i++)
            if (!give_trouble(sim, faults, i, run->spec->kind))
                return false;
        return true;
    }
    for (uint32_t n = 0; n < run->node_count; n++)
        if (!give_trouble(sim, faults, run->nodes[n], run->spec->kind))
            return false;
    return true;
}

static bool find_senders(struct sim *sim, struct faults *faults,
                         struct fault_run *run)
{
    if (!fault_has_balancers(run->spec->kind))
        return true;
    run->senders =
        arena_allocate(&sim->arena, sim->balancer_count, sizeof *run->senders);
    if (!run->senders)
        return false;
    memset(faults->bits, 0,
           (sim->balancer_count / 64 + 1) * sizeof *faults->bits);
    fault_target_resolve(&run->spec->balancers, &run->victims,
                         sim->balancer_count, faults->bits, faults->scratch);
    for (uint32_t b = 0; b < sim->balancer_count; b++)
        run->senders[b] = faults->bits[b / 64] >> b % 64 & 1;
    return true;
}

static bool make_run(struct sim *sim, struct faults *faults, uint32_t f)
{
    struct fault_run *run = &faults->runs[f];

    run->spec = &sim->scenario->faults[f];
    rng_stream(&run->victims, sim->scenario->seed, sim->setup->replication,
               RNG_FAULT_VICTIMS, f);
    delay_line_init(&run->inside_lost, run->spec->inside_lost_after_ns,
                    RANK_FAULT, LINE_INSIDE_LOST + f);
    return run->spec->kind == FAULT_TIER_OUTAGE ||
           (find_nodes(sim, faults, run) && find_senders(sim, faults, run) &&
            prepare_nodes(sim, faults, run));
}

/* Of a fault: 0 are of the tier, whose outages are known beforehand. */
static uint32_t count_units(const struct fault_run *run)
{
    const struct fault_spec *spec = run->spec;

    if (spec->kind == FAULT_TIER_OUTAGE)
        return 0;
    return spec->random && spec->together == 0 ? run->node_count : 1;
}

static bool start_unit(struct sim *sim, uint32_t u, uint32_t f, uint32_t node)
{
    const struct fault_spec *spec = &sim->scenario->faults[f];
    struct fault_unit *unit = &sim->faults->units[u];

    *unit = (struct fault_unit){.fault = f,
                                .node = node,
                                .leaf = event_tree_take(&sim->tree, u),
                                .holds = HOLD_NONE,
                                .strikes_next = true};
    if (unit->leaf == EVENT_NO_LEAF)
        return false;
    if (!spec->random) {
        aim(sim, unit, spec->at_ns);
        return true;
    }
    rng_stream(&unit->times, sim->scenario->seed, sim->setup->replication,
               RNG_FAULT_TIMES,
               rng_entity(f, node == UNIT_OF_ALL ? ENTITY_OF_ALL : node));
    aim_at_next_strike(sim, unit, spec->at_ns);
    return true;
}

static bool start_units(struct sim *sim, struct faults *faults)
{
    uint32_t count = sim->scenario->fault_count, u = 0;

    for (uint32_t f = 0; f < count; f++)
        faults->unit_count += count_units(&faults->runs[f]);
    faults->units =
        arena_allocate(&sim->arena, faults->unit_count, sizeof *faults->units);
    if (!faults->units)
        return false;
    for (uint32_t f = 0; f < count; f++) {
        const struct fault_run *run = &faults->runs[f];
        uint32_t units = count_units(run);
        bool each = run->spec->random && run->spec->together == 0;

        for (uint32_t i = 0; i < units; i++, u++)
            if (!start_unit(sim, u, f, each ? run->nodes[i] : UNIT_OF_ALL))
                return false;
    }
    return true;
}

/* For each pair: what one balancer loses is no other's concern. */
static struct rng *make_draws(struct sim *sim, enum rng_purpose purpose)
{
    size_t pairs = (size_t)sim->balancer_count * sim->node_count;
    struct rng *draws = arena_allocate(&sim->arena, pairs, sizeof *draws);

    for (uint32_t b = 0; draws && b < sim->balancer_count; b++)
        for (uint32_t i = 0; i < sim->node_count; i++)
            rng_stream(&draws[(size_t)b * sim->node_count + i],
                       sim->scenario->seed, sim->setup->replication, purpose,
                       rng_entity(b, i));
    return draws;
}

static bool make_all_draws(struct sim *sim, struct faults *faults)
{
    bool probes = false, reports = false;

    for (uint32_t f = 0; f < sim->scenario->fault_count; f++) {
        enum fault_kind kind = sim->scenario->faults[f].kind;

        probes = probes || kind == FAULT_PROBE_LOSS || kind == FAULT_FAIL_FAST;
        reports = reports || kind == FAULT_REPORT_LOSS;
    }
    if (probes)
        faults->probe_draws = make_draws(sim, RNG_FAULT_PROBES);
    if (reports)
        faults->report_draws = make_draws(sim, RNG_FAULT_REPORTS);
    return (!probes || faults->probe_draws) &&
           (!reports || faults->report_draws);
}

bool faults_start(struct sim *sim)
{
    const struct scenario *scenario = sim->scenario;
    struct faults *faults;

    if (scenario->fault_count == 0)
        return true;
    faults = arena_allocate(&sim->arena, 1, sizeof *faults);
    sim->faults = faults;
    if (!faults)
        return false;
    faults->free_hold = HOLD_NONE;
    delay_line_init(&faults->errors, scenario->balancer.network_delay_ns,
                    RANK_DONE, LINE_FAULT_ERROR);
    faults->runs = arena_allocate(&sim->arena, scenario->fault_count,
                                  sizeof *faults->runs);
    if (!faults->runs || !make_by_node(sim, faults) ||
        !make_all_draws(sim, faults))
        return false;
    fill_by_node(sim, faults);
    for (uint32_t f = 0; f < scenario->fault_count; f++)
        if (!make_run(sim, faults, f))
            return false;
    return start_units(sim, faults);
}

void faults_unmake(struct sim *sim)
{
    struct faults *faults = sim->faults;

    if (!faults)
        return;
    for (uint32_t f = 0; faults->runs && f < sim->scenario->fault_count; f++)
        delay_line_done(&faults->runs[f].inside_lost);
    delay_line_done(&faults->errors);
    free(faults->holds);
    free(faults->strikes);
    sim->faults = NULL;
}
