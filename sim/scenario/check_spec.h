/*
 * What a check against a baseline watches, and how much worse each measure may
 * be before that is a regression.
 */
#ifndef SIM_SCENARIO_CHECK_SPEC_H
#define SIM_SCENARIO_CHECK_SPEC_H

#include "sim/measure/measures.h"

#include <stdint.h>

#define CHECK_REPLICATIONS_MAX 1000

/* The larger of both counts. */
struct tolerance_spec {
    enum measure_id measure;
    double ratio;  /* of the baseline's value */
    double amount; /* in the measure's unit; 0.005 is half a point of a ratio */
};

struct check_spec {
    double false_alarms;   /* chance of any in a check without change, 0.001 */
    uint32_t replications; /* of baseline and check */
    uint32_t tolerance_count;                /* 1 or more */
    const struct tolerance_spec *tolerances; /* [tolerance_count] */
};

#endif
