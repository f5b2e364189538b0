#include "sim/experiment/plan_parts.h"

#include "sim/scenario/absent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TIMES_ALONE 4u /* nodes of a group, unless it is said */

/* The group that would cost least if it were alone; range_count: none is
   known. Of those that theory thinks able, unless there are none. */
static uint32_t cheapest_alone(const struct plan_result *ret,
                               const struct plan_grid *grid,
                               const double *alone, bool able)
{
    uint32_t chosen = ret->range_count;
    double least = INFINITY;

    for (uint32_t i = 0; i < ret->range_count; i++) {
        const struct plan_reference *theory = &ret->references[i];
        double price = grid->price[i] * alone[i]; /* NaN: not less */

        if (able && theory->known && theory->erlang == 0)
            continue;
        if (price < least && alone[i] <= grid->most[i]) {
            least = price;
            chosen = i;
        }
    }
    return chosen;
}

/* As many of the cheapest group as it takes alone, and the least of others. */
static bool guess(const struct plan_result *ret, const struct plan_grid *grid,
                  const double *alone, uint32_t *ret_counts)
{
    uint32_t chosen = cheapest_alone(ret, grid, alone, true);

    if (chosen == ret->range_count)
        chosen = cheapest_alone(ret, grid, alone, false);
    if (chosen == ret->range_count)
        return false;
    memcpy(ret_counts, grid->least, sizeof grid->least);
    if (ret_counts[chosen] < alone[chosen])
        ret_counts[chosen] = (uint32_t)alone[chosen];
    return true;
}

static struct plan_grid grid_of(const struct plan *plan)
{
    const struct scenario *scenario = plan->scenario;
    struct plan_grid grid = {.groups = plan->ret->range_count};

    for (uint32_t g = 0; g < scenario->group_count; g++)
        grid.other_nodes += scenario->groups[g].count;
    for (uint32_t i = 0; i < grid.groups; i++) {
        const struct plan_range *range = &plan->ret->ranges[i];
        const struct group_spec *group = &scenario->groups[range->group];

        grid.least[i] = range->least;
        grid.most[i] = range->most;
        grid.price[i] =
            plan->spec->minimise == PLAN_COST ? group->cost_per_hour : 1;
        grid.other_nodes -= group->count;
    }
    return grid;
}

/* What may be wrong is shared out over all answers that a search may take. */
static void share_out(struct plan *plan)
{
    struct plan_result *ret = plan->ret;
    uint32_t limit = plan->setup->limit_candidates;

    ret->looks = 1;
    for (uint32_t n = plan->first; n < plan->most; n *= 2)
        ret->looks++;
    ret->answers = ret->mixes < limit ? (uint32_t)ret->mixes : limit;
    plan->harmonic = 0;
    for (uint32_t k = 1; k <= ret->answers; k++)
        plan->harmonic += 1.0 / k;
}

/* A trace that is to be played once stays as recorded: a second replication
   would draw blocks of it. */
static void set_replications(struct plan *plan)
{
    const struct scenario *scenario = plan->scenario;

    plan->first = scenario->replications;
    plan->most = plan->spec->replications;
    if (plan->first == 1 && scenario->has_trace)
        plan->most = 1;
    else if (plan->first == 1)
        plan->first = 2;
    if (plan->most < plan->first)
        plan->most = plan->first;
    plan->ret->by_value = plan->most == 1;
}

/* Policies are worse than one shared queue, some of them far; but with many
   groups there are soon too many mixes to look for that. */
static enum plan_status set_ranges(struct plan *plan, double *alone)
{
    struct plan_result *ret = plan->ret;
    struct plan_grid grid;

    ret->range_count = plan->spec->range_count;
    for (uint32_t times = TIMES_ALONE; times >= 1; times /= 2) {
        memcpy(ret->ranges, plan->spec->ranges,
               ret->range_count * sizeof *ret->ranges);
        if (!plan_load_bounds(&plan->load, times, ret, alone))
            return PLAN_UNBOUNDED;
        grid = grid_of(plan);
        ret->mixes = plan_grid_mixes(&grid);
        if (ret->mixes <= PLAN_MIXES_MAX)
            return PLAN_OK;
    }
    return PLAN_TOO_MANY;
}

/* The least of each group, less what may be lost. */
bool plan_may_lack_target(const struct scenario *scenario,
                          const struct plan_result *result, uint32_t fault)
{
    uint32_t *counts = calloc(scenario->group_count + 1u, sizeof *counts);
    bool lacks = true;

    for (uint32_t g = 0; counts && g < scenario->group_count; g++)
        counts[g] = scenario->groups[g].count;
    for (uint32_t i = 0; counts && i < result->range_count; i++)
        counts[result->ranges[i].group] = result->ranges[i].least;
    for (uint32_t g = 0; counts && g < scenario->group_count; g++)
        if (plan_group_may_lose(scenario, g))
            counts[g] -= counts[g] < scenario->plan.lose ? counts[g]
                                                         : scenario->plan.lose;
    if (counts)
        lacks = absent_of_fault(scenario, fault, counts) != ABSENT_NOBODY;
    free(counts);
    return lacks;
}

static enum plan_status plan_all(struct plan *plan, const double *alone)
{
    struct plan_result *ret = plan->ret;
    uint32_t counts[PLAN_GROUPS_MAX];
    struct plan_grid grid = grid_of(plan);
    bool guessed = guess(ret, &grid, alone, counts);

    share_out(plan);
    for (uint32_t i = 0; i < plan->scenario->fault_count; i++)
        plan->kinds |= plan_may_lack_target(plan->scenario, ret, i);
    ret->policies = calloc(plan->scenario->policy_count, sizeof *ret->policies);
    if (!ret->policies)
        return PLAN_NO_MEMORY;
    while (ret->policy_count < plan->scenario->policy_count && !plan->stopped) {
        plan->policy = ret->policy_count++;
        plan->found = &ret->policies[plan->policy];
        plan->found->label = plan->scenario->policies[plan->policy].label;
        if (plan->setup->wants &&
            !plan->setup->wants(plan->setup->context, plan->policy))
            continue;
        if (!plan_policy(plan, &grid, guessed ? counts : NULL))
            return PLAN_NO_MEMORY;
    }
    ret->stopped = plan->stopped;
    return PLAN_OK;
}

enum plan_status plan_run(const struct plan_setup *setup,
                          struct plan_result *ret)
{
    const struct scenario *scenario = setup->scenario;
    struct plan plan = {.setup = setup,
                        .scenario = scenario,
                        .spec = &scenario->plan,
                        .ret = ret};
    double alone[PLAN_GROUPS_MAX];
    enum plan_status status;

    *ret = (struct plan_result){0};
    if (scenario->goal_count == 0)
        return PLAN_NO_GOALS;
    if (plan.spec->range_count == 0)
        return PLAN_NO_GROUPS;
    set_replications(&plan);
    plan.counts = calloc(scenario->group_count, sizeof *plan.counts);
    status = plan_load_init(&plan.load, scenario) && plan.counts
                 ? set_ranges(&plan, alone)
                 : PLAN_NO_MEMORY;
    if (status == PLAN_OK)
        status = plan_all(&plan, alone);
    plan_load_done(&plan.load);
    free(plan.counts);
    return status;
}

void plan_done(struct plan_result *result)
{
    for (uint32_t p = 0; p < result->policy_count; p++) {
        struct plan_policy *policy = &result->policies[p];

        for (uint32_t i = 0; i < policy->candidate_count; i++)
            plan_candidate_done(&policy->candidates[i]);
        free(policy->candidates);
    }
    free(result->policies);
    *result = (struct plan_result){0};
}
