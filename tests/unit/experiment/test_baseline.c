/* Texts of baselines by hand; the sums at their ends are worked out. */
#include "sim/experiment/baseline.h"
#include "tests/check.h"

#include <stdlib.h>

#define HEAD                \
    "lbsim.baseline/1\n"    \
    "# a word to readers\n" \
    "scenario my one\n"     \
    "program 0.9\n"         \
    "seed 42\n"             \
    "replications 3\n"      \
    "\n"
#define SETTINGS                      \
    "setting duration=600000000000\n" \
    "setting nodes[].count=3\n"       \
    "setting nodes[].count=2\n"
#define POLICY                              \
    "policy ring_hash(replicas=200)\n"      \
    "params ring_hash replicas=200\n"       \
    "measure latency_p99_s 2 : 1.5 2 2.5\n" \
    "measure success_ratio none : none unbounded 1\n"

static struct diag diag;
static struct baseline *baseline;

static void nothing(void)
{
    diag = (struct diag){0};
    baseline = NULL;
}

static void forget(void)
{
    baseline_destroy(baseline);
    diag_done(&diag);
}

static struct baseline *parse(const char *text)
{
    char whole[4000];
    int length = snprintf(whole, sizeof whole, "%s", text);

    length +=
        snprintf(whole + length, sizeof whole - (size_t)length,
                 "end %016" PRIx64 "\n", baseline_hash(text, strlen(text)));
    return baseline_parse("x.baseline", whole, (size_t)length, &diag);
}

static void says(const char *message)
{
    bool said = diag.text && strstr(diag.text, message);

    CHECK(said);
    if (!said)
        fprintf(stderr, "<<%s>> not in <<%s>>\n", message,
                diag.text ? diag.text : "");
}

static void refuses(const char *text, const char *message)
{
    struct baseline *got = parse(text);

    CHECK(got == NULL);
    says(message);
    baseline_destroy(got);
    diag_done(&diag);
}

static void everything_is_read(void)
{
    baseline = parse(HEAD SETTINGS POLICY);
    CHECK(baseline != NULL);
    if (!baseline)
        return;
    CHECK_TEXT(baseline->scenario, "my one");
    CHECK_TEXT(baseline->program, "0.9");
    CHECK_UINT(baseline->seed, 42);
    CHECK_UINT(baseline->runs, 3);
    CHECK_UINT(baseline->setting_count, 3);
    CHECK_TEXT(baseline->settings[2], "nodes[].count=2");
    CHECK_UINT(baseline->policy_count, 1);

    const struct baseline_policy *policy =
        baseline_find_policy(baseline, "ring_hash(replicas=200)");
    CHECK(policy != NULL);
    CHECK_TEXT(policy->params, "ring_hash replicas=200");
    CHECK_UINT(policy->line, 11);

    const struct baseline_measure *measure =
        baseline_find_measure(policy, "success_ratio");
    CHECK(measure != NULL);
    CHECK_UINT(measure->line, 14);
    CHECK(isnan(measure->mean) && isnan(measure->values[0]));
    CHECK(isinf(measure->values[1]));
    CHECK_NEAR(measure->values[2], 1, 0);
    CHECK(baseline_find_measure(policy, "latency") == NULL);
}

static void what_was_allowed_is_read(void)
{
    baseline = parse(HEAD "false_alarms 0.002\ntolerance latency_p99_s 0.05 0\n"
                          "tolerance success_ratio 0 0.005\n" POLICY);
    CHECK(baseline != NULL);
    if (!baseline)
        return;
    CHECK_NEAR(baseline->false_alarms, 0.002, 0);
    CHECK_UINT(baseline->tolerance_count, 2);
    CHECK_TEXT(baseline->tolerances[1].name, "success_ratio");
    CHECK_NEAR(baseline->tolerances[0].ratio, 0.05, 0);
    CHECK_NEAR(baseline->tolerances[1].amount, 0.005, 0);
}

static void one_run_is_enough_where_nothing_is_random(void)
{
    baseline = parse("lbsim.baseline/1\nscenario s\nprogram p\nseed 0\n"
                     "replications 7 once\npolicy a\nparams a\n"
                     "measure latency_p99_s 2 : 2\n");
    CHECK(baseline != NULL);
    CHECK(baseline && baseline->once && baseline->runs == 1 &&
          baseline->replications == 7);
}

static void what_is_damaged_is_named_with_its_place(void)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"lbsim: 1\n", "x.baseline:1:1: error: is no baseline"},
        {"lbsim.baseline/2\n", "x.baseline:1:1: error: the schema is "
                               "'lbsim.baseline/2', and this program reads "
                               "'lbsim.baseline/1'"},
        {"lbsim.baseline/1\nseed 1\nseed 2\n",
         "x.baseline:3:1: error: 'seed' stands here twice"},
        {"lbsim.baseline/1\nseed -1\n", "x.baseline:2:6: error: 'seed' needs"},
        {"lbsim.baseline/1\nreplications 0\n", "x.baseline:2:14: error: "},
        {"lbsim.baseline/1\nreplications 3 twice\n",
         "x.baseline:2:16: error: expected the end of the line, got 'twice'"},
        {"lbsim.baseline/1\nsetting a=1\n",
         "x.baseline:2:1: error: 'scenario' is missing before this line"},
        {HEAD "measure latency_p99_s 1 : 1\n",
         "x.baseline:8:1: error: 'measure' is of no policy"},
        {HEAD "policy a\nmeasure latency_p99_s 1 : 1 1 1\n",
         "x.baseline:9:1: error: 'params' is missing before this line"},
        {HEAD "policy a\n",
         "x.baseline:9:1: error: 'params' is missing before this line"},
        {HEAD POLICY POLICY, "x.baseline:12:8: error: policy 'ring_hash("
                             "replicas=200)' stands here twice"},
        {HEAD POLICY "measure latency_p99_s 1 : 1 1 1\n",
         "x.baseline:12:9: error: measure 'latency_p99_s' stands here twice"},
        {HEAD POLICY "measure x 1 : 1.25 1.25\n",
         "x.baseline:12:24: error: 2 values, expected 3"},
        {HEAD POLICY "measure x 1 : 1 1 1 1\n",
         "x.baseline:12:21: error: more than 3 values"},
        {HEAD POLICY "measure x 1 : 1 nan 1\n",
         "x.baseline:12:17: error: expected a number, none or unbounded, got "
         "'nan'"},
        {HEAD POLICY "measure x 1 : 1 0x10 1\n", "x.baseline:12:17: error: "},
        {HEAD POLICY "measure x 1 : 1 1e999 1\n", "x.baseline:12:17: error: "},
        {HEAD POLICY "measure x 1 2 3 4\n",
         "x.baseline:12:13: error: expected ':'"},
        {HEAD POLICY "setting a=1\n",
         "x.baseline:12:1: error: 'setting' has no place among the policies"},
        {HEAD "tolerance latency_p99_s -1 0\n",
         "x.baseline:8:25: error: expected 0 or more"},
        {HEAD "tolerance latency_p99_s 1\n",
         "x.baseline:8:26: error: expected a number"},
        {HEAD "false_alarms unbounded\n",
         "x.baseline:8:14: error: expected 0 or more"},
        {HEAD "<<<<<<< HEAD\n", "x.baseline:8:1: error: no line of a baseline "
                                "begins with '<<<<<<<'"},
        {HEAD "setting a\n", "x.baseline:8:9: error: 'setting' needs a "
                             "path=value"},
        {HEAD "end 0000000000000000\n",
         "x.baseline:8:5: error: the file was changed by hand or by a merge"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuses(cases[i].text, cases[i].message);
}

static void nothing_and_what_is_cut_off_are_no_baselines(void)
{
    CHECK(!baseline_parse("x", "", 0, &diag));
    says("x: error: is empty");
    diag_done(&diag);
    CHECK(!baseline_parse("x", HEAD, strlen(HEAD), &diag));
    says("is cut off");
}

/* The same settings in units of people, and each difference with both. */
static void differences_are_named(void)
{
    struct baseline *other =
        parse("lbsim.baseline/1\nscenario other\nprogram 2\nseed 43\n"
              "replications 4\nsetting duration=90000000000\n"
              "setting nodes[].count=3\nsetting nodes[].count=4\n"
              "setting balancer.count=2\n"
              "policy ring_hash(replicas=200)\nparams ring_hash hints=1\n");

    baseline = parse(HEAD SETTINGS POLICY);
    CHECK(baseline && other);
    CHECK(baseline_differs(baseline, other, &diag));
    CHECK_UINT(diag.errors, 5);
    says("'seed' was 42, and is now 43");
    says("'replications' was 3, and is now 4");
    says("'duration' was 10 min, and is now 90 s");
    says("'nodes[].count' was 3, 2, and is now 3, 4");
    says("'balancer.count' was as preset, and is now 2");
    baseline_destroy(other);
}

/* The program's version, the name, and policies that only one of them has. */
static void what_may_differ(void)
{
    struct baseline *other =
        parse("lbsim.baseline/1\nscenario other\nprogram 2\nseed 42\n"
              "replications 3\n" SETTINGS "policy random\nparams random\n");

    baseline = parse(HEAD SETTINGS POLICY);
    CHECK(baseline && other);
    CHECK(!baseline_differs(baseline, other, &diag));
    CHECK(diag.text == NULL);
    baseline_destroy(other);
}

/* A label that names parameters changes with them; it stays the same policy as
   long as there is no doubt which. */
static void a_policy_with_other_parameters_is_the_same(void)
{
#define ONE(label, params) "policy " label "\nparams " params "\n"
    struct baseline *changed =
        parse(HEAD ONE("t(k=3)", "t k=3") ONE("random", "random"));
    struct baseline *doubled =
        parse(HEAD ONE("t(k=3)", "t k=3") ONE("t(k=4)", "t k=4"));

    baseline = parse(HEAD ONE("t", "t") ONE("random", "random"));
    CHECK(baseline && changed && doubled);
    CHECK(baseline_pair(changed, &changed->policies[0], baseline) ==
          &baseline->policies[0]);
    CHECK(baseline_pair(baseline, &baseline->policies[0], changed) ==
          &changed->policies[0]);
    CHECK(!baseline_lacks_policies(baseline, changed, false, &diag));
    CHECK(!baseline_pair(doubled, &doubled->policies[0], baseline));
    CHECK(!baseline_pair(baseline, &baseline->policies[0], doubled));
    CHECK(baseline_lacks_policies(baseline, doubled, false, &diag));
    CHECK_UINT(diag.errors, 4);
    says("policy 't(k=3)' is not in it");
    says("policy 'random' is missing now");
    diag_done(&diag);
    diag = (struct diag){0};
    CHECK(baseline_lacks_policies(baseline, doubled, true, &diag));
    CHECK_UINT(diag.errors, 2);
    baseline_destroy(changed);
    baseline_destroy(doubled);
#undef ONE
}

/* With warm_up: auto the longest cut of all policies is cut from each. */
static void an_automatic_warm_up_needs_the_same_policies(void)
{
    struct baseline *other = parse(
        HEAD "setting warm_up=2 0 0 unsaid\npolicy random\nparams random\n");

    baseline = parse(HEAD "setting warm_up=2 0 0 unsaid\n" POLICY);
    CHECK(baseline && other);
    CHECK(baseline_differs(baseline, other, &diag));
    CHECK_UINT(diag.errors, 2);
    baseline_destroy(other);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"everything is read", everything_is_read},
        {"what was allowed is read", what_was_allowed_is_read},
        {"one run is enough where nothing is random",
         one_run_is_enough_where_nothing_is_random},
        {"what is damaged is named with its place",
         what_is_damaged_is_named_with_its_place},
        {"nothing and what is cut off are no baselines",
         nothing_and_what_is_cut_off_are_no_baselines},
        {"differences are named", differences_are_named},
        {"what may differ", what_may_differ},
        {"a policy with other parameters is the same",
         a_policy_with_other_parameters_is_the_same},
        {"an automatic warm-up needs the same policies",
         an_automatic_warm_up_needs_the_same_policies},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("baseline", NULL, NULL, nothing, forget, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
