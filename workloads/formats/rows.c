#include "workloads/formats/rows.h"

#include <csv.h>
#include <stdlib.h>
#include <string.h>

#define READ_SIZE ((size_t)256 << 10)
#define PARSER_GROWTH                                      \
    65536 /* by little steps a long field costs its square \
           */
#define BUFFER_SIZE (ROWS_LIMIT + READ_SIZE)

struct rows {
    struct source *source;
    char *buffer; /* [BUFFER_SIZE]; bytes begin to end - 1 are unread */
    size_t begin, end;
    uint64_t buffer_offset; /* of buffer[0] in the unpacked bytes */
    uint64_t line;          /* number of the line at begin */
    char delimiter;
    bool source_ended;
    bool has_begun;            /* a row was read: no comments any more */
    struct rows_field *fields; /* [ROWS_FIELD_LIMIT] */
    uint32_t field_count;
    const char *error;

    /* For rows with quotes, made when the first of them is met. */
    struct csv_parser parser;
    bool has_parser, parsed_row;
    char *unquoted; /* [ROWS_LIMIT], texts of the fields of one row */
    size_t unquoted_used;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static int parser_is_space(unsigned char c)
{
    return is_blank((char)c);
}

/* A carriage return alone ends no line, for libcsv as for the plain loop. */
static int parser_is_line_end(unsigned char c)
{
    return c == '\n';
}

struct rows *rows_create(struct source *source)
{
    struct rows *rows = calloc(1, sizeof *rows);

    if (!rows)
        return NULL;
    rows->source = source;
    rows->line = 1;
    rows->delimiter = ',';
    rows->buffer = malloc(BUFFER_SIZE);
    rows->fields = calloc(ROWS_FIELD_LIMIT, sizeof *rows->fields);
    if (!rows->buffer || !rows->fields) {
        rows_destroy(rows);
        return NULL;
    }
    return rows;
}

void rows_set_delimiter(struct rows *rows, char delimiter)
{
    rows->delimiter = delimiter;
}

static void drop_parser(struct rows *rows)
{
    if (rows->has_parser)
        csv_free(&rows->parser);
    rows->has_parser = false;
}

void rows_destroy(struct rows *rows)
{
    if (!rows)
        return;
    drop_parser(rows);
    free(rows->unquoted);
    free(rows->fields);
    free(rows->buffer);
    free(rows);
}

const char *rows_error(const struct rows *rows)
{
    return rows->error;
}

bool rows_seek(struct rows *rows, uint64_t offset)
{
    if (!source_seek(rows->source, offset))
        return false;
    rows->begin = rows->end = 0;
    rows->buffer_offset = offset;
    rows->line = 1;
    rows->source_ended = false;
    rows->has_begun = true;
    return true;
}

/* Reads on behind the unread bytes, which move to the front. */
static void refill(struct rows *rows)
{
    size_t unread = rows->end - rows->begin;
    size_t got;

    memmove(rows->buffer, rows->buffer + rows->begin, unread);
    rows->buffer_offset += rows->begin;
    rows->begin = 0;
    rows->end = unread;

    got = source_read(rows->source, rows->buffer + unread,
                      BUFFER_SIZE - unread < READ_SIZE ? BUFFER_SIZE - unread
                                                       : READ_SIZE);
    rows->end += got;
    if (got == 0)
        rows->source_ended = true;
}

/*
 * Length of the row's text up to the next newline that lies at or behind
 * `from`, both counted from begin. Without a newline it is what the file has
 * left. false: the row is too long, or the source failed: a line without its
 * end is then not to be trusted.
 */
static bool find_line_end(struct rows *rows, size_t from, size_t *ret_length)
{
    for (;;) {
        size_t unread = rows->end - rows->begin;
        const char *start = rows->buffer + rows->begin;
        const char *newline =
            from < unread ? memchr(start + from, '\n', unread - from) : NULL;

        *ret_length = newline ? (size_t)(newline - start) : unread;
        if (*ret_length > ROWS_LIMIT) {
            rows->error = "a row is longer than 1 MiB";
            return false;
        }
        if (newline)
            return true;
        if (rows->source_ended) {
            rows->error = source_error(rows->source);
            return !rows->error;
        }
        from = unread;
        refill(rows);
    }
}

static void consume(struct rows *rows, size_t length)
{
    rows->begin += length;
    if (rows->begin < rows->end)
        rows->begin++; /* the newline */
}

static void add_field(struct rows *rows, const char *start, const char *end)
{
    while (start < end && is_blank(*start))
        start++;
    while (start < end && is_blank(end[-1]))
        end--;
    if (rows->field_count < ROWS_FIELD_LIMIT)
        rows->fields[rows->field_count] =
            (struct rows_field){start, (uint32_t)(end - start)};
    rows->field_count++;
}

/* false: there is a quote, which is libcsv's business. */
static bool split_plain(struct rows *rows, const char *text, size_t length)
{
    const char *end = text + length;
    const char *start = text;

    const char delimiter = rows->delimiter;

    rows->field_count = 0;
    for (const char *at = text; at < end; at++) {
        if (*at == delimiter) {
            add_field(rows, start, at);
            start = at + 1;
        } else if (*at == '"') {
            return false;
        }
    }
    add_field(rows, start, end);
    return true;
}

/* The texts of one row are never longer than the row itself. */
static void take_parsed_field(void *text, size_t length, void *context)
{
    struct rows *rows = context;
    char *copy = rows->unquoted + rows->unquoted_used;

    if (length > 0)
        memcpy(copy, text, length);
    rows->unquoted_used += length;
    if (rows->field_count < ROWS_FIELD_LIMIT)
        rows->fields[rows->field_count] =
            (struct rows_field){copy, (uint32_t)length};
    rows->field_count++;
}

static void take_parsed_row(int end, void *context)
{
    struct rows *rows = context;

    (void)end;
    rows->parsed_row = true;
}

static bool prepare_parser(struct rows *rows)
{
    if (!rows->unquoted)
        rows->unquoted = malloc(ROWS_LIMIT);
    if (!rows->has_parser)
        rows->has_parser = csv_init(&rows->parser, CSV_STRICT) == 0;
    if (!rows->unquoted || !rows->has_parser) {
        rows->error = "out of memory";
        return false;
    }
    csv_set_blk_size(&rows->parser, PARSER_GROWTH);
    csv_set_delim(&rows->parser, (unsigned char)rows->delimiter);
    csv_set_space_func(&rows->parser, parser_is_space);
    csv_set_term_func(&rows->parser, parser_is_line_end);
    rows->field_count = 0;
    rows->unquoted_used = 0;
    rows->parsed_row = false;
    return true;
}

static bool parse(struct rows *rows, const char *text, size_t length)
{
    return csv_parse(&rows->parser, text, length, take_parsed_field,
                     take_parsed_row, rows) == length;
}

/*
 * Splits the row at begin, whose first line has the given length, and takes
 * as many further lines as its quotes span. ret_lines counts them all.
 */
static enum rows_status split_quoted(struct rows *rows, size_t *length,
                                     uint64_t *ret_lines,
                                     const char **ret_fault)
{
    size_t parsed = 0;

    *ret_lines = 0;
    if (!prepare_parser(rows))
        return ROWS_FAILED;
    for (;;) {
        const char *text = rows->buffer + rows->begin;
        bool sound = parse(rows, text + parsed, *length - parsed) &&
                     parse(rows, "\n", 1);

        (*ret_lines)++;
        if (!sound) {
            drop_parser(rows); /* after an error it is good for nothing */
            *ret_fault = "a quote stands where none may be; a field with "
                         "quotes is quoted as a whole, with \"\" for \"";
            return ROWS_BROKEN;
        }
        if (rows->parsed_row)
            return ROWS_ROW;

        parsed = *length + 1;
        if (rows->begin + parsed > rows->end && rows->source_ended) {
            rows->error = "a quote opened in this row is never closed";
            return ROWS_FAILED;
        }
        if (!find_line_end(rows, parsed, length)) {
            if (*length > ROWS_LIMIT)
                rows->error = "a quote opened in this row is not closed "
                              "within 1 MiB";
            return ROWS_FAILED;
        }
    }
}

/* Where the trouble of a failed row began; its text is cut for showing. */
static enum rows_status failed_row(struct rows *rows, struct rows_row *row)
{
    const char *text = rows->buffer + rows->begin;
    size_t unread = rows->end - rows->begin;
    const char *newline = unread ? memchr(text, '\n', unread) : NULL;

    row->line = source_error(rows->source) ? 0 : rows->line;
    row->text = text;
    row->text_length = newline ? (size_t)(newline - text) : unread;
    row->fields = rows->fields;
    row->field_count = 0;
    return ROWS_FAILED;
}

static bool is_blank_line(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!is_blank(text[i]))
            return false;
    return true;
}

static void skip_byte_order_mark(struct rows *rows)
{
    size_t unread = rows->end - rows->begin;

    if (rows->buffer_offset + rows->begin == 0 && unread >= 3 &&
        memcmp(rows->buffer, "\xef\xbb\xbf", 3) == 0)
        rows->begin = 3;
}

enum rows_status rows_next(struct rows *rows, struct rows_row *ret_row)
{
    enum rows_status status = ROWS_ROW;
    uint64_t lines = 1;
    size_t length;

    *ret_row = (struct rows_row){.delimiter = rows->delimiter};
    for (;; rows->line++, consume(rows, length)) {
        if (!find_line_end(rows, 0, &length))
            return failed_row(rows, ret_row);
        if (rows->begin == 0 && rows->buffer_offset == 0) {
            skip_byte_order_mark(rows);
            length -= rows->begin;
        }
        if (!is_blank_line(rows->buffer + rows->begin, length))
            break;
        if (rows->begin + length >= rows->end && rows->source_ended)
            return ROWS_END;
    }

    rows->field_count = 0;
    if (!rows->has_begun && rows->buffer[rows->begin] == '#')
        status = ROWS_COMMENT;
    else if (!split_plain(rows, rows->buffer + rows->begin, length))
        status = split_quoted(rows, &length, &lines, &ret_row->fault);
    if (status == ROWS_FAILED)
        return failed_row(rows, ret_row);

    ret_row->fields = rows->fields;
    ret_row->field_count = rows->field_count;
    ret_row->text = rows->buffer + rows->begin;
    ret_row->text_length = length;
    if (length > 0 && ret_row->text[length - 1] == '\r')
        ret_row->text_length--;
    ret_row->line = rows->line;
    ret_row->offset = rows->buffer_offset + rows->begin;
    rows->line += lines;
    rows->has_begun = status != ROWS_COMMENT;
    consume(rows, length);
    return status;
}

void rows_find_field(const struct rows_row *row, uint32_t field,
                     uint32_t *ret_column, uint32_t *ret_span)
{
    size_t start = 0, end, length = row->text_length;
    bool quoted = false;

    for (size_t i = 0; i < length && field > 0; i++) {
        if (row->text[i] == '"')
            quoted = !quoted;
        if (row->text[i] == row->delimiter && !quoted) {
            field--;
            start = i + 1;
        }
    }
    if (field > 0)
        start = length;
    while (start < length && is_blank(row->text[start]) &&
           row->text[start] != row->delimiter)
        start++;
    for (end = start; end < length; end++) {
        if (row->text[end] == '"')
            quoted = !quoted;
        if (row->text[end] == row->delimiter && !quoted)
            break;
    }
    while (end > start && is_blank(row->text[end - 1]))
        end--;
    *ret_column = (uint32_t)start + 1;
    *ret_span = (uint32_t)(end - start);
}
