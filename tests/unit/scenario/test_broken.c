/*
 * Scenarios that must be refused: tests/data/scenarios/broken/NAME.yaml, each
 * with NAME.expected, the exact complaints. A new case is two files.
 */
#include "tests/unit/scenario/scenario_text.h"

#include <dirent.h>
#include <time.h>

static const char folder[] = "tests/data/scenarios/broken";

static void check_case(const char *name)
{
    char path[400], expected_path[400];
    struct diag diag = {0};
    struct scenario *scenario;
    size_t length;
    char *expected;

    snprintf(path, sizeof path, "%s/%s.yaml", folder, name);
    snprintf(expected_path, sizeof expected_path, "%s/%s.expected", folder,
             name);
    expected = read_text(expected_path, &length);
    scenario = scenario_load(path, NULL, 0, &diag);
    CHECK_TEXT(diag.text ? diag.text : "", length ? expected : "(no file)");
    if (scenario) {
        printf("%s was accepted\n", path);
        CHECK(!scenario);
    }
    scenario_destroy(scenario);
    diag_done(&diag);
    free(expected);
}

static void each_is_refused_with_its_message(void)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    unsigned count = 0;

    unsetenv("LBSIM_DATA"); /* messages speak of it */

    while (dir && (entry = readdir(dir))) {
        char name[256];
        char *dot;

        snprintf(name, sizeof name, "%.255s", entry->d_name);
        dot = strrchr(name, '.');
        if (!dot || strcmp(dot, ".yaml") != 0)
            continue;
        *dot = '\0';
        check_case(name);
        count++;
    }
    if (dir)
        closedir(dir);
    CHECK(count >= 100);
}

/* Aliases that stand for a billion values, and a megabyte of brackets. */
static void hostile_files_are_refused_quickly(void)
{
    static const char *const starts[] = {
        "[",   "{",     "- ",        "? ",   "\"",   "a: ", "&a ",
        "*a ", "!!a ",  "#",         "|\n",  "a: {", "x,",  "[x,",
        "\n",  "---\n", "nodes: [{", "{a: ", "%a\n"};
    enum { LENGTH = 1 << 20 };
    char *text = malloc(LENGTH + 1);

    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        size_t step = strlen(starts[i]);
        clock_t begun = clock();
        struct scenario *scenario;

        for (size_t at = 0; at <= LENGTH; at++)
            text[at] = starts[i][at % step];
        text[LENGTH] = '\0';
        scenario = load_with(text, NULL, 0);
        CHECK(!scenario);
        scenario_destroy(scenario);
        CHECK(last_diag.errors >= 1);
        /* Two seconds in a release build; sanitizers take ten times that. */
        CHECK_NEAR((double)(clock() - begun) / CLOCKS_PER_SEC, 0, 20);
    }
    free(text);
}

static void many_groups_are_refused_or_read_quickly(void)
{
    char *text = calloc(1, 900000);
    size_t used = (size_t)snprintf(text, 900, "%s", plain_text);
    struct scenario *scenario;

    used = (size_t)(strstr(text, "policies") - text);
    for (int i = 0; i < 20000; i++)
        used += (size_t)snprintf(text + used, 900000 - used,
                                 "  - {group: g%d}\n", i);
    snprintf(text + used, 900000 - used, "policies: [random]\n");
    scenario = load_with(text, NULL, 0);
    CHECK(!scenario);
    CHECK(complained("there are 20001 groups, at most 10000"));
    scenario_destroy(scenario);
    free(text);
}

/* Each alias is looked up among all names, so names are limited. */
static void many_names_for_aliases_are_refused(void)
{
    enum { NAMES = 1001 };
    char *text = calloc(1, 40 * NAMES);
    size_t used = 0;

    for (int i = 0; i < NAMES; i++)
        used += (size_t)snprintf(text + used, 40, "k%d: &a%d 1\n", i, i);
    CHECK(!load_with(text, NULL, 0));
    CHECK(complained("test.yaml:1001:9: error: more than 1000 names for "
                     "aliases"));
    free(text);
}

static void a_file_above_a_megabyte_is_refused(void)
{
    char *text = malloc((1 << 20) + 2);
    struct scenario *scenario;
    char path[] = "/tmp/lbsim_large_XXXXXX";
    int fd = mkstemp(path);
    FILE *file = fdopen(fd, "wb");

    memset(text, '#', (1 << 20) + 1);
    text[(1 << 20) + 1] = '\0';
    scenario = load_with(text, NULL, 0);
    CHECK(!scenario);
    CHECK_TEXT(last_diag.text, "test.yaml: error: is larger than 1 MiB, which "
                               "is more than a scenario needs\n");
    fwrite(text, 1, (1 << 20) + 1, file);
    fclose(file);
    diag_done(&last_diag);
    scenario = scenario_load(path, NULL, 0, &last_diag);
    CHECK(!scenario);
    CHECK(complained("is larger than 1 MiB"));
    remove(path);
    free(text);
}

static void what_is_no_file_is_said(void)
{
    struct diag diag = {0};

    CHECK(!scenario_load("tests/data/nowhere.yaml", NULL, 0, &diag));
    CHECK_TEXT(diag.text, "tests/data/nowhere.yaml: error: cannot be read: No "
                          "such file or directory\n");
    diag_done(&diag);
    CHECK(!scenario_load("tests", NULL, 0, &diag));
    CHECK_TEXT(diag.text, "tests: error: is a folder, not a scenario file\n");
    diag_done(&diag);
    CHECK(!scenario_load("tests/data/nowhere.yaml", NULL, 0, NULL));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"each is refused with its message", each_is_refused_with_its_message},
        {"hostile files are refused quickly",
         hostile_files_are_refused_quickly},
        {"many groups are refused quickly",
         many_groups_are_refused_or_read_quickly},
        {"many names for aliases are refused",
         many_names_for_aliases_are_refused},
        {"a file above a megabyte is refused",
         a_file_above_a_megabyte_is_refused},
        {"what is no file is said", what_is_no_file_is_said},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("broken scenarios", NULL, NULL, NULL, forget_diag, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
