/* What is written down class by class, and folded over replications. */
#include "sim/experiment/class_fold.h"
#include "sim/experiment/class_records.h"

#include "tests/check.h"

#include <stdlib.h>

#define MS INT64_C(1000000)

static const struct workload_class specs[] = {
    {.name = "chat", .share = 0.5, .deadline_ns = 30 * MS},
    {.name = "batch", .share = 0.3, .deadline_ns = INT64_MAX},
    {.name = "idle", .share = 0.2, .deadline_ns = MS},
};

/* chat: 10, 20, ..., 90 ms and one without an answer; batch: 5 ms. */
static struct run_result sums(void)
{
    struct class_records records;
    struct run_result result = {0};

    CHECK(class_records_init(&records, specs, 3, 2));
    for (int64_t i = 1; i <= 9; i++)
        class_records_answered(&records, 0, 10 * i * MS);
    class_records_lost(&records, 0);
    class_records_answered(&records, 1, 5 * MS);
    CHECK(class_records_finish(&records, &result.classes, &result.class_count));
    class_records_done(&records);
    return result;
}

/* Nearest rank: of 9 answers the median is the 5th, of 10 requests too; the
   P99 of all is the 10th, which has no answer. */
static void each_class_has_its_own_sums(void)
{
    struct run_result result = sums();
    const double *chat = result.classes[0].values;
    const double *batch = result.classes[1].values;

    CHECK_UINT(result.class_count, 3);
    CHECK_NEAR(chat[CLASS_ARRIVED], 10, 0);
    CHECK_NEAR(chat[CLASS_COMPLETED], 9, 0);
    CHECK_NEAR(chat[CLASS_SUCCESS], 0.9, 1e-12);
    CHECK_NEAR(chat[CLASS_LATENCY_MEAN], 0.05, 1e-12);
    CHECK_NEAR(chat[CLASS_LATENCY_P50], 0.05, 1e-12);
    CHECK_NEAR(chat[CLASS_LATENCY_P99], 0.09, 1e-12);
    CHECK_NEAR(chat[CLASS_LATENCY_ALL_P50], 0.05, 1e-12);
    CHECK(isinf(chat[CLASS_LATENCY_ALL_P99]));
    CHECK_NEAR(chat[CLASS_IN_DEADLINE], 0.3, 1e-12);
    CHECK_NEAR(batch[CLASS_LATENCY_ALL_P99], 0.005, 1e-12);
    CHECK(isnan(batch[CLASS_IN_DEADLINE]));
    run_result_done(&result);
}

/* One bucket has two answers and one loss of a class, the other none; within
   1/32 a coarse percentile is the true one. */
static void what_is_over_time_is_by_bucket_and_class(void)
{
    struct class_records records;
    struct class_bucket *buckets;

    CHECK(class_records_init(&records, specs, 3, 2));
    class_records_over_time(&records, 1, 1, 20 * MS);
    class_records_over_time(&records, 1, 1, 40 * MS);
    class_records_over_time(&records, 1, 1, -1);
    buckets = class_records_finish_buckets(&records);
    CHECK(buckets != NULL);
    CHECK_NEAR(buckets[4].completed, 2, 0);
    CHECK_NEAR(buckets[4].lost, 1, 0);
    CHECK_NEAR(buckets[4].latency_mean_s, 0.03, 1e-12);
    CHECK_NEAR(buckets[4].latency_p99_s, 0.04, 0.04 / 32);
    CHECK_NEAR(buckets[1].completed, 0, 0);
    CHECK(isnan(buckets[1].latency_p99_s));
    free(buckets);
    class_records_done(&records);
}

static void class_that_never_came_has_no_values(void)
{
    struct run_result result = sums();
    const double *idle = result.classes[2].values;

    CHECK_NEAR(idle[CLASS_ARRIVED], 0, 0);
    CHECK(isnan(idle[CLASS_SUCCESS]));
    CHECK(isnan(idle[CLASS_LATENCY_P99]));
    CHECK(isnan(idle[CLASS_LATENCY_ALL_P99]));
    CHECK(isnan(idle[CLASS_IN_DEADLINE]));
    run_result_done(&result);
}

static void without_classes_nothing_is_kept(void)
{
    struct class_records records;
    struct run_result result = {0};
    struct class_fold *folds;

    CHECK(class_records_init(&records, NULL, 0, 0));
    CHECK(class_records_finish(&records, &result.classes, &result.class_count));
    class_records_done(&records);
    CHECK_UINT(result.class_count, 0);
    CHECK(!result.classes);
    CHECK(class_fold_make(&result, 1, 0.95, &folds));
    CHECK(!folds);
}

/* 2 and 4: mean 3, standard error 1, t(0.975, 1) = 12.7062. */
static void folds_are_means_with_intervals(void)
{
    struct class_result values[2] = {{{0}}, {{0}}};
    struct run_result runs[2] = {{.class_count = 1, .classes = &values[0]},
                                 {.class_count = 1, .classes = &values[1]}};
    struct class_fold *folds;
    const struct class_measure_fold *of;

    for (int i = 0; i < 2; i++) {
        values[i].values[CLASS_ARRIVED] = 1000;
        values[i].values[CLASS_COMPLETED] = i == 0 ? 99 : 1000;
        values[i].values[CLASS_LATENCY_P99] = 2 + 2 * i;
        values[i].values[CLASS_LATENCY_ALL_P99] = i == 0 ? INFINITY : 4;
        values[i].values[CLASS_IN_DEADLINE] = i == 0 ? NAN : 0.5;
        values[i].values[CLASS_SUCCESS] = NAN;
    }
    CHECK(class_fold_make(runs, 2, 0.95, &folds));
    of = folds[0].measures;
    CHECK_NEAR(of[CLASS_LATENCY_P99].mean, 3, 1e-12);
    CHECK_NEAR(of[CLASS_LATENCY_P99].lo, 3 - 12.7062, 1e-4);
    CHECK_NEAR(of[CLASS_LATENCY_P99].hi, 3 + 12.7062, 1e-4);
    CHECK(of[CLASS_LATENCY_P99].weak); /* of 99 answers in one of them */
    CHECK(!of[CLASS_LATENCY_ALL_P99].weak);
    CHECK_UINT(of[CLASS_LATENCY_ALL_P99].infinite, 1);
    CHECK(isnan(of[CLASS_LATENCY_ALL_P99].mean));
    CHECK_NEAR(of[CLASS_IN_DEADLINE].mean, 0.5, 0);
    CHECK(isnan(of[CLASS_IN_DEADLINE].lo));
    CHECK(isnan(of[CLASS_SUCCESS].mean));
    free(folds);
}

/* Without specs nothing has a deadline; sources are folded by themselves. */
static void sources_are_folded_like_classes(void)
{
    struct class_records records;
    struct run_result run = {0};
    struct class_fold *folds;

    CHECK(class_records_init(&records, NULL, 2, 0));
    class_records_answered(&records, 1, 20 * MS);
    class_records_lost(&records, 0);
    CHECK(class_records_finish(&records, &run.sources, &run.source_count));
    class_records_done(&records);
    CHECK_UINT(run.source_count, 2);
    CHECK(isnan(run.sources[1].values[CLASS_IN_DEADLINE]));
    CHECK(class_fold_make(&run, 1, 0.95, &folds));
    CHECK(folds == NULL);
    CHECK(source_fold_make(&run, 1, 0.95, &folds));
    CHECK_NEAR(folds[1].measures[CLASS_LATENCY_MEAN].mean, 0.02, 1e-12);
    CHECK_NEAR(folds[0].measures[CLASS_SUCCESS].mean, 0, 0);
    free(folds);
    run_result_done(&run);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"each class has its own sums", each_class_has_its_own_sums},
        {"what is over time is by bucket and class",
         what_is_over_time_is_by_bucket_and_class},
        {"a class that never came has no values",
         class_that_never_came_has_no_values},
        {"without classes nothing is kept", without_classes_nothing_is_kept},
        {"sources are folded like classes", sources_are_folded_like_classes},
        {"folds are means with intervals", folds_are_means_with_intervals},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("class records", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
