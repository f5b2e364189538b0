/* For realpath(). NOLINTNEXTLINE(bugprone-reserved-identifier) */
#define _XOPEN_SOURCE 700

#include "sim/report/charts_against.h"

#include "sim/report/charts.h"
#include "sim/report/charts_data.h"
#include "sim/report/charts_single.h"
#include "sim/scenario/loader.h"
#include "sim/scenario/lookup.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_ROOM = PATH_MAX + 200 };

/* Two decades or more, and a log scale shows more. */
static const double LOG_SPAN = 100;

struct point {
    const char *given; /* the folder as the user wrote it */
    struct scenario *scenario;
    struct lookup_value value;
    struct charts_csv policies;
    double place; /* on the axis */
};

enum scale { SCALE_LINEAR, SCALE_LOG, SCALE_PLACES };

struct sweep {
    const struct charts_against *setup;
    struct point *points; /* [count] */
    size_t count;
    const char *measure;
    enum scale scale;
    struct chart_input input; /* of the first folder: names and small print */
    FILE *text;               /* for the user */
};

/* ---- the folders ---- */

static bool load_value(struct sweep *sweep, struct point *point)
{
    const char *setting = sweep->setup->setting;

    switch (scenario_lookup(point->scenario, setting, &point->value)) {
    case LOOKUP_FOUND:
        return true;
    case LOOKUP_NO_SETTING:
        return charts_refuse(sweep->text,
                             "there is no setting '%s'; 'lbsim settings' lists "
                             "all",
                             setting);
    case LOOKUP_NO_VALUE:
        break;
    }
    return charts_refuse(sweep->text, "the scenario of %s says nothing of %s",
                         point->given, setting);
}

static bool load_point(struct sweep *sweep, struct point *point)
{
    struct diag diag = {0};
    char path[PATH_ROOM];

    snprintf(path, sizeof path, "%.*s/scenario.yaml", PATH_MAX, point->given);
    point->scenario = scenario_load(path, NULL, 0, &diag);
    if (!point->scenario) {
        charts_refuse(
            sweep->text,
            "%s is no result folder whose scenario can be read:", point->given);
        fputs(diag.text ? diag.text : "", sweep->text);
    }
    diag_done(&diag);
    if (!point->scenario || !load_value(sweep, point))
        return false;
    if (!charts_csv_load(&point->policies, point->given, "policies.csv"))
        return charts_refuse(sweep->text, "%s has no policies.csv",
                             point->given);
    return true;
}

/* What follows the setting by default, and is written out with it. */
static const struct {
    const char *setting, *follower;
} followers[] = {{"balancer.timeout.total", "drain"}};

/* "path=value" with the value that a point has there; false: it has none. */
static bool write_change(const struct point *point, const char *path, char *ret,
                         size_t size)
{
    struct lookup_value value;

    if (scenario_lookup(point->scenario, path, &value) != LOOKUP_FOUND)
        return false;
    snprintf(ret, size, "%.300s=%s", path, value.text);
    return true;
}

/* The scenario of a point with the value of another is that other one's, or
   more differs than the setting. */
static bool is_same_but_for_value(struct sweep *sweep,
                                  const struct point *first,
                                  const struct point *other)
{
    struct diag diag = {0};
    char path[PATH_ROOM];
    char change[400], followed[400];
    const char *changes[] = {change, followed};
    size_t count = 1;
    struct scenario *changed;
    bool same;

    snprintf(path, sizeof path, "%.*s/scenario.yaml", PATH_MAX, other->given);
    write_change(first, sweep->setup->setting, change, sizeof change);
    for (size_t i = 0; i < sizeof followers / sizeof *followers; i++)
        if (strcmp(followers[i].setting, sweep->setup->setting) == 0 &&
            write_change(first, followers[i].follower, followed,
                         sizeof followed))
            count = 2;
    changed = scenario_load(path, changes, count, &diag);
    same = changed && changed->hash == first->scenario->hash;
    scenario_destroy(changed);
    diag_done(&diag);
    if (same)
        return true;
    return charts_refuse(
        sweep->text,
        "%s and %s differ in more than %s: the chart would show "
        "something else too",
        first->given, other->given, sweep->setup->setting);
}

static bool is_sweep(struct sweep *sweep)
{
    for (size_t i = 1; i < sweep->count; i++) {
        struct point *point = &sweep->points[i];

        for (size_t j = 0; j < i; j++)
            if (strcmp(point->value.text, sweep->points[j].value.text) == 0 ||
                point->value.number == sweep->points[j].value.number)
                return charts_refuse(sweep->text,
                                     "%s and %s have the same value of %s",
                                     sweep->points[j].given, point->given,
                                     sweep->setup->setting);
        if (!is_same_but_for_value(sweep, &sweep->points[0], point))
            return false;
    }
    return true;
}

/* ---- the axis ---- */

static int compare_points(const void *a, const void *b)
{
    const struct point *left = a, *right = b;

    return (left->value.number > right->value.number) -
           (left->value.number < right->value.number);
}

static enum scale choose_scale(const struct sweep *sweep)
{
    double least = INFINITY, most = -INFINITY;

    for (size_t i = 0; i < sweep->count; i++) {
        double number = sweep->points[i].value.number;

        if (isnan(number))
            return SCALE_PLACES;
        least = number > 0 ? fmin(least, number) : least;
        most = fmax(most, number);
    }
    if (!(most > LOG_SPAN * least))
        return SCALE_LINEAR;
    /* sorted: the first is the least of all */
    return sweep->points[0].value.number > 0 ? SCALE_LOG : SCALE_PLACES;
}

/* Numbers in order; words as the folders were given. */
static void place_points(struct sweep *sweep)
{
    bool numbers = true;

    for (size_t i = 0; i < sweep->count; i++)
        numbers = numbers && !isnan(sweep->points[i].value.number);
    if (numbers)
        qsort(sweep->points, sweep->count, sizeof *sweep->points,
              compare_points);
    sweep->scale = choose_scale(sweep);
    for (size_t i = 0; i < sweep->count; i++)
        sweep->points[i].place = sweep->scale == SCALE_PLACES
                                     ? (double)i
                                     : sweep->points[i].value.number;
}

/* ---- the data ---- */

/* A value that is infinite in some replication has an empty cell and a reason
   among the notes: "latency_all_p99_s infinite in 2 of 3 replications". */
static bool is_noted_infinite(const struct sweep *sweep,
                              const struct charts_csv *table, size_t row)
{
    const char *notes =
        charts_csv_cell(table, row, charts_csv_column(table, "notes"));
    char words[100];
    const char *at;

    snprintf(words, sizeof words, "%.80s infinite", sweep->measure);
    at = strstr(notes, words);
    return at && (at == notes || at[-1] == ' ');
}

/* NaN: no value; INFINITY, of the mean alone: infinite. */
static double read_measure(const struct sweep *sweep, const struct point *point,
                           size_t policy, const char *suffix)
{
    const struct charts_csv *table = &point->policies;
    size_t names = charts_csv_column(table, "policy");
    char column[100];
    double value;

    snprintf(column, sizeof column, "%.80s%s", sweep->measure, suffix);
    for (size_t row = 1; row < table->row_count; row++) {
        if (strcmp(charts_csv_cell(table, row, names),
                   sweep->input.policy.at[policy]) != 0)
            continue;
        value = charts_csv_number(table, row, charts_csv_column(table, column));
        return isnan(value) && !*suffix && is_noted_infinite(sweep, table, row)
                   ? INFINITY
                   : value;
    }
    return NAN;
}

struct span {
    double low, high;
    size_t missing;  /* points without a value */
    size_t infinite; /* points at the upper edge */
};

/* Writes, unless data is NULL; returns how many finite points there are. An
   infinite one interrupts the line. */
static size_t put_policy(const struct sweep *sweep, size_t policy, FILE *data,
                         struct span *span)
{
    size_t count = 0;

    for (size_t i = 0; i < sweep->count; i++) {
        const struct point *point = &sweep->points[i];
        double mean = read_measure(sweep, point, policy, "");
        double lo = read_measure(sweep, point, policy, "_lo");
        double hi = read_measure(sweep, point, policy, "_hi");

        if (!isfinite(mean)) {
            span->missing += !isinf(mean);
            span->infinite += isinf(mean) != 0;
            if (data)
                fprintf(data, "%.9g\tNaN\tNaN\tNaN\n", point->place);
            continue;
        }
        lo = isfinite(lo) ? lo : mean;
        hi = isfinite(hi) ? hi : mean;
        if (data)
            fprintf(data, "%.9g\t%.9g\t%.9g\t%.9g\n", point->place, mean, lo,
                    hi);
        span->low = fmin(span->low, lo > 0 ? lo : mean);
        span->high = fmax(span->high, hi);
        count++;
    }
    return count;
}

/* Of the policies that are infinite at a point: which of them this one is,
   from 0, and how many they are. false: it is not. */
static bool find_infinite(const struct sweep *sweep, const struct point *point,
                          size_t policy, size_t *ret_rank, size_t *ret_count)
{
    *ret_rank = *ret_count = 0;
    for (size_t i = 0; i < sweep->input.policy.count; i++)
        if (isinf(read_measure(sweep, point, i, ""))) {
            *ret_rank += i < policy;
            ++*ret_count;
        }
    return isinf(read_measure(sweep, point, policy, ""));
}

/* The last block: place, series, rank and count of each infinite point, so
   that those of one place can stand beside each other. */
static void put_infinite(const struct sweep *sweep, FILE *data)
{
    size_t rank, count;

    for (size_t policy = 0; policy < sweep->input.policy.count; policy++)
        for (size_t i = 0; i < sweep->count; i++)
            if (find_infinite(sweep, &sweep->points[i], policy, &rank, &count))
                fprintf(data, "%.9g\t%zu\t%zu\t%zu\n", sweep->points[i].place,
                        policy + 1, rank, count);
    chart_end_block(data);
}

static void put_tics(const struct sweep *sweep, FILE *data)
{
    for (size_t i = 0; i < sweep->count; i++) {
        fprintf(data, "%.9g\t\"", sweep->points[i].place);
        chart_put_letters(&sweep->input, data, sweep->points[i].value.text);
        fputs("\"\n", data);
    }
    chart_end_block(data);
}

static void add_axes(const struct sweep *sweep, const struct span *span,
                     struct chart *chart)
{
    const struct point *last = &sweep->points[sweep->count - 1];
    double first = sweep->points[0].place;
    bool log_y = span->low > 0 && span->high > LOG_SPAN * span->low;
    const char *scale = sweep->scale == SCALE_LOG      ? "log"
                        : sweep->scale == SCALE_LINEAR ? "linear"
                                                       : "places";

    chart_add_arg(chart, "%s %.9g %.9g", scale, first, last->place);
    chart_add_arg(chart, "%.9g %.9g", log_y ? span->low / 1.25 : 0,
                  span->high > 0 ? span->high * (log_y ? 1.25 : 1.1) : 1);
    chart_add_arg(
        chart, "%.120s%s%s%s", sweep->setup->setting,
        last->value.unit[0] && sweep->scale != SCALE_PLACES ? " [" : "",
        sweep->scale != SCALE_PLACES ? last->value.unit : "",
        last->value.unit[0] && sweep->scale != SCALE_PLACES ? "]" : "");
    chart_add_arg(chart, "%.120s", sweep->measure);
}

static void prepare(const struct sweep *sweep, struct chart *chart)
{
    struct chart_series series = {0};
    struct span span = {.low = INFINITY, .high = -INFINITY};
    size_t finite = 0;

    put_tics(sweep, chart->data);
    for (size_t policy = 0; policy < sweep->input.policy.count; policy++) {
        struct span own = {.low = INFINITY, .high = -INFINITY};

        finite += put_policy(sweep, policy, NULL, &own);
        if (own.missing == sweep->count) {
            span.missing += own.missing;
            continue;
        }
        if (!chart_add_series(chart, &series, policy))
            continue;
        fputc('"', chart->data);
        chart_put_letters(&sweep->input, chart->data,
                          sweep->input.policy.at[policy]);
        fputs("\"\n", chart->data);
        put_policy(sweep, policy, chart->data, &span);
        chart_end_block(chart->data);
    }
    if (finite == 0) {
        snprintf(chart->skip, sizeof chart->skip,
                 "no folder has a finite value of %.60s", sweep->measure);
        return;
    }
    if (span.infinite > 0)
        put_infinite(sweep, chart->data);
    chart_tell_gaps(chart, span.infinite, span.missing,
                    "without a value left out");
    chart_add_arg(chart, "%s", series.styles.text);
    add_axes(sweep, &span, chart);
    chart_add_arg(chart, "%zu %zu",
                  chart_longest_name(&sweep->input.policy, true),
                  span.infinite);
}

/* ---- the whole ---- */

/* Brackets of "nodes[gpu].count" have no place in a file's name. */
static void name_picture(const struct sweep *sweep, char *ret, size_t size)
{
    snprintf(ret, size, "%.60s-by-%.100s", sweep->measure,
             sweep->setup->setting);
    for (char *at = ret; *at; at++)
        if (*at == '[' || *at == ']' || *at == '/')
            *at = '-';
}

static bool load_points(struct sweep *sweep)
{
    const struct charts_against *setup = sweep->setup;

    if (setup->folder_count < 2)
        return charts_refuse(sweep->text,
                             "a chart against a setting needs two result "
                             "folders at least");
    for (size_t i = 0; i < setup->folder_count; i++) {
        sweep->points[i].given = setup->folders[i];
        sweep->count++;
        if (!load_point(sweep, &sweep->points[i]))
            return false;
    }
    return is_sweep(sweep);
}

static bool choose_measure(struct sweep *sweep)
{
    const char *named = sweep->setup->measure;

    assert(sweep->points[0].scenario); /* all are loaded */
    enum measure_id id = sweep->points[0].scenario->objective;

    if (named)
        id = measure_find(named, strlen(named));
    if (id == MEASURE_COUNT)
        return charts_refuse(sweep->text,
                             "there is no measure '%s'; 'lbsim settings "
                             "objective' lists them",
                             named);
    sweep->measure = measures[id].name;
    return true;
}

static void prepare_chart(void *context, struct chart *chart)
{
    prepare(context, chart);
}

static int draw_sweep(struct sweep *sweep)
{
    char picture[200];
    struct charts_single single = {
        .plots_given = sweep->setup->plots,
        .output_given = sweep->setup->output,
        .script = "against.gp",
        .picture = picture,
        .note = sweep->input.note,
        .text = sweep->text,
        .prepare = prepare_chart,
        .context = sweep,
    };

    if (!load_points(sweep) || !choose_measure(sweep))
        return CHARTS_BAD_FOLDER;
    place_points(sweep);
    if (!chart_input_load(&sweep->input, sweep->points[0].given))
        return CHARTS_FAILED;
    sweep->input.plain_letters = sweep->input.wide_names = true;
    name_picture(sweep, picture, sizeof picture);
    return charts_single_draw(&single);
}

int charts_draw_against(const struct charts_against *setup, char **ret_text)
{
    struct sweep sweep = {
        .setup = setup,
        .points = calloc(setup->folder_count + 1, sizeof *sweep.points),
    };
    size_t size;
    int status = CHARTS_FAILED;

    *ret_text = NULL;
    sweep.text = open_memstream(ret_text, &size);
    if (sweep.points && sweep.text)
        status = draw_sweep(&sweep);
    for (size_t i = 0; sweep.points && i < sweep.count; i++) {
        scenario_destroy(sweep.points[i].scenario);
        charts_csv_done(&sweep.points[i].policies);
    }
    chart_input_done(&sweep.input);
    if (sweep.text && fclose(sweep.text) != 0)
        status = CHARTS_FAILED;
    free(sweep.points);
    return status;
}
