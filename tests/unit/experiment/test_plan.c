/*
 * Plans of nodes that behave as theory says: the experiment is replaced by the
 * quantile of M/M/c, worked out here by factorial sums and halving, so the
 * fewest nodes are known without a simulation.
 */
#include "sim/experiment/plan.h"

#include "sim/scenario/loader.h"
#include "tests/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SERVICE_S 0.1

static double rate_per_s, goal_s, noise;
static const char *more_nodes;
static uint32_t at_least; /* nodes without which it cannot be simulated */
static uint32_t slots, most_replications, experiments, stop_after;
static bool growing;
static struct scenario *scenario;

/* ---- theory, the slow way ---- */

/* P(T > t) of M/M/c with arrivals lam and services mu. Where c mu - lam is mu
   the formula divides by nothing, so lam is moved by a hair. */
static double beyond(double t, uint32_t c, double lam)
{
    double mu = 1 / SERVICE_S, a, term = 1, sum = 0, last, waits;
    double theta;

    lam *= 1 + 1e-7;
    a = lam / mu;
    theta = c * mu - lam;
    for (uint32_t k = 0; k < c; k++) {
        sum += term;
        term *= a / (k + 1);
    }
    last = term * c / (c - a);
    waits = last / (sum + last);
    return (1 - waits) * exp(-mu * t) +
           waits * (theta * exp(-mu * t) - mu * exp(-theta * t)) / (theta - mu);
}

/* INFINITY: more arrives than c serve. */
static double quantile(uint32_t c, double lam)
{
    double low = 0, high = 1000;

    if (lam * SERVICE_S >= c)
        return INFINITY;
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;

        *(beyond(middle, c, lam) > 0.01 ? &low : &high) = middle;
    }
    return high;
}

static uint32_t fewest_servers(double lam)
{
    uint32_t c = 1;

    while (quantile(c, lam) > goal_s)
        c++;
    return c;
}

/* Of nodes: at 120 %, and one more than at 100 %. */
static uint32_t fewest_nodes(void)
{
    uint32_t heavy = (fewest_servers(1.2 * rate_per_s) + slots - 1) / slots;
    uint32_t lost = (fewest_servers(rate_per_s) + slots - 1) / slots + 1;

    return heavy > lost ? heavy : lost;
}

/* ---- the experiment ---- */

static enum plan_ran simulate(void *context, const struct plan_variant *variant,
                              struct experiment_result *ret,
                              char reason[PLAN_REASON_SIZE])
{
    uint32_t n = variant->replications;
    struct policy_result *policy = calloc(1, sizeof *policy);
    double p99 =
        quantile(variant->counts[0] * slots, variant->load * rate_per_s);
    double *values = calloc((size_t)n * MEASURE_COUNT, sizeof *values);

    (void)context;
    if (variant->counts[0] < at_least) {
        free(policy);
        free(values);
        snprintf(reason, PLAN_REASON_SIZE, "too small");
        return PLAN_CANNOT_RUN;
    }
    ret->policies = policy;
    ret->policy_count = 1;
    ret->replications = n;
    if (!policy || !values || experiments++ == stop_after) {
        free(values);
        return PLAN_GIVE_UP;
    }
    policy->fold.replications = n;
    policy->fold.unstable = growing ? n : 0;
    policy->fold.owned_values = values;
    for (int id = 0; id < MEASURE_COUNT; id++) {
        policy->fold.values[id] = values + (size_t)id * n;
        policy->fold.measures[id].mean = NAN;
    }
    for (uint32_t i = 0; i < n; i++)
        policy->fold.values[M_LATENCY_ALL_P99][i] =
            p99 * (1 + (i % 2 ? noise : -noise));
    policy->fold.measures[M_LATENCY_ALL_P99].mean = isinf(p99) ? NAN : p99;
    most_replications = n > most_replications ? n : most_replications;
    return PLAN_RAN;
}

static struct plan_result run(const char *more, enum plan_status expected)
{
    static const char form[] = "lbsim: 1\nduration: 100 s\nreplications: 4\n"
                               "workload:\n"
                               "  arrivals: {rate: %.17g/s}\n"
                               "  work: {dist: exponential, mean: 100 ms}\n"
                               "nodes:\n"
                               "  - {group: n, count: 2, engine: {slots: %u}}\n"
                               "%spolicies: [least_conn]\n%s";
    char text[2000], goals[100];
    struct diag diag = {0};
    struct plan_result result = {0};
    struct plan_setup setup = {.limit_candidates = 100, .simulate = simulate};

    snprintf(goals, sizeof goals, "goals: {latency_all_p99: %.9g s}\n", goal_s);
    snprintf(text, sizeof text, form, rate_per_s, slots, more_nodes,
             more ? more : goals);
    scenario_destroy(scenario);
    scenario = scenario_parse("test", text, strlen(text), NULL, 0, &diag);
    if (!scenario)
        printf("%s", diag.text ? diag.text : "no memory");
    diag_done(&diag);
    CHECK(scenario != NULL);
    experiments = most_replications = 0;
    setup.scenario = scenario;
    if (scenario)
        CHECK_UINT(plan_run(&setup, &result), expected);
    return result;
}

static const struct plan_candidate *chosen(const struct plan_result *result)
{
    const struct plan_policy *policy = &result->policies[0];

    CHECK(policy->best < policy->candidate_count);
    return policy->best < policy->candidate_count
               ? &policy->candidates[policy->best]
               : NULL;
}

static void setup(void)
{
    rate_per_s = 40;
    goal_s = 1;
    noise = 1e-6;
    slots = 1;
    stop_after = UINT32_MAX;
    growing = false;
    at_least = 0;
    more_nodes = "";
}

static void teardown(void)
{
    scenario_destroy(scenario);
    scenario = NULL;
}

/* ---- tests ---- */

static void finds_what_erlang_says(void)
{
    static const double rates[] = {3, 17, 40, 90, 333, 800};
    static const double goals[] = {0.47, 0.6, 1, 3};

    for (int r = 0; r < 6; r++)
        for (int g = 0; g < 4; g++) {
            rate_per_s = rates[r];
            goal_s = goals[g];
            slots = 1 + (uint32_t)(r + g) % 3;

            struct plan_result result = run(NULL, PLAN_OK);
            const struct plan_candidate *best = chosen(&result);

            CHECK_UINT(best ? best->nodes : 0, fewest_nodes());
            CHECK_UINT(result.references[0].erlang, fewest_nodes());
            CHECK(result.policies[0].found.asked <= 5);
            plan_done(&result);
        }
}

/* Theory's square-root rule is near, and its erlangs are those at 120 %. */
static void knows_the_rule_of_thumb(void)
{
    rate_per_s = 800;

    struct plan_result result = run(NULL, PLAN_OK);
    const struct plan_reference *reference = &result.references[0];

    CHECK(reference->known && reference->by_goals);
    CHECK_NEAR(reference->erlangs, 96, 1e-9); /* 1.2 * 800 * 0.1 */
    CHECK(reference->root <= reference->erlang);
    CHECK(reference->root + 1 >= reference->erlang);
    plan_done(&result);
}

static void shows_the_trials_of_the_choice(void)
{
    struct plan_result result = run(NULL, PLAN_OK);
    const struct plan_candidate *best = chosen(&result);

    CHECK_UINT(best ? best->trial_count : 0, 3);
    if (best && best->trial_count == 3) {
        const struct plan_trial *trials = best->trials;

        CHECK_INT(trials[0].kind, PLAN_AT_LOAD);
        CHECK_INT(trials[1].kind, PLAN_AT_HEADROOM);
        CHECK_INT(trials[2].kind, PLAN_NODES_LOST);
        CHECK_NEAR(trials[0].goals[0].value, quantile(best->nodes, 40), 1e-4);
        CHECK_NEAR(trials[1].goals[0].value, quantile(best->nodes, 48), 1e-4);
        CHECK_NEAR(trials[2].goals[0].value, quantile(best->nodes - 1, 40),
                   1e-4);
        CHECK_NEAR(trials[1].goals[0].margin, 1 - quantile(best->nodes, 48),
                   1e-4);
        CHECK_NEAR(trials[1].use, 4.8 / best->nodes, 1e-9);
    }
    plan_done(&result);
}

/* Up to 1 % below the load at which the quantile crosses the goal. */
static void finds_what_the_choice_bears(void)
{
    struct plan_result result = run(NULL, PLAN_OK);
    const struct plan_candidate *best = chosen(&result);
    double bears = result.policies[0].bears;

    if (best) {
        CHECK(quantile(best->nodes, bears * 40) <= 1);
        CHECK(quantile(best->nodes, (bears + 0.011) * 40) > 1);
    }
    CHECK(!result.policies[0].bears_more);
    plan_done(&result);
}

static void without_losses_the_headroom_decides(void)
{
    struct plan_result result =
        run("goals: {latency_all_p99: 1 s}\nplan: {lose: 0, headroom: 100 %}\n",
            PLAN_OK);
    const struct plan_candidate *best = chosen(&result);

    CHECK_UINT(best ? best->nodes : 0, fewest_servers(40));
    CHECK_UINT(best ? best->trial_count : 0, 2);
    plan_done(&result);
}

/* 40 a second of 100 ms need four nodes unless requests leave in time: then
   only no node at all is ruled out, and goals decide. */
static void time_outs_leave_it_to_the_goals(void)
{
    static const char *const more[] = {
        "goals: {latency_all_p99: 1 s}\nplan: {lose: 0, headroom: 100 %}\n",
        "goals: {latency_all_p99: 1 s}\nplan: {lose: 0, headroom: 100 %}\n"
        "balancer: {timeout: {queue: 100 ms}}\n"};

    for (int i = 0; i < 2; i++) {
        struct plan_result result = run(more[i], PLAN_OK);

        CHECK_UINT(result.policies[0].found.hopeless, i == 0 ? 4 : 1);
        plan_done(&result);
    }
}

/* Two gone at 150 % of the load. */
static void losses_at_a_load_of_their_own(void)
{
    struct plan_result result =
        run("goals: {latency_all_p99: 1 s}\nplan: {lose: 2, lose_at: 150 %}\n",
            PLAN_OK);
    const struct plan_candidate *best = chosen(&result);

    CHECK_UINT(best ? best->nodes : 0, fewest_servers(60) + 2);
    plan_done(&result);
}

/* Deviations of 25 % in four replications say nothing near the bound; twice as
   many each time are looked at, and 20 at most. */
static void doubles_replications_where_it_is_close(void)
{
    noise = 0.25;
    goal_s = 1.001 * quantile(6, 48);

    struct plan_result result = run(NULL, PLAN_OK);
    const struct plan_policy *policy = &result.policies[0];
    bool unsure = false;

    CHECK_UINT(most_replications, 20);
    CHECK_UINT(result.looks, 4); /* 4, 8, 16, 20 */
    for (uint32_t i = 0; i < policy->candidate_count; i++)
        if (policy->candidates[i].answer == PLAN_CANNOT_TELL) {
            const struct plan_candidate *candidate = &policy->candidates[i];

            unsure = true;
            CHECK(candidate->trials[candidate->trial_count - 1]
                      .goals[0]
                      .replications_needed > 20);
        }
    CHECK(unsure);
    CHECK(chosen(&result) && chosen(&result)->nodes > 6);
    plan_done(&result);
}

/* 5 % shared out over four looks and the mixes in order: 0 .. 4 * (6 + 1)
   nodes, a share in proportion to 1/k for the k-th, which are all of it if all
   are asked. A mix is called enough wrongly on one side of an interval. */
static void confidence_is_shared_out(void)
{
    struct plan_result result = run(NULL, PLAN_OK);

    CHECK_UINT(result.mixes, 29);
    CHECK_UINT(result.answers, 29);

    const struct plan_policy *policy = &result.policies[0];
    double first = (1 - policy->candidates[0].level) / 2, all = 0;

    for (uint32_t k = 1; k <= 29; k++)
        all += first / k;
    CHECK_NEAR(all, 0.05 / 4, 1e-12);
    CHECK(policy->candidate_count > 2);
    for (uint32_t i = 0; i < policy->candidate_count; i++)
        CHECK_NEAR((1 - policy->candidates[i].level) / 2, first / (i + 1),
                   1e-12);
    plan_done(&result);
}

/* The bound of the largest mix lies in its interval: nobody knows yet. With
   more replications than it says it is told. */
static void what_cannot_be_told_is_not_infeasible(void)
{
    char more[120];

    noise = 0.25;
    goal_s = 1.01 * quantile(6, 40);
    snprintf(more, sizeof more,
             "goals: {latency_all_p99: %.9g s}\n"
             "plan: {groups: {n: 0..6}, headroom: 100 %%, lose: 0}\n",
             goal_s);

    struct plan_result result = run(more, PLAN_OK);
    const struct plan_policy *policy = &result.policies[0];

    CHECK_INT(policy->found.end, PLAN_UNDECIDED);
    CHECK(policy->nearest < policy->candidate_count);
    CHECK(policy->best == policy->candidate_count);
    plan_done(&result);
    strcpy(strstr(more, ", lose: 0"), ", lose: 0, replications: 100000}\n");
    result = run(more, PLAN_OK);
    CHECK_INT(result.policies[0].found.end, PLAN_FOUND);
    plan_done(&result);
}

static void says_what_comes_nearest(void)
{
    struct plan_result result = run(
        "goals: {latency_all_p99: 1 s}\nplan: {groups: {n: 0..5}}\n", PLAN_OK);
    const struct plan_policy *policy = &result.policies[0];

    CHECK_INT(policy->found.end, PLAN_INFEASIBLE);
    CHECK_UINT(policy->best, policy->candidate_count);
    CHECK(policy->nearest < policy->candidate_count);
    if (policy->nearest < policy->candidate_count) {
        const struct plan_candidate *nearest =
            &policy->candidates[policy->nearest];

        CHECK_UINT(nearest->nodes, 5);
        CHECK_NEAR(plan_worst_trial(nearest, 1)->goals[0].margin,
                   1 - quantile(5, 48), 1e-4);
    }
    CHECK(isnan(policy->bears));
    plan_done(&result);
}

/* Two nodes serve 20 a second at most: nothing has to be simulated. */
static void too_few_for_the_work_are_not_simulated(void)
{
    struct plan_result result = run(
        "goals: {latency_all_p99: 1 s}\nplan: {groups: {n: 0..2}}\n", PLAN_OK);

    CHECK_UINT(experiments, 0);
    CHECK_UINT(result.policies[0].found.hopeless, 3);
    plan_done(&result);
}

static void queues_that_grow_are_not_enough(void)
{
    growing = true;

    struct plan_result result = run(NULL, PLAN_OK);
    CHECK_INT(result.policies[0].found.end, PLAN_INFEASIBLE);
    plan_done(&result);
}

/* One node: without it nothing is left, whatever the load. */
static void the_last_node_cannot_be_lost(void)
{
    rate_per_s = 0.5;
    goal_s = 3;

    struct plan_result result = run(NULL, PLAN_OK);
    CHECK_UINT(chosen(&result) ? chosen(&result)->nodes : 0, 2);
    plan_done(&result);
}

/* Such as a fault of the tenth node: with nine, or one lost of ten, there is
   no such scenario. */
static void what_cannot_be_simulated_says_nothing(void)
{
    at_least = 10;

    struct plan_result result = run(NULL, PLAN_OK);
    const struct plan_policy *policy = &result.policies[0];

    CHECK_UINT(chosen(&result) ? chosen(&result)->nodes : 0, 11);
    CHECK(!result.stopped);
    for (uint32_t i = 0; i < policy->candidate_count; i++)
        if (policy->candidates[i].nodes == 10)
            CHECK_TEXT(policy->candidates[i].trials[1].reason, "too small");
    plan_done(&result);

    /* None can be simulated: that is not infeasible. */
    at_least = UINT32_MAX;
    result = run(NULL, PLAN_OK);
    policy = &result.policies[0];
    CHECK_INT(policy->found.end, PLAN_UNTRIED);
    CHECK(policy->found.untried > 0 && !policy->found.any);
    CHECK_UINT(policy->nearest, policy->candidate_count);
    for (uint32_t i = 0; i < policy->candidate_count; i++)
        CHECK_INT(policy->candidates[i].answer, PLAN_NOT_RUN);
    plan_done(&result);
}

static void ends_with_what_it_has(void)
{
    for (stop_after = 0; stop_after < 12; stop_after++) {
        struct plan_result result = run(NULL, PLAN_OK);

        CHECK(result.stopped == (experiments == stop_after + 1));
        plan_done(&result);
    }
}

/* Three groups, of which some 85 nodes each would do: 4 times as many make 40
   million mixes, twice as many 5 million, and as many 600,000. */
static void of_many_groups_fewer_nodes_are_looked_at(void)
{
    rate_per_s = 700;
    stop_after = 0;
    more_nodes = "  - {group: b, engine: {slots: 1}}\n"
                 "  - {group: c, engine: {slots: 1}}\n";

    struct plan_result result = run(NULL, PLAN_OK);
    uint32_t alone = result.references[0].erlang;

    CHECK(alone > 79); /* 4 million is 159 cubed */
    CHECK_UINT(result.ranges[0].most, alone + 1);
    CHECK_UINT(result.mixes, (alone + 2) * (alone + 2) * (alone + 2));
    plan_done(&result);
}

static void asks_for_what_it_lacks(void)
{
    struct plan_result result = run("", PLAN_NO_GOALS);

    plan_done(&result);
    result =
        run("goals: {success: 99 %}\nplan: {groups: {n: 0..3}}\n", PLAN_OK);
    CHECK(!result.references[0].by_goals);
    plan_done(&result);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"finds what Erlang says", finds_what_erlang_says},
        {"knows the rule of thumb", knows_the_rule_of_thumb},
        {"shows the trials of the choice", shows_the_trials_of_the_choice},
        {"finds what the choice bears", finds_what_the_choice_bears},
        {"without losses the headroom decides",
         without_losses_the_headroom_decides},
        {"time-outs leave it to the goals", time_outs_leave_it_to_the_goals},
        {"losses at a load of their own", losses_at_a_load_of_their_own},
        {"doubles replications where it is close",
         doubles_replications_where_it_is_close},
        {"confidence is shared out", confidence_is_shared_out},
        {"says what comes nearest", what_cannot_be_told_is_not_infeasible},
        {"says what comes nearest", says_what_comes_nearest},
        {"too few for the work are not simulated",
         too_few_for_the_work_are_not_simulated},
        {"queues that grow are not enough", queues_that_grow_are_not_enough},
        {"the last node cannot be lost", the_last_node_cannot_be_lost},
        {"what cannot be simulated says nothing",
         what_cannot_be_simulated_says_nothing},
        {"of many groups fewer nodes are looked at",
         of_many_groups_fewer_nodes_are_looked_at},
        {"ends with what it has", ends_with_what_it_has},
        {"asks for what it lacks", asks_for_what_it_lacks},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("plan", NULL, NULL, setup, teardown, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
