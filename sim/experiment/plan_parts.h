/*
 * Inside the plan: what its files have in common. Not for others.
 */
#ifndef SIM_EXPERIMENT_PLAN_PARTS_H
#define SIM_EXPERIMENT_PLAN_PARTS_H

#include "sim/experiment/plan.h"

/* --- plan_load.c: how much work arrives, how much nodes can do --- */

struct plan_load {
    const struct scenario *scenario;
    double mean_per_s, peak_per_s; /* NaN: not known */
    double working;                /* share of requests that nodes must do */
    double *node_per_s;            /* [group_count]; NaN, INFINITY: not known */
};

/* false: no memory. To be released by plan_load_done either way. */
bool plan_load_init(struct plan_load *load, const struct scenario *scenario);
void plan_load_done(struct plan_load *load);

/* Whether nodes of the group can be lost in a plan. */
bool plan_group_may_lose(const struct scenario *scenario, uint32_t group);

/* Load of capacity of a mix, all work done by nodes; NaN: not known. */
double plan_load_of(const struct plan_load *load, const uint32_t *counts,
                    double factor);

/* More work arrives than the nodes can ever do, with all or with some lost. */
bool plan_load_is_hopeless(const struct plan_load *load,
                           const uint32_t *counts);

/* What theory says of each range, and, where its most is PLAN_BY_LOAD, how many
   nodes of it could be asked for: `times` as many as would do it alone. false:
   nothing says so of ret->group. */
bool plan_load_bounds(const struct plan_load *load, double times,
                      struct plan_result *ret, double alone[PLAN_GROUPS_MAX]);

/* --- plan_judge.c: what an experiment says of the goals --- */

/* Fills answer, goals and marks of the trial from the only policy of an
   experiment. level: confidence of an answer. */
void plan_judge(const struct scenario *scenario,
                const struct experiment_result *result, double level,
                struct plan_trial *trial);

/* Whether the means of all goals are within their bounds. */
bool plan_means_are_met(const struct scenario *scenario,
                        const struct experiment_result *result);

/* --- plan.c --- */

struct plan {
    const struct plan_setup *setup;
    const struct scenario *scenario;
    const struct plan_spec *spec;
    struct plan_load load;
    struct plan_result *ret;
    uint32_t *counts;     /* [group_count] of the mix in question */
    uint32_t first, most; /* replications of a look */
    double harmonic;      /* sum of 1/k over the answers */
    double level;         /* of the mix in question */
    uint32_t policy;
    struct plan_policy *found; /* of that policy */
    bool kinds;                /* a fault happens in some mixes alone */
    bool no_memory, stopped;
};

/* --- plan_policy.c: the plan of one policy --- */

/* Searches the grid for plan->policy, from a guess if it is not NULL, and fills
   plan->found. false: no memory. */
bool plan_policy(struct plan *plan, const struct plan_grid *grid,
                 const uint32_t *guess);
void plan_candidate_done(struct plan_candidate *candidate);

#endif
