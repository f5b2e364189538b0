/*
 * Warnings: the scenario can be run, but may not show what its author means.
 */
#ifndef SIM_SCENARIO_LINT_H
#define SIM_SCENARIO_LINT_H

#include "sim/scenario/scenario.h"
#include "workloads/diag.h"

/*
 * Adds warnings to diag: load above capacity, with and without cache hits,
 * slowest nodes overloaded by equal shares, equal nodes too idle to tell
 * policies apart, settings without effect, hash policies without keys,
 * replications that would all be equal. Loads of a trace are known once it is
 * open (scenario_open_trace).
 */
void scenario_lint(const struct scenario *scenario, struct diag *diag);

/*
 * Mean load as lint sees it, without caches and failures: of all nodes
 * together, and of the slowest nodes when each node gets an equal share.
 * NaN where the rate or the work is unknown or infinite.
 */
struct scenario_load {
    double total, slowest_equal_share;
    double peak; /* the total when most arrives */
    uint32_t slowest_group;
    bool nodes_are_equal;
};
struct scenario_load scenario_mean_load(const struct scenario *scenario);

/* Load above capacity whatever caches answer: even with the hits of one endless
   cache, where every group has a cache. */
bool scenario_is_overloaded(const struct scenario *scenario);

/* Load so near to capacity, from 98 to 100 %, that no run is long enough to
   tell whether queues come to rest: below 98 % they settle within some ten
   thousand services (M/M/1: 1 / (1 - sqrt(load))^2 of them). */
bool scenario_is_at_capacity(const struct scenario *scenario);

#endif
