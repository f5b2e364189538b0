/*
 * Faults in mixes that lack nodes: what of each is left, by hand, and that the
 * scenario loads with it.
 */
#include "sim/scenario/absent.h"
#include "tests/unit/scenario/scenario_text.h"
#include "tests/unit/scenario/variant_overrides.h"

#include <stdlib.h>

static struct scenario *parse(const char *faults)
{
    char text[2000];

    snprintf(text, sizeof text,
             "lbsim: 1\nduration: 100 s\n"
             "workload: {arrivals: {rate: 1/s},"
             " work: {dist: constant, value: 1 s}}\n"
             "nodes:\n"
             "  - {group: a, count: 8, zone: \"x, y\", engine: {slots: 1}}\n"
             "  - {group: b, count: 1, engine: {slots: 1}}\n"
             "policies: [random]\nfaults: %s\n",
             faults);
    return scenario_parse("test", text, strlen(text),
                          (const char *const *)overrides, count, NULL);
}

static const struct {
    const char *fault, *left; /* NULL: all of it; "": nothing */
    uint32_t a, b;
} cases[] = {
    {"target: \"a[7]\"", NULL, 8, 1},
    {"target: \"a[7]\"", "", 7, 1},
    {"target: \"a[7]\"", NULL, 9, 0},
    {"target: \"a[0]\"", "", 0, 1},
    {"target: \"a[*]\"", NULL, 1, 1},
    {"target: \"a[*]\"", "", 0, 1},
    {"target: \"a[2-5]\"", "a[2-3]", 4, 1},
    {"target: \"a[0, 2, 4-6]\"", "a[0-0,2-2,4-4]", 5, 1},
    {"target: \"a[5], b[0]\"", "b[0]", 5, 1},
    {"target: \"b[0], a[3], a[0]\"", "a[0]", 1, 0},
    {"target: b", NULL, 8, 1},
    {"target: b", "b[0]", 8, 3},
    {"target: b", "", 8, 0},
    {"target: zone y", NULL, 2, 1},
    {"target: zone y", "", 1, 1},
    {"target: 30 % of a", NULL, 1, 1},
    {"target: 30 % of a", "", 0, 1},
    {"target: 4 of a", "3 of a", 3, 1},
    {"target: 4 of zone y", "2 of zone y", 5, 1},
    {"target: \"3 of a[1-6]\"", "2 of a[1-2]", 3, 1},
    {"target: \"a[*]\", together: 3", "a[*]", 2, 1},
};

static void what_is_not_there_is_left_out(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t counts[] = {cases[i].a, cases[i].b};
        const char *left = cases[i].left;
        char faults[300], expected[100];

        snprintf(faults, sizeof faults,
                 "[{kind: crash, at: 5 s, restart_after: 1 s, %s}]",
                 cases[i].fault);
        forget();

        struct scenario *scenario = parse(faults);
        CHECK(scenario != NULL);
        if (!scenario)
            continue;
        CHECK_INT(absent_of_fault(scenario, 0, counts), !left   ? ABSENT_NOBODY
                                                        : *left ? ABSENT_SOME
                                                                : ABSENT_ALL);
        CHECK(absent_leave_out(scenario, counts, keep, NULL));
        scenario_destroy(scenario);
        if (left)
            snprintf(expected, sizeof expected,
                     *left ? "faults[0].target=\"%s\"" : "faults[0]=off%s",
                     left);
        if (left && count > 0)
            CHECK_TEXT(overrides[0], expected);
        CHECK_UINT(count, !left ? 0 : strstr(faults, "together") ? 2 : 1);
        if (count == 2)
            CHECK_TEXT(overrides[1], "faults[0].together=2");
    }
    forget();
}

/* Numbers of faults move when one goes: the second is what is left. */
static void the_mix_loads(void)
{
    static const char faults[] =
        "[{kind: crash, target: \"a[7]\", at: 1 s},"
        " {kind: crash, target: \"a[0-6]\", at: 2 s, restart_after: 1 s},"
        " {kind: hang, target: \"a[6]\", at: 3 s},"
        " {kind: crash, target: b, at: 4 s}]";
    uint32_t counts[] = {3, 1};
    struct scenario *scenario = parse(faults);

    CHECK(scenario && absent_leave_out(scenario, counts, keep, NULL));
    CHECK(keep(NULL, "nodes[a].count=3"));
    scenario_destroy(scenario);
    scenario = parse(faults);
    CHECK(scenario != NULL);
    if (scenario) {
        CHECK_UINT(scenario->fault_count, 2);
        CHECK_INT(scenario->faults[0].at_ns, 2000000000);
        CHECK_UINT(fault_target_size(&scenario->faults[0].target), 3);
        CHECK_INT(scenario->faults[1].at_ns, 4000000000);
    }
    scenario_destroy(scenario);
    forget();
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"what is not there is left out", what_is_not_there_is_left_out},
        {"the mix loads", the_mix_loads},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("absent", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
