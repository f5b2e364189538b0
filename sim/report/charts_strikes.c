/* What ails nodes that are not dead, as bands of the heat map: from faults.csv,
   first replication. */
#include "sim/report/charts_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Each kind has a colour of its own, which plots/heatmap.gp names. */
static const struct {
    const char *kind;
    uint32_t colour;
} bands[] = {
    {"slow", 0xE69F00},         {"hang", 0x7B3FA0},
    {"black_hole", 0x000000},   {"fail_fast", 0xD81B60},
    {"memory_leak", 0x7A7A00},  {"partition", 0x0072B2},
    {"probe_loss", 0x009E73},   {"report_loss", 0x56B4E9},
    {"report_delay", 0x8FD3C8},
};
enum { BANDS = sizeof bands / sizeof *bands };

/* Its place among the bands; BANDS: it is shown otherwise. */
static size_t find_band(const char *kind)
{
    size_t i = 0;

    while (i < BANDS && strcmp(bands[i].kind, kind) != 0)
        i++;
    return i;
}

struct strike_columns {
    size_t policy, replication, kind, node, start, end;
};

static struct strike_columns strike_columns(const struct charts_csv *table)
{
    return (struct strike_columns){
        .policy = charts_csv_column(table, "policy"),
        .replication = charts_csv_column(table, "replication"),
        .kind = charts_csv_column(table, "kind"),
        .node = charts_csv_column(table, "node"),
        .start = charts_csv_column(table, "at_s"),
        .end = charts_csv_column(table, "end_s"),
    };
}

void chart_put_strikes(const struct chart_input *input, size_t panel,
                       double unit_s, FILE *data)
{
    const struct charts_csv *table = &input->faults;
    struct strike_columns at = strike_columns(table);
    double last_s = input->start_s + input->step_s * (double)input->step_count;

    fputs("0\t-9\t0\t0\n", data); /* out of sight: the block is never empty */
    for (size_t row = 1; row < table->row_count; row++) {
        size_t band = find_band(charts_csv_cell(table, row, at.kind));
        size_t policy = charts_names_find(
            &input->policy, charts_csv_cell(table, row, at.policy), panel);
        size_t node = charts_names_find(
            &input->node, charts_csv_cell(table, row, at.node), 0);
        double start_s = charts_csv_number(table, row, at.start);
        double end_s = charts_csv_number(table, row, at.end);

        if (band == BANDS || policy != panel || node >= input->node.count ||
            charts_csv_number(table, row, at.replication) != 1)
            continue;
        if (!(start_s >= input->start_s))
            start_s = input->start_s;
        if (!(end_s <= last_s))
            end_s = last_s;
        if (start_s < end_s)
            fprintf(data, "%.9g\t%zu\t%.9g\t%u\n", start_s / unit_s, node,
                    end_s / unit_s, bands[band].colour);
    }
    chart_end_block(data);
}

/* Whether the last replication has the same strike: it is by the clock. */
static bool is_by_the_clock(const struct chart_input *input, size_t row)
{
    const struct charts_csv *table = &input->faults;
    struct strike_columns at = strike_columns(table);
    double at_s = charts_csv_number(table, row, at.start);

    for (size_t i = table->row_count - 1; i > row; i--)
        if (charts_csv_number(table, i, at.replication) ==
                (double)input->replications &&
            fabs(charts_csv_number(table, i, at.start) - at_s) < 1e-6 &&
            strcmp(charts_csv_cell(table, i, at.kind),
                   charts_csv_cell(table, row, at.kind)) == 0)
            return true;
    return input->replications <= 1;
}

size_t chart_next_strike(const struct chart_input *input, size_t before,
                         double *ret_at_s)
{
    const struct charts_csv *table = &input->faults;
    struct strike_columns at = strike_columns(table);

    for (size_t row = before + 1; row < table->row_count; row++)
        if (find_band(charts_csv_cell(table, row, at.kind)) < BANDS &&
            charts_csv_number(table, row, at.replication) == 1 &&
            charts_names_find(&input->policy,
                              charts_csv_cell(table, row, at.policy), 0) == 0 &&
            is_by_the_clock(input, row)) {
            *ret_at_s = charts_csv_number(table, row, at.start);
            return row;
        }
    return 0;
}

void chart_list_bands(const struct chart_input *input, char *text, size_t size)
{
    const struct charts_csv *table = &input->faults;
    size_t kind = charts_csv_column(table, "kind"), length = 0;
    bool seen[BANDS] = {false};

    *text = '\0';
    for (size_t row = 1; row < table->row_count; row++) {
        size_t band = find_band(charts_csv_cell(table, row, kind));

        if (band < BANDS && !seen[band] && length + 20 < size) {
            seen[band] = true;
            length += (size_t)snprintf(text + length, size - length, " %s",
                                       bands[band].kind);
        }
    }
}
