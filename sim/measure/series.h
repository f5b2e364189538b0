/*
 * The table of what mechanisms tell over time, of all nodes together: columns
 * of series.csv. A new row is a new column; whoever counts it fills it in.
 */
#ifndef SIM_MEASURE_SERIES_H
#define SIM_MEASURE_SERIES_H

enum series_id {
#define SERIES(id, column) id,
#include "sim/measure/series.def"
#undef SERIES
    SERIES_COUNT
};

extern const char *const series_columns[SERIES_COUNT];

#endif
