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

bool skewness_t(const double *values, size_t n, double *ret_t,
                double *ret_unskewed)
{
    double mean = stats_mean(values, n), second = 0, third = 0;

    for (size_t i = 0; i < n; i++) {
        double off = values[i] - mean;

        second += off * off / (double)n;
        third += off * off * off / (double)n;
    }
    if (n < 3 || second <= 0)
        return false;
    *ret_t = mean / sqrt(second / ((double)n - 1));
    *ret_unskewed = skewness_remove(
        *ret_t, SKEWNESS_CAUTION * skewness_estimate(second, third, n), n);
    return true;
}
