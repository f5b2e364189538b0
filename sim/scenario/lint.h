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

/* What arrives, in requests a second, on average and at its peak (NaN: not
   known, as of a closed loop), and the share of it that nodes must work on
   however good the caches; 0 where full nodes or the front door may refuse what
   is too much, or requests that have waited for too long leave. */
struct scenario_demand {
    double mean_per_s, peak_per_s, working;
};
struct scenario_demand scenario_demand(const struct scenario *scenario);

/* Requests a second that a node of the group serves when it is never idle;
   NaN or infinite where nothing says so. */
double scenario_node_per_s(const struct scenario *scenario, uint32_t group);

/* Queues grow without end, whatever caches answer: load is above capacity even
   with the hits of one endless cache, where every group has a cache, and of
   requests that nobody turns away and that do not leave when they have waited
   for too long. */
bool scenario_is_overloaded(const struct scenario *scenario);

/* Load so near to capacity, from 98 to 100 %, that no run is long enough to
   tell whether queues come to rest: below 98 % they settle within some ten
   thousand services (M/M/1: 1 / (1 - sqrt(load))^2 of them). */
bool scenario_is_at_capacity(const struct scenario *scenario);

#endif
