/* Reads the file of an empirical law. */
#include "workloads/empirical.h"

#include "workloads/formats/rows.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_SIZE = 64, NO_COLUMN = -1, MESSAGE_SIZE = 600 };

struct reader {
    const char *path;
    const struct empirical_spec *spec;
    struct diag *diag;
    struct rows *rows;
    int64_t value_column, weight_column; /* NO_COLUMN: there is none */
    double *values, *weights;
    size_t count, capacity;
    double weight_sum;
};

/* field NO_COLUMN: about the row; row NULL: about the file. */
__attribute__((format(printf, 5, 6))) static void
complain(const struct reader *reader, const struct rows_row *row, int64_t field,
         const char *hint, const char *format, ...)
{
    struct diag_place place = {.file = reader->path};
    char message[MESSAGE_SIZE];
    va_list arguments;

    if (row) {
        place.line = row->line;
        place.column = 1;
        place.text = row->text;
        place.text_length = row->text_length;
        if (field != NO_COLUMN)
            rows_find_field(row, (uint32_t)field, &place.column, &place.span);
    }
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    diag_add(reader->diag, DIAG_ERROR, &place, hint, "%s", message);
}

/* A decimal number with or without exponent; *ret is NaN for anything else. */
static void parse(const struct rows_field *field, double *ret)
{
    char text[NUMBER_SIZE];
    char *end;

    *ret = NAN;
    if (field->length == 0 || field->length >= sizeof text)
        return;
    memcpy(text, field->text, field->length);
    text[field->length] = '\0';
    if (strspn(text, "0123456789+-.eE") != field->length)
        return;

    double value = strtod(text, &end);
    if (*end == '\0')
        *ret = value;
}

static bool read_number(const struct reader *reader, const struct rows_row *row,
                        int64_t column, double *ret)
{
    const struct rows_field *field;

    if (column >= row->field_count || column >= ROWS_FIELD_LIMIT) {
        complain(reader, row, column, NULL,
                 "the row has %u field%s, expected a number in field "
                 "%lld",
                 row->field_count, row->field_count == 1 ? "" : "s",
                 (long long)column + 1);
        return false;
    }
    field = &row->fields[column];
    parse(field, ret);
    if (*ret >= 0 && *ret <= EMPIRICAL_VALUE_MAX)
        return true;
    complain(reader, row, column, NULL,
             "expected a number of 0 to %g, got '%.*s'", EMPIRICAL_VALUE_MAX,
             field->length < 60 ? (int)field->length : 60, field->text);
    return false;
}

static bool make_room(struct reader *reader)
{
    size_t capacity = reader->capacity ? 2 * reader->capacity : 1024;
    double *values, *weights;

    if (reader->count < reader->capacity)
        return true;
    if (reader->count >= EMPIRICAL_COUNT_MAX) {
        complain(reader, NULL, NO_COLUMN, NULL, "has more than %zu values",
                 EMPIRICAL_COUNT_MAX);
        return false;
    }
    values = realloc(reader->values, capacity * sizeof *values);
    if (values)
        reader->values = values;
    weights = realloc(reader->weights, capacity * sizeof *weights);
    if (weights)
        reader->weights = weights;
    if (!values || !weights) {
        complain(reader, NULL, NO_COLUMN, NULL, "no memory for its values");
        return false;
    }
    reader->capacity = capacity;
    return true;
}

static bool read_row(struct reader *reader, const struct rows_row *row)
{
    double value, weight = 1;

    if (!read_number(reader, row, reader->value_column, &value) ||
        (reader->weight_column != NO_COLUMN &&
         !read_number(reader, row, reader->weight_column, &weight)) ||
        !make_room(reader))
        return false;
    reader->values[reader->count] = value;
    reader->weights[reader->count++] = weight;
    reader->weight_sum += weight;
    return true;
}

/* --- the header ---------------------------------------------------------- */

static bool complain_of_column(const struct reader *reader,
                               const struct rows_row *row, const char *wanted)
{
    char names[300];
    size_t used = 0;

    *names = '\0';
    for (uint32_t i = 0;
         i < row->field_count && i < ROWS_FIELD_LIMIT && used < sizeof names;
         i++)
        used += (size_t)snprintf(
            names + used, sizeof names - used, "%s%.*s", i ? ", " : "it has ",
            row->fields[i].length < 60 ? (int)row->fields[i].length : 60,
            row->fields[i].text);
    complain(reader, row, NO_COLUMN, names, "the header has no column '%.60s'",
             wanted);
    return false;
}

static bool find_column(const struct reader *reader, const struct rows_row *row,
                        const char *name, int64_t *ret)
{
    size_t length = strlen(name);

    for (uint32_t i = 0; i < row->field_count && i < ROWS_FIELD_LIMIT; i++)
        if (row->fields[i].length == length &&
            memcmp(row->fields[i].text, name, length) == 0) {
            *ret = i;
            return true;
        }
    return complain_of_column(reader, row, name);
}

/* Without a name there must be one column, and its header may be missing.
   false: complained. *ret_values: the row is none but values. */
static bool read_header(struct reader *reader, const struct rows_row *row,
                        bool *ret_values)
{
    const struct empirical_spec *spec = reader->spec;
    double number;

    *ret_values = false;
    if (spec->weights &&
        !find_column(reader, row, spec->weights, &reader->weight_column))
        return false;
    if (spec->column)
        return find_column(reader, row, spec->column, &reader->value_column);
    if (row->field_count != 1) {
        complain(reader, row, NO_COLUMN, "name one in 'column', by the header",
                 "the file has %u columns, which of them holds the "
                 "values?",
                 row->field_count);
        return false;
    }
    parse(&row->fields[0], &number);
    *ret_values = !isnan(number);
    return true;
}

/* --- the file ------------------------------------------------------------ */

static bool read_rows(struct reader *reader)
{
    struct rows_row row;
    bool first = true;

    for (;;) {
        bool values = true;

        switch (rows_next(reader->rows, &row)) {
        case ROWS_ROW:
            if (first && !read_header(reader, &row, &values))
                return false;
            first = false;
            if (values && !read_row(reader, &row))
                return false;
            break;
        case ROWS_COMMENT:
            break;
        case ROWS_BROKEN:
            complain(reader, &row, NO_COLUMN, NULL, "%s", row.fault);
            return false;
        case ROWS_FAILED:
            complain(reader, row.line > 0 ? &row : NULL, NO_COLUMN, NULL, "%s",
                     rows_error(reader->rows));
            return false;
        case ROWS_END:
            return true;
        }
    }
}

static struct empirical *make_table(struct reader *reader)
{
    struct empirical *table = NULL;

    if (!read_rows(reader))
        return NULL;
    if (reader->count == 0) {
        complain(reader, NULL, NO_COLUMN, NULL, "has no values");
    } else if (!(reader->weight_sum > 0)) {
        complain(reader, NULL, NO_COLUMN, NULL,
                 "the weights are all 0: nothing can be drawn");
    } else {
        table = empirical_create(reader->values, reader->weights, reader->count,
                                 reader->spec->interpolate);
        if (!table)
            complain(reader, NULL, NO_COLUMN, NULL, "no memory for its values");
    }
    return table;
}

struct empirical *empirical_read(const char *path,
                                 const struct empirical_spec *spec,
                                 struct diag *diag)
{
    struct reader reader = {
        .path = path, .spec = spec, .diag = diag, .weight_column = NO_COLUMN};
    char error[SOURCE_ERROR_SIZE];
    struct source *source = source_open(path, error);
    struct empirical *table = NULL;

    if (!source) {
        complain(&reader, NULL, NO_COLUMN, NULL, "%s", error);
        return NULL;
    }
    reader.rows = rows_create(source);
    if (reader.rows)
        table = make_table(&reader);
    else
        complain(&reader, NULL, NO_COLUMN, NULL, "no memory to read it");
    rows_destroy(reader.rows);
    source_close(source);
    free(reader.values);
    free(reader.weights);
    return table;
}
