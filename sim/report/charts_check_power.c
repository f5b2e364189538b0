#include "sim/report/charts_check_power.h"

#include "sim/measure/measures.h"
#include "sim/report/charts.h"
#include "sim/report/charts_data.h"
#include "sim/report/charts_single.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns of the CSV. */
struct columns {
    size_t policy, measure, curve, replications, chance;
    size_t change, ratio, allowed, baseline, deviation;
};

struct check_power {
    const struct charts_csv *table;
    struct columns columns;
    struct chart_input input; /* names of the policies, and the small print */
    const char *measure;      /* the one that is drawn */
    bool in_ratio;            /* changes are shares of the baseline */
    bool in_points;           /* of a ratio, of which 1 is a hundred points */
};

struct span {
    double first, last;  /* replications */
    double small, large; /* changes */
    double own;          /* replications of the baseline */
};

/* ---- the table ---- */

static bool find_columns(const struct charts_csv *table,
                         struct columns *columns)
{
    const struct {
        size_t *column;
        const char *name;
    } rows[] = {
        {&columns->policy, "policy"},
        {&columns->measure, "measure"},
        {&columns->curve, "curve"},
        {&columns->replications, "replications"},
        {&columns->chance, "probability"},
        {&columns->change, "change"},
        {&columns->ratio, "change_ratio"},
        {&columns->baseline, "baseline"},
        {&columns->allowed, "allowed"},
        {&columns->deviation, "deviation"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        *rows[i].column = charts_csv_column(table, rows[i].name);
        if (*rows[i].column >= table->column_count)
            return false;
    }
    return true;
}

bool charts_is_check_power(const struct charts_csv *table)
{
    struct columns columns;

    return find_columns(table, &columns);
}

static const char *cell(const struct check_power *power, size_t row,
                        size_t column)
{
    return charts_csv_cell(power->table, row, column);
}

static double number(const struct check_power *power, size_t row, size_t column)
{
    return charts_csv_number(power->table, row, column);
}

/* In what the axis counts; NaN: none. */
static double change_of(const struct check_power *power, size_t row)
{
    if (power->in_ratio)
        return 100 * number(power, row, power->columns.ratio);
    return (power->in_points ? 100 : 1) *
           number(power, row, power->columns.change);
}

static double allowed_of(const struct check_power *power, size_t row)
{
    double allowed = number(power, row, power->columns.allowed);

    if (power->in_ratio)
        return 100 * allowed /
               fabs(number(power, row, power->columns.baseline));
    return (power->in_points ? 100 : 1) * allowed;
}

/* What spreads not at all is found as soon as it is beyond, which no curve
   shows. */
static bool has_spread(const struct check_power *power, size_t row)
{
    return number(power, row, power->columns.deviation) > 0;
}

static bool is_of(const struct check_power *power, size_t row, size_t policy)
{
    return strcmp(cell(power, row, power->columns.measure), power->measure) ==
               0 &&
           strcmp(cell(power, row, power->columns.policy),
                  power->input.policy.at[policy]) == 0 &&
           has_spread(power, row);
}

/* ---- lines ---- */

static void widen(struct span *span, double change)
{
    span->small = fmin(span->small, change);
    span->large = fmax(span->large, change);
}

/* Points of one curve of a policy; data NULL: they are only counted. */
static size_t put_curve(const struct check_power *power, size_t policy,
                        const char *curve, FILE *data, struct span *span)
{
    bool is_smallest = strcmp(curve, "smallest") == 0;
    size_t count = 0;

    for (size_t row = 1; row < power->table->row_count; row++) {
        double n = number(power, row, power->columns.replications);
        double change = change_of(power, row);

        if (!is_of(power, row, policy) ||
            strcmp(cell(power, row, power->columns.curve), curve) != 0 ||
            !(change > 0))
            continue;
        count++;
        if (!data)
            continue;
        if (is_smallest)
            fprintf(data, "%.9g\t%.9g\n", n, change);
        else
            fprintf(data, "%.9g\t%.9g\n", change,
                    100 * number(power, row, power->columns.chance));
        widen(span, change);
        span->first = is_smallest ? fmin(span->first, n) : span->first;
        span->last = is_smallest ? fmax(span->last, n) : span->last;
        span->own = is_smallest ? span->own : n;
    }
    return count;
}

static void put_block(const struct check_power *power, size_t policy,
                      const char *curve, struct chart *chart, struct span *span)
{
    fputc('"', chart->data);
    chart_put_letters(&power->input, chart->data,
                      power->input.policy.at[policy]);
    fputs("\"\n", chart->data);
    put_curve(power, policy, curve, chart->data, span);
    chart_end_block(chart->data);
}

/* What is allowed, where it is the same for all. */
static double common_allowed(const struct check_power *power)
{
    double common = NAN;

    for (size_t row = 1; row < power->table->row_count; row++) {
        double allowed = allowed_of(power, row);

        if (strcmp(cell(power, row, power->columns.measure), power->measure) !=
            0)
            continue;
        if (isnan(common))
            common = allowed;
        if (!(fabs(allowed - common) <= 1e-6 * common))
            return NAN;
    }
    return common;
}

static const char *unit_text(const struct check_power *power)
{
    enum measure_id id = measure_find(power->measure, strlen(power->measure));

    if (power->in_ratio)
        return "% of the baseline";
    if (power->in_points)
        return "percentage points";
    return id < MEASURE_COUNT && measures[id].unit == UNIT_SECONDS ? "s" : "";
}

static void add_args(const struct check_power *power, const struct span *span,
                     const struct chart_series *series, struct chart *chart)
{
    double allowed = common_allowed(power);

    chart_add_arg(chart, "%s", series->styles.text);
    chart_add_arg(chart, "%.9g %.9g %.9g", span->first, span->last, span->own);
    chart_add_arg(chart, "%.9g %.9g %.9g",
                  fmin(span->small, allowed > 0 ? allowed : INFINITY) / 1.15,
                  span->large * 1.15, allowed > 0 ? allowed : 0);
    chart_add_arg(chart, "%.100s", power->measure);
    chart_add_arg(chart, "%s", unit_text(power));
    chart_add_arg(chart, "%zu", chart_longest_name(&power->input.policy, true));
}

static void prepare(void *context, struct chart *chart)
{
    struct check_power *power = context;
    struct span span = {INFINITY, -INFINITY, INFINITY, -INFINITY, 0};
    struct chart_series series = {0};

    for (size_t i = 0; i < power->input.policy.count; i++) {
        if (put_curve(power, i, "smallest", NULL, NULL) == 0 ||
            !chart_add_series(chart, &series, i))
            continue;
        put_block(power, i, "smallest", chart, &span);
        put_block(power, i, "chance", chart, &span);
    }
    if (series.count == 0)
        snprintf(chart->skip, sizeof chart->skip,
                 "%.60s: no policy has a spread to tell from", power->measure);
    else
        add_args(power, &span, &series, chart);
}

/* ---- the whole ---- */

/* Shares of the baseline, but of what is a share itself or was 0. */
static void choose_scale(struct check_power *power)
{
    enum measure_id id = measure_find(power->measure, strlen(power->measure));

    power->in_points = id < MEASURE_COUNT && measures[id].unit == UNIT_RATIO;
    power->in_ratio = !power->in_points;
    for (size_t row = 1; row < power->table->row_count; row++)
        if (strcmp(cell(power, row, power->columns.measure), power->measure) ==
                0 &&
            !(fabs(number(power, row, power->columns.baseline)) > 0))
            power->in_ratio = false;
}

static int draw_measure(struct check_power *power, const char *output,
                        const char *plots, FILE *text)
{
    char picture[100];
    struct charts_single single = {
        .plots_given = plots,
        .output_given = output,
        .script = "check_power.gp",
        .picture = picture,
        .note = power->input.note,
        .text = text,
        .prepare = prepare,
        .context = power,
    };

    snprintf(picture, sizeof picture, "%.60s-check-power", power->measure);
    for (char *at = picture; *at; at++)
        if (*at == '/')
            *at = '-';
    choose_scale(power);
    return charts_single_draw(&single);
}

int charts_draw_check_power(const struct charts_csv *table, const char *note,
                            const char *output, const char *plots, FILE *text)
{
    struct check_power power = {.table = table};
    struct charts_names names = {0};
    int status = CHARTS_DRAWN;

    if (!find_columns(table, &power.columns))
        return CHARTS_BAD_FOLDER;
    snprintf(power.input.note, sizeof power.input.note, "%s", note);
    power.input.plain_letters = power.input.wide_names = true;
    if (!charts_names_gather(&names, table, "measure", NULL) ||
        !charts_names_gather(&power.input.policy, table, "policy", NULL))
        status = CHARTS_FAILED;
    for (size_t i = 0; status == CHARTS_DRAWN && i < names.count; i++) {
        power.measure = names.at[i];
        status = draw_measure(&power, output, plots, text);
    }
    free(names.at);
    free(power.input.policy.at);
    return status;
}
