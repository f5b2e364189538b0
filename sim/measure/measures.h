/*
 * The table of measures: every number that a run can yield about a policy.
 *
 * One row names a measure as users meet it in summary.json, in columns, goals
 * and objectives; the unit is part of the name. Rows drive folding over
 * replications, output, goals and verdicts, so a new measure is a new row and
 * one assignment in the run that yields it.
 */
#ifndef SIM_MEASURE_MEASURES_H
#define SIM_MEASURE_MEASURES_H

#include <stdbool.h>
#include <stddef.h>

enum measure_unit {
    UNIT_SECONDS,
    UNIT_COUNT,
    UNIT_PER_SECOND,
    UNIT_RATIO,    /* a share, 0 to 1, or a plain ratio */
    UNIT_REQUESTS, /* mean number of requests */
    UNIT_PLAIN     /* a number whose name says all: money, hours */
};

enum measure_better { BETTER_NEITHER, BETTER_LOWER, BETTER_HIGHER };

enum measure_id {
#define MEASURE(id, name, unit, better, help) id,
#include "sim/measure/measures.def"
#undef MEASURE
    MEASURE_COUNT
};

struct measure {
    const char *name; /* "latency_p99_s" */
    enum measure_unit unit;
    enum measure_better better;
    const char *help; /* one line */
    bool optional;    /* of a mechanism: left out of results without it */
};

extern const struct measure measures[MEASURE_COUNT];

/* MEASURE_COUNT when unknown. Accepts the name, or the name without its unit
   suffix ("latency_p99", "success" for success_ratio). */
enum measure_id measure_find(const char *name, size_t length);

#endif
