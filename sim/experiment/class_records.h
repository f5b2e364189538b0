/*
 * What a recorder writes down class by class, when a scenario has classes; and
 * source by source, when it has overlays.
 */
#ifndef SIM_EXPERIMENT_CLASS_RECORDS_H
#define SIM_EXPERIMENT_CLASS_RECORDS_H

#include "sim/measure/run_result.h"
#include "sim/measure/sample.h"
#include "workloads/classes.h"

#include <stdbool.h>
#include <stdint.h>

struct class_record {
    struct sample latency; /* of answered ones */
    uint64_t lost;         /* every other end */
    uint64_t in_deadline;
    int64_t deadline_ns; /* INT64_MAX: none */
};

struct class_records {
    uint32_t count; /* 0: there are no classes */
    struct class_record *records;
};

/* specs: [count], or NULL: without deadlines. false: no memory.
   class_records_done is due either way. */
bool class_records_init(struct class_records *classes,
                        const struct workload_class *specs, uint32_t count);
void class_records_done(struct class_records *classes);

/* A measured request of a class was answered, or was not. */
void class_records_answered(struct class_records *classes,
                            uint32_t request_class, int64_t latency_ns);
void class_records_lost(struct class_records *classes, uint32_t request_class);

/* *ret_results is an array of *ret_count, to be released with free(); none of
   nothing. false: no memory. */
bool class_records_finish(struct class_records *classes,
                          struct class_result **ret_results,
                          uint32_t *ret_count);

#endif
