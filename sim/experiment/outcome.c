#include "sim/experiment/outcome.h"

#include "sim/scenario/lint.h"

#include <math.h>
#include <stdlib.h>

static bool judge_goal(const struct goal_spec *goal, double value)
{
    return measures[goal->measure].better == BETTER_HIGHER
               ? value >= goal->bound
               : value <= goal->bound;
}

static void judge_goals(const struct scenario *scenario,
                        struct policy_result *policy)
{
    for (uint32_t i = 0; i < scenario->goal_count; i++) {
        const struct goal_spec *goal = &scenario->goals[i];
        const struct measure_fold *fold = &policy->fold.measures[goal->measure];
        struct goal_result *result = &policy->goals[i];

        result->value = fold->mean;
        result->met = judge_goal(goal, fold->mean); /* NaN: not met */
        result->certain =
            isnan(fold->mean) ||
            (!isnan(fold->lo) && judge_goal(goal, fold->lo) == result->met &&
             judge_goal(goal, fold->hi) == result->met);
    }
}

static bool reach_verdicts(const struct scenario *scenario,
                           struct experiment_result *ret)
{
    uint32_t count = ret->policy_count;
    const double **values = calloc(count, sizeof *values);
    struct verdict *verdicts = calloc(count, sizeof *verdicts);
    bool fine = values && verdicts;

    for (uint32_t i = 0; fine && i < count; i++)
        values[i] = ret->policies[i].fold.values[scenario->objective];
    fine = fine &&
           verdicts_reach(values, count, ret->replications, scenario->objective,
                          scenario->confidence, scenario->min_effect, verdicts);
    for (uint32_t i = 0; fine && i < count; i++)
        ret->policies[i].verdict = verdicts[i];
    free(values);
    free(verdicts);
    return fine;
}

static void find_success_gaps(const struct scenario *scenario,
                              struct experiment_result *ret)
{
    const struct policy_fold *first = &ret->policies[0].fold;

    for (uint32_t i = 1; i < ret->policy_count; i++) {
        struct policy_result *policy = &ret->policies[i];

        policy->success_gap = success_gap_of(
            first->values[scenario->objective],
            policy->fold.values[scenario->objective], first->values[M_SUCCESS],
            policy->fold.values[M_SUCCESS], ret->replications,
            ret->policy_count - 1, scenario->confidence);
    }
}

bool outcome_fold(const struct scenario *scenario,
                  const struct run_result *runs, uint32_t stride,
                  uint32_t whole, struct experiment_result *ret)
{
    ret->replications = whole;
    ret->policy_count = scenario->policy_count;
    ret->policies = calloc(scenario->policy_count, sizeof *ret->policies);
    if (!ret->policies)
        return false;
    for (uint32_t i = 0; i < scenario->policy_count; i++) {
        struct policy_result *policy = &ret->policies[i];

        policy->label = scenario->policies[i].label;
        policy->key_share.max_over_mean = NAN;
        policy->goals =
            calloc(scenario->goal_count + 1u, sizeof *policy->goals);
        policy->groups =
            calloc(scenario->group_count + 1u, sizeof *policy->groups);
        if (!policy->goals || !policy->groups)
            return false;
        if (whole == 0)
            continue;
        if (!policy_fold_init(&policy->fold, runs + (size_t)i * stride, whole,
                              scenario->confidence))
            return false;
        group_folds_make(scenario, runs + (size_t)i * stride, whole,
                         policy->groups);
        if (scenario_is_overloaded(scenario))
            policy->fold.unstable = policy->fold.replications;
        judge_goals(scenario, policy);
    }
    if (whole == 0)
        return true;
    find_success_gaps(scenario, ret);
    return reach_verdicts(scenario, ret);
}

void outcome_done(struct experiment_result *result)
{
    for (uint32_t i = 0; result->policies && i < result->policy_count; i++) {
        policy_fold_done(&result->policies[i].fold);
        free(result->policies[i].goals);
        free(result->policies[i].groups);
    }
    free(result->policies);
    free(result->numbers);
    *result = (struct experiment_result){0};
}

uint32_t outcome_replication(const struct experiment_result *result, uint32_t i)
{
    return result->numbers ? result->numbers[i] : i + 1;
}

bool outcome_shows(const struct experiment_result *result, enum measure_id id)
{
    if (!measures[id].optional)
        return true;
    for (uint32_t i = 0; i < result->policy_count; i++) {
        const struct measure_fold *fold =
            &result->policies[i].fold.measures[id];

        if (fold->n > 0 || fold->infinite > 0)
            return true;
    }
    return false;
}

const char *outcome_end_text(enum experiment_end end)
{
    switch (end) {
    case EXPERIMENT_INTERRUPTED:
        return "interrupted";
    case EXPERIMENT_LIMIT_TIME:
        return "the limit of time was reached";
    case EXPERIMENT_LIMIT_EVENTS:
        return "the limit of events was reached";
    case EXPERIMENT_LIMIT_MEMORY:
        return "the limit of memory was reached";
    case EXPERIMENT_WHOLE:
        break;
    }
    return NULL;
}
