#include "tests/unit/workloads/dist_laws.h"

#include <gsl/gsl_integration.h>

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

/* No bound, however odd, leads GSL's incomplete gamma function astray. */
static void bounded_means_of_extremes_are_numbers(void)
{
    static const double shapes[] = {0.01, 0.3, 1, 50, 1e3, 1e6, 1e9, 1e15};
    static const double bounds[] = {1e-12, 1e-3, 0.5, 0.999999, 1,
                                    1.01,  3,    50,  1e6,      1e12};

    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t j = 0; j < sizeof bounds / sizeof *bounds; j++) {
            struct dist_params gamma = {DIST_GAMMA, .shape = shapes[i],
                                        .mean = 1};
            struct dist_params weibull = {DIST_WEIBULL, .shape = shapes[i],
                                          .mean = 1};
            double limit = fmin(1, bounds[j]) * (1 + 1e-9);

            gamma.at_most = weibull.at_most = bounds[j];

            struct dist dist = dist_of(gamma);
            double mean = dist_effective_mean(&dist);
            CHECK(mean > 0 && mean <= limit);
            dist = dist_of(weibull);
            mean = dist_effective_mean(&dist);
            CHECK(mean > 0 && mean <= limit);
        }
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

int main(int argc, char **argv)
{
    CU_TestInfo means[] = {
        {"means are known exactly", means_are_known_exactly},
        {"effective means count the bounds", effective_means_count_the_bounds},
        {"effective means of plain laws are arithmetic",
         effective_means_of_plain_laws_are_arithmetic},
        {"effective mean of counts is their sum",
         effective_mean_of_counts_is_their_sum},
        {"scaled laws have mean 1", scaled_laws_have_mean_1},
        {"bounds are scaled with the law", bounds_are_scaled_with_the_law},
        {"bounded means of extremes are numbers",
         bounded_means_of_extremes_are_numbers},
        {"law without mean cannot be scaled",
         law_without_mean_cannot_be_scaled},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("dist_means", NULL, NULL, NULL, NULL, means),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
