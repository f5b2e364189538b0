#include "sim/cluster/forecast.h"

#include <math.h>
#include <stdlib.h>

struct forecast_spec forecast_defaults(void)
{
    return (struct forecast_spec){
        .method = FORECAST_HOLT,
        .level_share = 0.5,
        .slope_share = 0.3,
        .points = 8,
    };
}

bool forecast_init(struct forecast *forecast, const struct forecast_spec *spec)
{
    *forecast = (struct forecast){.spec = spec};
    if (spec->method == FORECAST_HOLT)
        return true;
    forecast->values = calloc(spec->points, sizeof *forecast->values);
    return forecast->values != NULL;
}

void forecast_done(struct forecast *forecast)
{
    free(forecast->values);
    *forecast = (struct forecast){0};
}

/* The first value is the level, the second gives the slope. */
static void note_holt(struct forecast *forecast, double value)
{
    double a = forecast->spec->level_share, b = forecast->spec->slope_share;
    double before = forecast->level;

    if (forecast->count == 0) {
        forecast->level = value;
        return;
    }
    if (forecast->count == 1) {
        forecast->level = value;
        forecast->slope = value - before;
        return;
    }
    forecast->level = a * value + (1 - a) * (before + forecast->slope);
    forecast->slope =
        b * (forecast->level - before) + (1 - b) * forecast->slope;
}

void forecast_note(struct forecast *forecast, double value)
{
    if (forecast->spec->method == FORECAST_HOLT)
        note_holt(forecast, value);
    else
        forecast->values[forecast->count % forecast->spec->points] = value;
    forecast->count++;
}

/* With x counted from the last value backwards: 0, -1, ... */
static double least_squares(const struct forecast *forecast, double steps)
{
    uint64_t points = forecast->spec->points;
    uint64_t n = forecast->count < points ? forecast->count : points;
    double middle_x = -((double)n - 1) / 2, middle_y = 0;
    double across = 0, square = 0;

    for (uint64_t i = 0; i < n; i++)
        middle_y += forecast->values[(forecast->count - 1 - i) % points];
    middle_y /= (double)n;
    for (uint64_t i = 0; i < n; i++) {
        double x = -(double)i - middle_x;
        double y =
            forecast->values[(forecast->count - 1 - i) % points] - middle_y;

        across += x * y;
        square += x * x;
    }
    return middle_y + (n > 1 ? across / square : 0) * (steps - middle_x);
}

double forecast_at(const struct forecast *forecast, double steps)
{
    if (forecast->count == 0)
        return 0;
    if (forecast->spec->method == FORECAST_HOLT)
        return fmax(forecast->level + steps * forecast->slope, 0);
    return fmax(least_squares(forecast, steps), 0);
}
