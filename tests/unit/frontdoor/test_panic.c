/* Panic: when too few are left. */
#include "sim/frontdoor/panic.h"

#include "tests/check.h"

static const struct panic_spec half = {.given = true, .threshold = 0.5};

static void below_the_threshold_it_holds(void)
{
    CHECK(panic_holds(&half, 1, 3));
    CHECK(panic_holds(&half, 0, 3));
    CHECK(panic_holds(&half, 49, 100));
}

static void at_the_threshold_it_does_not(void)
{
    CHECK(!panic_holds(&half, 2, 4));
    CHECK(!panic_holds(&half, 50, 100));
    CHECK(!panic_holds(&half, 3, 3));
}

static void threshold_0_never_panics(void)
{
    struct panic_spec never = {.given = true};

    CHECK(!panic_holds(&never, 0, 3));
}

static void nobody_is_no_reason(void)
{
    CHECK(!panic_holds(&half, 0, 0));
}

/* Envoy counts 1.4 of what is healthy: from 72 of 100 on there is availability
   enough, whatever the threshold (floor(140 * 72 / 100) = 100, of 71 it is
   99). */
static void enough_is_enough(void)
{
    struct panic_spec anxious = {.given = true, .threshold = 1};

    CHECK(panic_holds(&anxious, 71, 100));
    CHECK(!panic_holds(&anxious, 72, 100));
}

static void off_is_off(void)
{
    struct panic_spec off = {.threshold = 0.5};

    CHECK(!panic_holds(&off, 0, 3));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"below the threshold it holds", below_the_threshold_it_holds},
        {"at the threshold it does not", at_the_threshold_it_does_not},
        {"threshold 0 never panics", threshold_0_never_panics},
        {"nobody is no reason", nobody_is_no_reason},
        {"enough is enough", enough_is_enough},
        {"off is off", off_is_off},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("panic", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
