/* Bytes of plain, gzip and zstd files, whole, cut and damaged. */
#include "test_trace_files.h"
#include "workloads/formats/source.h"

#include <fcntl.h>
#include <sys/stat.h>

enum { SIZE = 300000 };

static char *content; /* text that packs well but not to nothing */

static void write_content(void)
{
    uint32_t state = 7;

    content = malloc(SIZE);
    if (!content)
        abort();
    for (int i = 0; i < SIZE; i++) {
        state = state * 1664525u + 1013904223u;
        content[i] = "0123456789,\n"[(state >> 24) % 12];
    }
}

static void forget_content(void)
{
    free(content);
}

/* Reads in steps of a given size; the error, if any, stays in error. */
static size_t read_all(const char *path, char *bytes, size_t step,
                       char error[SOURCE_ERROR_SIZE])
{
    struct source *source = source_open(path, error);
    size_t total = 0, got;

    if (!source)
        return 0;
    error[0] = '\0';
    while ((got = source_read(source, bytes + total, step)) > 0)
        total += got;
    if (source_error(source))
        snprintf(error, SOURCE_ERROR_SIZE, "%s", source_error(source));
    CHECK_UINT(source_read(source, bytes, 1), 0);
    source_close(source);
    return total;
}

static void check_content(const struct scratch *file)
{
    static const size_t steps[] = {1, 7, 4096, SIZE};
    char *bytes = malloc(2 * SIZE);
    char error[SOURCE_ERROR_SIZE];

    for (size_t i = 0; i < 4; i++) {
        size_t length = read_all(file->path, bytes, steps[i], error);

        CHECK_UINT(length, SIZE);
        CHECK_TEXT(error, "");
        CHECK(memcmp(bytes, content, SIZE) == 0);
    }
    free(bytes);
    scratch_remove(file);
}

static void yields_the_same_bytes_of_all_kinds(void)
{
    struct scratch plain = scratch_write(content, SIZE);
    struct scratch gzip = scratch_gzip(content, SIZE);
    struct scratch zstd = scratch_zstd(content, SIZE);

    check_content(&plain);
    check_content(&gzip);
    check_content(&zstd);
}

/* The packed bytes of two halves in a row, with a tail behind. */
static struct scratch join(struct scratch (*pack)(const void *, size_t),
                           const char *tail, size_t tail_length)
{
    struct scratch halves[2] = {pack(content, SIZE / 2),
                                pack(content + SIZE / 2, SIZE / 2)};
    char *bytes = malloc(2 * SIZE);
    size_t length = 0;

    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(halves[i].path, "rb");

        length += fread(bytes + length, 1, SIZE, file);
        fclose(file);
        scratch_remove(&halves[i]);
    }
    memcpy(bytes + length, tail, tail_length);

    struct scratch joined = scratch_write(bytes, length + tail_length);

    free(bytes);
    return joined;
}

static void reads_members_in_a_row(void)
{
    struct scratch gzip = join(scratch_gzip, "", 0);
    struct scratch padded = join(scratch_gzip, "\0\0\0\0", 4);
    struct scratch zstd = join(scratch_zstd, "", 0);

    check_content(&gzip);
    check_content(&padded);
    check_content(&zstd);
}

static void check_tail(struct scratch file, size_t wanted, const char *part)
{
    char *bytes = malloc(2 * SIZE);
    char error[SOURCE_ERROR_SIZE];

    CHECK_UINT(read_all(file.path, bytes, 1000, error), wanted);
    if (!strstr(error, part))
        CHECK_TEXT(error, part);
    free(bytes);
    scratch_remove(&file);
}

static void refuses_other_bytes_behind_packed_data(void)
{
    check_tail(join(scratch_gzip, "tail", 4), SIZE, "other bytes behind");
    check_tail(join(scratch_zstd, "tail!", 5), SIZE, "damaged zstd data");
}

/* Cut at every length in steps: an error each time, never a short file. */
static void notices_every_cut(void)
{
    struct scratch whole[2] = {scratch_gzip(content, SIZE),
                               scratch_zstd(content, SIZE)};
    char *bytes = malloc(2 * SIZE), *packed = malloc(SIZE);

    for (int kind = 0; kind < 2; kind++) {
        FILE *file = fopen(whole[kind].path, "rb");
        size_t length = fread(packed, 1, SIZE, file);

        fclose(file);
        for (size_t cut = length - 1; cut > 8; cut -= cut > 999 ? 997 : 1) {
            char error[SOURCE_ERROR_SIZE];
            struct scratch part = scratch_write(packed, cut);
            size_t got = read_all(part.path, bytes, 5000, error);

            CHECK(strstr(error, "is cut off") != NULL);
            CHECK(memcmp(bytes, content, got) == 0);
            scratch_remove(&part);
        }
        scratch_remove(&whole[kind]);
    }
    free(packed);
    free(bytes);
}

/* Zeros pack 1000 to 1: unpacking more than is asked for would show. */
static void unpacks_no_more_than_is_asked_for(void)
{
    size_t size = (size_t)64 << 20;
    char *zeros = calloc(1, size), bytes[64], error[SOURCE_ERROR_SIZE];
    struct scratch file = scratch_gzip(zeros, size);
    struct source *source = source_open(file.path, error);

    free(zeros);
    for (int i = 0; i < 100; i++)
        CHECK_UINT(source_read(source, bytes, sizeof bytes), sizeof bytes);
    source_close(source);
    scratch_remove(&file);
}

static void check_unopened(const char *path, const char *expected)
{
    char error[SOURCE_ERROR_SIZE];
    struct source *source = source_open(path, error);

    CHECK(source == NULL);
    CHECK_TEXT(error, expected);
    source_close(source);
}

static void says_why_a_file_cannot_be_opened(void)
{
    char error[SOURCE_ERROR_SIZE], byte;
    struct source *source;

    check_unopened("/nonexistent/x",
                   "cannot be opened: No such file or directory");
    check_unopened("/tmp", "is a directory, expected a file");
    check_unopened("/proc/self/mem",
                   "cannot be read after 0 bytes: Input/output error");
    source = source_open("/proc/self/stat", error); /* no size, yet content */
    CHECK_UINT(source_read(source, &byte, 1), 1);
    source_close(source);
}

static void seeks_in_plain_files_only(void)
{
    struct scratch plain = scratch_write(content, SIZE);
    struct scratch gzip = scratch_gzip(content, SIZE);
    char error[SOURCE_ERROR_SIZE], bytes[8];
    struct source *source = source_open(plain.path, error);

    CHECK_INT(source_kind(source), SOURCE_PLAIN);
    CHECK(source_seek(source, 1234));
    CHECK_UINT(source_read(source, bytes, 8), 8);
    CHECK(memcmp(bytes, content + 1234, 8) == 0);
    source_close(source);

    source = source_open(gzip.path, error);
    CHECK_INT(source_kind(source), SOURCE_GZIP);
    CHECK(!source_seek(source, 0));
    source_close(source);
    scratch_remove(&plain);
    scratch_remove(&gzip);
}

static void tells_files_apart(void)
{
    struct scratch files[2] = {scratch_text("one"), scratch_text("one")};
    struct source_identity identities[2];
    char error[SOURCE_ERROR_SIZE];

    for (int i = 0; i < 2; i++) {
        struct source *source = source_open(files[i].path, error);

        identities[i] = source_identity(source);
        CHECK(source_rereadable(source));
        source_close(source);
        scratch_remove(&files[i]);
    }
    CHECK(source_identity_equal(&identities[0], &identities[0]));
    CHECK(!source_identity_equal(&identities[0], &identities[1]));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"yields the same bytes of all kinds",
         yields_the_same_bytes_of_all_kinds},
        {"reads members in a row", reads_members_in_a_row},
        {"refuses other bytes behind packed data",
         refuses_other_bytes_behind_packed_data},
        {"notices every cut", notices_every_cut},
        {"unpacks no more than is asked for",
         unpacks_no_more_than_is_asked_for},
        {"says why a file cannot be opened", says_why_a_file_cannot_be_opened},
        {"seeks in plain files only", seeks_in_plain_files_only},
        {"tells files apart", tells_files_apart},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("trace_source", NULL, NULL, write_content, forget_content, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
