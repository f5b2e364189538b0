/* Inside sweep: the search at one point. */
#ifndef SIM_EXPERIMENT_SWEEP_CROSS_H
#define SIM_EXPERIMENT_SWEEP_CROSS_H

#include "sim/experiment/sweep.h"

struct sweep_cross {
    const struct scenario *base;
    uint64_t point;
    const struct sweep_shelves *shelves;
    struct experiment_setup setup; /* of each experiment of the search */
    uint32_t pair[2];
    enum measure_id measure;
    uint32_t replications; /* at most, at one x; sweep_cross() sets it */

    enum experiment_status status; /* what stopped it, if anything did */
    enum experiment_end end;
    uint32_t error_policy, error_replication;
    uint64_t events;
    double simulated_s;
    struct diag diag;
};

/* experiment_run() with a shelf that is lent for it; shelves may be NULL. */
enum experiment_status sweep_experiment(const struct sweep_shelves *shelves,
                                        struct experiment_setup *setup,
                                        struct experiment_result *ret);

/* Processor time within the simulations of an experiment. */
double sweep_simulated_s(const struct experiment_result *result);

/* false, and says why: no search of the scenario could find anything. */
bool sweep_cross_check(const struct scenario *base, struct diag *diag);

/* false: no memory. Look at status, end and diag when it was stopped; diag is
   the caller's to release. */
bool sweep_cross(struct sweep_cross *cross, struct crossover_result *ret);

#endif
