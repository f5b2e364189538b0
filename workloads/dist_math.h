/* What drawing and estimating share; private to the files of dist. */
#ifndef WORKLOADS_DIST_MATH_H
#define WORKLOADS_DIST_MATH_H

#include "workloads/mathx.h"

#include <math.h>

/* (e^t - 1) / t without loss near 0: Kahan's way, by the rounding of e^t. */
static inline double dist_growth(double t)
{
    double power = mathx_exp(t);

    if (power == 1)
        return 1;
    if (power == 0 || power == INFINITY)
        return (power - 1) / t;
    return (power - 1) / mathx_log(power);
}

/* log(1 + x), likewise. */
static inline double dist_log_1_plus(double x)
{
    double sum = 1 + x;

    return sum == 1 ? x : mathx_log(sum) * x / (sum - 1);
}

#endif
