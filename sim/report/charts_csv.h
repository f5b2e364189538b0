/*
 * The CSV files of a result folder, read whole.
 *
 * Comma-separated with a header row, '#' lines before it, RFC 4180 quotes. An
 * empty cell is a missing value. A chart needs a few columns of a file in one
 * pass, so the text is cut in place and cells are pointers into it.
 */
#ifndef SIM_REPORT_CHARTS_CSV_H
#define SIM_REPORT_CHARTS_CSV_H

#include <stdbool.h>
#include <stddef.h>

/* Row 0 is the header, so a file without data has row_count 1. */
struct charts_csv {
    const char *file; /* its name without the folder */
    char *text;       /* the file, cut into cells in place */
    char **cells;     /* [row_count * column_count] */
    size_t row_count; /* 0: the file is missing or empty */
    size_t column_count;
    bool no_memory; /* there may be rows, but they could not be read */
};

/*
 * Reads FOLDER/name (name is kept). False when it cannot be read or has no
 * header; the table then has no rows. Release with charts_csv_done() in both
 * cases.
 */
bool charts_csv_load(struct charts_csv *table, const char *folder,
                     const char *name);
void charts_csv_done(struct charts_csv *table);

/* The column called name, or column_count. */
size_t charts_csv_column(const struct charts_csv *table, const char *name);

/* "" when there is no such column. */
const char *charts_csv_cell(const struct charts_csv *table, size_t row,
                            size_t column);

/* NaN for an empty cell and for whatever is not a finite number. */
double charts_csv_number(const struct charts_csv *table, size_t row,
                         size_t column);

/* Distinct values of a column, in order of appearance. */
struct charts_names {
    const char **at; /* [count], borrowed from the table; free() the array */
    size_t count;
};

/* Leaves out empty cells and, if not NULL, except. False: no memory. */
bool charts_names_gather(struct charts_names *names,
                         const struct charts_csv *table, const char *column,
                         const char *except);

/*
 * The place of name, or count. Rows come in order, so the search starts at
 * guess and is nearly always over at once.
 */
size_t charts_names_find(const struct charts_names *names, const char *name,
                         size_t guess);

#endif
