/* Splitting text into rows: the plain loop against libcsv, and the limits. */
#include "test_trace_files.h"
#include "workloads/formats/rows.h"

#include <csv.h>

/* Rows as "[a|b|c]" with a line number before each, then how it ended. */
static void describe(const char *path, struct text *text)
{
    char error[SOURCE_ERROR_SIZE];
    struct source *source = source_open(path, error);
    struct rows *rows = source ? rows_create(source) : NULL;
    enum rows_status status = ROWS_FAILED;
    struct rows_row row;

    while (rows && (status = rows_next(rows, &row)) != ROWS_END) {
        static const char *const marks[] = {"", "comment", "broken", "",
                                            "failed"};

        text_add(text, "%d%s[", (int)row.line, marks[status]);
        for (uint32_t i = 0; i < row.field_count && status == ROWS_ROW; i++)
            text_add(text, "%s%.*s", i ? "|" : "", (int)row.fields[i].length,
                     row.fields[i].text);
        text_add(text, "]");
        if (status == ROWS_FAILED) {
            text_add(text, "%s", rows_error(rows));
            break;
        }
    }
    rows_destroy(rows);
    source_close(source);
}

static void check_rows(const char *input, const char *expected)
{
    struct scratch file = scratch_text(input);
    struct text text = {0};

    text_add(&text, "%s", "");
    describe(file.path, &text);
    CHECK_TEXT(text.bytes, expected);
    free(text.bytes);
    scratch_remove(&file);
}

static void splits_lines_and_fields(void)
{
    check_rows("a,b\n1,2\n", "1[a|b]2[1|2]");
    check_rows("a,b\r\n1,2", "1[a|b]2[1|2]");
    check_rows(" a ,\tb\t\n,\n", "1[a|b]2[|]");
    check_rows("\xef\xbb\xbf\n\n  \r\na,b\n\n1,2\n\n", "4[a|b]6[1|2]");
    check_rows("\xef\xbb\xbf", "");
    check_rows("\n", "");
    check_rows("a\rb,c\n", "1[a\rb|c]");
}

static void understands_quotes(void)
{
    check_rows("\"a\",\"b, c\"\n", "1[a|b, c]");
    check_rows(" \"a\"\t, \"say \"\"x\"\"\" \r\n1,2\n", "1[a|say \"x\"]2[1|2]");
    check_rows("\"a\r\nb\n\",c\r\nd,e", "1[a\r\nb\n|c]4[d|e]");
    check_rows("\"\"\n", "1[]");
    check_rows("\" a \",b", "1[ a |b]");
}

static void goes_on_behind_a_broken_row(void)
{
    check_rows("a\"b,c\nd,\"e\"f\n\"g\",h\n", "1broken[]2broken[]3[g|h]");
}

static void passes_comments_before_the_first_row_only(void)
{
    check_rows("# a \" b\n\n#c\nd,#\n#e\n", "1comment[]3comment[]4[d|#]5[#e]");
}

static void bounds_a_quote_that_is_never_closed(void)
{
    struct text input = {0};

    check_rows("a\n\"b\nc\n", "1[a]2failed[]a quote opened in this row is "
                              "never closed");
    check_rows("a\n\"b\nc", "1[a]2failed[]a quote opened in this row is "
                            "never closed");
    text_add(&input, "a\n\"b\n");
    for (int i = 0; i < 200000; i++)
        text_add(&input, "1,2,3\n");
    check_rows(input.bytes, "1[a]2failed[]a quote opened in this row is not "
                            "closed within 1 MiB");
    free(input.bytes);
}

static void bounds_the_length_of_a_row(void)
{
    char *line = malloc(ROWS_LIMIT + 8);
    struct scratch file;
    struct text text = {0};

    if (!line)
        abort();
    memset(line, 'x', ROWS_LIMIT + 8);
    line[0] = 'a';
    line[1] = '\n';
    line[ROWS_LIMIT + 2] = '\n';
    file = scratch_write(line, ROWS_LIMIT + 3);
    text_add(&text, "%s", "");
    describe(file.path, &text);
    CHECK(strncmp(text.bytes, "1[a]2[xxx", 9) == 0);
    scratch_remove(&file);

    line[ROWS_LIMIT + 2] = 'x';
    line[ROWS_LIMIT + 3] = '\n';
    file = scratch_write(line, ROWS_LIMIT + 4);
    text.length = 0;
    describe(file.path, &text);
    CHECK_TEXT(text.bytes, "1[a]2failed[]a row is longer than 1 MiB");
    scratch_remove(&file);
    free(text.bytes);
    free(line);
}

static void counts_more_fields_than_it_keeps(void)
{
    struct text input = {0};
    struct scratch file;
    char error[SOURCE_ERROR_SIZE];
    struct source *source;
    struct rows *rows;
    struct rows_row row;

    for (int line = 0; line < 2; line++) {
        for (int i = 0; i < 5000; i++)
            text_add(&input, line && i == 0 ? "\"x\"," : "%d,", i);
        text_add(&input, "\n");
    }
    file = scratch_text(input.bytes);
    source = source_open(file.path, error);
    rows = rows_create(source);
    CHECK_INT(rows_next(rows, &row), ROWS_ROW);
    CHECK_UINT(row.field_count, 5001);
    CHECK_INT(rows_next(rows, &row), ROWS_ROW);
    CHECK_UINT(row.field_count, 5001);
    CHECK_INT(rows_next(rows, &row), ROWS_END);
    rows_destroy(rows);
    source_close(source);
    scratch_remove(&file);
    free(input.bytes);
}

static void finds_where_a_field_stands(void)
{
    static const char text[] = " a , \"b, c\"\t,d";
    struct rows_row row = {
        .text = text, .text_length = sizeof text - 1, .delimiter = ','};
    uint32_t column, span;

    rows_find_field(&row, 0, &column, &span);
    CHECK_UINT(column, 2);
    CHECK_UINT(span, 1);
    rows_find_field(&row, 1, &column, &span);
    CHECK_UINT(column, 6);
    CHECK_UINT(span, 6);
    rows_find_field(&row, 2, &column, &span);
    CHECK_UINT(column, 14);
    CHECK_UINT(span, 1);
    rows_find_field(&row, 3, &column, &span);
    CHECK_UINT(column, 15);
    CHECK_UINT(span, 0);
}

static void seeks_a_row(void)
{
    struct scratch file = scratch_text("a\n#b\nc\n");
    char error[SOURCE_ERROR_SIZE];
    struct source *source = source_open(file.path, error);
    struct rows *rows = rows_create(source);
    struct rows_row row;

    while (rows_next(rows, &row) == ROWS_ROW)
        ;
    CHECK(rows_seek(rows, 2));
    CHECK_INT(rows_next(rows, &row), ROWS_ROW);
    CHECK_UINT(row.offset, 2);
    CHECK_UINT(row.text_length, 2);
    CHECK_INT(rows_next(rows, &row), ROWS_ROW);
    CHECK_UINT(row.offset, 5);
    CHECK(!rows_seek(rows, UINT64_MAX));
    rows_destroy(rows);
    source_close(source);
    scratch_remove(&file);
}

/* libcsv alone, without our loop, as the reference. */
static void reference_field(void *field, size_t length, void *context)
{
    struct text *text = context;

    text_add(text, "<%.*s>", (int)length, (const char *)field);
}

static void reference_row(int end, void *context)
{
    (void)end;
    text_add(context, ";");
}

static int reference_space(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static int reference_end(unsigned char c)
{
    return c == '\n';
}

static void parse_reference(const struct text *input, struct text *output)
{
    struct csv_parser parser;

    csv_init(&parser, CSV_STRICT);
    csv_set_space_func(&parser, reference_space);
    csv_set_term_func(&parser, reference_end);
    CHECK_UINT(csv_parse(&parser, input->bytes, input->length, reference_field,
                         reference_row, output),
               input->length);
    csv_fini(&parser, reference_field, reference_row, output);
    csv_free(&parser);
}

static void parse_ours(const struct text *input, struct text *output)
{
    struct scratch file = scratch_write(input->bytes, input->length);
    char error[SOURCE_ERROR_SIZE];
    struct source *source = source_open(file.path, error);
    struct rows *rows = rows_create(source);
    struct rows_row row;

    while (rows_next(rows, &row) == ROWS_ROW) {
        for (uint32_t i = 0; i < row.field_count; i++)
            text_add(output, "<%.*s>", (int)row.fields[i].length,
                     row.fields[i].text);
        text_add(output, ";");
    }
    rows_destroy(rows);
    source_close(source);
    scratch_remove(&file);
}

/* Random text without quotes, with all that may confuse a splitter. */
static void splits_as_libcsv_does(void)
{
    static const char *const pieces[] = {"1",  "23.5", ",",  ",", " ", "\t",
                                         "\r", "\n",   "\n", "x", "#", "é"};
    uint32_t state = 42;

    for (int round = 0; round < 40; round++) {
        struct text input = {0}, ours = {0}, reference = {0};

        text_add(&input, "head");
        for (int i = 0; i < 1000; i++) {
            state = state * 1664525u + 1013904223u;
            text_add(&input, "%s", pieces[(state >> 16) % 12]);
        }
        text_add(&ours, "%s", "");
        text_add(&reference, "%s", "");
        parse_ours(&input, &ours);
        parse_reference(&input, &reference);
        CHECK_TEXT(ours.bytes, reference.bytes);
        free(input.bytes);
        free(ours.bytes);
        free(reference.bytes);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"splits lines and fields", splits_lines_and_fields},
        {"understands quotes", understands_quotes},
        {"goes on behind a broken row", goes_on_behind_a_broken_row},
        {"passes comments before the first row only",
         passes_comments_before_the_first_row_only},
        {"bounds a quote that is never closed",
         bounds_a_quote_that_is_never_closed},
        {"bounds the length of a row", bounds_the_length_of_a_row},
        {"counts more fields than it keeps", counts_more_fields_than_it_keeps},
        {"finds where a field stands", finds_where_a_field_stands},
        {"seeks a row", seeks_a_row},
        {"splits as libcsv does", splits_as_libcsv_does},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("trace_rows", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
