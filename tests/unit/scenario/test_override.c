/* --set, includes and what wins over what. */
#define _XOPEN_SOURCE 700
#include "tests/unit/scenario/scenario_text.h"

#include <sys/stat.h>
#include <unistd.h>

static struct scenario *load_set(const char *override)
{
    return load_with(plain_text, &override, 1);
}

static bool is_refused(const char *override, const char *why)
{
    struct scenario *scenario = load_set(override);
    bool refused = !scenario;

    scenario_destroy(scenario);
    return refused && complained(why);
}

/* CFG-02: option, file and default; the option wins even when its value
   equals the default. */
static void an_option_wins_over_file_and_default(void)
{
    static const char *const same_as_default[] = {"replications=1"};
    static const char *const other[] = {"replications=20"};
    char file[1000];
    struct scenario *s;

    snprintf(file, sizeof file, "%sreplications: 10\n", plain_text);
    s = loaded(load_with(plain_text, NULL, 0));
    CHECK_UINT(s->replications, 1);
    scenario_destroy(s);
    s = loaded(load_with(file, NULL, 0));
    CHECK_UINT(s->replications, 10);
    scenario_destroy(s);
    s = loaded(load_with(plain_text, other, 1));
    CHECK_UINT(s->replications, 20);
    scenario_destroy(s);
    s = loaded(load_with(file, other, 1));
    CHECK_UINT(s->replications, 20);
    scenario_destroy(s);
    s = loaded(load_with(file, same_as_default, 1));
    CHECK_UINT(s->replications, 1);
    scenario_destroy(s);
}

static void entries_go_by_number_and_by_name(void)
{
    static const char *const overrides[] = {
        "nodes[0].count=7",
        "nodes[gpu].engine.speed=2",
        "workload.arrivals.rate=30/s",
        "balancer.retry.attempts=3", /* turns the mechanism on */
        "policies=[round_robin, least_conn]",
        "policies[1].least_conn.ignore_weights=true",
        "nodes[0].count=9", /* the later one wins */
        "faults=[{kind: crash, target: \"gpu[8]\", at: 1 min}]",
        "faults[0].at=2 min",
        "goals.success=99 %",
    };
    struct scenario *s = loaded(load_with(
        plain_text, overrides, sizeof overrides / sizeof overrides[0]));

    if (!s)
        return;
    CHECK_UINT(s->groups[0].count, 9);
    CHECK_NEAR(s->groups[0].engine.speed, 2, 0);
    CHECK_UINT(s->groups[0].engine.slots, 2); /* the file's */
    CHECK_NEAR(s->workload.arrivals.rate_per_s, 30, 0);
    CHECK(s->balancer.retry.given);
    CHECK_UINT(s->balancer.retry.attempts, 3);
    CHECK_UINT(s->policy_count, 2);
    CHECK_TEXT(s->policies[1].label, "least_conn(ignore_weights=true)");
    CHECK_INT(s->faults[0].at_ns, 120000000000);
    CHECK_NEAR(s->goals[0].bound, 0.99, 0);
    scenario_destroy(s);
}

static void defaults_can_be_set(void)
{
    static const char *const overrides[] = {"defaults.engine.speed=3",
                                            "defaults.engine.slots=5"};
    struct scenario *s = loaded(load_with(plain_text, overrides, 2));

    CHECK_NEAR(s->groups[0].engine.speed, 3, 0);
    CHECK_UINT(s->groups[0].engine.slots, 2); /* the group's own wins */
    scenario_destroy(s);
}

static void a_bad_override_shows_its_place(void)
{
    CHECK(is_refused("nodes[0].cuont=4",
                     "--set:1:10: error: unknown key 'cuont' in nodes[]\n"
                     "    1 | nodes[0].cuont=4\n"
                     "      |          ^~~~~\n"
                     "  hint: did you mean 'count'?\n"));
    CHECK(is_refused("duration=5",
                     "--set:1:10: error: 'duration': 5 needs a unit"));
    CHECK(is_refused("duration", "--set:1:9: error: expected a setting and "
                                 "its value, such as 'nodes[0].count=4'"));
    CHECK(is_refused("=5", "--set:1:1: error: expected a setting"));
    CHECK(is_refused("a..b=5", "--set:1:3: error: expected a setting"));
    CHECK(is_refused("[0]=5", "--set:1:1: error: expected a setting"));
    CHECK(is_refused("nodes[0=5", "error: expected a setting"));
    CHECK(is_refused("a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q=5",
                     "error: expected a setting"));
    CHECK(is_refused("nodes[3].count=4",
                     "--set:1:7: error: 'nodes' has 1 entry; none is '3'"));
    CHECK(is_refused("nodes[gpus].count=4", "did you mean 'gpu'?"));
    CHECK(is_refused("faults[0].at=4 s",
                     "'faults' is no list in the scenario, so it has no entry "
                     "'0'"));
    CHECK(is_refused("nodes.count=4", "'count' cannot be set inside a list\n"));
    CHECK(is_refused("nodes.count=4", "choose an entry, such as 'nodes[0]'"));
    CHECK(is_refused("nodes.gpu.count=4", "did you mean 'nodes[gpu]'?"));
    CHECK(is_refused("duration.x=4",
                     "'x' cannot be set inside a single value\n"));
    CHECK(is_refused("seed=", "'seed' needs a whole number such as '8' or "
                              "'50k'; got nothing"));
    CHECK(is_refused("seed=[1", "--set:"));
    CHECK(is_refused("policies=[robin]", "--set:1:11: error: unknown policy"));
}

static void the_second_override_is_line_two(void)
{
    static const char *const overrides[] = {"seed=3", "sede=4"};
    struct scenario *s = load_with(plain_text, overrides, 2);

    CHECK(!s);
    CHECK(complained("--set:2:1: error: unknown key 'sede' at the top level"));
    scenario_destroy(s);
}

/* A folder for files that include each other. */
static char folder[] = "/tmp/lbsim_include_XXXXXX";

static void write_file(const char *name, const char *text)
{
    char path[300];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "wb");
    if (file) {
        fputs(text, file);
        fclose(file);
    }
}

static struct scenario *load_file(const char *name)
{
    char path[300];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    diag_done(&last_diag);
    return scenario_load(path, NULL, 0, &last_diag);
}

static int make_folder(void)
{
    char path[300];

    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/parts", folder);
    return mkdir(path, 0700);
}

static int remove_folder(void)
{
    char command[300];

    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command) != 0;
}

static void what_is_included_lies_under_the_file(void)
{
    struct scenario *s;

    write_file("base.yaml", plain_text);
    write_file("parts/traffic.yaml",
               "workload:\n  arrivals: {rate: 50/s, process: gamma, cv: 3}\n"
               "include: shared.yaml\n");
    write_file("parts/shared.yaml", "seed: 5\nreplications: 6\n");
    write_file("main.yaml", "include: [base.yaml, parts/traffic.yaml]\n"
                            "seed: 9\n"
                            "workload: {arrivals: {cv: 2}}\n");
    s = loaded(load_file("main.yaml"));
    if (!s)
        return;
    CHECK_TEXT(s->name, "main");
    CHECK_UINT(s->seed, 9);         /* the file's own */
    CHECK_UINT(s->replications, 6); /* two files deep */
    CHECK_NEAR(s->workload.arrivals.rate_per_s, 50,
               0); /* the later list entry */
    CHECK_NEAR(s->workload.arrivals.cv, 2, 0);
    CHECK_NEAR(s->workload.work.mean, 0.25, 0); /* merged, not replaced */
    scenario_destroy(s);
}

static void positions_name_the_included_file(void)
{
    write_file("parts/wrong.yaml", "seed: 1\nbalancer: {cuont: 2}\n");
    write_file("main.yaml", "include: parts/wrong.yaml\n");
    CHECK(!load_file("main.yaml"));
    CHECK(complained("/parts/wrong.yaml:2:12: error: unknown key 'cuont' in "
                     "balancer"));
}

static void includes_do_not_loop_or_dig(void)
{
    char text[100];

    write_file("a.yaml", "include: b.yaml\n");
    write_file("b.yaml", "include: a.yaml\n");
    CHECK(!load_file("a.yaml"));
    CHECK(complained("/b.yaml:1:10: error: 'a.yaml' includes itself"));
    for (int i = 0; i < 12; i++) {
        char name[32];

        snprintf(name, sizeof name, "deep%d.yaml", i);
        snprintf(text, sizeof text, "include: deep%d.yaml\n", i + 1);
        write_file(name, text);
    }
    CHECK(!load_file("deep0.yaml"));
    CHECK(complained("too many includes: at most 8 deep and 64 in all"));
}

static void includes_stay_in_the_folder_or_the_data(void)
{
    struct scenario *s;
    char text[400], parts[300];

    snprintf(parts, sizeof parts, "%s/parts", folder);
    write_file("parts/outward.yaml", "include: ../base.yaml\n");
    write_file("base.yaml", plain_text);
    CHECK(!load_file("parts/outward.yaml"));
    CHECK(complained("lies outside the scenario's folder and $LBSIM_DATA"));
    snprintf(text, sizeof text, "include: %s/base.yaml\n", folder);
    write_file("parts/absolute.yaml", text);
    CHECK(!load_file("parts/absolute.yaml"));
    setenv("LBSIM_DATA", folder, 1);
    s = loaded(load_file("parts/absolute.yaml"));
    CHECK(s != NULL);
    scenario_destroy(s);
    write_file("parts/by_data.yaml", "include: base.yaml\n");
    s = loaded(load_file("parts/by_data.yaml"));
    CHECK(s != NULL);
    scenario_destroy(s);
    unsetenv("LBSIM_DATA");
}

/* The same value from an option that has a name of its own. */
static void options_are_named_as_they_were_typed(void)
{
    CHECK(is_refused("--policy policies=[robin]",
                     "--policy:1:11: error: unknown policy 'robin'\n"
                     "    1 | policies=[robin]\n"));
    CHECK(is_refused("--seed seed=x", "--seed:1:6: error: 'seed'"));
}

/* Hash of the text with overrides; 0: it did not load. */
static uint64_t hash_with(const char *text, const char *const *overrides,
                          size_t count)
{
    struct scenario *s = loaded(load_with(text, overrides, count));
    uint64_t hash = s ? s->hash : 0;

    scenario_destroy(s);
    return hash;
}

/* Faults count from 0 in what is left. */
static void off_takes_a_fault_away(void)
{
    static const char *const second[] = {"faults[1]=off"};
    static const char *const both[] = {"faults[0]=off", "faults[0]=off"};
    static const char one[] = "{kind: crash, target: \"gpu[0]\", at: 7 s}";
    char text[1500], only[1500];

    snprintf(text, sizeof text,
             "%sfaults: [%s, {kind: hang, target: \"gpu[0]\", at: 3 s}]\n",
             plain_text, one);
    snprintf(only, sizeof only, "%sfaults: [%s]\n", plain_text, one);
    CHECK(hash_with(only, NULL, 0) != 0);
    CHECK(hash_with(only, NULL, 0) != hash_with(plain_text, NULL, 0));
    CHECK(hash_with(text, second, 1) == hash_with(only, NULL, 0));
    CHECK(hash_with(text, both, 2) == hash_with(plain_text, NULL, 0));
}

static void off_takes_a_mechanism_away(void)
{
    static const char *const off[] = {
        "balancer.health=off", "balancer.retry=off", "result_tier=off",
        "workload.keys=off",   "workload.noise=off",
    };
    static const char *const twice[] = {"balancer.retry=off",
                                        "balancer.retry.attempts=3"};
    static const char *const once[] = {"balancer.retry={attempts: 3}"};
    char text[1500];

    snprintf(text, sizeof text,
             "%sbalancer: {health: {interval: 7 s}, retry: {attempts: 4}}\n"
             "result_tier: {entries: 9}\n",
             plain_text);
    CHECK(hash_with(text, NULL, 0) != hash_with(plain_text, NULL, 0));
    CHECK(hash_with(text, off, 5) == hash_with(plain_text, NULL, 0));
    /* Nothing of the old block is left in one that is set afterwards. */
    snprintf(text, sizeof text,
             "%sbalancer: {retry: {attempts: 4, backoff: "
             "{base: 3 s}}}\n",
             plain_text);
    CHECK(hash_with(text, twice, 2) == hash_with(plain_text, once, 1));
}

static void a_group_switches_off_what_defaults_have(void)
{
    struct scenario *s = loaded(load_with(
        "lbsim: 1\nduration: 10 min\n"
        "workload: {arrivals: {rate: 12/s}, work: {dist: constant, value: "
        "250 ms}, keys: {dist: unique}}\n"
        "defaults: {result_cache: {entries: 9}, memory: off}\n"
        "nodes:\n"
        "  - {group: a, count: 1}\n"
        "  - {group: b, count: 1, result_cache: off}\n"
        "policies: [random]\n",
        NULL, 0));
    char *text = s ? scenario_effective(s) : NULL;

    if (!s)
        return;
    CHECK(s->groups[0].result_cache.given);
    CHECK(!s->groups[1].result_cache.given);
    CHECK(strstr(text, "off") == NULL);
    free(text);
    scenario_destroy(s);
}

/* Only the plain word, and only where a mechanism is a block. */
static void off_is_for_mechanisms(void)
{
    CHECK(is_refused("balancer=off", "'balancer' needs a block of settings"));
    CHECK(is_refused("nodes=off", "'nodes' needs a list of groups"));
    CHECK(is_refused("balancer.health=\"off\"",
                     "'health' needs a block of settings; got a single value"));
    CHECK(is_refused("balancer.health=no", "hint: 'off' does without it"));
    CHECK(is_refused("workload.arrivals=off", "error: "));
}

int main(int argc, char **argv)
{
    CU_TestInfo set_tests[] = {
        {"an option wins over file and default",
         an_option_wins_over_file_and_default},
        {"entries go by number and by name", entries_go_by_number_and_by_name},
        {"defaults can be set", defaults_can_be_set},
        {"a bad override shows its place", a_bad_override_shows_its_place},
        {"the second override is line two", the_second_override_is_line_two},
        {"options are named as they were typed",
         options_are_named_as_they_were_typed},
        {"off takes a mechanism away", off_takes_a_mechanism_away},
        {"off takes a fault away", off_takes_a_fault_away},
        {"a group switches off what defaults have",
         a_group_switches_off_what_defaults_have},
        {"off is for mechanisms", off_is_for_mechanisms},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo include_tests[] = {
        {"what is included lies under the file",
         what_is_included_lies_under_the_file},
        {"positions name the included file", positions_name_the_included_file},
        {"includes do not loop or dig", includes_do_not_loop_or_dig},
        {"includes stay in the folder or the data",
         includes_stay_in_the_folder_or_the_data},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("overrides", NULL, NULL, NULL, forget_diag, set_tests),
        SUITE("includes", make_folder, remove_folder, NULL, forget_diag,
              include_tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
