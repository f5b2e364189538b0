#include "sim/experiment/agents.h"

#include "sim/experiment/admission.h"
#include "sim/experiment/detections.h"
#include "sim/experiment/faults.h"
#include "sim/experiment/members.h"
#include "sim/experiment/panics.h"
#include "sim/experiment/weight_times.h"
#include "sim/frontdoor/dynamic_weights.h"

#define SAYS_NOTHING UINT32_MAX

struct agents {
    const struct agent_spec *spec;
    uint32_t next;    /* say, of those to come */
    uint32_t *saying; /* [node_count] place in spec->says, or SAYS_NOTHING */
    uint64_t replies, changes;
};

bool agents_make(struct sim *sim)
{
    const struct agent_spec *spec = &sim->scenario->balancer.agent;
    struct agents *agents;

    if (!spec->given)
        return true;
    agents = arena_allocate(&sim->arena, 1, sizeof *agents);
    if (!agents)
        return false;
    agents->spec = spec;
    agents->saying =
        arena_allocate(&sim->arena, sim->node_count, sizeof *agents->saying);
    if (!agents->saying)
        return false;
    for (uint32_t i = 0; i < sim->node_count; i++)
        agents->saying[i] = SAYS_NOTHING;
    sim->agents = agents;
    return true;
}

static void set_next(struct sim *sim, uint32_t b)
{
    sim_alarm(sim, sim->now_ns + sim->agents->spec->interval_ns, ALARM_AGENTS,
              b, 0);
}

void agents_start(struct sim *sim)
{
    for (uint32_t b = 0; sim->agents && b < sim->balancer_count; b++)
        set_next(sim, b);
}

/* What agents have begun to say since anybody asked. */
static void hear_script(struct sim *sim)
{
    struct agents *agents = sim->agents;
    const struct agent_spec *spec = agents->spec;

    for (; agents->next < spec->say_count &&
           spec->says[agents->next].at_ns <= sim->now_ns;
         agents->next++)
        for (uint32_t i = 0; i < sim->node_count; i++)
            if (spec->says[agents->next].nodes[i / 64] >> (i % 64) & 1)
                agents->saying[i] = agents->next;
}

static bool is_reachable(const struct sim *sim, uint32_t b, uint32_t node)
{
    const struct fault_spec *killer = sim->node_fault[node];

    if (!members_serves(sim, node) || faults_cut(sim, b, node))
        return false;
    return sim->nodes[node].alive || !killer || killer->kind != FAULT_HOST_DOWN;
}

/* Of its own load, as the node last told it; the script's word counts more. */
static struct agent_reply
reply_of(const struct sim *sim, const struct balancer *balancer, uint32_t node)
{
    const struct agents *agents = sim->agents;
    const struct lbp_node *seen = &balancer->nodes[node];
    double use =
        agents->spec->load == AGENT_LOAD_GPU ? seen->gpu_use : seen->cpu_use;
    struct agent_reply reply = {0};

    if (agents->saying[node] != SAYS_NOTHING)
        reply = agents->spec->says[agents->saying[node]].reply;
    if (agents->spec->load != AGENT_LOAD_NONE &&
        reply.weighs == AGENT_WEIGHT_KEPT &&
        seen->reported_at_ns != LBP_NO_TIME && use >= 0) {
        reply.weighs = AGENT_WEIGHT_PERCENT;
        reply.weight = dynamic_weights_idle_percent(use);
    }
    return reply;
}

/* true: it weighs something else now, which the policy is to be told. */
static bool weigh(struct sim *sim, struct balancer *balancer, uint32_t node,
                  const struct agent_reply *reply)
{
    uint32_t now = balancer->nodes[node].weight;
    uint32_t weight = agent_weigh(reply, sim->described[node].weight, now);

    if (weight == now)
        return false;
    balancer_set_weight(balancer, node, weight);
    sim->agents->changes++;
    return true;
}

/* true: the bar was not so before. */
static bool changes_bar(struct sim *sim, const struct balancer *balancer,
                        uint32_t node, enum balancer_bar bar, bool down)
{
    if (((balancer->bars[node] & bar) != 0) == down)
        return false;
    sim->agents->changes++;
    return true;
}

static void set_state(struct sim *sim, struct balancer *balancer, uint32_t node,
                      const struct agent_reply *reply)
{
    bool out = reply->admin != AGENT_READY;
    bool down = reply->state == AGENT_DOWN;

    if (reply->admin != AGENT_ADMIN_KEPT &&
        changes_bar(sim, balancer, node, BAR_AGENT_DRAIN, out) &&
        !balancer_bar(balancer, node, BAR_AGENT_DRAIN, out, sim->now_ns))
        sim_fail(sim, SIM_NO_MEMORY);
    if (reply->state != AGENT_STATE_KEPT &&
        changes_bar(sim, balancer, node, BAR_AGENT, down))
        detections_bar(sim, balancer, node, BAR_AGENT, down);
}

void agents_ask(struct sim *sim, uint32_t b)
{
    struct balancer *balancer = &sim->balancers[b];
    struct agents *agents = sim->agents;
    uint64_t before = agents->changes;
    bool weighed = false;

    hear_script(sim);
    if (agents->spec->load != AGENT_LOAD_NONE &&
        balancer->view.report_interval_ns == 0)
        rhythms_show_reports(sim, balancer);
    for (uint32_t i = 0; i < sim->node_count; i++) {
        struct agent_reply reply;

        if (!is_reachable(sim, b, i))
            continue;
        reply = reply_of(sim, balancer, i);
        agents->replies++;
        weighed = weigh(sim, balancer, i, &reply) || weighed;
        set_state(sim, balancer, i, &reply);
        if (reply.has_maxconn && admission_set_cap(sim, i, reply.maxconn))
            agents->changes++;
    }
    set_next(sim, b);
    if (weighed) {
        weight_times_look(sim, balancer);
        if (!balancer_tell(balancer, sim->now_ns))
            sim_fail(sim, SIM_NO_MEMORY);
    }
    if (agents->changes == before)
        return;
    panics_look(sim, balancer);
    if (balancer->waiting_head != REQUEST_NONE)
        sim->attention = true;
}

void agents_finish(const struct sim *sim, struct run_result *ret)
{
    if (!sim->agents)
        return;
    ret->values[M_AGENT_REPLIES] = (double)sim->agents->replies;
    ret->values[M_AGENT_CHANGES] = (double)sim->agents->changes;
}
