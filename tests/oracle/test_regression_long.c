/*
 * What a regression check finds, on synthetic pairs: a change that is there.
 */
#include "sim/experiment/regression.h"
#include "sim/experiment/regression_power.h"
#include "tests/check.h"
#include "workloads/rng.h"

#include <stdlib.h>

enum { TESTS = 6, MOST_PAIRS = 40 };

typedef double draw(struct rng *rng);

static double uniform(struct rng *rng)
{
    return rng_uniform_open(rng);
}

static double normal(struct rng *rng)
{
    return sqrt(-2 * log(uniform(rng))) * cos(6.283185307179586 * uniform(rng));
}

struct stage {
    double old_values[TESTS][MOST_PAIRS], new_values[TESTS][MOST_PAIRS];
    struct regression_test tests[TESTS];
    struct regression findings[TESTS];
};

static struct rng rng;
static struct stage *stage;

static void begin(void)
{
    rng_seed(&rng, 20251130, 1);
    stage = calloc(1, sizeof *stage);
}

static void end(void)
{
    free(stage);
}

/* ---- what is there is found ---- */

/* The share of checks that find a change of that size, in standard deviations
   of the paired differences, in one of changed tests. */
static double power(double change, uint32_t pairs, uint32_t changed)
{
    static const struct regression_rules rules = {0.001, 0.95, false};
    enum { TRIALS = 500 };
    unsigned found = 0;

    for (unsigned i = 0; i < TRIALS; i++) {
        for (uint32_t t = 0; t < TESTS; t++)
            for (uint32_t p = 0; p < pairs; p++) {
                stage->old_values[t][p] = 100;
                stage->new_values[t][p] = 100 +
                                          (t < changed ? normal(&rng) : 0) +
                                          (t == 0 ? change : 0);
            }
        for (uint32_t t = 0; t < TESTS; t++)
            stage->tests[t] = (struct regression_test){
                .old_values = stage->old_values[t],
                .new_values = stage->new_values[t],
                .pairs = pairs,
                .better = BETTER_LOWER,
            };
        CHECK(regressions_judge(stage->tests, TESTS, &rules, stage->findings));
        found += stage->findings[0].kind == REGRESSION_WORSE;
    }
    return (double)found / TRIALS;
}

/* The smallest change that is found with 90 % probability. */
static double found_from(uint32_t pairs, uint32_t changed)
{
    double least = 0, most = 8;

    for (int i = 0; i < 10; i++) {
        double middle = (least + most) / 2;

        if (power(middle, pairs, changed) < 0.9)
            least = middle;
        else
            most = middle;
    }
    return most;
}

/*
 * For many pairs the signed rank test sees what a normal test sees with 3 / pi
 * of them: (z of the level + z of 90 %) / sqrt(n 3 / pi). For few it needs
 * more, as its chances come in steps; how much is what is measured here.
 */
static void changes_are_found_near_the_bound_of_theory(void)
{
    static const struct {
        uint32_t pairs, changed;
        double z, slack;
    } cases[] = {
        {10, 1, 3.0902, 2.0}, /* 1 in 1,000; all pairs have to be worse */
        {16, 4, 3.4808, 1.3}, /* 1 in 4,000 */
        {20, 1, 3.0902, 1.2}, {20, 4, 3.4808, 1.25}, {40, 4, 3.4808, 1.1},
    };

    begin();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double bound = (cases[i].z + 1.2816) / sqrt(cases[i].pairs * 0.9549);
        double found = found_from(cases[i].pairs, cases[i].changed);

        printf("  %2u pairs, %u changed: found from %.2f standard deviations, "
               "theory of many pairs %.2f\n",
               cases[i].pairs, cases[i].changed, found, bound);
        CHECK(found > 0.95 * bound && found < cases[i].slack * bound);
    }
    end();
}

/* ---- what is said to be found ---- */

static double skewed_difference(struct rng *from)
{
    return exp(normal(from)) - exp(normal(from));
}

/* Of checks about a change that is as large as was said. */
static double share_found(draw *difference, uint32_t pairs, double change,
                          unsigned trials)
{
    static const struct regression_rules rules = {0.00025, 0.95, false};
    unsigned found = 0;

    for (unsigned i = 0; i < trials; i++) {
        struct regression_test test = {
            .old_values = stage->old_values[0],
            .new_values = stage->new_values[0],
            .pairs = pairs,
            .better = BETTER_LOWER,
            .allowed_ratio = 0.05,
        };

        for (uint32_t p = 0; p < pairs; p++) {
            stage->old_values[0][p] = 100;
            stage->new_values[0][p] = 105 + change + difference(&rng);
        }
        CHECK(regressions_judge(&test, 1, &rules, stage->findings));
        found += stage->findings[0].kind == REGRESSION_WORSE;
    }
    return (double)found / trials;
}

/* By so many measured differences, 9 times in 10. */
static double smallest_of(draw *difference, uint32_t measured, uint32_t pairs)
{
    static double differences[2000], drawn[REGRESSION_POWER_DRAWS];
    struct regression_spread spread = {differences, measured, measured};

    for (uint32_t i = 0; i < measured; i++)
        differences[i] = difference(&rng);
    CHECK(regression_power_draw(&spread, pairs, 0.00025, 1, drawn));
    return regression_power_beyond(drawn, 0.9);
}

/* With a spread that is well known 90 % are found, but for what 2,000 draws and
   2,000 differences leave open. */
static void what_is_said_to_be_found_is_found(void)
{
    static const uint32_t pairs[] = {14, 20, 40};

    begin();
    for (int skewed = 0; skewed < 2; skewed++)
        for (size_t i = 0; i < 3; i++) {
            draw *law = skewed ? skewed_difference : normal;
            double change = smallest_of(law, 2000, pairs[i]);
            double found = share_found(law, pairs[i], change, 2000);

            printf("  %s, %2u pairs: %.2f beyond is found in %.1f %%\n",
                   skewed ? "lognormal" : "normal", pairs[i], change,
                   100 * found);
            CHECK_NEAR(found, 0.9, 0.035);
        }
    end();
}

/* With one that 20 replications told it is so on average where differences are
   normal; of heavy tails 20 tell too little, and 3 of 4 are found. */
static void twenty_replications_tell_it_on_average(void)
{
    enum { BASELINES = 100, CHECKS_OF_EACH = 20 };
    double sums[2] = {0, 0};

    begin();
    for (int i = 0; i < BASELINES; i++) {
        sums[0] += share_found(normal, 20, smallest_of(normal, 20, 20),
                               CHECKS_OF_EACH);
        sums[1] +=
            share_found(skewed_difference, 20,
                        smallest_of(skewed_difference, 20, 20), CHECKS_OF_EACH);
    }
    printf("  from 20 replications: normal %.1f %%, lognormal %.1f %%\n",
           100 * sums[0] / BASELINES, 100 * sums[1] / BASELINES);
    CHECK_NEAR(sums[0] / BASELINES, 0.9, 0.05);
    CHECK(sums[1] / BASELINES > 0.7);
    end();
}

/* ---- builds that differ ---- */

enum { SEEDS = 40, TRIALS = 200 };

/* Mean time in an M/M/1 at load 0.7, by Lindley's recursion. */
static double mean_time(int customers)
{
    double wait = 0, sum = 0;

    for (int i = 0; i < customers; i++) {
        double service = -log(uniform(&rng));

        sum += wait + service;
        wait = fmax(0, wait + service + log(uniform(&rng)) / 0.7);
    }
    return sum / customers;
}

static unsigned times_found_worse(double factor, int customers)
{
    static const struct regression_rules rules = {0.001, 0.95, false};
    unsigned worse = 0;

    for (unsigned trial = 0; trial < TRIALS; trial++) {
        struct regression_test test = {
            .old_values = stage->old_values[0],
            .new_values = stage->new_values[0],
            .pairs = SEEDS,
            .better = BETTER_LOWER,
            .allowed_ratio = 0.1,
        };

        for (int i = 0; i < SEEDS; i++) {
            stage->old_values[0][i] = mean_time(customers);
            stage->new_values[0][i] = factor * mean_time(customers);
        }
        CHECK(regressions_judge(&test, 1, &rules, stage->findings));
        worse += stage->findings[0].kind == REGRESSION_WORSE;
    }
    return worse;
}

/* jdx/mise PR #9630 and others failed builds on 1.15 +- 0.45. With a limit of
   10 %: an equal candidate with other seeds is worse in at most 5 % of trials,
   one 20 % slower in at least 95 %. One at the limit is not beyond it. */
static void builds_are_told_apart_by_what_is_beyond_the_limit(void)
{
    begin();
    CHECK(times_found_worse(1, 2000) <= TRIALS / 20);
    CHECK(times_found_worse(1.1, 2000) <= TRIALS / 20);
    CHECK(times_found_worse(1.2, 8000) >= TRIALS * 19 / 20);
    end();
}

int main(int argc, char **argv)
{
    CU_TestInfo power_tests[] = {
        {"changes are found near the bound of theory",
         changes_are_found_near_the_bound_of_theory},
        {"what is said to be found is found",
         what_is_said_to_be_found_is_found},
        {"twenty replications tell it on average",
         twenty_replications_tell_it_on_average},
        {"builds are told apart by what is beyond the limit",
         builds_are_told_apart_by_what_is_beyond_the_limit},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("regression_power", NULL, NULL, NULL, NULL, power_tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
