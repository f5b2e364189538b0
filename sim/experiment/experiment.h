/*
 * An experiment: all policies of a scenario, each replicated, folded into one
 * result with verdicts and goals.
 *
 * Jobs run replication by replication, so that whatever ends an experiment
 * early leaves whole replications behind: those that every policy finished.
 * Only they are folded, in (policy, replication) order, after all jobs have
 * ended; so the number of threads never shows.
 *
 * - warm_up: auto. A first pass measures everything and lets MSER-5 propose a
 *   cut for each policy; the largest of a replication, as a time, is used for
 *   all its policies in a second pass, so that pairs stay pairs.
 * - A scenario without chance runs once, whatever replications says.
 * - Limits and interruptions give partial results, marked as such.
 * - With a shelf, what is found on it is not run again. Where a run came from
 *   shows in nothing but figures of the machine.
 */
#ifndef SIM_EXPERIMENT_EXPERIMENT_H
#define SIM_EXPERIMENT_EXPERIMENT_H

#include "sim/experiment/meter.h"
#include "sim/experiment/outcome.h"
#include "sim/experiment/shard.h"
#include "sim/experiment/shelf.h"
#include "sim/experiment/simulation.h"
#include "sim/scenario/scenario.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct experiment_setup {
    const struct scenario *scenario; /* borrowed; its trace is open */
    /* simulation_run; tests hand in runs of their own. */
    enum sim_status (*simulate)(const struct simulation_setup *setup,
                                struct run_result *ret);
    uint32_t threads;              /* 0: as many as the machine has */
    const struct run_shelf *shelf; /* borrowed; NULL: nothing is kept */

    /*
     * A part of the work, for the shelf alone: nothing is folded, and a
     * scenario without chance is not run once only, as no shard may know.
     * Borrowed; NULL: everything.
     */
    const struct shard *shard;
    uint64_t first_unit; /* of this experiment, in the row of its command */
    uint64_t known;      /* units below are on the shelf, or EXPERIMENT_LOST */
    /* Replications before the first one here: those that were run elsewhere
       and are to be gone on from. */
    uint32_t first_replication;

    /* Nothing over time and no curve of latency is wanted of any run: results
       have neither, and what is kept of a run is small. */
    bool totals_only;

    uint64_t limit_events;       /* of one simulation; 0: none */
    int64_t limit_time_ns;       /* of the whole experiment; 0: none */
    uint64_t limit_memory_bytes; /* of the process; 0: none */

    /* Told of each run that is folded, before it goes, in (policy, replication)
       order, both from 0 and without gaps, on the calling thread; may be
       NULL. */
    void (*on_run)(void *context, uint32_t policy, uint32_t replication,
                   const struct run_result *run);
    void *run_context;

    /* Set from outside, by a signal for one; may be NULL. */
    const atomic_bool *interrupted;
    /* Called about ten times a second on the calling thread; may be NULL. */
    void (*on_progress)(void *context,
                        const struct experiment_progress *progress);
    void *progress_context;
};

enum experiment_status {
    EXPERIMENT_OK, /* see end: the results may be partial, or none */
    EXPERIMENT_NO_MEMORY,
    EXPERIMENT_TOO_MANY_EVENTS, /* of a simulation, waiting at once */
    EXPERIMENT_NO_THREADS,
    EXPERIMENT_TRACE_ERROR,
    EXPERIMENT_POLICY_ERROR,
    EXPERIMENT_LOST,         /* what was said to be on the shelf is not there */
    EXPERIMENT_SHELF_FAILED, /* who made the shelf knows why */
    EXPERIMENT_BOOKS_OPEN    /* our own fault: a run's books do not balance */
};

/* *ret is to be released by outcome_done whatever the status. */
enum experiment_status experiment_run(const struct experiment_setup *setup,
                                      struct experiment_result *ret);

#endif
