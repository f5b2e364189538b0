/*
 * What goes wrong in a request's life: attempts that fail, nodes that are dead
 * or die, time-outs, and ends without an answer.
 */
#include "sim/experiment/admission.h"
#include "sim/experiment/degrade.h"
#include "sim/experiment/hedges.h"
#include "sim/experiment/life.h"
#include "sim/experiment/timeouts.h"
#include "sim/experiment/twins.h"

#include "sim/experiment/checks.h"
#include "sim/experiment/faults.h"

/* --- the end ------------------------------------------------------------ */

void losses_end(struct sim *sim, struct request *request, uint32_t index,
                enum ending ending)
{
    if (sim->degrade && degrade_take(sim, request, index, ending))
        return;
    if (request->flags & REQUEST_BUDGETED)
        retries_give_back(sim, request);
    recorder_lost(&sim->recorder, request, ending);
    life_leave(sim, index);
    request_slab_give(&sim->slab, request, index);
}

void losses_zombie_gone(struct sim *sim, struct request *request,
                        uint32_t index)
{
    if (request->flags & REQUEST_PROBE) {
        checks_left_node(sim, request, index);
        return;
    }
    sim->zombies--;
    request_slab_give(&sim->slab, request, index);
}

void losses_nobody_hears(struct sim *sim, struct request *request,
                         uint32_t index)
{
    if (request->flags & REQUEST_ZOMBIE)
        losses_zombie_gone(sim, request, index);
    else
        faults_word_lost(sim, request, index);
}

/* --- attempts that fail -------------------------------------------------- */

void losses_attempt_failed(struct sim *sim, struct request *request,
                           uint32_t index, enum lbp_outcome outcome,
                           enum attempt_error error)
{
    if (request->flags & REQUEST_MEASURED)
        sim->recorder.errors[error]++;
    life_attempt_over(sim, &sim->nodes[request->node], request, index, outcome,
                      error, LBP_NO_TIME);
    request->epoch++;
    retries_consider(sim, request, index, error);
}

void losses_reach_dead_node(struct sim *sim, struct request *request,
                            uint32_t index)
{
    if (request->flags & REQUEST_ZOMBIE)
        losses_zombie_gone(sim, request, index);
    else
        losses_out_of_reach(sim, request, index,
                            sim->node_fault[request->node]->seen_as);
}

void losses_out_of_reach(struct sim *sim, struct request *request,
                         uint32_t index, enum fault_seen_as seen_as)
{
    sim->recorder.lost_attempts += (request->flags & REQUEST_MEASURED) != 0;
    switch (seen_as) {
    case FAULT_REFUSED:
        losses_attempt_failed(sim, request, index, LBP_RESET, ERROR_REFUSED);
        break;
    case FAULT_CONNECT_TIMEOUT:
        request->state = REQUEST_LOST;
        if (!delay_line_push(&sim->connects, &sim->tree, sim->now_ns, index,
                             request->epoch))
            sim_fail(sim, SIM_NO_MEMORY);
        break;
    case FAULT_SILENT:
        request->state = REQUEST_LOST;
        break;
    }
}

/* Nodes that lack a model refuse it always, so the cause can be found again. */
void losses_refused(struct sim *sim, struct request *request, uint32_t index)
{
    const struct node *node = &sim->nodes[request->node];

    if (node->minds_models && node->misroute == MISROUTE_REFUSE &&
        !(node->models >> request->model & 1))
        losses_attempt_failed(sim, request, index, LBP_ERROR, ERROR_NO_MODEL);
    else
        losses_attempt_failed(sim, request, index, LBP_OVERLOAD, ERROR_FULL);
}

/* Its word travels back before the balancer knows. */
void losses_turned_away(struct sim *sim, struct request *request,
                        uint32_t index)
{
    if (request->flags & (REQUEST_ZOMBIE | REQUEST_CUT)) {
        losses_nobody_hears(sim, request, index);
        return;
    }
    request->state = REQUEST_TO_CLIENT;
    if (sim->refusals.delay_ns == 0)
        losses_refused(sim, request, index);
    else if (!delay_line_push(&sim->refusals, &sim->tree, sim->now_ns, index,
                              request->epoch))
        sim_fail(sim, SIM_NO_MEMORY);
}

/* --- time-outs and deaths ------------------------------------------------ */

/* It has the attempt, or will have it. */
static bool node_still_works(const struct sim *sim,
                             const struct request *request, uint32_t index)
{
    if (sim->admission && admission_waits_for_node(sim, index))
        return false;
    return request->state == REQUEST_TO_NODE ||
           request->state == REQUEST_QUEUED ||
           request->state == REQUEST_FOLLOWING ||
           request->state == REQUEST_RUNNING || request->state == REQUEST_HIT ||
           request->state == REQUEST_HELD;
}

bool losses_leave_node(struct sim *sim, const struct request *request,
                       uint32_t index)
{
    enum timeout_cancel cancel = sim->scenario->balancer.timeout.cancel;
    struct node_cancelled cancelled;

    if (cancel == CANCEL_NOTHING && node_still_works(sim, request, index))
        return false;
    cancelled =
        node_cancel(&sim->nodes[request->node], &sim->node_world, request,
                    index, cancel == CANCEL_QUEUED, sim->now_ns);
    if (cancelled.orphan != REQUEST_NONE)
        losses_zombie_gone(sim, request_at(&sim->slab, cancelled.orphan),
                           cancelled.orphan);
    return !cancelled.stays;
}

/* What is not to be cancelled, or others wait for, keeps the node at work. */
static void give_up_attempt(struct sim *sim, struct request *request,
                            uint32_t index, enum attempt_error error)
{
    bool left = losses_leave_node(sim, request, index);

    life_attempt_over(sim, &sim->nodes[request->node], request, index,
                      LBP_TIMEOUT, error, LBP_NO_TIME);
    if (left) {
        losses_end(sim, request, index, END_TIMED_OUT);
        return;
    }
    recorder_lost(&sim->recorder, request, END_TIMED_OUT);
    life_leave(sim, index);
    request->flags |= REQUEST_ZOMBIE;
    sim->zombies++;
}

void losses_give_up(struct sim *sim, uint32_t index, enum attempt_error error)
{
    struct request *request = request_at(&sim->slab, index);

    if (request->flags & REQUEST_HEDGED)
        hedges_lost(sim, index, error);
    switch (request->state) {
    case REQUEST_AT_DOOR:
        door_leave(sim, &sim->balancers[request->balancer], request, index);
        losses_end(sim, request, index, END_TIMED_OUT);
        break;
    case REQUEST_AT_TIER:
    case REQUEST_BACKS_OFF:
        losses_end(sim, request, index, END_TIMED_OUT);
        break;
    default:
        give_up_attempt(sim, request, index, error);
    }
}

void losses_attempt_timed_out(struct sim *sim, struct request *request,
                              uint32_t index, enum attempt_error error)
{
    bool left = losses_leave_node(sim, request, index);
    uint32_t old = index;

    if (request->flags & REQUEST_MEASURED)
        sim->recorder.errors[error]++;
    life_attempt_over(sim, &sim->nodes[request->node], request, index,
                      error == ERROR_PATIENCE ? LBP_CANCELLED : LBP_TIMEOUT,
                      error, LBP_NO_TIME);
    if (left) {
        request->epoch++;
    } else {
        request = twins_take(sim, old, &index);
        if (!request)
            return;
        twins_hand_over(sim, old, index);
        request_at(&sim->slab, old)->flags |= REQUEST_ZOMBIE;
        sim->zombies++;
    }
    retries_consider(sim, request, index, error);
}

void losses_arm_timeout(struct sim *sim, int64_t arrived_at_ns)
{
    sim->timeout_armed = true;
    event_tree_set(&sim->tree, sim->timeout_leaf,
                   arrived_at_ns + sim->scenario->balancer.timeout.total_ns,
                   RANK_TIMEOUT);
}

/*
 * One time-out for all means that requests reach it in order of arrival: the
 * leaf stands for the oldest one that was inside when it was set. Most of
 * those have been answered when it fires, and it is set anew.
 */
void losses_total_timeout(struct sim *sim)
{
    int64_t total_ns = sim->scenario->balancer.timeout.total_ns;

    sim->timeout_armed = false;
    event_tree_clear(&sim->tree, sim->timeout_leaf);
    while (sim->slab.oldest != REQUEST_NONE) {
        uint32_t index = sim->slab.oldest;
        int64_t arrived_at_ns = request_at(&sim->slab, index)->arrived_at_ns;

        if (arrived_at_ns + total_ns > sim->now_ns) {
            losses_arm_timeout(sim, arrived_at_ns);
            return;
        }
        losses_give_up(sim, index, ERROR_TOTAL);
    }
}

void losses_reset(struct sim *sim, struct request *request, uint32_t index)
{
    request->epoch++; /* an answer that its cache was about to give is void */
    if (sim->resets.delay_ns == 0)
        losses_attempt_failed(sim, request, index, LBP_RESET, ERROR_RESET);
    else if (!delay_line_push(&sim->resets, &sim->tree, sim->now_ns, index,
                              request->epoch))
        sim_fail(sim, SIM_NO_MEMORY);
}

static void lose_one(struct sim *sim, uint32_t fault, uint32_t index)
{
    struct request *request = request_at(&sim->slab, index);

    if (request->flags & (REQUEST_ZOMBIE | REQUEST_CUT))
        losses_nobody_hears(sim, request, index);
    else
        losses_inside(sim, request, index, fault);
}

void losses_inside(struct sim *sim, struct request *request, uint32_t index,
                   uint32_t fault)
{
    struct delay_line *line = &sim->resets;

    request->epoch++; /* an answer that its cache was about to give is void */
    sim->recorder.lost_attempts += (request->flags & REQUEST_MEASURED) != 0;
    if (sim->timeouts)
        timeouts_go_on(sim, request, index);
    switch (sim->scenario->faults[fault].seen_as) {
    case FAULT_SILENT:
        return;
    case FAULT_REFUSED:
        if (line->delay_ns == 0) {
            losses_attempt_failed(sim, request, index, LBP_RESET, ERROR_RESET);
            return;
        }
        break;
    case FAULT_CONNECT_TIMEOUT:
        line = faults_line(sim, LINE_INSIDE_LOST + fault);
        break;
    }
    if (!delay_line_push(line, &sim->tree, sim->now_ns, index, request->epoch))
        sim_fail(sim, SIM_NO_MEMORY);
}

void losses_node_died(struct sim *sim, uint32_t fault, uint32_t lost)
{
    while (lost != REQUEST_NONE && sim->status == SIM_OK) {
        uint32_t next = request_at(&sim->slab, lost)->next;

        lose_one(sim, fault, lost);
        lost = next;
    }
}
