/*
 * From the runs of one policy to what is said about each class of requests:
 * means over the replications with their confidence, by the rules of fold.h.
 */
#ifndef SIM_EXPERIMENT_CLASS_FOLD_H
#define SIM_EXPERIMENT_CLASS_FOLD_H

#include "sim/measure/run_result.h"

#include <stdbool.h>
#include <stdint.h>

struct class_measure_fold {
    double mean;       /* NaN: infinite somewhere, or absent everywhere */
    double lo, hi;     /* Student t; NaN: no interval */
    uint32_t infinite; /* replications in which it is beyond all bounds */
    bool weak; /* a percentile with too few requests in some replication */
};

struct class_fold {
    struct class_measure_fold measures[CLASS_MEASURE_COUNT];
};

/*
 * *ret is an array of runs[0].class_count folds, to be released with free();
 * NULL when there are no classes. runs: [count], count 1 or more, all with the
 * same classes. false: no memory.
 */
bool class_fold_make(const struct run_result *runs, uint32_t count,
                     double confidence, struct class_fold **ret);

/* The same of sources, runs[0].source_count. */
bool source_fold_make(const struct run_result *runs, uint32_t count,
                      double confidence, struct class_fold **ret);

#endif
