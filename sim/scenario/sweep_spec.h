/*
 * What a sweep varies: axes of values whose product is a grid of points, and a
 * search for a crossover at each of them. Points are numbered row by row, the
 * last axis moving fastest.
 *
 * An axis may move several paths in step: one value each, by number.
 */
#ifndef SIM_SCENARIO_SWEEP_SPEC_H
#define SIM_SCENARIO_SWEEP_SPEC_H

#include "sim/measure/measures.h"
#include "sim/scenario/quantity.h"

#include <stdbool.h>
#include <stdint.h>

#define SWEEP_AXES_MAX 6
#define SWEEP_PATHS_MAX 4 /* of one axis, or of a crossover */
#define SWEEP_VALUES_MAX 10000
#define SWEEP_POINTS_MAX 100000
#define SWEEP_SCAN_MAX 17 /* of a crossover's scan */

struct tree;

struct sweep_value {
    const char *text;      /* as --set takes it */
    double number;         /* in the base unit; NaN: a word, or a block */
    const struct tree *at; /* where it was written, for complaints */
};

struct sweep_path {
    const char *path;
    enum quantity_kind kind;
    uint32_t value_count;
    const struct sweep_value *values; /* [value_count] */
    bool may_repeat; /* it moves in step with another, so that values come
                        again */
};

struct sweep_axis {
    bool log_scale;      /* was asked for */
    uint32_t path_count; /* 1 or more, all with the same number of values */
    struct sweep_path paths[SWEEP_PATHS_MAX]; /* the first names the axis */
};

/* A path that a crossover moves from one end to the other. */
struct sweep_span {
    const char *path;
    enum quantity_kind kind;
    double from, to; /* base unit */
    const struct tree *at;
};

struct crossover_spec {
    bool given;
    bool log_scale;
    uint32_t path_count; /* the first is searched, the others move in step, as
                            straight lines of it */
    struct sweep_span spans[SWEEP_PATHS_MAX]; /* the first has from < to */
    double within;           /* of the value, of its logarithm with log_scale;
                                NaN: not said */
    const char *between[2];  /* labels or names of two policies; NULL: the
                                first two */
    enum measure_id measure; /* MEASURE_COUNT: the objective */
    uint32_t scan_points;
    uint32_t most_replications; /* at one value; 0: eight times those of the
                                   scenario */
};

struct sweep_spec {
    uint32_t axis_count;
    struct sweep_axis axes[SWEEP_AXES_MAX];
    struct crossover_spec crossover;
};

/* 1 without axes. */
uint64_t sweep_point_count(const struct sweep_spec *spec);

/* Which value of an axis a point has. */
uint32_t sweep_place(const struct sweep_spec *spec, uint64_t point,
                     uint32_t axis);

/* What a path of a crossover is where the first has this value. */
double sweep_span_at(const struct crossover_spec *spec, uint32_t path,
                     double x);

#endif
