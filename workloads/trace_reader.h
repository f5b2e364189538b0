/*
 * A trace file as a sequence of sound requests: columns found by name, rows
 * checked and in order, bad ones refused or counted.
 *
 * Internal to the trace module. The slice and the scaling of time are not the
 * reader's business: it yields every row that could be played.
 */
#ifndef WORKLOADS_TRACE_READER_H
#define WORKLOADS_TRACE_READER_H

#include "workloads/formats/format.h"
#include "workloads/formats/rows.h"
#include "workloads/formats/source.h"
#include "workloads/trace.h"

#define TRACE_COLUMN_ABSENT UINT32_MAX

struct trace_record {
    int64_t time_ns; /* from the format's own origin, 0 or more */
    uint32_t input_tokens, output_tokens;
    const char *key; /* until the next call; NULL: none */
    uint32_t key_length;
    /* With a normaliser: the key that there would be without, and what
       happened to the prompt. */
    const char *raw; /* as key */
    uint32_t raw_length;
    bool has_prompt;
    unsigned prompt_flags;                            /* enum normalise_flag */
    uint8_t class_label, model_label;                 /* as trace_row */
    const struct rows_field *class_text, *model_text; /* as key */
    uint64_t offset; /* of its row, for trace_reader_seek */
    uint64_t line;
};

struct trace_reader {
    const struct trace_spec *spec; /* borrowed */
    struct diag *diag;             /* borrowed, may be NULL */
    struct source *source;
    struct rows *rows;
    const struct format *format;
    uint32_t columns[FORMAT_ROLE_COUNT]; /* field of a row by role */
    struct normalise_room room;
    uint32_t header_fields;

    bool has_zone_rule; /* the first row decides whether times name a zone */
    enum decimal_zone zone;
    int64_t latest_ns; /* of the rows yielded so far, else -1 */

    uint64_t rows_read, rows_moved;
    uint64_t dropped[TRACE_DROP_COUNT];
    uint64_t bad_rows, first_bad_line; /* of those dropped */
};

enum trace_reader_status {
    TRACE_READER_ROW,
    TRACE_READER_END,
    TRACE_READER_FAILED
};

/* Opens spec->path and reads its header. false: diag says why;
   trace_reader_close is still due. */
bool trace_reader_open(struct trace_reader *reader,
                       const struct trace_spec *spec, struct diag *diag);
void trace_reader_close(struct trace_reader *reader);

enum trace_reader_status trace_reader_next(struct trace_reader *reader,
                                           struct trace_record *ret_record);

/* Continues at a row of a plain file that was yielded before. */
bool trace_reader_seek(struct trace_reader *reader, uint64_t offset,
                       int64_t time_ns);

/* In trace_header.c: finds format and columns in the first rows. */
bool trace_header_read(struct trace_reader *reader);

/* In trace_labels.c: fills the labels of the record. false: a word is in no
   list, and it was said. */
bool trace_labels_read(struct trace_reader *reader, const struct rows_row *row,
                       struct trace_record *record);

/* The text of a row in the column of that role. NULL: the file has no such
   column, or the row has nothing there. */
const struct rows_field *trace_reader_text(const struct trace_reader *reader,
                                           const struct rows_row *row,
                                           enum format_role role);

/* A complaint about a field of a row, about a row (field
   TRACE_COLUMN_ABSENT), or about the file (row NULL). */
__attribute__((format(printf, 5, 6))) void
trace_reader_complain(struct trace_reader *reader, const struct rows_row *row,
                      uint32_t field, const char *hint, const char *format,
                      ...);

/* The rows could not be read on: says so. row as rows_next left it. */
void trace_reader_complain_failed(struct trace_reader *reader,
                                  const struct rows_row *row);

#endif
