/*
 * Where a measured value is heading: a line through what was seen, so that a
 * scaler can order today what it will need when it arrives.
 *
 * Holt's method keeps a level and a slope and lets both follow each new value
 * by a share; the line of least squares goes through the last so many values,
 * all alike.
 */
#ifndef SIM_CLUSTER_TREND_H
#define SIM_CLUSTER_TREND_H

#include <stdbool.h>
#include <stdint.h>

enum trend_method { TREND_HOLT, TREND_LINEAR };

struct trend_spec {
    enum trend_method method;
    double level_share, slope_share; /* holt: from 0 (never) to 1 (at once) */
    uint32_t points;                 /* linear: looked back to, 2 or more */
};

/* Holt with 0.5 and 0.3; linear over 8 points. */
struct trend_spec trend_defaults(void);

struct trend {
    const struct trend_spec *spec;
    double level, slope; /* holt: value, and change per step */
    double *values;      /* linear: [spec->points] a ring */
    uint64_t count;      /* values seen */
};

/* false: no memory; trend_done may be called all the same. */
bool trend_init(struct trend *trend, const struct trend_spec *spec);
void trend_done(struct trend *trend);

/* The next value, one step after the one before. */
void trend_note(struct trend *trend, double value);

/* The value so many steps after the last one, at least 0; 0 before the first.
   With one value seen, that one. */
double trend_forecast(const struct trend *trend, double steps);

#endif
