#include "sim/scenario/lookup.h"
#include "tests/unit/scenario/scenario_text.h"

static struct scenario *scenario;
static struct lookup_value value;

static void setup(void)
{
    scenario =
        loaded(load_more("balancer: {count: 3, report_interval: 250 ms}\n"
                         "faults: [{kind: crash, target: \"gpu[1]\", "
                         "at: 1 min}]\n"));
}

static void teardown(void)
{
    scenario_destroy(scenario);
    forget_diag();
}

static void check(const char *path, const char *text, double number,
                  const char *unit)
{
    CHECK_INT(scenario_lookup(scenario, path, &value), LOOKUP_FOUND);
    CHECK_TEXT(value.text, text);
    CHECK_TEXT(value.unit, unit);
    if (isnan(number))
        CHECK(isnan(value.number));
    else
        CHECK_NEAR(value.number, number, 1e-12);
}

static void values_come_with_their_numbers(void)
{
    check("duration", "10 min", 600, "s");
    check("balancer.report_interval", "250 ms", 0.25, "s");
    check("balancer.count", "3", 3, "");
    check("workload.arrivals.rate", "12/s", 12, "/s");
    check("workload.arrivals.process", "poisson", NAN, "");
}

static void entries_go_by_name_and_number(void)
{
    check("nodes[gpu].count", "4", 4, "");
    check("nodes[0].engine.slots", "2", 2, "");
    check("faults[0].at", "1 min", 60, "s");
    CHECK_INT(scenario_lookup(scenario, "nodes[cpu].count", &value),
              LOOKUP_NO_VALUE);
    CHECK_INT(scenario_lookup(scenario, "nodes[1].count", &value),
              LOOKUP_NO_VALUE);
}

static void what_is_not_there_has_no_value(void)
{
    CHECK_INT(scenario_lookup(scenario, "balancer.reports", &value),
              LOOKUP_NO_SETTING);
    CHECK_INT(scenario_lookup(scenario, "", &value), LOOKUP_NO_SETTING);
    CHECK_INT(scenario_lookup(scenario, "seed", &value), LOOKUP_NO_VALUE);
    CHECK_INT(scenario_lookup(scenario, "balancer", &value), LOOKUP_NO_VALUE);
    CHECK_INT(scenario_lookup(scenario, "balancer.retry", &value),
              LOOKUP_NO_VALUE);
}

/* Where defaults are written out, they are found. */
static void effective_scenarios_say_all(void)
{
    char *text = scenario_effective(scenario);

    scenario_destroy(scenario);
    scenario = loaded(load_with(text, NULL, 0));
    free(text);
    check("seed", "1", 1, "");
    check("balancer.assign", "hash", NAN, "");
    check("nodes[gpu].weight", "1", 1, "");
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"values come with their numbers", values_come_with_their_numbers},
        {"entries go by name and number", entries_go_by_name_and_number},
        {"what is not there has no value", what_is_not_there_has_no_value},
        {"effective scenarios say all", effective_scenarios_say_all},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("lookup", NULL, NULL, setup, teardown, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
