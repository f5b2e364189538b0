/*
 * Rows of comma-separated text (RFC 4180), one at a time.
 *
 * Lines without a quote, nearly all of them, are split by a plain loop; rows
 * with quotes go through libcsv. Both give the same fields for the same text:
 * spaces, tabs and carriage returns around a field are not part of it, blank
 * lines are passed over, the last line needs no newline, and a byte-order
 * mark at the start is skipped. A row may not be longer than ROWS_LIMIT, so an
 * unclosed quote cannot swallow a file. Another character than the comma may
 * separate the fields; a tab then is no blank.
 */
#ifndef WORKLOADS_FORMATS_ROWS_H
#define WORKLOADS_FORMATS_ROWS_H

#include "workloads/formats/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ROWS_LIMIT ((size_t)1 << 20) /* bytes of one row */
#define ROWS_FIELD_LIMIT 4096        /* fields kept; others are counted */

struct rows_field {
    const char *text; /* not 0-terminated */
    uint32_t length;
};

/* Everything is valid until the next call of rows_next or rows_seek. */
struct rows_row {
    const struct rows_field *fields;
    uint32_t field_count; /* all; fields holds at most ROWS_FIELD_LIMIT */
    char delimiter;
    const char *text; /* as in the file, without the line's end */
    size_t text_length;
    uint64_t line;     /* of its start, from 1 */
    uint64_t offset;   /* of its start, in unpacked bytes */
    const char *fault; /* of ROWS_BROKEN: what is wrong */
};

enum rows_status {
    ROWS_ROW,
    ROWS_COMMENT, /* a line that starts with # before the first row: no
                     fields, its quotes mean nothing */
    ROWS_BROKEN,  /* quotes that make no sense; the next row can be read */
    ROWS_END,
    ROWS_FAILED /* see rows_error; row says where, if its line is not 0 */
};

struct rows;

/* Reads from source, which is borrowed. NULL: no memory. */
struct rows *rows_create(struct source *source);
void rows_destroy(struct rows *rows);

/* Before the first row; a comma unless said. */
void rows_set_delimiter(struct rows *rows, char delimiter);

enum rows_status rows_next(struct rows *rows, struct rows_row *ret_row);

const char *rows_error(const struct rows *rows);

/* The next row is the one that starts at offset of a plain file. Line numbers
   are unknown from then on and count from 1. */
bool rows_seek(struct rows *rows, uint64_t offset);

/* Where a field stands in its row's text: column from 1 and length in bytes,
   with its quotes. A field that is missing stands behind the row's end. */
void rows_find_field(const struct rows_row *row, uint32_t field,
                     uint32_t *ret_column, uint32_t *ret_span);

#endif
