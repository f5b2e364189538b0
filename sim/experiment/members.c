#include "sim/experiment/members.h"

#include "sim/experiment/check_restarts.h"
#include "sim/experiment/checks.h"
#include "sim/experiment/faults.h"
#include "sim/experiment/life.h"
#include "sim/experiment/misroutes.h"
#include "sim/experiment/panics.h"
#include "sim/experiment/passive.h"
#include "sim/experiment/remaps.h"
#include "sim/experiment/rollouts.h"
#include "sim/experiment/scaling.h"
#include "sim/experiment/slow_starts.h"

#include "sim/scenario/describe.h"
#include "workloads/mathx.h"

/* A cache is young for so long. */
#define YOUTH_NS INT64_C(60000000000)

/* What is met at a node whose time to drain is over: it refuses. */
static const struct fault_spec gone = {.seen_as = FAULT_REFUSED};

static const struct group_spec *group_of(const struct sim *sim, uint32_t node)
{
    return &sim->scenario->groups[sim->nodes[node].group];
}

/* --- making ----------------------------------------------------------------
 */

static void make_member(struct sim *sim, uint32_t i)
{
    const struct group_spec *group = group_of(sim, i);
    struct member *member = &sim->members->nodes[i];

    member->phase = MEMBER_READY;
    rng_stream(&member->provision, sim->scenario->seed, sim->setup->replication,
               RNG_PROVISION, i);
    rng_stream(&member->start_up, sim->scenario->seed, sim->setup->replication,
               RNG_START_UP, i);
    if (group->scale.given && sim->nodes[i].index >= group->scale.start) {
        member->phase = MEMBER_ABSENT;
        sim->described[i].key_length = 0;
        node_set_presence(&sim->nodes[i], NODE_ABSENT, 0);
    }
}

bool members_make(struct sim *sim)
{
    struct members *members;

    if (!scenario_nodes_change(sim->scenario))
        return true;
    members = arena_allocate(&sim->arena, 1, sizeof *members);
    if (!members)
        return false;
    sim->members = members;
    members->nodes =
        arena_allocate(&sim->arena, sim->node_count, sizeof *members->nodes);
    members->described = arena_allocate(&sim->arena, sim->node_count,
                                        sizeof *members->described);
    if (!members->nodes || !members->described)
        return false;
    for (uint32_t i = 0; i < sim->node_count; i++) {
        members->described[i] = sim->described[i];
        make_member(sim, i);
        members->holds = members->holds || group_of(sim, i)->scale.holds;
    }
    sim->watches_attempts = true;
    return true;
}

bool members_hold(const struct sim *sim, const struct balancer *balancer)
{
    return sim->members && sim->members->holds &&
           balancer->ask.eligible_count == 0 &&
           !sim->scenario->balancer.queue.given; /* which then decides */
}

/* Every balancer learns of it at once; who waits at a door is asked anew. */
static void tell(struct sim *sim, uint32_t node, const struct lbp_node *as)
{
    remaps_member(sim, node, as);
    for (uint32_t b = 0; b < sim->balancer_count; b++) {
        struct balancer *balancer = &sim->balancers[b];

        if (!balancer_member(balancer, node, as, sim->now_ns))
            sim_fail(sim, SIM_NO_MEMORY);
        if (as)
            slow_starts_join(sim, balancer, node);
        else
            slow_starts_end(sim, balancer, node);
        panics_look(sim, balancer);
        if (balancer->waiting_head != REQUEST_NONE)
            sim->attention = true;
    }
    passive_member(sim, node, as != NULL);
}

/* --- coming ----------------------------------------------------------------
 */

static int64_t provision_ns(struct member *member,
                            const struct start_up_spec *spec)
{
    double ns = (double)spec->provision_ns;

    if (spec->law == START_CONSTANT || spec->provision_ns == 0)
        return start_up_vary_ns(spec->provision_ns, &spec->provision_noise,
                                &member->provision);
    ns *= -mathx_log(rng_uniform_open(&member->provision));
    return ns < 9.2e18 ? (int64_t)(ns + 0.5) : INT64_MAX / 2;
}

/* How long it stays in a phase on its way up. */
static int64_t phase_ns(struct sim *sim, uint32_t node)
{
    const struct start_up_spec *spec = &group_of(sim, node)->start_up;
    struct member *member = &sim->members->nodes[node];

    switch (member->phase) {
    case MEMBER_PROVISIONING:
        return provision_ns(member, spec);
    case MEMBER_LOADING:
        return start_up_vary_ns(start_up_load_ns(spec), &spec->load_noise,
                                &member->start_up);
    default:
        return start_up_vary_ns(start_up_warm_ns(spec), &spec->load_noise,
                                &member->start_up);
    }
}

static void be_ready(struct sim *sim, uint32_t node)
{
    struct members *members = sim->members;
    struct member *member = &members->nodes[node];

    member->ready_at_ns = sim->now_ns;
    member->closed = false;
    member->hits_at_ready = sim->nodes[node].hit_count;
    member->misses_at_ready = sim->nodes[node].miss_count;
    members->cold_starts++;
    members->cold_start_sum_s +=
        (double)(sim->now_ns - member->ordered_at_ns) * 1e-9;
    node_set_presence(&sim->nodes[node], NODE_PRESENT, sim->now_ns);
    if (sim->nodes[node].cache)
        sim_alarm(sim, sim->now_ns + YOUTH_NS, ALARM_MEMBER_GROWN, node,
                  member->epoch);
    tell(sim, node, &members->described[node]);
    checks_forget(sim, node);
    rollouts_node_ready(sim, node);
}

/* Into a phase on the way up, and through those that take no time. */
static void enter(struct sim *sim, uint32_t node, enum member_phase phase)
{
    struct member *member = &sim->members->nodes[node];

    for (; phase < MEMBER_READY; phase++) {
        int64_t stay_ns;

        member->phase = phase;
        member->epoch++;
        if (phase == MEMBER_LOADING)
            member->started_at_ns = sim->now_ns;
        stay_ns = phase_ns(sim, node);
        if (stay_ns == 0)
            continue;
        sim_alarm(sim, sim->now_ns + stay_ns, ALARM_MEMBER_PHASE, node,
                  member->epoch);
        return;
    }
    member->phase = MEMBER_READY;
    member->epoch++;
    be_ready(sim, node);
}

void members_next_phase(struct sim *sim, uint32_t node, uint32_t epoch)
{
    const struct member *member = &sim->members->nodes[node];

    if (member->epoch == epoch)
        enter(sim, node, member->phase + 1);
}

void members_order(struct sim *sim, uint32_t node)
{
    sim->members->nodes[node].ordered_at_ns = sim->now_ns;
    node_set_presence(&sim->nodes[node], NODE_STARTING, sim->now_ns);
    enter(sim, node, MEMBER_PROVISIONING);
}

/* --- going -----------------------------------------------------------------
 */

static void count_youth(struct members *members, const struct node *node,
                        const struct member *member)
{
    members->cold_misses += node->miss_count - member->misses_at_ready;
}

void members_grown(struct sim *sim, uint32_t node, uint32_t epoch)
{
    const struct member *member = &sim->members->nodes[node];

    if (member->epoch == epoch)
        count_youth(sim->members, &sim->nodes[node], member);
}

/* What is inside is thrown away; its sender hears of it as of a crash. */
static void reset_one(struct sim *sim, uint32_t index)
{
    struct request *request = request_at(&sim->slab, index);

    if (request->flags & REQUEST_ZOMBIE) {
        losses_zombie_gone(sim, request, index);
        return;
    }
    sim->members->drained_cut++;
    losses_reset(sim, request, index);
}

/* Time that running requests have had; those in a queue have had none. */
static double work_inside_s(const struct sim *sim, uint32_t node)
{
    const struct request_slab *slab = &sim->slab;
    double sum = 0;

    if (sim->nodes[node].running == 0)
        return 0;
    for (uint32_t i = 0; i < slab->chunk_count << REQUEST_CHUNK_LOG2; i++) {
        const struct request *request = request_at(slab, i);

        if (request->state == REQUEST_RUNNING && request->node == node &&
            !(request->flags & REQUEST_ZOMBIE))
            sum += (double)(sim->now_ns - request->started_at_ns) * 1e-9;
    }
    return sum;
}

static void throw_out(struct sim *sim, uint32_t node)
{
    uint32_t lost;

    sim->members->lost_work_s += work_inside_s(sim, node);
    lost = node_empty(&sim->nodes[node], &sim->node_world, node, sim->now_ns);
    misroutes_empty(sim, node, lost, reset_one);
}

/* Its machine goes, or only the process on it. */
static void go(struct sim *sim, uint32_t node)
{
    struct member *member = &sim->members->nodes[node];
    bool restarts = member->restarts;

    if (member->phase == MEMBER_DRAINING) {
        if (sim->now_ns < member->ready_at_ns + YOUTH_NS)
            count_youth(sim->members, &sim->nodes[node], member);
        throw_out(sim, node);
        tell(sim, node, NULL);
        sim->members->departures++;
    }
    if (member->closed && !sim->nodes[node].alive &&
        sim->node_fault[node] == &gone)
        faults_reopen(sim, node);
    member->closed = false;
    member->restarts = false;
    member->epoch++;
    if (member->renewed && !restarts && member->phase < MEMBER_READY)
        rollouts_place_free(sim, node);
    member->renewed = restarts;
    if (restarts) {
        faults_end_of_process(sim, node);
        member->ordered_at_ns = sim->now_ns;
        node_set_presence(&sim->nodes[node], NODE_STARTING, sim->now_ns);
        enter(sim, node, MEMBER_LOADING);
        return;
    }
    member->phase = MEMBER_ABSENT;
    check_restarts_forget(sim, node);
    faults_forget_node(sim, node);
    node_set_presence(&sim->nodes[node], NODE_ABSENT, sim->now_ns);
    scaling_node_left(sim, sim->nodes[node].group);
}

/* Later at this instant: whoever has done with the attempt may not be through
   with the node. */
static void leave_soon(struct sim *sim, uint32_t node)
{
    sim_alarm(sim, sim->now_ns, ALARM_MEMBER_LEAVES, node,
              sim->members->nodes[node].epoch);
}

void members_leave(struct sim *sim, uint32_t node, uint32_t epoch)
{
    if (sim->members->nodes[node].epoch == epoch &&
        sim->nodes[node].in_flight == 0)
        go(sim, node);
}

void members_drain(struct sim *sim, uint32_t node, bool restarts)
{
    struct member *member = &sim->members->nodes[node];
    int64_t timeout_ns = group_of(sim, node)->drain_timeout_ns;

    member->restarts = restarts;
    if (member->phase != MEMBER_READY) {
        go(sim, node);
        return;
    }
    member->phase = MEMBER_DRAINING;
    member->epoch++;
    for (uint32_t b = 0; b < sim->balancer_count; b++)
        if (!balancer_bar(&sim->balancers[b], node, BAR_DRAINING, true,
                          sim->now_ns))
            sim_fail(sim, SIM_NO_MEMORY);
    if (sim->nodes[node].in_flight == 0)
        leave_soon(sim, node);
    else
        sim_alarm(sim, sim->now_ns + timeout_ns, ALARM_MEMBER_CLOSES, node,
                  member->epoch);
}

/* From now on it refuses what is still on its way to it. */
void members_close(struct sim *sim, uint32_t node, uint32_t epoch)
{
    struct member *member = &sim->members->nodes[node];

    if (member->epoch != epoch)
        return;
    throw_out(sim, node);
    if (sim->nodes[node].in_flight == 0) {
        leave_soon(sim, node);
        return;
    }
    member->closed = true;
    if (sim->nodes[node].alive) {
        sim->node_fault[node] = &gone;
        node_shut(&sim->nodes[node], sim->now_ns);
    }
}

void members_attempt_over(struct sim *sim, uint32_t node)
{
    if (sim->members->nodes[node].phase == MEMBER_DRAINING &&
        sim->nodes[node].in_flight == 0)
        leave_soon(sim, node);
}

/* --- the end ----------------------------------------------------------------
 */

void members_finish(const struct sim *sim, struct run_result *ret)
{
    const struct members *members = sim->members;
    double *values = ret->values;

    if (!members)
        return;
    if (members->cold_starts > 0)
        values[M_COLD_START] =
            members->cold_start_sum_s / (double)members->cold_starts;
    values[M_COLD_MISSES] = (double)members->cold_misses;
    values[M_DRAIN_CUT] = (double)members->drained_cut;
    values[M_LOST_WORK] = members->lost_work_s;
}
