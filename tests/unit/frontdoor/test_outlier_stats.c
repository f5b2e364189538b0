/*
 * Known answers. {50, 100, 100, 100, 100}: mean 90, deviation 20, threshold
 * 90 - 1.9 * 20 = 52, as Envoy's own description of its algorithm prints it.
 * {80, 9 x 100}: 98, 6, 86.6. {99, 98, 97, 99, 96}: 97.8, sqrt(1.36), 95.584.
 * {0, 100, 100, 100}: 75, 43.3013, -7.27: among four a total failure is no
 * outlier.
 */
#include "sim/frontdoor/outlier_stats.h"
#include "tests/check.h"

#define S INT64_C(1000000000)

static struct outlier_spec spec;

static void envoy(void)
{
    spec = (struct outlier_spec){.given = true,
                                 .rule = OUTLIER_ENVOY,
                                 .base_ns = 30 * S,
                                 .max_ns = 300 * S,
                                 .max_ejected = 0.1};
}

static void thresholds_are_those_published(void)
{
    static const double one_of_five[] = {50, 100, 100, 100, 100};
    static const double one_of_ten[] = {80,  100, 100, 100, 100,
                                        100, 100, 100, 100, 100};
    static const double none[] = {99, 98, 97, 99, 96};
    static const double one_of_four[] = {0, 100, 100, 100};

    CHECK_NEAR(outlier_threshold(one_of_five, 5, 1900), 52, 1e-9);
    CHECK_NEAR(outlier_threshold(one_of_ten, 10, 1900), 86.6, 1e-9);
    CHECK_NEAR(outlier_threshold(none, 5, 1900), 95.5842383, 1e-6);
    CHECK_NEAR(outlier_threshold(one_of_four, 4, 1900), -7.2724134, 1e-6);
}

/* How many of n may go, one after another. */
static uint32_t may_go(uint32_t n)
{
    uint32_t ejected = 0;

    while (ejected < n && outlier_may_eject(&spec, ejected, n))
        ejected++;
    return ejected;
}

static void ten_percent_of_ten_is_one(void)
{
    CHECK_UINT(may_go(10), 1);
    CHECK_UINT(may_go(5), 0);
    CHECK_UINT(may_go(19), 1);
    CHECK_UINT(may_go(20), 2);
    spec.always_eject_one = true;
    CHECK_UINT(may_go(5), 1);
    CHECK_UINT(may_go(10), 1);
}

/* Envoy: floor(cap * n), with the flag at least 1. gRPC goes on while the share
   is below the cap: ceil(cap * n). In integers, apart from the code's shares.
 */
static void caps_of_one_to_ten_nodes(void)
{
    static const uint32_t percents[] = {10, 34, 50, 100};

    for (uint32_t n = 1; n <= 10; n++)
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t rounded = percents[i] * n / 100;

            envoy();
            spec.max_ejected = percents[i] / 100.0;
            CHECK_UINT(may_go(n), rounded);
            spec.always_eject_one = true;
            CHECK_UINT(may_go(n), rounded > 1 ? rounded : 1);
            spec.rule = OUTLIER_GRPC;
            CHECK_UINT(may_go(n), (percents[i] * n + 99) / 100);
        }
}

static void nobody_goes_under_a_cap_of_nothing(void)
{
    spec.max_ejected = 0;
    CHECK_UINT(may_go(10), 0);
    spec.rule = OUTLIER_GRPC;
    CHECK_UINT(may_go(10), 0);
}

/* Twelve ejections in a row: 30, 60, 90 ... 300, 300, 300 s. */
static void durations_grow_to_the_bound(void)
{
    static const int64_t lasts_s[] = {30,  60,  90,  120, 150, 180,
                                      210, 240, 270, 300, 300, 300};
    uint32_t multiplier = 0;

    for (uint32_t i = 0; i < 12; i++) {
        multiplier = outlier_next_multiplier(&spec, multiplier);
        CHECK_INT(outlier_duration_ns(&spec, multiplier), lasts_s[i] * S);
    }
}

/* Envoy's counter stops when base * k >= max + base: 30 * 11 = 300 + 30. So
   eleven quiet intervals and not a hundred bring it back to nothing. */
static void envoys_multiplier_stops(void)
{
    uint32_t multiplier = 0;

    for (uint32_t i = 0; i < 100; i++)
        multiplier = outlier_next_multiplier(&spec, multiplier);
    CHECK_UINT(multiplier, 11);
    spec.rule = OUTLIER_GRPC;
    for (uint32_t i = 0; i < 100; i++)
        multiplier = outlier_next_multiplier(&spec, multiplier);
    CHECK_UINT(multiplier, 111);
    CHECK_INT(outlier_duration_ns(&spec, multiplier), 300 * S);
}

static void no_ejection_is_shorter_than_the_base(void)
{
    spec.base_ns = 600 * S;
    CHECK_INT(outlier_duration_ns(&spec, 1), 600 * S);
    CHECK_INT(outlier_duration_ns(&spec, 2), 600 * S);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"thresholds are those published", thresholds_are_those_published},
        {"ten percent of ten is one", ten_percent_of_ten_is_one},
        {"caps of one to ten nodes", caps_of_one_to_ten_nodes},
        {"nobody goes under a cap of nothing",
         nobody_goes_under_a_cap_of_nothing},
        {"durations grow to the bound", durations_grow_to_the_bound},
        {"envoy's multiplier stops", envoys_multiplier_stops},
        {"no ejection is shorter than the base",
         no_ejection_is_shorter_than_the_base},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("outlier_stats", NULL, NULL, envoy, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
