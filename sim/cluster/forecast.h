/*
 * Where a measured value is heading: a line through what was seen, so that a
 * scaler can order today what it will need when it arrives.
 *
 * Holt's method keeps a level and a slope and lets both follow each new value
 * by a share; the line of least squares goes through the last so many values,
 * all alike.
 */
#ifndef SIM_CLUSTER_FORECAST_H
#define SIM_CLUSTER_FORECAST_H

#include <stdbool.h>
#include <stdint.h>

enum forecast_method { FORECAST_HOLT, FORECAST_LINEAR };

struct forecast_spec {
    enum forecast_method method;
    double level_share, slope_share; /* holt: from 0 (never) to 1 (at once) */
    uint32_t points;                 /* linear: looked back to, 2 or more */
};

/* Holt with 0.5 and 0.3; linear over 8 points. */
struct forecast_spec forecast_defaults(void);

struct forecast {
    const struct forecast_spec *spec;
    double level, slope; /* holt: value, and change per step */
    double *values;      /* linear: [spec->points] a ring */
    uint64_t count;      /* values seen */
};

/* false: no memory; forecast_done may be called all the same. */
bool forecast_init(struct forecast *forecast, const struct forecast_spec *spec);
void forecast_done(struct forecast *forecast);

/* The next value, one step after the one before. */
void forecast_note(struct forecast *forecast, double value);

/* The value so many steps after the last one, at least 0; 0 before the first.
   With one value seen, that one. */
double forecast_at(const struct forecast *forecast, double steps);

#endif
