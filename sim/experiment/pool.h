/*
 * A pool of threads for jobs that share nothing.
 *
 * Jobs are numbered from 0 and taken in that order from one atomic counter, so
 * no thread waits while work is left. Which thread runs a job, and how many
 * threads there are, must not show in what the job yields: each job writes to
 * a place of its own.
 *
 * The calling thread runs no job. It waits, and about ten times a second calls
 * tick, which may draw a progress bar, look at limits, and set the stop flag.
 */
#ifndef SIM_EXPERIMENT_POOL_H
#define SIM_EXPERIMENT_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct pool_work {
    uint64_t first, count; /* jobs first .. first + count - 1 */
    void (*run)(void *context, uint64_t job); /* on any thread, at once */
    void (*tick)(void *context); /* on the calling thread; may be NULL */
    void *context;
    /* Once true no further job starts; running ones may look at it too. May be
       NULL. */
    const atomic_bool *stop;
};

/*
 * Runs the jobs on at most threads threads (at least 1, at most one a job) and
 * returns when all that were started have ended. Fewer threads than asked for
 * serve when the system grants no more; false: it granted none at all, and no
 * job ran.
 */
bool pool_run(const struct pool_work *work, uint32_t threads);

/* Threads that the machine runs at once; at least 1. */
uint32_t pool_machine_threads(void);

#endif
