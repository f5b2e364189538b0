#include "sim/experiment/remaps.h"

#include "sim/frontdoor/rehearsal.h"
#include "sim/scenario/describe.h"

#include <string.h>

#define KEYS 1000
#define OWN_STREAM UINT32_MAX /* no balancer has that number */

struct remaps {
    struct rehearsal rehearsal;
    bool ready;   /* the rehearsal could be made */
    bool by_keys; /* as far as is known */
    bool is_due;  /* nodes have changed at this instant */
    bool has_last;
    uint32_t last[KEYS]; /* the node of each key */
    double share_sum;
    uint64_t changes;
};

bool remaps_make(struct sim *sim)
{
    const struct scenario *scenario = sim->scenario;
    struct balancer_setup setup = {
        .policy = &scenario->policies[sim->setup->policy],
        .count = 1,
        .node_count = sim->node_count,
        .nodes = sim->described,
        .report_interval_ns = scenario->balancer.report_interval_ns,
    };

    if (!sim->members || !scenario_has_keys(scenario))
        return true;
    sim->remaps = arena_allocate(&sim->arena, 1, sizeof *sim->remaps);
    if (!sim->remaps)
        return false;
    rng_stream(&setup.rng, scenario->seed, sim->setup->replication, RNG_POLICY,
               OWN_STREAM);
    sim->remaps->by_keys = true;
    sim->remaps->ready = true;
    if (!rehearsal_init(&sim->remaps->rehearsal, setup, true))
        return false;
    remaps_measure(sim);
    return true;
}

void remaps_unmake(struct sim *sim)
{
    if (sim->remaps && sim->remaps->ready)
        rehearsal_done(&sim->remaps->rehearsal);
}

void remaps_member(struct sim *sim, uint32_t node, const struct lbp_node *as)
{
    struct remaps *remaps = sim->remaps;

    if (!remaps || !remaps->by_keys)
        return;
    if (!balancer_member(&remaps->rehearsal.balancer, node, as, sim->now_ns))
        sim_fail(sim, SIM_NO_MEMORY);
    if (!remaps->is_due)
        sim_alarm(sim, sim->now_ns, ALARM_REMAPS, 0, 0);
    remaps->is_due = true;
}

/* Whether several nodes could be picked and all keys went to one. */
static bool all_the_same(const struct remaps *remaps, const uint32_t *nodes)
{
    for (uint32_t i = 1; i < KEYS; i++)
        if (nodes[i] != nodes[0])
            return false;
    return remaps->rehearsal.balancer.ask.eligible_count > 1;
}

static void note_change(struct remaps *remaps, const uint32_t *now)
{
    uint32_t changed = 0;

    for (uint32_t i = 0; i < KEYS; i++)
        changed += now[i] != remaps->last[i];
    remaps->share_sum += (double)changed / KEYS;
    remaps->changes++;
}

void remaps_measure(struct sim *sim)
{
    struct remaps *remaps = sim->remaps;
    uint32_t now[KEYS], again[KEYS];

    remaps->is_due = false;
    if (!rehearsal_ask_each(&remaps->rehearsal, KEYS, sim->now_ns, now) ||
        !rehearsal_ask_each(&remaps->rehearsal, KEYS, sim->now_ns, again)) {
        sim_fail(sim, SIM_NO_MEMORY);
        return;
    }
    if (memcmp(now, again, sizeof now) != 0 || all_the_same(remaps, now)) {
        remaps->by_keys = false;
        return;
    }
    if (remaps->has_last)
        note_change(remaps, now);
    memcpy(remaps->last, now, sizeof now);
    remaps->has_last = true;
}

void remaps_finish(const struct sim *sim, struct run_result *ret)
{
    const struct remaps *remaps = sim->remaps;

    if (remaps && remaps->by_keys && remaps->changes > 0)
        ret->values[M_REMAPPED] = remaps->share_sum / (double)remaps->changes;
}
