#include "sim/experiment/simulation.h"

#include "sim/core/clock.h"
#include "sim/experiment/checks.h"
#include "sim/experiment/cost.h"
#include "sim/experiment/faults.h"
#include "sim/experiment/group_latencies.h"
#include "sim/experiment/mechanisms.h"
#include "sim/experiment/predictions.h"
#include "sim/experiment/reports.h"
#include "sim/experiment/world.h"

#include <assert.h>

/* Limits, the stop flag and progress are looked at every so many events. */
#define LOOK_EVERY 4096u

WORLD_RARE static void handle(struct sim *sim, uint32_t rank, uint32_t subject)
{
    if (subject == SAMPLE_SUBJECT) {
        rhythms_sample(sim);
        return;
    }
    if (subject == LINE_ALARMS) {
        mechanisms_alarm(sim);
        return;
    }
    if (subject >= NODE_TIMER) {
        node_timer(&sim->nodes[subject - NODE_TIMER], &sim->node_world,
                   sim->now_ns);
        return;
    }
    if (subject == LINE_REPORTS || subject >= LINE_NODE_REPORTS) {
        reports_arrive(sim, subject);
        return;
    }
    if (subject >= REQUEST_MAX) {
        life_line(sim, subject);
        return;
    }
    switch (rank) {
    case RANK_FAULT:
        faults_event(sim, subject);
        break;
    case RANK_HEALTH:
        checks_event(sim, subject);
        break;
    case RANK_REPORT:
        rhythms_report(sim, subject);
        break;
    case RANK_TIMEOUT:
        losses_total_timeout(sim);
        break;
    case RANK_TIMER:
        rhythms_timer(sim, subject);
        break;
    default:
        assert(false && "a rank without a handler");
    }
}

static void look_around(struct sim *sim, int64_t *reported_ns)
{
    const struct simulation_setup *setup = sim->setup;

    if ((setup->stop &&
         atomic_load_explicit(setup->stop, memory_order_relaxed)) ||
        (setup->limit_events > 0 && sim->events >= setup->limit_events))
        sim_fail(sim, SIM_STOPPED);
    if (setup->progress_ns) {
        atomic_fetch_add_explicit(setup->progress_ns,
                                  (uint64_t)(sim->now_ns - *reported_ns),
                                  memory_order_relaxed);
        *reported_ns = sim->now_ns;
    }
}

static int64_t last_moment_ns(const struct scenario *scenario)
{
    if (scenario->drain_ns > INT64_MAX - scenario->duration_ns)
        return INT64_MAX - 1;
    return scenario->duration_ns + scenario->drain_ns;
}

/* The tree's first event; what comes most often first. */
static void fire(struct sim *sim, struct event_key first)
{
    uint32_t rank = event_rank_of(first);
    uint32_t subject = sim->tree.subjects[event_leaf_of(first)];

    sim->now_ns = (int64_t)first.time_ns;
    if (rank == RANK_DONE && subject < REQUEST_MAX)
        life_work_done(sim, subject);
    else
        handle(sim, rank, subject);
}

/* One event, if there is one up to last_ns. false: nothing is left to do. */
static inline bool step(struct sim *sim, uint64_t last_ns)
{
    struct event_key first = event_tree_first(&sim->tree);

    if (event_key_order(sim->arrival) < event_key_order(first)) {
        sim->now_ns = (int64_t)sim->arrival.time_ns;
        life_arrival(sim);
    } else {
        if (first.time_ns > last_ns)
            return false;
        assert((int64_t)first.time_ns >= sim->now_ns);
        fire(sim, first);
    }
    if (sim->attention && !world_attend(sim)) {
        sim->events++; /* the last one, which its caller will not count */
        return false;
    }
    return true;
}

/* Up to LOOK_EVERY events; false: nothing is left to do before last_ns. */
__attribute__((noinline)) WORLD_HOT static bool run_some(struct sim *sim,
                                                         uint64_t last_ns)
{
    uint32_t done = 0;

    while (done < LOOK_EVERY && step(sim, last_ns))
        done++;
    sim->events += done;
    return done == LOOK_EVERY;
}

static void run(struct sim *sim)
{
    uint64_t last_ns = (uint64_t)last_moment_ns(sim->scenario);
    int64_t reported_ns = 0;
    bool more;

    do {
        balancer_time_next_pick(&sim->balancers[0]);
        more = run_some(sim, last_ns);
        look_around(sim, &reported_ns);
    } while (more && sim->status == SIM_OK);
}

/* --- the end ------------------------------------------------------------- */

static void count_unfinished(struct sim *sim)
{
    for (uint32_t i = 0; i < sim->slab.chunk_count << REQUEST_CHUNK_LOG2; i++) {
        const struct request *request = request_at(&sim->slab, i);

        if (request->state != REQUEST_FREE &&
            !(request->flags & (REQUEST_ZOMBIE | REQUEST_TWIN)))
            recorder_lost(&sim->recorder, request, END_UNFINISHED);
    }
}

static void finish(struct sim *sim, struct run_result *ret)
{
    count_unfinished(sim);
    if (!recorder_finish(&sim->recorder, sim->nodes, ret) ||
        !group_latencies_finish(&sim->recorder, sim->scenario, ret))
        sim_fail(sim, SIM_NO_MEMORY);
    else if (!books_balance(&ret->books))
        sim_fail(sim, SIM_BOOKS_OPEN);
    predictions_finish(sim->balancers, sim->balancer_count, ret->values);
    sources_finish(sim, ret);
    faults_finish(sim, ret);
    mechanisms_finish(sim, ret);
    for (uint32_t b = 0; b < sim->balancer_count; b++)
        ret->draws += sim->balancers[b].draws;
    ret->timed_picks = sim->balancers[0].timed_picks;
    ret->timed_picks_s = (double)sim->balancers[0].timed_ns * 1e-9;
    ret->events = sim->events;
    cost_finish(sim->scenario, ret);
}

enum sim_status simulation_run(const struct simulation_setup *setup,
                               struct run_result *ret)
{
    struct sim sim = {.setup = setup,
                      .scenario = setup->scenario,
                      .node_count = setup->scenario->node_count};
    double started_s = clock_thread_cpu_s();

    *ret = (struct run_result){0};
    if (!world_make(&sim))
        sim_fail(&sim, SIM_NO_MEMORY);
    if (sim.status == SIM_OK)
        run(&sim);
    if (sim.status == SIM_OK)
        finish(&sim, ret);
    if (sim.status == SIM_NO_MEMORY && event_tree_is_full(&sim.tree))
        sim.status = SIM_TOO_MANY_EVENTS;
    world_unmake(&sim);
    if (sim.status != SIM_OK)
        run_result_done(ret);
    ret->cpu_s = clock_thread_cpu_s() - started_s;
    return sim.status;
}
