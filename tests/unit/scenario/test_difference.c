#include "sim/scenario/difference.h"
#include "tests/check.h"

static const char base[] = "# The effective scenario\n"
                           "lbsim: 1           # a.yaml:1\n"
                           "seed: 42           # default\n"
                           "workload:\n"
                           "  arrivals:\n"
                           "    process: poisson\n"
                           "    rate: 12/s     # a.yaml:4\n"
                           "nodes:\n"
                           "  - group: gpu\n"
                           "    count: 3\n"
                           "    engine:\n"
                           "      slots: 8\n"
                           "policies:\n"
                           "  - round_robin\n"
                           "  - least_conn\n";

static char other[1000];

/* base with one text changed. */
static void change(const char *from, const char *to)
{
    const char *at = strstr(base, from);

    CHECK(at != NULL);
    snprintf(other, sizeof other, "%.*s%s%s", (int)(at - base), base, to,
             at + strlen(from));
}

static void check_found(const char *path, const char *one, const char *two)
{
    struct difference found = {"", "", ""};

    CHECK(difference_find(base, other, &found));
    CHECK_TEXT(found.path, path);
    CHECK_TEXT(found.one, one);
    CHECK_TEXT(found.other, two);
}

static void origins_are_no_difference(void)
{
    struct difference found;

    change("# a.yaml:4", "# --set:1");
    CHECK(!difference_find(base, other, &found));
    change("seed: 42           #", "seed: 42 #");
    CHECK(!difference_find(base, other, &found));
}

static void values_are_told_with_their_path(void)
{
    change("12/s", "13/s");
    check_found("workload.arrivals.rate", "12/s", "13/s");
    change("42 ", "43 ");
    check_found("seed", "42", "43");
    change("slots: 8", "slots: 9");
    check_found("nodes.engine.slots", "8", "9");
    change("group: gpu", "group: cpu");
    check_found("nodes.group", "gpu", "cpu");
}

static void items_are_told_with_their_list(void)
{
    change("- least_conn", "- random");
    check_found("policies", "least_conn", "random");
}

static void settings_that_one_lacks_are_told(void)
{
    change("      slots: 8\n", "      slots: 8\n      order: sjf\n");
    check_found("nodes.engine.order", "", "sjf");
    change("    rate: 12/s     # a.yaml:4\n", "");
    check_found("workload.arrivals.rate", "12/s", "");
    change("  - least_conn\n", "");
    check_found("policies", "least_conn", "");
    change("  - least_conn\n", "  - least_conn\n  - random\n");
    check_found("policies", "", "random");
}

static void number_signs_in_quotes_are_values(void)
{
    struct difference found;

    CHECK(difference_find("name: \"a # b\"\n", "name: \"a # c\"\n", &found));
    CHECK_TEXT(found.one, "\"a # b\"");
    CHECK_TEXT(found.other, "\"a # c\"");
}

static void long_values_are_cut(void)
{
    struct difference found;
    char one[2000] = "name: ";

    memset(one + 6, 'x', sizeof one - 7);
    CHECK(difference_find(one, "name: y", &found));
    CHECK_UINT(strlen(found.one), DIFFERENCE_PATH_SIZE - 1);
    CHECK(!difference_find("", "", &found));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"origins are no difference", origins_are_no_difference},
        {"values are told with their path", values_are_told_with_their_path},
        {"items are told with their list", items_are_told_with_their_list},
        {"settings that one lacks are told", settings_that_one_lacks_are_told},
        {"number signs in quotes are values",
         number_signs_in_quotes_are_values},
        {"long values are cut", long_values_are_cut},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("difference", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
