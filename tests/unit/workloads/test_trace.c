/* Opening traces: columns, times, books, order. */
#include "test_trace_files.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static const char azure_header[] = "TIMESTAMP,ContextTokens,GeneratedTokens\n";

static void check_content(const char *content, const char *expected)
{
    struct scratch file = scratch_text(content);
    struct trace_spec spec = plain_spec(file.path);

    check_played(&spec, expected);
    scratch_remove(&file);
}

static void check_text_refused(const char *content, const char *part)
{
    struct scratch file = scratch_text(content);
    struct trace_spec spec = plain_spec(file.path);

    check_refused(&spec, part);
    scratch_remove(&file);
}

/* Both published shapes of time, with a change of day, a leap day, and two
   rows 100 ns apart. */
static void reads_both_shapes_of_azure_times(void)
{
    static const char *const zones[] = {"UTC", "America/New_York",
                                        "Asia/Kolkata"};
    struct trace_spec old = plain_spec(TRACE_FOLDER "azure_2023.csv");
    struct trace_spec new = plain_spec(TRACE_FOLDER "azure_2024.csv");
    struct trace_spec mixed = plain_spec(TRACE_FOLDER "azure_zones.csv");

    for (int i = 0; i < 3; i++) {
        setenv("TZ", zones[i], 1);
        tzset();
        check_played(&old, "0/374/44 100/396/109 86400500000100/879/55 ");
        check_played(&new, "0/374/44 1000/396/109 9931000/879/55 ");
        check_played(&mixed, "0/1/1 1000000000/2/2 2500000000/3/3 "
                             "3000000000/4/4 4000000000/5/5 ");
    }
}

static void refuses_both_shapes_in_one_file(void)
{
    struct scratch file = scratch_text(
        "TIMESTAMP,ContextTokens,GeneratedTokens\n"
        "2024-05-10 00:00:00.009930,10,20\n2024-05-12 00:00:00+00:00,1,2\n");
    struct trace_spec spec = plain_spec(file.path);

    check_refused(&spec, ":3:1: error: 'TIMESTAMP' has a zone");
    spec.bad_rows = TRACE_SKIP; /* no leniency: half the load would go */
    spec.bad_rows_limit = 1;
    check_refused(&spec, ":3:1: error: 'TIMESTAMP' has a zone");
    scratch_remove(&file);
}

/* A mark at the start, CR LF, blank lines, quotes, spaces, columns in another
   order and one more, no newline at the end. */
static void takes_awkward_files_as_they_are(void)
{
    struct trace_spec spec = plain_spec(TRACE_FOLDER "awkward.csv");

    check_played(&spec, "0/374/44 4314579000/396/109 4314579000/879/55 ");
}

static void reads_the_canonical_format(void)
{
    struct trace_spec spec = plain_spec(TRACE_FOLDER "canonical.csv");
    struct trace *trace = open_sound(&spec);

    CHECK(trace_books(trace)->has_keys);
    CHECK_UINT(trace_books(trace)->rows_kept, 4);
    trace_close(trace);
    check_played(&spec, "0/6758/500//a 1/7322/0/b, \"c\" "
                        "3052300000/2287/316 3052300000/12/1//a ");
}

/* Values of XXH64, seed 0, of the reference implementation. */
static void hashes_keys(void)
{
    struct scratch file =
        scratch_text("arrival_s,input_tokens,output_tokens,key\n"
                     "0,1,1,a\n1,1,1,\"abc\"\n2,1,1,a\n3,1,1,\n");
    static const uint64_t expected[] = {UINT64_C(0xd24ec4f1a98c6e5b),
                                        UINT64_C(0x44bc2cf5ad770999),
                                        UINT64_C(0xd24ec4f1a98c6e5b), 0};

    for (int streamed = 0; streamed < 2; streamed++) {
        struct trace_spec spec = plain_spec(file.path);
        struct trace_cursor *cursor;
        struct trace *trace;
        struct trace_row rows[4];

        spec.memory_bytes = streamed ? 0 : GIB;
        trace = open_sound(&spec);
        cursor =
            trace_cursor_create(trace, TRACE_RESAMPLE_NONE, INT64_MAX, 1, 1);
        for (int i = 0; i < 4; i++) {
            CHECK(trace_cursor_next(cursor, &rows[i]));
            CHECK_UINT(rows[i].key_hash, expected[i]);
        }
        CHECK(rows[2].key == rows[0].key); /* each text is kept once */
        CHECK(memcmp(rows[1].key, "abc", 3) == 0 && !rows[3].key);
        trace_cursor_destroy(cursor);
        trace_close(trace);
    }
    scratch_remove(&file);
}

static void names_what_a_header_lacks(void)
{
    check_text_refused("TIMESTAMP,ContextTokens,Generated\n",
                       "column 'GeneratedTokens' is missing");
    check_text_refused("Timestamp,ContextTokens,GeneratedTokens\n",
                       "the nearest column is 'Timestamp'");
}

/* All required columns may be wrong: each gets its complaint. */
static void asks_for_the_columns_of_a_named_format(void)
{
    struct scratch file = scratch_text("a,b\n1,2\n");
    struct trace_spec spec = plain_spec(file.path);
    struct diag diag = {0};

    spec.format = TRACE_AZURE_LLM;
    CHECK(trace_open(&spec, &diag) == NULL);
    CHECK_UINT(diag.errors, 3);
    CHECK(strstr(diag.text, "azure_llm needs TIMESTAMP") != NULL);
    diag_done(&diag);
    scratch_remove(&file);
}

static void lists_long_headers_in_part(void)
{
    struct text text = {0};

    for (int i = 0; i < 200; i++)
        text_add(&text, "%scolumn_number_%d", i ? "," : "", i);
    text_add(&text, "\n1\n");
    check_text_refused(text.bytes, ", ...");
    text.length = 0;
    for (int i = 0; i < 5000; i++)
        text_add(&text, "c%d,", i);
    check_text_refused(text.bytes, "has 5001 columns, at most 4096");
    free(text.bytes);
}

/* Failed requests leave without a word, and can be kept as prefill only. */
static void counts_failed_requests_of_azure(void)
{
    struct scratch file =
        scratch_text("TIMESTAMP,ContextTokens,GeneratedTokens\n"
                     "2024-05-10 00:00:00,0,0\n2024-05-10 00:00:01,5,0\n"
                     "2024-05-10 00:00:02,5,1\n2024-05-10 00:00:03,0,7\n"
                     "2024-05-10 00:00:04,6,0\n");
    struct trace_spec spec = plain_spec(file.path);
    struct trace *trace = open_sound(&spec);

    CHECK_UINT(trace_books(trace)->rows_read, 5);
    CHECK_UINT(trace_books(trace)->rows_kept, 1);
    CHECK_UINT(trace_books(trace)->dropped[TRACE_ZERO_INPUT], 2);
    CHECK_UINT(trace_books(trace)->dropped[TRACE_ZERO_OUTPUT], 2);
    trace_close(trace);
    check_played(&spec, "0/5/1 ");
    spec.keep_zero_output = true;
    check_played(&spec, "0/5/0 1000000000/5/1 3000000000/6/0 ");
    scratch_remove(&file);
}

/* Five lines: one without a time, one out of order by 2 s, one duplicate. */
static void stops_at_the_first_offending_line(void)
{
    check_text_refused("arrival_s,input_tokens,output_tokens\n"
                       "0,1,1\n,2,2\n4,3,3\n2,4,4\n4,5,5\n",
                       ":3:1: error: 'arrival_s' is empty");
    check_text_refused("arrival_s,input_tokens,output_tokens\n"
                       "0,1,1\n4,3,3\n2,4,4\n4,5,5\n",
                       ":4:1: error: 'arrival_s' goes back by 2 s");
}

static void sorts_stably_when_asked(void)
{
    struct trace_spec spec = plain_spec(TRACE_FOLDER "unordered.csv");
    struct trace *trace;

    spec.sort = true;
    trace = open_sound(&spec);
    CHECK_UINT(trace_books(trace)->rows_moved, 1);
    trace_close(trace);
    check_played(&spec, "0/1/1 2000000000/3/3 4000000000/2/2 4000000000/4/4 "
                        "5000000000/5/5 ");
    spec.start_ns = 2 * SECOND_NS;
    spec.duration_ns = 3 * SECOND_NS;
    check_played(&spec, "0/3/3 2000000000/2/2 2000000000/4/4 ");
    spec.memory_bytes = 0;
    check_refused(&spec, "`trace.sort` needs the whole file in memory");
    spec.memory_bytes = 70000; /* for the rows, not for a second copy */
    check_refused(&spec, "`trace.sort` needs the whole file in memory");
}

/* A larger one, with keys: equal times keep the order of the file, which
   input_tokens tell. */
static void sorts_many_rows_with_keys(void)
{
    struct text text = {0};
    struct scratch file;
    struct trace_spec spec;
    struct trace_cursor *cursor;
    struct trace *trace;
    struct trace_row row, last = {.at_ns = -1};
    uint32_t count = 0;

    text_add(&text, "arrival_s,input_tokens,output_tokens,key\n");
    for (int i = 0; i < 20000; i++)
        text_add(&text, "%d,%d,%d,k%d\n", i * 7919 % 1000, i + 1,
                 i * 7919 % 1000, i);
    file = scratch_text(text.bytes);
    spec = plain_spec(file.path);
    spec.sort = true;
    trace = open_sound(&spec);
    cursor = trace_cursor_create(trace, TRACE_RESAMPLE_NONE, INT64_MAX, 1, 1);
    for (; trace_cursor_next(cursor, &row); last = row, count++) {
        char key[32];

        CHECK(row.at_ns > last.at_ns || (row.at_ns == last.at_ns &&
                                         row.input_tokens > last.input_tokens));
        CHECK_INT(row.at_ns, row.output_tokens * SECOND_NS);
        snprintf(key, sizeof key, "k%u", row.input_tokens - 1);
        CHECK(row.key_length == strlen(key) &&
              memcmp(row.key, key, row.key_length) == 0);
    }
    CHECK_UINT(count, 20000);
    trace_cursor_destroy(cursor);
    trace_close(trace);
    scratch_remove(&file);
    free(text.bytes);
}

static void skips_and_counts_bad_rows(void)
{
    static const struct {
        const char *row;
        enum trace_drop reason;
    } bad[] = {
        {"5,1", TRACE_SHORT_ROW},
        {"5,1,1,1", TRACE_SHORT_ROW},
        {"5,\"1\"1,1", TRACE_SHORT_ROW},
        {",1,1", TRACE_BAD_TIME},
        {"5 s,1,1", TRACE_BAD_TIME},
        {"1e300,1,1", TRACE_BAD_TIME},
        {"99999999999999,1,1", TRACE_BAD_TIME},
        {"5,,1", TRACE_BAD_NUMBER},
        {"5,1,inf", TRACE_BAD_NUMBER},
        {"-5,1,1", TRACE_NEGATIVE},
        {"5,1,-1", TRACE_NEGATIVE},
        {"5,1,2147483648", TRACE_OVERFLOW},
        {"5,0,1", TRACE_ZERO_INPUT},
        {"4,1,1", TRACE_OUT_OF_ORDER},
    };
    enum { BAD = sizeof bad / sizeof *bad };
    uint64_t expected[TRACE_DROP_COUNT] = {0};
    struct text text = {0};
    struct scratch file;
    struct trace_spec spec;
    struct trace *trace;

    text_add(&text, "%s0,1,1\n5,2,2\n", TRACE_HEADER);
    for (int i = 0; i < BAD; i++) {
        text_add(&text, "%s\n", bad[i].row);
        expected[bad[i].reason]++;
    }
    text_add(&text, "5,3,3,\n");
    file = scratch_text(text.bytes);
    spec = plain_spec(file.path);
    spec.bad_rows = TRACE_SKIP;
    spec.bad_rows_limit = (double)BAD / (BAD + 3); /* exactly as many */
    trace = open_sound(&spec);
    CHECK_UINT(trace_books(trace)->rows_read, BAD + 3);
    CHECK_UINT(trace_books(trace)->rows_kept, 3);
    for (int reason = 0; reason < TRACE_DROP_COUNT; reason++)
        CHECK_UINT(trace_books(trace)->dropped[reason], expected[reason]);
    trace_close(trace);
    check_played(&spec, "0/1/1 5000000000/2/2 5000000000/3/3 ");

    spec.bad_rows_limit = (BAD - 1.0) / (BAD + 3);
    check_refused(&spec, "14 of 17 rows are bad");
    scratch_remove(&file);
    free(text.bytes);
}

static void reads_packed_files_like_plain_ones(void)
{
    struct text text = {0};

    text_add(&text, "%s", azure_header);
    for (int i = 0; i < 20000; i++)
        text_add(&text, "2023-11-16 18:%02d:%02d.%07d,%d,%d\r\n", i / 600,
                 i / 10 % 60, i % 10 * 1000000 + i % 7, i + 1, i % 100 + 1);

    struct scratch files[3] = {scratch_text(text.bytes),
                               scratch_gzip(text.bytes, text.length),
                               scratch_zstd(text.bytes, text.length)};
    char *plain = NULL;

    for (int i = 0; i < 6; i++) { /* in memory, then streamed */
        struct trace_spec spec = plain_spec(files[i % 3].path);
        struct trace *trace;
        char *text_played;

        spec.memory_bytes = i < 3 ? GIB : 100000; /* full after some rows */
        trace = open_sound(&spec);
        CHECK(trace_books(trace)->in_memory == (i < 3));
        text_played = trace_played(trace);
        if (plain)
            CHECK(strcmp(text_played, plain) == 0);
        if (i == 0)
            plain = text_played;
        else
            free(text_played);
        trace_close(trace);
    }
    CHECK(strlen(plain) > 20000 * 8);
    for (int i = 0; i < 3; i++)
        scratch_remove(&files[i]);
    free(plain);
    free(text.bytes);
}

/* Fields in quotes take libcsv's path and must come out the same. */
static void reads_quoted_fields_like_plain_ones(void)
{
    struct text texts[2] = {{0}, {0}};
    char *results[2];

    for (int q = 0; q < 2; q++) {
        const char *quote = q ? "\"" : "";
        struct scratch file;
        struct trace_spec spec;
        struct trace *trace;

        text_add(&texts[q], "arrival_s,input_tokens,output_tokens,key\n");
        for (int i = 0; i < 5000; i++)
            text_add(&texts[q], "%s%d.%03d%s,%s%d%s, %s%d%s,%sk %d%s\n", quote,
                     i, i % 1000, quote, quote, i + 1, quote, quote, i % 77,
                     quote, quote, i % 99, quote);
        file = scratch_text(texts[q].bytes);
        spec = plain_spec(file.path);
        trace = open_sound(&spec);
        results[q] = trace_played(trace);
        trace_close(trace);
        scratch_remove(&file);
        free(texts[q].bytes);
    }
    CHECK(strcmp(results[0], results[1]) == 0);
    CHECK(strstr(results[0], "/k 98 ") != NULL);
    free(results[0]);
    free(results[1]);
}

/* A pipe cannot be read twice, so it must fit into memory. */
static void reads_a_pipe_once(void)
{
    for (int fits = 0; fits < 2; fits++) {
        struct scratch name = scratch_text("");
        pid_t writer;
        struct trace_spec spec = plain_spec(name.path);

        scratch_remove(&name);
        CHECK_INT(mkfifo(name.path, 0600), 0);
        writer = fork();
        if (writer == 0) {
            FILE *pipe = fopen(name.path, "w");

            fputs("arrival_s,input_tokens,output_tokens\n0,1,2\n", pipe);
            fclose(pipe);
            _exit(0);
        }
        spec.memory_bytes = fits ? GIB : 0;
        if (fits) {
            struct trace *trace = open_sound(&spec);

            CHECK_UINT(trace_books(trace)->rows_kept, 1);
            trace_close(trace);
        } else {
            check_refused(&spec, "cannot be read a second time");
        }
        waitpid(writer, NULL, 0);
        scratch_remove(&name);
    }
}

/* 64 MiB of zeros in 64 KiB: refused when one row's worth is unpacked. */
static void is_not_flooded_by_a_small_file(void)
{
    size_t size = (size_t)64 << 20;
    char *zeros = calloc(1, size);
    struct scratch file = scratch_gzip(zeros, size);
    struct trace_spec spec = plain_spec(file.path);

    check_refused(&spec, ":1:1: error: a row is longer than 1 MiB");
    scratch_remove(&file);
    free(zeros);
}

static void says_that_a_file_is_not_there(void)
{
    struct trace_spec spec = plain_spec("/nonexistent.csv");

    check_refused(&spec, "/nonexistent.csv: error: cannot be opened: No such "
                         "file or directory");
    spec.path = "tests";
    check_refused(&spec, "is a directory");
    trace_close(NULL);
    trace_cursor_destroy(NULL);
}

static void survives_empty_rows(void)
{
    check_content("arrival_s,input_tokens,output_tokens\n\n0,1,1\n\n\n1,2,2",
                  "0/1/1 1000000000/2/2 ");
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"reads both shapes of azure times", reads_both_shapes_of_azure_times},
        {"refuses both shapes in one file", refuses_both_shapes_in_one_file},
        {"takes awkward files as they are", takes_awkward_files_as_they_are},
        {"reads the canonical format", reads_the_canonical_format},
        {"hashes keys", hashes_keys},
        {"names what a header lacks", names_what_a_header_lacks},
        {"asks for the columns of a named format",
         asks_for_the_columns_of_a_named_format},
        {"lists long headers in part", lists_long_headers_in_part},
        {"counts failed requests of azure", counts_failed_requests_of_azure},
        {"stops at the first offending line",
         stops_at_the_first_offending_line},
        {"sorts stably when asked", sorts_stably_when_asked},
        {"sorts many rows with keys", sorts_many_rows_with_keys},
        {"skips and counts bad rows", skips_and_counts_bad_rows},
        {"reads packed files like plain ones",
         reads_packed_files_like_plain_ones},
        {"reads quoted fields like plain ones",
         reads_quoted_fields_like_plain_ones},
        {"reads a pipe once", reads_a_pipe_once},
        {"is not flooded by a small file", is_not_flooded_by_a_small_file},
        {"says that a file is not there", says_that_a_file_is_not_there},
        {"survives empty rows", survives_empty_rows},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("trace", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
