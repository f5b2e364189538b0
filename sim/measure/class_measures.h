/*
 * What a run yields about the requests of one class: a small table beside that
 * of measures.h, whose names and meanings it shares.
 *
 * Rows drive folding and output; a new one is a row and one assignment where a
 * run's classes are summed up.
 */
#ifndef SIM_MEASURE_CLASS_MEASURES_H
#define SIM_MEASURE_CLASS_MEASURES_H

enum class_measure {
    CLASS_ARRIVED,
    CLASS_COMPLETED,
    CLASS_SUCCESS,
    CLASS_LATENCY_MEAN,
    CLASS_LATENCY_P50,
    CLASS_LATENCY_P99,
    CLASS_LATENCY_ALL_P50,
    CLASS_LATENCY_ALL_P99,
    CLASS_IN_DEADLINE,
    CLASS_MEASURE_COUNT
};

/* "latency_all_p99_s": as users meet it, its unit at the end. */
extern const char *const class_measure_names[CLASS_MEASURE_COUNT];

#endif
