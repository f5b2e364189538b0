/* What became of requests over time, by cause: a panel a policy, and in it
   shares that are laid upon each other. Refusals, and answers of a lesser
   means. */
#include "sim/report/charts_data.h"

#include <math.h>
#include <string.h>

enum { LAYERS_MAX = 8, PANELS_MAX = 6 };

/* A column of series.csv; blanks of its name do not part words. */
struct layer {
    const char *column, *name;
};

#define NB "\xc2\xa0"
static const struct layer refusals[] = {
    {"refused_fail_fast_requests", "fail" NB "fast"},
    {"refused_rate_requests", "rate" NB "limit"},
    {"refused_shed_requests", "shed"},
    {"refused_deadline_requests", "hopeless"},
    {"refused_limit_requests", "limit" NB "in" NB "flight"},
    {"refused_overflow_requests", "pool" NB "limits"},
    {"refused_queue_requests", "queue" NB "full"},
    {NULL, NULL},
};
static const struct layer degraded[] = {
    {"degraded_light_requests", "light" NB "model"},
    {"degraded_cached_requests", "old" NB "answer"},
    {NULL, NULL},
};

/* The layers that have anything, and the highest pile. */
struct pile {
    const struct layer *layers[LAYERS_MAX];
    size_t count;
    double most;
};

static bool has_any(const struct chart_input *input, const struct layer *layers)
{
    const struct charts_csv *table = &input->series;

    for (; layers->column; layers++)
        if (charts_csv_column(table, layers->column) < table->column_count)
            return true;
    return false;
}

static bool is_of_all(const struct charts_csv *table, size_t row)
{
    return strcmp(charts_csv_cell(table, row, charts_csv_column(table, "node")),
                  "all") == 0;
}

static double share_at(const struct charts_csv *table, size_t row,
                       const struct layer *layer)
{
    double count =
        charts_csv_number(table, row, charts_csv_column(table, layer->column));
    double arrived = charts_csv_number(
        table, row, charts_csv_column(table, "arrived_requests"));

    return count > 0 && arrived > 0 ? fmin(count / arrived, 1) : 0;
}

static struct pile find_pile(const struct chart_input *input,
                             const struct layer *layers)
{
    const struct charts_csv *table = &input->series;
    struct pile pile = {0};

    for (; layers->column; layers++)
        for (size_t row = 1; row < table->row_count; row++)
            if (is_of_all(table, row) && share_at(table, row, layers) > 0) {
                pile.layers[pile.count++] = layers;
                break;
            }
    for (size_t row = 1; row < table->row_count; row++) {
        double sum = 0;

        for (size_t i = 0; i < pile.count && is_of_all(table, row); i++)
            sum += share_at(table, row, pile.layers[i]);
        pile.most = fmax(pile.most, sum);
    }
    return pile;
}

/* Rows of time and of the sums of the first layers, of two, and so on. */
static void put_panel(const struct chart_input *input, size_t policy,
                      const struct pile *pile, FILE *data)
{
    const struct charts_csv *table = &input->series;
    size_t policies = charts_csv_column(table, "policy");
    size_t starts = charts_csv_column(table, "t_start_s");
    size_t ends = charts_csv_column(table, "t_end_s");

    for (size_t row = 1; row < table->row_count; row++) {
        double sum = 0;

        if (!is_of_all(table, row) ||
            strcmp(charts_csv_cell(table, row, policies),
                   input->policy.at[policy]) != 0)
            continue;
        fprintf(data, "%.9g",
                (charts_csv_number(table, row, starts) +
                 charts_csv_number(table, row, ends)) /
                    (2 * chart_time_unit_s(input)));
        for (size_t i = 0; i < pile->count; i++) {
            sum += share_at(table, row, pile->layers[i]);
            fprintf(data, "\t%.6g", sum);
        }
        fputc('\n', data);
    }
    chart_end_block(data);
    fprintf(data, "%zu\t\"", policy + 1);
    chart_put_letters(input, data, input->policy.at[policy]);
    fputs("\"\n", data);
    chart_end_block(data);
}

static void draw(const struct chart_input *input, const struct layer *layers,
                 const char *what, struct chart *chart)
{
    struct pile pile = find_pile(input, layers);
    size_t panels =
        input->policy.count < PANELS_MAX ? input->policy.count : PANELS_MAX;
    char names[CHART_ARG_SIZE] = "";
    size_t length = 0;

    if (pile.count == 0) {
        snprintf(chart->skip, sizeof chart->skip, "no request was %s", what);
        return;
    }
    if (panels < input->policy.count)
        snprintf(chart->left_out, sizeof chart->left_out,
                 "shows the first %zu of %zu policies", panels,
                 input->policy.count);
    for (size_t policy = 0; policy < panels; policy++)
        put_panel(input, policy, &pile, chart->data);
    for (size_t i = 0; i < pile.count; i++)
        length += (size_t)snprintf(names + length, sizeof names - length,
                                   "%s%s", i ? " " : "", pile.layers[i]->name);
    chart_add_arg(chart, "%s %zu %.6g %d", what, panels,
                  fmin(fmax(1.1 * pile.most, 0.01), 1.02),
                  input->replications > 1);
    chart_add_fault_args(input, chart);
    chart_add_time_args(input, chart);
    chart_add_arg(chart, "%s", names);
}

bool chart_has_refusals(const struct chart_input *input)
{
    return has_any(input, refusals);
}

bool chart_has_degraded(const struct chart_input *input)
{
    return has_any(input, degraded);
}

void chart_refused(const struct chart_input *input, struct chart *chart)
{
    draw(input, refusals, "refused", chart);
}

void chart_degraded(const struct chart_input *input, struct chart *chart)
{
    draw(input, degraded, "degraded", chart);
}
