#include "workloads/dist.h"

#include "tests/check.h"
#include "tests/unit/workloads/ks.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_integration.h>

enum { SAMPLE = 400000 };

static double sample[SAMPLE];

/* What a law is by another program: GSL's functions, with parameters that are
   found here on another way, or are published. */
struct law {
    double (*share_below)(double x, const void *law);
    double p[4];
};

static double uniform_below(double x, const void *context)
{
    const struct law *law = context;

    return gsl_cdf_flat_P(x, law->p[0], law->p[1]);
}

static double exponential_below(double x, const void *context)
{
    const struct law *law = context;

    return gsl_cdf_exponential_P(x, law->p[0]);
}

/* p: mean and deviation of the logarithm */
static double lognormal_below(double x, const void *context)
{
    const struct law *law = context;

    return gsl_cdf_lognormal_P(x, law->p[0], law->p[1]);
}

/* p: shape, least */
static double pareto_below(double x, const void *context)
{
    const struct law *law = context;

    return x < law->p[1] ? 0 : gsl_cdf_pareto_P(x, law->p[0], law->p[1]);
}

/* p: shape, least, greatest: the Pareto law, given that it is not above. */
static double bounded_pareto_below(double x, const void *context)
{
    const struct law *law = context;

    if (x <= law->p[1] || x >= law->p[2])
        return x >= law->p[2];
    return gsl_cdf_pareto_P(x, law->p[0], law->p[1]) /
           gsl_cdf_pareto_P(law->p[2], law->p[0], law->p[1]);
}

/* p: chance of the first phase, rates of both */
static double hyperexponential_below(double x, const void *context)
{
    const struct law *law = context;

    return law->p[0] * gsl_cdf_exponential_P(x, 1 / law->p[1]) +
           (1 - law->p[0]) * gsl_cdf_exponential_P(x, 1 / law->p[2]);
}

static double geometric_below(double x, const void *context)
{
    const struct law *law = context;

    return x < 1 ? 0 : gsl_cdf_geometric_P((unsigned)x, law->p[0]);
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
static struct dist_params said(struct dist_params params)
{
    double *fields[] = {
        &params.value, &params.mean,  &params.median,   &params.p99,
        &params.sigma, &params.scv,   &params.shape,    &params.min,
        &params.max,   &params.ratio, &params.at_least, &params.at_most,
    };

    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (*fields[i] == 0)
            *fields[i] = NAN;
    if (params.kind == DIST_UNIFORM && isnan(params.min))
        params.min = 0;
    return params;
}

static struct dist dist_of(struct dist_params params)
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
};
enum { SAMPLER_COUNT = sizeof samplers / sizeof *samplers };

static void draw_sample(const struct dist *dist, uint64_t seed)
{
    struct rng rng;

    rng_seed(&rng, seed, 1);
    for (int i = 0; i < SAMPLE; i++)
        sample[i] = dist_draw(dist, &rng);
}

static void draws_follow_their_laws(void)
{
    for (uint64_t i = 0; i < SAMPLER_COUNT; i++) {
        struct dist dist = dist_of(samplers[i].params);

        draw_sample(&dist, 1000 + i);
        check_near(samplers[i].what,
                   ks_distance(sample, SAMPLE, samplers[i].law.share_below,
                               &samplers[i].law),
                   0, KS_LIMIT, __LINE__, __FILE__, __func__);
    }
}

/* Mean of the sample's powers, and how far chance may move it. */
static void check_moment(const char *what, int power, double expected)
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

static void moments_of_draws_are_right(void)
{
    for (uint64_t i = 0; i < SAMPLER_COUNT; i++) {
        struct dist dist = dist_of(samplers[i].params);

        draw_sample(&dist, 2000 + i);
        if (isfinite(samplers[i].mean))
            check_moment(samplers[i].what, 1, samplers[i].mean);
        if (!isnan(samplers[i].second_moment))
            check_moment(samplers[i].what, 2, samplers[i].second_moment);
    }
}

static void means_are_known_exactly(void)
{
    for (size_t i = 0; i < SAMPLER_COUNT; i++) {
        struct dist dist = dist_of(samplers[i].params);
        double mean = samplers[i].mean;

        if (isinf(mean)) {
            CHECK(isinf(dist.mean) && isinf(dist_effective_mean(&dist)));
            continue;
        }
        check_near(samplers[i].what, dist.mean, mean, 1e-12 * mean, __LINE__,
                   __FILE__, __func__);
        check_near(samplers[i].what, dist_effective_mean(&dist), mean,
                   1e-12 * mean, __LINE__, __FILE__, __func__);
    }
}

static void constant_draws_its_value(void)
{
    struct dist dist = dist_of((struct dist_params){DIST_CONSTANT, .value = 7});
    struct rng rng, same;

    rng_seed(&rng, 1, 1);
    same = rng;
    CHECK_NEAR(dist_draw(&dist, &rng), 7, 0);
    CHECK(rng.state == same.state); /* draws nothing */
    CHECK_NEAR(dist_effective_mean(&dist), 7, 0);
}

static void none_draws_nothing(void)
{
    struct dist_params params = DIST_PARAMS_NONE;
    struct dist dist;
    struct rng rng = {0};

    CHECK(dist_init(&dist, &params, NULL, 0));
    CHECK_NEAR(dist_draw(&dist, &rng), 0, 0);
    CHECK_NEAR(dist_effective_mean(&dist), 0, 0);
    CHECK(rng.state == 0);
}

static void lognormal_of_no_width_is_constant(void)
{
    struct dist_params params = DIST_PARAMS_NONE;
    struct dist dist;
    struct rng rng;

    params.kind = DIST_LOGNORMAL;
    params.median = 5;
    params.sigma = 0;
    params.at_most = 8;
    CHECK(dist_init(&dist, &params, NULL, 0));
    rng_seed(&rng, 1, 1);
    CHECK_NEAR(dist_draw(&dist, &rng), 5, 0);
    CHECK_NEAR(dist_effective_mean(&dist), 5, 0);
}

/* Pearson's chi-square over 1 .. cells - 1 and all above. */
static double geometric_chi_square(double mean, int cells)
{
    struct dist dist =
        dist_of((struct dist_params){DIST_GEOMETRIC, .mean = mean});
    struct law law = {geometric_below, {1 / mean}};
    double chi2 = 0;
    int at = 0;

    draw_sample(&dist, 3000);
    qsort(sample, SAMPLE, sizeof *sample, ks_compare);
    for (int k = 1; k <= cells; k++) {
        double high = k < cells ? geometric_below(k, &law) : 1;
        double expected = SAMPLE * (high - geometric_below(k - 1, &law));
        int from = at;

        while (at < SAMPLE && (k == cells || sample[at] <= k))
            at++;
        chi2 += pow(at - from - expected, 2) / expected;
    }
    return chi2;
}

static void geometric_counts_follow_their_law(void)
{
    CHECK(gsl_cdf_chisq_Q(geometric_chi_square(1.25, 6), 5) > 0.001);
    CHECK(gsl_cdf_chisq_Q(geometric_chi_square(3, 20), 19) > 0.001);
    CHECK(gsl_cdf_chisq_Q(geometric_chi_square(180, 500), 499) > 0.001);
    for (int i = 0; i < SAMPLE; i++)
        CHECK(sample[i] >= 1 && sample[i] == floor(sample[i]));
    check_moment("geometric of mean 180", 1, 180);
    /* variance (1 - p) / p^2 */
    check_moment("geometric of mean 180", 2, 180 * 179 + 180 * 180);
}

static void geometric_of_mean_1_is_1(void)
{
    struct dist dist = dist_of((struct dist_params){DIST_GEOMETRIC, .mean = 1});

    draw_sample(&dist, 1);
    check_moment("geometric of mean 1", 1, 1);
    CHECK_NEAR(dist_effective_mean(&dist), 1, 0);
}

static void draws_stay_within_the_law(void)
{
    struct dist bounded = dist_of((struct dist_params){
        DIST_BOUNDED_PARETO, .shape = 0.2, .min = 2, .max = 3});
    struct dist uniform =
        dist_of((struct dist_params){DIST_UNIFORM, .min = 2, .max = 3});

    draw_sample(&bounded, 1);
    for (int i = 0; i < SAMPLE; i++)
        CHECK(sample[i] >= 2 && sample[i] <= 3);
    draw_sample(&uniform, 1);
    for (int i = 0; i < SAMPLE; i++)
        CHECK(sample[i] >= 2 && sample[i] <= 3);
}

static void draws_outside_the_bounds_are_set_to_them(void)
{
    struct dist dist = dist_of((struct dist_params){
        DIST_EXPONENTIAL, .mean = 1, .at_least = 0.5, .at_most = 2});
    int low = 0, high = 0;

    draw_sample(&dist, 4000);
    for (int i = 0; i < SAMPLE; i++) {
        CHECK(sample[i] >= 0.5 && sample[i] <= 2);
        low += sample[i] == 0.5;
        high += sample[i] == 2;
    }

    double share_low = 1 - exp(-0.5), share_high = exp(-2);
    CHECK_NEAR((double)low / SAMPLE, share_low,
               KS_NORMAL_LIMIT * sqrt(share_low * (1 - share_low) / SAMPLE));
    CHECK_NEAR((double)high / SAMPLE, share_high,
               KS_NORMAL_LIMIT * sqrt(share_high * (1 - share_high) / SAMPLE));
    /* 0.5 + the integral of exp(-x) from 0.5 to 2 */
    CHECK_NEAR(dist_effective_mean(&dist), 0.5 + exp(-0.5) - exp(-2), 1e-14);
}

static double share_above(double x, void *context)
{
    const struct law *law = context;

    return 1 - law->share_below(x, law);
}

/* low + the integral of P(X > x) over the bounds, by GSL's quadrature; kinks
   of the law inside are given to it. */
static double integrated_mean(const struct law *law, double low, double high)
{
    gsl_integration_workspace *space = gsl_integration_workspace_alloc(500);
    struct law copy = *law;
    gsl_function share = {share_above, &copy};
    double cuts[4] = {low, low, high, high}, total = low, part, error;

    /* pareto and bounded pareto begin, and end, at once */
    cuts[1] = fmin(fmax(law->p[1], low), high);
    cuts[2] = law->share_below == bounded_pareto_below
                  ? fmax(fmin(law->p[2], high), cuts[1])
                  : high;
    for (int i = 0; i < 3; i++) {
        gsl_integration_qag(&share, cuts[i], cuts[i + 1], 1e-13, 1e-11, 500,
                            GSL_INTEG_GAUSS61, space, &part, &error);
        total += part;
    }
    gsl_integration_workspace_free(space);
    return total;
}

static void effective_means_count_the_bounds(void)
{
    static const double bounds[][2] = {
        {0.01, 3}, {0.5, 1.2}, {0.7, 40}, {5, 9}};

    for (size_t i = 0; i < SAMPLER_COUNT; i++)
        for (size_t j = 0; j < sizeof bounds / sizeof *bounds; j++) {
            struct dist_params params = samplers[i].params;
            double unit = isfinite(samplers[i].mean) ? samplers[i].mean : 5;

            params.at_least = bounds[j][0] * unit;
            params.at_most = bounds[j][1] * unit;

            struct dist dist = dist_of(params);
            double expected = integrated_mean(&samplers[i].law, params.at_least,
                                              params.at_most);
            check_near(samplers[i].what, dist_effective_mean(&dist), expected,
                       1e-9 * expected, __LINE__, __FILE__, __func__);
        }
}

static double mean_within(struct dist_params params, double low, double high)
{
    params.at_least = low;
    params.at_most = high;

    struct dist dist = dist_of(params);
    return dist_effective_mean(&dist);
}

static void effective_means_of_plain_laws_are_arithmetic(void)
{
    struct dist_params seven = {DIST_CONSTANT, .value = 7};
    struct dist_params one = {DIST_GEOMETRIC, .mean = 1};
    struct dist_params flat = {DIST_UNIFORM, .min = 2, .max = 4};

    CHECK_NEAR(mean_within(seven, 1, 9), 7, 0);
    CHECK_NEAR(mean_within(seven, 1, 5), 5, 0);
    CHECK_NEAR(mean_within(seven, 8, 9), 8, 0);
    CHECK_NEAR(mean_within(one, 0.5, 3), 1, 0);
    CHECK_NEAR(mean_within(one, 2, 3), 2, 0);
    CHECK_NEAR(mean_within(flat, 1, 9), 3, 1e-15);
    CHECK_NEAR(mean_within(flat, 5, 9), 5, 1e-15);
    CHECK_NEAR(mean_within(flat, 0.5, 1), 1, 1e-15);
    /* half of the draws are 3, the others 2.5 on average */
    CHECK_NEAR(mean_within(flat, 1, 3), 2.75, 1e-15);
}

/* The sum over counts, up to where nothing is left. */
static void effective_mean_of_counts_is_their_sum(void)
{
    struct dist dist = dist_of((struct dist_params){
        DIST_GEOMETRIC, .mean = 4, .at_least = 1.5, .at_most = 6.25});
    double sum = 0;

    for (int k = 1; k < 300; k++)
        sum += fmin(fmax(k, 1.5), 6.25) * pow(0.75, k - 1) * 0.25;
    CHECK_NEAR(dist_effective_mean(&dist), sum, 1e-12);
}

static void scaled_laws_have_mean_1(void)
{
    for (uint64_t i = 0; i < SAMPLER_COUNT; i++) {
        struct dist dist = dist_of(samplers[i].params);
        double mean = samplers[i].mean;

        if (isinf(mean)) {
            CHECK(!dist_scale_to_mean_1(&dist));
            continue;
        }
        CHECK(dist_scale_to_mean_1(&dist));
        CHECK_NEAR(dist.mean, 1, 0);
        CHECK_NEAR(dist_effective_mean(&dist), 1, 1e-12);

        /* The same draws as before, over their mean. */
        struct dist unscaled = dist_of(samplers[i].params);
        struct rng a, b;
        rng_seed(&a, 5000 + i, 1);
        b = a;
        for (int j = 0; j < 100; j++) {
            double expected = dist_draw(&unscaled, &b) / mean;

            CHECK_NEAR(dist_draw(&dist, &a), expected, 1e-13 * expected);
        }
    }
}

static void bounds_are_scaled_with_the_law(void)
{
    struct dist dist = dist_of((struct dist_params){
        DIST_GEOMETRIC, .mean = 10, .at_least = 5, .at_most = 20});

    CHECK(dist_scale_to_mean_1(&dist));
    CHECK_NEAR(dist.at_least, 0.5, 1e-15);
    CHECK_NEAR(dist.at_most, 2, 1e-15);
    draw_sample(&dist, 1);
    for (int i = 0; i < SAMPLE; i++)
        CHECK(sample[i] >= 0.5 && sample[i] <= 2);
}

static void law_without_mean_cannot_be_scaled(void)
{
    struct dist_params params = DIST_PARAMS_NONE;
    struct dist dist;

    params.kind = DIST_CONSTANT;
    params.value = 0;
    CHECK(dist_init(&dist, &params, NULL, 0));
    CHECK(!dist_scale_to_mean_1(&dist));
    params.kind = DIST_NONE;
    CHECK(dist_init(&dist, &params, NULL, 0));
    CHECK(!dist_scale_to_mean_1(&dist));
}

struct complaint {
    struct dist_params params;
    const char *text;
};

static void check_complaints(const struct complaint *complaints, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct dist_params params = said(complaints[i].params);
        struct dist dist;
        char text[200] = "";

        CHECK(!dist_init(&dist, &params, text, sizeof text));
        CHECK_TEXT(text, complaints[i].text);
        CHECK(dist.kind == DIST_NONE);
    }
}

#define CHECK_COMPLAINTS(complaints) \
    check_complaints(complaints, sizeof(complaints) / sizeof *(complaints))

static void missing_parameters_are_named(void)
{
    static const struct complaint complaints[] = {
        {{.kind = DIST_CONSTANT}, "'constant' needs 'value'"},
        {{DIST_UNIFORM, .min = 1}, "'uniform' needs 'min' and 'max'"},
        {{.kind = DIST_EXPONENTIAL}, "'exponential' needs 'mean'"},
        {{DIST_LOGNORMAL, .median = 1},
         "'lognormal' needs 'median' or 'mean', and 'sigma', 'p99' or 'scv'"},
        {{DIST_LOGNORMAL, .sigma = 1},
         "'lognormal' needs 'median' or 'mean', and 'sigma', 'p99' or 'scv'"},
        {{DIST_PARETO, .shape = 2},
         "'pareto' needs 'shape', and 'mean' or 'min'"},
        {{DIST_BOUNDED_PARETO, .shape = 2, .max = 5},
         "'bounded_pareto' needs 'shape', and 'min' and 'max' or 'mean' and "
         "'ratio'"},
        {{DIST_HYPEREXPONENTIAL, .mean = 1},
         "'hyperexponential' needs 'mean' and 'scv'"},
        {{.kind = DIST_GEOMETRIC}, "'geometric' needs 'mean'"},
    };

    CHECK_COMPLAINTS(complaints);
}

static void foreign_and_double_parameters_are_named(void)
{
    static const struct complaint complaints[] = {
        {{DIST_EXPONENTIAL, .mean = 1, .sigma = 2},
         "'exponential' takes no 'sigma'; it needs 'mean'"},
        {{DIST_CONSTANT, .mean = 1},
         "'constant' takes no 'mean'; it needs 'value'"},
        {{DIST_LOGNORMAL, .mean = 1, .median = 1, .sigma = 1},
         "'lognormal' takes 'mean' or 'median', not both; it needs 'median' or "
         "'mean', and 'sigma', 'p99' or 'scv'"},
        {{DIST_LOGNORMAL, .mean = 1, .p99 = 3},
         "'lognormal' takes 'mean' or 'p99', not both; it needs 'median' or "
         "'mean', and 'sigma', 'p99' or 'scv'"},
        {{DIST_LOGNORMAL, .median = 1, .p99 = 3, .sigma = 1},
         "'lognormal' takes 'p99' or 'sigma', not both; it needs 'median' or "
         "'mean', and 'sigma', 'p99' or 'scv'"},
        {{DIST_PARETO, .shape = 2, .mean = 1, .min = 1},
         "'pareto' takes 'mean' or 'min', not both; it needs 'shape', and "
         "'mean' or 'min'"},
        {{DIST_BOUNDED_PARETO, .shape = 2, .min = 1, .ratio = 3},
         "'bounded_pareto' takes 'min' or 'ratio', not both; it needs 'shape', "
         "and 'min' and 'max' or 'mean' and 'ratio'"},
    };

    CHECK_COMPLAINTS(complaints);
}

static void numbers_out_of_range_are_shown(void)
{
    static const struct complaint complaints[] = {
        {{DIST_EXPONENTIAL, .mean = -1}, "'mean' must be more than 0, got -1"},
        {{DIST_EXPONENTIAL, .mean = INFINITY},
         "'mean' must be at most 1e+15, got inf"},
        {{DIST_EXPONENTIAL, .mean = 1e-16},
         "'mean' must be 1e-15 or more, got 1e-16"},
        {{DIST_CONSTANT, .value = -3}, "'value' must be 0 or more, got -3"},
        {{DIST_LOGNORMAL, .median = 1, .sigma = 31},
         "'sigma' must be at most 30, got 31"},
        {{DIST_PARETO, .shape = 0.001, .min = 1},
         "'shape' must be 0.01 or more, got 0.001"},
        {{DIST_BOUNDED_PARETO, .shape = 2, .mean = 1, .ratio = 1},
         "'ratio' must be more than 1, got 1"},
        {{DIST_EXPONENTIAL, .mean = 1, .at_least = -1},
         "'at_least' must be 0 or more, got -1"},
        {{DIST_EXPONENTIAL, .mean = 1, .at_most = -1},
         "'at_most' must be 0 or more, got -1"},
        {{DIST_EXPONENTIAL, .mean = 1, .at_least = 3, .at_most = 2},
         "'at_most' must not be below 'at_least' = 3, got 2"},
    };

    CHECK_COMPLAINTS(complaints);
}

static void numbers_that_do_not_agree_are_shown(void)
{
    static const struct complaint complaints[] = {
        {{DIST_UNIFORM, .min = 2, .max = 1},
         "'max' must not be below 'min' = 2, got 1"},
        {{DIST_LOGNORMAL, .median = 5, .p99 = 4},
         "'p99' must not be below 'median' = 5, got 4"},
        {{DIST_PARETO, .shape = 0.9, .mean = 1},
         "'pareto' has a mean only for a 'shape' above 1, got 0.9; give 'min'"},
        {{DIST_BOUNDED_PARETO, .shape = 2, .min = 3, .max = 3},
         "'max' must be above 'min' = 3, got 3"},
        {{DIST_HYPEREXPONENTIAL, .mean = 1, .scv = 0.5},
         "'scv' of 'hyperexponential' must be 1 or more, got 0.5"},
        {{DIST_GEOMETRIC, .mean = 0.5},
         "'mean' of 'geometric' must be 1 or more, got 0.5"},
    };

    CHECK_COMPLAINTS(complaints);
}

/* A least of 0 cannot be told from unsaid in the table above. */
static void paretos_need_a_least_above_0(void)
{
    struct dist_params params = DIST_PARAMS_NONE;
    char text[200];

    params.kind = DIST_PARETO;
    params.shape = 2;
    params.min = 0;
    CHECK(!dist_params_check(&params, text, sizeof text));
    CHECK_TEXT(text, "'min' must be more than 0, got 0");
    params.kind = DIST_BOUNDED_PARETO;
    params.max = 2;
    CHECK(!dist_params_check(&params, text, sizeof text));
    CHECK_TEXT(text, "'min' must be more than 0, got 0");
}

static void complaints_fit_their_room(void)
{
    struct dist_params params =
        said((struct dist_params){.kind = DIST_EXPONENTIAL});
    struct dist dist;
    char text[8] = "";

    CHECK(!dist_init(&dist, &params, text, sizeof text));
    CHECK_TEXT(text, "'expone");
    CHECK(!dist_init(&dist, &params, NULL, 0));
}

/* Extremes that are allowed yield numbers, if large ones. */
static void extremes_stay_numbers(void)
{
    static const struct dist_params extremes[] = {
        {DIST_LOGNORMAL, .median = 1e15, .sigma = 30},
        {DIST_LOGNORMAL, .mean = 1e-15, .sigma = 30},
        {DIST_LOGNORMAL, .median = 1e-15, .p99 = 1e15},
        {DIST_PARETO, .shape = 0.01, .min = 1e15},
        {DIST_PARETO, .shape = 1e15, .mean = 1},
        {DIST_BOUNDED_PARETO, .shape = 0.01, .min = 1e-15, .max = 1e15},
        {DIST_BOUNDED_PARETO, .shape = 1e15, .mean = 1, .ratio = 1e15},
        {DIST_HYPEREXPONENTIAL, .mean = 1e15, .scv = 1e15},
        {DIST_GEOMETRIC, .mean = 1e15},
    };

    for (size_t i = 0; i < sizeof extremes / sizeof *extremes; i++) {
        struct dist dist = dist_of(extremes[i]);
        struct rng rng;

        CHECK(dist.mean > 0);
        rng_seed(&rng, 1, i);
        for (int j = 0; j < 2000; j++)
            CHECK(dist_draw(&dist, &rng) >= 0); /* false for NaN */
    }
}

static void names_are_those_users_write(void)
{
    CHECK_TEXT(dist_names[DIST_NONE], "none");
    CHECK_TEXT(dist_names[DIST_BOUNDED_PARETO], "bounded_pareto");
    CHECK_TEXT(dist_names[DIST_GEOMETRIC], "geometric");
}

int main(int argc, char **argv)
{
    CU_TestInfo draws[] = {
        {"draws follow their laws", draws_follow_their_laws},
        {"moments of draws are right", moments_of_draws_are_right},
        {"constant draws its value", constant_draws_its_value},
        {"none draws nothing", none_draws_nothing},
        {"lognormal of no width is constant",
         lognormal_of_no_width_is_constant},
        {"geometric counts follow their law",
         geometric_counts_follow_their_law},
        {"geometric of mean 1 is 1", geometric_of_mean_1_is_1},
        {"draws stay within the law", draws_stay_within_the_law},
        {"draws outside the bounds are set to them",
         draws_outside_the_bounds_are_set_to_them},
        {"extremes stay numbers", extremes_stay_numbers},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo means[] = {
        {"means are known exactly", means_are_known_exactly},
        {"effective means count the bounds", effective_means_count_the_bounds},
        {"effective means of plain laws are arithmetic",
         effective_means_of_plain_laws_are_arithmetic},
        {"effective mean of counts is their sum",
         effective_mean_of_counts_is_their_sum},
        {"scaled laws have mean 1", scaled_laws_have_mean_1},
        {"bounds are scaled with the law", bounds_are_scaled_with_the_law},
        {"law without mean cannot be scaled",
         law_without_mean_cannot_be_scaled},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo complaints[] = {
        {"missing parameters are named", missing_parameters_are_named},
        {"foreign and double parameters are named",
         foreign_and_double_parameters_are_named},
        {"numbers out of range are shown", numbers_out_of_range_are_shown},
        {"numbers that do not agree are shown",
         numbers_that_do_not_agree_are_shown},
        {"paretos need a least above 0", paretos_need_a_least_above_0},
        {"complaints fit their room", complaints_fit_their_room},
        {"names are those users write", names_are_those_users_write},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("dist_draws", NULL, NULL, NULL, NULL, draws),
        SUITE("dist_means", NULL, NULL, NULL, NULL, means),
        SUITE("dist_complaints", NULL, NULL, NULL, NULL, complaints),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
