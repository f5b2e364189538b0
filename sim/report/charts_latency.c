#include "sim/report/charts_data.h"

#include <math.h>
#include <string.h>

/* A goal so many times beyond all that is drawn is out of sight. */
static const double GOAL_FAR = 3;

struct span {
    double low, high; /* INFINITY, -INFINITY: nothing seen yet */
};

static void widen(struct span *span, double value)
{
    span->low = fmin(span->low, value);
    span->high = fmax(span->high, value);
}

struct latency_columns {
    size_t policy, quantile, latency, low, high;
};

static struct latency_columns latency_columns(const struct charts_csv *table)
{
    struct latency_columns at = {
        .policy = charts_csv_column(table, "policy"),
        .quantile = charts_csv_column(table, "quantile_ratio"),
        .latency = charts_csv_column(table, "latency_all_s"),
        .low = charts_csv_column(table, "latency_lo_s"),
        .high = charts_csv_column(table, "latency_hi_s"),
    };

    return at;
}

/* The percentiles that carry a point and, if known, an interval. */
static bool is_marked(double quantile)
{
    static const double marked[] = {0.5, 0.9, 0.99, 0.999};

    for (size_t i = 0; i < sizeof marked / sizeof marked[0]; i++)
        if (fabs(quantile - marked[i]) < 1e-9)
            return true;
    return false;
}

static double tail(double quantile)
{
    return -log10(1 - quantile);
}

/*
 * The interval belongs to the percentile of the answers alone; it is drawn
 * where that of all requests lies inside, which is where they agree.
 */
static void put_quantile(const struct charts_csv *table, size_t row,
                         struct latency_columns at, FILE *data)
{
    double latency = charts_csv_number(table, row, at.latency);
    double low = charts_csv_number(table, row, at.low);
    double high = charts_csv_number(table, row, at.high);
    double quantile = charts_csv_number(table, row, at.quantile);

    if (!(low <= latency && latency <= high))
        low = high = latency;
    fprintf(data, "%.9g\t%.9g\t%.9g\t%.9g\t%d\n", latency, tail(quantile), low,
            high, is_marked(quantile));
}

/* The row of a policy that follows row and has a latency; or row_count. */
static size_t next_quantile(const struct chart_input *input, size_t policy,
                            size_t row)
{
    const struct charts_csv *table = &input->latency;
    struct latency_columns at = latency_columns(table);

    for (row++; row < table->row_count; row++) {
        double quantile = charts_csv_number(table, row, at.quantile);

        if (quantile >= 0 && quantile < 1 &&
            isfinite(charts_csv_number(table, row, at.latency)) &&
            strcmp(charts_csv_cell(table, row, at.policy),
                   input->policy.at[policy]) == 0)
            break;
    }
    return row;
}

static bool has_answers(const struct chart_input *input, size_t policy)
{
    return next_quantile(input, policy, 0) < input->latency.row_count;
}

static void put_curve(const struct chart_input *input, size_t policy,
                      FILE *data, struct span *times, double *top)
{
    const struct charts_csv *table = &input->latency;
    struct latency_columns at = latency_columns(table);

    chart_put_key(input, data, policy);
    for (size_t row = next_quantile(input, policy, 0); row < table->row_count;
         row = next_quantile(input, policy, row)) {
        put_quantile(table, row, at, data);
        widen(times, charts_csv_number(table, row, at.latency));
        *top = fmax(*top, tail(charts_csv_number(table, row, at.quantile)));
    }
    chart_end_block(data);
}

/* Whether every policy meets it; one without a value does not. */
static bool all_meet(const struct chart_input *input,
                     const struct chart_goal *goal)
{
    for (size_t policy = 0; policy < input->policy.count; policy++)
        if (!(chart_measure(input, policy, goal->measure, "") <= goal->bound_s))
            return false;
    return true;
}

enum goal_place { GOAL_DRAWN, GOAL_BEYOND_MET, GOAL_BEYOND_MISSED };

/*
 * Adds the goals, three numbers each: share, seconds and an enum goal_place.
 * One far beyond the curves would squeeze them; the chart then only names it.
 */
static void add_goals(const struct chart_input *input, struct chart *chart,
                      struct span *times)
{
    struct chart_list list = {0};
    double curves_end = times->high;

    for (size_t i = 0; i < input->goal_count; i++) {
        const struct chart_goal *goal = &input->goals[i];
        enum goal_place place = GOAL_DRAWN;

        if (goal->bound_s > GOAL_FAR * curves_end)
            place =
                all_meet(input, goal) ? GOAL_BEYOND_MET : GOAL_BEYOND_MISSED;
        else
            widen(times, goal->bound_s);
        chart_list_add(&list, goal->quantile);
        chart_list_add(&list, goal->bound_s);
        chart_list_add(&list, place);
    }
    chart_add_arg(chart, "%s", list.text);
}

/*
 * Room on both sides, also around a single value. The log scale is for times
 * that differ by much; below a ten-thousandth of the longest nothing is shown,
 * or answers from caches would take half the picture.
 */
static void add_time_axis(struct chart *chart, struct span times)
{
    double low = fmax(times.low, times.high * 1e-4);
    bool log_scale = times.high > 4 * times.low && times.high > 0;
    double room = fmax(0.06 * (times.high - times.low), 0.1 * times.high);

    if (log_scale)
        times = (struct span){low / 1.25, times.high * 1.25};
    else if (times.high > 0)
        times = (struct span){fmax(times.low - room, 0), times.high + room};
    else
        times = (struct span){0, 1};
    chart_add_arg(chart, "%.9g", times.low);
    chart_add_arg(chart, "%.9g", times.high);
    chart_add_arg(chart, "%d", log_scale);
}

void chart_latency_cdf(const struct chart_input *input, struct chart *chart)
{
    struct span times = {INFINITY, -INFINITY};
    struct chart_series series = {0};
    double top = 2;

    if (chart_lacks_rows(&input->latency, chart))
        return;
    for (size_t policy = 0; policy < input->policy.count; policy++)
        if (has_answers(input, policy) &&
            chart_add_series(chart, &series, policy))
            put_curve(input, policy, chart->data, &times, &top);
    if (series.count == 0) {
        snprintf(chart->skip, sizeof chart->skip, "no request was answered");
        return;
    }
    chart_add_arg(chart, "%s", series.styles.text);
    add_goals(input, chart, &times);
    add_time_axis(chart, times);
    chart_add_arg(chart, "%.4g", fmin(top, 4) + 0.12);
}

/* A figure as people write it: three digits, no exponent. */
static void put_figure(FILE *data, double value)
{
    fprintf(data, fabs(value) < 99.95 ? "%.3g" : "%.0f", value);
}

/* A share in a few letters, nothing if it is not known; only all is 100 %. */
static void put_share(FILE *data, double share)
{
    if (share < 1 && share >= 0.9995)
        fputs("> 99.9 %", data);
    else if (isfinite(share))
        fprintf(data, "%.3g %%", 100 * share);
}

/*
 * Value, low, high and a label, which gives the reason if there is no value.
 */
static void put_bar(const struct chart_input *input, size_t policy,
                    const char *measure, FILE *data, double *end)
{
    double value = chart_measure(input, policy, measure, "");
    double low = chart_measure(input, policy, measure, "_lo");
    double high = chart_measure(input, policy, measure, "_hi");
    double shown = isfinite(value) ? value : 0;
    double success = chart_measure(input, policy, "success_ratio", "");

    if (!isfinite(value) || !isfinite(low) || !isfinite(high))
        low = high = shown;
    *end = fmax(*end, high);
    fprintf(data, "\t%.9g\t%.9g\t%.9g\t\"", shown, low, high);
    if (isfinite(value))
        put_figure(data, value);
    else if (success > 0) {
        fputs("infinite: ", data);
        put_share(data, success);
        fputs(" answered", data);
    } else
        fputs("no answer", data);
    fputc('"', data);
}

static const char hits[] = "result_hit_ratio";

static bool has_hits(const struct chart_input *input)
{
    for (size_t policy = 0; policy < input->policy.count; policy++)
        if (chart_measure(input, policy, hits, "") > 0)
            return true;
    return false;
}

/* A row; widens the ends of the two axes. */
static void put_row(const struct chart_input *input, size_t policy, FILE *data,
                    double *p99_end, double *throughput_end)
{
    double p99 = chart_measure(input, policy, "latency_all_p99_s", "");

    fprintf(data, "%zu\t%zu", policy, policy + 1);
    put_bar(input, policy, "latency_all_p99_s", data, p99_end);
    put_bar(input, policy, "throughput_per_s", data, throughput_end);
    fputs("\t\"", data);
    chart_put_letters(input, data, input->policy.at[policy]);
    fprintf(data, "\"\t%d", !isfinite(p99));
    fputs("\t\"", data);
    put_share(data, chart_measure(input, policy, "success_ratio", ""));
    fputs("\"\t\"", data);
    put_share(data, chart_measure(input, policy, hits, ""));
    fputs("\"\n", data);
}

static double p99_goal(const struct chart_input *input)
{
    double bound = 0;

    for (size_t i = 0; i < input->goal_count; i++)
        if (fabs(input->goals[i].quantile - 0.99) < 1e-9 &&
            (bound == 0 || input->goals[i].all))
            bound = input->goals[i].bound_s;
    return bound;
}

void chart_policies(const struct chart_input *input, struct chart *chart)
{
    double p99_end = 0, throughput_end = 0, goal = p99_goal(input);

    if (chart_lacks_rows(&input->policies, chart) ||
        chart_lacks_names(&input->policy, "policy", chart))
        return;
    for (size_t policy = 0; policy < input->policy.count; policy++)
        put_row(input, policy, chart->data, &p99_end, &throughput_end);
    /* A goal far away would squeeze the bars; the chart then only names it. */
    if (goal > 0 && (goal < 2.5 * p99_end || p99_end <= 0))
        p99_end = fmax(p99_end, goal);
    chart_add_arg(chart, "%zu", input->policy.count);
    chart_add_arg(chart, "%.9g", p99_end > 0 ? 1.25 * p99_end : 1);
    chart_add_arg(chart, "%.9g",
                  throughput_end > 0 ? 1.25 * throughput_end : 1);
    chart_add_arg(chart, "%.9g", goal);
    chart_add_arg(chart, "%zu", chart_longest_name(&input->policy, false));
    chart_add_arg(chart, "%d", has_hits(input));
}
