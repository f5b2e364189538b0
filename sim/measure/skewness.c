#include "sim/measure/skewness.h"

#include "sim/measure/stats.h"

#include <math.h>

double skewness_estimate(double second, double third, size_t n)
{
    double count = (double)n;

    return third / (second * sqrt(second)) * sqrt(count * (count - 1)) /
           (count - 2);
}

double skewness_remove(double t, double skewness, size_t n)
{
    double a = skewness / (3 * sqrt((double)n));

    return t + a * t * t + a * a * t * t * t / 3 + a / 2;
}

double skewness_doubt(double t, double skewness, size_t n)
{
    double root = sqrt((double)n), size = fabs(t);
    double chance = SKEWNESS_SPREAD * sqrt(6) / root;
    /* what may lie behind it: a tail on the other side */
    double most = SKEWNESS_CAUTION * copysign(1, -t) * skewness + chance;

    if (most <= 0 || size <= 0)
        return t;
    /* Beyond this skewness the cubic of t moves away from 0 again. */
    double turn = 3 * root * 1.5 * (t * t + 0.5) / (size * size * size);

    double less = skewness_remove(t, copysign(fmin(most, turn), -t), n);

    return less * t > 0 ? less : 0;
}

bool skewness_t(const double *values, size_t n, double *ret)
{
    double mean = stats_mean(values, n), second = 0, third = 0;

    for (size_t i = 0; i < n; i++) {
        double off = values[i] - mean;

        second += off * off / (double)n;
        third += off * off * off / (double)n;
    }
    if (n < 3 || second <= 0)
        return false;
    *ret = skewness_doubt(mean / sqrt(second / ((double)n - 1)),
                          skewness_estimate(second, third, n), n);
    return true;
}
