/*
 * What struck in the runs of one policy, run after run: lists, not means, for
 * a fault is what it is.
 */
#ifndef SIM_EXPERIMENT_STRIKE_FOLD_H
#define SIM_EXPERIMENT_STRIKE_FOLD_H

#include "sim/measure/run_result.h"

#include <stdbool.h>
#include <stdint.h>

struct strike_fold {
    uint32_t replication; /* from 1 */
    struct fault_strike strike;
};

/* *ret: [*ret_count] in order of replication and time, to be freed; NULL when
   nothing struck. *ret_left_out: those that no run could list. false: no
   memory. */
bool strike_fold_make(const struct run_result *runs, uint32_t count,
                      struct strike_fold **ret, uint64_t *ret_count,
                      uint64_t *ret_left_out);

#endif
