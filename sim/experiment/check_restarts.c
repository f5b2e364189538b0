#include "sim/experiment/check_restarts.h"

#include "sim/experiment/faults.h"
#include "sim/experiment/life.h"
#include "sim/experiment/members.h"
#include "sim/experiment/misroutes.h"

/* What is met at such a node meanwhile. */
static const struct fault_spec killed = {.seen_as = FAULT_REFUSED};

/* Its sender hears of it as of a crash. */
static void reset_one(struct sim *sim, uint32_t index)
{
    struct request *request = request_at(&sim->slab, index);

    if (request->flags & (REQUEST_ZOMBIE | REQUEST_CUT)) {
        losses_nobody_hears(sim, request, index);
        return;
    }
    sim->recorder.lost_attempts += (request->flags & REQUEST_MEASURED) != 0;
    losses_reset(sim, request, index);
}

void check_restarts_kill(struct sim *sim, uint32_t index, int64_t restart_ns)
{
    struct node *node = &sim->nodes[index];
    uint32_t lost;

    if (!node->alive || !members_serves(sim, index))
        return;
    sim->check_restarts++;
    sim->node_fault[index] = &killed;
    lost = node_die(node, &sim->node_world, index, sim->now_ns);
    faults_end_of_process(sim, index);
    sim_alarm(sim, sim->now_ns + restart_ns, ALARM_CHECK_RESTART, index,
              (uint32_t)node->deaths);
    misroutes_empty(sim, index, lost, reset_one);
}

void check_restarts_back(struct sim *sim, uint32_t index, uint32_t epoch)
{
    const struct node *node = &sim->nodes[index];

    if (!node->alive && (uint32_t)node->deaths == epoch &&
        sim->node_fault[index] == &killed)
        faults_reopen(sim, index);
}

void check_restarts_forget(struct sim *sim, uint32_t index)
{
    if (!sim->nodes[index].alive && sim->node_fault[index] == &killed)
        faults_reopen(sim, index);
}

void check_restarts_finish(const struct sim *sim, struct run_result *ret)
{
    if (sim->scenario->balancer.health.restart_ns > 0)
        ret->values[M_CHECK_RESTARTS] = (double)sim->check_restarts;
}
