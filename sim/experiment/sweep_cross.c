#include "sim/experiment/sweep_cross.h"

#include "sim/scenario/loader.h"

#include <math.h>
#include <stdio.h>

/* As they are unless the user says otherwise. */
#define MOST_FOLD 8
#define WITHIN_SHARE 0.01
#define WITHIN_RATIO 1.05

enum experiment_status sweep_experiment(const struct sweep_shelves *shelves,
                                        struct experiment_setup *setup,
                                        struct experiment_result *ret)
{
    struct run_shelf shelf;
    void *loan;

    *ret = (struct experiment_result){0};
    if (!shelves)
        return experiment_run(setup, ret);
    if (!shelves->lend(shelves->context, setup->scenario, &shelf, &loan))
        return EXPERIMENT_SHELF_FAILED;
    setup->shelf = &shelf;
    enum experiment_status status = experiment_run(setup, ret);
    setup->shelf = NULL;
    if (!shelves->give_back(shelves->context, loan) && status == EXPERIMENT_OK)
        status = EXPERIMENT_SHELF_FAILED;
    return status;
}

double sweep_simulated_s(const struct experiment_result *result)
{
    double sum = 0;

    for (uint32_t i = 0; i < result->policy_count; i++)
        sum += result->policies[i].fold.cpu_s;
    return sum;
}

/* Second minus first; where one is infinite so is the difference, with both
   there is none. */
static uint32_t take_differences(const struct sweep_cross *cross,
                                 const struct experiment_result *result,
                                 double *ret)
{
    const double *first = result->policies[0].fold.values[cross->measure];
    const double *second = result->policies[1].fold.values[cross->measure];

    for (uint32_t i = 0; i < result->replications; i++)
        ret[i] = second[i] - first[i];
    return result->replications;
}

static uint32_t run_at(struct sweep_cross *cross, struct scenario *scenario,
                       uint32_t first, uint32_t count, double *ret)
{
    struct experiment_result result;
    uint32_t got = 0;

    cross->setup.scenario = scenario;
    cross->setup.first_replication = first;
    cross->status = sweep_experiment(cross->shelves, &cross->setup, &result);
    cross->events += result.events;
    cross->simulated_s += sweep_simulated_s(&result);
    if (cross->status != EXPERIMENT_OK) {
        cross->error_policy = cross->pair[result.error_policy];
        cross->error_replication = first + result.error_replication;
    } else {
        cross->end = result.end;
        if (result.end == EXPERIMENT_WHOLE)
            got = take_differences(cross, &result, ret);
    }
    outcome_done(&result);
    return got < count ? got : count;
}

/* What depends on how many there are, such as whether traces are resampled, is
   that of all replications at this x, however few of them are asked for. */
static struct scenario *load_at(struct sweep_cross *cross, double x,
                                uint32_t count)
{
    struct scenario *scenario = sweep_load_point(
        cross->base, cross->point, x, cross->replications, &cross->diag);

    if (scenario)
        scenario->replications = count;
    return scenario;
}

static uint32_t probe(void *context, double x, uint32_t first, uint32_t count,
                      double *ret)
{
    struct sweep_cross *cross = context;
    struct scenario *scenario = load_at(cross, x, count);
    uint32_t got = 0;

    if (!scenario)
        return 0;
    scenario_keep_policies(scenario, cross->pair[0], cross->pair[1]);
    if (scenario->policy_count == 2)
        got = run_at(cross, scenario, first, count, ret);
    else
        cross->status = EXPERIMENT_NO_MEMORY;
    scenario_destroy(scenario);
    return got;
}

static double usual_within(const struct crossover_spec *spec)
{
    return spec->log_scale
               ? log(WITHIN_RATIO)
               : WITHIN_SHARE * (spec->spans[0].to - spec->spans[0].from);
}

/* One replication tells no noise: then two are the least. */
static uint32_t first_pairs(const struct scenario *base)
{
    return base->replications < 2 ? 2 : base->replications;
}

/* All but what yields differences. */
static void plan_search(const struct scenario *base,
                        struct crossover_setup *ret)
{
    const struct crossover_spec *spec = &base->sweep.crossover;
    uint32_t first = first_pairs(base), least;

    *ret = (struct crossover_setup){
        .from = spec->spans[0].from,
        .to = spec->spans[0].to,
        .log_scale = spec->log_scale,
        .whole = quantity_is_whole(spec->spans[0].kind),
        .within = isnan(spec->within) ? usual_within(spec) : spec->within,
        .confidence = base->confidence,
        .scan_points = spec->scan_points,
        .pairs_first = first,
        .pairs_most = spec->most_replications > 0 ? spec->most_replications
                                                  : MOST_FOLD * first,
    };
    if (ret->pairs_most < ret->pairs_first)
        ret->pairs_first = ret->pairs_most;
    least = crossover_least_pairs(ret);
    if (spec->most_replications == 0 && ret->pairs_most < least)
        ret->pairs_most = least;
}

bool sweep_cross_check(const struct scenario *base, struct diag *diag)
{
    struct crossover_setup setup;

    plan_search(base, &setup);
    uint32_t least = crossover_least_pairs(&setup);
    if (setup.pairs_most >= least)
        return true;

    char hint[80];
    snprintf(hint, sizeof hint, "give --most-replications %u or more", least);
    diag_add(diag, DIAG_ERROR, NULL, hint,
             "a crossover cannot be certain of any sign with %u replications "
             "at one value: at a confidence of %.9g %% it takes %u",
             setup.pairs_most, 100 * base->confidence, least);
    return false;
}

bool sweep_cross(struct sweep_cross *cross, struct crossover_result *ret)
{
    struct crossover_setup setup;

    plan_search(cross->base, &setup);
    setup.probe = probe;
    setup.context = cross;
    cross->replications = setup.pairs_most;
    return crossover_search(&setup, ret);
}
