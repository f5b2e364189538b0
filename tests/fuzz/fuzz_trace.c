/*
 * Any bytes as a trace of the format that the program is built for
 * (FUZZ_FORMAT): plain, or as gzip or zstd when they begin like that. The last
 * byte chooses the options and, unless it ends a line, is not of the file: so
 * any trace is an input.
 *
 * A trace that opens has balanced books, and plays as many rows as it kept, in
 * order of time, from memory and when it is read again.
 */
#include "tests/fuzz/scratch.h"
#include "tests/fuzz/target.h"
#include "workloads/trace.h"

#include <math.h>
#include <string.h>

enum options {
    SKIP = 1,
    SORT = 2,
    SLICE = 4,
    SCALE = 8,
    ZERO = 16,
    SMALL = 32
};

static enum trace_format find_format(void)
{
    for (int i = 0; i < TRACE_FORMAT_COUNT; i++)
        if (strcmp(trace_format_names[i], FUZZ_FORMAT) == 0)
            return (enum trace_format)i;
    fprintf(stderr, "no format '%s'\n", FUZZ_FORMAT);
    abort();
}

static struct trace_spec make_spec(const char *path, uint8_t options)
{
    return (struct trace_spec){
        .path = path,
        .format = find_format(),
        .rate_scale = options & SCALE ? 2 : NAN,
        .rate_per_s = NAN,
        .start_ns = options & SLICE ? 1000000000 : 0,
        .duration_ns = options & SLICE ? 5000000000 : INT64_MAX,
        .bad_rows = options & SKIP ? TRACE_SKIP : TRACE_STRICT,
        .bad_rows_limit = 1,
        .sort = options & SORT,
        .keep_zero_output = options & ZERO,
        .memory_bytes = options & SMALL ? 64 : 1 << 20,
    };
}

static void check_books(const struct trace_books *books)
{
    uint64_t dropped = 0;

    for (int i = 0; i < TRACE_DROP_COUNT; i++)
        dropped += books->dropped[i];
    FUZZ_MUST(books->rows_read == books->rows_kept + dropped);
    FUZZ_MUST(books->span_ns >= 0);
}

static void play(const struct trace *trace)
{
    struct trace_cursor *cursor =
        trace_cursor_create(trace, TRACE_RESAMPLE_NONE, INT64_MAX, 1, 1);
    struct trace_row row;
    uint64_t rows = 0;
    int64_t last_ns = 0;

    FUZZ_MUST(cursor);
    while (trace_cursor_next(cursor, &row)) {
        FUZZ_MUST(row.at_ns >= last_ns);
        FUZZ_MUST((row.key == NULL) == (row.key_hash == 0));
        last_ns = row.at_ns;
        rows++;
    }
    FUZZ_MUST(!trace_cursor_failed(cursor));
    FUZZ_MUST(rows == trace_books(trace)->rows_kept);
    trace_cursor_destroy(cursor);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t options = size > 0 && data[size - 1] != '\n' ? data[size - 1] : 0;
    size_t length = options != 0 ? size - 1 : size;
    struct trace_spec spec =
        make_spec(scratch_write("trace", data, length), options);
    struct diag diag = {0};
    struct trace *trace;

    trace = trace_open(&spec, &diag);
    FUZZ_MUST((trace != NULL) == (diag.errors == 0));
    if (trace) {
        check_books(trace_books(trace));
        play(trace);
    }
    trace_close(trace);
    diag_done(&diag);
    return 0;
}
