/* Dynamic weights: sequences worked out by hand. */
#include "sim/frontdoor/dynamic_weights.h"

#include "tests/check.h"

static const struct dynamic_weights_spec steps = {
    .given = true, .above = 0.8, .below = 0.3, .down = 2, .up = 1, .cap = 2};

static void check_path(const struct dynamic_weights_spec *spec,
                       uint32_t configured, uint32_t weight, const double *uses,
                       const uint32_t *weights, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        weight = dynamic_weights_step(spec, configured, weight, uses[i]);
        CHECK_UINT(weight, weights[i]);
    }
}

/* w = 5: use 0.85, 0.90, 0.95, 0.50, 0.20, 0.20 makes 3, 1, 1, 1, 2, 3. */
static void it_falls_by_two_and_rises_by_one(void)
{
    static const double uses[] = {0.85, 0.90, 0.95, 0.50, 0.20, 0.20};
    static const uint32_t weights[] = {3, 1, 1, 1, 2, 3};

    check_path(&steps, 5, 5, uses, weights, 6);
}

/* From 3 idle periods make 4, 5, 6, 6, ...: at most twice the weight. */
static void an_idle_node_ends_at_twice_its_weight(void)
{
    static const double uses[10] = {0};
    static const uint32_t weights[] = {4, 5, 6, 6, 6, 6, 6, 6, 6, 6};

    check_path(&steps, 3, 3, uses, weights, 10);
}

/* Without a cap it would be 12 more after a minute at one period in 5 s. */
static void a_high_cap_is_as_good_as_none(void)
{
    struct dynamic_weights_spec spec = steps;
    uint32_t weight = 3;

    spec.cap = 1000;
    for (int i = 0; i < 12; i++)
        weight = dynamic_weights_step(&spec, 3, weight, 0);
    CHECK_UINT(weight, 15);
}

static void the_bounds_themselves_change_nothing(void)
{
    CHECK_UINT(dynamic_weights_step(&steps, 5, 5, 0.8), 5);
    CHECK_UINT(dynamic_weights_step(&steps, 5, 5, 0.3), 5);
    CHECK_UINT(dynamic_weights_step(&steps, 5, 7, 0.8), 7);
}

/* One step a period, from either side, and only between the bounds. */
static void it_may_return_to_its_weight(void)
{
    static const double uses[] = {0.9, 0.5, 0.5, 0.5, 0.2, 0.2, 0.5, 0.5, 0.5};
    static const uint32_t weights[] = {3, 4, 5, 5, 6, 7, 6, 5, 5};
    struct dynamic_weights_spec spec = steps;

    spec.returns = true;
    check_path(&spec, 5, 5, uses, weights, 9);
}

/* Initial 100 and 75 % make 75; 3 and 50 % make 1; 1 and 50 % make 0, a drain:
   the product is cut. 256 is the most. */
static void an_agents_percentage_is_cut(void)
{
    CHECK_UINT(dynamic_weights_agent(100, 75), 75);
    CHECK_UINT(dynamic_weights_agent(3, 50), 1);
    CHECK_UINT(dynamic_weights_agent(1, 50), 0);
    CHECK_UINT(dynamic_weights_agent(1, 100), 1);
    CHECK_UINT(dynamic_weights_agent(256, 100), 256);
    CHECK_UINT(dynamic_weights_agent(1000, 50), 256);
}

static void an_agent_says_its_idle_share(void)
{
    CHECK_UINT(dynamic_weights_idle_percent(0), 100);
    CHECK_UINT(dynamic_weights_idle_percent(0.25), 75);
    CHECK_UINT(dynamic_weights_idle_percent(0.9), 10);
    CHECK_UINT(dynamic_weights_idle_percent(0.999), 0);
    CHECK_UINT(dynamic_weights_idle_percent(1), 0);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"it falls by two and rises by one", it_falls_by_two_and_rises_by_one},
        {"an idle node ends at twice its weight",
         an_idle_node_ends_at_twice_its_weight},
        {"a high cap is as good as none", a_high_cap_is_as_good_as_none},
        {"the bounds themselves change nothing",
         the_bounds_themselves_change_nothing},
        {"it may return to its weight", it_may_return_to_its_weight},
        {"an agent's percentage is cut", an_agents_percentage_is_cut},
        {"an agent says its idle share", an_agent_says_its_idle_share},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("dynamic_weights", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
