#include "sim/scenario/difference.h"
#include "tests/check.h"

static struct differences found;

static void end(void)
{
    differences_done(&found);
}

/* NULL: it is not said there. */
static void check_value(const char *is, const char *expected)
{
    if (is && expected)
        CHECK_TEXT(is, expected);
    else
        CHECK(is == expected);
}

static void check_difference(size_t i, const char *path, const char *first,
                             const char *second)
{
    if (i >= found.count) {
        CHECK(i < found.count);
        return;
    }
    CHECK_TEXT(found.items[i].path, path);
    check_value(found.items[i].one, first);
    check_value(found.items[i].other, second);
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

    CHECK(differences_find(one, other, &found));
    CHECK_UINT(found.count, 0);
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

    CHECK(differences_find(one, other, &found));
    CHECK_UINT(found.count, 4);
    check_difference(0, "workload.arrivals.rate", "10/s", "12/s");
    check_difference(1, "nodes[1].engine.speed", "0.5", "0.4");
    check_difference(2, "policies[0]", "round_robin", "least_conn");
    check_difference(3, "policies[1].ring_hash.replicas", "200", "300");
}

static void what_one_side_lacks_has_no_value_there(void)
{
    static const char old_text[] = "a:\n  b: 1\nlast: '#no # comment'\n";
    static const char new_text[] = "a:\n  c: 2\nlast: '#no # comment'\n";

    CHECK(differences_find(old_text, new_text, &found));
    CHECK_UINT(found.count, 2);
    check_difference(0, "a.b", "1", NULL);
    check_difference(1, "a.c", NULL, "2");
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

    CHECK(differences_find(old_text, new_text, &found));
    CHECK_UINT(found.count, 3);
    check_difference(0, "faults[0].target", "'n[0]'", "'n[1]'");
    check_difference(1, "faults[1].ports[1]", "2", "3");
    check_difference(2, "flow", "{a: 1, b: 2}", "{a: 1, b: 3}");
}

static void number_signs_in_quotes_are_values(void)
{
    CHECK(differences_find("name: \"a # b\"\n", "name: \"a # c\" # --set:1\n",
                           &found));
    CHECK_UINT(found.count, 1);
    check_difference(0, "name", "\"a # b\"", "\"a # c\"");
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
        CHECK(differences_find(texts[i], one, &found));
        differences_done(&found);
    }
    for (int i = 0; i < 60; i++)
        snprintf(deep + strlen(deep), sizeof deep - strlen(deep), "%*sk:\n", i,
                 "");
    CHECK(differences_find(deep, deep, &found));
    CHECK_UINT(found.count, 0);
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
        {"number signs in quotes are values",
         number_signs_in_quotes_are_values},
        {"nonsense is read to its end", nonsense_is_read_to_its_end},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("difference", NULL, NULL, NULL, end, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
