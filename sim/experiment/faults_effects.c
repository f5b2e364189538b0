/* What each kind of fault does to a node while it holds, and undoes. */
#include "sim/experiment/faults_state.h"

#include "sim/experiment/life.h"
#include "sim/experiment/misroutes.h"

/* Memory leaks away in so many equal steps. */
#define LEAK_STEPS 100

static const struct fault_spec *spec_of(const struct faults *faults,
                                        uint32_t hold)
{
    return faults->runs[faults->holds[hold].fault].spec;
}

/* --- steps ---------------------------------------------------------------- */

/* The hold's own event; INT64_MAX: there is none for now. */
static void aim(struct sim *sim, uint32_t index, int64_t at_ns)
{
    struct fault_hold *hold = &sim->faults->holds[index];

    hold->next_ns = at_ns;
    if (hold->leaf == EVENT_NO_LEAF)
        hold->leaf =
            event_tree_take(&sim->tree, sim->faults->unit_count + index);
    if (hold->leaf == EVENT_NO_LEAF)
        sim_fail(sim, SIM_NO_MEMORY);
    else if (at_ns < INT64_MAX)
        event_tree_set(&sim->tree, hold->leaf, at_ns, RANK_FAULT);
    else
        event_tree_clear(&sim->tree, hold->leaf);
}

static void stop_steps(struct sim *sim, struct fault_hold *hold)
{
    if (hold->leaf == EVENT_NO_LEAF)
        return;
    event_tree_clear(&sim->tree, hold->leaf);
    event_tree_give(&sim->tree, hold->leaf);
    hold->leaf = EVENT_NO_LEAF;
}

/* --- death ---------------------------------------------------------------- */

static void kill(struct sim *sim, uint32_t index)
{
    struct faults *faults = sim->faults;
    struct fault_hold *hold = &faults->holds[index];
    uint32_t node = hold->node;

    hold->kills = true;
    if (faults->kills[node]++ > 0 || !sim->nodes[node].alive)
        return;
    sim->node_fault[node] = spec_of(faults, index);
    hold->lost =
        node_die(&sim->nodes[node], &sim->node_world, node, sim->now_ns);
    faults_end_of_process(sim, node);
    faults_note_service(sim, node);
}

void faults_mourn(struct sim *sim, uint32_t index)
{
    struct fault_hold *hold = &sim->faults->holds[index];
    uint32_t lost = hold->lost, fault = hold->fault, node = hold->node;

    hold->lost = REQUEST_NONE;
    if (!hold->kills || sim->node_fault[node] != spec_of(sim->faults, index))
        return;
    losses_node_died(sim, fault, lost);
    misroutes_node_died(sim, fault, node);
}

/* Another one that keeps the node dead has killed it from now on. */
static void change_killer(struct sim *sim, uint32_t node)
{
    const struct faults *faults = sim->faults;

    for (uint32_t hold = faults->first_hold[node]; hold != HOLD_NONE;
         hold = faults->holds[hold].next)
        if (faults->holds[hold].kills) {
            sim->node_fault[node] = spec_of(faults, hold);
            return;
        }
}

/* Else it was taken down by whoever lets nodes come and go: a death that has no
   target. */
static bool died_of_fault(const struct sim *sim, uint32_t node)
{
    return sim->node_fault[node]->target.pick_count > 0;
}

static void revive(struct sim *sim, uint32_t index)
{
    struct faults *faults = sim->faults;
    struct fault_hold *hold = &faults->holds[index];
    uint32_t node = hold->node;

    if (!hold->kills)
        return;
    hold->kills = false;
    faults->kills[node]--;
    if (!died_of_fault(sim, node))
        return;
    if (faults->kills[node] > 0) {
        change_killer(sim, node);
        return;
    }
    node_restart(&sim->nodes[node], sim->now_ns);
    faults_note_service(sim, node);
}

void faults_reopen(struct sim *sim, uint32_t node)
{
    if (sim->faults && sim->faults->kills[node] > 0) {
        change_killer(sim, node);
        return;
    }
    node_restart(&sim->nodes[node], sim->now_ns);
    if (sim->faults)
        faults_note_service(sim, node);
}

/* --- what lasts ----------------------------------------------------------- */

/* How many times as long all takes, by this one. */
static double slowness_of(const struct faults *faults, uint32_t hold)
{
    const struct fault_spec *spec = spec_of(faults, hold);

    return 1 + (spec->factor - 1) * faults->holds[hold].step / spec->steps;
}

/* What all holds on the node come to: the worst of each kind counts, leaks add
   up. */
struct ailment {
    double slowness, error_share, leak_per_answer;
    bool hangs, swallows;
    uint32_t full_leaf;
};

static void add_ailment(const struct faults *faults, uint32_t index,
                        struct ailment *sum)
{
    const struct fault_hold *hold = &faults->holds[index];
    const struct fault_spec *spec = spec_of(faults, index);

    switch (spec->kind) {
    case FAULT_SLOW:
        if (slowness_of(faults, index) > sum->slowness)
            sum->slowness = slowness_of(faults, index);
        break;
    case FAULT_HANG:
        sum->hangs = true;
        break;
    case FAULT_BLACK_HOLE:
        sum->swallows = true;
        break;
    case FAULT_FAIL_FAST:
        if (spec->share > sum->error_share)
            sum->error_share = spec->share;
        break;
    case FAULT_MEMORY_LEAK:
        sum->leak_per_answer += spec->leak_per_answer;
        sum->full_leaf = hold->leaf;
        break;
    default:
        break;
    }
}

static void thaw(struct sim *sim, uint32_t index)
{
    struct node *node = &sim->nodes[index];
    uint32_t held;

    node_thaw(node, &sim->node_world, index, sim->now_ns);
    while (sim->status == SIM_OK && !node->trouble->frozen &&
           (held = node_take_held(node, &sim->node_world, sim->now_ns)) !=
               REQUEST_NONE)
        life_reach_node(sim, node, request_at(&sim->slab, held), held);
}

static void set_speed(struct sim *sim, uint32_t index, double slowness)
{
    double *now = &sim->faults->slowness[index];

    if (slowness == *now)
        return;
    node_change_speed(&sim->nodes[index], &sim->node_world, index,
                      *now / slowness, sim->now_ns);
    *now = slowness;
}

/* After any hold came, went or took a step. */
static void refresh(struct sim *sim, uint32_t index)
{
    struct faults *faults = sim->faults;
    struct node *node = &sim->nodes[index];
    struct node_trouble *trouble = node->trouble;
    struct ailment sum = {.slowness = 1, .full_leaf = EVENT_NO_LEAF};

    for (uint32_t hold = faults->first_hold[index]; hold != HOLD_NONE;
         hold = faults->holds[hold].next)
        if (!faults->holds[hold].over)
            add_ailment(faults, hold, &sum);
    set_speed(sim, index, sum.slowness);
    if (!trouble)
        return;
    trouble->swallows = sum.swallows;
    trouble->error_share = sum.error_share;
    trouble->leak_per_answer = sum.leak_per_answer;
    trouble->full_leaf = sum.full_leaf;
    node_trouble_changed(node);
    if (sum.hangs && !trouble->frozen)
        node_freeze(node, &sim->node_world, index, sim->now_ns);
    else if (!sum.hangs && trouble->frozen)
        thaw(sim, index);
    faults_note_service(sim, index);
}

/* --- partitions ----------------------------------------------------------- */

static bool is_inside(const struct request *request)
{
    switch ((enum request_state)request->state) {
    case REQUEST_QUEUED:
    case REQUEST_RUNNING:
    case REQUEST_LOADING:
    case REQUEST_FOLLOWING:
    case REQUEST_HIT:
    case REQUEST_HELD:
        return true;
    default:
        return false;
    }
}

/* Those inside the node whose sender is cut off know it by a flag. */
static void mark_inside(struct sim *sim, uint32_t node)
{
    const struct node_trouble *trouble = sim->nodes[node].trouble;

    for (uint32_t i = 0; i < sim->slab.chunk_count << REQUEST_CHUNK_LOG2; i++) {
        struct request *request = request_at(&sim->slab, i);

        if (request->state == REQUEST_FREE || request->node != node ||
            !is_inside(request))
            continue;
        if (trouble->cut[request->balancer] > 0)
            request->flags |= REQUEST_CUT;
        else
            request->flags &= (uint16_t)~REQUEST_CUT;
    }
}

static void cut(struct sim *sim, uint32_t index, uint32_t change)
{
    const struct fault_hold *hold = &sim->faults->holds[index];
    const struct fault_run *run = &sim->faults->runs[hold->fault];
    struct node_trouble *trouble = sim->nodes[hold->node].trouble;

    for (uint32_t b = 0; b < sim->balancer_count; b++)
        if (run->senders[b]) {
            trouble->cut[b] += change;
            trouble->cuts += change;
        }
    node_trouble_changed(&sim->nodes[hold->node]);
    mark_inside(sim, hold->node);
}

/* --- the ends of a hold --------------------------------------------------- */

static void begin_slow(struct sim *sim, uint32_t index)
{
    struct fault_hold *hold = &sim->faults->holds[index];
    const struct fault_spec *spec = spec_of(sim->faults, index);

    hold->step = spec->ramp_ns > 0 ? 0 : spec->steps;
    if (spec->ramp_ns > 0)
        aim(sim, index, sim->now_ns + spec->ramp_ns / spec->steps);
}

static void aim_at_leak(struct sim *sim, uint32_t index)
{
    const struct fault_spec *spec = spec_of(sim->faults, index);
    int64_t step_ns = spec->fills_in_ns / LEAK_STEPS;

    aim(sim, index,
        spec->fills_in_ns == INT64_MAX
            ? INT64_MAX
            : sim->now_ns + (step_ns > 0 ? step_ns : 1));
}

void faults_begin(struct sim *sim, uint32_t index)
{
    const struct fault_spec *spec = spec_of(sim->faults, index);

    switch (spec->kind) {
    case FAULT_CRASH:
    case FAULT_HOST_DOWN:
        kill(sim, index);
        return;
    case FAULT_FLAPPING:
        kill(sim, index);
        aim(sim, index, sim->now_ns + spec->down_for_ns);
        return;
    case FAULT_SLOW:
        begin_slow(sim, index);
        break;
    case FAULT_MEMORY_LEAK:
        aim_at_leak(sim, index);
        break;
    case FAULT_PARTITION:
        cut(sim, index, 1);
        return;
    default:
        break;
    }
    refresh(sim, sim->faults->holds[index].node);
}

/* Off its node's list. */
static bool leave_node(struct sim *sim, uint32_t index)
{
    struct faults *faults = sim->faults;
    struct fault_hold *hold = &faults->holds[index];
    uint32_t *link = &faults->first_hold[hold->node];

    stop_steps(sim, hold);
    while (*link != index)
        link = &faults->holds[*link].next;
    *link = hold->next;
    return true;
}

static void note_end(struct sim *sim, const struct fault_hold *hold)
{
    if (hold->strike != HOLD_NONE)
        sim->faults->strikes[hold->strike].end_s = (double)sim->now_ns * 1e-9;
}

void faults_drop(struct sim *sim, uint32_t index)
{
    struct fault_hold *hold = &sim->faults->holds[index];

    if (!hold->over)
        note_end(sim, hold);
    hold->over = true;
    hold->dropped = true;
    if (spec_of(sim->faults, index)->kind == FAULT_PARTITION)
        cut(sim, index, UINT32_MAX);
    revive(sim, index);
    refresh(sim, hold->node);
    leave_node(sim, index);
}

/* A watchdog restarts it: nothing that was inside goes on. */
static void restart(struct sim *sim, uint32_t index)
{
    uint32_t node = sim->faults->holds[index].node;

    kill(sim, index);
    faults_mourn(sim, index);
    revive(sim, index);
    refresh(sim, node);
}

bool faults_end(struct sim *sim, uint32_t index)
{
    const struct fault_spec *spec = spec_of(sim->faults, index);
    struct fault_hold *hold = &sim->faults->holds[index];
    uint32_t node = hold->node;

    if (hold->dropped)
        return true;
    note_end(sim, hold);
    hold->over = true;
    if (spec->kind == FAULT_MEMORY_LEAK && hold->kills) {
        refresh(sim, node);
        return false; /* the restart is still to come, if it comes */
    }
    if (spec->kind == FAULT_PARTITION)
        cut(sim, index, UINT32_MAX);
    else if (fault_kills(spec->kind))
        revive(sim, index);
    else if (spec->kind == FAULT_HANG && spec->lose)
        restart(sim, index);
    else
        refresh(sim, node);
    return leave_node(sim, index);
}

/* --- steps of a hold ------------------------------------------------------ */

static void run_out_of_memory(struct sim *sim, uint32_t index)
{
    struct fault_hold *hold = &sim->faults->holds[index];
    const struct fault_spec *spec = spec_of(sim->faults, index);
    uint32_t strike;

    strike =
        faults_note_strike(sim, FAULT_OUT_OF_MEMORY, hold->node, sim->now_ns);
    if (strike != HOLD_NONE && spec->restart_after_ns < INT64_MAX)
        sim->faults->strikes[strike].end_s =
            (double)fault_end_ns(sim->now_ns, spec->restart_after_ns) * 1e-9;
    kill(sim, index);
    aim(sim, index, fault_end_ns(sim->now_ns, spec->restart_after_ns));
    faults_mourn(sim, index);
}

/* Time for more to leak, or an answer has taken the last of the memory. */
static void step_leak(struct sim *sim, uint32_t index)
{
    struct fault_hold *hold = &sim->faults->holds[index];
    struct node *node = &sim->nodes[hold->node];
    bool due = sim->now_ns >= hold->next_ns;

    if (!node->alive) {
        aim_at_leak(sim, index);
        return;
    }
    if (node_leak(node, due ? 1.0 / LEAK_STEPS : 0, sim->now_ns))
        run_out_of_memory(sim, index);
    else if (due)
        aim_at_leak(sim, index);
    else
        aim(sim, index, hold->next_ns);
}

bool faults_step(struct sim *sim, uint32_t index)
{
    struct fault_hold *hold = &sim->faults->holds[index];
    const struct fault_spec *spec = spec_of(sim->faults, index);

    event_tree_clear(&sim->tree, hold->leaf);
    if (spec->kind == FAULT_SLOW) {
        hold->step++;
        if (hold->step < spec->steps)
            aim(sim, index, sim->now_ns + spec->ramp_ns / spec->steps);
        refresh(sim, hold->node);
    } else if (hold->kills) {
        revive(sim, index);
        if (hold->over)
            return leave_node(sim, index);
        if (spec->kind == FAULT_FLAPPING)
            aim(sim, index, sim->now_ns + spec->up_for_ns);
        else
            aim_at_leak(sim, index);
    } else if (spec->kind == FAULT_FLAPPING) {
        kill(sim, index);
        aim(sim, index, sim->now_ns + spec->down_for_ns);
        faults_mourn(sim, index);
    } else {
        step_leak(sim, index);
    }
    return false;
}
