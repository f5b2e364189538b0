#include "sim/experiment/plan_parts.h"

#include "sim/measure/stats.h"

#include <math.h>

#define POWER 0.9            /* of the replications that would tell */
#define MOST_NEEDED 1000000u /* more are none that anybody could grant */

static bool is_within(const struct goal_spec *goal, double value)
{
    return measures[goal->measure].better == BETTER_HIGHER
               ? value >= goal->bound
               : value <= goal->bound;
}

/* Of a share that should be high, what counts is what is missing from 100 %:
   as many failures as are allowed is a margin of 0, half as many of 50 %. */
static double margin_of(const struct goal_spec *goal, double value)
{
    const struct measure *measure = &measures[goal->measure];
    double room = goal->bound;

    if (measure->unit == UNIT_RATIO && measure->better == BETTER_HIGHER)
        room = 1 - goal->bound;
    if (!(room > 0) || !isfinite(value))
        return NAN;
    return (measure->better == BETTER_HIGHER ? value - goal->bound
                                             : goal->bound - value) /
           room;
}

/* Without an interval the value decides: where nothing is random, and where a
   trace is asked to be played but once. */
static void judge_by_interval(const struct goal_spec *goal,
                              const double *values, uint32_t count,
                              double level, struct plan_goal *ret)
{
    struct stats_interval interval = stats_t_interval(values, count, level);
    double half;

    ret->value = interval.mean;
    ret->answer = is_within(goal, interval.mean) ? PLAN_MET : PLAN_MISSED;
    if (count < 2)
        return;
    ret->lo = interval.lo;
    ret->hi = interval.hi;
    half = (interval.hi - interval.lo) / 2;
    if (is_within(goal, interval.lo) == is_within(goal, interval.hi))
        return;
    ret->answer = PLAN_CANNOT_TELL;
    ret->replications_needed = stats_pairs_needed(
        half / stats_t_quantile(0.5 + level / 2, count - 1.0) * sqrt(count),
        interval.mean - goal->bound, 1 - level, POWER);
    if (ret->replications_needed > MOST_NEEDED)
        ret->replications_needed = 0;
}

static struct plan_goal judge_goal(const struct goal_spec *goal,
                                   const struct policy_fold *fold, double level)
{
    const double *values = fold->values[goal->measure];
    struct plan_goal judged = {
        .answer = PLAN_MISSED, .value = NAN, .lo = NAN, .hi = NAN};

    for (uint32_t i = 0; i < fold->replications; i++)
        if (!isfinite(values[i])) {
            judged.value = values[i];
            judged.margin = NAN;
            return judged;
        }
    judge_by_interval(goal, values, fold->replications, level, &judged);
    judged.margin = margin_of(goal, judged.value);
    return judged;
}

void plan_judge(const struct scenario *scenario,
                const struct experiment_result *result, double level,
                struct plan_trial *trial)
{
    const struct policy_fold *fold = &result->policies[0].fold;

    trial->answer = PLAN_MET;
    trial->replications = fold->replications;
    trial->without_chance = result->runs_once;
    trial->growing = 2 * fold->unstable > fold->replications;
    for (uint32_t i = 0; i < scenario->goal_count; i++) {
        trial->goals[i] = judge_goal(&scenario->goals[i], fold, level);
        if (trial->goals[i].answer == PLAN_MISSED || trial->answer == PLAN_MET)
            trial->answer = trial->goals[i].answer;
    }
    /* What is met now would not be after a longer run. */
    if (trial->growing && trial->answer == PLAN_MET)
        trial->answer = PLAN_CANNOT_TELL;
}

bool plan_means_are_met(const struct scenario *scenario,
                        const struct experiment_result *result)
{
    const struct policy_fold *fold = &result->policies[0].fold;

    if (2 * fold->unstable > fold->replications)
        return false;
    for (uint32_t i = 0; i < scenario->goal_count; i++) {
        const struct goal_spec *goal = &scenario->goals[i];

        if (!is_within(goal, fold->measures[goal->measure].mean))
            return false; /* NaN is not within */
    }
    return true;
}

double plan_trial_margin(const struct plan_trial *trial, uint32_t goals)
{
    double least = NAN;

    for (uint32_t i = 0; i < goals; i++)
        least = fmin(least, trial->goals[i].margin);
    return least;
}

const struct plan_trial *
plan_worst_trial(const struct plan_candidate *candidate, uint32_t goals)
{
    const struct plan_trial *worst = NULL;

    for (uint32_t i = 0; i < candidate->trial_count; i++) {
        const struct plan_trial *trial = &candidate->trials[i];

        if (trial->answer != PLAN_MET)
            return trial;
        if (!worst ||
            plan_trial_margin(trial, goals) < plan_trial_margin(worst, goals))
            worst = trial;
    }
    return worst;
}

uint64_t plan_replications_needed(const struct plan_candidate *candidate,
                                  uint32_t goals)
{
    const struct plan_trial *trial = plan_worst_trial(candidate, goals);
    uint64_t needed = 0;

    for (uint32_t i = 0; trial && i < goals; i++)
        if (trial->goals[i].replications_needed > needed)
            needed = trial->goals[i].replications_needed;
    return needed;
}
