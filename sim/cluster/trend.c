#include "sim/cluster/trend.h"

#include <math.h>
#include <stdlib.h>

struct trend_spec trend_defaults(void)
{
    return (struct trend_spec){
        .method = TREND_HOLT,
        .level_share = 0.5,
        .slope_share = 0.3,
        .points = 8,
    };
}

bool trend_init(struct trend *trend, const struct trend_spec *spec)
{
    *trend = (struct trend){.spec = spec};
    if (spec->method == TREND_HOLT)
        return true;
    trend->values = calloc(spec->points, sizeof *trend->values);
    return trend->values != NULL;
}

void trend_done(struct trend *trend)
{
    free(trend->values);
    *trend = (struct trend){0};
}

/* The first value is the level, the second gives the slope. */
static void note_holt(struct trend *trend, double value)
{
    double a = trend->spec->level_share, b = trend->spec->slope_share;
    double before = trend->level;

    if (trend->count == 0) {
        trend->level = value;
        return;
    }
    if (trend->count == 1) {
        trend->level = value;
        trend->slope = value - before;
        return;
    }
    trend->level = a * value + (1 - a) * (before + trend->slope);
    trend->slope = b * (trend->level - before) + (1 - b) * trend->slope;
}

void trend_note(struct trend *trend, double value)
{
    if (trend->spec->method == TREND_HOLT)
        note_holt(trend, value);
    else
        trend->values[trend->count % trend->spec->points] = value;
    trend->count++;
}

/* With x counted from the last value backwards: 0, -1, ... */
static double least_squares(const struct trend *trend, double steps)
{
    uint64_t points = trend->spec->points;
    uint64_t n = trend->count < points ? trend->count : points;
    double middle_x = -((double)n - 1) / 2, middle_y = 0;
    double across = 0, square = 0;

    for (uint64_t i = 0; i < n; i++)
        middle_y += trend->values[(trend->count - 1 - i) % points];
    middle_y /= (double)n;
    for (uint64_t i = 0; i < n; i++) {
        double x = -(double)i - middle_x;
        double y = trend->values[(trend->count - 1 - i) % points] - middle_y;

        across += x * y;
        square += x * x;
    }
    return middle_y + (n > 1 ? across / square : 0) * (steps - middle_x);
}

double trend_forecast(const struct trend *trend, double steps)
{
    if (trend->count == 0)
        return 0;
    if (trend->spec->method == TREND_HOLT)
        return fmax(trend->level + steps * trend->slope, 0);
    return fmax(least_squares(trend, steps), 0);
}
