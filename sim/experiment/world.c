/*
 * Building one simulation out of its scenario, and taking it down again.
 */
#include "sim/experiment/world.h"

#include "sim/experiment/admission.h"
#include "sim/experiment/checks.h"
#include "sim/experiment/deadlines.h"
#include "sim/experiment/faults.h"
#include "sim/experiment/mechanisms.h"
#include "sim/experiment/members.h"
#include "sim/experiment/predictions.h"
#include "sim/experiment/reports.h"
#include "sim/experiment/tier.h"
#include "sim/scenario/describe.h"

#include <math.h>
#include <string.h>

void sim_fail(struct sim *sim, enum sim_status status)
{
    if (sim->status == SIM_OK)
        sim->status = status;
    sim->attention = true;
}

/* Arrivals are over, every request has ended, and the window has closed. */
static bool is_over(const struct sim *sim)
{
    return sim->arrivals_over && sim->slab.in_use == checks_inside(sim) &&
           sim->now_ns >= sim->scenario->duration_ns &&
           recorder_next_edge_ns(&sim->recorder) == EVENT_NEVER;
}

/* Once arrivals are over it is asked for after every event: the drain. */
bool world_attend(struct sim *sim)
{
    sim->attention = sim->arrivals_over;
    if (deadlines_lack_memory(sim))
        sim_fail(sim, SIM_NO_MEMORY);
    door_ask_waiting(sim);
    return sim->status == SIM_OK && !is_over(sim);
}

/* Leaves that nodes take at first. */
static uint32_t count_slots(const struct scenario *scenario)
{
    uint64_t slots = 0;

    for (uint32_t g = 0; g < scenario->group_count; g++)
        slots += (uint64_t)scenario->groups[g].count *
                 (scenario->groups[g].engine.kind == ENGINE_SLOTS
                      ? scenario->groups[g].engine.slots
                      : 1);
    return slots < 4096 ? (uint32_t)slots : 4096; /* then it grows */
}

static bool make_caches(struct sim *sim)
{
    const struct scenario *scenario = sim->scenario;
    uint32_t i = 0;

    sim->caches =
        arena_allocate(&sim->arena, sim->node_count, sizeof *sim->caches);
    if (!sim->caches)
        return false;
    for (uint32_t g = 0; g < scenario->group_count; g++) {
        const struct group_spec *group = &scenario->groups[g];
        const struct result_cache_spec *spec = &group->result_cache;

        for (uint32_t k = 0; k < group->count; k++, i++)
            if (spec->given &&
                !result_cache_init(&sim->caches[i], spec->entries, spec->bytes,
                                   spec->ttl_ns))
                return false;
    }
    return true;
}

static bool make_nodes(struct sim *sim)
{
    const struct scenario *scenario = sim->scenario;
    uint32_t i = 0;

    sim->nodes =
        arena_allocate(&sim->arena, sim->node_count, sizeof *sim->nodes);
    sim->hits =
        arena_allocate(&sim->arena, scenario->group_count, sizeof *sim->hits);
    sim->loads =
        arena_allocate(&sim->arena, scenario->group_count, sizeof *sim->loads);
    sim->node_fault =
        arena_allocate(&sim->arena, sim->node_count, sizeof *sim->node_fault);
    if (!sim->nodes || !sim->node_fault || !sim->hits || !sim->loads ||
        !make_caches(sim))
        return false;
    for (uint32_t g = 0; g < scenario->group_count; g++) {
        const struct group_spec *group = &scenario->groups[g];
        bool cached = group->result_cache.given;

        delay_line_init(&sim->hits[g], group->result_cache.hit_time_ns,
                        RANK_DONE, LINE_HITS + g);
        delay_line_init(&sim->loads[g], group->load_ns, RANK_DONE,
                        LINE_LOADS + g);
        for (uint32_t k = 0; k < group->count; k++, i++)
            if (!node_init(&sim->nodes[i], group, g, k,
                           cached ? &sim->caches[i] : NULL,
                           cached ? &sim->hits[g] : NULL))
                return false;
    }
    return true;
}

static bool is_routed(const struct sim *sim)
{
    return sim->scenario->policies[sim->setup->policy].routing ==
           POLICY_ROUTING_TABLE;
}

static bool make_routing(struct sim *sim)
{
    const struct scenario *scenario = sim->scenario;

    if (scenario->classifier.given)
        classifier_init(&sim->classifier, &scenario->classifier,
                        scenario->workload.class_count, scenario->seed,
                        sim->setup->replication);
    return !is_routed(sim) ||
           routing_init(&sim->routing, &scenario->routing, sim->described,
                        sim->node_count, &sim->arena);
}

static bool make_connections(struct sim *sim)
{
    const struct connections_spec *spec = &sim->scenario->balancer.connections;

    for (uint32_t b = 0; spec->given && b < sim->balancer_count; b++) {
        struct rng rng;

        rng_stream(&rng, sim->scenario->seed, sim->setup->replication,
                   RNG_CONNECTIONS, b);
        if (!connections_init(&sim->balancers[b], spec, rng, &sim->arena))
            return false;
    }
    return true;
}

static bool make_balancers(struct sim *sim)
{
    const struct scenario *scenario = sim->scenario;
    const struct balancer_spec *spec = &scenario->balancer;

    sim->balancers =
        arena_allocate(&sim->arena, spec->count, sizeof *sim->balancers);
    sim->key_texts =
        arena_allocate(&sim->arena, sim->node_count, DESCRIBE_NAME_SIZE);
    sim->described =
        arena_allocate(&sim->arena, sim->node_count, sizeof *sim->described);
    if (!sim->balancers || !sim->key_texts || !sim->described)
        return false;
    describe_nodes(scenario, sim->setup->replication, sim->described,
                   sim->key_texts);
    if (!members_make(sim) || !make_routing(sim))
        return false;
    sim->balancer_count = spec->count;
    for (uint32_t b = 0; b < spec->count; b++) {
        struct balancer_setup setup = {
            .policy = &scenario->policies[sim->setup->policy],
            .index = b,
            .count = spec->count,
            .node_count = sim->node_count,
            .nodes = sim->described,
            .report_interval_ns = spec->report_interval_ns,
            .late_reports = reports_on_their_way(scenario),
            .retry = &spec->retry,
            .deadline_after_ns =
                spec->timeout.total_ns < INT64_MAX ? spec->timeout.total_ns : 0,
            .classes = scenario->workload.class_count > 0
                           ? scenario->workload.classes
                           : NULL,
            .routing = is_routed(sim) ? &sim->routing : NULL,
            .arena = &sim->arena,
            .costs = predictions_costs(scenario),
        };

        rng_stream(&setup.rng, scenario->seed, sim->setup->replication,
                   RNG_POLICY, b);
        if (!balancer_init(&sim->balancers[b], &setup))
            return false;
    }
    return make_connections(sim);
}

static bool make_lines(struct sim *sim)
{
    const struct balancer_spec *spec = &sim->scenario->balancer;
    int64_t delay_ns = spec->network_delay_ns;
    int64_t connect_ns = spec->timeout.connect_ns - delay_ns;

    sim->timeout_leaf = EVENT_NO_LEAF;
    if (spec->timeout.total_ns < INT64_MAX) {
        sim->timeout_leaf = event_tree_take(&sim->tree, 0);
        if (sim->timeout_leaf == EVENT_NO_LEAF)
            return false;
    }
    alarms_init(&sim->alarms, LINE_ALARMS);
    delay_line_init(&sim->to_node, delay_ns, RANK_NODE_ARRIVAL, LINE_TO_NODE);
    delay_line_init(&sim->to_client, delay_ns, RANK_DONE, LINE_TO_CLIENT);
    delay_line_init(&sim->resets, delay_ns, RANK_DONE, LINE_RESET);
    delay_line_init(&sim->refusals, delay_ns, RANK_DONE, LINE_REFUSAL);
    delay_line_init(&sim->connects, connect_ns > 0 ? connect_ns : 0,
                    RANK_TIMEOUT, LINE_CONNECT);
    return true;
}

static bool any_needs_work(const struct scenario *scenario)
{
    for (uint32_t g = 0; g < scenario->group_count; g++)
        if (node_needs_work(&scenario->groups[g]))
            return true;
    return false;
}

static bool any_may_refuse(const struct scenario *scenario)
{
    for (uint32_t g = 0; g < scenario->group_count; g++)
        if (group_may_refuse(&scenario->groups[g]))
            return true;
    return false;
}

/* Of nodes that have several. */
static uint32_t count_cards(const struct scenario *scenario)
{
    uint32_t cards = 0;

    for (uint32_t g = 0; g < scenario->group_count; g++)
        if (scenario->groups[g].cards > 1)
            cards += scenario->groups[g].count * scenario->groups[g].cards;
    return cards;
}

static bool any_minds_models(const struct scenario *scenario)
{
    for (uint32_t g = 0; g < scenario->group_count; g++)
        if (scenario->groups[g].minds_models)
            return true;
    return false;
}

static bool any_cache(const struct scenario *scenario)
{
    for (uint32_t g = 0; g < scenario->group_count; g++)
        if (scenario->groups[g].result_cache.given)
            return true;
    return false;
}

static bool make_recorder(struct sim *sim)
{
    const struct scenario *scenario = sim->scenario;
    struct recorder_setup setup = {
        .node_count = sim->node_count,
        .node_percentiles = scenario->node_percentiles,
        .keep_latencies = sim->setup->keep_latencies,
        .with_keys = scenario_has_keys(scenario),
        .with_caches = any_cache(scenario),
        .with_queue_limits = any_may_refuse(scenario),
        .with_members = scenario_nodes_change(scenario),
        .with_raw_keys = workload_spec_is_normalised(&scenario->workload),
        .confidence = scenario->confidence,
        .goodput_bound_s = scenario_goodput_bound_s(scenario),
        .with_routing = scenario->routing.given,
        .with_classifier = scenario->classifier.given,
        .with_models = any_minds_models(scenario),
        .card_count = count_cards(scenario),
        .tier = scenario->tier.given ? &sim->tier_spec : NULL,
        .class_count = scenario->workload.class_count,
        .classes = scenario->workload.classes,
        .source_count = scenario->workload.overlay_count > 0
                            ? 1 + scenario->workload.overlay_count
                            : 0,
        .slab = &sim->slab,
        .origins = &sim->origins,
        .end_ns = scenario->duration_ns,
    };

    return recorder_init(&sim->recorder, &setup);
}

/* Of one request. */
static uint32_t most_attempts(const struct balancer_spec *spec)
{
    uint32_t most = 1;

    if (spec->retry.given && spec->retry.attempts > most)
        most = spec->retry.attempts;
    if (spec->hedge.given && spec->hedge.attempts > most)
        most = spec->hedge.attempts;
    return most;
}

bool world_make(struct sim *sim)
{
    const struct scenario *scenario = sim->scenario;

    request_slab_init(&sim->slab, scenario_has_keys(scenario),
                      most_attempts(&scenario->balancer) - 1);
    if (scenario->balancer.timeout.total_ns < INT64_MAX ||
        scenario->workload.class_count > 0 || any_minds_models(scenario))
        sim->slab.has_extras = true;
    sim->slab.has_extras |= scenario->balancer.degrade.given;
    foresight_make_room(&sim->slab, &scenario->policies[sim->setup->policy]);
    if (any_needs_work(scenario))
        request_slab_add_work(&sim->slab);
    if (admission_is_needed(scenario))
        request_slab_add_doors(&sim->slab);
    if (!event_tree_init(&sim->tree, count_slots(scenario) + 1) ||
        !make_lines(sim) || !make_nodes(sim) || !make_balancers(sim) ||
        !faults_make_tier_spec(sim) || !make_recorder(sim))
        return false;
    sim->node_world = (struct node_world){
        .tree = &sim->tree,
        .slab = &sim->slab,
        .first_token_events = sim->balancers[0].ops->on_first_token != NULL,
        .classes = scenario->workload.class_count > 0
                       ? scenario->workload.classes
                       : NULL,
        .deadline_after_ns = scenario->balancer.timeout.total_ns,
    };
    if (!tier_make(sim) || !mechanisms_make(sim))
        return false;
    sim->arrivals_have_more = sim->tier != NULL || sim->admission != NULL ||
                              sim->deadlines != NULL || sim->degrade != NULL ||
                              sim->batching != NULL ||
                              sim->timeout_leaf != EVENT_NO_LEAF;
    sim->workload = workload_create(&scenario->workload, scenario->duration_ns,
                                    scenario->seed, sim->setup->replication);
    if (!sim->workload || !sources_start(sim) || !rhythms_start(sim))
        return false;
    life_schedule_next(sim);
    return true;
}

static void unmake_lines(struct sim *sim)
{
    delay_line_done(&sim->to_node);
    delay_line_done(&sim->to_client);
    delay_line_done(&sim->resets);
    delay_line_done(&sim->refusals);
    delay_line_done(&sim->connects);
    delay_line_done(&sim->late_reports.line);
    alarms_done(&sim->alarms);
    for (uint32_t g = 0; sim->hits && g < sim->scenario->group_count; g++)
        delay_line_done(&sim->hits[g]);
    for (uint32_t g = 0; sim->loads && g < sim->scenario->group_count; g++)
        delay_line_done(&sim->loads[g]);
    faults_unmake(sim);
}

void world_unmake(struct sim *sim)
{
    for (uint32_t b = 0; sim->balancers && b < sim->balancer_count; b++)
        balancer_done(&sim->balancers[b]);
    for (uint32_t i = 0; sim->nodes && i < sim->node_count; i++)
        node_done(&sim->nodes[i]);
    for (uint32_t i = 0; sim->caches && i < sim->node_count; i++)
        result_cache_done(&sim->caches[i]);
    unmake_lines(sim);
    sources_stop(sim);
    tier_unmake(sim);
    mechanisms_unmake(sim);
    workload_destroy(sim->workload);
    recorder_done(&sim->recorder);
    request_slab_done(&sim->slab);
    event_tree_done(&sim->tree);
    arena_done(&sim->arena);
}
