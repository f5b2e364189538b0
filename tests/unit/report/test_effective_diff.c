#include "sim/report/effective_diff.h"
#include "tests/check.h"

static struct effective_diff diff;

static void end(void)
{
    effective_diff_done(&diff);
}

static void check_change(size_t i, const char *path, const char *old_value,
                         const char *new_value)
{
    if (i >= diff.count) {
        CHECK(i < diff.count);
        return;
    }
    CHECK_TEXT(diff.changes[i].path, path);
    if (old_value)
        CHECK_TEXT(diff.changes[i].old_value, old_value);
    else
        CHECK(!diff.changes[i].old_value);
    if (new_value)
        CHECK_TEXT(diff.changes[i].new_value, new_value);
    else
        CHECK(!diff.changes[i].new_value);
}

static const char one[] =
    "# The effective scenario: each value and where it comes from.\n"
    "lbsim: 1                    # s.yaml:1\n"
    "workload:\n"
    "  arrivals:\n"
    "    process: poisson        # s.yaml:4\n"
    "    rate: 10/s              # s.yaml:4\n"
    "nodes:\n"
    "  - group: a                # s.yaml:6\n"
    "    engine:\n"
    "      speed: 1              # default\n"
    "  - group: b                # s.yaml:7\n"
    "    engine:\n"
    "      speed: 0.5            # s.yaml:7\n"
    "policies:\n"
    "  - round_robin             # s.yaml:9\n"
    "      # phase: zero         # default\n"
    "  - ring_hash:              # s.yaml:9\n"
    "      replicas: 200         # s.yaml:9\n";

static void origin_is_no_difference(void)
{
    static const char other[] = "lbsim: 1 # --set\n"
                                "workload:\n"
                                "  arrivals:\n"
                                "    process: poisson # default: so it is\n"
                                "    rate: 10/s\n"
                                "nodes:\n"
                                "  - group: a\n"
                                "    engine:\n"
                                "      speed: 1\n"
                                "  - group: b\n"
                                "    engine:\n"
                                "      speed: 0.5\n"
                                "policies:\n"
                                "  - round_robin\n"
                                "  - ring_hash:\n"
                                "      replicas: 200\n";

    CHECK(effective_diff_make(one, other, &diff));
    CHECK_UINT(diff.count, 0);
}

static void changes_have_paths_and_both_values(void)
{
    static const char other[] = "lbsim: 1\n"
                                "workload:\n"
                                "  arrivals:\n"
                                "    process: poisson\n"
                                "    rate: 12/s # s.yaml:4\n"
                                "nodes:\n"
                                "  - group: a\n"
                                "    engine:\n"
                                "      speed: 1\n"
                                "  - group: b\n"
                                "    engine:\n"
                                "      speed: 0.4\n"
                                "policies:\n"
                                "  - least_conn\n"
                                "  - ring_hash:\n"
                                "      replicas: 300\n";

    CHECK(effective_diff_make(one, other, &diff));
    CHECK_UINT(diff.count, 4);
    check_change(0, "workload.arrivals.rate", "10/s", "12/s");
    check_change(1, "nodes[1].engine.speed", "0.5", "0.4");
    check_change(2, "policies[0]", "round_robin", "least_conn");
    check_change(3, "policies[1].ring_hash.replicas", "200", "300");
}

static void what_one_side_lacks_has_no_value_there(void)
{
    static const char old_text[] = "a:\n  b: 1\nlast: '#no # comment'\n";
    static const char new_text[] = "a:\n  c: 2\nlast: '#no # comment'\n";

    CHECK(effective_diff_make(old_text, new_text, &diff));
    CHECK_UINT(diff.count, 2);
    check_change(0, "a.b", "1", NULL);
    check_change(1, "a.c", NULL, "2");
}

static void lists_in_lists_and_flows_are_told_apart(void)
{
    static const char old_text[] = "faults:\n"
                                   "  - kind: crash\n"
                                   "    target: 'n[0]'\n"
                                   "  - kind: slow\n"
                                   "    ports:\n"
                                   "      - 1\n"
                                   "      - 2\n"
                                   "flow: {a: 1, b: 2}\n";
    static const char new_text[] = "faults:\n"
                                   "  - kind: crash\n"
                                   "    target: 'n[1]'\n"
                                   "  - kind: slow\n"
                                   "    ports:\n"
                                   "      - 1\n"
                                   "      - 3\n"
                                   "flow: {a: 1, b: 3}\n";

    CHECK(effective_diff_make(old_text, new_text, &diff));
    CHECK_UINT(diff.count, 3);
    check_change(0, "faults[0].target", "'n[0]'", "'n[1]'");
    check_change(1, "faults[1].ports[1]", "2", "3");
    check_change(2, "flow", "{a: 1, b: 2}", "{a: 1, b: 3}");
}

/* Whatever somebody wrote into the file: no crash, and an answer. */
static void nonsense_is_read_to_its_end(void)
{
    static const char *const texts[] = {"",          "\n\n",
                                        "- - - - -", ":",
                                        ": :",       "a:\n a:\n  a:\n a:\n",
                                        "-\n- \n",   "  - x\n - y\n- z\n",
                                        "\"",        "#",
                                        "a: b: c",   "\t\t:\t"};
    char deep[4000] = "";

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        CHECK(effective_diff_make(texts[i], one, &diff));
        effective_diff_done(&diff);
    }
    for (int i = 0; i < 60; i++)
        snprintf(deep + strlen(deep), sizeof deep - strlen(deep), "%*sk:\n", i,
                 "");
    CHECK(effective_diff_make(deep, deep, &diff));
    CHECK_UINT(diff.count, 0);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"origin is no difference", origin_is_no_difference},
        {"changes have paths and both values",
         changes_have_paths_and_both_values},
        {"what one side lacks has no value there",
         what_one_side_lacks_has_no_value_there},
        {"lists in lists and flows are told apart",
         lists_in_lists_and_flows_are_told_apart},
        {"nonsense is read to its end", nonsense_is_read_to_its_end},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("effective diff", NULL, NULL, NULL, end, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
