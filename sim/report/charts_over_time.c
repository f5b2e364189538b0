/* One line a policy over time: requests in flight, answers from caches, what
   waits at the front door, nodes that come and go, nodes left out. */
#include "sim/report/charts_data.h"

#include <math.h>
#include <string.h>

struct over_time {
    const char *kind;       /* what the script calls it */
    const char *columns[2]; /* of series.csv, added; the second may be NULL */
    const char *lacks;      /* why it is skipped when there is no value */
    double least_end;       /* of the axis, where all values are 0 */
    double most_end;        /* no axis goes beyond */
};

/* The sum of the columns; NaN when none has a value. */
static double value_at(const struct charts_csv *table, size_t row,
                       const struct over_time *what)
{
    double sum = NAN;

    for (size_t i = 0; i < 2 && what->columns[i]; i++) {
        double value = charts_csv_number(
            table, row, charts_csv_column(table, what->columns[i]));

        if (isfinite(value))
            sum = isnan(sum) ? value : sum + value;
    }
    return sum;
}

static bool is_row_of(const struct chart_input *input, size_t row,
                      size_t policy)
{
    const struct charts_csv *table = &input->series;
    size_t nodes = charts_csv_column(table, "node");
    size_t policies = charts_csv_column(table, "policy");

    return strcmp(charts_csv_cell(table, row, nodes), "all") == 0 &&
           strcmp(charts_csv_cell(table, row, policies),
                  input->policy.at[policy]) == 0;
}

/* Writes, unless data is NULL; returns the largest value, negative: none. */
static double put_line(const struct chart_input *input, size_t policy,
                       const struct over_time *what, FILE *data)
{
    const struct charts_csv *table = &input->series;
    size_t starts = charts_csv_column(table, "t_start_s");
    size_t ends = charts_csv_column(table, "t_end_s");
    double most = -1;

    for (size_t row = 1; row < table->row_count; row++) {
        double middle_s = (charts_csv_number(table, row, starts) +
                           charts_csv_number(table, row, ends)) /
                          2;
        double value;

        if (!is_row_of(input, row, policy))
            continue;
        value = value_at(table, row, what);
        if (data)
            fprintf(data, "%.9g\t%.9g\n", middle_s / chart_time_unit_s(input),
                    value);
        most = fmax(most, value);
    }
    return most;
}

/* "from to from to": when the shared tier was out, one pair a time step. */
static void list_outages(const struct chart_input *input,
                         struct chart_list *list)
{
    const struct charts_csv *table = &input->series;
    size_t starts = charts_csv_column(table, "t_start_s");
    size_t ends = charts_csv_column(table, "t_end_s");
    size_t outs = charts_csv_column(table, "tier_out_ratio");
    double from_s = NAN, to_s = NAN;

    for (size_t row = 1; row <= table->row_count; row++) {
        bool here = row < table->row_count && is_row_of(input, row, 0);
        double out = here ? charts_csv_number(table, row, outs) : 0;

        if (row < table->row_count && !here)
            continue;
        if (out >= 0.02) {
            from_s =
                isnan(from_s) ? charts_csv_number(table, row, starts) : from_s;
            to_s = charts_csv_number(table, row, ends);
        } else if (!isnan(from_s)) {
            chart_list_add(list, from_s / chart_time_unit_s(input));
            chart_list_add(list, to_s / chart_time_unit_s(input));
            from_s = NAN;
        }
    }
}

static void draw(const struct chart_input *input, const struct over_time *what,
                 struct chart *chart)
{
    struct chart_series series = {0};
    struct chart_list outages = {0};
    double most = -1;

    if (chart_lacks_rows(&input->series, chart))
        return;
    for (size_t policy = 0; policy < input->policy.count; policy++) {
        double own = put_line(input, policy, what, NULL);

        if (own < 0 || !chart_add_series(chart, &series, policy))
            continue;
        most = fmax(most, own);
        chart_put_key(input, chart->data, policy);
        put_line(input, policy, what, chart->data);
        chart_end_block(chart->data);
    }
    if (most < 0) {
        snprintf(chart->skip, sizeof chart->skip, "%s", what->lacks);
        return;
    }
    list_outages(input, &outages);
    chart_add_arg(chart, "%s", series.styles.text);
    chart_add_fault_args(input, chart);
    chart_add_time_args(input, chart);
    chart_add_arg(chart, "%s %.9g %d %s", what->kind,
                  fmin(fmax(1.1 * most, what->least_end), what->most_end),
                  input->replications > 1, outages.text);
}

void chart_in_flight(const struct chart_input *input, struct chart *chart)
{
    static const struct over_time what = {
        .kind = "in_flight",
        .columns = {"in_flight_mean_requests", NULL},
        .lacks = "series.csv has no requests in flight",
        .least_end = 1,
        .most_end = INFINITY,
    };

    draw(input, &what, chart);
}

void chart_hits(const struct chart_input *input, struct chart *chart)
{
    static const struct over_time what = {
        .kind = "hits",
        .columns = {"result_hit_ratio", "tier_hit_ratio"},
        .lacks = "there are no caches",
        .least_end = 0.05,
        .most_end = 1.02,
    };

    draw(input, &what, chart);
}

void chart_members(const struct chart_input *input, struct chart *chart)
{
    static const struct over_time what = {
        .kind = "members",
        .columns = {"nodes_mean", NULL},
        .lacks = "nodes neither come nor go",
        .least_end = 1,
        .most_end = INFINITY,
    };

    draw(input, &what, chart);
}

void chart_door_queue(const struct chart_input *input, struct chart *chart)
{
    static const struct over_time what = {
        .kind = "door_queue",
        .columns = {"door_queue_mean_requests", NULL},
        .lacks = "nobody waits at the front door",
        .least_end = 1,
        .most_end = INFINITY,
    };

    draw(input, &what, chart);
}

void chart_admission_limit(const struct chart_input *input, struct chart *chart)
{
    static const struct over_time what = {
        .kind = "admission_limit",
        .columns = {"admission_limit_mean_requests", NULL},
        .lacks = "there is no limit",
        .least_end = 1,
        .most_end = INFINITY,
    };

    draw(input, &what, chart);
}

void chart_panics(const struct chart_input *input, struct chart *chart)
{
    static const struct over_time what = {
        .kind = "panics",
        .columns = {"panic_ratio", NULL},
        .lacks = "no time is told in series.csv",
        .least_end = 0.05,
        .most_end = 1.02,
    };

    draw(input, &what, chart);
}

void chart_ejected(const struct chart_input *input, struct chart *chart)
{
    static const struct over_time what = {
        .kind = "ejected",
        .columns = {"ejected_ratio", NULL},
        .lacks = "no time is told in series.csv",
        .least_end = 0.05,
        .most_end = 1.02,
    };

    draw(input, &what, chart);
}
