/*
 * The last step of a crossover search: where in a bracket the mean of fitted
 * curves is 0, with an interval by inverting a t test (crossover.h says why
 * it holds).
 */
#ifndef SIM_EXPERIMENT_CROSSOVER_FIT_H
#define SIM_EXPERIMENT_CROSSOVER_FIT_H

#include <stdbool.h>
#include <stdint.h>

#define CROSSOVER_PLACES 5

struct crossover_fit {
    double at, lo, hi;
};

/*
 * places: [CROSSOVER_PLACES] ascending, the first and last are the bracket;
 * values: [CROSSOVER_PLACES][stride], of which the first count are there.
 * sign: of the difference at the first place. miss: chance that the interval
 * may miss the root. false: values that are not finite, or too few.
 */
bool crossover_fit(const double *places, const double *values, uint32_t stride,
                   uint32_t count, int sign, double miss,
                   struct crossover_fit *ret);

#endif
