/* From facts to advice, and from results to judgements. */
#include "sim/advice/advice.h"
#include "sim/scenario/loader.h"
#include "tests/advice_cases.h"
#include "tests/check.h"

#include <stdlib.h>

/* ---- rules on scenarios of known character ---- */

static struct scenario *load(const struct advice_case *one)
{
    struct diag diag = {0};
    struct scenario *scenario =
        scenario_parse(one->name, one->yaml, strlen(one->yaml), NULL, 0, &diag);

    if (!scenario)
        printf("%s\n", diag.text ? diag.text : "no scenario");
    diag_done(&diag);
    return scenario;
}

static bool fired(const struct advice *advice, const char *name, size_t length)
{
    for (uint32_t i = 0; i < advice->rule_count; i++)
        if (strlen(advice->rules[i]->name) == length &&
            strncmp(advice->rules[i]->name, name, length) == 0)
            return true;
    return false;
}

static bool is_a_rule(const char *name, size_t length)
{
    for (size_t i = 0; i < rules_count; i++)
        if (strlen(rules_table[i].name) == length &&
            strncmp(rules_table[i].name, name, length) == 0)
            return true;
    return false;
}

static void check_rules(const struct advice_case *one,
                        const struct advice *advice, const char *names,
                        bool expected)
{
    while (*names) {
        size_t length = strcspn(names, " ");
        bool found = fired(advice, names, length);

        if (found != expected || !is_a_rule(names, length))
            printf("%s: %.*s\n", one->name, (int)length, names);
        CHECK(is_a_rule(names, length));
        CHECK(found == expected);
        names += length + strspn(names + length, " ");
    }
}

static void rules_fire_where_they_should_and_nowhere_else(void)
{
    for (size_t i = 0; i < ADVICE_CASES; i++) {
        struct scenario *scenario = load(&advice_cases[i]);
        struct facts facts;
        struct advice advice;

        CHECK(scenario != NULL);
        if (!scenario)
            continue;
        CHECK(facts_gather(scenario, &facts));
        advice_make(&facts, scenario->objective, &advice);
        check_rules(&advice_cases[i], &advice, advice_cases[i].fires, true);
        check_rules(&advice_cases[i], &advice, advice_cases[i].silent, false);
        scenario_destroy(scenario);
    }
}

static void every_rule_fires_somewhere(void)
{
    for (size_t i = 0; i < rules_count; i++) {
        bool found = false;

        for (size_t j = 0; j < ADVICE_CASES; j++)
            found |= strstr(advice_cases[j].fires, rules_table[i].name) != NULL;
        if (!found)
            printf("%s is in no case\n", rules_table[i].name);
        CHECK(found);
    }
}

static void every_rule_has_its_reason(void)
{
    for (size_t i = 0; i < rules_count; i++) {
        CHECK(strlen(rules_table[i].why) > 0);
        CHECK(strlen(rules_table[i].source) > 0);
        CHECK(rules_table[i].when[0].relation != RELATION_NONE);
    }
}

/* Every fact that a text names is one that the rule could not fire without, or
   is known whenever these are; so no text ever says that a value is missing. */
static void what_rules_say_here_has_values(void)
{
    for (size_t i = 0; i < ADVICE_CASES; i++) {
        struct scenario *scenario = load(&advice_cases[i]);
        struct facts facts;

        CHECK(scenario && facts_gather(scenario, &facts));
        for (size_t j = 0; scenario && j < rules_count; j++) {
            const char *at = rules_table[j].here;

            if (!rule_fires(&rules_table[j], &facts))
                continue;
            while ((at = strchr(at, '{')) != NULL) {
                size_t length = strcspn(++at, "}");
                enum fact_id id = facts_find(at, length);

                CHECK(at[length] == '}');
                CHECK(id < FACT_COUNT);
                CHECK(id == FACT_COUNT || !isnan(facts.values[id]));
            }
        }
        scenario_destroy(scenario);
    }
}

/* ---- facts ---- */

static struct facts facts_of(const char *yaml)
{
    struct advice_case one = {.name = "facts.yaml", .yaml = yaml};
    struct scenario *scenario = load(&one);
    struct facts facts = {{0}};

    CHECK(scenario && facts_gather(scenario, &facts));
    scenario_destroy(scenario);
    return facts;
}

/* Drawn over some 8,000 requests: a mean of exponentials is known to 1.1 %, a
   squared coefficient of variation to some 4 %; three times that. */
static void facts_of_exponential_traffic(void)
{
    struct facts facts = facts_of(advice_cases[0].yaml);

    CHECK_NEAR(facts.values[FACT_RATE], 6.8, 1e-9);
    CHECK_NEAR(facts.values[FACT_LOAD], 0.85, 1e-9);
    CHECK_NEAR(facts.values[FACT_NEED_MEAN], 1, 0.035);
    CHECK_NEAR(facts.values[FACT_NEED_SCV], 1, 0.12);
    CHECK_NEAR(facts.values[FACT_NEED_TAIL], 4.605, 0.3); /* ln 100 */
    CHECK_NEAR(facts.values[FACT_GAP_SCV], 1, 0.12);
    CHECK_NEAR(facts.values[FACT_WAIT], 0.85, 1e-9); /* M/M/1 */
    CHECK_NEAR(facts.values[FACT_KEYED], 0, 0);
    CHECK_NEAR(facts.values[FACT_STEADY], 1, 0);
    CHECK(isnan(facts.values[FACT_REPORT_AGE]));
    CHECK(isnan(facts.values[FACT_DETECTION]));
}

static void facts_of_unequal_nodes(void)
{
    struct facts facts = facts_of(advice_cases[5].yaml);

    CHECK_NEAR(facts.values[FACT_SPEEDS], 2, 1e-9);
    CHECK_NEAR(facts.values[FACT_CAPACITIES], 2, 1e-9);
    CHECK_NEAR(facts.values[FACT_MISFIT], 4, 1e-9);
    CHECK_NEAR(facts.values[FACT_LOAD], 0.6, 1e-9);         /* 28.8 / 48 */
    CHECK_NEAR(facts.values[FACT_SLOWEST_LOAD], 0.9, 1e-9); /* 3.6 / 4 */
    /* 28.8 / 6 = 4.8 of 4, but for the mean need that is drawn */
    CHECK_NEAR(facts.values[FACT_WEIGHTED_LOAD], 1.2, 0.04);
    CHECK(isnan(facts.values[FACT_WAIT])); /* nodes differ */
}

/* 100 % repeats of 10 keys over 10 caches that hold 10: with 1,000 requests,
   100 misses when keys go anywhere (each cache meets each key), 10 by key. */
static void facts_of_caches(void)
{
    struct facts facts = facts_of(
        "lbsim: 1\nduration: 1000 s\nreplications: 1\n"
        "workload: {arrivals: {process: deterministic, rate: 10/s}, work: "
        "{dist: constant, value: 100 ms}, keys: {dist: zipf, exponent: 0, "
        "distinct: 10, repeat_share: 100 %}}\n"
        "nodes: [{group: n, count: 10, engine: {slots: 1}, result_cache: "
        "{entries: 10, hit_time: 1 ms}}]\n" POLICY);
    double requests = facts.values[FACT_REQUESTS];

    CHECK_NEAR(facts.values[FACT_SPREAD_HITS], 1 - 100 / requests, 1e-9);
    CHECK_NEAR(facts.values[FACT_AFFINE_HITS], 1 - 10 / requests, 1e-9);
    CHECK_NEAR(facts.values[FACT_REPEATS], 1 - 10 / requests, 1e-9);
    CHECK_NEAR(facts.values[FACT_GAP_SCV], 0, 1e-9);
    CHECK_NEAR(facts.values[FACT_DISPERSION], 0, 1e-3);
}

/* ---- judgements ---- */

#define N 6

static double first[N], second[N];
static struct policy_result policies[2];
static struct experiment_result result = {
    .replications = N, .policy_count = 2, .policies = policies};
static const struct scenario judged_scenario = {.confidence = 0.95,
                                                .min_effect = 0.01};
static struct rule rule = {
    .name = "r", .expects = {{EXPECT_BETTER, "b", "a", M_LATENCY_P99, 0}}};
static struct advice advice;

static void two_policies(void)
{
    for (int i = 0; i < N; i++) {
        first[i] = 10 + 0.1 * i;
        second[i] = first[i];
    }
    policies[0].fold.values[M_LATENCY_P99] = first;
    policies[1].fold.values[M_LATENCY_P99] = second;
    policies[0].fold.measures[M_LATENCY_P99].mean = 10.25;
    policies[1].fold.measures[M_LATENCY_P99].mean = 10.25;
    rule.expects[0].kind = EXPECT_BETTER;
    advice = (struct advice){
        .prediction_count = 1,
        .predictions = {{&rule, &rule.expects[0], 1, 0, M_LATENCY_P99}}};
}

static enum judgement judge(void)
{
    struct judged judged;

    CHECK(advice_judge(&advice, &judged_scenario, &result, &judged));
    return judged.judgement;
}

static void better_holds_when_it_is(void)
{
    for (int i = 0; i < N; i++)
        second[i] = first[i] - 2 + 0.01 * (i % 2);
    CHECK_INT(judge(), JUDGED_HELD);
}

static void better_fails_when_worse_or_alike(void)
{
    CHECK_INT(judge(), JUDGED_FAILED); /* the same */
    for (int i = 0; i < N; i++)
        second[i] = first[i] + 2 + 0.01 * (i % 2);
    CHECK_INT(judge(), JUDGED_FAILED);
    for (int i = 0; i < N; i++)
        second[i] = first[i] - 0.01 + 0.001 * (i % 2); /* 0.1 % */
    CHECK_INT(judge(), JUDGED_FAILED);
}

static void better_cannot_be_told_from_noise(void)
{
    for (int i = 0; i < N; i++)
        second[i] = first[i] + (i % 2 ? 3 : -3.5);
    CHECK_INT(judge(), JUDGED_CANNOT_TELL);
}

static void infinite_on_both_sides_cannot_be_told(void)
{
    for (int i = 0; i < N; i++)
        first[i] = second[i] = INFINITY;
    CHECK_INT(judge(), JUDGED_CANNOT_TELL);
    rule.expects[0].kind = EXPECT_ALIKE;
    CHECK_INT(judge(), JUDGED_CANNOT_TELL);
}

/* Within 5 % of 10.25 is within 0.5125. */
static void alike_asks_for_the_whole_interval(void)
{
    rule.expects[0].kind = EXPECT_ALIKE;
    rule.expects[0].bound = 0.05;
    CHECK_INT(judge(), JUDGED_HELD);
    for (int i = 0; i < N; i++)
        second[i] = first[i] + 0.2 + 0.01 * (i % 2);
    CHECK_INT(judge(), JUDGED_HELD);
    for (int i = 0; i < N; i++)
        second[i] = first[i] + (i % 2 ? 0.9 : -0.5);
    CHECK_INT(judge(), JUDGED_CANNOT_TELL);
    for (int i = 0; i < N; i++)
        second[i] = first[i] + 1 + 0.01 * (i % 2);
    CHECK_INT(judge(), JUDGED_FAILED);
}

/* A difference of 0.3 +- 0.25 at 95 % is not clear to a family of ten. */
static void many_predictions_make_each_more_careful(void)
{
    for (int i = 0; i < N; i++)
        second[i] = first[i] - 0.3 + 0.24 * (i % 2 ? 1 : -1);
    CHECK_INT(judge(), JUDGED_HELD);
    advice.prediction_count = 10;
    for (int i = 1; i < 10; i++)
        advice.predictions[i] = advice.predictions[0];

    struct judged judged[10];
    CHECK(advice_judge(&advice, &judged_scenario, &result, judged));
    CHECK_INT(judged[0].judgement, JUDGED_CANNOT_TELL);
}

/* The second is better by 2 +- 0.01, then by 0.5 +- 3. */
static void best_says_what_cannot_be_told_from_it(void)
{
    struct advice_best best;
    struct scenario scenario = judged_scenario;

    scenario.objective = M_LATENCY_P99;
    policies[1].fold.measures[M_LATENCY_P99].mean = 8.25;
    for (int i = 0; i < N; i++)
        second[i] = first[i] - 2 + 0.01 * (i % 2);
    CHECK(advice_find_best(&scenario, &result, &best));
    CHECK_UINT(best.policy, 1);
    CHECK(!best.close[0]);
    for (int i = 0; i < N; i++)
        second[i] = first[i] + (i % 2 ? 2.5 : -3.5);
    CHECK(advice_find_best(&scenario, &result, &best));
    CHECK_UINT(best.policy, 1);
    CHECK(best.close[0]);
    CHECK(!best.close[1]);
    policies[0].fold.measures[M_LATENCY_P99].mean = NAN;
    policies[1].fold.measures[M_LATENCY_P99].mean = NAN;
    CHECK(advice_find_best(&scenario, &result, &best));
    CHECK_UINT(best.policy, UINT32_MAX);
}

static void override_lists_the_policies(void)
{
    struct advice made = {.policy_count = 2,
                          .policies = {"round_robin", "{least_conn: {}}"}};
    char *text = advice_override(&made);

    CHECK_TEXT(text, "policies=[round_robin, {least_conn: {}}]");
    free(text);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"fire where they should and nowhere else",
         rules_fire_where_they_should_and_nowhere_else},
        {"every rule fires somewhere", every_rule_fires_somewhere},
        {"every rule has its reason", every_rule_has_its_reason},
        {"what rules say here has values", what_rules_say_here_has_values},
        {"facts of exponential traffic", facts_of_exponential_traffic},
        {"facts of unequal nodes", facts_of_unequal_nodes},
        {"facts of caches", facts_of_caches},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo judging[] = {
        {"better holds when it is", better_holds_when_it_is},
        {"better fails when worse or alike", better_fails_when_worse_or_alike},
        {"better cannot be told from noise", better_cannot_be_told_from_noise},
        {"infinite on both sides cannot be told",
         infinite_on_both_sides_cannot_be_told},
        {"alike asks for the whole interval",
         alike_asks_for_the_whole_interval},
        {"many predictions make each more careful",
         many_predictions_make_each_more_careful},
        {"best says what cannot be told from it",
         best_says_what_cannot_be_told_from_it},
        {"override lists the policies", override_lists_the_policies},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("advice", NULL, NULL, NULL, NULL, tests),
        SUITE("advice judged", NULL, NULL, two_policies, NULL, judging),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
