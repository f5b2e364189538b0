#include "sim/report/charts_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FAULT_LINES_MAX = 18, /* more lines would hide the picture */
    ROW_NAMES_MAX = 40    /* with more rows the names are thinned, */
};

/* to as many as fit beside a panel. */
static size_t row_names(const struct chart_input *input)
{
    if (input->node.count <= ROW_NAMES_MAX)
        return ROW_NAMES_MAX;
    return input->panel_count > 1 ? 14 : 24;
}

/* A unit in which the whole run is a number that people can picture. */
struct time_unit {
    const char *name;
    double seconds;
};

static struct time_unit time_unit(const struct chart_input *input)
{
    double span_s = input->step_s * (double)input->step_count;

    if (span_s <= 180)
        return (struct time_unit){"s", 1};
    if (span_s <= 3 * 3600)
        return (struct time_unit){"min", 60};
    return (struct time_unit){"h", 3600};
}

double chart_time_unit_s(const struct chart_input *input)
{
    return time_unit(input).seconds;
}

static double step_start(const struct chart_input *input, size_t step)
{
    return (input->start_s + (double)step * input->step_s) /
           time_unit(input).seconds;
}

void chart_add_time_args(const struct chart_input *input, struct chart *chart)
{
    chart_add_arg(chart, "%.9g", step_start(input, 0));
    chart_add_arg(chart, "%.9g", step_start(input, input->step_count));
    chart_add_arg(chart, "%s", time_unit(input).name);
}

/* What cells show. */
enum cell_value { CELL_USE, CELL_WEIGHT };

static double cell_value(const struct chart_cell *cell, enum cell_value what)
{
    if (what == CELL_WEIGHT)
        return cell->weight_count ? cell->weight / cell->weight_count : NAN;
    return cell->use_count ? cell->use / cell->use_count : NAN;
}

/*
 * The grid of cells. gnuplot wants two rows and two columns at least, so one
 * of each is added beyond the ends of the axes.
 */
static void put_panel(const struct chart_input *input, size_t panel,
                      enum cell_value what, FILE *data)
{
    size_t nodes = input->node.count, steps = input->step_count;

    for (size_t node = 0; node <= nodes; node++)
        for (size_t step = 0; step <= steps; step++) {
            struct chart_cell cell = {0};

            if (node < nodes && step < steps)
                cell = input->cells[(panel * nodes + node) * steps + step];
            fprintf(data, "%.9g\t%zu\t%.6g\n",
                    (step_start(input, step) + step_start(input, step + 1)) / 2,
                    node, cell_value(&cell, what));
        }
    chart_end_block(data);
    fprintf(data, "%zu\t\"", panel + 1);
    chart_put_letters(input, data, input->policy.at[panel]);
    fputs("\"\n", data);
    chart_end_block(data);
}

/* Down times of a panel; a row out of sight keeps the block from being empty.
 */
static void put_outages(const struct chart_input *input, size_t panel,
                        FILE *data)
{
    double unit_s = time_unit(input).seconds;

    fputs("0\t-9\t0\n", data);
    for (size_t i = 0; i < input->outage_count; i++) {
        const struct chart_outage *outage = &input->outages[i];

        if (outage->policy == panel)
            fprintf(data, "%.9g\t%zu\t%.9g\n", outage->start_s / unit_s,
                    outage->node, outage->end_s / unit_s);
    }
    chart_end_block(data);
}

static int compare_numbers(const void *a, const void *b)
{
    const double *left = a, *right = b;

    return (*left > *right) - (*left < *right);
}

/* Moments, each once: those within one time step have the same cause. */
struct moments {
    double at_s[FAULT_LINES_MAX + 1];
    size_t count;
};

static void add_moment(struct moments *moments, double at_s, double step_s)
{
    size_t known = 0;

    while (known < moments->count && fabs(moments->at_s[known] - at_s) > step_s)
        known++;
    if (known == moments->count && known <= FAULT_LINES_MAX)
        moments->at_s[moments->count++] = at_s;
}

/* None when there are too many to mark, which is told. */
static void add_moments_arg(const struct chart_input *input,
                            struct moments *moments, struct chart *chart)
{
    struct chart_list list = {0};

    if (moments->count > FAULT_LINES_MAX && !*chart->left_out)
        snprintf(chart->left_out, sizeof chart->left_out,
                 "more than %d moments of faults: no lines", FAULT_LINES_MAX);
    qsort(moments->at_s, moments->count, sizeof moments->at_s[0],
          compare_numbers);
    for (size_t i = 0; i < moments->count && moments->count <= FAULT_LINES_MAX;
         i++)
        chart_list_add(&list, moments->at_s[i] / time_unit(input).seconds);
    chart_add_arg(chart, "%s", list.text);
}

static struct moments find_deaths(const struct chart_input *input)
{
    struct moments starts = {0};

    for (size_t i = 0; i < input->outage_count; i++)
        add_moment(&starts, input->outages[i].start_s, input->step_s);
    return starts;
}

void chart_add_fault_args(const struct chart_input *input, struct chart *chart)
{
    struct moments starts = find_deaths(input);
    double at_s;

    for (size_t row = 0; (row = chart_next_strike(input, row, &at_s)) > 0;)
        if (at_s >= input->start_s && starts.count <= FAULT_LINES_MAX)
            add_moment(&starts, at_s, input->step_s);
    add_moments_arg(input, &starts, chart);
}

/* Of the heat map, which shows in bands what does not kill. */
static void add_deaths(const struct chart_input *input, struct chart *chart)
{
    struct moments starts = find_deaths(input);

    add_moments_arg(input, &starts, chart);
}

/* When nodes came back, unless they stayed down until the end. */
static void add_restarts(const struct chart_input *input, struct chart *chart)
{
    double last_s = input->start_s + input->step_s * (double)input->step_count;
    struct moments ends = {0};

    for (size_t i = 0; i < input->outage_count; i++)
        if (input->outages[i].end_s < last_s - 0.5 * input->step_s)
            add_moment(&ends, input->outages[i].end_s, input->step_s);
    add_moments_arg(input, &ends, chart);
}

/* The largest of all cells; negative: there is none. */
static double most_of(const struct chart_input *input, enum cell_value what)
{
    size_t count = input->panel_count * input->node.count * input->step_count;
    double most = -1;

    for (size_t i = 0; i < count; i++)
        most = fmax(most, cell_value(&input->cells[i], what));
    return most;
}

static void put_node_names(const struct chart_input *input, struct chart *chart)
{
    size_t names = row_names(input);

    for (size_t node = chart_next_name(input, SIZE_MAX, names);
         node < input->node.count; node = chart_next_name(input, node, names)) {
        fprintf(chart->data, "%zu\t\"", node);
        chart_put_letters(input, chart->data, input->node.at[node]);
        fputs("\"\n", chart->data);
    }
    chart_end_block(chart->data);
}

/* The largest value is the darkest colour. */
static void draw_cells(const struct chart_input *input, enum cell_value what,
                       double most, struct chart *chart)
{
    char kinds[160];

    for (size_t panel = 0; panel < input->panel_count; panel++) {
        put_panel(input, panel, what, chart->data);
        put_outages(input, panel, chart->data);
    }
    put_node_names(input, chart);
    for (size_t panel = 0; panel < input->panel_count; panel++)
        chart_put_strikes(input, panel, time_unit(input).seconds, chart->data);
    if (input->policy.count > input->panel_count)
        snprintf(chart->left_out, sizeof chart->left_out,
                 "shows the first %zu of %zu policies", input->panel_count,
                 input->policy.count);
    chart_list_bands(input, kinds, sizeof kinds);
    chart_add_arg(chart, "%zu %zu %zu %zu %s %.9g %d%s", input->panel_count,
                  input->node.count, input->step_count,
                  chart_longest_name(&input->node, false),
                  what == CELL_USE ? "use" : "weight", most,
                  input->nodes_absent, kinds);
    chart_add_time_args(input, chart);
    add_deaths(input, chart);
    add_restarts(input, chart);
}

void chart_heatmap(const struct chart_input *input, struct chart *chart)
{
    if (chart_lacks_rows(&input->series, chart))
        return;
    if (most_of(input, CELL_USE) < 0)
        snprintf(chart->skip, sizeof chart->skip,
                 "series.csv has no row with a node's use");
    else
        draw_cells(input, CELL_USE, 1, chart);
}

void chart_weights(const struct chart_input *input, struct chart *chart)
{
    double most = most_of(input, CELL_WEIGHT);

    if (most < 0)
        snprintf(chart->skip, sizeof chart->skip,
                 "series.csv has no row with a node's weight");
    else
        draw_cells(input, CELL_WEIGHT, most > 0 ? most : 1, chart);
}

/* What the lines of the chart over time span. */
struct timeline {
    double low, high; /* P99, seconds; INFINITY and 0: no answer yet */
    double lost;      /* the largest share without an answer */
    size_t count;     /* stretches of time with answers or losses */
};

struct timeline_columns {
    size_t policy, node, start, end, arrived, lost, latency;
};

static struct timeline_columns timeline_columns(const struct charts_csv *table)
{
    return (struct timeline_columns){
        .policy = charts_csv_column(table, "policy"),
        .node = charts_csv_column(table, "node"),
        .start = charts_csv_column(table, "t_start_s"),
        .end = charts_csv_column(table, "t_end_s"),
        .arrived = charts_csv_column(table, "arrived_requests"),
        .lost = charts_csv_column(table, "lost_requests"),
        .latency = charts_csv_column(table, "latency_p99_s"),
    };
}

/* NaN where nobody arrived. */
static double lost_share(const struct charts_csv *table, size_t row,
                         struct timeline_columns at)
{
    double arrived = charts_csv_number(table, row, at.arrived);
    double lost = charts_csv_number(table, row, at.lost);

    return arrived > 0 ? fmin(lost / arrived, 1) : (double)NAN;
}

/* Writes, unless data is NULL, and measures the "all" rows of a policy. */
static void put_timeline(const struct chart_input *input, size_t policy,
                         FILE *data, struct timeline *span)
{
    const struct charts_csv *table = &input->series;
    struct timeline_columns at = timeline_columns(table);

    for (size_t row = 1; row < table->row_count; row++) {
        double latency = charts_csv_number(table, row, at.latency);
        double lost = lost_share(table, row, at);

        if (strcmp(charts_csv_cell(table, row, at.node), "all") != 0 ||
            strcmp(charts_csv_cell(table, row, at.policy),
                   input->policy.at[policy]) != 0)
            continue;
        if (data)
            fprintf(data, "%.9g\t%.9g\t%.6g\n",
                    (charts_csv_number(table, row, at.start) +
                     charts_csv_number(table, row, at.end)) /
                        (2 * time_unit(input).seconds),
                    latency, lost);
        span->low = fmin(span->low, latency);
        span->high = fmax(span->high, latency);
        span->lost = fmax(span->lost, lost);
        span->count += isfinite(latency) || lost > 0;
    }
}

/* The ends of the latency axis, a low above 0 for a log scale; then the end
 * of the axis of losses, 0 = none, and whether a point is a mean of runs. */
static void add_timeline_args(const struct chart_input *input,
                              const struct timeline *span, struct chart *chart)
{
    double low = span->low, high = span->high;

    low = high > 12 * low && low > 0 ? fmax(low / 1.25, high * 1e-4) : 0;
    high = high > 0 ? 1.15 * high : 1;
    chart_add_arg(chart, "%.9g %.9g %.6g %d", low, high,
                  fmin(1.15 * span->lost, 1.04), input->replications > 1);
}

void chart_timeline(const struct chart_input *input, struct chart *chart)
{
    struct chart_series series = {0};
    struct timeline span = {.low = INFINITY};

    if (chart_lacks_rows(&input->series, chart))
        return;
    for (size_t policy = 0; policy < input->policy.count; policy++) {
        struct timeline own = {.low = INFINITY};

        put_timeline(input, policy, NULL, &own);
        if (own.count == 0 || !chart_add_series(chart, &series, policy))
            continue;
        chart_put_key(input, chart->data, policy);
        put_timeline(input, policy, chart->data, &span);
        chart_end_block(chart->data);
    }
    if (!isfinite(span.low)) {
        snprintf(chart->skip, sizeof chart->skip,
                 "no request was answered in any time step");
        return;
    }
    chart_add_arg(chart, "%s", series.styles.text);
    chart_add_fault_args(input, chart);
    chart_add_time_args(input, chart);
    add_timeline_args(input, &span, chart);
}
