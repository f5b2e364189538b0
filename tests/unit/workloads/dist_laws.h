/*
 * The laws that the tests of dist check, each with GSL's distribution function
 * and moments from elsewhere.
 */
#ifndef TESTS_UNIT_WORKLOADS_DIST_LAWS_H
#define TESTS_UNIT_WORKLOADS_DIST_LAWS_H

#include "workloads/dist.h"

#include "tests/check.h"
#include "tests/unit/workloads/ks.h"

#include <gsl/gsl_cdf.h>

enum { SAMPLE = 400000 };

static double sample[SAMPLE];

/* What a law is by another program: GSL's functions, with parameters that are
   found here on another way, or are published. */
struct law {
    double (*share_below)(double x, const void *law);
    double p[4];
};

static inline double uniform_below(double x, const void *context)
{
    const struct law *law = context;

    return gsl_cdf_flat_P(x, law->p[0], law->p[1]);
}

static inline double exponential_below(double x, const void *context)
{
    const struct law *law = context;

    return gsl_cdf_exponential_P(x, law->p[0]);
}

/* p: mean and deviation of the logarithm */
static inline double lognormal_below(double x, const void *context)
{
    const struct law *law = context;

    return gsl_cdf_lognormal_P(x, law->p[0], law->p[1]);
}

/* p: shape, least */
static inline double pareto_below(double x, const void *context)
{
    const struct law *law = context;

    return x < law->p[1] ? 0 : gsl_cdf_pareto_P(x, law->p[0], law->p[1]);
}

/* p: shape, least, greatest: the Pareto law, given that it is not above. */
static inline double bounded_pareto_below(double x, const void *context)
{
    const struct law *law = context;

    if (x <= law->p[1] || x >= law->p[2])
        return x >= law->p[2];
    return gsl_cdf_pareto_P(x, law->p[0], law->p[1]) /
           gsl_cdf_pareto_P(law->p[2], law->p[0], law->p[1]);
}

/* p: chance of the first phase, rates of both */
static inline double hyperexponential_below(double x, const void *context)
{
    const struct law *law = context;

    return law->p[0] * gsl_cdf_exponential_P(x, 1 / law->p[1]) +
           (1 - law->p[0]) * gsl_cdf_exponential_P(x, 1 / law->p[2]);
}

static inline double geometric_below(double x, const void *context)
{
    const struct law *law = context;

    return x < 1 ? 0 : gsl_cdf_geometric_P((unsigned)x, law->p[0]);
}

/* p: scale, shape */
static inline double weibull_below(double x, const void *context)
{
    const struct law *law = context;

    return gsl_cdf_weibull_P(x, law->p[0], law->p[1]);
}

/* p: shape, scale */
static inline double gamma_below(double x, const void *context)
{
    const struct law *law = context;

    return gsl_cdf_gamma_P(x, law->p[0], law->p[1]);
}

/* One set of parameters for each way to describe a law. */
struct sampler {
    const char *what;
    struct dist_params params;
    struct law law;
    double mean;
    double second_moment; /* NaN: too wild to be tested by a sample */
};

/* In the tables here 0 is unsaid, but for the least of a uniform law. */
static inline struct dist_params said(struct dist_params params)
{
    double *fields[] = {
        &params.value,   &params.mean,  &params.median, &params.p99,
        &params.sigma,   &params.scv,   &params.shape,  &params.min,
        &params.max,     &params.ratio, &params.scale,  &params.at_least,
        &params.at_most,
    };

    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (*fields[i] == 0)
            *fields[i] = NAN;
    if (params.kind == DIST_UNIFORM && isnan(params.min))
        params.min = 0;
    return params;
}

static inline struct dist dist_of(struct dist_params params)
{
    struct dist dist;
    char error[200] = "";
    struct dist_params spoken = said(params);

    CHECK(dist_init(&dist, &spoken, error, sizeof error));
    CHECK_TEXT(error, "");
    return dist;
}

/*
 * The laws of mean 1 are those of which Kleinrock's formulas for M/G/1 are
 * tabulated: their moments, the L of the bounded Paretos and the phases of the
 * hyperexponentials were computed independently with mpmath at 40 digits; the
 * others at 25, by the textbook's formulas (the lognormal of median 1020 and
 * p99 4142 has sigma = ln(4142/1020)/2.3263479).
 */
static const struct sampler samplers[] = {
    {"uniform",
     {DIST_UNIFORM, .min = 0, .max = 2},
     {uniform_below, {0, 2}},
     1,
     4.0 / 3},
    {"exponential",
     {DIST_EXPONENTIAL, .mean = 1},
     {exponential_below, {1}},
     1,
     2},
    {"exponential, longer",
     {DIST_EXPONENTIAL, .mean = 250},
     {exponential_below, {250}},
     250,
     125000},
    {"lognormal, mean and scv 1",
     {DIST_LOGNORMAL, .mean = 1, .scv = 1},
     {lognormal_below, {-0.346573590279973, 0.832554611157698}},
     1,
     2},
    {"lognormal, mean and scv 4",
     {DIST_LOGNORMAL, .mean = 1, .scv = 4},
     {lognormal_below, {-0.804718956217050, 1.268636241179520}},
     1,
     5},
    {"lognormal, mean and sigma",
     {DIST_LOGNORMAL, .mean = 1, .sigma = 0.6},
     {lognormal_below, {-0.18, 0.6}},
     1,
     1.433329414560340},
    {"lognormal, median and sigma",
     {DIST_LOGNORMAL, .median = 2, .sigma = 0.5},
     {lognormal_below, {0.693147180559945, 0.5}},
     2.266296906133652,
     6.594885082800513},
    {"lognormal, median and p99",
     {DIST_LOGNORMAL, .median = 1020, .p99 = 4142},
     {lognormal_below, {6.927557906278317, 0.602393198074473}},
     1222.919961102473655,
     2149768.97905764897},
    {"lognormal, median and scv",
     {DIST_LOGNORMAL, .median = 2, .scv = 1},
     {lognormal_below, {0.693147180559945, 0.832554611157698}},
     2.828427124746190,
     16},
    {"pareto 2.5, mean",
     {DIST_PARETO, .shape = 2.5, .mean = 1},
     {pareto_below, {2.5, 0.6}},
     1,
     NAN},
    {"pareto 3.5, mean",
     {DIST_PARETO, .shape = 3.5, .mean = 1},
     {pareto_below, {3.5, 0.714285714285714}},
     1,
     NAN},
    {"pareto 0.8, min",
     {DIST_PARETO, .shape = 0.8, .min = 3},
     {pareto_below, {0.8, 3}},
     INFINITY,
     NAN},
    {"bounded pareto 1.5, ratio 1000",
     {DIST_BOUNDED_PARETO, .shape = 1.5, .mean = 1, .ratio = 1000},
     {bounded_pareto_below, {1.5, 0.344207592200561, 344.207592200561}},
     1,
     10.88479979},
    {"bounded pareto 1.1, ratio 10000",
     {DIST_BOUNDED_PARETO, .shape = 1.1, .mean = 1, .ratio = 10000},
     {bounded_pareto_below, {1.1, 0.151032654495305, 1510.32654495305}},
     1,
     110.9685913},
    {"bounded pareto 2.5, min and max",
     {DIST_BOUNDED_PARETO, .shape = 2.5, .min = 0.603551380606908,
      .max = 18.1065414182072},
     {bounded_pareto_below, {2.5, 0.603551380606908, 18.1065414182072}},
     1,
     1.489138042},
    /* Of shape 1: mean L ln(r) / (1 - 1/r). */
    {"bounded pareto 1, ratio 100",
     {DIST_BOUNDED_PARETO, .shape = 1, .mean = 1, .ratio = 100},
     {bounded_pareto_below, {1, 0.2149757685421097, 21.49757685421097}},
     1,
     4.621458106027071},
    {"hyperexponential, scv 4",
     {DIST_HYPEREXPONENTIAL, .mean = 1, .scv = 4},
     {hyperexponential_below,
      {0.887298334620742, 1.77459666924148, 0.225403330758517}},
     1,
     5},
    {"hyperexponential, scv 10",
     {DIST_HYPEREXPONENTIAL, .mean = 1, .scv = 10},
     {hyperexponential_below,
      {0.952267016866645, 1.90453403373329, 0.0954659662667091}},
     1,
     11},
    {"hyperexponential, scv 1",
     {DIST_HYPEREXPONENTIAL, .mean = 3, .scv = 1},
     {exponential_below, {3}},
     3,
     18},
    {"weibull 0.5, mean",
     {DIST_WEIBULL, .shape = 0.5, .mean = 1},
     {weibull_below, {0.5, 0.5}},
     1,
     6},
    {"weibull 2, mean",
     {DIST_WEIBULL, .shape = 2, .mean = 1},
     {weibull_below, {1.12837916709551257, 2}},
     1,
     1.27323954473516269},
    {"weibull 0.7, scale",
     {DIST_WEIBULL, .shape = 0.7, .scale = 3},
     {weibull_below, {3, 0.7}},
     3.79747051817184983,
     45.2623023192627559},
    {"gamma 0.5, mean",
     {DIST_GAMMA, .shape = 0.5, .mean = 1},
     {gamma_below, {0.5, 2}},
     1,
     3},
    {"gamma 4, mean",
     {DIST_GAMMA, .shape = 4, .mean = 1},
     {gamma_below, {4, 0.25}},
     1,
     1.25},
    {"gamma, mean and scv",
     {DIST_GAMMA, .mean = 3, .scv = 2},
     {gamma_below, {0.5, 6}},
     3,
     27},
    {"gamma, shape and scale",
     {DIST_GAMMA, .shape = 2.5, .scale = 0.2},
     {gamma_below, {2.5, 0.2}},
     0.5,
     0.35},
};
enum { SAMPLER_COUNT = sizeof samplers / sizeof *samplers };

static inline void draw_sample(const struct dist *dist, uint64_t seed)
{
    struct rng rng;

    rng_seed(&rng, seed, 1);
    for (int i = 0; i < SAMPLE; i++)
        sample[i] = dist_draw(dist, &rng);
}

/* Mean of the sample's powers, and how far chance may move it. */
static inline void check_moment(const char *what, int power, double expected)
{
    double sum = 0, squares = 0;

    for (int i = 0; i < SAMPLE; i++)
        sum += pow(sample[i], power);
    sum /= SAMPLE;
    for (int i = 0; i < SAMPLE; i++)
        squares += pow(pow(sample[i], power) - sum, 2);

    double deviation = sqrt(squares / SAMPLE / SAMPLE);
    check_near(what, sum, expected, KS_NORMAL_LIMIT * deviation, __LINE__,
               __FILE__, __func__);
}

#endif
