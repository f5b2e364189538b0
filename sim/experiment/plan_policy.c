/* The plan of one policy: trials of mixes, and what the chosen one bears. */
#include "sim/experiment/plan_parts.h"

#include "sim/experiment/cost.h"
#include "sim/scenario/absent.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BEARS_MOST 8.0  /* times the load: more is not looked for */
#define BEARS_STEP 1.25 /* until a goal is missed */
#define BEARS_EXACT 0.01

/* ---- mixes ---- */

/* The counts of all groups, out of those that vary. */
static void set_counts(struct plan *plan, const uint32_t *varied)
{
    const struct scenario *scenario = plan->scenario;

    for (uint32_t g = 0; g < scenario->group_count; g++)
        plan->counts[g] = scenario->groups[g].count;
    for (uint32_t i = 0; i < plan->ret->range_count; i++)
        plan->counts[plan->ret->ranges[i].group] = varied[i];
}

static uint32_t nodes_of(const struct plan *plan)
{
    uint32_t nodes = 0;

    for (uint32_t g = 0; g < plan->scenario->group_count; g++)
        nodes += plan->counts[g];
    return nodes;
}

static double cost_of(const struct plan *plan)
{
    double cost = 0;

    if (!cost_is_stated(plan->scenario))
        return NAN;
    for (uint32_t g = 0; g < plan->scenario->group_count; g++)
        cost += plan->counts[g] * plan->scenario->groups[g].cost_per_hour;
    return cost;
}

/* ---- trials ---- */

/* *ret is to be released by the caller whatever comes. */
static enum plan_ran simulate(struct plan *plan, double load,
                              uint32_t replications,
                              struct experiment_result *ret,
                              char reason[PLAN_REASON_SIZE])
{
    struct plan_variant variant = {
        .policy = plan->policy,
        .counts = plan->counts,
        .load = load,
        .replications = replications,
    };
    enum plan_ran ran =
        plan->setup->simulate(plan->setup->context, &variant, ret, reason);

    plan->stopped |= ran == PLAN_GIVE_UP;
    return ran;
}

/* Looks until the answer is clear, with twice the replications each time. */
static bool look(struct plan *plan, struct plan_trial *trial)
{
    uint32_t replications = plan->first;

    for (;;) {
        struct experiment_result result = {0};
        enum plan_ran ran =
            simulate(plan, trial->load, replications, &result, trial->reason);

        if (ran == PLAN_RAN)
            plan_judge(plan->scenario, &result, plan->level, trial);
        outcome_done(&result);
        if (ran == PLAN_CANNOT_RUN)
            trial->answer = PLAN_NOT_RUN;
        if (ran != PLAN_RAN)
            return ran == PLAN_CANNOT_RUN;
        if (trial->answer != PLAN_CANNOT_TELL || trial->growing ||
            trial->without_chance || replications >= plan->most)
            return true;
        replications =
            2 * replications < plan->most ? 2 * replications : plan->most;
    }
}

static struct plan_trial *new_trial(struct plan *plan,
                                    struct plan_candidate *candidate,
                                    enum plan_trial_kind kind, double load)
{
    struct plan_trial *trial = &candidate->trials[candidate->trial_count];

    *trial = (struct plan_trial){
        .kind = kind,
        .load = load,
        .answer = PLAN_MISSED,
        .goals = calloc(plan->scenario->goal_count + 1u, sizeof *trial->goals),
    };
    if (!trial->goals) {
        plan->no_memory = true;
        return NULL;
    }
    candidate->trial_count++;
    for (uint32_t i = 0; i < plan->scenario->goal_count; i++)
        trial->goals[i] =
            (struct plan_goal){PLAN_MISSED, NAN, NAN, NAN, .margin = NAN};
    return trial;
}

/* With the counts as they are set. false: there is no answer. */
static bool try_all(struct plan *plan, struct plan_candidate *candidate,
                    enum plan_trial_kind kind, double load)
{
    struct plan_trial *trial = new_trial(plan, candidate, kind, load);

    if (!trial)
        return false;
    trial->use = plan_load_of(&plan->load, plan->counts, load);
    return look(plan, trial);
}

static bool try_without(struct plan *plan, struct plan_candidate *candidate,
                        uint32_t group)
{
    uint32_t all = plan->counts[group];
    uint32_t lost = all < plan->spec->lose ? all : plan->spec->lose;
    struct plan_trial *trial =
        new_trial(plan, candidate, PLAN_NODES_LOST, plan->spec->lose_at);
    bool fine = true;

    if (!trial)
        return false;
    trial->group = group;
    trial->lost = lost;
    trial->use = NAN;
    plan->counts[group] -= lost;
    if (nodes_of(plan) > 0) {
        trial->use = plan_load_of(&plan->load, plan->counts, trial->load);
        fine = look(plan, trial);
    } else {
        snprintf(trial->reason, sizeof trial->reason, "no node is left");
    }
    plan->counts[group] = all;
    return fine;
}

/* Until one is not met. false: there is no answer. */
static bool run_trials(struct plan *plan, struct plan_candidate *candidate)
{
    if (!try_all(plan, candidate, PLAN_AT_HEADROOM, plan->spec->headroom))
        return false;
    candidate->answer = candidate->trials[0].answer;
    for (uint32_t g = 0;
         candidate->answer == PLAN_MET && g < plan->scenario->group_count;
         g++) {
        if (plan->counts[g] == 0 || plan->spec->lose == 0 ||
            !plan_group_may_lose(plan->scenario, g))
            continue;
        if (!try_without(plan, candidate, g))
            return false;
        candidate->answer =
            candidate->trials[candidate->trial_count - 1].answer;
    }
    return true;
}

void plan_candidate_done(struct plan_candidate *candidate)
{
    for (uint32_t i = 0; i < candidate->trial_count; i++)
        free(candidate->trials[i].goals);
    free(candidate->trials);
}

/* ---- the search of one policy ---- */

static bool is_hopeless(void *context, const uint32_t *varied)
{
    struct plan *plan = context;

    set_counts(plan, varied);
    return plan_load_is_hopeless(&plan->load, plan->counts);
}

/* Which faults happen, with all nodes and with some of a group lost. */
static uint32_t kind_of_trial(const struct plan *plan, uint32_t kind)
{
    for (uint32_t i = 0; i < plan->scenario->fault_count; i++)
        kind = 16777619u *
               (kind ^ (absent_of_fault(plan->scenario, i, plan->counts) ==
                        ABSENT_ALL));
    return kind;
}

/* More nodes may do harm if a fault strikes one of them that did not happen. */
static uint32_t kind_of(void *context, const uint32_t *varied)
{
    struct plan *plan = context;

    set_counts(plan, varied);
    uint32_t kind = kind_of_trial(plan, 2166136261u);
    for (uint32_t g = 0; g < plan->scenario->group_count; g++) {
        uint32_t all = plan->counts[g];

        if (!plan_group_may_lose(plan->scenario, g))
            continue;
        plan->counts[g] -= all < plan->spec->lose ? all : plan->spec->lose;
        kind = kind_of_trial(plan, kind);
        plan->counts[g] = all;
    }
    return kind;
}

static bool make_room(struct plan_policy *policy)
{
    uint32_t count = policy->candidate_count;
    struct plan_candidate *grown;

    if ((count & (count - 1)) != 0) /* full at powers of two */
        return true;
    grown = realloc(policy->candidates,
                    (count ? 2 * (size_t)count : 1) * sizeof *grown);
    if (!grown)
        return false;
    policy->candidates = grown;
    return true;
}

/* Of the next mix that is asked. */
static double next_level(const struct plan *plan)
{
    const struct plan_result *ret = plan->ret;
    uint32_t k = plan->found->candidate_count + 1;
    double wrong = (1 - plan->scenario->confidence) / (k * plan->harmonic);

    return 1 - 2 * wrong / ret->looks;
}

static enum plan_answer ask(void *context, const uint32_t *varied)
{
    struct plan *plan = context;
    struct plan_policy *policy = plan->found;
    struct plan_candidate candidate = {0};

    set_counts(plan, varied);
    memcpy(candidate.counts, varied, plan->ret->range_count * sizeof *varied);
    candidate.nodes = nodes_of(plan);
    candidate.cost_per_hour = cost_of(plan);
    candidate.level = plan->level = next_level(plan);
    /* The headroom, each group lost, and the load as it is. */
    candidate.trials =
        calloc(plan->scenario->group_count + 2u, sizeof *candidate.trials);
    if (!candidate.trials || !make_room(policy)) {
        plan->no_memory = true;
        free(candidate.trials);
        return PLAN_STOPPED;
    }
    if (!run_trials(plan, &candidate)) {
        plan_candidate_done(&candidate);
        return PLAN_STOPPED;
    }
    policy->candidates[policy->candidate_count++] = candidate;
    return candidate.answer;
}

/* What the trial says in one number: how near a mix is that is not good
   enough. Without a value it is as far as can be. */
static double shortfall(const struct plan *plan,
                        const struct plan_candidate *candidate)
{
    const struct plan_trial *trial =
        plan_worst_trial(candidate, plan->scenario->goal_count);
    double margin = plan_trial_margin(trial, plan->scenario->goal_count);

    for (uint32_t i = 0; i < plan->scenario->goal_count; i++)
        if (trial->goals[i].answer == PLAN_MISSED &&
            isnan(trial->goals[i].margin))
            return INFINITY;
    return isnan(margin) ? INFINITY : -margin;
}

/* The candidate that was chosen, or the one that came nearest: of equals the
   one with more nodes. */
static void point_out(const struct plan *plan, struct plan_policy *policy)
{
    uint32_t count = policy->candidate_count;

    policy->best = policy->nearest = count;
    for (uint32_t i = 0; i < count; i++) {
        struct plan_candidate *here = &policy->candidates[i];

        if (policy->found.any &&
            memcmp(here->counts, policy->found.best,
                   plan->ret->range_count * sizeof *here->counts) == 0)
            policy->best = i;
        if (here->answer == PLAN_MET || here->answer == PLAN_NOT_RUN)
            continue;
        if (policy->nearest == count ||
            shortfall(plan, here) <
                shortfall(plan, &policy->candidates[policy->nearest]) ||
            (!(shortfall(plan, here) >
               shortfall(plan, &policy->candidates[policy->nearest])) &&
             here->nodes > policy->candidates[policy->nearest].nodes))
            policy->nearest = i;
    }
}

static bool is_below(const struct plan *plan, const uint32_t *counts,
                     const uint32_t *others)
{
    for (uint32_t i = 0; i < plan->ret->range_count; i++)
        if (counts[i] > others[i])
            return false;
    return true;
}

static bool speaks_for(struct plan *plan, const uint32_t *more,
                       const uint32_t *fewer)
{
    return is_below(plan, fewer, more) &&
           (!plan->kinds || kind_of(plan, more) == kind_of(plan, fewer));
}

/* Whether more replications might find a mix enough that cannot be told yet. A
   mix is not if its queues grow whatever; nor, as long as more nodes seem to do
   no harm and nothing is enough, if one is missed that has no fewer of any. */
static bool is_open(struct plan *plan, const struct plan_policy *policy,
                    const struct plan_candidate *here)
{
    bool inferred = !policy->found.any && !policy->found.contradicted;
    bool open = here->answer == PLAN_CANNOT_TELL &&
                !plan_worst_trial(here, plan->scenario->goal_count)->growing;

    for (uint32_t k = 0; open && inferred && k < policy->candidate_count; k++)
        open = policy->candidates[k].answer != PLAN_MISSED ||
               !speaks_for(plan, policy->candidates[k].counts, here->counts);
    return open;
}

static double price_of(const struct plan *plan,
                       const struct plan_candidate *candidate)
{
    return plan->spec->minimise == PLAN_COST ? candidate->cost_per_hour
                                             : candidate->nodes;
}

/* Sets policy->maybe. */
static void point_out_maybe(struct plan *plan, struct plan_policy *policy)
{
    uint32_t count = policy->candidate_count;
    double least = policy->best < count
                       ? price_of(plan, &policy->candidates[policy->best])
                       : (double)INFINITY;

    policy->maybe = count;
    for (uint32_t i = 0; i < count; i++) {
        const struct plan_candidate *here = &policy->candidates[i];

        if (price_of(plan, here) < least && is_open(plan, policy, here)) {
            least = price_of(plan, here);
            policy->maybe = i;
        }
    }
}

/* ---- the margin of the chosen mix ---- */

/* 1: borne, 0: a goal is missed, -1: no answer. */
static int bears(struct plan *plan, double load)
{
    struct experiment_result result = {0};
    char reason[PLAN_REASON_SIZE];
    int answer = -1;

    if (plan_load_of(&plan->load, plan->counts, load) * plan->load.working > 1)
        return 0;
    if (simulate(plan, load, plan->first, &result, reason) == PLAN_RAN)
        answer = plan_means_are_met(plan->scenario, &result);
    outcome_done(&result);
    return answer;
}

/* Steps up until a goal is missed, then halves down to 1 % of the load. */
static bool find_what_it_bears(struct plan *plan, struct plan_policy *policy)
{
    double low = plan->spec->headroom, high = low * BEARS_STEP;
    int answer = bears(plan, high);

    for (; answer == 1 && high < BEARS_MOST; answer = bears(plan, high)) {
        low = high;
        high *= BEARS_STEP;
    }
    policy->bears_more = answer == 1;
    if (answer == 1)
        low = high;
    while (answer >= 0 && !policy->bears_more && high - low > BEARS_EXACT) {
        double middle = (low + high) / 2;

        answer = bears(plan, middle);
        *(answer == 1 ? &low : &high) = middle;
    }
    if (answer >= 0)
        policy->bears = low;
    return answer >= 0;
}

/* The load as it is comes first in the list of trials. */
static bool try_at_load(struct plan *plan, struct plan_candidate *best)
{
    struct plan_trial last;

    if (!try_all(plan, best, PLAN_AT_LOAD, 1)) {
        if (!plan->no_memory)
            free(best->trials[--best->trial_count].goals);
        return false;
    }
    last = best->trials[best->trial_count - 1];
    memmove(best->trials + 1, best->trials,
            (best->trial_count - 1) * sizeof last);
    best->trials[0] = last;
    return true;
}

static bool measure_margin(struct plan *plan, struct plan_policy *policy)
{
    struct plan_candidate *best = &policy->candidates[policy->best];

    set_counts(plan, best->counts);
    plan->level = best->level;
    return try_at_load(plan, best) && find_what_it_bears(plan, policy);
}

bool plan_policy(struct plan *plan, const struct plan_grid *grid,
                 const uint32_t *guess)
{
    struct plan_search search = {
        .grid = *grid,
        .guess = guess,
        .is_hopeless = is_hopeless,
        .ask = ask,
        .kind_of = plan->kinds ? kind_of : NULL,
        .context = plan,
        .limit = plan->setup->limit_candidates,
    };
    struct plan_policy *policy = plan->found;

    policy->bears = NAN;
    if (!plan_search_run(&search, &policy->found)) {
        plan->no_memory = true;
        return false;
    }
    point_out(plan, policy);
    point_out_maybe(plan, policy);
    if ((policy->found.end == PLAN_INFEASIBLE ||
         policy->found.end == PLAN_UNTRIED) &&
        policy->maybe < policy->candidate_count)
        policy->found.end = PLAN_UNDECIDED;
    if (plan->no_memory)
        return false;
    if (policy->best < policy->candidate_count && !plan->stopped)
        measure_margin(plan, policy);
    return !plan->no_memory;
}
