/*
 * Expected values come from hand arithmetic with t(0.975, 9) = 2.262157163 and
 * t(0.975, 1) = 12.7062047 (tables of Student's distribution).
 */
#include "sim/experiment/fold.h"
#include "tests/check.h"

#include <stdlib.h>

#define RUNS 10
#define T9 2.26215716279821
#define T1 12.7062047361747

static struct run_result runs[RUNS];
static struct policy_fold fold;
static char text[200];

static void empty_runs(void)
{
    for (uint32_t i = 0; i < RUNS; i++) {
        runs[i] = (struct run_result){
            .measured = 1000,
            .measured_answered = 1000,
        };
        for (uint32_t id = 0; id < MEASURE_COUNT; id++)
            runs[i].values[id] = runs[i].rank_lo[id] = runs[i].rank_hi[id] =
                NAN;
        for (uint32_t point = 0; point < CURVE_POINTS; point++)
            runs[i].curve_s[point] = runs[i].curve_all_s[point] = NAN;
    }
}

static void forget(void)
{
    policy_fold_done(&fold);
    for (uint32_t i = 0; i < RUNS; i++)
        run_result_done(&runs[i]);
}

static void fold_first(uint32_t count)
{
    CHECK(policy_fold_init(&fold, runs, count, 0.95));
}

static const char *reason(enum measure_id id)
{
    return policy_fold_reason(&fold, id, text, sizeof text);
}

/* 1 .. 10: mean 5.5, sum of squares 82.5, sd sqrt(82.5 / 9). */
static void interval_is_students(void)
{
    double half = T9 * sqrt(82.5 / 9) / sqrt(10.0);

    for (uint32_t i = 0; i < RUNS; i++)
        runs[i].values[M_LATENCY_P99] = i + 1;
    fold_first(RUNS);
    CHECK_NEAR(fold.measures[M_LATENCY_P99].mean, 5.5, 1e-12);
    CHECK_NEAR(fold.measures[M_LATENCY_P99].lo, 5.5 - half, 1e-9);
    CHECK_NEAR(fold.measures[M_LATENCY_P99].hi, 5.5 + half, 1e-9);
    CHECK_UINT(fold.measures[M_LATENCY_P99].n, 10);
    CHECK(!reason(M_LATENCY_P99));
}

/* 1 and 3: mean 2, sd sqrt(2), half width t * sqrt(2) / sqrt(2) = t. */
static void two_replications_have_a_wide_interval(void)
{
    runs[0].values[M_WAIT_MEAN] = 1;
    runs[1].values[M_WAIT_MEAN] = 3;
    fold_first(2);
    CHECK_NEAR(fold.measures[M_WAIT_MEAN].mean, 2, 1e-12);
    CHECK_NEAR(fold.measures[M_WAIT_MEAN].hi, 2 + T1, 1e-8);
}

static void infinite_replication_leaves_no_mean(void)
{
    for (uint32_t i = 0; i < RUNS; i++)
        runs[i].values[M_LATENCY_ALL_P99] = i < 3 ? INFINITY : 2;
    fold_first(RUNS);
    CHECK(isnan(fold.measures[M_LATENCY_ALL_P99].mean));
    CHECK(isnan(fold.measures[M_LATENCY_ALL_P99].lo));
    CHECK_UINT(fold.measures[M_LATENCY_ALL_P99].infinite, 3);
    CHECK_TEXT(reason(M_LATENCY_ALL_P99),
               "infinite in 3 of 10 replications: more than 1 % of requests "
               "had no answer");
}

static void absent_measure_says_that_it_does_not_apply(void)
{
    fold_first(RUNS);
    CHECK(isnan(fold.measures[M_TTFT_P99].mean));
    CHECK_UINT(fold.measures[M_TTFT_P99].n, 0);
    CHECK_TEXT(reason(M_TTFT_P99), "does not apply here");
}

static void measure_of_some_replications_counts_them(void)
{
    runs[4].values[M_DETECTION] = 7;
    fold_first(RUNS);
    CHECK_NEAR(fold.measures[M_DETECTION].mean, 7, 0);
    CHECK_UINT(fold.measures[M_DETECTION].n, 1);
    CHECK(isnan(fold.measures[M_DETECTION].lo));
    CHECK_TEXT(reason(M_DETECTION), "only one replication has a value");
}

static void all_failed_gives_no_number_but_a_reason(void)
{
    runs[0].measured_answered = 0;
    runs[0].values[M_LATENCY_ALL_P50] = INFINITY;
    fold_first(1);
    CHECK(isnan(fold.measures[M_LATENCY_P99].mean));
    CHECK_TEXT(reason(M_LATENCY_P99), "no request was answered");
    CHECK_TEXT(reason(M_LATENCY_ALL_P50),
               "infinite in 1 of 1 replications: more than 50 % of requests "
               "had no answer");
}

static void nothing_measured_says_so(void)
{
    runs[0].measured = runs[0].measured_answered = 0;
    fold_first(1);
    CHECK_TEXT(reason(M_LATENCY_P99), "no request was measured");
}

/* 1 / (1 - q): 2, 10, 20, 100, 1000. */
static void percentiles_need_values(void)
{
    CHECK_UINT(measure_values_needed(M_LATENCY_P50), 2);
    CHECK_UINT(measure_values_needed(M_LATENCY_P90), 10);
    CHECK_UINT(measure_values_needed(M_LATENCY_P95), 20);
    CHECK_UINT(measure_values_needed(M_LATENCY_ALL_P99), 100);
    CHECK_UINT(measure_values_needed(M_LATENCY_P999), 1000);
    CHECK_UINT(measure_values_needed(M_LATENCY_MEAN), 0);
    CHECK_UINT(measure_values_needed(M_THROUGHPUT), 0); /* "_per_s" */
    CHECK_NEAR(measure_quantile(M_LATENCY_P999), 0.999, 0);
    CHECK(isnan(measure_quantile(M_SUCCESS)));
}

static void p99_of_71_values_is_weak(void)
{
    for (uint32_t i = 0; i < RUNS; i++)
        runs[i].measured = runs[i].measured_answered = 100;
    runs[7].measured = runs[7].measured_answered = 71;
    fold_first(RUNS);
    CHECK(fold.measures[M_LATENCY_P99].weak);
    CHECK(fold.measures[M_LATENCY_ALL_P99].weak);
    CHECK(!fold.measures[M_LATENCY_P95].weak);
    CHECK(!fold.measures[M_LATENCY_MEAN].weak);
}

static void hundred_values_are_not_weak(void)
{
    runs[0].measured = runs[0].measured_answered = 100;
    fold_first(1);
    CHECK(!fold.measures[M_LATENCY_P99].weak);
    CHECK(fold.measures[M_LATENCY_P999].weak);
}

static void unanswered_requests_weaken_only_percentiles_of_answers(void)
{
    runs[0].measured = 100;
    runs[0].measured_answered = 99;
    fold_first(1);
    CHECK(fold.measures[M_LATENCY_P99].weak);
    CHECK(!fold.measures[M_LATENCY_ALL_P99].weak);
}

static void one_replication_takes_ranks(void)
{
    runs[0].values[M_LATENCY_P99] = 0.99;
    runs[0].rank_lo[M_LATENCY_P99] = 0.983;
    runs[0].rank_hi[M_LATENCY_P99] = 0.997;
    fold_first(1);
    CHECK_NEAR(fold.measures[M_LATENCY_P99].lo, 0.983, 0);
    CHECK_NEAR(fold.measures[M_LATENCY_P99].hi, 0.997, 0);
    CHECK(fold.measures[M_LATENCY_P99].assumes_independence);
}

static void too_few_values_give_no_rank_interval(void)
{
    runs[0].values[M_LATENCY_P99] = 0.99;
    fold_first(1);
    CHECK(isnan(fold.measures[M_LATENCY_P99].lo));
    CHECK_TEXT(reason(M_LATENCY_P99),
               "one replication, and too few requests for an interval");
}

static void interval_that_reaches_the_unanswered_has_no_end(void)
{
    runs[0].values[M_LATENCY_ALL_P99] = 5;
    runs[0].rank_lo[M_LATENCY_ALL_P99] = 4;
    runs[0].rank_hi[M_LATENCY_ALL_P99] = INFINITY;
    fold_first(1);
    CHECK(isnan(fold.measures[M_LATENCY_ALL_P99].lo));
    CHECK(isnan(fold.measures[M_LATENCY_ALL_P99].hi));
}

static void one_replication_gives_a_mean_no_interval(void)
{
    runs[0].values[M_LATENCY_MEAN] = 3;
    fold_first(1);
    CHECK_NEAR(fold.measures[M_LATENCY_MEAN].mean, 3, 0);
    CHECK(isnan(fold.measures[M_LATENCY_MEAN].lo));
    CHECK_TEXT(reason(M_LATENCY_MEAN), "one replication gives no interval");
}

static void counts_are_summed(void)
{
    for (uint32_t i = 0; i < RUNS; i++) {
        runs[i].books = (struct books){.arrived = 100,
                                       .completed = 90,
                                       .degraded = 4,
                                       .refused = 3,
                                       .failed = 2,
                                       .timed_out = 1};
        runs[i].excluded = 5;
        runs[i].unstable = i == 3;
        runs[i].draws = 2;
    }
    fold_first(RUNS);
    CHECK_UINT(fold.books.arrived, 1000);
    CHECK_UINT(fold.books.completed, 900);
    CHECK_UINT(fold.books.degraded, 40);
    CHECK_UINT(fold.books.refused, 30);
    CHECK_UINT(fold.books.failed, 20);
    CHECK_UINT(fold.books.timed_out, 10);
    CHECK_UINT(fold.books.unfinished, 0);
    CHECK_UINT(fold.excluded, 50);
    CHECK_UINT(fold.unstable, 1);
    CHECK_UINT(fold.draws, 20);
}

static void give_places(struct run_result *run, uint32_t buckets, double value)
{
    run->node_count = 2;
    run->bucket_count = buckets;
    run->nodes = calloc(2, sizeof *run->nodes);
    run->buckets = calloc(buckets, sizeof *run->buckets);
    run->node_buckets = calloc(2u * buckets, sizeof *run->node_buckets);
    for (uint32_t i = 0; i < 2; i++)
        run->nodes[i] = (struct node_result){.use_ratio = value + i,
                                             .attempts = 10 * (i + 1),
                                             .gpu_ratio = i ? NAN : value};
    for (uint32_t i = 0; i < buckets; i++) {
        run->buckets[i].latency_mean_s = value;
        run->node_buckets[2 * i + 1].use_ratio = (float)value;
    }
}

static void nodes_and_buckets_are_averaged(void)
{
    give_places(&runs[0], 1, 0.25);
    give_places(&runs[1], 2, 0.75);
    fold_first(2);
    CHECK_UINT(fold.node_count, 2);
    CHECK_NEAR(fold.nodes[1].use_ratio, 1.5, 0);
    CHECK_NEAR(fold.nodes[1].attempts, 20, 0);
    CHECK_NEAR(fold.nodes[0].gpu_ratio, 0.5, 0);
    CHECK(isnan(fold.nodes[1].gpu_ratio));
    CHECK_UINT(fold.bucket_count, 2);
    CHECK_NEAR(fold.buckets[0].latency_mean_s, 0.5, 0);
    CHECK_NEAR(fold.buckets[1].latency_mean_s, 0.75, 0); /* of one run */
    CHECK_NEAR(fold.node_buckets[1].use_ratio, 0.5, 0);
    CHECK_NEAR(fold.node_buckets[3].use_ratio, 0.75, 0);
}

static void curve_is_averaged_and_infinite_stays_so(void)
{
    for (uint32_t i = 0; i < 2; i++) {
        runs[i].curve_s[0] = 1 + 2 * i;
        runs[i].curve_all_s[0] = 2 + 2 * i;
        runs[i].curve_all_s[1] = i ? INFINITY : 5;
    }
    fold_first(2);
    CHECK_NEAR(fold.curve[0].latency_s, 2, 0);
    CHECK_NEAR(fold.curve[0].hi_s, 2 + T1, 1e-8);
    CHECK_NEAR(fold.curve[0].all_s, 3, 0);
    CHECK(isnan(fold.curve[1].all_s));
    CHECK(isnan(fold.curve[1].latency_s));
}

int main(int argc, char **argv)
{
    CU_TestInfo measure_tests[] = {
        {"the interval is Student's", interval_is_students},
        {"two replications have a wide interval",
         two_replications_have_a_wide_interval},
        {"an infinite replication leaves no mean",
         infinite_replication_leaves_no_mean},
        {"an absent measure says that it does not apply",
         absent_measure_says_that_it_does_not_apply},
        {"a measure of some replications counts them",
         measure_of_some_replications_counts_them},
        {"all failed gives no number but a reason",
         all_failed_gives_no_number_but_a_reason},
        {"nothing measured says so", nothing_measured_says_so},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo weak_tests[] = {
        {"percentiles need values", percentiles_need_values},
        {"a p99 of 71 values is weak", p99_of_71_values_is_weak},
        {"a hundred values are not weak", hundred_values_are_not_weak},
        {"unanswered requests weaken only percentiles of answers",
         unanswered_requests_weaken_only_percentiles_of_answers},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo single_tests[] = {
        {"one replication takes ranks", one_replication_takes_ranks},
        {"too few values give no rank interval",
         too_few_values_give_no_rank_interval},
        {"an interval that reaches the unanswered has no end",
         interval_that_reaches_the_unanswered_has_no_end},
        {"one replication gives a mean no interval",
         one_replication_gives_a_mean_no_interval},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo sum_tests[] = {
        {"counts are summed", counts_are_summed},
        {"nodes and buckets are averaged", nodes_and_buckets_are_averaged},
        {"the curve is averaged and infinite stays so",
         curve_is_averaged_and_infinite_stays_so},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("fold measures", NULL, NULL, empty_runs, forget, measure_tests),
        SUITE("fold weak", NULL, NULL, empty_runs, forget, weak_tests),
        SUITE("fold one run", NULL, NULL, empty_runs, forget, single_tests),
        SUITE("fold sums", NULL, NULL, empty_runs, forget, sum_tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
