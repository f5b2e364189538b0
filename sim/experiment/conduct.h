/*
 * Questions about a scenario that decide how an experiment runs it.
 */
#ifndef SIM_EXPERIMENT_CONDUCT_H
#define SIM_EXPERIMENT_CONDUCT_H

#include "sim/measure/run_result.h"
#include "sim/scenario/scenario.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether nothing in the scenario itself differs between replications: a
 * trace played as recorded, constant sizes and needs, no synthetic keys, no
 * phases of health checks and reports, one balancer, and no policy that looks
 * at node keys that change. Policies may still draw: see conduct_drew_nothing.
 */
bool conduct_inputs_are_fixed(const struct scenario *scenario);

/* Whether no policy drew in these runs, [count]. */
bool conduct_drew_nothing(const struct run_result *runs, uint32_t count);

/*
 * The cut that MSER-5 proposes for a run made with keep_latencies, as a number
 * of leading arrivals. Requests without an answer have no latency and are
 * passed over. *ret_sure is false when the run is too short to tell. false: no
 * memory.
 */
bool conduct_warm_up_cut(const struct run_result *run, uint64_t *ret_requests,
                         bool *ret_sure);

/* When the request of that number (from 0) arrives in a replication, in ns;
   the scenario's duration when there are fewer. Negative: no memory, or the
   trace cannot be read. */
int64_t conduct_arrival_of(const struct scenario *scenario,
                           uint32_t replication, uint64_t number);

#endif
