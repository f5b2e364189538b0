#include "sim/experiment/plan_parts.h"

#include "sim/cluster/staffing.h"
#include "sim/scenario/lint.h"

#include <math.h>
#include <stdlib.h>

#define MAY_WAIT 0.2 /* of the arrivals, where no goal says otherwise */
#define TIMES_ALONE                                          \
    4u /* policies are worse than one shared queue, some far \
        */
#define ROUNDING 1e-9

bool plan_load_init(struct plan_load *load, const struct scenario *scenario)
{
    struct scenario_demand demand = scenario_demand(scenario);

    *load = (struct plan_load){
        .scenario = scenario,
        .mean_per_s = demand.mean_per_s,
        .peak_per_s = demand.peak_per_s,
        .working = demand.working,
        .node_per_s =
            calloc(scenario->group_count + 1u, sizeof *load->node_per_s),
    };
    for (uint32_t g = 0; load->node_per_s && g < scenario->group_count; g++)
        load->node_per_s[g] = scenario_node_per_s(scenario, g);
    return load->node_per_s != NULL;
}

void plan_load_done(struct plan_load *load)
{
    free(load->node_per_s);
}

bool plan_group_may_lose(const struct scenario *scenario, uint32_t group)
{
    const struct group_spec *spec = &scenario->groups[group];

    return !spec->scale.given && spec->keys != NODE_KEYS_LISTED;
}

/* ---- capacity ---- */

static double capacity_per_s(const struct plan_load *load,
                             const uint32_t *counts)
{
    double sum = 0;

    for (uint32_t g = 0; g < load->scenario->group_count; g++)
        if (counts[g] > 0)
            sum += counts[g] * load->node_per_s[g];
    return sum;
}

double plan_load_of(const struct plan_load *load, const uint32_t *counts,
                    double factor)
{
    double use = factor * load->mean_per_s / capacity_per_s(load, counts);

    return isfinite(use) ? use : NAN;
}

static bool is_too_little(const struct plan_load *load, double capacity,
                          double factor)
{
    return capacity * (1 + ROUNDING) <
           factor * load->mean_per_s * load->working;
}

bool plan_load_is_hopeless(const struct plan_load *load, const uint32_t *counts)
{
    const struct plan_spec *plan = &load->scenario->plan;
    double capacity = capacity_per_s(load, counts);

    if (is_too_little(load, capacity, plan->headroom))
        return true;
    for (uint32_t g = 0; g < load->scenario->group_count; g++) {
        uint32_t lost = counts[g] < plan->lose ? counts[g] : plan->lose;

        if (lost > 0 && plan_group_may_lose(load->scenario, g) &&
            is_too_little(load, capacity - lost * load->node_per_s[g],
                          plan->lose_at))
            return true;
    }
    return false;
}

/* ---- theory ---- */

/* One queue for all the slots of the group's nodes. */
struct queue {
    double erlangs;    /* at the factor in question */
    double service_s;  /* mean, on this group */
    double transfer_s; /* to the node and back */
};

/* The measures that theory has a word on, and whether the bound is of the wait
   or of wait and service together. */
static bool is_of_latency(enum measure_id id)
{
    return (id >= M_LATENCY_P50 && id <= M_LATENCY_P999) ||
           (id >= M_LATENCY_ALL_P50 && id <= M_LATENCY_ALL_P999);
}

static bool is_of_wait(enum measure_id id)
{
    return id == M_WAIT_P50 || id == M_WAIT_P90 || id == M_WAIT_P99;
}

/* The fewest servers for one goal; 0: none is enough; UINT32_MAX: theory has
   nothing to say about it. */
static uint32_t servers_for_goal(const struct queue *queue,
                                 const struct goal_spec *goal, bool by_root)
{
    double bound_s = goal->bound - queue->transfer_s;
    double share = 1 - measure_quantile(goal->measure);

    if (goal->measure == M_LATENCY_MEAN)
        return staffing_for_mean_wait(queue->erlangs,
                                      bound_s / queue->service_s - 1, by_root);
    if (goal->measure == M_WAIT_MEAN)
        return staffing_for_mean_wait(queue->erlangs,
                                      goal->bound / queue->service_s, by_root);
    if (is_of_latency(goal->measure))
        return staffing_for_latency(queue->erlangs, share,
                                    bound_s / queue->service_s, by_root);
    if (is_of_wait(goal->measure))
        return staffing_for_wait_beyond(
            queue->erlangs, share, goal->bound / queue->service_s, by_root);
    return UINT32_MAX;
}

static uint32_t servers(const struct queue *queue,
                        const struct scenario *scenario, bool by_root,
                        bool *ret_by_goals)
{
    uint32_t most = 1;

    *ret_by_goals = false;
    for (uint32_t i = 0; i < scenario->goal_count; i++) {
        uint32_t here = servers_for_goal(queue, &scenario->goals[i], by_root);

        if (here == UINT32_MAX)
            continue;
        *ret_by_goals = true;
        if (here == 0)
            return 0;
        most = here > most ? here : most;
    }
    if (*ret_by_goals)
        return most;
    return by_root ? staffing_square_root(queue->erlangs, MAY_WAIT)
                   : staffing_for_probability(queue->erlangs, MAY_WAIT);
}

/* Nodes of so many slots: for the headroom, and for the load with some lost. */
static uint32_t nodes_for(const struct plan_load *load,
                          const struct queue *queue, uint32_t slots,
                          bool by_root, bool *ret_by_goals)
{
    const struct plan_spec *plan = &load->scenario->plan;
    struct queue heavy = *queue, lost = *queue;

    heavy.erlangs *= plan->headroom;
    lost.erlangs *= plan->lose_at;

    uint32_t all = servers(&heavy, load->scenario, by_root, ret_by_goals);
    uint32_t rest = servers(&lost, load->scenario, by_root, ret_by_goals);
    if (all == 0 || rest == 0)
        return 0;
    all = (all + slots - 1) / slots;
    rest = (rest + slots - 1) / slots + plan->lose;
    return all > rest ? all : rest;
}

static struct plan_reference reference_of(const struct plan_load *load,
                                          uint32_t group)
{
    const struct group_spec *spec = &load->scenario->groups[group];
    struct plan_reference reference = {.group = group};
    uint32_t slots = spec->engine.slots;
    double service_s = slots / load->node_per_s[group];
    struct queue queue = {
        .erlangs = load->peak_per_s * service_s *
                   (load->working > 0 ? load->working : 1),
        .service_s = service_s,
        .transfer_s = 2e-9 * (double)load->scenario->balancer.network_delay_ns,
    };

    if (spec->engine.kind != ENGINE_SLOTS || !isfinite(queue.erlangs) ||
        !(queue.erlangs > 0))
        return reference;
    reference.known = true;
    reference.slots = slots;
    reference.erlangs = load->scenario->plan.headroom * queue.erlangs;
    reference.root = nodes_for(load, &queue, slots, true, &reference.by_goals);
    reference.erlang =
        nodes_for(load, &queue, slots, false, &reference.by_goals);
    return reference;
}

/* ---- bounds ---- */

/* Nodes of the group that would do it alone, roughly; NaN: not known. */
static double alone_of(const struct plan_load *load, uint32_t group,
                       const struct plan_reference *reference)
{
    const struct plan_spec *plan = &load->scenario->plan;
    double nodes_worth = load->peak_per_s / load->node_per_s[group];

    if (reference->known && reference->erlang > 0)
        return reference->erlang;
    if (!isfinite(nodes_worth))
        return NAN;
    return fmax(ceil(plan->headroom * nodes_worth),
                ceil(plan->lose_at * nodes_worth) + plan->lose) +
           1;
}

static uint32_t at_most(double count)
{
    return count < PLAN_COUNT_MAX ? (uint32_t)count : PLAN_COUNT_MAX;
}

bool plan_load_bounds(const struct plan_load *load, double times,
                      struct plan_result *ret, double alone[PLAN_GROUPS_MAX])
{
    for (uint32_t i = 0; i < ret->range_count; i++) {
        struct plan_range *range = &ret->ranges[i];

        ret->references[i] = reference_of(load, range->group);
        alone[i] = alone_of(load, range->group, &ret->references[i]);
        if (range->most != PLAN_BY_LOAD)
            continue;
        if (isnan(alone[i])) {
            ret->group = range->group;
            return false;
        }
        range->most = at_most(times * (alone[i] + 1));
    }
    return true;
}
