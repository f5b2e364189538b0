#include "tests/unit/workloads/dist_laws.h"

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
        {DIST_WEIBULL, .shape = 0.01, .mean = 1e15},
        {DIST_WEIBULL, .shape = 0.01, .scale = 1e15},
        {DIST_WEIBULL, .shape = 1e15, .mean = 1e-15},
        {DIST_GAMMA, .shape = 0.01, .mean = 1e15},
        {DIST_GAMMA, .shape = 1e15, .scale = 1e15},
        {DIST_GAMMA, .mean = 1e-15, .scv = 1e15},
        {DIST_GAMMA, .mean = 1, .scv = 1e-15},
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
    CU_SuiteInfo suites[] = {
        SUITE("dist_draws", NULL, NULL, NULL, NULL, draws),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
