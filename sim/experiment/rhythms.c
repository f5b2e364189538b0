/*
 * What happens by itself: reports, policies' timers, and the edges of the
 * measured window. Checks and faults have files of their own.
 */
#include "sim/experiment/checks.h"
#include "sim/experiment/faults.h"
#include "sim/experiment/mechanisms.h"
#include "sim/experiment/members.h"
#include "sim/experiment/reports.h"
#include "sim/experiment/world.h"

#include <math.h>

/* --- reports ------------------------------------------------------------- */

/* Values now, for reports that are never late. */
static void report_now(const struct node *node, struct lbp_node *ret)
{
    double gpu = node_gpu_use(node), cpu = node_cpu_use(node);
    double memory = node_memory_use(node);

    ret->gpu_use = isnan(gpu) ? -1 : gpu;
    ret->cpu_use = isnan(cpu) ? -1 : cpu;
    ret->memory_use = isnan(memory) ? -1 : memory;
    ret->queue_depth = node_queue_depth(node);
    ret->running = node->running;
}

/* A sum of many products may round to a little more than the whole. */
static double mean_share(double share_ns, double span_ns)
{
    return fmin(share_ns / span_ns, 1);
}

/* Uses as means over the last interval; queue and running as they are. */
static void report_means(const struct node *node,
                         const struct node_reading *last,
                         const struct node_reading *read, struct lbp_node *ret)
{
    double span = (double)(read->at_ns - last->at_ns);

    report_now(node, ret);
    if (span <= 0)
        return;
    if (node->kind == NODE_GPU)
        ret->gpu_use =
            mean_share((double)(read->busy - last->busy) / node->slots, span);
    if (node->states_cpu)
        ret->cpu_use = mean_share(read->cpu_ns - last->cpu_ns, span);
    if (node->states_memory)
        ret->memory_use = mean_share(read->memory_ns - last->memory_ns, span);
}

void rhythms_report(struct sim *sim, uint32_t index)
{
    const struct node *node = &sim->nodes[index];
    struct node_reading *last = &sim->report_readings[index];
    struct node_reading read;

    node_read(node, sim->now_ns, &read);
    if (node->alive && members_serves(sim, index) &&
        faults_node_reports(sim, index)) {
        struct lbp_node word = sim->described[index];

        report_means(node, last, &read, &word);
        word.reported_at_ns = sim->now_ns;
        reports_send(sim, index, &word);
    }
    *last = read;
    event_tree_set(&sim->tree, sim->report_leaves[index],
                   sim->now_ns + sim->scenario->balancer.report_interval_ns,
                   RANK_REPORT);
}

void rhythms_refresh_reports(struct sim *sim, struct balancer *balancer)
{
    if (balancer->ops->needs & LBP_NEEDS_REPORTS)
        rhythms_show_reports(sim, balancer);
}

void rhythms_show_reports(struct sim *sim, struct balancer *balancer)
{
    for (uint32_t i = 0; i < sim->node_count; i++) {
        if (!sim->nodes[i].alive || !members_serves(sim, i) ||
            !faults_node_reports(sim, i) ||
            faults_cut(sim, (uint32_t)(balancer - sim->balancers), i))
            continue;
        report_now(&sim->nodes[i], &balancer->nodes[i]);
        balancer->nodes[i].reported_at_ns = sim->now_ns;
        balancer->since_report[i] = 0;
    }
}

static int64_t first_report_ns(const struct sim *sim, uint32_t node)
{
    const struct balancer_spec *spec = &sim->scenario->balancer;
    struct rng rng;

    if (spec->report_phase == REPORT_PHASE_SAME)
        return 0;
    rng_stream(&rng, sim->scenario->seed, sim->setup->replication,
               RNG_REPORT_PHASE, node);
    return (int64_t)rng_below(&rng, (uint64_t)spec->report_interval_ns);
}

static bool start_reports(struct sim *sim)
{
    sim->report_leaves = arena_allocate(&sim->arena, sim->node_count,
                                        sizeof *sim->report_leaves);
    sim->report_readings = arena_allocate(&sim->arena, sim->node_count,
                                          sizeof *sim->report_readings);
    if (!sim->report_leaves || !sim->report_readings || !reports_start(sim))
        return false;
    for (uint32_t i = 0; i < sim->node_count; i++) {
        uint32_t leaf = event_tree_take(&sim->tree, i);

        if (leaf == EVENT_NO_LEAF)
            return false;
        sim->report_leaves[i] = leaf;
        event_tree_set(&sim->tree, leaf, first_report_ns(sim, i), RANK_REPORT);
    }
    return true;
}

/* --- timers and the window ------------------------------------------------ */

void rhythms_timer(struct sim *sim, uint32_t b)
{
    struct balancer *balancer = &sim->balancers[b];
    int64_t next_ns = balancer_timer(balancer, sim->now_ns);

    event_tree_clear(&sim->tree, balancer->timer_leaf);
    if (next_ns != LBP_NO_TIME)
        event_tree_set(&sim->tree, balancer->timer_leaf,
                       next_ns > sim->now_ns ? next_ns : sim->now_ns + 1,
                       RANK_TIMER);
    if (balancer->waiting_head != REQUEST_NONE)
        sim->attention = true;
}

static bool start_timers(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->balancer_count; b++) {
        struct balancer *balancer = &sim->balancers[b];

        if (!balancer->ops->on_timer)
            continue;
        balancer->timer_leaf = event_tree_take(&sim->tree, b);
        if (balancer->timer_leaf == EVENT_NO_LEAF)
            return false;
        rhythms_timer(sim, b);
    }
    return true;
}

void rhythms_sample(struct sim *sim)
{
    int64_t next_ns;

    if (sim->recorder.open)
        recorder_edge(&sim->recorder, sim->nodes, sim->now_ns);
    else
        recorder_open(&sim->recorder, sim->nodes, sim->now_ns);
    next_ns = recorder_next_edge_ns(&sim->recorder);
    event_tree_clear(&sim->tree, sim->sample_leaf);
    if (next_ns != EVENT_NEVER)
        event_tree_set(&sim->tree, sim->sample_leaf, next_ns, RANK_SAMPLE);
}

/*
 * A window that opens at a given time opens before the first arrival at that
 * instant is looked at, or an arrival right on the edge would not be measured:
 * so it has a leaf of rank done, not of rank sample.
 */
static bool start_window(struct sim *sim)
{
    const struct warm_up_spec *warm_up = &sim->scenario->warm_up;
    int64_t opens_ns = warm_up->kind == WARM_UP_TIME ? warm_up->time_ns : 0;

    sim->sample_leaf = event_tree_take(&sim->tree, SAMPLE_SUBJECT);
    if (sim->sample_leaf == EVENT_NO_LEAF)
        return false;
    if (sim->setup->warm_up_ns >= 0)
        opens_ns = sim->setup->warm_up_ns;
    else if (warm_up->kind == WARM_UP_REQUESTS) {
        sim->opens_by_count = true;
        return true;
    }
    if (opens_ns < sim->recorder.end_ns)
        event_tree_set(&sim->tree, sim->sample_leaf, opens_ns, RANK_DONE);
    return true;
}

bool rhythms_start(struct sim *sim)
{
    return faults_start(sim) && start_window(sim) && start_timers(sim) &&
           checks_start(sim) &&
           (sim->scenario->balancer.report_interval_ns <= 0 ||
            start_reports(sim)) &&
           mechanisms_start(sim);
}
