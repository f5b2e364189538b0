/*
 * The trace here is a stand-in with rows given by the test: it shows what the
 * workload makes of rows, and of a trace that fails, without any file.
 */
#include "tests/unit/workloads/workload_world.h"

struct trace {
    struct trace_books books;
    const struct trace_row *rows;
    size_t count;
    size_t fails_after; /* rows; 0: never */
    bool cannot_be_read;
};

struct trace_cursor {
    const struct trace *trace;
    size_t next;
};

const struct trace_books *trace_books(const struct trace *trace)
{
    return &trace->books;
}

bool trace_has_classes(const struct trace *trace)
{
    return trace->books.has_class_column;
}

struct trace_cursor *trace_cursor_create(const struct trace *trace,
                                         enum trace_resample resample,
                                         int64_t duration_ns, uint64_t seed,
                                         uint64_t replication)
{
    struct trace_cursor *cursor = NULL;

    CHECK_UINT(resample, TRACE_RESAMPLE_BLOCKS);
    CHECK(duration_ns > 0);
    CHECK_UINT(seed, 42);
    CHECK_UINT(replication, 2);
    if (!trace->cannot_be_read)
        cursor = calloc(1, sizeof *cursor);
    if (cursor)
        cursor->trace = trace;
    return cursor;
}

void trace_cursor_destroy(struct trace_cursor *cursor)
{
    free(cursor);
}

bool trace_cursor_failed(const struct trace_cursor *cursor)
{
    const struct trace *trace = cursor->trace;

    return trace->fails_after > 0 && cursor->next >= trace->fails_after;
}

bool trace_cursor_next(struct trace_cursor *cursor, struct trace_row *ret_row)
{
    if (cursor->next >= cursor->trace->count || trace_cursor_failed(cursor))
        return false;
    *ret_row = cursor->trace->rows[cursor->next++];
    return true;
}

static const struct trace_row rows[] = {
    {.at_ns = 0,
     .input_tokens = 10,
     .output_tokens = 5,
     .key_hash = 77,
     .key = "alpha",
     .key_length = 5},
    {.at_ns = 1000, .input_tokens = 20, .output_tokens = 0},
    {.at_ns = 1000,
     .input_tokens = 11,
     .output_tokens = 6,
     .key_hash = 78,
     .key = "beta",
     .key_length = 4},
    {.at_ns = 5000,
     .input_tokens = 12,
     .output_tokens = 7,
     .key_hash = 77,
     .key = "alpha",
     .key_length = 5},
    {.at_ns = 9000,
     .input_tokens = 13,
     .output_tokens = 8,
     .key_hash = 77,
     .key = "alpha",
     .key_length = 5},
};

static struct trace trace_of_rows(void)
{
    return (struct trace){
        .books = {.rate_per_s = 3,
                  .mean_input_tokens = 13.2,
                  .mean_output_tokens = 5.2,
                  .has_keys = true},
        .rows = rows,
        .count = sizeof rows / sizeof *rows,
    };
}

static struct workload_spec playing(const struct trace *trace)
{
    return (struct workload_spec){
        .trace = trace,
        .resample = TRACE_RESAMPLE_BLOCKS,
    };
}

static void rows_are_played_as_they_are(void)
{
    struct trace trace = trace_of_rows();
    struct workload_spec spec = playing(&trace);
    struct workload *workload = workload_create(&spec, SECOND, 42, 2);
    struct workload_request request;

    for (size_t i = 0; i < trace.count; i++) {
        CHECK(workload_next(workload, &request));
        CHECK_UINT(request.number, i);
        CHECK_INT(request.at_ns, rows[i].at_ns);
        CHECK_UINT(request.input_tokens, rows[i].input_tokens);
        CHECK_UINT(request.output_tokens, rows[i].output_tokens);
        CHECK_UINT(request.key_hash, rows[i].key_hash);
        CHECK(request.key_text == rows[i].key);
        CHECK_UINT(request.key_length, rows[i].key_length);
        CHECK(request.work_s < 0);
        CHECK(workload_last_was_ideal_hit(workload) == (i >= 3));
    }
    CHECK(!workload_next(workload, &request));
    CHECK(!workload_failed(workload));
    CHECK_UINT(workload_books(workload)->requests, 5);
    CHECK_UINT(workload_books(workload)->repeats, 2);
    CHECK_UINT(workload_books(workload)->ideal_hits, 2);
    workload_destroy(workload);
}

static void rows_beyond_the_duration_are_left(void)
{
    struct trace trace = trace_of_rows();
    struct workload_spec spec = playing(&trace);
    struct workload *workload = workload_create(&spec, 5000, 42, 2);
    struct workload_request request;

    for (int i = 0; i < 3; i++)
        CHECK(workload_next(workload, &request));
    CHECK(!workload_next(workload, &request));
    CHECK(!workload_failed(workload));
    workload_destroy(workload);
}

static void what_rows_lack_is_drawn_by_key(void)
{
    struct trace trace = trace_of_rows();
    struct workload_spec spec = playing(&trace);
    struct workload_request played[5];

    spec.work = dist_of(DIST_EXPONENTIAL, 1, NAN);
    spec.output_tokens = dist_of(DIST_EXPONENTIAL, 1000, NAN);
    struct workload *workload = workload_create(&spec, SECOND, 42, 2);
    for (size_t i = 0; i < 5; i++) {
        CHECK(workload_next(workload, &played[i]));
        CHECK_UINT(played[i].input_tokens, rows[i].input_tokens);
        CHECK(played[i].output_tokens != rows[i].output_tokens);
        CHECK(played[i].work_s > 0);
    }
    CHECK_NEAR(played[3].work_s, played[0].work_s, 0);
    CHECK_NEAR(played[4].work_s, played[0].work_s, 0);
    CHECK(played[2].work_s != played[0].work_s);
    CHECK(played[1].work_s != played[0].work_s);
    workload_destroy(workload);
}

static void keys_asked_for_replace_those_of_the_trace(void)
{
    struct trace trace = trace_of_rows();
    struct workload_spec spec = playing(&trace);
    struct workload_request request;

    spec.keys = zipf(0.9, 10, 1);
    struct workload *workload = workload_create(&spec, SECOND, 42, 2);
    while (workload_next(workload, &request)) {
        CHECK(request.key < 10);
        CHECK_UINT(request.key_hash, keys_hash(request.key));
        CHECK(request.key_text == NULL);
    }
    CHECK_UINT(workload_books(workload)->repeats, 5);
    workload_destroy(workload);
}

static void many_distinct_keys_are_told_apart(void)
{
    enum { COUNT = 50000 };
    struct trace_row *many = calloc(2 * COUNT, sizeof *many);
    struct trace trace = {.rows = many, .count = 2 * COUNT};
    struct workload_spec spec = playing(&trace);
    struct workload_request request;

    for (uint64_t i = 0; i < 2 * COUNT; i++) {
        many[i].at_ns = (int64_t)i;
        many[i].key_hash = keys_hash(i % COUNT);
    }
    struct workload *workload = workload_create(&spec, SECOND, 42, 2);
    while (workload_next(workload, &request))
        CHECK(workload_last_was_ideal_hit(workload) ==
              (request.number >= COUNT));
    CHECK_UINT(workload_books(workload)->ideal_hits, COUNT);
    workload_destroy(workload);
    free(many);
}

static void failure_of_the_trace_is_told(void)
{
    struct trace trace = trace_of_rows();
    struct workload_spec spec = playing(&trace);
    struct workload_request request;

    trace.fails_after = 2;
    struct workload *workload = workload_create(&spec, SECOND, 42, 2);
    CHECK(workload_next(workload, &request));
    CHECK(workload_next(workload, &request));
    CHECK(!workload_failed(workload));
    CHECK(!workload_next(workload, &request));
    CHECK(workload_failed(workload));
    workload_destroy(workload);

    trace.cannot_be_read = true;
    CHECK(workload_create(&spec, SECOND, 42, 2) == NULL);
    workload_destroy(NULL);
}

static void means_of_a_trace_are_its_own(void)
{
    struct trace trace = trace_of_rows();
    struct workload_spec spec = playing(&trace);
    struct workload_means means;

    spec.output_tokens = constant(9);
    workload_spec_means(&spec, INT64_MAX, &means);
    CHECK_NEAR(means.rate_per_s, 3, 0);
    CHECK_NEAR(means.input_tokens, 13.2, 0);
    CHECK_NEAR(means.output_tokens, 9, 0);
}

static const struct trace_row labelled[] = {
    {.at_ns = 0, .class_label = 2, .model_label = 3, .key_hash = 7},
    {.at_ns = 1, .class_label = 1, .key_hash = 7},
    {.at_ns = 2, .model_label = 1},
    {.at_ns = 3},
};

/* Two rows of four name their class; 300 + 100 of 500 input tokens are theirs.
 */
static struct trace trace_of_labels(void)
{
    return (struct trace){
        .books = {.rows_kept = 4,
                  .rate_per_s = 8,
                  .mean_input_tokens = 125,
                  .mean_output_tokens = 1,
                  .has_class_column = true,
                  .by_class = {{2, 100, 2}, {1, 100, 1}, {1, 300, 1}}},
        .rows = labelled,
        .count = sizeof labelled / sizeof *labelled,
    };
}

static const struct workload_class kinds[] = {
    {.name = "never drawn", .share = 0}, {.name = "drawn", .share = 1}};

/* Also where the same prompt comes as another class. */
static void rows_that_name_a_class_are_of_it(void)
{
    static const uint32_t expected[] = {1, 0, 1, 1}, models[] = {3, 0, 1, 0};
    struct trace trace = trace_of_labels();
    struct workload_spec spec = playing(&trace);
    struct workload_request request;
    struct workload *workload;

    spec.classes = kinds;
    spec.class_count = 2;
    workload = workload_create(&spec, SECOND, 42, 2);
    for (int i = 0; i < 4; i++) {
        CHECK(workload_next(workload, &request));
        CHECK_UINT(request.request_class, expected[i]);
        CHECK_UINT(request.model, models[i]);
    }
    workload_destroy(workload);
    spec.one_class = 1;
    workload = workload_create(&spec, SECOND, 42, 2);
    while (workload_next(workload, &request))
        CHECK_UINT(request.request_class, 0);
    workload_destroy(workload);
}

/* Rows that name none are half of all, and all "drawn". */
static void shares_are_those_of_rows(void)
{
    struct trace trace = trace_of_labels();
    struct workload_spec spec = playing(&trace);
    struct workload_means means;

    spec.classes = kinds;
    spec.class_count = 2;
    CHECK_NEAR(workload_class_share(&spec, 0), 0.25, 0);
    CHECK_NEAR(workload_class_share(&spec, 1), 0.75, 0);
    workload_class_means(&spec, 0, INT64_MAX, &means);
    CHECK_NEAR(means.rate_per_s, 2, 0);
    CHECK_NEAR(means.input_tokens, 100, 0);
    workload_class_means(&spec, 1, INT64_MAX, &means);
    CHECK_NEAR(means.rate_per_s, 6, 0);
    CHECK_NEAR(means.input_tokens, 400.0 / 3, 1e-12);
    workload_spec_means(&spec, INT64_MAX, &means);
    CHECK_NEAR(means.rate_per_s, 8, 0);
    CHECK_NEAR(means.input_tokens, 125, 1e-12);
    trace.books.has_class_column = false;
    CHECK_NEAR(workload_class_share(&spec, 0), 0, 0);
}

int main(int argc, char **argv)
{
    CU_TestInfo traced[] = {
        {"rows are played as they are", rows_are_played_as_they_are},
        {"rows beyond the duration are left",
         rows_beyond_the_duration_are_left},
        {"what rows lack is drawn by key", what_rows_lack_is_drawn_by_key},
        {"keys asked for replace those of the trace",
         keys_asked_for_replace_those_of_the_trace},
        {"many distinct keys are told apart",
         many_distinct_keys_are_told_apart},
        {"failure of the trace is told", failure_of_the_trace_is_told},
        {"means of a trace are its own", means_of_a_trace_are_its_own},
        {"rows that name a class are of it", rows_that_name_a_class_are_of_it},
        {"shares are those of rows", shares_are_those_of_rows},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("workload_trace", NULL, NULL, NULL, NULL, traced),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
