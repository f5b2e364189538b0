#include "sim/measure/class_measures.h"

const char *const class_measure_names[CLASS_MEASURE_COUNT] = {
    [CLASS_ARRIVED] = "arrived_requests",
    [CLASS_COMPLETED] = "completed_requests",
    [CLASS_SUCCESS] = "success_ratio",
    [CLASS_LATENCY_MEAN] = "latency_mean_s",
    [CLASS_LATENCY_P50] = "latency_p50_s",
    [CLASS_LATENCY_P99] = "latency_p99_s",
    [CLASS_LATENCY_ALL_P50] = "latency_all_p50_s",
    [CLASS_LATENCY_ALL_P99] = "latency_all_p99_s",
    [CLASS_IN_DEADLINE] = "in_deadline_ratio",
};
