/*
 * Charts of a sweep: lines over one axis, winners over two, where rankings flip
 * against a setting, and the difference that one search looked at.
 */
#include "sim/report/charts_data.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* Two decades or more, and a log scale shows more. */
static const double LOG_SPAN = 100;

enum scale { SCALE_LINEAR, SCALE_LOG, SCALE_PLACES };

struct axis {
    const char *path, *unit;
    const json_t *texts, *numbers;
    size_t count;
    enum scale scale;
};

struct value {
    double mean, lo, hi; /* NaN: none; a mean of INFINITY: beyond bounds */
};

struct span {
    double low, high;
    size_t missing, infinite;
};

/* ---- the document ---- */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

static double number_of(const json_t *object, const char *key)
{
    const json_t *number = json_object_get(object, key);

    return json_is_number(number) ? json_number_value(number) : (double)NAN;
}

static const json_t *points_of(const struct chart_input *input)
{
    return json_object_get(input->sweep, "points");
}

static size_t axis_count(const struct chart_input *input)
{
    return json_array_size(json_object_get(input->sweep, "axes"));
}

static const json_t *question_of(const struct chart_input *input)
{
    return json_object_get(input->sweep, "crossover");
}

static double nth_number(const struct axis *axis, size_t index)
{
    const json_t *number = json_array_get(axis->numbers, index);

    return json_is_number(number) ? json_number_value(number) : (double)NAN;
}

/* Evenly spaced as ratios and not as differences, or of two decades. */
static enum scale choose_scale(const struct axis *axis)
{
    double least = INFINITY, most = -INFINITY, ratio = NAN;
    bool even = axis->count > 2;

    for (size_t i = 0; i < axis->count; i++) {
        double number = nth_number(axis, i);

        if (isnan(number))
            return SCALE_PLACES;
        least = fmin(least, number);
        most = fmax(most, number);
        if (i == 1)
            ratio = number / nth_number(axis, 0);
        if (i > 1 &&
            !(fabs(number / nth_number(axis, i - 1) / ratio - 1) < 0.05))
            even = false;
    }
    if (least > 0 && ratio > 1.2 && (even || most > LOG_SPAN * least))
        return SCALE_LOG;
    return most > LOG_SPAN * least && least == 0 && axis->count < 12
               ? SCALE_PLACES
               : SCALE_LINEAR;
}

static void read_axis(const struct chart_input *input, size_t index,
                      struct axis *ret)
{
    const json_t *axes = json_object_get(input->sweep, "axes");
    const json_t *path = json_array_get(json_array_get(axes, index), 0);

    *ret = (struct axis){
        .path = text_of(path, "path"),
        .unit = text_of(path, "unit"),
        .texts = json_object_get(path, "values"),
        .numbers = json_object_get(path, "numbers"),
    };
    ret->count = json_array_size(ret->texts);
    ret->scale = choose_scale(ret);
}

static const char *nth_text(const struct axis *axis, size_t index)
{
    const char *text = json_string_value(json_array_get(axis->texts, index));

    return text ? text : "";
}

static double place_of(const struct axis *axis, size_t index)
{
    return axis->scale == SCALE_PLACES ? (double)index
                                       : nth_number(axis, index);
}

/* Which value of the axis a point has; count: none. */
static size_t index_of(const struct axis *axis, const json_t *point)
{
    const char *text = text_of(json_object_get(point, "values"), axis->path);
    size_t i = 0;

    while (i < axis->count && strcmp(nth_text(axis, i), text) != 0)
        i++;
    return i;
}

/* ---- values ---- */

static struct value objective_of(const struct chart_input *input,
                                 const json_t *point, size_t policy)
{
    const json_t *of =
        json_array_get(json_object_get(point, "policies"), policy);
    const json_t *fold = json_object_get(json_object_get(of, "measures"),
                                         text_of(input->sweep, "objective"));
    struct value value = {number_of(fold, "mean"), number_of(fold, "lo"),
                          number_of(fold, "hi")};

    if (number_of(fold, "infinite") > 0)
        value.mean = INFINITY;
    return value;
}

static struct value flip_of(const json_t *point)
{
    const json_t *found = json_object_get(point, "crossover");

    return (struct value){number_of(found, "at"), number_of(found, "lo"),
                          number_of(found, "hi")};
}

static void put_value(double place, struct value value, struct span *span,
                      FILE *data)
{
    if (!isfinite(value.mean)) {
        span->missing += !isinf(value.mean);
        span->infinite += isinf(value.mean) != 0;
        fprintf(data, "%.9g\tNaN\tNaN\tNaN\n", place);
        return;
    }
    value.lo = isfinite(value.lo) ? value.lo : value.mean;
    value.hi = isfinite(value.hi) ? value.hi : value.mean;
    fprintf(data, "%.9g\t%.9g\t%.9g\t%.9g\n", place, value.mean, value.lo,
            value.hi);
    span->low = fmin(span->low, value.lo);
    span->high = fmax(span->high, value.hi);
}

/* ---- parts of against.gp's data ---- */

static void put_quoted(const struct chart_input *input, const char *text,
                       FILE *data)
{
    fputc('"', data);
    chart_put_letters(input, data, text);
    fputc('"', data);
}

static void put_tics(const struct chart_input *input, const struct axis *axis,
                     FILE *data)
{
    for (size_t i = 0; i < axis->count; i++) {
        fprintf(data, "%.9g\t", place_of(axis, i));
        put_quoted(input, nth_text(axis, i), data);
        fputc('\n', data);
    }
    chart_end_block(data);
}

static void add_axes(const struct axis *axis, const struct span *span,
                     const char *measure, struct chart *chart)
{
    static const char *const names[] = {"linear", "log", "places"};
    bool log_y = span->low > 0 && span->high > LOG_SPAN * span->low;
    bool has_unit = axis->unit[0] && axis->scale != SCALE_PLACES;
    double room = 0.1 * (span->high - fmin(span->low, 0));
    double bottom = span->low < 0 ? span->low - room : 0;

    chart_add_arg(chart, "%s %.9g %.9g", names[axis->scale], place_of(axis, 0),
                  place_of(axis, axis->count - 1));
    chart_add_arg(chart, "%.9g %.9g", log_y ? span->low / 1.25 : bottom,
                  log_y            ? span->high * 1.25
                  : span->high > 0 ? span->high + room
                  : room > 0       ? room
                                   : 1);
    chart_add_arg(chart, "%.120s%s%s%s", axis->path, has_unit ? " [" : "",
                  has_unit ? axis->unit : "", has_unit ? "]" : "");
    chart_add_arg(chart, "%.120s", measure);
}

/* ---- which chart ---- */

bool chart_is_sweep(const struct chart_input *input)
{
    return input->sweep && !question_of(input) && axis_count(input) == 1;
}

bool chart_is_winners(const struct chart_input *input)
{
    return input->sweep && !question_of(input) && axis_count(input) >= 2;
}

bool chart_is_crossovers(const struct chart_input *input)
{
    return input->sweep && question_of(input) && axis_count(input) >= 1;
}

bool chart_is_difference(const struct chart_input *input)
{
    return input->sweep && question_of(input) && axis_count(input) == 0;
}

/* ---- what cannot be drawn ---- */

static void skip(struct chart *chart, const char *why)
{
    snprintf(chart->skip, sizeof chart->skip, "%s", why);
}

/* Pictures have two axes; a grid of more is drawn part by part. */
static bool has_too_many_axes(const struct chart_input *input,
                              struct chart *chart)
{
    if (axis_count(input) <= 2)
        return false;
    skip(chart, "more than two axes; sweep with one value for the others, "
                "and --store finds what was simulated");
    return true;
}

/* ---- lines over one axis ---- */

static void put_infinite(const struct chart_input *input,
                         const struct axis *axis, FILE *data)
{
    const json_t *points = points_of(input), *point;
    size_t i;

    json_array_foreach (points, i, point) {
        size_t total = 0, rank = 0;

        for (size_t p = 0; p < input->policy.count; p++)
            total += isinf(objective_of(input, point, p).mean) != 0;
        for (size_t p = 0; p < input->policy.count; p++)
            if (isinf(objective_of(input, point, p).mean))
                fprintf(data, "%.9g\t%zu\t%zu\t%zu\n",
                        place_of(axis, index_of(axis, point)), p + 1, rank++,
                        total);
    }
    chart_end_block(data);
}

static void put_policies(const struct chart_input *input,
                         const struct axis *axis, struct chart_series *series,
                         struct span *span, struct chart *chart)
{
    const json_t *points = points_of(input), *point;
    size_t i;

    for (size_t p = 0; p < input->policy.count; p++) {
        if (!chart_add_series(chart, series, p))
            continue;
        put_quoted(input, input->policy.at[p], chart->data);
        fputc('\n', chart->data);
        json_array_foreach (points, i, point) {
            put_value(place_of(axis, index_of(axis, point)),
                      objective_of(input, point, p), span, chart->data);
        }
        chart_end_block(chart->data);
    }
}

void chart_sweep(const struct chart_input *input, struct chart *chart)
{
    struct span span = {.low = INFINITY, .high = -INFINITY};
    struct chart_series series = {0};
    struct axis axis;

    read_axis(input, 0, &axis);
    put_tics(input, &axis, chart->data);
    put_policies(input, &axis, &series, &span, chart);
    if (!isfinite(span.low)) {
        skip(chart, "no point has a finite value of the objective");
        return;
    }
    if (span.infinite > 0)
        put_infinite(input, &axis, chart->data);
    chart_tell_gaps(chart, span.infinite, span.missing,
                    "without a value left out");
    chart_add_arg(chart, "%s", series.styles.text);
    add_axes(&axis, &span, text_of(input->sweep, "objective"), chart);
    chart_add_arg(chart, "%zu %zu", chart_longest_name(&input->policy, true),
                  span.infinite);
}

/* ---- winners over two axes ---- */

static void put_winner(const struct chart_input *input, const struct axis *x,
                       const struct axis *y, const json_t *point, FILE *data)
{
    const char *best = text_of(point, "best");
    size_t winner = charts_names_find(&input->policy, best, 0);

    if (winner == input->policy.count)
        return;
    fprintf(data, "%zu\t%zu\t%zu\t%d\n", index_of(x, point), index_of(y, point),
            winner + 1, json_is_true(json_object_get(point, "best_is_sure")));
}

static void put_places(const struct chart_input *input, const struct axis *axis,
                       FILE *data)
{
    for (size_t i = 0; i < axis->count; i++) {
        fprintf(data, "%zu\t", i);
        put_quoted(input, nth_text(axis, i), data);
        fputc('\n', data);
    }
    chart_end_block(data);
}

static bool has_winner(const struct chart_input *input)
{
    const json_t *points = points_of(input), *point;
    size_t i;

    json_array_foreach (points, i, point) {
        if (*text_of(point, "best"))
            return true;
    }
    return false;
}

/* Nearly all axes have more values than there is room for names. */
enum { PLACES_MAX = 100 };

void chart_winners(const struct chart_input *input, struct chart *chart)
{
    const json_t *points = points_of(input), *point;
    struct axis x, y;
    size_t i;

    if (has_too_many_axes(input, chart))
        return;
    if (!has_winner(input)) {
        skip(chart, "no policy has a value");
        return;
    }
    read_axis(input, 0, &y);
    read_axis(input, 1, &x);
    if (x.count > PLACES_MAX || y.count > PLACES_MAX) {
        skip(chart, "an axis has more than 100 values");
        return;
    }
    put_places(input, &x, chart->data);
    put_places(input, &y, chart->data);
    json_array_foreach (points, i, point) {
        put_winner(input, &x, &y, point, chart->data);
    }
    chart_end_block(chart->data);
    for (i = 0; i < input->policy.count; i++) {
        put_quoted(input, input->policy.at[i], chart->data);
        fputs("\n0\t0\n", chart->data);
        chart_end_block(chart->data);
    }
    chart_add_arg(chart, "%zu %zu %zu %zu", x.count, y.count,
                  input->policy.count,
                  chart_longest_name(&input->policy, true));
    chart_add_arg(chart, "%.120s", x.path);
    chart_add_arg(chart, "%.120s", y.path);
    chart_add_arg(chart, "%.120s", text_of(input->sweep, "objective"));
}

/* ---- where rankings flip ---- */

static void name_question(const struct chart_input *input, char *text,
                          size_t size)
{
    const json_t *path =
        json_array_get(json_object_get(question_of(input), "paths"), 0);
    const char *unit = text_of(path, "unit");

    snprintf(text, size, "%.80s%s%s%s at the flip", text_of(path, "path"),
             *unit ? " [" : "", unit, *unit ? "]" : "");
}

/* A line for each value of the second axis, or one. */
static void put_flips(const struct chart_input *input, const struct axis *x,
                      const struct axis *of, size_t which, struct span *span,
                      FILE *data)
{
    const json_t *points = points_of(input), *point;
    char name[200];
    size_t i;

    snprintf(name, sizeof name, "%.100s%s%.60s", of ? of->path : "flip",
             of ? " = " : "", of ? nth_text(of, which) : "");
    put_quoted(input, name, data);
    fputc('\n', data);
    json_array_foreach (points, i, point) {
        if (!of || index_of(of, point) == which)
            put_value(place_of(x, index_of(x, point)), flip_of(point), span,
                      data);
    }
    chart_end_block(data);
}

static size_t longest_of(const struct axis *of)
{
    size_t longest = 4;

    for (size_t i = 0; of && i < of->count; i++) {
        size_t length = strlen(of->path) + 3 + strlen(nth_text(of, i));

        longest = length > longest ? length : longest;
    }
    return longest < CHART_NAME_WIDE ? longest : CHART_NAME_WIDE;
}

void chart_crossovers(const struct chart_input *input, struct chart *chart)
{
    struct span span = {.low = INFINITY, .high = -INFINITY};
    struct chart_series series = {0};
    size_t axes = axis_count(input);
    struct axis x, second = {0}, *of = axes > 1 ? &second : NULL;
    char measure[120];

    if (has_too_many_axes(input, chart))
        return;
    read_axis(input, 0, &x);
    if (of)
        read_axis(input, 1, of);
    put_tics(input, &x, chart->data);
    for (size_t i = 0; i < (of ? of->count : 1); i++)
        if (chart_add_series(chart, &series, i))
            put_flips(input, &x, of, i, &span, chart->data);
    if (!isfinite(span.low)) {
        skip(chart, "nothing flips");
        return;
    }
    chart_tell_gaps(chart, span.infinite, span.missing,
                    "without a flip left out");
    chart_add_arg(chart, "%s", series.styles.text);
    name_question(input, measure, sizeof measure);
    add_axes(&x, &span, measure, chart);
    chart_add_arg(chart, "%zu 0", longest_of(of));
}

/* ---- what one search looked at ---- */

static bool is_on_log_scale(const struct chart_input *input)
{
    return strcmp(text_of(question_of(input), "scale"), "log") == 0;
}

static void put_flip_tics(const json_t *found, FILE *data)
{
    fprintf(
        data, "%.9g\t\"\"\n",
        number_of(json_array_get(json_object_get(found, "probes"), 0), "x"));
    chart_end_block(data);
}

void chart_difference(const struct chart_input *input, struct chart *chart)
{
    const json_t *found =
        json_object_get(json_array_get(points_of(input), 0), "crossover");
    const json_t *probes = json_object_get(found, "probes"), *probe;
    const json_t *question = question_of(input);
    const json_t *pair = json_object_get(question, "between");
    const json_t *path = json_array_get(json_object_get(question, "paths"), 0);
    struct span span = {.low = 0, .high = 0};
    const char *unit = text_of(path, "unit");
    char name[200];
    size_t i;

    if (json_array_size(probes) == 0) {
        skip(chart, "the search was not finished");
        return;
    }
    snprintf(name, sizeof name, "%.90s minus %.90s",
             json_string_value(json_array_get(pair, 1)),
             json_string_value(json_array_get(pair, 0)));
    put_flip_tics(found, chart->data);
    put_quoted(input, name, chart->data);
    fputc('\n', chart->data);
    json_array_foreach (probes, i, probe) {
        struct value value = {number_of(probe, "difference"),
                              number_of(probe, "lo"), number_of(probe, "hi")};

        put_value(number_of(probe, "x"), value, &span, chart->data);
    }
    chart_end_block(chart->data);
    chart_tell_gaps(chart, span.infinite, span.missing,
                    "without a number left out");
    chart_add_arg(chart, "1");
    chart_add_arg(chart, "%s %.9g %.9g",
                  is_on_log_scale(input) ? "log" : "linear",
                  number_of(path, "from"), number_of(path, "to"));
    chart_add_arg(chart, "%.9g %.9g", 1.1 * span.low - 1e-9,
                  1.1 * span.high + 1e-9);
    chart_add_arg(chart, "%.120s%s%s%s", text_of(path, "path"),
                  *unit ? " [" : "", unit, *unit ? "]" : "");
    chart_add_arg(chart, "difference in %.60s", text_of(question, "measure"));
    chart_add_arg(chart, "%zu 0",
                  strlen(name) < CHART_NAME_WIDE ? strlen(name)
                                                 : CHART_NAME_WIDE);
}
