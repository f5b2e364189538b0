#include "sim/experiment/regression_power.h"

#include "sim/measure/signed_rank.h"
#include "sim/measure/stats.h"
#include "workloads/rng.h"

#include <math.h>
#include <stdlib.h>

#define TWO_PI 6.283185307179586

double regression_power_level(double false_alarms, size_t tests)
{
    return false_alarms / (double)tests;
}

static int ascending(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;

    return (first > second) - (first < second);
}

double regression_spread_sd(const struct regression_spread *spread)
{
    return stats_sd(spread->differences, spread->count);
}

/* Deviations from their mean, as wide as those from the true one are. */
static void centre(const struct regression_spread *spread, double *ret)
{
    double count = (double)spread->count;
    double mean = stats_mean(spread->differences, spread->count);
    double widen = sqrt(count / (count - 1));

    for (size_t i = 0; i < spread->count; i++)
        ret[i] = widen * (spread->differences[i] - mean);
}

static double draw_normal(struct rng *rng)
{
    double size = sqrt(-2 * log(rng_uniform_open(rng)));

    return size * cos(TWO_PI * rng_uniform(rng));
}

/*
 * The true standard deviation over that of so many replications: the root of
 * degrees of freedom over chi-square, after Wilson & Hilferty, "The
 * distribution of chi-square", PNAS 17(12), 1931.
 */
static double draw_scale(uint32_t replications, struct rng *rng)
{
    double df = replications - 1;
    double root = 1 - 2 / (9 * df) + draw_normal(rng) * sqrt(2 / (9 * df));

    return pow(fmax(root, 0.1), -1.5);
}

static void draw_sample(const double *deviations,
                        const struct regression_spread *spread, struct rng *rng,
                        double *ret, uint32_t pairs)
{
    double scale = draw_scale(spread->replications, rng);
    size_t count = spread->count;

    for (uint32_t i = 0; i < pairs; i++) {
        uint64_t at = rng_below(rng, 2 * (uint64_t)count);

        ret[i] =
            scale * (at < count ? deviations[at] : -deviations[at - count]);
    }
    qsort(ret, pairs, sizeof *ret, ascending);
}

/* Both have to be above 0: what the test goes by, and the mean. */
static double needed(const double *sample, uint32_t pairs, size_t rank)
{
    double by_ranks = -signed_rank_mean_of_two(sample, pairs, rank);

    return fmax(by_ranks, -stats_mean(sample, pairs));
}

bool regression_power_draw(const struct regression_spread *spread,
                           uint32_t pairs, double level, uint64_t seed,
                           double ret[REGRESSION_POWER_DRAWS])
{
    double *deviations = calloc(spread->count + pairs, sizeof *deviations);
    double *sample = deviations ? deviations + spread->count : NULL;
    struct rng rng;
    size_t rank;
    bool fine = deviations && signed_rank_count(pairs, level, &rank);

    if (fine) {
        centre(spread, deviations);
        rng_seed(&rng, seed, pairs); /* nothing that is simulated draws here */
        for (size_t i = 0; i < REGRESSION_POWER_DRAWS; i++) {
            ret[i] = INFINITY;
            if (rank == 0)
                continue;
            draw_sample(deviations, spread, &rng, sample, pairs);
            ret[i] = needed(sample, pairs, rank);
        }
        qsort(ret, REGRESSION_POWER_DRAWS, sizeof *ret, ascending);
    }
    free(deviations);
    return fine;
}

double regression_power_chance(const double drawn[REGRESSION_POWER_DRAWS],
                               double beyond)
{
    size_t found = 0;

    while (found < REGRESSION_POWER_DRAWS && drawn[found] < beyond)
        found++;
    return (double)found / REGRESSION_POWER_DRAWS;
}

double regression_power_beyond(const double drawn[REGRESSION_POWER_DRAWS],
                               double chance)
{
    return stats_quantile_sorted(drawn, REGRESSION_POWER_DRAWS, chance);
}
