/* The time of traces: slices of it, how fast it is played, what a span is. */
#include "test_trace_files.h"

/* Rows at 10, 11, ..., 19 s: the file's own time starts at its first row. */
static void plays_a_slice(void)
{
    struct text text = {0};
    struct scratch file;
    struct trace_spec spec;
    struct trace *trace;

    text_add(&text, "%s", TRACE_HEADER);
    for (int i = 0; i < 10; i++)
        text_add(&text, "%d,%d,%d\n", 10 + i, i + 1, i);
    file = scratch_text(text.bytes);
    spec = plain_spec(file.path);
    spec.start_ns = 2 * SECOND_NS + 1;
    spec.duration_ns = 3 * SECOND_NS;
    check_played(&spec, "999999999/4/3 1999999999/5/4 2999999999/6/5 ");

    trace = open_sound(&spec);
    CHECK_UINT(trace_books(trace)->dropped[TRACE_OUTSIDE_SLICE], 7);
    CHECK_INT(trace_books(trace)->span_ns, 3 * SECOND_NS);
    CHECK_NEAR(trace_books(trace)->rate_per_s, 1, 1e-12);
    CHECK_NEAR(trace_books(trace)->mean_input_tokens, 5, 1e-12);
    CHECK_NEAR(trace_books(trace)->mean_output_tokens, 4, 1e-12);
    trace_close(trace);

    /* A slice that goes beyond the file ends one mean gap behind it. */
    spec.start_ns = 4 * SECOND_NS;
    spec.duration_ns = 100 * SECOND_NS;
    trace = open_sound(&spec);
    CHECK_INT(trace_books(trace)->span_ns, 6 * SECOND_NS);
    CHECK_NEAR(trace_books(trace)->rate_per_s, 1, 1e-12);
    trace_close(trace);

    /* One that ends within this gap ends where it says. */
    spec.duration_ns = 5500 * SECOND_NS / 1000;
    trace = open_sound(&spec);
    CHECK_UINT(trace_books(trace)->rows_kept, 6);
    CHECK_INT(trace_books(trace)->span_ns, 5500 * SECOND_NS / 1000);
    trace_close(trace);

    spec.start_ns = INT64_MAX;
    check_refused(&spec, "no requests: all 10 rows were dropped: "
                         "outside-slice 10");
    scratch_remove(&file);
    free(text.bytes);
}

static void scales_time(void)
{
    struct trace_spec spec = plain_spec(TRACE_FOLDER "canonical.csv");
    struct trace *trace;

    spec.rate_scale = 2; /* every gap is halved; 0.5 ns is rounded up */
    check_played(&spec, "0/6758/500//a 1/7322/0/b, \"c\" "
                        "1526150000/2287/316 1526150000/12/1//a ");

    /* 4 rows in 3.0523 s: a mean gap of 3.0523 / 3 s. */
    spec.rate_scale = NAN;
    spec.rate_per_s = 3 / 3.0523 * 4;
    trace = open_sound(&spec);
    CHECK_NEAR(trace_books(trace)->rate_scale, 4, 1e-12);
    CHECK_NEAR(trace_books(trace)->rate_per_s, 3 / 3.0523 * 4, 1e-12);
    CHECK_INT(trace_books(trace)->span_ns, 1017433333); /* 3.0523 / 3 */
    trace_close(trace);
}

static void refuses_rates_that_make_no_sense(void)
{
    struct trace_spec spec = plain_spec(TRACE_FOLDER "canonical.csv");

    spec.rate_scale = 0;
    check_refused(&spec, "`trace.rate_scale` is 0, expected");
    spec.rate_scale = 1e-12;
    check_refused(&spec, "more than 285 years");
    spec.rate_scale = 1;
    spec.rate_per_s = 2;
    check_refused(&spec, "exclude each other");
    spec.rate_scale = NAN;
    spec.rate_per_s = INFINITY;
    check_refused(&spec, "`trace.rate` is inf, expected");
}

/* With no gap to go by, rows at one instant last a second. */
static void gives_rows_at_one_instant_a_second(void)
{
    struct scratch file = scratch_text(
        "arrival_s,input_tokens,output_tokens\n7,1,1\n7,2,2\n7,3,3\n");
    struct trace_spec spec = plain_spec(file.path);
    struct trace *trace = open_sound(&spec);

    CHECK_INT(trace_books(trace)->span_ns, SECOND_NS);
    CHECK_NEAR(trace_books(trace)->rate_per_s, 3, 1e-12);
    trace_close(trace);
    check_played(&spec, "0/1/1 0/2/2 0/3/3 ");
    scratch_remove(&file);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"plays a slice", plays_a_slice},
        {"scales time", scales_time},
        {"refuses rates that make no sense", refuses_rates_that_make_no_sense},
        {"gives rows at one instant a second",
         gives_rows_at_one_instant_a_second},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("trace time", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
