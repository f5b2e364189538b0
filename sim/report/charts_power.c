#include "sim/report/charts_power.h"

#include "sim/report/charts.h"
#include "sim/report/charts_check_power.h"
#include "sim/report/charts_data.h"
#include "sim/report/charts_single.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_ROOM = 4096, LINE_ROOM = 600 };

/* Columns of the CSV. */
struct columns {
    size_t policy, against, measure, replications, ratio;
};

struct power {
    const char *output, *plots;
    struct charts_csv table;
    struct columns columns;
    struct chart_input input; /* names of the lines, and the small print */
    const char *measure;
    FILE *text;
};

/* ---- the file ---- */

/* The second line of the head is the title of the comparison. */
static void read_note(const char *file, char *ret, size_t size)
{
    char line[LINE_ROOM];
    FILE *in = fopen(file, "r");

    ret[0] = 0;
    if (!in)
        return;
    for (int i = 0; i < 2 && fgets(line, sizeof line, in); i++)
        if (i == 1 && strncmp(line, "# ", 2) == 0)
            snprintf(ret, size, "%.*s", (int)strcspn(line + 2, "\r\n"),
                     line + 2);
    fclose(in);
}

static bool find_columns(struct power *power)
{
    const struct charts_csv *table = &power->table;
    struct columns *columns = &power->columns;

    columns->policy = charts_csv_column(table, "policy");
    columns->against = charts_csv_column(table, "against");
    columns->measure = charts_csv_column(table, "measure");
    columns->replications = charts_csv_column(table, "replications");
    columns->ratio = charts_csv_column(table, "smallest_ratio");
    return columns->policy < table->column_count &&
           columns->against < table->column_count &&
           columns->measure < table->column_count &&
           columns->replications < table->column_count &&
           columns->ratio < table->column_count;
}

static bool load(struct power *power, const char *file)
{
    const char *slash = strrchr(file, '/');
    char folder[PATH_ROOM];

    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - file) : 1,
             slash ? file : ".");
    if (slash == file)
        snprintf(folder, sizeof folder, "/");
    if (!charts_csv_load(&power->table, folder, slash ? slash + 1 : file) ||
        (!find_columns(power) && !charts_is_check_power(&power->table)))
        return charts_refuse(power->text,
                             "'%s' is not what 'lbsim compare --power --format "
                             "csv' or 'lbsim check --power --format csv' "
                             "writes",
                             file);
    read_note(file, power->input.note, sizeof power->input.note);
    power->measure = charts_csv_cell(&power->table, 1, power->columns.measure);
    if (power->table.row_count < 2)
        power->measure = "nothing";
    return true;
}

/* ---- lines ---- */

static const char *cell(const struct power *power, size_t row, size_t column)
{
    return charts_csv_cell(&power->table, row, column);
}

/* Whether the row begins another comparison than the one before. */
static bool begins_line(const struct power *power, size_t row)
{
    const struct columns *columns = &power->columns;

    return row == 1 ||
           strcmp(cell(power, row, columns->policy),
                  cell(power, row - 1, columns->policy)) != 0 ||
           strcmp(cell(power, row, columns->against),
                  cell(power, row - 1, columns->against)) != 0;
}

static bool have_one_reference(const struct power *power)
{
    for (size_t row = 2; row < power->table.row_count; row++)
        if (strcmp(cell(power, row, power->columns.against),
                   cell(power, 1, power->columns.against)) != 0)
            return false;
    return true;
}

/* "policy", or "policy against other" where there are several references. */
static char *name_line(const struct power *power, size_t row, bool one)
{
    const char *policy = cell(power, row, power->columns.policy);
    const char *against = cell(power, row, power->columns.against);
    size_t size = strlen(policy) + strlen(against) + sizeof " against ";
    char *name = malloc(size);

    if (name)
        snprintf(name, size, one ? "%s" : "%s against %s", policy, against);
    return name;
}

/* Names of the lines into input.policy, each to be freed. */
static bool name_lines(struct power *power)
{
    struct charts_names *names = &power->input.policy;
    bool one = have_one_reference(power);

    names->at = calloc(power->table.row_count + 1, sizeof *names->at);
    if (!names->at)
        return false;
    for (size_t row = 1; row < power->table.row_count; row++) {
        if (!begins_line(power, row))
            continue;
        names->at[names->count] = name_line(power, row, one);
        if (!names->at[names->count++])
            return false;
    }
    return true;
}

struct span {
    double first, last, low, high;
};

/* Points of the line that begins at the row; returns how many. */
static size_t put_line(const struct power *power, size_t row, FILE *data,
                       struct span *span)
{
    size_t count = 0;

    for (size_t i = row; i < power->table.row_count; i++) {
        double n =
            charts_csv_number(&power->table, i, power->columns.replications);
        double percent =
            100 * charts_csv_number(&power->table, i, power->columns.ratio);

        if (i > row && begins_line(power, i))
            break;
        if (!(n > 0 && percent > 0))
            continue;
        if (data)
            fprintf(data, "%.9g\t%.9g\n", n, percent);
        span->first = fmin(span->first, n);
        span->last = fmax(span->last, n);
        span->low = fmin(span->low, percent);
        span->high = fmax(span->high, percent);
        count++;
    }
    return count;
}

static void add_args(const struct power *power, const struct span *span,
                     const struct chart_series *series, struct chart *chart)
{
    bool one = have_one_reference(power);

    chart_add_arg(chart, "%s", series->styles.text);
    chart_add_arg(chart, "%.9g %.9g", span->first, span->last);
    chart_add_arg(chart, "%.9g %.9g", span->low / 1.25, span->high * 1.25);
    chart_add_arg(chart, "%.100s", power->measure);
    chart_add_arg(chart, "%s%.100s", one ? "against " : "",
                  one ? cell(power, 1, power->columns.against) : "");
    chart_add_arg(chart, "%zu", chart_longest_name(&power->input.policy, true));
}

static void prepare(void *context, struct chart *chart)
{
    struct power *power = context;
    struct span span = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    struct chart_series series = {0};
    size_t line = 0;

    for (size_t row = 1; row < power->table.row_count; row++) {
        struct span unused = span;

        if (!begins_line(power, row))
            continue;
        line++;
        if (put_line(power, row, NULL, &unused) == 0 ||
            !chart_add_series(chart, &series, line - 1))
            continue;
        fputc('"', chart->data);
        chart_put_letters(&power->input, chart->data,
                          power->input.policy.at[line - 1]);
        fputs("\"\n", chart->data);
        put_line(power, row, chart->data, &span);
        chart_end_block(chart->data);
    }
    if (series.count == 0)
        snprintf(chart->skip, sizeof chart->skip,
                 "no comparison has a spread to tell from");
    else
        add_args(power, &span, &series, chart);
}

/* ---- the whole ---- */

static int draw_power(struct power *power, const char *file)
{
    char picture[100];
    struct charts_single single = {
        .plots_given = power->plots,
        .output_given = power->output,
        .script = "power.gp",
        .picture = picture,
        .note = power->input.note,
        .text = power->text,
        .prepare = prepare,
        .context = power,
    };

    if (!load(power, file))
        return CHARTS_BAD_FOLDER;
    if (charts_is_check_power(&power->table))
        return charts_draw_check_power(&power->table, power->input.note,
                                       power->output, power->plots,
                                       power->text);
    if (!name_lines(power))
        return CHARTS_FAILED;
    power->input.plain_letters = power->input.wide_names = true;
    snprintf(picture, sizeof picture, "%.60s-power", power->measure);
    for (char *at = picture; *at; at++)
        if (*at == '/')
            *at = '-';
    return charts_single_draw(&single);
}

int charts_draw_power(const char *file, const char *output, const char *plots,
                      char **ret_text)
{
    struct power power = {.output = output, .plots = plots};
    size_t size;
    int status = CHARTS_FAILED;

    *ret_text = NULL;
    power.text = open_memstream(ret_text, &size);
    if (power.text)
        status = draw_power(&power, file);
    for (size_t i = 0; i < power.input.policy.count; i++)
        free((char *)power.input.policy.at[i]);
    free(power.input.policy.at);
    charts_csv_done(&power.table);
    if (power.text && fclose(power.text) != 0)
        status = CHARTS_FAILED;
    return status;
}
