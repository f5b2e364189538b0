/*
 * Policies from shared objects: each way in which a file cannot serve is
 * refused with its reason, at its place; what can serve has its own parameters
 * and its own name.
 */
#include "tests/unit/scenario/scenario_text.h"

#include "sim/scenario/lint.h"
#include "sim/scenario/shared_policy.h"

#include <unistd.h>

#define FOLDER_SIZE 3000

/* Objects stand in tests/objects/ of the build folder, this program in tests/.
 */
static const char *object_path(const char *name)
{
    static char path[FOLDER_SIZE + 100];
    char folder[FOLDER_SIZE] = "";
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);

    while (length > 0 && folder[length - 1] != '/')
        length--;
    snprintf(path, sizeof path, "%.*sobjects/%s.so", (int)length, folder, name);
    return path;
}

/* "policies: [...]" with %s for the object's path. */
static struct scenario *load_policies_with(const char *format,
                                           const char *object)
{
    char list[FOLDER_SIZE + 300];
    char policies[FOLDER_SIZE + 300];

    snprintf(list, sizeof list, "policies: %s\n", format);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(policies, sizeof policies, list, object_path(object));
#pragma GCC diagnostic pop
    return load_changed("policies: [round_robin]\n", policies);
}

static void check_refused(const char *object, const char *reason,
                          const char *hint)
{
    CHECK(!load_policies_with("[{mine: {so: \"%s\"}}]", object));
    CHECK(complained("test.yaml:8:25: error: "));
    CHECK(complained(reason));
    if (hint)
        CHECK(complained(hint));
}

static void what_cannot_serve_is_refused_with_its_reason(void)
{
    check_refused("entry", "entry.so' does not export lbp_entry",
                  "end the source with LBP_ENTRY(your_ops)");
    check_refused("null", "null.so' cannot serve version 1 of the contract",
                  "build it against this version's policies/lbp.h");
    check_refused("version",
                  "version.so' breaks the contract: it keeps version 2 of the "
                  "contract, and this host version 1",
                  NULL);
    check_refused("size",
                  "size.so' breaks the contract: its struct lbp_ops says that "
                  "it has 16 bytes",
                  NULL);
    check_refused("place",
                  "place.so' breaks the contract: parameter 'count' takes "
                  "bytes 16 to 23 of a config that has 16",
                  NULL);
    check_refused("symbol", "symbol.so': undefined symbol: lbsim_test_nowhere",
                  "link all that the policy uses into the object");
    check_refused("nowhere", "nowhere.so': No such file or directory", NULL);
}

static void what_is_no_object_is_refused(void)
{
    CHECK(!load_changed("[round_robin]", "[{mine: {so: README.md}}]"));
    CHECK(complained("test.yaml:8:24: error: 'README.md' is not a shared "
                     "object"));
    CHECK(!load_changed("[round_robin]", "[{mine: {so: tests}}]"));
    CHECK(complained("'tests' is no file"));
    CHECK(!load_changed("[round_robin]", "[{mine: {so: /dev/null}}]"));
    CHECK(complained("'/dev/null' is no file"));
    CHECK(!load_changed("[round_robin]", "[{mine: {so: [a]}}]"));
    CHECK(complained("'so' needs the path of a shared object; got a list"));
    CHECK(!load_changed("[round_robin]", "[{mine: {so: \"\"}}]"));
    CHECK(complained("'so' needs the path of a shared object; got nothing"));
    CHECK(!load_changed("[round_robin]", "[{mine: {so: \"a\\nb.so\"}}]"));
    CHECK(complained("'so' needs a path without control characters"));
}

static void parameters_are_its_own(void)
{
    struct scenario *scenario = loaded(
        load_policies_with("[{mine: {so: \"%s\", count: 7}}]", "nothing"));

    if (!scenario)
        return;
    CHECK_TEXT(scenario->policies[0].label, "mine(count=7)");
    CHECK_TEXT(scenario->policies[0].name, "mine");
    CHECK_TEXT(scenario->policies[0].ops->name, "first_only");
    CHECK_UINT(((const uint64_t *)scenario->policies[0].config)[1], 7);
    CHECK(((const double *)scenario->policies[0].config)[0] == 0.3);
    scenario_destroy(scenario);

    CHECK(!load_policies_with("[{mine: {so: \"%s\", count: 11}}]", "nothing"));
    CHECK(complained("'count' needs a count from 1 to 10, got '11'"));
    CHECK(!load_policies_with("[{mine: {so: \"%s\", cuont: 1}}]", "nothing"));
    CHECK(complained("unknown parameter 'cuont' of policy first_only"));
    CHECK(complained("did you mean 'count'?"));
}

static void needs_that_nobody_knows_are_refused(void)
{
    CHECK(!load_policies_with("[{mine: {so: \"%s\", count: 9}}]", "needs"));
    CHECK(complained("policy mine: needs 0x40000000, of which this host knows "
                     "only 0x7f"));
}

static void needs_that_are_not_met_are_told(void)
{
    struct scenario *scenario =
        loaded(load_policies_with("[{mine: {so: \"%s\"}}]", "needs"));

    if (!scenario)
        return;
    scenario_lint(scenario, &last_diag);
    CHECK(complained("policy mine goes by blocks of prompts, and the "
                     "simulation has none"));
    CHECK(complained("policy mine goes by probes of nodes"));
    CHECK_UINT(last_diag.warnings, 2);
    scenario_destroy(scenario);
}

static void names_are_the_users_and_differ(void)
{
    CHECK(!load_policies_with("[random, {random: {so: \"%s\"}}]", "nothing"));
    CHECK(complained("two policies are both called 'random'"));
    CHECK(!load_policies_with("[{\"a b\": {so: \"%s\"}}]", "nothing"));
    CHECK(complained("the name of a shared object's policy starts with"));
    scenario_destroy(loaded(
        load_policies_with("[{random: {so: \"%s\"}}, least_conn]", "nothing")));
}

/* The hash is of the scenario: the object counts by its file's name, wherever
   it lies, and its content is told beside it. */
static void the_hash_covers_the_objects_name(void)
{
    struct scenario *one =
        loaded(load_policies_with("[{mine: {so: \"%s\"}}]", "nothing"));
    struct scenario *same = loaded(load_policies_with(
        "[{mine: {so: \"/%s\"}}]", "nothing")); /* another way to write it */
    struct scenario *built_in =
        loaded(load_changed("[round_robin]", "[random]"));

    if (one && same && built_in) {
        CHECK_UINT(one->hash, same->hash);
        CHECK(one->hash != built_in->hash);
        CHECK(one->policies[0].so_hash != 0);
        CHECK_UINT(one->policies[0].so_hash, same->policies[0].so_hash);
    }
    scenario_destroy(one);
    scenario_destroy(same);
    scenario_destroy(built_in);
}

static void a_longer_table_is_no_reason(void)
{
    struct shared_policy shared;
    struct shared_policy_error error;

    CHECK(shared_policy_open(&shared, object_path("nothing"), &error));
    CHECK_TEXT(shared.ops.name, "first_only");
    shared_policy_close(&shared);
    CHECK(shared.handle == NULL);
    shared_policy_close(&shared);
}

static void an_object_that_changes_while_it_loads_is_refused(void)
{
    const char *path = object_path("changing");
    struct shared_policy shared;
    struct shared_policy_error error;

    setenv("LBSIM_TEST_OBJECT", path, 1);
    CHECK(!shared_policy_open(&shared, path, &error));
    CHECK(strstr(error.reason, "changed while it was loaded") != NULL);
    CHECK(shared.handle == NULL);
    unsetenv("LBSIM_TEST_OBJECT");
}

static void copy_file(const char *from, const char *to, size_t most)
{
    char bytes[4096];
    FILE *in = fopen(from, "rb");
    FILE *out = fopen(to, "wb");

    CU_ASSERT_FATAL(in && out);
    for (size_t length = 1; length > 0; most -= length) {
        length = fread(bytes, 1, most < sizeof bytes ? most : sizeof bytes, in);
        fwrite(bytes, 1, length, out);
    }
    fclose(in);
    fclose(out);
}

/* As a linker or a package does: another file takes the name. */
static void what_was_loaded_stays_when_its_file_is_replaced(void)
{
    char path[] = "/tmp/lbsim_objectXXXXXX";
    char next[sizeof path + 5];
    int file = mkstemp(path);
    uint64_t eligible = 4; /* slot 2 */
    struct lbp_view view = {.slot_count = 3};
    struct lbp_request request = {.eligible = &eligible, .eligible_count = 1};
    struct shared_policy shared;
    struct shared_policy_error error;
    uint32_t slot = LBP_NO_SLOT;

    CU_ASSERT_FATAL(file >= 0);
    close(file);
    snprintf(next, sizeof next, "%s.new", path);
    copy_file(object_path("nothing"), path, SIZE_MAX);
    CU_ASSERT_FATAL(shared_policy_open(&shared, path, &error));
    copy_file(object_path("nothing"), next, 100); /* broken off */
    CHECK_INT(rename(next, path), 0);

    CHECK_INT(shared.ops.pick(NULL, &view, &request, &slot, NULL), LBP_PICKED);
    CHECK_UINT(slot, 2);
    shared_policy_close(&shared);
    CHECK(!shared_policy_open(&shared, path, &error)); /* who comes now */
    CHECK(strstr(error.reason, "cannot load") != NULL);
    unlink(path);
}

static void the_effective_scenario_loads_again(void)
{
    struct scenario *scenario = loaded(
        load_policies_with("[{mine: {so: \"%s\", share: 0.5}}]", "nothing"));
    char *text = scenario ? scenario_effective(scenario) : NULL;
    struct scenario *again = text ? load_with(text, NULL, 0) : NULL;

    CHECK(loaded(again) != NULL);
    if (again) {
        CHECK_UINT(again->hash, scenario->hash);
        CHECK_TEXT(again->policies[0].label, "mine(share=0.5)");
    }
    free(text);
    scenario_destroy(again);
    scenario_destroy(scenario);
    forget_diag();
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"what cannot serve is refused with its reason",
         what_cannot_serve_is_refused_with_its_reason},
        {"what is no object is refused", what_is_no_object_is_refused},
        {"parameters are its own", parameters_are_its_own},
        {"needs that nobody knows are refused",
         needs_that_nobody_knows_are_refused},
        {"needs that are not met are told", needs_that_are_not_met_are_told},
        {"names are the user's and differ", names_are_the_users_and_differ},
        {"the hash covers the object's name", the_hash_covers_the_objects_name},
        {"a longer table is no reason", a_longer_table_is_no_reason},
        {"an object that changes while it loads is refused",
         an_object_that_changes_while_it_loads_is_refused},
        {"what was loaded stays when its file is replaced",
         what_was_loaded_stays_when_its_file_is_replaced},
        {"the effective scenario loads again",
         the_effective_scenario_loads_again},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("shared policies", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
