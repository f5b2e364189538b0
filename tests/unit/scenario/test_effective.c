/* The effective scenario loads again to the same scenario, and says where
   each value comes from. */
#include "tests/unit/scenario/scenario_text.h"

/* The line that has this setting, without its indent; "" when there is none. */
static const char *line_of(const char *text, const char *setting,
                           char line[300])
{
    const char *at = strstr(text, setting);

    line[0] = '\0';
    if (at)
        snprintf(line, 300, "%.*s", (int)strcspn(at, "\n"), at);
    return line;
}

/* Squeezes runs of blanks, so that columns may move. */
static const char *squeezed(char *line)
{
    char *to = line;

    for (const char *from = line; *from; from++)
        if (*from != ' ' || (to > line && to[-1] != ' '))
            *to++ = *from;
    *to = '\0';
    return line;
}

static void each_value_has_its_origin(void)
{
    static const char *const overrides[] = {"seed=4",
                                            "balancer.health.timeout=500 ms"};
    struct scenario *s = loaded(load_with(plain_text, overrides, 2));
    char *text = scenario_effective(s), line[300];

    line_of(text, "seed:", line);
    CHECK_TEXT(squeezed(line), "seed: 4 # --set");
    line_of(text, "duration:", line);
    CHECK_TEXT(squeezed(line), "duration: 10 min # test.yaml:2");
    line_of(text, "name:", line);
    CHECK_TEXT(squeezed(line), "name: test # default: the file's name");
    line_of(text, "replications:", line);
    CHECK_TEXT(squeezed(line), "replications: 1 # default");
    line_of(text, "timeout: 500", line);
    CHECK_TEXT(squeezed(line), "timeout: 500 ms # --set");
    line_of(text, "interval:", line);
    CHECK_TEXT(squeezed(line), "interval: 5 s # default: the articles on "
                               "operating inference clusters");
    line_of(text, "drain:", line);
    CHECK_TEXT(squeezed(line), "drain: 10 min # default: the total time-out, "
                               "else 10 min");
    line_of(text, "retry:", line); /* off: not there */
    CHECK_TEXT(line, "");
    free(text);
    scenario_destroy(s);
}

/* All comments of a text cut off: what it says, without where from. */
static void cut_comments(char *text)
{
    char *to = text;

    for (char *from = text; *from;) {
        if (*from == '#' && from > text && from[-1] == ' ')
            while (*from && *from != '\n')
                from++;
        else
            *to++ = *from++;
    }
    *to = '\0';
}

static void check_round_trip(const char *path, const char *const *overrides,
                             size_t count)
{
    struct scenario *first, *second = NULL;
    char *once, *twice = NULL;

    diag_done(&last_diag);
    first = loaded(scenario_load(path, overrides, count, &last_diag));
    if (!first)
        return;
    once = scenario_effective(first);
    diag_done(&last_diag);
    second = loaded(scenario_parse("elsewhere.yaml", once, strlen(once), NULL,
                                   0, &last_diag));
    if (second) {
        twice = scenario_effective(second);
        cut_comments(once);
        cut_comments(twice);
        CHECK_TEXT(twice, once);
        CHECK(first->hash == second->hash);
        CHECK_TEXT(second->name, first->name);
        CHECK_UINT(second->replications, first->replications);
        CHECK_UINT(second->goal_count, first->goal_count);
        CHECK_INT(second->objective, first->objective);
        for (uint32_t i = 0; i < first->policy_count; i++)
            CHECK_TEXT(second->policies[i].label, first->policies[i].label);
    }
    free(once);
    free(twice);
    scenario_destroy(first);
    scenario_destroy(second);
}

static void it_loads_again_to_the_same(void)
{
    static const char *const overrides[] = {
        "name=\"a # \\\"b\\\": c\\\\\"", "nodes[0].count=3",
        "policies=[{least_conn: {ties: random}}, random, {ring_hash: {}}]",
        "workload.keys.distinct=1.5k"};

    static const char *const quoted[] = {"name=\"null\""};

    check_round_trip("tests/data/scenarios/good.yaml", NULL, 0);
    check_round_trip("tests/data/scenarios/good.yaml", quoted, 1);
    check_round_trip("tests/data/scenarios/good.yaml", overrides, 4);
    check_round_trip("scenarios/quickstart.yaml", NULL, 0);
    check_round_trip("scenarios/theory/mm1.yaml", NULL, 0);
    check_round_trip("scenarios/theory/two_choices.yaml", NULL, 0);
    check_round_trip("scenarios/azure_conv.yaml", NULL, 0);
}

static void check_rule(const char *rule, const char *attempts, const char *base)
{
    char override[100], line[300];
    const char *overrides[] = {override};
    struct scenario *s;
    char *text;

    snprintf(override, sizeof override, "balancer.retry.rule=%s", rule);
    s = loaded(load_with(plain_text, overrides, 1));
    text = s ? scenario_effective(s) : NULL;
    if (text) {
        line_of(text, "attempts:", line);
        CHECK_TEXT(squeezed(line), attempts);
        line_of(text, "base:", line);
        CHECK_TEXT(squeezed(line), base);
    }
    free(text);
    scenario_destroy(s);
    check_round_trip("scenarios/quickstart.yaml", overrides, 1);
}

/* What their documentation says: Envoy retries once, after up to 25 ms, HAProxy
   three times, each a second later; gRPC allows five attempts, the second after
   100 ms. nginx tries each of the four nodes. */
static void habits_of_proxies_are_spelt_out(void)
{
    check_rule("envoy", "attempts: 2 # default: of the rule",
               "base: 25 ms # default: of the rule");
    check_rule("haproxy", "attempts: 4 # default: of the rule",
               "base: 1 s # default: of the rule");
    check_rule("grpc", "attempts: 5 # default: of the rule",
               "base: 100 ms # default: of the rule");
    check_rule("nginx", "attempts: 4 # default: of the rule", "");
    check_rule("finagle", "attempts: 100 # default: of the rule", "");
}

static void shipped_resample_is_spelt_out(void)
{
    struct diag diag = {0};
    const char *one = "replications=1";
    struct scenario *s =
        scenario_load("scenarios/azure_conv.yaml", NULL, 0, &diag);
    char *text = s ? scenario_effective(s) : NULL;

    CHECK(text && strstr(text, "resample: {blocks: 5 min} "));
    free(text);
    scenario_destroy(s);
    s = scenario_load("scenarios/azure_conv.yaml", &one, 1, &diag);
    text = s ? scenario_effective(s) : NULL;
    CHECK(text && strstr(text, "resample: none "));
    free(text);
    scenario_destroy(s);
    diag_done(&diag);
}

static void an_empty_mechanism_stays_on(void)
{
    struct scenario *s = loaded(load_more("report: {}\nfaults: []\n"));
    char *text = scenario_effective(s);
    struct scenario *again = loaded(load_with(text, NULL, 0));

    CHECK_UINT(again->fault_count, 0);
    CHECK(s->hash == again->hash);
    free(text);
    scenario_destroy(s);
    scenario_destroy(again);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"each value has its origin", each_value_has_its_origin},
        {"it loads again to the same", it_loads_again_to_the_same},
        {"habits of proxies are spelt out", habits_of_proxies_are_spelt_out},
        {"shipped resample is spelt out", shipped_resample_is_spelt_out},
        {"an empty mechanism stays on", an_empty_mechanism_stays_on},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("effective scenario", NULL, NULL, NULL, forget_diag, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
