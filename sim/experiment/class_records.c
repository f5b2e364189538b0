#include "sim/experiment/class_records.h"

#include <math.h>
#include <stdlib.h>

bool class_records_init(struct class_records *classes,
                        const struct workload_class *specs, uint32_t count,
                        uint32_t bucket_count)
{
    *classes = (struct class_records){0};
    if (count == 0)
        return true;
    classes->records = calloc(count, sizeof *classes->records);
    classes->stretches =
        calloc((size_t)bucket_count * count + 1, sizeof *classes->stretches);
    if (!classes->records || !classes->stretches)
        return false;
    classes->bucket_count = bucket_count;
    classes->count = count;
    for (uint32_t i = 0; i < count; i++) {
        classes->records[i].deadline_ns =
            specs ? specs[i].deadline_ns : INT64_MAX;
        if (!sample_init(&classes->records[i].latency))
            return false;
    }
    return true;
}

void class_records_done(struct class_records *classes)
{
    for (uint32_t i = 0; i < classes->count; i++)
        sample_done(&classes->records[i].latency);
    free(classes->records);
    free(classes->stretches);
    *classes = (struct class_records){0};
}

void class_records_answered(struct class_records *classes,
                            uint32_t request_class, int64_t latency_ns)
{
    struct class_record *record = &classes->records[request_class];

    sample_add(&record->latency, latency_ns);
    record->in_deadline += latency_ns <= record->deadline_ns;
}

void class_records_lost(struct class_records *classes, uint32_t request_class)
{
    classes->records[request_class].lost++;
}

void class_records_over_time(struct class_records *classes,
                             uint32_t request_class, uint32_t bucket,
                             int64_t latency_ns)
{
    struct class_stretch *stretch =
        &classes->stretches[(size_t)bucket * classes->count + request_class];

    if (latency_ns < 0)
        stretch->lost++;
    else
        coarse_add(&stretch->latency, latency_ns);
}

struct class_bucket *
class_records_finish_buckets(const struct class_records *classes)
{
    size_t count = (size_t)classes->bucket_count * classes->count;
    struct class_bucket *buckets = calloc(count + 1, sizeof *buckets);

    for (size_t i = 0; buckets && i < count; i++) {
        const struct class_stretch *from = &classes->stretches[i];

        buckets[i] = (struct class_bucket){
            .completed = (double)from->latency.count,
            .lost = (double)from->lost,
            .latency_mean_s = coarse_mean(&from->latency) * 1e-9,
            .latency_p99_s = coarse_quantile(&from->latency, 0.99) * 1e-9,
        };
    }
    return buckets;
}

static double quantile_s(struct sample *sample, double q, uint64_t total)
{
    return sample_quantile(sample, q, total) * 1e-9;
}

static void finish_class(struct class_record *record, double *values)
{
    struct sample *latency = &record->latency;
    uint64_t answered = latency->count;
    uint64_t all = answered + record->lost;

    values[CLASS_ARRIVED] = (double)all;
    values[CLASS_COMPLETED] = (double)answered;
    values[CLASS_SUCCESS] = all > 0 ? (double)answered / (double)all : NAN;
    values[CLASS_LATENCY_MEAN] = sample_mean(latency) * 1e-9;
    values[CLASS_LATENCY_P50] = quantile_s(latency, 0.5, answered);
    values[CLASS_LATENCY_P99] = quantile_s(latency, 0.99, answered);
    values[CLASS_LATENCY_ALL_P50] = quantile_s(latency, 0.5, all);
    values[CLASS_LATENCY_ALL_P99] = quantile_s(latency, 0.99, all);
    values[CLASS_IN_DEADLINE] = all > 0 && record->deadline_ns < INT64_MAX
                                    ? (double)record->in_deadline / (double)all
                                    : NAN;
}

bool class_records_finish(struct class_records *classes,
                          struct class_result **ret_results,
                          uint32_t *ret_count)
{
    struct class_result *results;

    if (classes->count == 0)
        return true;
    results = calloc(classes->count, sizeof *results);
    if (!results)
        return false;
    for (uint32_t i = 0; i < classes->count; i++)
        finish_class(&classes->records[i], results[i].values);
    *ret_results = results;
    *ret_count = classes->count;
    return true;
}
