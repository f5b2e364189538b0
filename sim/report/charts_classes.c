/* Classes over time: a row a class; the P99 of its answers and the share of its
   requests without one, a line a policy. */
#include "sim/report/charts_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 6 }; /* more classes do not fit */

struct class_columns {
    size_t policy, class, start, end, arrived, lost, latency;
};

static struct class_columns class_columns(const struct charts_csv *table)
{
    return (struct class_columns){
        .policy = charts_csv_column(table, "policy"),
        .class = charts_csv_column(table, "class"),
        .start = charts_csv_column(table, "t_start_s"),
        .end = charts_csv_column(table, "t_end_s"),
        .arrived = charts_csv_column(table, "arrived_requests"),
        .lost = charts_csv_column(table, "lost_requests"),
        .latency = charts_csv_column(table, "latency_p99_s"),
    };
}

/* The ends of the axes of a row. */
struct span {
    double latency, lost;
};

/* The policy's name, for the key; then a point out of sight and a gap: no block
   is without a point. */
static void begin_block(const struct chart_input *input, size_t policy,
                        FILE *data)
{
    double unit_s = chart_time_unit_s(input);
    double length_s = input->step_s * (double)input->step_count;

    fputc('"', data);
    chart_put_letters(input, data, input->policy.at[policy]);
    fprintf(data, "\"\n%.9g\t0\t0\n%.9g\tnan\tnan\n",
            (input->start_s - length_s) / unit_s, input->start_s / unit_s);
}

static void put_line(const struct chart_input *input, const char *class,
                     size_t policy, struct span *span, FILE *data)
{
    const struct charts_csv *table = &input->class_series;
    struct class_columns at = class_columns(table);

    begin_block(input, policy, data);
    for (size_t row = 1; row < table->row_count; row++) {
        double latency = charts_csv_number(table, row, at.latency);
        double arrived = charts_csv_number(table, row, at.arrived);
        double lost = charts_csv_number(table, row, at.lost) / arrived;

        if (strcmp(charts_csv_cell(table, row, at.class), class) != 0 ||
            strcmp(charts_csv_cell(table, row, at.policy),
                   input->policy.at[policy]) != 0)
            continue;
        lost = arrived > 0 ? lost : NAN;
        fprintf(data, "%.9g\t%.9g\t%.6g\n",
                (charts_csv_number(table, row, at.start) +
                 charts_csv_number(table, row, at.end)) /
                    (2 * chart_time_unit_s(input)),
                latency, lost);
        span->latency = fmax(span->latency, latency);
        span->lost = fmax(span->lost, lost);
    }
    chart_end_block(data);
}

/* A block with a name, for a label. */
static void put_name(const struct chart_input *input, size_t place,
                     const char *name, FILE *data)
{
    fprintf(data, "%zu\t\"", place);
    chart_put_letters(input, data, name);
    fputs("\"\n", data);
}

static void put_rows(const struct chart_input *input,
                     const struct charts_names *classes, size_t rows,
                     size_t lines, struct chart *chart)
{
    struct chart_list ends = {0};

    for (size_t row = 0; row < rows; row++) {
        struct span span = {0, 0};

        for (size_t policy = 0; policy < lines; policy++)
            put_line(input, classes->at[row], policy, &span, chart->data);
        put_name(input, row, classes->at[row], chart->data);
        chart_end_block(chart->data);
        chart_list_add(&ends, span.latency > 0 ? 1.15 * span.latency : 1);
        chart_list_add(&ends, fmin(fmax(1.15 * span.lost, 0.01), 1.02));
    }
    chart_add_arg(chart, "%zu %zu %zu %d", rows, lines,
                  chart_longest_name(&input->policy, false),
                  input->replications > 1);
    chart_add_arg(chart, "%s", ends.text);
}

bool chart_has_classes(const struct chart_input *input)
{
    return input->class_series.row_count > 0;
}

void chart_classes(const struct chart_input *input, struct chart *chart)
{
    struct charts_names classes = {0};
    size_t lines = input->policy.count < CHART_CURVES_MAX ? input->policy.count
                                                          : CHART_CURVES_MAX;

    if (chart_lacks_rows(&input->class_series, chart))
        return;
    if (!charts_names_gather(&classes, &input->class_series, "class", NULL)) {
        snprintf(chart->skip, sizeof chart->skip, "no memory");
    } else {
        size_t rows = classes.count < ROWS_MAX ? classes.count : ROWS_MAX;

        if (rows < classes.count)
            snprintf(chart->left_out, sizeof chart->left_out,
                     "shows the first %zu of %zu classes", rows, classes.count);
        put_rows(input, &classes, rows, lines, chart);
        chart_add_fault_args(input, chart);
        chart_add_time_args(input, chart);
    }
    free(classes.at);
}
