#include "sim/experiment/class_fold.h"

#include "sim/measure/stats.h"

#include <math.h>
#include <stdlib.h>

/* Below so many values a P99 is little but the maximum. */
#define P99_NEEDS 100

/* What the measure counts its values by; CLASS_MEASURE_COUNT: no percentile
   that could be weak. */
static enum class_measure counted_by(enum class_measure measure)
{
    switch (measure) {
    case CLASS_LATENCY_P99:
        return CLASS_COMPLETED;
    case CLASS_LATENCY_ALL_P99:
        return CLASS_ARRIVED;
    default:
        return CLASS_MEASURE_COUNT;
    }
}

/* What a run says of each class, or of each source. */
typedef const struct class_result *results_of(const struct run_result *run);

static const struct class_result *classes_of(const struct run_result *run)
{
    return run->classes;
}

static const struct class_result *sources_of(const struct run_result *run)
{
    return run->sources;
}

/* finite is room for one value a replication. */
static void fold_one(results_of *of, const struct run_result *runs,
                     uint32_t count, uint32_t index, enum class_measure measure,
                     double confidence, double *finite,
                     struct class_measure_fold *ret)
{
    enum class_measure behind = counted_by(measure);
    uint32_t n = 0;

    *ret = (struct class_measure_fold){.mean = NAN, .lo = NAN, .hi = NAN};
    for (uint32_t i = 0; i < count; i++) {
        const double *values = of(&runs[i])[index].values;

        if (isinf(values[measure]))
            ret->infinite++;
        else if (!isnan(values[measure]))
            finite[n++] = values[measure];
        if (behind < CLASS_MEASURE_COUNT && values[behind] < P99_NEEDS)
            ret->weak = true;
    }
    if (ret->infinite > 0 || n == 0)
        return;
    ret->mean = stats_mean(finite, n);
    if (n > 1) {
        struct stats_interval interval =
            stats_t_interval(finite, n, confidence);

        ret->lo = interval.lo;
        ret->hi = interval.hi;
    }
}

/* kinds: how many classes, or sources. */
static bool fold_all(results_of *of, uint32_t kinds,
                     const struct run_result *runs, uint32_t count,
                     double confidence, struct class_fold **ret)
{
    double *finite;

    *ret = NULL;
    if (kinds == 0)
        return true;
    finite = calloc(count, sizeof *finite);
    *ret = calloc(kinds, sizeof **ret);
    if (!finite || !*ret) {
        free(finite);
        free(*ret);
        *ret = NULL;
        return false;
    }
    for (uint32_t i = 0; i < kinds; i++)
        for (uint32_t m = 0; m < CLASS_MEASURE_COUNT; m++)
            fold_one(of, runs, count, i, (enum class_measure)m, confidence,
                     finite, &(*ret)[i].measures[m]);
    free(finite);
    return true;
}

bool class_fold_make(const struct run_result *runs, uint32_t count,
                     double confidence, struct class_fold **ret)
{
    return fold_all(classes_of, runs[0].class_count, runs, count, confidence,
                    ret);
}

bool source_fold_make(const struct run_result *runs, uint32_t count,
                      double confidence, struct class_fold **ret)
{
    return fold_all(sources_of, runs[0].source_count, runs, count, confidence,
                    ret);
}
