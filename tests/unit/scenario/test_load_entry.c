/* What stands beside a policy's name in its entry. */
#include "policies/lbp.h"
#include "tests/unit/scenario/scenario_text.h"

static struct scenario *load_policies_of(const char *list)
{
    char line[300];

    snprintf(line, sizeof line, "policies: [%s]", list);
    return load_changed("policies: [round_robin]", line);
}

static void check_entry(const struct scenario *s, uint32_t i, const char *label,
                        enum policy_hints hints)
{
    CHECK(s && s->policy_count > i);
    if (!s || s->policy_count <= i)
        return;
    CHECK_TEXT(s->policies[i].label, label);
    CHECK_UINT(s->policies[i].hints, hints);
}

static void hints_join_the_label(void)
{
    struct scenario *s = load_policies_of(
        "predict, {predict: {}, hints: history}, "
        "{hints: exact, predict: {mode: simulate}}, "
        "{predict: {oracle: true}}, {predict: {oracle: true, mode: simulate}, "
        "hints: exact}, {least_conn: {}, hints: none}");

    check_entry(s, 0, "predict", POLICY_HINTS_NONE);
    check_entry(s, 1, "predict(hints=history)", POLICY_HINTS_HISTORY);
    check_entry(s, 2, "predict(mode=simulate, hints=exact)",
                POLICY_HINTS_EXACT);
    check_entry(s, 3, "predict(oracle=true)", POLICY_HINTS_EXACT);
    check_entry(s, 4, "predict(mode=simulate, oracle=true, hints=exact)",
                POLICY_HINTS_EXACT);
    check_entry(s, 5, "least_conn(hints=none)", POLICY_HINTS_NONE);
    scenario_destroy(s);
}

/* By what it means: hints: none is the default. */
static void hints_are_in_the_hash(void)
{
    struct scenario *plain = load_policies_of("predict");
    struct scenario *none = load_policies_of("{predict: {}, hints: none}");
    struct scenario *exact = load_policies_of("{predict: {}, hints: exact}");

    CHECK(plain && none && exact);
    if (plain && none && exact) {
        CHECK_UINT(plain->hash, none->hash);
        CHECK(plain->hash != exact->hash);
    }
    scenario_destroy(plain);
    scenario_destroy(none);
    scenario_destroy(exact);
}

static void same_policy_with_the_same_hints_is_listed_twice(void)
{
    struct scenario *s = load_policies_of(
        "{predict: {}, hints: exact}, {predict: {}, hints: exact}");

    CHECK(!s);
    CHECK(complained("listed twice"));
}

/* --set gives hints to a bare name as well. */
static void hints_can_be_set(void)
{
    static const char *const bare[] = {"policies[0].hints=history"};
    static const char *const both[] = {"policies[0].round_robin.phase=random",
                                       "policies[0].hints=exact"};
    struct scenario *s = load_with(plain_text, bare, 1);

    check_entry(s, 0, "round_robin(hints=history)", POLICY_HINTS_HISTORY);
    scenario_destroy(s);
    s = load_with(plain_text, both, 2);
    check_entry(s, 0, "round_robin(phase=random, hints=exact)",
                POLICY_HINTS_EXACT);
    scenario_destroy(s);
}

/* Only with these parameters: so its ops are its own. */
static void reports_are_needed_by_those_that_go_by_them(void)
{
    static const char *const reports[] = {
        "balancer.report_interval=1 s",
        "policies=[predict, {predict: {wait: reported}}]"};
    struct scenario *s = load_with(plain_text, reports, 2);

    CHECK(s != NULL);
    if (s) {
        CHECK(!(s->policies[0].ops->needs & LBP_NEEDS_REPORTS));
        CHECK(s->policies[1].ops->needs & LBP_NEEDS_REPORTS);
    }
    scenario_destroy(s);
}

static void forget(void)
{
    diag_done(&last_diag);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"hints join the label", hints_join_the_label},
        {"hints are in the hash", hints_are_in_the_hash},
        {"same policy with the same hints is listed twice",
         same_policy_with_the_same_hints_is_listed_twice},
        {"hints can be set", hints_can_be_set},
        {"reports are needed by those that go by them",
         reports_are_needed_by_those_that_go_by_them},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("entries of policies", NULL, NULL, NULL, forget, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
