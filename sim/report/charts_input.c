#include "sim/report/charts_data.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Finer time steps are averaged: a pixel cannot show them. */
enum { STEPS_MAX = 480 };

/* "latency_all_p999" or "latency_p99_s" -> 0.999, 0.99; 0: no percentile. */
static double quantile_of(const char *measure)
{
    const char *digits = strstr(measure, "_p");
    double scale = 1, value = 0;

    if (strncmp(measure, "latency_", 8) != 0 || !digits)
        return 0;
    for (digits += 2; *digits >= '0' && *digits <= '9'; digits++) {
        scale /= 10;
        value += scale * (*digits - '0');
    }
    return value < 1 ? value : 0;
}

static void add_goal(struct chart_input *input, const char *measure,
                     double quantile, double bound_s)
{
    struct chart_goal *goal = &input->goals[input->goal_count++];

    *goal = (struct chart_goal){
        .all = strstr(measure, "_all_") != NULL,
        .quantile = quantile,
        .bound_s = bound_s,
    };
    snprintf(goal->measure, sizeof goal->measure, "%s", measure);
}

static void read_goals(struct chart_input *input, json_t *goals)
{
    size_t i;
    json_t *goal;

    json_array_foreach (goals, i, goal) {
        const char *measure =
            json_string_value(json_object_get(goal, "measure"));
        double bound = json_number_value(json_object_get(goal, "bound"));
        double quantile;

        if (!measure)
            continue;
        quantile = quantile_of(measure);
        if (quantile > 0 && bound > 0 && input->goal_count < CHART_GOALS_MAX)
            add_goal(input, measure, quantile, bound);
    }
}

/* A name may be cut inside a letter, which gnuplot's fonts do not forgive. */
static void end_on_letter(char *text)
{
    size_t end = strlen(text);
    size_t lead = end;

    while (lead > 0 && ((unsigned char)text[lead - 1] & 0xC0) == 0x80)
        lead--;
    if (lead > 0 && ((unsigned char)text[lead - 1] & 0x80) != 0)
        text[lead - 1] = '\0'; /* the last letter, whole or not */
}

/* NULL: there is none, or no memory for it. */
static json_t *load_document(const char *folder, const char *file,
                             bool *ret_no_memory)
{
    char path[PATH_MAX];
    json_t *root;

    snprintf(path, sizeof path, "%s/%s", folder, file);
    errno = 0; /* Jansson has no word for most allocations that fail */
    root = json_load_file(path, 0, NULL);
    *ret_no_memory = !root && errno == ENOMEM;
    return root;
}

/* The small print, and goals. */
static void read_about(struct chart_input *input, const json_t *root)
{
    char name[120] = "";
    const json_t *scenario = json_object_get(root, "scenario");
    const char *given;
    json_int_t replications;

    given = json_string_value(json_object_get(scenario, "name"));
    if (given &&
        (size_t)snprintf(name, sizeof name, "%s", given) >= sizeof name)
        end_on_letter(name);
    for (char *letter = name; *letter; letter++)
        if ((unsigned char)*letter < ' ')
            *letter = ' ';
    replications = json_integer_value(json_object_get(root, "replications"));
    if (replications > 0) {
        input->replications = (size_t)replications;
        snprintf(input->note, sizeof input->note,
                 "%s, seed %" JSON_INTEGER_FORMAT ", %" JSON_INTEGER_FORMAT
                 " replication%s",
                 name, json_integer_value(json_object_get(root, "seed")),
                 replications, replications == 1 ? "" : "s");
    } else {
        snprintf(input->note, sizeof input->note, "%s",
                 *name ? name : "scenario not known: no summary.json");
    }
    read_goals(input, json_object_get(root, "goals"));
}

/* Of a sweep; the policies are those of its first point. false: no memory. */
static bool read_sweep(struct chart_input *input)
{
    const json_t *points = json_object_get(input->sweep, "points");
    const json_t *policies =
        json_object_get(json_array_get(points, 0), "policies");
    size_t count = json_array_size(policies);

    input->wide_names = true;
    if (count == 0)
        return true;
    input->policy.at = calloc(count, sizeof *input->policy.at);
    if (!input->policy.at)
        return false;
    input->policy.count = count;
    for (size_t i = 0; i < count; i++) {
        const char *name = json_string_value(
            json_object_get(json_array_get(policies, i), "name"));

        input->policy.at[i] = name ? name : "";
    }
    return true;
}

/* false: no memory; what is no summary is no reason to stop. */
static bool read_documents(struct chart_input *input, const char *folder)
{
    bool no_memory;
    json_t *summary;

    input->sweep = load_document(folder, "sweep.json", &no_memory);
    if (input->sweep) {
        read_about(input, input->sweep);
        return read_sweep(input);
    }
    if (no_memory)
        return false;
    summary = load_document(folder, "summary.json", &no_memory);
    if (no_memory)
        return false;
    read_about(input, summary);
    json_decref(summary);
    return true;
}

struct series_columns {
    size_t policy, node, start, end, use, down, absent, weight;
};

static struct series_columns series_columns(const struct charts_csv *series)
{
    return (struct series_columns){
        .policy = charts_csv_column(series, "policy"),
        .node = charts_csv_column(series, "node"),
        .start = charts_csv_column(series, "t_start_s"),
        .end = charts_csv_column(series, "t_end_s"),
        .use = charts_csv_column(series, "use_ratio"),
        .down = charts_csv_column(series, "down_ratio"),
        .absent = charts_csv_column(series, "absent_ratio"),
        .weight = charts_csv_column(series, "weight_mean"),
    };
}

/* Finds the time axis: the first bucket's width, or a multiple of it. */
static void measure_time(struct chart_input *input, struct series_columns at)
{
    const struct charts_csv *series = &input->series;
    double start = INFINITY, end = -INFINITY, width = 0;

    for (size_t row = 1; row < series->row_count; row++) {
        double from = charts_csv_number(series, row, at.start);
        double to = charts_csv_number(series, row, at.end);

        if (!(to > from))
            continue;
        start = fmin(start, from);
        end = fmax(end, to);
        width = fmax(width, to - from);
    }
    if (!(width > 0))
        return;
    width *= ceil((end - start) / width / STEPS_MAX);
    input->start_s = start;
    input->step_s = width;
    input->step_count = (size_t)ceil((end - start) / width - 1e-6);
}

static struct chart_cell *cell_at(const struct chart_input *input,
                                  size_t policy, size_t node, size_t step)
{
    return &input->cells[(policy * input->node.count + node) *
                             input->step_count +
                         step];
}

static void add_finite(double value, double *sum, uint32_t *count)
{
    if (isfinite(value)) {
        *sum += value;
        ++*count;
    }
}

/* A node that is not there is not idle: it has no use. */
static void add_to_cell(struct chart_input *input, struct chart_cell *cell,
                        size_t row, struct series_columns at)
{
    const struct charts_csv *series = &input->series;
    bool absent = charts_csv_number(series, row, at.absent) >= 0.98;

    input->nodes_absent = input->nodes_absent || absent;
    add_finite(charts_csv_number(series, row, at.down), &cell->down,
               &cell->down_count);
    if (absent)
        return;
    add_finite(charts_csv_number(series, row, at.use), &cell->use,
               &cell->use_count);
    add_finite(charts_csv_number(series, row, at.weight), &cell->weight,
               &cell->weight_count);
}

static bool fill_cells(struct chart_input *input, struct series_columns at)
{
    const struct charts_csv *series = &input->series;
    size_t policy = 0, node = 0;

    input->cells =
        calloc(input->panel_count * input->node.count * input->step_count + 1,
               sizeof *input->cells);
    if (!input->cells)
        return false;
    for (size_t row = 1; row < series->row_count; row++) {
        double middle = (charts_csv_number(series, row, at.start) +
                         charts_csv_number(series, row, at.end)) /
                        2;
        double step = floor((middle - input->start_s) / input->step_s);

        policy = charts_names_find(
            &input->policy, charts_csv_cell(series, row, at.policy), policy);
        node = charts_names_find(&input->node,
                                 charts_csv_cell(series, row, at.node), node);
        if (policy < input->panel_count && node < input->node.count &&
            step >= 0 && step < (double)input->step_count)
            add_to_cell(input, cell_at(input, policy, node, (size_t)step), row,
                        at);
    }
    return true;
}

/* Adds a down time, or prolongs the last one when it goes on. */
static bool add_outage(struct chart_input *input, struct chart_outage outage)
{
    size_t count = input->outage_count;
    struct chart_outage *last = count ? &input->outages[count - 1] : NULL;

    if (last && last->policy == outage.policy && last->node == outage.node &&
        outage.start_s - last->end_s < 1e-3 * input->step_s) {
        last->end_s = outage.end_s;
        return true;
    }
    if (!input->outages ||
        (count & (count - 1)) == 0) { /* grows at powers of two */
        size_t room = count ? 2 * count : 1;

        last = realloc(input->outages, room * sizeof *last);
        if (!last)
            return false;
        input->outages = last;
    }
    input->outages[input->outage_count++] = outage;
    return true;
}

static double down_share(const struct chart_input *input, size_t policy,
                         size_t node, size_t step)
{
    const struct chart_cell *cell;

    if (step >= input->step_count) /* also before the first, which wraps */
        return 0;
    cell = cell_at(input, policy, node, step);
    return cell->down_count ? cell->down / cell->down_count : 0;
}

/*
 * A step in which a node was down for a part tells when it fell or rose: the
 * part lies at the side where the neighbouring step is more down. Parts below
 * 2 % come from averages over replications with faults at random times.
 */
static bool find_outages(struct chart_input *input, size_t policy, size_t node)
{
    for (size_t step = 0; step < input->step_count; step++) {
        double down = fmin(down_share(input, policy, node, step), 1);
        double start = input->start_s + (double)step * input->step_s;
        double length = down * input->step_s;
        struct chart_outage outage = {policy, node, start, start + length};

        if (down < 0.02)
            continue;
        if (down_share(input, policy, node, step + 1) >
            down_share(input, policy, node, step - 1)) {
            outage.end_s = start + input->step_s;
            outage.start_s = outage.end_s - length;
        }
        if (!add_outage(input, outage))
            return false;
    }
    return true;
}

static bool load_series(struct chart_input *input)
{
    struct series_columns at = series_columns(&input->series);

    input->panel_count = input->policy.count < CHART_PANELS_MAX
                             ? input->policy.count
                             : CHART_PANELS_MAX;
    measure_time(input, at);
    if (!fill_cells(input, at))
        return false;
    for (size_t policy = 0; policy < input->panel_count; policy++)
        for (size_t node = 0; node < input->node.count; node++)
            if (!find_outages(input, policy, node))
                return false;
    return true;
}

/* Short times down show in nodes.csv only, which may be missing. */
static bool find_fallen(struct chart_input *input)
{
    const struct charts_csv *nodes = &input->nodes;
    size_t names = charts_csv_column(nodes, "node");
    size_t downs = charts_csv_column(nodes, "down_ratio");
    size_t node = 0;

    input->node_down = calloc(input->node.count + 1, sizeof(bool));
    if (!input->node_down)
        return false;
    for (size_t i = 0; i < input->outage_count; i++)
        input->node_down[input->outages[i].node] = true;
    for (size_t row = 1; row < nodes->row_count; row++) {
        node = charts_names_find(&input->node,
                                 charts_csv_cell(nodes, row, names), node);
        if (node < input->node.count &&
            charts_csv_number(nodes, row, downs) > 0)
            input->node_down[node] = true;
    }
    return true;
}

/*
 * The first table that names any gives the names and their order. Without a
 * name there is no array to free. False: no memory.
 */
static bool gather_first(struct charts_names *names, const char *column,
                         const struct charts_csv *const *tables, size_t count)
{
    for (size_t i = 0; i < count && names->count == 0; i++) {
        struct charts_names found;
        bool enough = charts_names_gather(&found, tables[i], column, "all");

        if (found.count > 0)
            *names = found;
        if (!enough)
            return false;
    }
    return true;
}

bool chart_input_load(struct chart_input *input, const char *folder)
{
    const struct charts_csv *tables[] = {&input->policies, &input->latency,
                                         &input->nodes, &input->series};

    *input = (struct chart_input){0};
    if (!read_documents(input, folder))
        return false;
    if (input->sweep)
        return true;
    charts_csv_load(&input->policies, folder, "policies.csv");
    charts_csv_load(&input->nodes, folder, "nodes.csv");
    charts_csv_load(&input->series, folder, "series.csv");
    charts_csv_load(&input->class_series, folder, "class_series.csv");
    charts_csv_load(&input->latency, folder, "latency.csv");
    charts_csv_load(&input->faults, folder, "faults.csv");
    if (input->faults.no_memory || input->class_series.no_memory)
        return false;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        if (tables[i]->no_memory)
            return false;
    return gather_first(&input->policy, "policy", tables, 4) &&
           gather_first(&input->node, "node", tables + 2, 2) &&
           load_series(input) && find_fallen(input);
}

void chart_input_done(struct chart_input *input)
{
    json_decref(input->sweep);
    free(input->node_down);
    free(input->outages);
    free(input->cells);
    free(input->node.at);
    free(input->policy.at);
    charts_csv_done(&input->faults);
    charts_csv_done(&input->latency);
    charts_csv_done(&input->class_series);
    charts_csv_done(&input->series);
    charts_csv_done(&input->nodes);
    charts_csv_done(&input->policies);
}
