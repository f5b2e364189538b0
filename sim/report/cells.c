#include "sim/report/cells.h"

#include "sim/report/compare_report.h"
#include "sim/report/grid.h"

#include <stdlib.h>

bool cells_make(struct cells *cells, size_t columns, size_t texts, size_t rows)
{
    *cells = (struct cells){
        .columns = columns,
        .texts = texts,
        .rows = rows,
        .at = calloc(rows * columns, sizeof *cells->at),
    };
    return cells->at != NULL;
}

void cells_done(struct cells *cells)
{
    free(cells->at);
    *cells = (struct cells){0};
}

char *cells_at(const struct cells *cells, size_t row, size_t column)
{
    return cells->at[row * cells->columns + column];
}

static void write_markdown(const struct cells *cells, FILE *out)
{
    for (size_t row = 0; row < cells->rows; row++) {
        for (size_t i = 0; i < cells->columns; i++) {
            fputs("| ", out);
            compare_write_escaped(cells_at(cells, row, i), out);
            fputc(' ', out);
        }
        fputs("|\n", out);
        for (size_t i = 0; row == 0 && i < cells->columns; i++)
            fputs(i < cells->texts ? "| --- " : "| ---: ", out);
        if (row == 0)
            fputs("|\n", out);
    }
}

static bool write_grid(const struct cells *cells, FILE *out)
{
    struct libscols_table *table = scols_new_table();
    bool fine = table != NULL;

    for (size_t i = 0; fine && i < cells->columns; i++)
        fine = scols_table_new_column(table, cells_at(cells, 0, i), 0,
                                      i < cells->texts ? 0 : SCOLS_FL_RIGHT) !=
               NULL;
    for (size_t row = 1; fine && row < cells->rows; row++) {
        struct libscols_line *line = scols_table_new_line(table, NULL);

        fine = line != NULL;
        for (size_t i = 0; fine && i < cells->columns; i++)
            fine = scols_line_set_data(line, i, cells_at(cells, row, i)) == 0;
    }
    fine = fine && grid_write(table, out);
    scols_unref_table(table);
    return fine;
}

bool cells_write(const struct cells *cells, bool markdown, FILE *out)
{
    if (!markdown)
        return write_grid(cells, out);
    write_markdown(cells, out);
    return true;
}
