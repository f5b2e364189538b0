#include "sim/measure/power.h"

#include "sim/measure/stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>

enum { STEPS = 400 }; /* even, for Simpson's rule */

static const double NEVER_Z = 9; /* a normal value is never that large */

/* Density of s, the standard deviation of a sample over the true one: df s^2
   has a chi-square distribution. */
static double sd_density(double s, double df)
{
    if (s <= 0)
        return df > 1 ? 0 : 0.7978845608028654; /* that of |Z| */
    return exp(log(2) + df / 2 * log(df / 2) - gsl_sf_lngamma(df / 2) +
               (df - 1) * log(s) - df * s * s / 2);
}

/* Of samples with this s, those that reject. */
static double share_rejected(double s, double t, double shift)
{
    return gsl_cdf_ugaussian_Q(t * s - shift) +
           gsl_cdf_ugaussian_P(-t * s - shift);
}

double power_of_pairs(uint64_t n, double ratio, double alpha)
{
    if (n < 2)
        return NAN;

    double df = (double)(n - 1);
    double t = stats_t_quantile(1 - alpha / 2, df);
    double shift = ratio * sqrt((double)n);
    double reach = 12 / sqrt(2 * df); /* s has a spread of about 1 / that */
    double lo = fmax(0, 1 - reach);
    double hi = fmax(lo, fmin(1 + reach, (shift + NEVER_Z) / t));
    double step = (hi - lo) / STEPS;
    double sum = 0;

    for (int i = 0; i <= STEPS; i++) {
        double s = lo + i * step;
        double weight = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;

        sum += weight * sd_density(s, df) * share_rejected(s, t, shift);
    }
    return sum * step / 3;
}

double power_smallest(uint64_t n, double alpha, double power)
{
    double lo = 0, hi = 1;

    if (n < 2)
        return NAN;
    while (power_of_pairs(n, hi, alpha) < power && hi < 1e9)
        hi *= 2;
    while (hi - lo > 1e-15 * hi) { /* nine digits of it are printed */
        double ratio = (lo + hi) / 2;

        if (power_of_pairs(n, ratio, alpha) < power)
            lo = ratio;
        else
            hi = ratio;
    }
    return hi;
}
