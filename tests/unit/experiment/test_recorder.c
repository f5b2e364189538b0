/*
 * The recorder against sums that can be done in one's head. Most tests have a
 * window of 120 s, which its 120 buckets cut into whole seconds, and two nodes
 * of one slot at speed 1.
 */
#include "tests/unit/experiment/recorder_world.h"

/* --- the window ----------------------------------------------------------- */

/* A request belongs to its intended arrival: [start, end). */
static void window_begins_with_its_first_instant(void)
{
    start_at(-1);
    CHECK(!recorder_arrived(&recorder, 9 * S, false, false));
    recorder_open(&recorder, nodes, 10 * S);
    CHECK(!recorder_arrived(&recorder, 10 * S - 1, false, false));
    CHECK(recorder_arrived(&recorder, 10 * S, false, false));
    pass(WINDOW - 1);
    CHECK(recorder_arrived(&recorder, WINDOW - 1, false, false));
    CHECK_UINT(recorder.arrived, 4);
    CHECK_UINT(recorder.measured, 2);
    for (int i = 0; i < 4; i++) /* books must balance */
        recorder_lost(&recorder, &(struct request){0}, END_FAILED);
    finish();
    CHECK_UINT(result.excluded, 2);
    CHECK_NEAR(result.window_start_s, 10, 1e-9);
    CHECK_NEAR(result.window_end_s, 120, 1e-9);
}

static void edges_come_every_second_until_the_end(void)
{
    start_at(-1);
    CHECK_INT(recorder_next_edge_ns(&recorder), EVENT_NEVER);
    recorder_open(&recorder, nodes, 0);
    for (int64_t i = 1; i <= 120; i++) {
        CHECK_INT(recorder_next_edge_ns(&recorder), i * S);
        recorder_edge(&recorder, nodes, i * S);
    }
    CHECK(recorder.closed);
    CHECK_INT(recorder_next_edge_ns(&recorder), EVENT_NEVER);
}

/* A length that no number of buckets divides: edge k is at the whole part of
   k / count of it. */
static void arrivals_on_an_edge_belong_to_the_later_bucket(void)
{
    uint64_t length = 1000000007, first = 33;

    setup.end_ns = (int64_t)(first + length);
    start_at((int64_t)first);
    for (uint32_t k = 1; k < recorder.bucket_count; k++) {
        int64_t edge_ns = (int64_t)(first + length * k / recorder.bucket_count);

        CHECK_INT(recorder_next_edge_ns(&recorder), edge_ns);
        CHECK_UINT(recorder_find_bucket(&recorder, edge_ns), k);
        CHECK_UINT(recorder_find_bucket(&recorder, edge_ns - 1), k - 1);
        recorder_edge(&recorder, nodes, edge_ns);
    }
    CHECK_UINT(recorder_find_bucket(&recorder, (int64_t)first), 0);
    CHECK_UINT(recorder_find_bucket(&recorder, setup.end_ns - 1),
               recorder.bucket_count - 1);
}

/* A year, where a double no longer tells one ns from the next and the share of
   the window that has passed rounds up to the edge. */
static void rounding_moves_nobody_over_an_edge(void)
{
    setup.end_ns = INT64_C(31556952) * S;
    start_at(0);
    for (uint32_t k = 1; k < recorder.bucket_count; k++) {
        int64_t edge_ns = recorder_next_edge_ns(&recorder);

        CHECK_UINT(recorder_find_bucket(&recorder, edge_ns), k);
        CHECK_UINT(recorder_find_bucket(&recorder, edge_ns - 1), k - 1);
        recorder_edge(&recorder, nodes, edge_ns);
    }
}

/* Wherever it ends, it counts where it arrived. */
static void late_ends_count_in_the_bucket_of_arrival(void)
{
    struct request early, late;

    start_at(0);
    early = arrive(S / 2);
    late = arrive(119 * S);
    pass(60 * S);
    recorder_answered(&recorder, &early, 59 * S, 0, -1);
    pass(WINDOW);
    recorder_lost(&recorder, &late, END_TIMED_OUT);
    finish();
    CHECK_UINT(result.bucket_count, 120);
    CHECK_UINT(result.buckets[0].arrived, 1);
    CHECK_UINT(result.buckets[0].completed, 1);
    CHECK_NEAR(result.buckets[0].latency_mean_s, 59, 1e-9);
    CHECK_NEAR(result.buckets[0].latency_p99_s, 59, 59.0 / 32);
    CHECK_UINT(result.buckets[60].completed, 0);
    CHECK(isnan(result.buckets[60].latency_mean_s));
    CHECK_UINT(result.buckets[119].arrived, 1);
    CHECK_UINT(result.buckets[119].lost, 1);
    CHECK_NEAR(result.buckets[119].start_s, 119, 1e-9);
    CHECK_NEAR(result.buckets[119].end_s, 120, 1e-9);
}

/* 16 Ki cells bound the memory of large pools; four quarters are needed. */
static void many_nodes_have_fewer_buckets(void)
{
    setup.node_count = 1024;
    start_at(-1);
    CHECK_UINT(recorder.bucket_count, 16);
    recorder_done(&recorder);
    setup.node_count = 100000;
    start_at(-1);
    CHECK_UINT(recorder.bucket_count, 4);
}

/* A warm-up longer than the run: nothing is measured, the books are whole. */
static void window_may_never_open(void)
{
    start_at(-1);
    answer(5 * S, S);
    lose(6 * S, END_FAILED);
    CHECK(recorder_finish(&recorder, nodes, &result));
    CHECK_UINT(result.books.arrived, 2);
    CHECK_UINT(result.measured, 0);
    CHECK_UINT(result.excluded, 2);
    CHECK(isnan(result.values[M_LATENCY_MEAN]));
    CHECK(isnan(result.values[M_LATENCY_ALL_P99]));
    CHECK(isnan(result.values[M_SUCCESS]));
    CHECK(isnan(result.values[M_GPU_USE]));
    CHECK(!result.unstable);
    CHECK(!result.nodes);
}

/* --- latency -------------------------------------------------------------- */

/* 1, 2, 3, 4 s and one without an answer: ranks 2, 4 of 4 and 3, 5 of 5. */
/* n 1000, q 0.99: ranks 983 and 997 enclose it with 97.6 % (binomial sums
   computed with mpmath); a two-sided 95 % interval of a P99 needs 368 values,
   0.99^368 < 0.025. With a thousand more that were lost, rank 1000 of 2000 is
   the last answer: the median's upper end is infinite. */
static void ranks_enclose_percentiles(void)
{
    start_at(0);
    for (int64_t i = 1; i <= 1000; i++)
        answer(S, i * 1000000);
    for (int i = 0; i < 1000; i++)
        lose(S, END_FAILED);
    finish();
    CHECK_NEAR(result.rank_lo[M_LATENCY_P99], 0.983, 1e-9);
    CHECK_NEAR(result.rank_hi[M_LATENCY_P99], 0.997, 1e-9);
    CHECK(isnan(result.rank_hi[M_LATENCY_P999]));
    CHECK(result.rank_lo[M_LATENCY_ALL_P50] < 1);
    CHECK(isinf(result.rank_hi[M_LATENCY_ALL_P50]));
    CHECK(isnan(result.rank_lo[M_WAIT_P50]));
}

static void few_answers_have_no_ranks(void)
{
    start_at(0);
    for (int64_t i = 1; i <= 367; i++)
        answer(S, i * 1000000);
    finish();
    CHECK(isnan(result.rank_lo[M_LATENCY_P99]));
    CHECK(isfinite(result.rank_lo[M_LATENCY_P50]));
}

static void percentiles_are_nearest_rank(void)
{
    const double *values = result.values;

    start_at(0);
    for (int64_t latency_s = 1; latency_s <= 4; latency_s++)
        answer(latency_s * S, latency_s * S);
    lose(5 * S, END_FAILED);
    finish();
    CHECK_NEAR(values[M_LATENCY_MEAN], 2.5, 1e-12);
    CHECK_NEAR(values[M_LATENCY_P50], 2, 1e-12);
    CHECK_NEAR(values[M_LATENCY_P90], 4, 1e-12);
    CHECK_NEAR(values[M_LATENCY_MAX], 4, 1e-12);
    CHECK_NEAR(values[M_LATENCY_ALL_P50], 3, 1e-12);
    CHECK(isinf(values[M_LATENCY_ALL_P90]));
    CHECK(isinf(values[M_LATENCY_ALL_P999]));
    CHECK_NEAR(values[M_SUCCESS], 0.8, 1e-12);
}

/* 6 measured arrivals and 4 answers in 120 s; 3 of those within 3 s, the bound
   itself being good enough. */
static void rates_are_per_second_of_the_window(void)
{
    const double *values = result.values;

    setup.goodput_bound_s = 3;
    start_at(0);
    for (int64_t latency_s = 1; latency_s <= 4; latency_s++)
        answer(latency_s * S, latency_s * S);
    lose(5 * S, END_REFUSED);
    lose(6 * S, END_UNFINISHED);
    finish();
    CHECK_NEAR(values[M_OFFERED], 6 / 120.0, 1e-12);
    CHECK_NEAR(values[M_THROUGHPUT], 4 / 120.0, 1e-12);
    CHECK_NEAR(values[M_GOODPUT], 3 / 120.0, 1e-12);
}

static void without_a_latency_goal_there_is_no_goodput(void)
{
    start_at(0);
    answer(S, S);
    finish();
    CHECK(isnan(result.values[M_GOODPUT]));
}

/* What arrived before the window is in the books and nowhere else. */
static void unmeasured_ends_show_in_the_books_alone(void)
{
    start_at(-1);
    answer(S, 100 * S);
    lose(2 * S, END_TIMED_OUT);
    recorder_open(&recorder, nodes, 10 * S);
    answer(11 * S, S);
    finish();
    CHECK_UINT(result.books.arrived, 3);
    CHECK_UINT(result.books.completed, 2);
    CHECK_UINT(result.books.timed_out, 1);
    CHECK_UINT(result.measured_answered, 1);
    CHECK_NEAR(result.values[M_LATENCY_MAX], 1, 1e-12);
    CHECK_NEAR(result.values[M_TIMED_OUT], 0, 0);
    CHECK_NEAR(result.values[M_ARRIVED], 1, 0);
}

/* Every way to end, and each of them counted in both books. */
static void books_hold_every_ending(void)
{
    const double *values = result.values;

    start_at(0);
    answer(S, S);
    for (int i = 0; i < 2; i++)
        lose(2 * S, END_REFUSED);
    for (int i = 0; i < 3; i++)
        lose(3 * S, END_FAILED);
    for (int i = 0; i < 4; i++)
        lose(4 * S, END_TIMED_OUT);
    for (int i = 0; i < 5; i++)
        lose(5 * S, END_UNFINISHED);
    finish();
    CHECK_UINT(result.books.arrived, 15);
    CHECK_UINT(result.books.completed, 1);
    CHECK_UINT(result.books.refused, 2);
    CHECK_UINT(result.books.failed, 3);
    CHECK_UINT(result.books.timed_out, 4);
    CHECK_UINT(result.books.unfinished, 5);
    CHECK_UINT(result.books.degraded, 0);
    CHECK_UINT(result.measured, 15);
    CHECK_UINT(result.measured_answered, 1);
    CHECK_NEAR(values[M_REFUSED], 2, 0);
    CHECK_NEAR(values[M_FAILED], 3, 0);
    CHECK_NEAR(values[M_TIMED_OUT], 4, 0);
    CHECK_NEAR(values[M_UNFINISHED], 5, 0);
}

/* 5 s in all, 2 s of it queueing, first of five tokens after 3 s: the other
   four take (5 - 3) / 4 = 0.5 s each. Answers of one token, and those of a
   cache, have no time per token. */
static void parts_of_latency_have_their_own_samples(void)
{
    struct request request;

    start_at(0);
    request = arrive(S);
    request.output_tokens = 5;
    recorder_answered(&recorder, &request, 5 * S, 2 * S, 3 * S);
    request = arrive(2 * S);
    request.output_tokens = 1;
    recorder_answered(&recorder, &request, S, 0, S);
    request = arrive(3 * S);
    request.output_tokens = 5;
    request.flags |= REQUEST_CACHED;
    recorder_answered(&recorder, &request, S, S, S);
    answer(4 * S, 7 * S); /* plain work: no first token */
    finish();
    CHECK_NEAR(result.values[M_WAIT_MEAN], 0.75, 1e-12);
    CHECK_NEAR(result.values[M_WAIT_P99], 2, 1e-12);
    CHECK_NEAR(result.values[M_TTFT_MEAN], 5 / 3.0, 1e-9);
    CHECK_NEAR(result.values[M_TTFT_P50], 1, 1e-12);
    CHECK_NEAR(result.values[M_TTFT_P99], 3, 1e-12);
    CHECK_NEAR(result.values[M_TPOT_MEAN], 0.5, 1e-12);
    CHECK_NEAR(result.values[M_TPOT_P99], 0.5, 1e-12);
}

/* 90 answers of 1 .. 90 s and 10 losses: the point of quantile q is at rank
   ceil(100 q), and beyond rank 90 there is nothing but infinity. */
static void curves_rise_and_end_where_answers_end(void)
{
    start_at(0);
    for (int64_t i = 1; i <= 90; i++)
        answer(i * S, i * S);
    for (int i = 0; i < 10; i++)
        lose(100 * S, END_FAILED);
    finish();
    for (uint32_t i = 0; i < CURVE_POINTS; i++) {
        /* A whole rank may have been rounded up a little. */
        double rank = ceil(100 * curve_quantile(i) - 1e-9);

        if (rank > 90)
            CHECK(isinf(result.curve_all_s[i]));
        else
            CHECK_NEAR(result.curve_all_s[i], rank, 1e-9);
        CHECK_NEAR(result.curve_s[i], ceil(90 * curve_quantile(i) - 1e-9),
                   1e-9);
        if (i > 0) {
            CHECK(result.curve_s[i] >= result.curve_s[i - 1]);
            CHECK(result.curve_all_s[i] >= result.curve_all_s[i - 1]);
        }
    }
}

/* Numbers 0 to 2999, of which every third has no answer, and the answers come
   in the reverse order. */
static void latencies_are_kept_by_number(void)
{
    setup.keep_latencies = true;
    start_at(0);
    for (int i = 0; i < 3000; i++)
        arrive(S);
    for (uint64_t i = 3000; i-- > 0;) {
        struct request request = {.number = i};

        if (i % 3 == 0)
            recorder_lost(&recorder, &request, END_FAILED);
        else
            recorder_answered(&recorder, &request, (int64_t)i * S, 0, -1);
    }
    finish();
    CHECK_UINT(result.latency_count, 3000);
    for (uint64_t i = 0; i < 3000; i++)
        CHECK(i % 3 == 0 ? isnan(result.latencies[i])
                         : fabs(result.latencies[i] - (double)i) < 1e-6);
}

static void latencies_are_kept_only_when_asked_for(void)
{
    start_at(0);
    answer(S, S);
    finish();
    CHECK(!result.latencies);
    CHECK_UINT(result.latency_count, 0);
}

/* --- caches, errors ------------------------------------------------------- */

static void arrive_with_key(bool repeats, bool ideal_hit, uint8_t flags)
{
    struct request request = {.flags = flags};

    if (recorder_arrived(&recorder, S, repeats, ideal_hit))
        request.flags |= REQUEST_MEASURED;
    recorder_answered(&recorder, &request, S, 0, -1);
}

/* Four answers: three repeat, two of them were asked before, one was found. */
static void hits_are_shares_of_answers(void)
{
    setup.with_keys = setup.with_caches = true;
    start_at(0);
    pass(S);
    arrive_with_key(false, false, 0);
    arrive_with_key(true, false, 0);
    arrive_with_key(true, true, 0);
    arrive_with_key(true, true, REQUEST_CACHED);
    finish();
    CHECK_NEAR(result.values[M_REPEAT], 0.75, 1e-12);
    CHECK_NEAR(result.values[M_IDEAL_HIT], 0.5, 1e-12);
    CHECK_NEAR(result.values[M_RESULT_HIT], 0.25, 1e-12);
}

static void without_caches_there_are_no_hits(void)
{
    setup.with_keys = true;
    start_at(0);
    pass(S);
    arrive_with_key(true, true, 0);
    finish();
    CHECK_NEAR(result.values[M_IDEAL_HIT], 1, 1e-12);
    CHECK(isnan(result.values[M_RESULT_HIT]));
    run_result_done(&result);
    recorder_done(&recorder);
    setup.with_keys = false;
    start_at(0);
    finish();
    CHECK(isnan(result.values[M_IDEAL_HIT]));
}

static void errors_are_counted_by_cause(void)
{
    start_at(0);
    for (int i = 0; i < 4; i++)
        answer(S, S);
    recorder.retries = 6;
    recorder.no_node = 2;
    recorder.errors[ERROR_REFUSED] = 3;
    recorder.errors[ERROR_RESET] = 4;
    recorder.errors[ERROR_CONNECT] = 5;
    recorder.lost_attempts = 7;
    finish();
    CHECK_NEAR(result.values[M_RETRIES], 1.5, 1e-12);
    CHECK_NEAR(result.values[M_ERRORS_NO_NODE], 2, 0);
    CHECK_NEAR(result.values[M_ERRORS_REFUSED], 3, 0);
    CHECK_NEAR(result.values[M_ERRORS_RESET], 4, 0);
    CHECK_NEAR(result.values[M_ERRORS_CONNECT], 5, 0);
    CHECK_NEAR(result.values[M_LOST_IN_WINDOW], 7, 0);
}

static void nothing_measured_has_no_retries(void)
{
    start_at(0);
    finish();
    CHECK(isnan(result.values[M_RETRIES]));
}

int main(int argc, char **argv)
{
    CU_TestInfo window[] = {
        {"begins with its first instant", window_begins_with_its_first_instant},
        {"has edges every second", edges_come_every_second_until_the_end},
        {"arrivals on an edge belong to the later bucket",
         arrivals_on_an_edge_belong_to_the_later_bucket},
        {"rounding moves nobody over an edge",
         rounding_moves_nobody_over_an_edge},
        {"late ends count in the bucket of arrival",
         late_ends_count_in_the_bucket_of_arrival},
        {"many nodes have fewer buckets", many_nodes_have_fewer_buckets},
        {"may never open", window_may_never_open},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo latency[] = {
        {"ranks enclose percentiles", ranks_enclose_percentiles},
        {"few answers have no ranks", few_answers_have_no_ranks},
        {"percentiles are nearest rank", percentiles_are_nearest_rank},
        {"rates are per second of the window",
         rates_are_per_second_of_the_window},
        {"no goodput without a goal",
         without_a_latency_goal_there_is_no_goodput},
        {"unmeasured ends show in the books alone",
         unmeasured_ends_show_in_the_books_alone},
        {"books hold every ending", books_hold_every_ending},
        {"parts have their own samples",
         parts_of_latency_have_their_own_samples},
        {"curves rise and end where answers end",
         curves_rise_and_end_where_answers_end},
        {"is kept by number", latencies_are_kept_by_number},
        {"is kept only when asked for", latencies_are_kept_only_when_asked_for},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo counts[] = {
        {"hits are shares of answers", hits_are_shares_of_answers},
        {"no hits without caches", without_caches_there_are_no_hits},
        {"errors by cause", errors_are_counted_by_cause},
        {"nothing measured has no retries", nothing_measured_has_no_retries},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("recorder window", NULL, NULL, prepare, forget, window),
        SUITE("recorder latency", NULL, NULL, prepare, forget, latency),
        SUITE("recorder counts", NULL, NULL, prepare, forget, counts),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
