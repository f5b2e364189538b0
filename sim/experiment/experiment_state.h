/*
 * Inside an experiment: experiment.c runs its jobs, experiment_end.c makes the
 * result of them.
 */
#ifndef SIM_EXPERIMENT_EXPERIMENT_STATE_H
#define SIM_EXPERIMENT_EXPERIMENT_STATE_H

#include "sim/experiment/experiment.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct job {
    enum sim_status status;
    bool done;    /* its run is valid */
    bool found;   /* on the shelf */
    bool foreign; /* of another shard, and not run */
    bool limited; /* stopped by its own limit of events */
};

/* What warm_up: auto chose for a replication. */
struct cut {
    int64_t ns; /* negative: the scenario's own warm-up */
    bool doubtful;
};

/* Threads write to their own job and run, and to the atomic members. */
struct experiment {
    const struct experiment_setup *setup;
    const struct scenario *scenario;
    uint32_t policies, replications;
    uint32_t threads;

    struct job *jobs;        /* [replications][policies] */
    struct run_result *runs; /* [policies][replications] */
    struct cut *cuts;        /* [replications] */
    bool first_pass;         /* of warm_up: auto */

    atomic_bool stop;
    struct meter *meters; /* [policies] */
    bool shelf_failed;
    bool lost; /* what should be on the shelf is not there */
    int64_t started_ns;
    int64_t stopped_ns; /* when a tick found that `stop` was set; 0: none did */
    enum experiment_end end;
};

static inline struct run_result *run_of(const struct experiment *experiment,
                                        uint32_t policy, uint32_t replication)
{
    return &experiment
                ->runs[(size_t)policy * experiment->replications + replication];
}

static inline bool is_failure(enum sim_status status)
{
    return status != SIM_OK && status != SIM_STOPPED;
}

/* With warm_up: auto all policies of a replication decide about its cut. */
static inline uint64_t unit_of(const struct experiment *experiment,
                               uint64_t job)
{
    bool whole = experiment->scenario->warm_up.kind == WARM_UP_AUTO;

    return experiment->setup->first_unit +
           (whole ? job / experiment->policies : job);
}

static inline bool replication_is_whole(const struct experiment *experiment,
                                        uint32_t replication)
{
    for (uint32_t i = 0; i < experiment->policies; i++)
        if (!experiment->jobs[(size_t)replication * experiment->policies + i]
                 .done)
            return false;
    return true;
}

/* Of jobs that have run: what they took, then the result. */
void experiment_count_work(const struct experiment *experiment,
                           struct experiment_result *ret, double cpu_before_s);
enum experiment_status experiment_conclude(struct experiment *experiment,
                                           struct experiment_result *ret);

#endif
