/*
 * A small table whose cells are texts: for people as a grid, or in Markdown.
 */
#ifndef SIM_REPORT_CELLS_H
#define SIM_REPORT_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define CELL_SIZE 240

struct cells {
    size_t columns;
    size_t texts; /* columns from the left that hold words; numbers follow */
    size_t rows;  /* the head among them */
    char (*at)[CELL_SIZE]; /* [rows * columns], the head first */
};

/* Of blank cells; false: no memory. Release with cells_done() either way. */
bool cells_make(struct cells *cells, size_t columns, size_t texts, size_t rows);
void cells_done(struct cells *cells);

char *cells_at(const struct cells *cells, size_t row, size_t column);

/* false: no memory. */
bool cells_write(const struct cells *cells, bool markdown, FILE *out);

#endif
