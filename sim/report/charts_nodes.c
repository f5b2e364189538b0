#include "sim/report/charts_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More names do not fit under the columns. */
enum { NODE_NAMES_MAX = 50 };

struct nodes_columns {
    size_t policy, node, group, share, use;
};

static struct nodes_columns nodes_columns(const struct charts_csv *table)
{
    return (struct nodes_columns){
        .policy = charts_csv_column(table, "policy"),
        .node = charts_csv_column(table, "node"),
        .group = charts_csv_column(table, "group"),
        .share = charts_csv_column(table, "share_ratio"),
        .use = charts_csv_column(table, "use_ratio"),
    };
}

/*
 * rows[policy * node_count + node] is the row of nodes.csv, or 0 (the header)
 * for a node that the policy's runs did not have. NULL: no memory.
 */
static size_t *rows_by_node(const struct chart_input *input,
                            struct nodes_columns at)
{
    const struct charts_csv *table = &input->nodes;
    size_t policy = 0, node = 0;
    size_t *rows =
        calloc(input->policy.count * input->node.count + 1, sizeof *rows);

    for (size_t row = 1; rows && row < table->row_count; row++) {
        policy = charts_names_find(
            &input->policy, charts_csv_cell(table, row, at.policy), policy);
        node = charts_names_find(&input->node,
                                 charts_csv_cell(table, row, at.node), node);
        if (policy < input->policy.count && node < input->node.count)
            rows[policy * input->node.count + node] = row;
    }
    return rows;
}

/*
 * The grid of cells. gnuplot wants two rows and two columns at least, so one
 * of each is added beyond the ends of the axes. Yields the largest share.
 */
static double put_cells(const struct chart_input *input, const size_t *rows,
                        struct nodes_columns at, FILE *data)
{
    size_t policies = input->policy.count, nodes = input->node.count;
    double largest = 0;

    for (size_t policy = 0; policy <= policies; policy++)
        for (size_t node = 0; node <= nodes; node++) {
            bool inside = policy < policies && node < nodes;
            size_t row = inside ? rows[policy * nodes + node] : 0;
            double share = charts_csv_number(&input->nodes, row, at.share);
            double use = charts_csv_number(&input->nodes, row, at.use);

            fprintf(data, "%zu\t%zu\t%.9g\t%.9g\n", node, policy, share, use);
            largest = fmax(largest, share);
        }
    chart_end_block(data);
    return largest;
}

static void put_policies(const struct chart_input *input, FILE *data)
{
    for (size_t policy = 0; policy < input->policy.count; policy++) {
        fprintf(data, "%zu\t%zu\t\"", policy, policy + 1);
        chart_put_letters(input, data, input->policy.at[policy]);
        fputs("\"\n", data);
    }
    chart_end_block(data);
}

/* Names under the columns, with a star for those that were down. */
static bool put_node_names(const struct chart_input *input, FILE *data)
{
    bool starred = false;

    for (size_t node = chart_next_name(input, SIZE_MAX, NODE_NAMES_MAX);
         node < input->node.count;
         node = chart_next_name(input, node, NODE_NAMES_MAX)) {
        bool down = input->node_down[node];

        fprintf(data, "%zu\t\"", node);
        chart_put_letters(input, data, input->node.at[node]);
        fputs(down ? " *\"\n" : "\"\n", data);
        starred = starred || down;
    }
    chart_end_block(data);
    return starred;
}

/* Lines between groups; a group's nodes stand together in every policy. */
static void list_edges(const struct chart_input *input, const size_t *rows,
                       struct nodes_columns at, struct chart_list *list)
{
    for (size_t node = 1; node < input->node.count; node++) {
        const char *before =
            charts_csv_cell(&input->nodes, rows[node - 1], at.group);
        const char *after =
            charts_csv_cell(&input->nodes, rows[node], at.group);

        if (strcmp(before, after) != 0)
            chart_list_add(list, (double)node - 0.5);
    }
}

void chart_nodes(const struct chart_input *input, struct chart *chart)
{
    struct nodes_columns at = nodes_columns(&input->nodes);
    struct chart_list edges = {0};
    size_t *rows;
    double largest;
    bool starred;

    if (chart_lacks_rows(&input->nodes, chart) ||
        chart_lacks_names(&input->policy, "policy", chart) ||
        chart_lacks_names(&input->node, "node", chart))
        return;
    rows = rows_by_node(input, at);
    if (!rows) {
        snprintf(chart->skip, sizeof chart->skip, "no memory");
        return;
    }
    largest = put_cells(input, rows, at, chart->data);
    put_policies(input, chart->data);
    starred = put_node_names(input, chart->data);
    list_edges(input, rows, at, &edges);
    chart_add_arg(chart, "%zu %zu %zu %zu", input->policy.count,
                  input->node.count, chart_longest_name(&input->policy, false),
                  chart_longest_name(&input->node, false));
    chart_add_arg(chart, "%.9g", largest > 0 ? largest : 1);
    chart_add_arg(chart, "%d", starred);
    chart_add_arg(chart, "%s", edges.text);
    free(rows);
}
