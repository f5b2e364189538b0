/*
 * A crossover of two analytic queues, scenarios/theory/crossover.yaml: where
 * the mean latencies of two random splits over an M/M/1 and an M/M/2 node are
 * equal. The root of the difference of the two closed forms, by bisection to
 * 1e-12: 0.881824902.
 */
#include "sim/experiment/sweep.h"
#include "sim/scenario/loader.h"
#include "tests/check.h"

#define TRUTH 0.881824902

enum { SEEDS = 120 };

static double even(double r)
{
    return 0.5 / (2 - r / 2) + 0.5 * 4 / (4 - r * r / 4);
}

static double nine_of_ten(double r)
{
    return 0.9 / (2 - 0.9 * r) + 0.1 * 4 / (4 - 0.01 * r * r);
}

static void truth_is_the_root_of_the_closed_forms(void)
{
    double low = 0.5, high = 1.3;

    while (high - low > 1e-12) {
        double middle = (low + high) / 2;

        if (nine_of_ten(middle) < even(middle))
            low = middle;
        else
            high = middle;
    }
    CHECK_NEAR(low, TRUTH, 1e-9);
}

static struct crossover_result search(unsigned seed)
{
    static const char file[] = "scenarios/theory/crossover.yaml";
    char seed_text[40];
    /* Shorter than the scenario: relaxation takes about 20 s at this load. */
    const char *overrides[] = {
        seed_text,          "duration=700 s",
        "replications=4",   "crossover.most_replications=32",
        "crossover.scan=3", "crossover.within=0.1/s"};
    const size_t count = sizeof overrides / sizeof *overrides;
    struct crossover_result found = {.kind = CROSSOVER_STOPPED};
    struct sweep_result result = {0};

    snprintf(seed_text, sizeof seed_text, "seed=%u", seed);
    struct scenario *base = scenario_load(file, overrides, count, NULL);
    CHECK(base != NULL);
    if (!base)
        return found;

    enum measure_id measure = base->objective;
    struct sweep_setup setup = {
        .base = base,
        .experiment = {.simulate = simulation_run},
        .measures = &measure,
        .measure_count = 1,
    };
    if (sweep_run(&setup, &result) == EXPERIMENT_OK && result.whole == 1)
        found = *result.points[0].crossover;
    sweep_done(&result);
    scenario_destroy(base);
    return found;
}

/*
 * 95 % is promised. Of 120 seeds 15 misses or more come once in a thousand
 * times at 5 %; the bracket alone may miss in 1 %, 6 or more of 120 in 1.4 of a
 * thousand.
 */
static void stated_interval_holds_the_truth(void)
{
    unsigned found = 0, held = 0, bracketed = 0;
    double width = 0;

    for (unsigned seed = 1; seed <= SEEDS; seed++) {
        struct crossover_result result = search(seed);

        if (result.kind != CROSSOVER_FOUND)
            continue;
        found++;
        held += result.lo <= TRUTH && TRUTH <= result.hi;
        bracketed += result.bracket_lo <= TRUTH && TRUTH <= result.bracket_hi;
        width += result.hi - result.lo;
    }
    printf("\n    %u of %u found, %u intervals and %u brackets hold the truth, "
           "mean width %.4f\n",
           found, SEEDS, held, bracketed, width / found);
    CHECK(found >= SEEDS * 9 / 10); /* others cannot tell, and say so */
    CHECK(found - held <= 14);
    CHECK(found - bracketed <= 5);
    CHECK(width / found < 0.2); /* an interval may not hold all of the range */
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"truth is the root of the closed forms",
         truth_is_the_root_of_the_closed_forms},
        {"stated interval holds the truth", stated_interval_holds_the_truth},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("crossover of queues", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
