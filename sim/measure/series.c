#include "sim/measure/series.h"

const char *const series_columns[SERIES_COUNT] = {
#define SERIES(id, column) [id] = (column),
#include "sim/measure/series.def"
#undef SERIES
};
