/* Means of draws within bounds, in closed form: for estimates, not for draws.
 */
#include "workloads/dist.h"
#include "workloads/dist_math.h"
#include "workloads/empirical.h"

#include <gsl/gsl_cdf.h>

/*
 * E min(X, x) of the laws one by one, x finite and more than 0. For the Paretos
 * it is the integral of the share of larger ones, min + the integral of
 * (t / min)^-shape from min to x.
 */
static double limited_lognormal(const struct dist *dist, double x)
{
    double z = mathx_log(x / dist->a);

    if (dist->b == 0)
        return fmin(dist->a, x);
    return dist->mean * gsl_cdf_ugaussian_P(z / dist->b - dist->b) +
           x * gsl_cdf_ugaussian_Q(z / dist->b);
}

static double limited_pareto(const struct dist *dist, double x)
{
    if (x <= dist->a)
        return x;

    double depth = mathx_log(x / dist->a);
    return dist->a * (1 + depth * dist_growth((1 - 1 / dist->b) * depth));
}

static double limited_bounded_pareto(const struct dist *dist, double x)
{
    if (x <= dist->a)
        return x;
    if (x >= dist->d)
        return dist->mean;

    double unbounded = limited_pareto(dist, x) - dist->a;
    return dist->a + (unbounded - (x - dist->a) * (1 - dist->c)) / dist->c;
}

static double limited_exponential(double mean, double x)
{
    return x * dist_growth(-x / mean); /* mean (1 - exp(-x / mean)) */
}

static double limited_geometric(const struct dist *dist, double x)
{
    double limit = x / dist->b, whole = floor(limit);

    if (dist->a == 0)
        return fmin(x, dist->b);

    double chance = -mathx_exp(-1 / dist->a) + 1; /* one over the mean */
    double beyond = mathx_exp(-whole / dist->a);
    return dist->b * ((1 - beyond) / chance + (limit - whole) * beyond);
}

static double limited_uniform(const struct dist *dist, double x)
{
    if (x <= dist->a)
        return x;
    if (x >= dist->a + dist->b)
        return dist->mean;

    double share_below = (x - dist->a) / dist->b;
    return x - 0.5 * share_below * (x - dist->a);
}

/*
 * GSL's incomplete gamma function is exact enough, but searches long where the
 * law is a needle: there it is as good as constant, within 5e-4 of its mean.
 */
static double limited_gamma(const struct dist *dist, double x)
{
    double shape = dist->a, scale = dist->b;

    if (shape > 1e6)
        return fmin(dist->mean, x);
    return dist->mean * gsl_cdf_gamma_P(x, shape + 1, scale) +
           x * gsl_cdf_gamma_Q(x, shape, scale);
}

/* The integral of exp(-(t / scale)^shape) from 0 to x. */
static double limited_weibull(const struct dist *dist, double x)
{
    double power = mathx_pow(x / dist->a, 1 / dist->b);

    if (power < 1e-18) /* hardly any draw is below */
        return x;
    if (power > 1000) /* or above */
        return dist->mean;
    return dist->mean * gsl_cdf_gamma_P(power, dist->b, 1);
}

static double limited_mean(const struct dist *dist, double x)
{
    if (x == 0 || isinf(x))
        return x == 0 ? 0 : dist->mean;
    switch (dist->kind) {
    case DIST_CONSTANT:
        return fmin(dist->a, x);
    case DIST_UNIFORM:
        return limited_uniform(dist, x);
    case DIST_EXPONENTIAL:
        return limited_exponential(dist->a, x);
    case DIST_LOGNORMAL:
        return limited_lognormal(dist, x);
    case DIST_PARETO:
        return limited_pareto(dist, x);
    case DIST_BOUNDED_PARETO:
        return limited_bounded_pareto(dist, x);
    case DIST_HYPEREXPONENTIAL:
        return dist->c * limited_exponential(dist->a, x) +
               (1 - dist->c) * limited_exponential(dist->b, x);
    case DIST_GEOMETRIC:
        return limited_geometric(dist, x);
    case DIST_WEIBULL:
        return limited_weibull(dist, x);
    case DIST_GAMMA:
        return limited_gamma(dist, x);
    case DIST_EMPIRICAL:
        return dist->a * empirical_limited_mean(dist->table, x / dist->a);
    default:
        return 0;
    }
}

/* Of a draw cut to [l, h]: l + the integral of P(X > x) from l to h. */
double dist_effective_mean(const struct dist *dist)
{
    return dist->at_least + limited_mean(dist, dist->at_most) -
           limited_mean(dist, dist->at_least);
}
