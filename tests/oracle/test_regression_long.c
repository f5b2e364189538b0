/*
 * What a regression check promises, on synthetic pairs: 100,000 whole checks of
 * 3 policies x 2 measures between which there is no difference raise at most
 * 130 alarms, that is 1 in 1,000 and three standard deviations of the count
 * above it, whatever the values look like; and a change that is there is found.
 *
 * Without a difference old and new are two draws of one law on one traffic:
 * what the replication has in common, and a part of its own for each.
 */
#include "sim/experiment/regression.h"
#include "tests/check.h"
#include "workloads/rng.h"

#include <stdlib.h>

enum { CHECKS = 100000, TESTS = 6, MOST_PAIRS = 40, MOST_ALARMS = 130 };

typedef double draw(struct rng *rng);

static double uniform(struct rng *rng)
{
    return rng_uniform_open(rng);
}

static double normal(struct rng *rng)
{
    return sqrt(-2 * log(uniform(rng))) * cos(6.283185307179586 * uniform(rng));
}

/* A P99 of a heavy tail: Pareto with an index of 1.5, so without variance. */
static double heavy(struct rng *rng)
{
    return pow(uniform(rng), -1 / 1.5);
}

static double skewed(struct rng *rng)
{
    return exp(normal(rng));
}

/* One of two, as where a node's death is met or not: differences are three
   values, and a t test would see 20 equal ones as certain. */
static double two_valued(struct rng *rng)
{
    return uniform(rng) < 0.5 ? 1 : 2;
}

/* Mostly the same, as counts of failures are. */
static double mostly_tied(struct rng *rng)
{
    return uniform(rng) < 0.9 ? 0 : ceil(5 * uniform(rng));
}

/* A tenth of the replications lose so much that P99 has no bound. */
static double sometimes_unbounded(struct rng *rng)
{
    return uniform(rng) < 0.1 ? INFINITY : skewed(rng);
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

/* common: what measures of one replication share, as P99 and mean do. */
static void draw_check(draw *own, double factor, double common, uint32_t pairs,
                       double allowed_ratio)
{
    for (uint32_t i = 0; i < pairs; i++) {
        double traffic = skewed(&rng), old_luck = own(&rng),
               new_luck = own(&rng);

        for (uint32_t t = 0; t < TESTS; t++) {
            bool shares = uniform(&rng) < common;

            stage->old_values[t][i] =
                10 + traffic + (shares ? old_luck : own(&rng));
            stage->new_values[t][i] =
                factor * (10 + traffic + (shares ? new_luck : own(&rng)));
        }
    }
    for (uint32_t t = 0; t < TESTS; t++)
        stage->tests[t] = (struct regression_test){
            .old_values = stage->old_values[t],
            .new_values = stage->new_values[t],
            .pairs = pairs,
            .better = BETTER_LOWER,
            .allowed_ratio = allowed_ratio,
        };
}

static bool alarm(void)
{
    static const struct regression_rules rules = {0.001, 0.95, false};

    CHECK(regressions_judge(stage->tests, TESTS, &rules, stage->findings));
    for (uint32_t t = 0; t < TESTS; t++)
        if (stage->findings[t].kind == REGRESSION_WORSE)
            return true;
    return false;
}

static void no_difference(const char *name, draw *own, uint32_t pairs,
                          double common, unsigned checks, unsigned most)
{
    unsigned alarms = 0;

    begin();
    for (unsigned i = 0; i < checks; i++) {
        draw_check(own, 1, common, pairs, 0);
        alarms += alarm();
    }
    printf("  %-20s %2u pairs: %u alarms in %u checks\n", name, pairs, alarms,
           checks);
    CHECK(alarms <= most);
    end();
}

/* The bar, in the case for which the test is exact: at most 130. */
static void a_hundred_thousand_checks_raise_at_most_130_alarms(void)
{
    no_difference("skewed", skewed, 16, 0, CHECKS, MOST_ALARMS);
}

/* Expected are 5 of 5,000 checks at most; 12 are three standard deviations
   above. */
static void neither_tails_nor_ties_raise_more(void)
{
    static const uint32_t pairs[] = {10, 15, 40};

    for (unsigned i = 0; i < 3; i++) {
        no_difference("normal", normal, pairs[i], 0.5, CHECKS / 20, 12);
        no_difference("heavy tails", heavy, pairs[i], 0.5, CHECKS / 20, 12);
        no_difference("two values", two_valued, pairs[i], 0, CHECKS / 20, 12);
        no_difference("mostly ties", mostly_tied, pairs[i], 0, CHECKS / 20, 12);
        no_difference("unbounded", sometimes_unbounded, pairs[i], 0,
                      CHECKS / 20, 12);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"a hundred thousand checks raise at most 130 alarms",
         a_hundred_thousand_checks_raise_at_most_130_alarms},
        {"neither tails nor ties raise more",
         neither_tails_nor_ties_raise_more},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("regression_alarms", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
