/* Finding and opening the trace of a scenario. */
#define _XOPEN_SOURCE 700
#include "sim/scenario/lint.h"

#include "tests/unit/scenario/scenario_text.h"

#include <sys/stat.h>

static char folder[] = "/tmp/lbsim_trace_XXXXXX";

/* Twenty requests, one a minute: as played 20 min with the last gap. */
static int write_keys(void)
{
    char path[300];
    FILE *file;

    snprintf(path, sizeof path, "%s/data/keys.csv", folder);
    file = fopen(path, "wb");
    if (!file)
        return 1;
    fprintf(file, "arrival_s,input_tokens,output_tokens,key\n");
    for (int i = 0; i < 20; i++)
        fprintf(file, "%d,100,10,k%d\n", 60 * i, i % 3);
    return fclose(file);
}

static int make_folder(void)
{
    char path[300];
    FILE *file;

    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/data", folder);
    if (mkdir(path, 0700) != 0)
        return 1;
    snprintf(path, sizeof path, "%s/data/small.csv", folder);
    file = fopen(path, "wb");
    if (!file)
        return 1;
    fprintf(file, "TIMESTAMP,ContextTokens,GeneratedTokens\r\n");
    for (int i = 0; i < 20; i++)
        fprintf(file, "2023-11-16 18:%02d:00.0000000,100,10\r\n", 15 + i);
    return fclose(file) != 0 || write_keys() != 0;
}

static int remove_folder(void)
{
    char command[300];

    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command) != 0;
}

static struct scenario *load_trace(const char *settings, const char *more)
{
    char text[2000], path[300];

    snprintf(text, sizeof text,
             "lbsim: 1\n"
             "workload: {trace: {file: small.csv%s}, noise: {dist: "
             "exponential, mean: 1}}\n"
             "nodes: [{group: a, engine: {service: {base: 1 s, "
             "per_output_token: 100 ms}}}]\n"
             "policies: [random]\n%s",
             settings, more);
    snprintf(path, sizeof path, "%s/trace.yaml", folder);
    diag_done(&last_diag);
    return scenario_parse(path, text, strlen(text), NULL, 0, &last_diag);
}

#define SMALL_TRACE_TEXT                                    \
    "lbsim: 1\n"                                            \
    "workload: {trace: {file: small.csv}}\n"                \
    "nodes: [{group: a, engine: {service: {base: 1 s}}}]\n" \
    "policies: [random]\n"

static bool opens(struct scenario *scenario)
{
    return loaded(scenario) && scenario_open_trace(scenario, &last_diag);
}

static void use_data(bool use)
{
    char path[300];

    snprintf(path, sizeof path, "%s/data", folder);
    if (use)
        setenv("LBSIM_DATA", path, 1);
    else
        unsetenv("LBSIM_DATA");
}

static void with_data(void)
{
    use_data(true);
}

static void tidy(void)
{
    use_data(false);
    diag_done(&last_diag);
}

static void the_duration_is_the_traces(void)
{
    struct scenario *s =
        load_trace("", "warm_up: 10 %\n"
                       "faults: [{kind: crash, target: a, at: 19 min}]\n");

    CHECK_INT(s->duration_ns, INT64_MAX);
    CHECK(opens(s));
    CHECK(s->workload.trace != NULL);
    CHECK_INT(s->duration_ns, 1200000000000);
    CHECK_INT(s->warm_up.time_ns, 120000000000);
    CHECK_INT(s->workload.resample, TRACE_RESAMPLE_NONE);
    /* A request a minute, each 1 s + 10 x 0.1 s: 2 / 60. */
    CHECK_NEAR(scenario_mean_load(s).total, 2.0 / 60, 1e-9);
    CHECK(scenario_open_trace(s, &last_diag)); /* again: nothing happens */
    scenario_destroy(s);
}

static void playing_faster_is_shorter(void)
{
    struct scenario *s = load_trace(", rate_scale: 2, format: azure_llm", "");

    CHECK(opens(s));
    CHECK_INT(s->duration_ns, 600000000000);
    scenario_destroy(s);
}

static void more_replications_draw_blocks(void)
{
    struct scenario *s = load_trace("", "replications: 2\n");

    CHECK(opens(s));
    CHECK_INT(s->workload.resample, TRACE_RESAMPLE_BLOCKS);
    CHECK_INT(s->trace.block_ns, 300000000000);
    scenario_destroy(s);
    s = load_trace(", resample: none", "replications: 2\n");
    CHECK(opens(s));
    CHECK_INT(s->workload.resample, TRACE_RESAMPLE_NONE);
    scenario_destroy(s);
    s = load_trace(", resample: {blocks: 2 min}", "replications: 2\n");
    CHECK(opens(s));
    CHECK_INT(s->trace.block_ns, 120000000000);
    scenario_destroy(s);
    s = load_trace(", resample: blocks", "");
    CHECK_INT(s ? (int)s->workload.resample : -1, TRACE_RESAMPLE_BLOCKS);
    scenario_destroy(s);
}

static void check_refused(struct scenario *scenario, const char *words)
{
    CHECK(!opens(scenario));
    CHECK(complained(words));
    scenario_destroy(scenario);
}

static void what_does_not_fit_the_trace_is_refused(void)
{
    check_refused(
        load_trace(", resample: {blocks: 15 min}", "replications: 2\n"),
        "the trace, 1200 s as played, has less than two whole "
        "blocks of 15 min to draw from");
    check_refused(load_trace("", "duration: 30 min\n"),
                  "trace.yaml:5:11: error: 'duration' goes beyond the trace, "
                  "which lasts 1200 s as played");
    check_refused(load_trace("", "warm_up: 20 min\n"),
                  "trace.yaml:5:10: error: 'warm_up' of 20 min leaves nothing "
                  "of the duration of 20 min to measure");
    check_refused(
        load_trace("", "faults: [{kind: crash, target: a, at: 20 min}]\n"),
        "the fault comes after the end of the run, which lasts 20 min");
    check_refused(load_trace(", format: canonical", ""), "small.csv:");
}

static void bad_resample_is_refused(void)
{
    CHECK(!load_trace(", resample: {block: 5 min}", ""));
    CHECK(complained("unknown key 'block' in workload.trace.resample"));
    CHECK(!load_trace(", resample: {blocks: 5}", ""));
    CHECK(complained("'blocks': 5 needs a unit"));
    CHECK(!load_trace(", resample: {blocks: 0 s}", ""));
    CHECK(complained("'blocks' must be more than 0 s"));
    CHECK(!load_trace(", resample: {blocks: [1]}", ""));
    CHECK(complained("'blocks' needs a duration"));
    CHECK(!load_trace(", resample: some", ""));
    CHECK(complained("'resample' needs none or a block such as {blocks: 5 "
                     "min}; got 'some'"));
    CHECK(!load_trace(", resample: [a]", ""));
    CHECK(complained("got a list"));
}

static void it_says_where_it_looked(void)
{
    char words[700];
    struct scenario *s = load_trace("", "");

    use_data(false);
    CHECK(!opens(s));
    snprintf(words, sizeof words,
             "cannot read the trace: looked for %s/small.csv; $LBSIM_DATA is "
             "not set",
             folder);
    CHECK(complained(words));
    CHECK(complained("  hint: relative files are looked for beside the "
                     "scenario, then in $LBSIM_DATA"));
    setenv("LBSIM_DATA", "/nowhere", 1);
    diag_done(&last_diag);
    CHECK(!scenario_open_trace(s, &last_diag));
    snprintf(words, sizeof words,
             "looked for %s/small.csv and /nowhere/small.csv", folder);
    CHECK(complained(words));
    scenario_destroy(s);
}

static void an_absolute_path_is_taken_as_it_is(void)
{
    char override[400];
    const char *overrides = override;
    struct scenario *s;

    use_data(false);
    snprintf(override, sizeof override, "workload.trace.file=/nowhere.csv");
    s = loaded(scenario_load("scenarios/azure_conv.yaml", &overrides, 1, NULL));
    diag_done(&last_diag);
    CHECK(!scenario_open_trace(s, &last_diag));
    CHECK(complained("--set:1:21: error: cannot read '/nowhere.csv'"));
    scenario_destroy(s);
    snprintf(override, sizeof override, "workload.trace.file=%s/data/small.csv",
             folder);
    s = loaded(load_with("lbsim: 1\n"
                         "workload: {trace: {file: x}}\n"
                         "nodes: [{group: a, engine: {service: {base: 1 s}}}]\n"
                         "policies: [random]\n",
                         &overrides, 1));
    CHECK(s && scenario_open_trace(s, &last_diag));
    scenario_destroy(s);
}

static void no_trace_is_fine(void)
{
    struct scenario *s = loaded(load_more(""));

    CHECK(scenario_open_trace(s, &last_diag));
    CHECK(s->workload.trace == NULL);
    scenario_destroy(s);
}

static void an_empty_slice_is_told(void)
{
    struct scenario *s = load_trace(", rate_scale: 0.1", "");

    CHECK(opens(s));
    scenario_lint(s, &last_diag);
    CHECK(complained("this slice of the trace has almost no traffic"));
    scenario_destroy(s);
    s = load_trace(", rate_scale: 2", "");
    CHECK(opens(s));
    scenario_lint(s, &last_diag);
    CHECK_UINT(last_diag.warnings, 0);
    scenario_destroy(s);
}

static void tokens_beside_a_trace_are_told(void)
{
    struct scenario *s =
        load_trace("}, input_tokens: {dist: constant, value: 3", "");

    CHECK(opens(s));
    scenario_lint(s, &last_diag);
    CHECK(complained("'input_tokens' has no effect: the trace brings its "
                     "own"));
    scenario_destroy(s);
}

static void told_of_keys(const char *file, const char *keys, bool expected)
{
    char path[300];
    const char *const overrides[] = {file, keys};
    struct scenario *s;

    diag_done(&last_diag);
    snprintf(path, sizeof path, "%s/trace.yaml", folder);
    s = scenario_parse(path, SMALL_TRACE_TEXT, strlen(SMALL_TRACE_TEXT),
                       overrides, 2, &last_diag);
    if (!CHECK(opens(s)))
        return;
    scenario_lint(s, &last_diag);
    CHECK(complained("warning: keys are drawn, and those of the trace are not "
                     "used") == expected);
    CHECK(complained("leave 'keys' out (--set workload.keys=off)") == expected);
    scenario_destroy(s);
}

static void keys_beside_those_of_a_trace_are_told(void)
{
    static const char *const unique = "workload.keys.dist=unique";

    told_of_keys("workload.trace.file=keys.csv", unique, true);
    told_of_keys("workload.trace.file=keys.csv", "workload.keys=off", false);
    told_of_keys("workload.trace.file=small.csv", unique, false);
}

/* Whoever keeps the file without the folder of our setting finds it too. */
static void the_data_folder_may_hold_the_bare_file(void)
{
    static const char *const elsewhere[] = {
        "workload.trace.file=azure/2023/small.csv"};
    struct scenario *s =
        scenario_parse("trace.yaml", SMALL_TRACE_TEXT, strlen(SMALL_TRACE_TEXT),
                       elsewhere, 1, &last_diag);

    CHECK(opens(s));
    scenario_destroy(s);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"the duration is the trace's", the_duration_is_the_traces},
        {"playing faster is shorter", playing_faster_is_shorter},
        {"more replications draw blocks", more_replications_draw_blocks},
        {"what does not fit the trace is refused",
         what_does_not_fit_the_trace_is_refused},
        {"bad resample is refused", bad_resample_is_refused},
        {"it says where it looked", it_says_where_it_looked},
        {"an absolute path is taken as it is",
         an_absolute_path_is_taken_as_it_is},
        {"no trace is fine", no_trace_is_fine},
        {"an empty slice is told", an_empty_slice_is_told},
        {"tokens beside a trace are told", tokens_beside_a_trace_are_told},
        {"keys beside those of a trace are told",
         keys_beside_those_of_a_trace_are_told},
        {"the data folder may hold the bare file",
         the_data_folder_may_hold_the_bare_file},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("trace of a scenario", make_folder, remove_folder, with_data,
              tidy, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
