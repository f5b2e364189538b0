/*
 * Plans of whole simulations against what is known without a search.
 *
 * - Nodes of one slot behind one queue at the front door are M/M/c: the plan is
 *   the count that Erlang C gives, worked out here by factorial sums.
 * - Where nothing is random, all mixes of a grid are run, and the cheapest of
 *   those that meet the goal must be the plan's: also under policies with which
 *   more nodes do harm.
 */
#include "sim/experiment/experiment.h"
#include "sim/experiment/plan.h"
#include "sim/scenario/heavier.h"
#include "sim/scenario/loader.h"

#include "tests/check.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { OVERRIDES_MAX = 20, TEXT_SIZE = 2000 };

static char text[TEXT_SIZE];
static struct scenario *scenario;

static struct scenario *parse(char *const *overrides, size_t count)
{
    struct diag diag = {0};
    struct scenario *parsed =
        scenario_parse("test", text, strlen(text),
                       (const char *const *)overrides, count, &diag);

    if (!parsed)
        printf("%s", diag.text ? diag.text : "no memory");
    CHECK(parsed != NULL);
    diag_done(&diag);
    return parsed;
}

/* ---- variants, as the command makes them ---- */

struct overrides {
    char *items[OVERRIDES_MAX];
    size_t count;
};

static bool add(void *context, const char *override)
{
    struct overrides *overrides = context;

    overrides->items[overrides->count++] = strdup(override);
    return true;
}

__attribute__((format(printf, 2, 3))) static void
print(struct overrides *overrides, const char *format, ...)
{
    char override[200];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(override, sizeof override, format, arguments);
    va_end(arguments);
    add(overrides, override);
}

static enum plan_ran simulate(void *context, const struct plan_variant *variant,
                              struct experiment_result *ret,
                              char reason[PLAN_REASON_SIZE])
{
    struct overrides overrides = {0};
    struct experiment_setup setup = {.simulate = simulation_run, .threads = 2};
    struct scenario *parsed;
    enum experiment_status status = EXPERIMENT_NO_MEMORY;

    (void)context;
    (void)reason;
    print(&overrides, "policies=[%s]",
          scenario->policies[variant->policy].label);
    print(&overrides, "replications=%u", variant->replications);
    for (uint32_t g = 0; g < scenario->group_count; g++)
        print(&overrides, "nodes[%u].count=%u", g, variant->counts[g]);
    scenario_heavier(scenario, variant->load, add, &overrides);
    parsed = parse(overrides.items, overrides.count);
    setup.scenario = parsed;
    if (parsed)
        status = experiment_run(&setup, ret);
    CHECK_INT(status, EXPERIMENT_OK);
    scenario_destroy(parsed);
    while (overrides.count > 0)
        free(overrides.items[--overrides.count]);
    return status == EXPERIMENT_OK ? PLAN_RAN : PLAN_GIVE_UP;
}

static struct plan_result plan(void)
{
    struct plan_setup setup = {.limit_candidates = 1000, .simulate = simulate};
    struct plan_result result = {0};

    scenario_destroy(scenario);
    scenario = parse(NULL, 0);
    setup.scenario = scenario;
    if (scenario)
        CHECK_INT(plan_run(&setup, &result), PLAN_OK);
    return result;
}

static const struct plan_candidate *chosen(const struct plan_policy *policy)
{
    return policy->best < policy->candidate_count
               ? &policy->candidates[policy->best]
               : NULL;
}

static void forget(void)
{
    scenario_destroy(scenario);
    scenario = NULL;
}

/* ---- M/M/c ---- */

/* P(T > t) with service 1, arrivals a. */
static double beyond(double t, uint32_t c, double a)
{
    double term = 1, sum = 0, last, waits, spare = c - a;

    for (uint32_t k = 0; k < c; k++) {
        sum += term;
        term *= a / (k + 1);
    }
    last = term * c / (c - a);
    waits = last / (sum + last);
    return (1 - waits) * exp(-t) +
           waits * (spare * exp(-t) - exp(-spare * t)) / (spare - 1);
}

/* The quantile by halving; INFINITY: the queue has no end. */
static double quantile(double q, uint32_t c, double a)
{
    double low = 0, high = 1000;

    if (a >= c)
        return INFINITY;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;

        *(beyond(middle, c, a) > 1 - q ? &low : &high) = middle;
    }
    return high;
}

/* At 120 %, and one more than at 100 %. */
static uint32_t erlang(double q, double a, double goal)
{
    uint32_t heavy = 1, lost = 1;

    while (quantile(q, heavy, 1.2 * a) > goal)
        heavy++;
    while (quantile(q, lost, a) > goal)
        lost++;
    return heavy > lost + 1 ? heavy : lost + 1;
}

/* Goals half-way, on a logarithmic scale, between the quantiles that the wanted
   count and one node less have: so far from both that no sample confuses them.
   Which of the two conditions binds depends on the size. */
static double goal_between(double q, double a, uint32_t wanted)
{
    double enough =
        fmax(quantile(q, wanted, 1.2 * a), quantile(q, wanted - 1, a));
    double fewer =
        fmin(fmax(quantile(q, wanted - 1, 1.2 * a), quantile(q, wanted - 2, a)),
             4 * enough);

    return sqrt(enough * fewer);
}

static void check_against_erlang(double a, uint32_t wanted, unsigned seed)
{
    double goal = goal_between(0.9, a, wanted);
    struct plan_result result;

    CHECK_UINT(erlang(0.9, a, goal), wanted);
    snprintf(text, sizeof text,
             "lbsim: 1\nduration: 6000 s\nwarm_up: 300 s\nseed: %u\n"
             "replications: 5\n"
             "workload:\n"
             "  arrivals: {rate: %.17g/s}\n"
             "  work: {dist: exponential, mean: 1 s}\n"
             "nodes:\n"
             "  - {group: n, count: 1, engine: {slots: 1}}\n"
             "balancer: {caps: {max: 1}, queue: {size: 1000000}}\n"
             "policies: [least_conn]\n"
             "goals: {latency_all_p90: %.9g s}\n",
             seed, a, goal);
    result = plan();
    if (result.policy_count == 1) {
        const struct plan_candidate *best = chosen(&result.policies[0]);

        CHECK_UINT(best ? best->nodes : 0, wanted);
        CHECK_UINT(result.references[0].erlang, wanted);
        CHECK(!result.policies[0].found.contradicted);
    }
    plan_done(&result);
}

/* The least that is stable, one and two more. */
static void plans_are_those_of_erlang(void)
{
    static const double loads[] = {0.6, 2.3, 5.1, 11.7};

    for (unsigned i = 0; i < 4; i++)
        for (uint32_t more = 0; more < 2; more++) {
            uint32_t least = (uint32_t)ceil(1.2 * loads[i]);
            uint32_t safe = (uint32_t)ceil(loads[i]) + 1;

            check_against_erlang(loads[i], (least > safe ? least : safe) + more,
                                 100 + 10 * i + more);
        }
}

/* ---- everything is tried ---- */

enum { MOST = 6 };

static double least_price(uint32_t policy, const double *prices)
{
    double least = INFINITY;

    for (uint32_t a = 0; a <= MOST; a++)
        for (uint32_t b = 0; b <= MOST; b++) {
            uint32_t lost[][3] = {
                {a, b, 125}, {a - 1, b, 100}, {a, b - 1, 100}};
            bool met = a + b > 0;

            for (int i = 0; i < 3 && met; i++) {
                struct plan_variant variant = {policy, lost[i],
                                               lost[i][2] / 100.0, 2};
                struct experiment_result result = {0};
                const struct policy_fold *fold;
                char reason[PLAN_REASON_SIZE];

                if ((i == 1 && a == 0) || (i == 2 && b == 0))
                    continue;
                met = lost[i][0] + lost[i][1] > 0 &&
                      simulate(NULL, &variant, &result, reason) == PLAN_RAN;
                fold = met ? &result.policies[0].fold : NULL;
                met = met && !fold->unstable &&
                      fold->measures[M_LATENCY_ALL_P99].mean <=
                          scenario->goals[0].bound;
                outcome_done(&result);
            }
            if (met)
                least = fmin(least, a * prices[0] + b * prices[1]);
        }
    return least;
}

/* Slow nodes may be in the way, or a bargain. */
static void check_all_mixes(double rate, double speed, double goal,
                            double slow_price)
{
    const double prices[] = {3, slow_price};
    struct plan_result result;

    snprintf(
        text, sizeof text,
        "lbsim: 1\nduration: 40 s\nwarm_up: 4 s\nreplications: 2\n"
        "workload:\n"
        "  arrivals: {process: deterministic, rate: %.9g/s}\n"
        "  work: {dist: constant, value: 250 ms}\n"
        "nodes:\n"
        "  - {group: fast, weight: 5, cost_per_hour: 3, engine: {slots: 1}}\n"
        "  - {group: slow, weight: %u, cost_per_hour: %.9g, engine: {slots: "
        "1, speed: %.9g}}\n"
        "policies: [round_robin, smooth_weighted, least_conn]\n"
        "goals: {latency_all_p99: %.9g s}\n"
        "plan: {groups: {fast: 0..%d, slow: 0..%d}, headroom: 125 %%}\n",
        rate, (unsigned)(5 * speed + 0.5), slow_price, speed, goal, MOST, MOST);
    result = plan();
    for (uint32_t p = 0; p < result.policy_count; p++) {
        const struct plan_candidate *best = chosen(&result.policies[p]);
        double least = least_price(p, prices);

        CHECK((best != NULL) == (isfinite(least) != 0));
        if (best)
            CHECK_NEAR(best->cost_per_hour, least, 1e-9);
    }
    plan_done(&result);
}

static void the_cheapest_of_all_mixes(void)
{
    static const double speeds[] = {0.2, 0.4, 0.6, 1};
    static const double goals[] = {0.3, 0.7, 1.5};

    for (int s = 0; s < 4; s++)
        for (int g = 0; g < 3; g++) {
            check_all_mixes(7 + s, speeds[s], goals[g], 3 * speeds[s] * 0.8);
            check_all_mixes(9 - g, speeds[s], goals[g], 3 * speeds[s] * 1.3);
        }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"plans are those of Erlang", plans_are_those_of_erlang},
        {"the cheapest of all mixes", the_cheapest_of_all_mixes},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("plans", NULL, NULL, NULL, forget, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
