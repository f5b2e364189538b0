#include "sim/report/charts_plan.h"

#include "sim/report/charts.h"
#include "sim/report/charts_data.h"
#include "sim/report/charts_single.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_ROOM = 4096, LINE_ROOM = 400, LOG_FROM = 8 };

/* How a mix is marked, as plan.gp knows it. */
enum mark { MARK_MISSED, MARK_CANNOT_TELL, MARK_MET, MARK_CHOSEN };

struct columns {
    size_t policy, candidate, chosen, groups, nodes, answer, trial, load, goal,
        bound, value, lo, hi;
};

struct plan_chart {
    const char *folder, *plots;
    struct charts_csv table;
    struct columns at;
    struct chart_input input; /* names of policies, and the small print */
    FILE *text;
};

struct point {
    double x, y, lo, hi;
    enum mark mark;
};

struct span {
    double left, right, low, high;
};

bool charts_is_plan(const char *folder)
{
    char path[PATH_ROOM];

    snprintf(path, sizeof path, "%s/plan.csv", folder);
    return access(path, F_OK) == 0;
}

/* ---- the file ---- */

static bool find_columns(struct plan_chart *chart)
{
    const struct charts_csv *table = &chart->table;
    struct columns *at = &chart->at;

    *at = (struct columns){
        .policy = charts_csv_column(table, "policy"),
        .candidate = charts_csv_column(table, "candidate"),
        .chosen = charts_csv_column(table, "chosen"),
        .nodes = charts_csv_column(table, "nodes"),
        .answer = charts_csv_column(table, "answer"),
        .trial = charts_csv_column(table, "trial"),
        .load = charts_csv_column(table, "times_load"),
        .goal = charts_csv_column(table, "goal"),
        .bound = charts_csv_column(table, "bound"),
        .value = charts_csv_column(table, "value"),
        .lo = charts_csv_column(table, "lo"),
        .hi = charts_csv_column(table, "hi"),
    };
    at->groups = at->chosen + 1;
    return at->nodes < table->column_count && at->groups < at->nodes &&
           at->hi < table->column_count;
}

/* "# scenario: plan (hash ...)" and "# seed: 7" as "plan, seed 7". */
static void read_note(struct plan_chart *chart)
{
    char path[PATH_ROOM], line[LINE_ROOM], name[200] = "", seed[40] = "";
    FILE *in;

    snprintf(path, sizeof path, "%s/plan.csv", chart->folder);
    in = fopen(path, "r");
    while (in && fgets(line, sizeof line, in) && line[0] == '#') {
        line[strcspn(line, "\r\n")] = 0;
        if (strncmp(line, "# scenario: ", 12) == 0)
            snprintf(name, sizeof name, "%.*s",
                     (int)(strstr(line, " (hash")
                               ? strstr(line, " (hash") - line - 12
                               : 190),
                     line + 12);
        if (strncmp(line, "# seed: ", 8) == 0)
            snprintf(seed, sizeof seed, ", seed %.30s", line + 8);
    }
    if (in)
        fclose(in);
    snprintf(chart->input.note, sizeof chart->input.note, "%s%s", name, seed);
}

static const char *cell(const struct plan_chart *chart, size_t row,
                        size_t column)
{
    return charts_csv_cell(&chart->table, row, column);
}

static double number(const struct plan_chart *chart, size_t row, size_t column)
{
    return charts_csv_number(&chart->table, row, column);
}

/* ---- points ---- */

static bool has_two_groups(const struct plan_chart *chart)
{
    return chart->at.nodes - chart->at.groups == 2;
}

static enum mark mark_of(const struct plan_chart *chart, size_t row)
{
    const char *answer = cell(chart, row, chart->at.answer);

    if (number(chart, row, chart->at.chosen) > 0)
        return MARK_CHOSEN;
    if (strcmp(answer, "met") == 0)
        return MARK_MET;
    return strcmp(answer, "missed") == 0 ? MARK_MISSED : MARK_CANNOT_TELL;
}

/* The row that stands for a mix: of two groups its first; of one that of the
   first goal, all nodes there, at the headroom. */
static bool stands_for_mix(const struct plan_chart *chart, size_t row)
{
    const struct columns *at = &chart->at;

    if (has_two_groups(chart))
        return row == 1 ||
               strcmp(cell(chart, row, at->candidate),
                      cell(chart, row - 1, at->candidate)) != 0 ||
               strcmp(cell(chart, row, at->policy),
                      cell(chart, row - 1, at->policy)) != 0;
    return strcmp(cell(chart, row, at->trial), "at_headroom") == 0 &&
           strcmp(cell(chart, row, at->goal), cell(chart, 1, at->goal)) == 0;
}

static struct point point_of(const struct plan_chart *chart, size_t row)
{
    const struct columns *at = &chart->at;
    struct point point = {.x = number(chart, row, at->groups),
                          .mark = mark_of(chart, row)};

    if (has_two_groups(chart)) {
        point.y = point.lo = point.hi = number(chart, row, at->groups + 1);
        return point;
    }
    point.y = number(chart, row, at->value);
    point.lo = number(chart, row, at->lo);
    point.hi = number(chart, row, at->hi);
    if (!isfinite(point.lo))
        point.lo = point.hi = point.y;
    return point;
}

static void widen(struct span *span, const struct point *point)
{
    span->left = fmin(span->left, point->x);
    span->right = fmax(span->right, point->x);
    span->low = fmin(span->low, point->lo);
    span->high = fmax(span->high, point->hi);
}

/* data NULL: only counts. */
static size_t put_policy(const struct plan_chart *chart, size_t policy,
                         FILE *data, struct span *span, size_t *infinite)
{
    size_t count = 0;

    for (size_t row = 1; row < chart->table.row_count; row++) {
        struct point point;

        if (strcmp(cell(chart, row, chart->at.policy),
                   chart->input.policy.at[policy]) != 0 ||
            !stands_for_mix(chart, row))
            continue;
        point = point_of(chart, row);
        if (!isfinite(point.y)) {
            ++*infinite;
            continue;
        }
        count++;
        if (!data)
            continue;
        fprintf(data, "%.9g\t%.9g\t%.9g\t%.9g\t%d\n", point.x, point.y,
                point.lo, point.hi, (int)point.mark);
        widen(span, &point);
    }
    return count;
}

/* ---- arguments ---- */

static void add_y(const struct plan_chart *chart, struct span *span,
                  struct chart *ret)
{
    bool two = has_two_groups(chart);
    double bound = two ? 0 : number(chart, 1, chart->at.bound);
    bool log;

    if (bound > 0) {
        span->low = fmin(span->low, bound);
        span->high = fmax(span->high, bound);
    }
    log = !two && span->low > 0 && span->high > LOG_FROM * span->low;
    chart_add_arg(ret, "%.9g %.9g %d",
                  two   ? span->low - 0.7
                  : log ? span->low / 1.25
                        : 0,
                  two   ? span->high + 0.7
                  : log ? span->high * 1.25
                        : 1.08 * span->high,
                  log);
}

static void add_args(const struct plan_chart *chart,
                     const struct chart_series *series, struct span *span,
                     struct chart *ret)
{
    bool two = has_two_groups(chart);
    const char *const *header = (const char *const *)chart->table.cells;
    int letters[2];

    for (int i = 0; i < 2; i++) /* without "_nodes" */
        letters[i] = (int)strlen(header[chart->at.groups + (size_t)i]) - 6;
    chart_add_arg(ret, "%s", series->styles.text);
    chart_add_arg(ret, "%.9g %.9g", span->left, span->right);
    add_y(chart, span, ret);
    chart_add_arg(ret, "nodes of %.*s", letters[0] > 60 ? 60 : letters[0],
                  header[chart->at.groups]);
    if (two)
        chart_add_arg(ret, "nodes of %.*s", letters[1] > 60 ? 60 : letters[1],
                      header[chart->at.groups + 1]);
    else
        chart_add_arg(ret, "%.60s at the headroom",
                      cell(chart, 1, chart->at.goal));
    chart_add_arg(ret, "%s %.9g %zu", two ? "mixes" : "counts",
                  two ? 0 : number(chart, 1, chart->at.bound),
                  chart_longest_name(&chart->input.policy, true));
}

static void put_all(const struct plan_chart *chart, struct chart *ret)
{
    struct span span = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    struct chart_series series = {0};
    size_t infinite = 0, unused = 0;

    for (size_t policy = 0; policy < chart->input.policy.count; policy++) {
        if (put_policy(chart, policy, NULL, NULL, &unused) == 0 ||
            !chart_add_series(ret, &series, policy))
            continue;
        fputc('"', ret->data);
        chart_put_letters(&chart->input, ret->data,
                          chart->input.policy.at[policy]);
        fputs("\"\n", ret->data);
        put_policy(chart, policy, ret->data, &span, &infinite);
        chart_end_block(ret->data);
    }
    if (series.count == 0)
        snprintf(ret->skip, sizeof ret->skip, "no mix has a value");
    else
        add_args(chart, &series, &span, ret);
    if (infinite > 0)
        snprintf(ret->left_out, sizeof ret->left_out,
                 "without %zu mix%s whose value is infinite", infinite,
                 infinite == 1 ? "" : "es");
}

static void prepare(void *context, struct chart *ret)
{
    const struct plan_chart *chart = context;

    if (chart->table.row_count < 2)
        snprintf(ret->skip, sizeof ret->skip, "no mix was simulated");
    else if (chart->at.nodes - chart->at.groups > 2)
        snprintf(ret->skip, sizeof ret->skip, "more than two groups vary");
    else
        put_all(chart, ret);
}

/* ---- the whole ---- */

static int draw(struct plan_chart *chart)
{
    char output[PATH_ROOM];
    struct charts_single single = {
        .plots_given = chart->plots,
        .output_given = output,
        .script = "plan.gp",
        .picture = "plan",
        .note = chart->input.note,
        .text = chart->text,
        .prepare = prepare,
        .context = chart,
    };

    snprintf(output, sizeof output, "%s/charts", chart->folder);
    if (!charts_csv_load(&chart->table, chart->folder, "plan.csv") ||
        !find_columns(chart)) {
        charts_refuse(chart->text, "'%s' is not the result of a plan",
                      chart->folder);
        return CHARTS_BAD_FOLDER;
    }
    read_note(chart);
    chart->input.plain_letters = chart->input.wide_names = true;
    if (!charts_names_gather(&chart->input.policy, &chart->table, "policy",
                             NULL))
        return CHARTS_FAILED;
    return charts_single_draw(&single);
}

int charts_draw_plan(const char *folder, const char *plots, char **ret_text)
{
    struct plan_chart chart = {.folder = folder, .plots = plots};
    size_t size;
    int status = CHARTS_FAILED;

    *ret_text = NULL;
    chart.text = open_memstream(ret_text, &size);
    if (chart.text)
        status = draw(&chart);
    free(chart.input.policy.at);
    charts_csv_done(&chart.table);
    if (chart.text && fclose(chart.text) != 0)
        status = CHARTS_FAILED;
    return status;
}
