/* Files for the tests of traces: written, packed and removed again. */
#ifndef TESTS_UNIT_WORKLOADS_TEST_TRACE_FILES_H
#define TESTS_UNIT_WORKLOADS_TEST_TRACE_FILES_H

#include "tests/check.h"
#include "workloads/trace.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#define SECOND_NS INT64_C(1000000000)
#define GIB ((uint64_t)1 << 30)

/* Text that grows; a test that has no memory may stop. */
struct text {
    char *bytes;
    size_t length, capacity;
};

__attribute__((format(printf, 2, 3))) static inline void
text_add(struct text *text, const char *format, ...)
{
    va_list arguments, again;
    size_t need;

    va_start(arguments, format);
    va_copy(again, arguments);
    need = (size_t)vsnprintf(NULL, 0, format, again) + 1;
    va_end(again);
    if (text->capacity - text->length < need) {
        text->capacity = 2 * text->capacity + need + 4096;
        text->bytes = realloc(text->bytes, text->capacity);
        if (!text->bytes)
            abort();
    }
    text->length +=
        (size_t)vsnprintf(text->bytes + text->length, need, format, arguments);
    va_end(arguments);
}

struct scratch {
    char path[256];
};

static inline struct scratch scratch_write(const void *bytes, size_t length)
{
    struct scratch scratch = {"/tmp/lbsim-test-XXXXXX"};
    int fd = mkstemp(scratch.path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");

    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file) != 0)
        abort();
    return scratch;
}

static inline struct scratch scratch_text(const char *text)
{
    return scratch_write(text, strlen(text));
}

static inline struct scratch scratch_gzip(const void *bytes, size_t length)
{
    struct scratch scratch = scratch_write("", 0);
    gzFile file = gzopen(scratch.path, "wb");

    if (!file || gzwrite(file, bytes, (unsigned)length) != (int)length ||
        gzclose(file) != Z_OK)
        abort();
    return scratch;
}

static inline struct scratch scratch_zstd(const void *bytes, size_t length)
{
    size_t bound = ZSTD_compressBound(length);
    void *packed = malloc(bound);
    struct scratch scratch;

    if (!packed)
        abort();
    scratch =
        scratch_write(packed, ZSTD_compress(packed, bound, bytes, length, 3));
    free(packed);
    return scratch;
}

static inline void scratch_remove(const struct scratch *scratch)
{
    unlink(scratch->path);
}

/* The defaults of a scenario. */
static inline struct trace_spec plain_spec(const char *path)
{
    return (struct trace_spec){.path = path,
                               .rate_scale = NAN,
                               .rate_per_s = NAN,
                               .duration_ns = INT64_MAX,
                               .bad_rows_limit = 0.01,
                               .memory_bytes = GIB};
}

static inline uint64_t dropped_rows(const struct trace_books *books)
{
    uint64_t rows = 0;

    for (int reason = 0; reason < TRACE_DROP_COUNT; reason++)
        rows += books->dropped[reason];
    return rows;
}

/* Opens what must open, and checks that its books balance. */
static inline struct trace *open_sound(const struct trace_spec *spec)
{
    struct diag diag = {0};
    struct trace *trace = trace_open(spec, &diag);

    CHECK_TEXT(diag.text ? diag.text : "", "");
    diag_done(&diag);
    CHECK(trace != NULL);
    if (trace) {
        const struct trace_books *books = trace_books(trace);

        CHECK_UINT(books->rows_read, books->rows_kept + dropped_rows(books));
    }
    return trace;
}

/* Opens what must not open and checks a part of what is said about it. */
static inline void check_refused(const struct trace_spec *spec,
                                 const char *part)
{
    struct diag diag = {0};
    struct trace *trace = trace_open(spec, &diag);

    CHECK(trace == NULL);
    CHECK_UINT(diag.errors, 1);
    if (!diag.text || !strstr(diag.text, part))
        CHECK_TEXT(diag.text, part);
    trace_close(trace);
    diag_done(&diag);
}

#define TRACE_FOLDER "tests/data/traces/"
#define TRACE_HEADER "arrival_s,input_tokens,output_tokens\n"

/* All rows as "at_ns/input/output/key " of replication 1. */
static inline char *trace_played(const struct trace *trace)
{
    struct text text = {0};
    struct trace_cursor *cursor =
        trace_cursor_create(trace, TRACE_RESAMPLE_NONE, INT64_MAX, 1, 1);
    struct trace_row row;

    text_add(&text, "%s", "");
    CHECK(cursor != NULL);
    while (cursor && trace_cursor_next(cursor, &row)) {
        text_add(&text, "%" PRId64 "/%" PRIu32 "/%" PRIu32, row.at_ns,
                 row.input_tokens, row.output_tokens);
        if (row.key)
            text_add(&text, "/%.*s", (int)row.key_length, row.key);
        CHECK((row.key == NULL) == (row.key_hash == 0));
        text_add(&text, " ");
    }
    CHECK(cursor && !trace_cursor_failed(cursor));
    trace_cursor_destroy(cursor);
    return text.bytes;
}

static inline void check_played(const struct trace_spec *spec,
                                const char *expected)
{
    struct trace_spec streamed = *spec;

    for (int pass = 0; pass < (spec->sort ? 1 : 2); pass++) {
        struct trace *trace = open_sound(pass ? &streamed : spec);

        if (trace) {
            char *text = trace_played(trace);

            CHECK(trace_books(trace)->in_memory == (pass == 0));
            CHECK_TEXT(text, expected);
            free(text);
        }
        trace_close(trace);
        streamed.memory_bytes = 0;
    }
}

#endif
