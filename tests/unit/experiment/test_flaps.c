/*
 * Ejections and flaps, by hand: a node that dies at 1, 3 and 80 s for 1 s each
 * is held unhealthy three times; the second time comes within a minute of its
 * return, the third does not. Checks are every 0.1 s and believed at once.
 */
#include "tests/unit/experiment/simulation_world.h"

static struct fault_spec faults[3];
static const struct fault_pick the_one = {.stretch_count = 1};
static const struct fault_stretch first_node = {0, 1, 1};

static void prepare_faults(void)
{
    static const int64_t at_s[] = {1, 3, 80};

    prepare();
    set_nodes(2);
    for (int i = 0; i < 3; i++)
        faults[i] = (struct fault_spec){.kind = FAULT_CRASH,
                                        .target = {&the_one, &first_node, 1},
                                        .at_ns = at_s[i] * S,
                                        .restart_after_ns = S,
                                        .seen_as = FAULT_REFUSED};
    scenario.duration_ns = 100 * S;
    scenario.faults = faults;
    scenario.fault_count = 3;
    scenario.balancer.health = (struct health_spec){.given = true,
                                                    .interval_ns = S / 10,
                                                    .timeout_ns = S / 20,
                                                    .unhealthy_after = 1,
                                                    .healthy_after = 1};
}

static void quick_returns_are_flaps(void)
{
    run(SIM_OK);
    CHECK_NEAR(result.values[M_EJECTIONS], 3, 0);
    CHECK_NEAR(result.values[M_FLAPS], 1, 0);
}

static void each_balancer_has_its_own_belief(void)
{
    scenario.balancer.count = 2;
    run(SIM_OK);
    CHECK_NEAR(result.values[M_EJECTIONS], 6, 0);
    CHECK_NEAR(result.values[M_FLAPS], 2, 0);
}

/* Ten bad checks in a row take longer than a death lasts. */
static void patience_ejects_nobody(void)
{
    scenario.balancer.health.unhealthy_after = 11;
    run(SIM_OK);
    CHECK_NEAR(result.values[M_EJECTIONS], 0, 0);
    CHECK_NEAR(result.values[M_FLAPS], 0, 0);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"quick returns are flaps", quick_returns_are_flaps},
        {"each balancer has its own belief", each_balancer_has_its_own_belief},
        {"patience ejects nobody", patience_ejects_nobody},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("flaps", NULL, NULL, prepare_faults, forget, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
