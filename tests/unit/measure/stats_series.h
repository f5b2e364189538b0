/*
 * The series that tests of statistics share. Expected values without another
 * source were computed independently with mpmath at 30 digits or with exact
 * fractions, and agree with SciPy or NumPy.
 */
#ifndef TESTS_UNIT_MEASURE_STATS_SERIES_H
#define TESTS_UNIT_MEASURE_STATS_SERIES_H

#include "sim/measure/stats.h"
#include "tests/check.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define CHECK_SAME(actual, expected) \
    CHECK_NEAR(actual, expected, 1e-9 * fabs((double)(expected)))

/* Two policies' ten replications. */
static const double s1[] = {12, 15, 11, 14, 18, 13, 16, 12, 17, 14};
static const double s2[] = {11, 13, 11, 12, 17, 12, 14, 12, 15, 13};

#endif
