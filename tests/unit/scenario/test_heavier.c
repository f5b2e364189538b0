/*
 * Traffic twice and half as heavy: what is scaled, read back by loading the
 * scenario with the overrides that were handed out.
 */
#include "sim/scenario/heavier.h"
#include "tests/unit/scenario/scenario_text.h"
#include "tests/unit/scenario/variant_overrides.h"

#include <math.h>
#include <stdlib.h>

static const char rest[] = "  work: {dist: exponential, mean: 100 ms}\n"
                           "nodes:\n"
                           "  - {group: n, count: 2, engine: {slots: 1}}\n"
                           "policies: [random]\n";

static struct scenario *parse(const char *traffic)
{
    char text[2000];

    snprintf(text, sizeof text, "lbsim: 1\nduration: 100 s\nworkload:\n%s%s",
             traffic, rest);
    return scenario_parse("test", text, strlen(text),
                          (const char *const *)overrides, count, NULL);
}

/* The scenario as it is after scaling; NULL: it does not load. */
static struct scenario *heavier(const char *traffic, double factor)
{
    forget();
    struct scenario *scenario = parse(traffic);

    CHECK(scenario != NULL);
    if (!scenario)
        return NULL;
    CHECK(scenario_heavier(scenario, factor, keep, NULL));
    scenario_destroy(scenario);
    scenario = parse(traffic);
    CHECK(scenario != NULL);
    return scenario;
}

static void a_rate(void)
{
    struct scenario *scenario =
        heavier("  arrivals: {process: gamma, cv: 2, rate: 12/s}\n", 1.2);

    if (scenario) {
        CHECK_TEXT(overrides[0], "workload.arrivals.rate=14.4/s");
        CHECK_NEAR(scenario->workload.arrivals.rate_per_s, 14.4, 1e-12);
        CHECK_TEXT(scenario_load_words(scenario), "the rate");
    }
    scenario_destroy(scenario);
}

/* One by its factor, which stays, and one by its rate, which is scaled. */
static void spikes(void)
{
    struct scenario *scenario =
        heavier("  arrivals:\n"
                "    rate: 10/s\n"
                "    spikes:\n"
                "      - {at: 10 s, duration: 5 s, factor: 4}\n"
                "      - {at: 30 s, duration: 5 s, rate: 50/s}\n",
                2);

    if (scenario) {
        const struct arrivals_spec *spec = &scenario->workload.arrivals;

        CHECK_UINT(count, 2);
        CHECK_NEAR(spec->rate_per_s, 20, 0);
        CHECK_NEAR(spec->spikes[0].factor, 4, 0);
        CHECK_NEAR(spec->spikes[1].factor * spec->rate_per_s, 100, 1e-9);
        CHECK_TEXT(scenario_load_words(scenario), "the rate and its spikes");
    }
    scenario_destroy(scenario);
}

static void a_curve(void)
{
    struct scenario *scenario =
        heavier("  arrivals: {process: diurnal, points: [{at: 0 s, rate: 5/s}, "
                "{at: 50 s, rate: 9/s}]}\n",
                0.5);

    if (scenario) {
        CHECK_NEAR(scenario->workload.arrivals.points[0].rate_per_s, 2.5, 0);
        CHECK_NEAR(scenario->workload.arrivals.points[1].rate_per_s, 4.5, 0);
        CHECK_TEXT(scenario_load_words(scenario),
                   "the whole curve of the rate");
    }
    scenario_destroy(scenario);
}

static void a_sine(void)
{
    struct scenario *scenario = heavier(
        "  arrivals: {process: diurnal, rate: 8/s, amplitude: 50 %}\n", 1.5);

    if (scenario) {
        CHECK_NEAR(scenario->workload.arrivals.rate_per_s, 12, 1e-12);
        CHECK_NEAR(scenario->workload.arrivals.amplitude, 0.5, 0);
    }
    scenario_destroy(scenario);
}

static void hidden_states(void)
{
    struct scenario *scenario =
        heavier("  arrivals: {process: mmpp, states: [{rate: 5/s, stay: 20 s}, "
                "{rate: 0/s, stay: 5 s}]}\n",
                3);

    if (scenario) {
        CHECK_NEAR(scenario->workload.arrivals.states[0].rate_per_s, 15, 0);
        CHECK_NEAR(scenario->workload.arrivals.states[1].rate_per_s, 0, 0);
        CHECK_NEAR(scenario->workload.arrivals.states[0].stay_s, 20, 0);
    }
    scenario_destroy(scenario);
}

/* 5 times 1.2 is 6, and 7 times 1.2 is 8.4: a ninth client. */
static void clients(void)
{
    static const char five[] = "  arrivals: {process: closed, clients: 5}\n";
    static const char seven[] = "  arrivals: {process: closed, clients: 7}\n";
    struct scenario *scenario = heavier(five, 1.2);

    CHECK_UINT(scenario ? scenario->workload.arrivals.clients : 0, 6);
    scenario_destroy(scenario);
    scenario = heavier(seven, 1.2);
    CHECK_UINT(scenario ? scenario->workload.arrivals.clients : 0, 9);
    scenario_destroy(scenario);
}

static void overlays(void)
{
    struct scenario *scenario =
        heavier("  arrivals: {rate: 10/s}\n"
                "  overlay:\n"
                "    - {arrivals: {rate: 3/s}, work: {dist: constant, value: 1 "
                "s}}\n"
                "    - {at: 5 s, arrivals: {rate: 4/s}, work: {dist: constant, "
                "value: 1 s}}\n",
                2);

    if (scenario) {
        const struct workload_overlay *all = scenario->workload.overlays;

        CHECK_NEAR(scenario->workload.arrivals.rate_per_s, 20, 0);
        CHECK_NEAR(all[0].spec.arrivals.rate_per_s, 6, 0);
        CHECK_NEAR(all[1].spec.arrivals.rate_per_s, 8, 0);
        CHECK_TEXT(scenario_load_words(scenario), "all sources of traffic");
    }
    scenario_destroy(scenario);
}

/* The file need not be there: its speed is set before it is opened. */
static void a_trace(void)
{
    struct scenario *scenario =
        heavier("  trace: {file: some.csv, rate_scale: 3}\n", 1.2);

    CHECK_NEAR(scenario ? scenario->trace.rate_scale : 0, 3.6, 1e-12);
    scenario_destroy(scenario);
    scenario = heavier("  trace: {file: some.csv}\n", 1.2);
    CHECK_NEAR(scenario ? scenario->trace.rate_scale : 0, 1.2, 1e-12);
    scenario_destroy(scenario);
    scenario = heavier("  trace: {file: some.csv, rate: 50/s}\n", 1.2);
    CHECK_NEAR(scenario ? scenario->trace.rate_per_s : 0, 60, 1e-12);
    scenario_destroy(scenario);
}

static bool refuse(void *context, const char *override)
{
    (void) override;
    ++*(int *)context;
    return false;
}

static void ends_when_nobody_takes_it(void)
{
    int asked = 0;

    forget();
    struct scenario *scenario =
        parse("  arrivals: {process: mmpp, states: [{rate: 5/s, stay: 20 s}, "
              "{rate: 1/s, stay: 5 s}]}\n");
    CHECK(scenario && !scenario_heavier(scenario, 2, refuse, &asked));
    CHECK_INT(asked, 1);
    scenario_destroy(scenario);
}

/* Plans: what a scenario says, and what it comes to when it says nothing. */
static void plans(void)
{
    forget();
    struct scenario *scenario = parse("  arrivals: {rate: 10/s}\n");

    CHECK(scenario != NULL);
    if (!scenario)
        return;
    CHECK_NEAR(scenario->plan.headroom, 1.2, 1e-12);
    CHECK_NEAR(scenario->plan.lose_at, 1, 0);
    CHECK_UINT(scenario->plan.lose, 1);
    CHECK_UINT(scenario->plan.minimise, PLAN_NODES);
    CHECK_UINT(scenario->plan.replications, 20);
    CHECK_UINT(scenario->plan.range_count, 1);
    CHECK_UINT(scenario->plan.ranges[0].least, 0);
    CHECK_UINT(scenario->plan.ranges[0].most, PLAN_BY_LOAD);
    scenario_destroy(scenario);

    keep(NULL, "nodes[n].cost_per_hour=2");
    keep(NULL, "plan.groups.n=3..9");
    keep(NULL, "replications=10");
    scenario = parse("  arrivals: {rate: 10/s}\n");
    CHECK(scenario != NULL);
    if (!scenario)
        return;
    CHECK_UINT(scenario->plan.minimise, PLAN_COST);
    CHECK_UINT(scenario->plan.replications, 40);
    CHECK_UINT(scenario->plan.ranges[0].least, 3);
    CHECK_UINT(scenario->plan.ranges[0].most, 9);
    scenario_destroy(scenario);
    forget();
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"a rate", a_rate},
        {"spikes", spikes},
        {"a curve", a_curve},
        {"a sine", a_sine},
        {"hidden states", hidden_states},
        {"clients", clients},
        {"overlays", overlays},
        {"a trace", a_trace},
        {"ends when nobody takes it", ends_when_nobody_takes_it},
        {"plans", plans},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("heavier traffic", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    int status = check_main(argc, argv, suites);

    forget();
    return status;
}
