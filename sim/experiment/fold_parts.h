/*
 * What folds of nodes and of groups have in common. Not for others.
 */
#ifndef SIM_EXPERIMENT_FOLD_PARTS_H
#define SIM_EXPERIMENT_FOLD_PARTS_H

#include <math.h>
#include <stdint.h>

/* A mean over those that have a value. */
struct mean {
    double sum;
    uint32_t n;
};

static inline void mean_add(struct mean *mean, double value)
{
    if (isfinite(value)) {
        mean->sum += value;
        mean->n++;
    }
}

/* NaN where none has one. */
static inline double mean_value(const struct mean *mean)
{
    return mean->n > 0 ? mean->sum / mean->n : NAN;
}

#endif
