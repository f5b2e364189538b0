#include "sim/measure/spending.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

enum { POINTS = 129 }; /* odd, for Simpson's rule */

static const double FARTHEST_Z = 40; /* bounds beyond it are never crossed */
static const double TAIL_Z = 8;      /* nor is there anything to integrate */

/* Sums that have crossed no bound so far: their density at even distances. */
struct density {
    double variance; /* of the sum, without any bounds */
    double step;
    double at[POINTS], mass[POINTS]; /* mass: density times Simpson's weight */
};

static double weight_of(uint32_t i)
{
    if (i == 0 || i == POINTS - 1)
        return 1.0 / 3;
    return i % 2 ? 4.0 / 3 : 2.0 / 3;
}

static void lay_out(struct density *density, double variance, double z)
{
    double bound = fmin(z, TAIL_Z) * sqrt(variance);

    density->variance = variance;
    density->step = 2 * bound / (POINTS - 1);
    for (uint32_t i = 0; i < POINTS; i++)
        density->at[i] = -bound + i * density->step;
}

static double normal_density(double x, double variance)
{
    static const double two_pi = 6.283185307179586;

    return exp(-x * x / (2 * variance)) / sqrt(two_pi * variance);
}

static void begin(struct density *density, double variance, double z)
{
    lay_out(density, variance, z);
    for (uint32_t i = 0; i < POINTS; i++)
        density->mass[i] = weight_of(i) * density->step *
                           normal_density(density->at[i], variance);
}

/* The chance to be outside of +-bound once the sum has grown by a part with
   this variance. */
static double chance_outside(const struct density *density, double variance,
                             double bound)
{
    double sd = sqrt(variance);
    double chance = 0;

    for (uint32_t i = 0; i < POINTS; i++)
        chance += density->mass[i] *
                  (gsl_cdf_ugaussian_Q((bound - density->at[i]) / sd) +
                   gsl_cdf_ugaussian_Q((bound + density->at[i]) / sd));
    return chance;
}

static void advance(struct density *density, double variance, double z)
{
    struct density next;
    double grown = variance - density->variance;

    lay_out(&next, variance, z);
    for (uint32_t i = 0; i < POINTS; i++) {
        double sum = 0;

        for (uint32_t j = 0; j < POINTS; j++)
            sum += density->mass[j] *
                   normal_density(next.at[i] - density->at[j], grown);
        next.mass[i] = weight_of(i) * next.step * sum;
    }
    *density = next;
}

/* The bound, in standard deviations, that leaves this chance. */
static double find_bound(const struct density *density, double variance,
                         double chance)
{
    double lo = 0, hi = FARTHEST_Z;

    /* To the last bit: nine digits of it are printed. */
    while (hi - lo > 1e-15 * hi) {
        double z = (lo + hi) / 2;

        if (chance_outside(density, variance - density->variance,
                           z * sqrt(variance)) > chance)
            lo = z;
        else
            hi = z;
    }
    return hi;
}

void spending_levels(const double *at, const double *spend, uint32_t looks,
                     double *ret_levels)
{
    struct density density;

    assert(looks >= 1 && looks <= SPENDING_LOOKS_MAX);
    for (uint32_t k = 0; k < looks; k++) {
        double variance = at[k] / at[0];
        double z;

        if (k == 0) {
            ret_levels[k] = spend[k];
            z = gsl_cdf_ugaussian_Qinv(spend[k] / 2);
            begin(&density, variance, z);
            continue;
        }
        z = find_bound(&density, variance, spend[k]);
        ret_levels[k] = 2 * gsl_cdf_ugaussian_Q(z);
        if (k + 1 < looks)
            advance(&density, variance, z);
    }
}
