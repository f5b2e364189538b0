/* Playing a trace: cut, resampled by blocks, from memory and from files. */
#include "test_trace_files.h"

#define MS_NS INT64_C(1000000)

enum { ROWS = 20000, BLOCK_ROWS = 700 };

/*
 * ROWS rows, 1 ms apart, some at one instant, and each with its number as
 * input tokens, so that every row played tells where it comes from. A tail of
 * 400 ms is no block of 700 ms: 20000 = 28 * 700 + 400.
 */
static struct text content;
static struct scratch plain, packed[2];

static int64_t recorded_ns(uint32_t number) /* from 1 */
{
    return (number - 1) / 2 * 2 * MS_NS;
}

static void write_files(void)
{
    content = (struct text){0};
    text_add(&content, "arrival_s,input_tokens,output_tokens,key\n");
    for (uint32_t number = 1; number <= ROWS; number++) {
        int64_t ms = recorded_ns(number) / MS_NS;

        text_add(&content, "%d.%03d,%u,%u,key-%u\n", 100 + (int)(ms / 1000),
                 (int)(ms % 1000), number, number % 10, number % 100);
    }
    plain = scratch_text(content.bytes);
    packed[0] = scratch_gzip(content.bytes, content.length);
    packed[1] = scratch_zstd(content.bytes, content.length);
}

static void remove_files(void)
{
    scratch_remove(&plain);
    scratch_remove(&packed[0]);
    scratch_remove(&packed[1]);
    free(content.bytes);
}

static struct trace *open_blocks(const char *path, uint64_t memory_bytes)
{
    struct trace_spec spec = plain_spec(path);

    spec.memory_bytes = memory_bytes;
    spec.block_ns = BLOCK_ROWS * MS_NS;
    return open_sound(&spec);
}

struct play {
    uint64_t rows;
    struct trace_row *items;
    bool failed;
};

static struct play play(const struct trace *trace, enum trace_resample resample,
                        int64_t duration_ns, uint64_t seed,
                        uint64_t replication)
{
    struct trace_cursor *cursor =
        trace_cursor_create(trace, resample, duration_ns, seed, replication);
    struct play result = {0};
    struct trace_row row;
    uint64_t capacity = 0;

    CHECK(cursor != NULL);
    while (cursor && trace_cursor_next(cursor, &row)) {
        if (result.rows == capacity) {
            capacity = 2 * capacity + 1024;
            result.items =
                realloc(result.items, capacity * sizeof *result.items);
        }
        row.key = NULL; /* goes with the cursor */
        result.items[result.rows++] = row;
    }
    if (cursor) {
        result.failed = trace_cursor_failed(cursor);
        CHECK(!trace_cursor_next(cursor, &row));
    }
    trace_cursor_destroy(cursor);
    return result;
}

static bool plays_equal(const struct play *a, const struct play *b)
{
    bool equal = a->rows == b->rows;

    for (uint64_t i = 0; equal && i < a->rows; i++)
        equal = a->items[i].at_ns == b->items[i].at_ns &&
                a->items[i].input_tokens == b->items[i].input_tokens &&
                a->items[i].output_tokens == b->items[i].output_tokens &&
                a->items[i].key_hash == b->items[i].key_hash;
    return equal;
}

static void plays_the_first_replication_as_recorded(void)
{
    struct trace *trace = open_blocks(plain.path, GIB);
    struct play first = play(trace, TRACE_RESAMPLE_BLOCKS, INT64_MAX, 42, 1);

    CHECK_UINT(first.rows, ROWS);
    for (uint64_t i = 0; i < first.rows; i++) {
        CHECK_UINT(first.items[i].input_tokens, i + 1);
        CHECK_INT(first.items[i].at_ns, recorded_ns((uint32_t)i + 1));
    }
    free(first.items);
    trace_close(trace);
}

static void cuts_at_the_duration(void)
{
    for (int streamed = 0; streamed < 2; streamed++) {
        struct trace *trace = open_blocks(plain.path, streamed ? 0 : GIB);
        struct play cut = play(trace, TRACE_RESAMPLE_NONE, 10 * MS_NS, 42, 7);
        struct play none = play(trace, TRACE_RESAMPLE_NONE, 0, 42, 1);

        CHECK_UINT(cut.rows, 10); /* at 0, 0, 2, 2, ... 8, 8 ms */
        CHECK(!cut.failed);
        CHECK_UINT(none.rows, 0);
        free(cut.items);
        free(none.items);
        trace_close(trace);
    }
}

/* Of every block played: it is a whole block of the file, row by row and with
   its gaps, and its place is a multiple of the block's length. */
static void draws_whole_blocks(void)
{
    struct trace *trace = open_blocks(plain.path, GIB);
    int64_t block_ns = BLOCK_ROWS * MS_NS;
    uint64_t blocks = 40;
    struct play drawn = play(trace, TRACE_RESAMPLE_BLOCKS,
                             (int64_t)blocks * block_ns - 300 * MS_NS, 42, 2);

    CHECK_UINT(trace_books(trace)->whole_blocks, 28);
    CHECK_UINT(drawn.rows, blocks * BLOCK_ROWS - 300);
    for (uint64_t i = 0; i < drawn.rows; i++) {
        uint64_t place = i / BLOCK_ROWS, within = i % BLOCK_ROWS;
        uint32_t first = drawn.items[i - within].input_tokens;

        CHECK_UINT((first - 1) % BLOCK_ROWS, 0);
        CHECK(first <= 27 * BLOCK_ROWS + 1); /* never the short tail */
        CHECK_UINT(drawn.items[i].input_tokens, first + within);
        CHECK_INT(drawn.items[i].at_ns, (int64_t)place * block_ns +
                                            recorded_ns((uint32_t)within + 1));
    }
    free(drawn.items);
    trace_close(trace);
}

/* 28,000 draws of 28 blocks: chi-square with 27 degrees of freedom is below
   55.5 in 99.9 % of cases (tables of the distribution). Seed fixed. */
static void draws_blocks_uniformly(void)
{
    double counts[28] = {0}, chi_square = 0;
    struct text text = {0};
    struct scratch file;

    text_add(&text, "arrival_s,input_tokens,output_tokens\n");
    for (int i = 0; i < 28; i++) /* one row a block */
        text_add(&text, "%d,%d,1\n", i, i + 1);
    file = scratch_text(text.bytes);

    struct trace_spec spec = plain_spec(file.path);

    spec.block_ns = SECOND_NS;

    struct trace *trace = open_sound(&spec);
    struct play drawn =
        play(trace, TRACE_RESAMPLE_BLOCKS, 28000 * SECOND_NS, 1, 2);

    CHECK_UINT(drawn.rows, 28000);
    for (uint64_t i = 0; i < drawn.rows; i++)
        counts[drawn.items[i].input_tokens - 1]++;
    for (int i = 0; i < 28; i++)
        chi_square += (counts[i] - 1000) * (counts[i] - 1000) / 1000;
    CHECK_NEAR(chi_square, 27, 28.5);
    CHECK(chi_square > 9.8); /* nor too even: 0.1 % on the other side */
    free(drawn.items);
    trace_close(trace);
    scratch_remove(&file);
    free(text.bytes);
}

static void draws_by_seed_and_replication(void)
{
    struct trace *trace = open_blocks(plain.path, GIB);
    int64_t duration_ns = 20 * BLOCK_ROWS * MS_NS;
    struct play plays[4] = {
        play(trace, TRACE_RESAMPLE_BLOCKS, duration_ns, 42, 2),
        play(trace, TRACE_RESAMPLE_BLOCKS, duration_ns, 42, 2),
        play(trace, TRACE_RESAMPLE_BLOCKS, duration_ns, 42, 3),
        play(trace, TRACE_RESAMPLE_BLOCKS, duration_ns, 43, 2),
    };

    CHECK(plays_equal(&plays[0], &plays[1]));
    CHECK(!plays_equal(&plays[0], &plays[2]));
    CHECK(!plays_equal(&plays[0], &plays[3]));
    for (int i = 0; i < 4; i++)
        free(plays[i].items);
    trace_close(trace);
}

static void draws_the_same_from_wherever_rows_come(void)
{
    const char *paths[] = {plain.path, plain.path, packed[0].path,
                           packed[1].path};
    static const uint64_t memory[] = {GIB, 1000, GIB, GIB};
    struct play plays[4];

    for (int i = 0; i < 4; i++) {
        struct trace *trace = open_blocks(paths[i], memory[i]);

        CHECK(trace_books(trace)->in_memory == (i != 1));
        CHECK(trace_check_resample(trace, NULL));
        plays[i] = play(trace, TRACE_RESAMPLE_BLOCKS,
                        55 * BLOCK_ROWS * MS_NS - 2 * MS_NS, 9, 5);
        CHECK(!plays[i].failed);
        CHECK_UINT(plays[i].rows, 55 * BLOCK_ROWS - 2);
        CHECK(plays_equal(&plays[i], &plays[0]));
        trace_close(trace);
    }
    for (int i = 0; i < 4; i++)
        free(plays[i].items);
}

/* Blocks are cut in played time: at twice the speed, as many blocks hold
   twice the rows. With a slice, scaled, sorted or not, from memory or not. */
static void cuts_blocks_in_played_time(void)
{
    struct play plays[3];

    for (int i = 0; i < 3; i++) {
        struct trace_spec spec = plain_spec(plain.path);
        struct trace *trace;

        spec.memory_bytes = i == 1 ? 0 : GIB;
        spec.sort = i == 2;
        spec.rate_scale = 2;
        spec.start_ns = 1001 * MS_NS;
        spec.duration_ns = 9 * SECOND_NS;
        spec.block_ns = SECOND_NS;
        trace = open_sound(&spec);
        CHECK_UINT(trace_books(trace)->whole_blocks, 4); /* of 4.5 s */
        CHECK_NEAR(trace_books(trace)->rate_per_s, 2000, 1e-9);
        plays[i] = play(trace, TRACE_RESAMPLE_BLOCKS, 6 * SECOND_NS, 3, 4);
        CHECK_UINT(plays[i].rows, 12000);
        CHECK_INT(plays[i].items[0].at_ns, MS_NS / 2);
        CHECK(plays_equal(&plays[i], &plays[0]));
        trace_close(trace);
    }
    for (int i = 0; i < 3; i++)
        free(plays[i].items);
}

static void says_when_blocks_cannot_be_drawn(void)
{
    struct trace *trace = open_blocks(packed[0].path, 1000);
    struct diag diag = {0};

    CHECK(!trace_check_resample(trace, &diag));
    CHECK(strstr(diag.text, "trace.resample: none") != NULL);
    CHECK(strstr(diag.text, "compressed") != NULL);
    CHECK(trace_cursor_create(trace, TRACE_RESAMPLE_BLOCKS, SECOND_NS, 1, 2) ==
          NULL);
    trace_close(trace);
    diag_done(&diag);

    struct trace_spec spec = plain_spec(plain.path);

    spec.block_ns = 21 * SECOND_NS;
    trace = open_sound(&spec);
    CHECK(!trace_check_resample(trace, &diag));
    CHECK(strstr(diag.text, "no whole block of 21 s") != NULL);
    trace_close(trace);
    diag_done(&diag);
}

/* A slice far into a file that is read again starts near it. */
static void starts_a_streamed_slice_where_it_is(void)
{
    const char *paths[] = {plain.path, packed[1].path};

    for (int i = 0; i < 2; i++) {
        struct trace_spec spec = plain_spec(paths[i]);
        struct trace *trace;
        struct play slice;

        spec.memory_bytes = 0;
        spec.start_ns = 18 * SECOND_NS;
        spec.duration_ns = SECOND_NS;
        trace = open_sound(&spec);
        slice = play(trace, TRACE_RESAMPLE_NONE, INT64_MAX, 1, 1);
        CHECK(!slice.failed);
        CHECK_UINT(slice.rows, 1000);
        CHECK_UINT(slice.items[0].input_tokens, 18001);
        CHECK_INT(slice.items[0].at_ns, 0);
        free(slice.items);
        trace_close(trace);
    }
}

static void overwrite(const struct scratch *file, size_t length)
{
    FILE *stream = fopen(file->path, "wb");

    fwrite(content.bytes, 1, length, stream);
    fclose(stream);
}

static void notices_that_the_file_changed(void)
{
    struct scratch file = scratch_text(content.bytes);
    struct trace *trace = open_blocks(file.path, 0);
    struct trace_cursor *cursor;
    struct trace_row row;

    overwrite(&file, content.length / 2);
    CHECK(trace_cursor_create(trace, TRACE_RESAMPLE_NONE, INT64_MAX, 1, 1) ==
          NULL);
    scratch_remove(&file);
    CHECK(trace_cursor_create(trace, TRACE_RESAMPLE_NONE, INT64_MAX, 1, 1) ==
          NULL);
    trace_close(trace);

    /* While a cursor reads: it ends early, and says that it failed. */
    file = scratch_text(content.bytes);
    trace = open_blocks(file.path, 0);
    cursor = trace_cursor_create(trace, TRACE_RESAMPLE_NONE, INT64_MAX, 1, 1);
    overwrite(&file, content.length - 30);
    while (trace_cursor_next(cursor, &row))
        ;
    CHECK(trace_cursor_failed(cursor));
    trace_cursor_destroy(cursor);
    trace_close(trace);
    scratch_remove(&file);
}

/* The half that is gone holds half of the blocks: one of ten draws meets it
   but for one seed in a thousand. */
static void notices_that_blocks_are_gone(void)
{
    struct scratch file = scratch_text(content.bytes);
    struct trace *trace = open_blocks(file.path, 0);
    struct trace_cursor *cursor = trace_cursor_create(
        trace, TRACE_RESAMPLE_BLOCKS, 10 * BLOCK_ROWS * MS_NS, 1, 2);
    struct trace_row row;

    overwrite(&file, content.length / 2);
    while (trace_cursor_next(cursor, &row))
        ;
    CHECK(trace_cursor_failed(cursor));
    trace_cursor_destroy(cursor);
    trace_close(trace);
    scratch_remove(&file);
}

/* Keys stay readable as long as the cursor, whatever was read since. */
static void keeps_keys(void)
{
    for (int streamed = 0; streamed < 2; streamed++) {
        struct trace *trace = open_blocks(plain.path, streamed ? 0 : GIB);
        struct trace_cursor *cursor =
            trace_cursor_create(trace, TRACE_RESAMPLE_NONE, INT64_MAX, 1, 1);
        struct trace_row first, row;

        CHECK(trace_cursor_next(cursor, &first));
        while (trace_cursor_next(cursor, &row))
            ;
        CHECK_UINT(first.key_length, 5);
        CHECK(memcmp(first.key, "key-1", 5) == 0);
        trace_cursor_destroy(cursor);
        trace_close(trace);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"plays the first replication as recorded",
         plays_the_first_replication_as_recorded},
        {"cuts at the duration", cuts_at_the_duration},
        {"draws whole blocks", draws_whole_blocks},
        {"draws blocks uniformly", draws_blocks_uniformly},
        {"draws by seed and replication", draws_by_seed_and_replication},
        {"draws the same from wherever rows come",
         draws_the_same_from_wherever_rows_come},
        {"cuts blocks in played time", cuts_blocks_in_played_time},
        {"says when blocks cannot be drawn", says_when_blocks_cannot_be_drawn},
        {"starts a streamed slice where it is",
         starts_a_streamed_slice_where_it_is},
        {"notices that the file changed", notices_that_the_file_changed},
        {"notices that blocks are gone", notices_that_blocks_are_gone},
        {"keeps keys", keeps_keys},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("trace_cursor", NULL, NULL, write_files, remove_files, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
