/*
 * One simulation: scenario x policy x replication, on one thread, sharing
 * nothing that changes with any other.
 *
 * It composes a workload, a cluster and the front door around one event queue.
 */
#ifndef SIM_EXPERIMENT_SIMULATION_H
#define SIM_EXPERIMENT_SIMULATION_H

#include "sim/measure/run_result.h"
#include "sim/scenario/scenario.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum sim_status {
    SIM_OK,
    SIM_STOPPED, /* interrupted, or a limit was reached; results void */
    SIM_NO_MEMORY,
    SIM_TOO_MANY_EVENTS, /* more than EVENT_MAX_LEAVES wait at once */
    SIM_TRACE_ERROR,     /* the trace could not be read again */
    SIM_POLICY_ERROR,    /* the policy named a node that is not eligible, or
                            answered with an unknown status */
    SIM_BOOKS_OPEN       /* our own fault: arrived is not what ended */
};

struct simulation_setup {
    const struct scenario *scenario; /* borrowed; its trace is open */
    uint32_t policy;                 /* index into scenario->policies */
    uint32_t replication;            /* from 1 */

    /* Overrides the scenario's warm-up when not negative (MSER-5's second
       pass). */
    int64_t warm_up_ns;
    bool keep_latencies; /* fill run_result.latencies */

    uint64_t limit_events;         /* 0: none */
    const atomic_bool *stop;       /* may be NULL; looked at now and then */
    _Atomic uint64_t *progress_ns; /* may be NULL: adds simulated ns */
};

/* Fills *ret (which the caller frees) when SIM_OK. */
enum sim_status simulation_run(const struct simulation_setup *setup,
                               struct run_result *ret);

#endif
