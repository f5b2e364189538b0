/*
 * What a recorder writes down class by class, when a scenario has classes; and
 * source by source, when it has overlays.
 */
#ifndef SIM_EXPERIMENT_CLASS_RECORDS_H
#define SIM_EXPERIMENT_CLASS_RECORDS_H

#include "sim/measure/coarse.h"
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

/* By time of arrival. */
struct class_stretch {
    uint64_t lost;
    struct coarse latency;
};

struct class_records {
    uint32_t count; /* 0: there are no classes */
    struct class_record *records;
    uint32_t bucket_count;           /* 0: they are not told over time */
    struct class_stretch *stretches; /* [bucket_count][count] */
};

/* specs: [count], or NULL: without deadlines. bucket_count: of the window, or
   0: nothing is told over time. false: no memory.
   class_records_done is due either way. */
bool class_records_init(struct class_records *classes,
                        const struct workload_class *specs, uint32_t count,
                        uint32_t bucket_count);
void class_records_done(struct class_records *classes);

/* A measured request of a class was answered, or was not. */
void class_records_answered(struct class_records *classes,
                            uint32_t request_class, int64_t latency_ns);
void class_records_lost(struct class_records *classes, uint32_t request_class);

/* The same over time; latency_ns negative: it was lost. */
void class_records_over_time(struct class_records *classes,
                             uint32_t request_class, uint32_t bucket,
                             int64_t latency_ns);

/* [bucket_count][count], to be released with free(); NULL: no memory. */
struct class_bucket *
class_records_finish_buckets(const struct class_records *classes);

/* *ret_results is an array of *ret_count, to be released with free(); none of
   nothing. false: no memory. */
bool class_records_finish(struct class_records *classes,
                          struct class_result **ret_results,
                          uint32_t *ret_count);

#endif
