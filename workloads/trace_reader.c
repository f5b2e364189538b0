#include "workloads/trace_reader.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE_SIZE 1200
#define FIELD_SHOWN 60

/* What to do about a bad row, in the words of whoever asked for the trace. */
static const char *skip_hint(const struct trace_reader *reader)
{
    return reader->spec->bad_rows_hint
               ? reader->spec->bad_rows_hint
               : "`trace.bad_rows: skip` drops such rows and counts them";
}

void trace_reader_complain(struct trace_reader *reader,
                           const struct rows_row *row, uint32_t field,
                           const char *hint, const char *format, ...)
{
    struct diag_place place = {.file = reader->spec->path};
    char message[MESSAGE_SIZE];
    va_list arguments;

    if (!reader->diag)
        return;
    if (row) {
        const char *newline =
            memchr(row->text, '\n', row->text_length); /* inside quotes */

        place.line = row->line;
        place.column = 1;
        place.text = row->text;
        place.text_length =
            newline ? (size_t)(newline - row->text) : row->text_length;
        if (field != TRACE_COLUMN_ABSENT)
            rows_find_field(row, field, &place.column, &place.span);
    }
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    diag_add(reader->diag, DIAG_ERROR, &place, hint, "%s", message);
}

void trace_reader_complain_failed(struct trace_reader *reader,
                                  const struct rows_row *row)
{
    const char *error = rows_error(reader->rows);

    if (row->line > 0)
        trace_reader_complain(reader, row, TRACE_COLUMN_ABSENT, NULL, "%s",
                              error);
    else
        trace_reader_complain(reader, NULL, 0, NULL,
                              "%s; %" PRIu64 " rows were read before", error,
                              reader->rows_read);
}

bool trace_reader_open(struct trace_reader *reader,
                       const struct trace_spec *spec, struct diag *diag)
{
    char error[SOURCE_ERROR_SIZE];

    *reader =
        (struct trace_reader){.spec = spec, .diag = diag, .latest_ns = -1};
    reader->source = source_open(spec->path, error);
    if (!reader->source) {
        trace_reader_complain(reader, NULL, 0, NULL, "%s", error);
        return false;
    }
    reader->rows = rows_create(reader->source);
    if (!reader->rows) {
        struct diag_place place = {.file = reader->spec->path};

        diag_add_no_memory(reader->diag, &place);
        return false;
    }
    return trace_header_read(reader);
}

void trace_reader_close(struct trace_reader *reader)
{
    rows_destroy(reader->rows);
    source_close(reader->source);
    normalise_room_done(&reader->room);
    reader->rows = NULL;
    reader->source = NULL;
}

bool trace_reader_seek(struct trace_reader *reader, uint64_t offset,
                       int64_t time_ns)
{
    reader->latest_ns = time_ns;
    return rows_seek(reader->rows, offset);
}

static void count_bad(struct trace_reader *reader, const struct rows_row *row,
                      enum trace_drop reason)
{
    reader->dropped[reason]++;
    if (reader->bad_rows++ == 0)
        reader->first_bad_line = row->line;
}

/*
 * What to do with a bad row: true when rows are skipped and this one is now
 * counted, false when the caller should complain and stop.
 */
static bool skipped(struct trace_reader *reader, const struct rows_row *row,
                    enum trace_drop reason)
{
    if (reader->spec->bad_rows != TRACE_SKIP)
        return false;
    count_bad(reader, row, reason);
    return true;
}

enum verdict { VERDICT_SOUND, VERDICT_DROPPED, VERDICT_STOP };

/* Whether the row has as many fields as the header; empty ones behind them
   come from tools that end each line with a comma. */
static bool fits_header(const struct trace_reader *reader,
                        const struct rows_row *row)
{
    if (row->field_count < reader->header_fields ||
        row->field_count > ROWS_FIELD_LIMIT)
        return false;
    for (uint32_t i = reader->header_fields; i < row->field_count; i++)
        if (row->fields[i].length > 0)
            return false;
    return true;
}

static enum verdict check_shape(struct trace_reader *reader,
                                const struct rows_row *row)
{
    if (fits_header(reader, row))
        return VERDICT_SOUND;
    if (skipped(reader, row, TRACE_SHORT_ROW))
        return VERDICT_DROPPED;

    uint32_t last = row->field_count < reader->header_fields
                        ? row->field_count - 1
                        : reader->header_fields;

    trace_reader_complain(reader, row, last, skip_hint(reader),
                          "the row has %u fields, the header names %u",
                          row->field_count, reader->header_fields);
    return VERDICT_STOP;
}

static enum trace_drop time_reason(enum decimal_status status)
{
    return status == DECIMAL_NEGATIVE ? TRACE_NEGATIVE : TRACE_BAD_TIME;
}

static enum trace_drop count_reason(enum decimal_status status)
{
    switch (status) {
    case DECIMAL_NEGATIVE:
        return TRACE_NEGATIVE;
    case DECIMAL_TOO_LARGE:
        return TRACE_OVERFLOW;
    default:
        return TRACE_BAD_NUMBER;
    }
}

static const char *status_text(enum decimal_status status)
{
    switch (status) {
    case DECIMAL_NEGATIVE:
        return "is below 0";
    case DECIMAL_TOO_LARGE:
        return "is too large";
    case DECIMAL_TOO_FINE:
        return "has digits below one nanosecond";
    case DECIMAL_NO_SUCH_TIME:
        return "is no day or time of the calendar";
    default:
        return "cannot be read";
    }
}

static enum verdict refuse_field(struct trace_reader *reader,
                                 const struct rows_row *row,
                                 enum format_role role,
                                 enum decimal_status status,
                                 const char *expected)
{
    uint32_t column = reader->columns[role];
    const struct rows_field *field = &row->fields[column];
    const char *name = reader->format->columns[role];
    enum trace_drop reason =
        role == FORMAT_TIME ? time_reason(status) : count_reason(status);

    if (skipped(reader, row, reason))
        return VERDICT_DROPPED;
    if (status == DECIMAL_EMPTY)
        trace_reader_complain(reader, row, column, skip_hint(reader),
                              "'%s' is empty, expected %s", name, expected);
    else
        trace_reader_complain(reader, row, column, skip_hint(reader),
                              "'%s' %s: expected %s, found '%.*s'", name,
                              status_text(status), expected,
                              field->length < FIELD_SHOWN ? (int)field->length
                                                          : FIELD_SHOWN,
                              field->text);
    return VERDICT_STOP;
}

/* Half the rows in UTC and half in someone's local time is a mistake that no
   count of dropped rows could make good, so it always stops. */
static enum verdict check_zone(struct trace_reader *reader,
                               const struct rows_row *row,
                               enum decimal_zone zone)
{
    static const char *const texts[] = {"no zone", "a zone"};

    if (!reader->has_zone_rule) {
        reader->has_zone_rule = true;
        reader->zone = zone;
    }
    if (zone == reader->zone)
        return VERDICT_SOUND;
    trace_reader_complain(reader, row, reader->columns[FORMAT_TIME], NULL,
                          "'%s' has %s here and %s in the rows before",
                          reader->format->columns[FORMAT_TIME], texts[zone],
                          texts[reader->zone]);
    return VERDICT_STOP;
}

static enum verdict read_time(struct trace_reader *reader,
                              const struct rows_row *row, int64_t *ret_ns)
{
    uint32_t column = reader->columns[FORMAT_TIME];
    enum decimal_zone zone = DECIMAL_ZONE_ABSENT;
    enum decimal_status status;
    char expected[80];

    if (column == TRACE_COLUMN_ABSENT) {
        *ret_ns = 0;
        return VERDICT_SOUND;
    }
    status = reader->format->parse_time(
        row->fields[column].text, row->fields[column].length, ret_ns, &zone);
    if (status == DECIMAL_OK)
        return check_zone(reader, row, zone);
    snprintf(expected, sizeof expected, "a time such as %s",
             reader->format->time_example);
    return refuse_field(reader, row, FORMAT_TIME, status, expected);
}

static enum verdict read_count(struct trace_reader *reader,
                               const struct rows_row *row,
                               enum format_role role, uint32_t *ret_count)
{
    const struct rows_field *field = &row->fields[reader->columns[role]];
    enum decimal_status status =
        decimal_parse_count(field->text, field->length, ret_count);

    if (status == DECIMAL_OK)
        return VERDICT_SOUND;
    return refuse_field(reader, row, role, status,
                        "a count of tokens up to 2147483647");
}

/* In published traces zeros mark failed requests, and leave without a word. */
static enum verdict check_zeros(struct trace_reader *reader,
                                const struct rows_row *row,
                                const struct trace_record *record)
{
    bool failed = reader->format->zero_is_failed;

    if (record->input_tokens == 0) {
        if (failed) {
            reader->dropped[TRACE_ZERO_INPUT]++;
            return VERDICT_DROPPED;
        }
        if (skipped(reader, row, TRACE_ZERO_INPUT))
            return VERDICT_DROPPED;
        trace_reader_complain(reader, row, reader->columns[FORMAT_INPUT],
                              skip_hint(reader),
                              "'%s' is 0, expected at least 1",
                              reader->format->columns[FORMAT_INPUT]);
        return VERDICT_STOP;
    }
    if (record->output_tokens == 0 && failed &&
        !reader->spec->keep_zero_output) {
        reader->dropped[TRACE_ZERO_OUTPUT]++;
        return VERDICT_DROPPED;
    }
    return VERDICT_SOUND;
}

static enum verdict check_order(struct trace_reader *reader,
                                const struct rows_row *row, int64_t time_ns)
{
    if (time_ns >= reader->latest_ns) {
        reader->latest_ns = time_ns;
        return VERDICT_SOUND;
    }
    if (reader->spec->sort) {
        reader->rows_moved++;
        return VERDICT_SOUND;
    }
    if (skipped(reader, row, TRACE_OUT_OF_ORDER))
        return VERDICT_DROPPED;
    trace_reader_complain(
        reader, row, reader->columns[FORMAT_TIME],
        "`trace.sort: true` orders the rows, equal times as they stand",
        "'%s' goes back by %.9g s: rows must be in order of time",
        reader->format->columns[FORMAT_TIME],
        (double)(reader->latest_ns - time_ns) / 1e9);
    return VERDICT_STOP;
}

static enum verdict read_record(struct trace_reader *reader,
                                const struct rows_row *row,
                                struct trace_record *record)
{
    enum verdict verdict = check_shape(reader, row);

    if (verdict == VERDICT_SOUND)
        verdict = read_time(reader, row, &record->time_ns);
    if (verdict == VERDICT_SOUND)
        verdict = read_count(reader, row, FORMAT_INPUT, &record->input_tokens);
    if (verdict == VERDICT_SOUND)
        verdict =
            read_count(reader, row, FORMAT_OUTPUT, &record->output_tokens);
    if (verdict == VERDICT_SOUND)
        verdict = check_zeros(reader, row, record);
    if (verdict == VERDICT_SOUND)
        verdict = check_order(reader, row, record->time_ns);
    return verdict;
}

const struct rows_field *trace_reader_text(const struct trace_reader *reader,
                                           const struct rows_row *row,
                                           enum format_role role)
{
    uint32_t column = reader->columns[role];

    if (column == TRACE_COLUMN_ABSENT || row->fields[column].length == 0)
        return NULL;
    return &row->fields[column];
}

/* The key that a prompt becomes, before the raw one. A prompt of which nothing
   is left, such as "?!", still is a prompt: it keeps its raw key. */
static bool normalise_key(struct trace_reader *reader,
                          const struct rows_field *prompt,
                          struct trace_record *record)
{
    struct normalised normalised;

    if (!normaliser_apply(reader->spec->normaliser, &reader->room, prompt->text,
                          prompt->length, &normalised)) {
        diag_add_no_memory(reader->diag, NULL);
        return false;
    }
    record->has_prompt = true;
    record->prompt_flags = normalised.flags;
    if (normalised.length > 0 && normalised.length <= UINT32_MAX) {
        record->key = normalised.text;
        record->key_length = (uint32_t)normalised.length;
    }
    return true;
}

/* false: no memory, and it was said. */
static bool read_key(struct trace_reader *reader, const struct rows_row *row,
                     struct trace_record *record)
{
    const struct rows_field *key = trace_reader_text(reader, row, FORMAT_KEY);
    const struct rows_field *prompt =
        trace_reader_text(reader, row, FORMAT_PROMPT);

    record->key = record->raw = NULL;
    record->key_length = record->raw_length = 0;
    record->has_prompt = false;
    record->prompt_flags = 0;
    if (!key)
        key = prompt;
    if (!key)
        return true;
    record->key = key->text;
    record->key_length = key->length;
    if (!reader->spec->normaliser)
        return true;
    record->raw = key->text;
    record->raw_length = key->length;
    return !prompt || normalise_key(reader, prompt, record);
}

enum trace_reader_status trace_reader_next(struct trace_reader *reader,
                                           struct trace_record *ret_record)
{
    for (;;) {
        struct rows_row row;
        enum rows_status status = rows_next(reader->rows, &row);
        enum verdict verdict;

        if (status == ROWS_END)
            return TRACE_READER_END;
        if (status == ROWS_FAILED) {
            trace_reader_complain_failed(reader, &row);
            return TRACE_READER_FAILED;
        }
        reader->rows_read++;
        if (status == ROWS_BROKEN) {
            if (skipped(reader, &row, TRACE_SHORT_ROW))
                continue;
            trace_reader_complain(reader, &row, TRACE_COLUMN_ABSENT,
                                  skip_hint(reader), "%s", row.fault);
            return TRACE_READER_FAILED;
        }
        verdict = read_record(reader, &row, ret_record);
        if (verdict == VERDICT_STOP)
            return TRACE_READER_FAILED;
        if (verdict == VERDICT_SOUND) {
            ret_record->offset = row.offset;
            ret_record->line = row.line;
            return trace_labels_read(reader, &row, ret_record) &&
                           read_key(reader, &row, ret_record)
                       ? TRACE_READER_ROW
                       : TRACE_READER_FAILED;
        }
    }
}
