#include "workloads/dist.h"

#include "workloads/dist_math.h"
#include "workloads/empirical.h"
#include "workloads/gamma.h"

#include <assert.h>

const char *const dist_names[DIST_KIND_COUNT] = {
    "none",      "constant", "uniform",        "exponential",
    "lognormal", "pareto",   "bounded_pareto", "hyperexponential",
    "geometric", "weibull",  "gamma",          "empirical",
};

/*
 * What a struct dist holds, by kind:
 *
 *     constant          a the value
 *     uniform           a the least, b the width
 *     exponential       a the mean
 *     lognormal         a the median, b sigma
 *     pareto            a the least, b 1 / shape
 *     bounded_pareto    a the least, b 1 / shape, c 1 - (min / max)^shape,
 *                       d the greatest
 *     hyperexponential  a, b the means of the phases, c the chance of the first
 *     geometric         a one over the rate of the exponential law of which it
 *                       is the whole part, b the unit in which it counts
 *     weibull           a the scale, b 1 / shape
 *     gamma             a the shape, b the scale
 *     empirical         a the scale of the table's values
 */

static void init_lognormal(struct dist *dist, const struct dist_params *params)
{
    /* The 99 % quantile of the standard normal law. */
    const double z99 = 2.3263478740408412;

    if (!isnan(params->sigma))
        dist->b = params->sigma;
    else if (!isnan(params->scv))
        dist->b = sqrt(dist_log_1_plus(params->scv));
    else
        dist->b = mathx_log(params->p99 / params->median) / z99;

    double mean_over_median = mathx_exp(0.5 * dist->b * dist->b);
    dist->a = isnan(params->median) ? params->mean / mean_over_median
                                    : params->median;
    dist->mean =
        isnan(params->mean) ? params->median * mean_over_median : params->mean;
}

static void init_pareto(struct dist *dist, const struct dist_params *params)
{
    double shape = params->shape;

    dist->a =
        isnan(params->min) ? params->mean * (shape - 1) / shape : params->min;
    dist->b = 1 / shape;
    dist->mean = shape > 1 ? dist->a * shape / (shape - 1) : INFINITY;
}

/*
 * With r = max / min and s the shape, the mean is
 *
 *     min s log(r) dist_growth((1 - s) log(r)) / (1 - r^-s),
 *
 * which is the usual min s / (s - 1) (1 - r^(1 - s)) / (1 - r^-s) (Harchol-
 * Balter, Performance Modeling and Design of Computer Systems, 2013, chapter
 * 20), but holds at s = 1 too.
 */
static void init_bounded_pareto(struct dist *dist,
                                const struct dist_params *params)
{
    double shape = params->shape;
    double ratio =
        isnan(params->ratio) ? params->max / params->min : params->ratio;
    double log_ratio = mathx_log(ratio);

    dist->b = 1 / shape;
    dist->c = shape * log_ratio * dist_growth(-shape * log_ratio);

    double mean_over_min =
        shape * log_ratio * dist_growth((1 - shape) * log_ratio) / dist->c;
    dist->a = isnan(params->min) ? params->mean / mean_over_min : params->min;
    dist->d = isnan(params->max) ? dist->a * ratio : params->max;
    dist->mean = dist->a * mean_over_min;
}

/* Both phases bring half of the mean (Tijms, A First Course in Stochastic
   Models, 2003, appendix B). The chance of the second is computed apart, as it
   is tiny for a large scv. */
static void init_hyperexponential(struct dist *dist,
                                  const struct dist_params *params)
{
    double root = sqrt((params->scv - 1) / (params->scv + 1));
    double second = 1 / ((params->scv + 1) * (1 + root));

    dist->c = 0.5 * (1 + root);
    dist->a = 0.5 * params->mean / dist->c;
    dist->b = 0.5 * params->mean / second;
    dist->mean = params->mean;
}

static void init_geometric(struct dist *dist, const struct dist_params *params)
{
    dist->a = params->mean > 1 ? -1 / dist_log_1_plus(-1 / params->mean) : 0;
    dist->b = 1;
    dist->mean = params->mean;
}

/* The mean is scale Gamma(1 + 1 / shape). */
static void init_weibull(struct dist *dist, const struct dist_params *params)
{
    dist->b = 1 / params->shape;

    double mean_over_scale = gamma_function(1 + dist->b);
    dist->a =
        isnan(params->scale) ? params->mean / mean_over_scale : params->scale;
    dist->mean = dist->a * mean_over_scale;
}

static void init_gamma(struct dist *dist, const struct dist_params *params)
{
    dist->a = isnan(params->shape) ? 1 / params->scv : params->shape;
    dist->b = isnan(params->scale) ? params->mean / dist->a : params->scale;
    dist->mean = isnan(params->mean) ? dist->a * dist->b : params->mean;
}

static void init_empirical(struct dist *dist, const struct dist_params *params)
{
    dist->table = params->table;
    dist->a = isnan(params->scale) ? 1 : params->scale;
    dist->mean = dist->a * empirical_mean(params->table);
}

static void init_law(struct dist *dist, const struct dist_params *params)
{
    switch (params->kind) {
    case DIST_CONSTANT:
        dist->a = dist->mean = params->value;
        break;
    case DIST_UNIFORM:
        dist->a = params->min;
        dist->b = params->max - params->min;
        dist->mean = params->min + 0.5 * dist->b;
        break;
    case DIST_EXPONENTIAL:
        dist->a = dist->mean = params->mean;
        break;
    case DIST_LOGNORMAL:
        init_lognormal(dist, params);
        break;
    case DIST_PARETO:
        init_pareto(dist, params);
        break;
    case DIST_BOUNDED_PARETO:
        init_bounded_pareto(dist, params);
        break;
    case DIST_HYPEREXPONENTIAL:
        init_hyperexponential(dist, params);
        break;
    case DIST_GEOMETRIC:
        init_geometric(dist, params);
        break;
    case DIST_WEIBULL:
        init_weibull(dist, params);
        break;
    case DIST_GAMMA:
        init_gamma(dist, params);
        break;
    case DIST_EMPIRICAL:
        init_empirical(dist, params);
        break;
    default:
        assert(params->kind == DIST_NONE);
        break;
    }
}

bool dist_init(struct dist *dist, const struct dist_params *params,
               char *reterr, size_t reterr_size)
{
    *dist = (struct dist){.kind = DIST_NONE, .at_most = INFINITY};
    if (!dist_params_check(params, reterr, reterr_size))
        return false;

    dist->kind = params->kind;
    if (!isnan(params->at_least))
        dist->at_least = params->at_least;
    if (!isnan(params->at_most))
        dist->at_most = params->at_most;
    init_law(dist, params);
    return true;
}

bool dist_scale_to_mean_1(struct dist *dist)
{
    double scale = 1 / dist->mean;

    if (!(dist->mean > 0) || isinf(dist->mean) || isinf(scale))
        return false;

    /* Which of the numbers are in the unit of the draws depends on the kind. */
    if (dist->kind != DIST_GEOMETRIC && dist->kind != DIST_GAMMA)
        dist->a *= scale;
    if (dist->kind == DIST_UNIFORM || dist->kind == DIST_HYPEREXPONENTIAL ||
        dist->kind == DIST_GEOMETRIC || dist->kind == DIST_GAMMA)
        dist->b *= scale;
    if (dist->kind == DIST_BOUNDED_PARETO)
        dist->d *= scale;
    dist->at_least *= scale;
    dist->at_most *= scale;
    dist->mean = 1;
    return true;
}

static double draw_bounded_pareto(const struct dist *dist, struct rng *rng)
{
    double left = 1 - rng_uniform(rng) * dist->c; /* share of larger ones */
    double drawn = dist->a * mathx_exp(-dist->b * mathx_log(left));

    return drawn < dist->d ? drawn : dist->d;
}

static double draw_hyperexponential(const struct dist *dist, struct rng *rng)
{
    bool first = rng_uniform(rng) < dist->c;

    return (first ? dist->a : dist->b) * dist_draw_exponential(rng);
}

/* Apart, so that a loop which draws exponentials does not carry them all. */
static __attribute__((noinline)) double draw_law(const struct dist *dist,
                                                 struct rng *rng)
{
    switch (dist->kind) {
    case DIST_CONSTANT:
        return dist->a;
    case DIST_UNIFORM:
        return dist->a + dist->b * rng_uniform(rng);
    case DIST_EXPONENTIAL:
        return dist->a * dist_draw_exponential(rng);
    case DIST_LOGNORMAL:
        return dist->a * mathx_exp(dist->b * dist_draw_normal(rng));
    case DIST_PARETO: /* -log U is exponential */
        return dist->a * mathx_exp(dist->b * dist_draw_exponential(rng));
    case DIST_BOUNDED_PARETO:
        return draw_bounded_pareto(dist, rng);
    case DIST_HYPEREXPONENTIAL:
        return draw_hyperexponential(dist, rng);
    case DIST_GEOMETRIC:
        return dist->b * (1 + floor(dist->a * dist_draw_exponential(rng)));
    case DIST_WEIBULL:
        return dist->a * mathx_pow(dist_draw_exponential(rng), dist->b);
    case DIST_GAMMA:
        return dist->b * gamma_draw(rng, dist->a);
    case DIST_EMPIRICAL:
        return dist->a * empirical_draw(dist->table, rng);
    default:
        return 0;
    }
}

double dist_draw(const struct dist *dist, struct rng *rng)
{
    /* The law of theory is drawn most, and need not search for itself. */
    double drawn = dist->kind == DIST_EXPONENTIAL
                       ? dist->a * dist_draw_exponential(rng)
                       : draw_law(dist, rng);

    if (drawn > dist->at_most)
        return dist->at_most;
    return drawn < dist->at_least ? dist->at_least : drawn;
}
