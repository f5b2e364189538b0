/*
 * Where an experiment looks for simulations that were run before, and puts
 * those that it runs. It knows neither the scenario's settings nor files: who
 * offers a shelf made it for this very scenario.
 */
#ifndef SIM_EXPERIMENT_SHELF_H
#define SIM_EXPERIMENT_SHELF_H

#include "sim/measure/run_result.h"

#include <stdbool.h>
#include <stdint.h>

/* One simulation of a scenario. Beside the scenario, nothing else decides what
   it yields. */
struct run_key {
    uint32_t policy;      /* index into scenario->policies */
    uint32_t replication; /* from 1 */
    int64_t warm_up_ns;   /* negative: the scenario's */
    bool first_pass;      /* of warm_up: auto, which proposes a cut */
    bool totals_only;     /* as run_result_keep_totals leaves it */
};

enum shelf_answer { SHELF_FOUND, SHELF_MISSING, SHELF_FAILED };

struct run_shelf {
    /* On the calling thread of the experiment. *ret is only touched when found,
       and then the caller's. */
    enum shelf_answer (*fetch)(void *context, const struct run_key *key,
                               struct run_result *ret);
    /* On the thread that ran it, others at the same time; *run stays the
       caller's. false: no memory. */
    bool (*keep)(void *context, const struct run_key *key,
                 const struct run_result *run);
    /* On the calling thread, about ten times a second and at the end of a
       pass: time to write. false: that failed. */
    bool (*tick)(void *context);
    void *context;
};

#endif
