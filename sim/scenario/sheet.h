/*
 * A text that grows as it is written: pages, YAML, JSON.
 *
 * Failure to grow is remembered, so writers need not look after every line.
 */
#ifndef SIM_SCENARIO_SHEET_H
#define SIM_SCENARIO_SHEET_H

#include "sim/scenario/tree.h"

#include <stdbool.h>
#include <stddef.h>

struct sheet {
    char *text; /* 0-terminated once something was written */
    size_t length, capacity;
    bool failed;
};

void sheet_print(struct sheet *sheet, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void sheet_add(struct sheet *sheet, const char *text, size_t length);

/* Blanks until the current line is `column` bytes long, at least one. */
void sheet_pad(struct sheet *sheet, size_t column);

/* Drops what was written after length. */
void sheet_cut(struct sheet *sheet, size_t length);

/* A value as YAML on one line, quoted where that needs it. */
void sheet_scalar(struct sheet *sheet, const struct tree *scalar);
void sheet_flow(struct sheet *sheet, const struct tree *tree);

/* The text, now owned by the caller; NULL when something failed. */
char *sheet_take(struct sheet *sheet);

#endif
