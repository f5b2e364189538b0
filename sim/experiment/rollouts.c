#include "sim/experiment/rollouts.h"

#include "sim/experiment/members.h"

void rollouts_start(struct sim *sim)
{
    for (uint32_t g = 0; g < sim->scenario->group_count; g++) {
        const struct rollout_spec *spec = &sim->scenario->groups[g].rollout;

        for (uint32_t k = 0; spec->given && k < spec->at_once; k++)
            sim_alarm(sim, spec->at_ns, ALARM_ROLLOUT, g, 0);
    }
}

/* The first that still runs the old version. */
void rollouts_next(struct sim *sim, uint32_t group)
{
    const struct rollout_spec *spec = &sim->scenario->groups[group].rollout;

    for (uint32_t i = 0; i < sim->node_count; i++) {
        const struct member *member = &sim->members->nodes[i];

        if (sim->nodes[i].group == group && member->phase == MEMBER_READY &&
            member->ready_at_ns <= spec->at_ns && !member->renewed) {
            members_drain(sim, i, true);
            return;
        }
    }
}

void rollouts_node_ready(struct sim *sim, uint32_t node)
{
    if (sim->members->nodes[node].renewed)
        rollouts_place_free(sim, node);
}

void rollouts_place_free(struct sim *sim, uint32_t node)
{
    uint32_t group = sim->nodes[node].group;

    sim_alarm(sim, sim->now_ns + sim->scenario->groups[group].rollout.pause_ns,
              ALARM_ROLLOUT, group, 0);
}
