#include "sim/report/result_values.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PATH_ROOM = 4096,
    LINE_ROOM = RESULT_VALUES_TEXT,
    MOST_REPLICATIONS = 10000000
};

/* ---- the lines before the table ---- */

/* What follows lead in the line, without its end; NULL: it does not begin so.
 */
static const char *after(char *line, const char *lead)
{
    size_t length = strlen(lead);

    line[strcspn(line, "\r\n")] = 0;
    return strncmp(line, lead, length) == 0 ? line + length : NULL;
}

static void read_line(struct result_values *values, char *line)
{
    const char *text;

    if ((text = after(line, "# lbsim ")))
        snprintf(values->version, sizeof values->version, "%.199s", text);
    else if ((text = after(line, "# scenario: ")))
        snprintf(values->scenario, sizeof values->scenario, "%.199s", text);
    else if ((text = after(line, "# partial: ")))
        snprintf(values->partial, sizeof values->partial, "%.199s", text);
    else if ((text = after(line, "# seed: ")))
        values->seed = strtoull(text, NULL, 10);
    else if ((text = after(line, "# objective: ")))
        values->objective = measure_find(text, strlen(text));
    else if ((text = after(line, "# confidence: ")))
        values->confidence = strtod(text, NULL);
    else if ((text = after(line, "# min_effect: ")))
        values->min_effect = strtod(text, NULL);
}

/* false: there is no such file. */
static bool read_head(struct result_values *values)
{
    char path[PATH_ROOM + 20], line[LINE_ROOM];
    FILE *file;

    snprintf(path, sizeof path, "%.*s/values.csv", PATH_ROOM, values->folder);
    file = fopen(path, "r");
    if (!file)
        return false;
    while (fgets(line, sizeof line, file) && line[0] == '#')
        read_line(values, line);
    fclose(file);
    return true;
}

static bool head_is_whole(const struct result_values *values)
{
    return values->objective < MEASURE_COUNT && values->confidence > 0 &&
           values->confidence < 1 && values->min_effect >= 0 &&
           values->min_effect < 1e9;
}

/* ---- the table ---- */

static uint32_t number_at(const struct result_values *values, size_t row,
                          size_t column)
{
    double number = charts_csv_number(&values->table, row, column);

    /* Not a whole number from 1: none. */
    return number >= 1 && number <= MOST_REPLICATIONS ? (uint32_t)number : 0;
}

static bool read_table(struct result_values *values)
{
    size_t column;

    if (!charts_csv_load(&values->table, values->folder, "values.csv"))
        return false;
    column = charts_csv_column(&values->table, "replication");
    for (size_t row = 1; row < values->table.row_count; row++) {
        uint32_t number = number_at(values, row, column);

        if (number == 0)
            return false;
        if (number > values->most)
            values->most = number;
    }
    return charts_names_gather(&values->policies, &values->table, "policy",
                               NULL);
}

enum result_values_status result_values_load(const char *folder,
                                             struct result_values *ret,
                                             char *reterr, size_t size)
{
    *ret = (struct result_values){.folder = folder, .objective = MEASURE_COUNT};
    if (!read_head(ret)) {
        snprintf(reterr, size,
                 "'%s' is no result folder with a values.csv, as 'lbsim run "
                 "--output' writes it",
                 folder);
        return RESULT_VALUES_BAD;
    }
    if (!head_is_whole(ret)) {
        snprintf(reterr, size,
                 "the head of '%s/values.csv' lacks an objective, a confidence "
                 "or a least effect that this version knows",
                 folder);
        return RESULT_VALUES_BAD;
    }
    if (read_table(ret))
        return RESULT_VALUES_OK;
    if (ret->table.no_memory || (ret->most > 0 && ret->policies.count == 0)) {
        snprintf(reterr, size, "out of memory");
        return RESULT_VALUES_NO_MEMORY;
    }
    snprintf(reterr, size,
             "'%s/values.csv' has a row without the number of its replication",
             folder);
    return RESULT_VALUES_BAD;
}

void result_values_done(struct result_values *values)
{
    free(values->policies.at);
    charts_csv_done(&values->table);
    *values = (struct result_values){0};
}

/* Whether the last column of the row has the name among its words. */
static bool is_infinite(const struct charts_csv *table, size_t row,
                        const char *name)
{
    const char *text =
        charts_csv_cell(table, row, charts_csv_column(table, "infinite"));
    size_t length = strlen(name);

    for (const char *at = text; (at = strstr(at, name)); at += length)
        if ((at == text || at[-1] == ' ') &&
            (at[length] == ' ' || at[length] == 0))
            return true;
    return false;
}

bool result_values_of(const struct result_values *values, const char *policy,
                      enum measure_id measure, double *ret, uint32_t count)
{
    const struct charts_csv *table = &values->table;
    const char *name = measures[measure].name;
    size_t column = charts_csv_column(table, name);
    size_t policies = charts_csv_column(table, "policy");
    size_t numbers = charts_csv_column(table, "replication");
    bool found = false;

    for (uint32_t i = 0; i < count; i++)
        ret[i] = NAN;
    if (column == table->column_count)
        return false;
    for (size_t row = 1; row < table->row_count; row++) {
        uint32_t number = number_at(values, row, numbers);

        if (number > count ||
            strcmp(charts_csv_cell(table, row, policies), policy) != 0)
            continue;
        ret[number - 1] = is_infinite(table, row, name)
                              ? INFINITY
                              : charts_csv_number(table, row, column);
        found = true;
    }
    return found;
}
