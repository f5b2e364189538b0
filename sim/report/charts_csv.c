#include "sim/report/charts_csv.h"

#include "sim/report/whole_file.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Ends the cell at *cursor in place and steps over it. A doubled quote inside
 * a quoted cell stands for one.
 */
static char *take_cell(char **cursor, bool *ret_row_ends)
{
    char *start = *cursor, *read = start, *write = start;
    bool quoted = *read == '"';

    if (quoted)
        read++;
    for (; *read; read++) {
        if (quoted && *read == '"' && read[1] != '"') {
            quoted = false;
            continue;
        }
        if (quoted && *read == '"')
            read++;
        else if (!quoted && (*read == ',' || *read == '\n'))
            break;
        else if (*read == '\r' && !quoted)
            continue;
        *write++ = *read;
    }
    *ret_row_ends = *read != ',';
    *cursor = *read ? read + 1 : read;
    *write = '\0';
    return start;
}

/* Makes room for one more row; false: no memory. */
static bool add_row(struct charts_csv *table, size_t *room)
{
    if (table->row_count == *room) {
        size_t more = *room ? 2 * *room : 64;
        char **cells =
            realloc(table->cells, more * table->column_count * sizeof *cells);

        if (!cells)
            return false;
        table->cells = cells;
        *room = more;
    }
    table->row_count++;
    return true;
}

/* The number of cells of the row at cursor; only commas outside quotes count.
 */
static size_t count_cells(const char *cursor)
{
    size_t count = 1;

    for (bool quoted = false; *cursor && (quoted || *cursor != '\n');
         cursor++) {
        if (*cursor == '"')
            quoted = !quoted;
        count += !quoted && *cursor == ',';
    }
    return count;
}

/* Short rows are filled with empty cells and long ones cut. */
static void read_row(struct charts_csv *table, char **cursor)
{
    static char empty[] = "";
    char **row = table->cells + (table->row_count - 1) * table->column_count;
    bool row_ends = false;

    for (size_t i = 0; i < table->column_count; i++)
        row[i] = row_ends ? empty : take_cell(cursor, &row_ends);
    while (!row_ends)
        take_cell(cursor, &row_ends);
}

void charts_csv_done(struct charts_csv *table)
{
    free(table->cells);
    free(table->text);
}

bool charts_csv_load(struct charts_csv *table, const char *folder,
                     const char *name)
{
    char path[PATH_MAX];
    size_t room = 0, length;
    char *cursor;

    *table = (struct charts_csv){.file = name};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    errno = 0;
    table->text = whole_file_read(path, SIZE_MAX, &length);
    if (!table->text) {
        table->no_memory = errno == ENOMEM;
        return false;
    }
    cursor = table->text;
    while (*cursor == '#') /* comments stand before the header only */
        cursor += strcspn(cursor, "\n") + (strchr(cursor, '\n') != NULL);
    table->column_count = count_cells(cursor);
    while (*cursor) {
        if (!add_row(table, &room)) {
            table->no_memory = true;
            return false;
        }
        read_row(table, &cursor);
    }
    return table->row_count > 0;
}

size_t charts_csv_column(const struct charts_csv *table, const char *name)
{
    size_t column = 0;

    while (column < table->column_count && table->row_count > 0 &&
           strcmp(table->cells[column], name) != 0)
        column++;
    return table->row_count > 0 ? column : table->column_count;
}

const char *charts_csv_cell(const struct charts_csv *table, size_t row,
                            size_t column)
{
    return column < table->column_count
               ? table->cells[row * table->column_count + column]
               : "";
}

double charts_csv_number(const struct charts_csv *table, size_t row,
                         size_t column)
{
    const char *text = charts_csv_cell(table, row, column);
    char *end;
    double value = strtod(text, &end);

    return end != text && *end == '\0' && isfinite(value) ? value : (double)NAN;
}

size_t charts_names_find(const struct charts_names *names, const char *name,
                         size_t guess)
{
    for (size_t step = 0; step < names->count; step++) {
        size_t i = (guess + step) % names->count;

        if (strcmp(names->at[i], name) == 0)
            return i;
    }
    return names->count;
}

bool charts_names_gather(struct charts_names *names,
                         const struct charts_csv *table, const char *column,
                         const char *except)
{
    size_t from = charts_csv_column(table, column);
    size_t last = 0;

    *names = (struct charts_names){0};
    for (size_t row = 1; row < table->row_count; row++) {
        const char *name = charts_csv_cell(table, row, from);
        const char **at;

        if (*name == '\0' || (except && strcmp(name, except) == 0))
            continue;
        last = charts_names_find(names, name, last);
        if (last < names->count)
            continue;
        at = realloc(names->at, (names->count + 1) * sizeof *at);
        if (!at)
            return false;
        names->at = at;
        names->at[names->count++] = name;
    }
    return true;
}
