#include "sim/report/grid.h"

#include <errno.h>
#include <stdlib.h>

/* The library pads the last column; a line that ends in blanks only annoys
   who compares texts. */
static void write_trimmed(const char *text, FILE *out)
{
    for (const char *line = text; *line;) {
        const char *end = line;
        const char *last = line;

        for (; *end && *end != '\n'; end++)
            if (*end != ' ')
                last = end + 1;
        fprintf(out, "%.*s\n", (int)(last - line), line);
        line = *end ? end + 1 : end;
    }
}

bool grid_write(struct libscols_table *table, FILE *out)
{
    char *text = NULL;
    bool fine;

    scols_table_set_termforce(table, SCOLS_TERMFORCE_NEVER);
    /* A cell that it finds no memory for is left out without a word. */
    errno = 0;
    fine = scols_table_set_column_separator(table, "  ") == 0 &&
           scols_print_table_to_string(table, &text) == 0 && text &&
           errno != ENOMEM;
    if (fine)
        write_trimmed(text, out);
    free(text);
    return fine;
}
