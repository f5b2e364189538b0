/*
 * The program as a user meets it: words in, exit status and texts out. Each
 * call runs in a process of its own, as argp ends the process on bad usage.
 */
#include "sim/cli/command.h"
#include "sim/report/report.h"
#include "tests/check.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEXT_SIZE 262144
#define WORDS_MAX 24

/* Steady arrivals of all but steady work: in turn, nobody ever waits. */
static const char scenario[] =
    "lbsim: 1\n"
    "duration: 10 s\n"
    "warm_up: 1 s\n"
    "replications: 3\n"
    "seed: 7\n"
    "workload:\n"
    "  arrivals: {process: deterministic, rate: 20/s}\n"
    "  noise: {dist: lognormal, mean: 1, sigma: 0.001}\n"
    "  work: {dist: constant, value: 100 ms}\n"
    "nodes:\n"
    "  - {group: gpu, count: 4, engine: {kind: slots, slots: 1}}\n"
    "policies: [round_robin, two_choices]\n"
    "goals: {latency_all_p99: 1 s}\n";

static char place[64], file[100];
static char out[TEXT_SIZE], err[TEXT_SIZE];

static void put(const char *path, const char *text)
{
    FILE *to = fopen(path, "w");

    CHECK(to != NULL);
    fputs(text, to);
    fclose(to);
}

static void setup(void)
{
    snprintf(place, sizeof place, "/tmp/lbsim-cli-XXXXXX");
    CHECK(mkdtemp(place) != NULL);
    snprintf(file, sizeof file, "%s/small.yaml", place);
    put(file, scenario);
}

static void teardown(void)
{
    char command[100];

    snprintf(command, sizeof command, "rm -r %s", place);
    CHECK_INT(system(command), 0);
}

static void read_back(int fd, char *text)
{
    ssize_t length;

    lseek(fd, 0, SEEK_SET);
    length = read(fd, text, TEXT_SIZE - 1);
    text[length > 0 ? length : 0] = 0;
    close(fd);
}

static int open_capture(const char *name)
{
    char path[100];

    snprintf(path, sizeof path, "%s/%s", place, name);
    return open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
}

/* Splits words at blanks; "FILE" stands for the scenario. */
static int split(char *words, char **argv)
{
    char program[] = "lbsim";
    static char kept[sizeof program];
    int argc = 0;

    memcpy(kept, program, sizeof program);
    argv[argc++] = kept;
    for (char *word = strtok(words, " "); word && argc < WORDS_MAX;
         word = strtok(NULL, " "))
        argv[argc++] = strcmp(word, "FILE") == 0 ? file : word;
    argv[argc] = NULL;
    return argc;
}

/*
 * stdout_fd: where standard output goes; -1: it is closed. A signal is held
 * back from before the start, so it waits for the program to look for it.
 */
static int run_with(const char *words, int stdout_fd, int signal_number)
{
    char copy[500];
    char *argv[WORDS_MAX + 1];
    int error = open_capture("err");
    int status = 0;
    sigset_t held, before;

    sigemptyset(&held);
    if (signal_number)
        sigaddset(&held, signal_number);
    sigprocmask(SIG_BLOCK, &held, &before);
    snprintf(copy, sizeof copy, "%s", words);
    int argc = split(copy, argv);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (stdout_fd < 0)
            close(STDOUT_FILENO);
        else
            dup2(stdout_fd, STDOUT_FILENO);
        dup2(error, STDERR_FILENO);
        exit(command_main(argc, argv));
    }
    if (signal_number)
        kill(child, signal_number);
    sigprocmask(SIG_SETMASK, &before, NULL);
    waitpid(child, &status, 0);
    read_back(error, err);
    CHECK(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int run(const char *words)
{
    int output = open_capture("out");
    int status = run_with(words, output, 0);

    read_back(output, out);
    return status;
}

#define CHECK_HAS(text, part) \
    CHECK(strstr((text), (part)) != NULL || !fprintf(stderr, "<<%s>>\n", text))

/* ---- the program ---- */

static void no_command_is_bad_usage(void)
{
    CHECK_INT(run(""), EXIT_BAD_INPUT);
    CHECK_HAS(err, "Usage: lbsim COMMAND");
    CHECK_TEXT(out, "");
}

static void help_is_a_result(void)
{
    CHECK_INT(run("--help"), EXIT_DONE);
    CHECK_HAS(out, "Usage: lbsim COMMAND");
    CHECK_INT(run("help help"), EXIT_DONE);
    CHECK_HAS(out, "Usage: lbsim COMMAND");
    CHECK_INT(run("help run"), EXIT_DONE);
    CHECK_HAS(out, "Usage: lbsim run [OPTION...] FILE");
    CHECK_INT(run("help rum"), EXIT_BAD_INPUT);
    CHECK_TEXT(err, "lbsim: error: unknown command 'rum'\n"
                    "  hint: did you mean 'run'?\n");
}

static void unknown_command_names_the_nearest(void)
{
    CHECK_INT(run("polcies"), EXIT_BAD_INPUT);
    CHECK_TEXT(err, "lbsim: error: unknown command 'polcies'\n"
                    "  hint: did you mean 'policies'?\n");
    CHECK_INT(run("frobnicate"), EXIT_BAD_INPUT);
    CHECK_HAS(err, "'lbsim help' lists the commands");
}

static void version_is_printed(void)
{
    CHECK_INT(run("version"), EXIT_DONE);
    CHECK_TEXT(out, "lbsim " LBSIM_VERSION "\n");
    CHECK_INT(run("--version"), EXIT_DONE);
    CHECK_TEXT(out, "lbsim " LBSIM_VERSION "\n");
    CHECK_INT(run("version now"), EXIT_BAD_INPUT);
}

/* ---- run ---- */

/* Four nodes take 20 requests a second of 0.1 s in turn: nobody waits. A half
   width is rounded up, here to 0.001. */
static void run_prints_the_table(void)
{
    CHECK_INT(run("run FILE"), EXIT_DONE);
    CHECK_HAS(out, "small: seed 7, 3 replications of 10 s, 4 nodes, load 0.50");
    CHECK_HAS(out, "round_robin  0.100  0.100 +-0.001  100.0 %");
    CHECK_HAS(out, "- goal: latency_all_p99_s at most 1; met by all");
    CHECK_HAS(err, "ns of CPU a request");
}

static void formats_are_table_json_csv(void)
{
    CHECK_INT(run("run FILE --format=json"), EXIT_DONE);
    CHECK(strncmp(out, "{\n  \"schema\": \"lbsim.result/1\"", 30) == 0);
    CHECK_INT(run("run FILE --format csv"), EXIT_DONE);
    CHECK_HAS(out, "\npolicy,verdict,replications,");
    CHECK_INT(run("run FILE --format xml"), EXIT_BAD_INPUT);
    CHECK_HAS(err, "'--format' needs table, json or csv, got 'xml'");
}

static void quiet_leaves_only_warnings(void)
{
    CHECK_INT(run("run -q FILE"), EXIT_DONE);
    CHECK(!strstr(err, "ns of CPU"));
}

static void flags_win_over_the_file(void)
{
    CHECK_INT(run("run FILE --seed 9 --replications 2 --set duration=5s"),
              EXIT_DONE);
    CHECK_HAS(out, "small: seed 9, 2 replications of 5 s");
    /* also a flag that says what the file says */
    CHECK_INT(run("run FILE --seed 7 --show-effective"), EXIT_DONE);
    CHECK_HAS(out, "# --seed\n");
    CHECK_INT(run("run FILE --policy nobody"), EXIT_BAD_INPUT);
    CHECK_HAS(err, "--policy:1:11: error: unknown policy 'nobody'");
    CHECK_INT(run("run FILE --replications 1.5"), EXIT_BAD_INPUT);
    CHECK_HAS(err, "--replications:1:14: error: ");
}

static void effective_scenario_is_shown_instead_of_a_run(void)
{
    CHECK_INT(run("run FILE --show-effective"), EXIT_DONE);
    CHECK_HAS(out, "seed: 7");
    CHECK_HAS(out, "# default");
    CHECK(!strstr(out, "verdict"));
    CHECK_INT(run("run FILE --show-effective --output x"), EXIT_BAD_INPUT);
}

static void one_policy_can_be_picked_out(void)
{
    CHECK_INT(run("run FILE --policy two_choices"), EXIT_DONE);
    CHECK_HAS(out, "\ntwo_choices  ");
    CHECK(!strstr(out, "\nround_robin  "));
    CHECK_INT(run("run FILE --policy two_choises"), EXIT_BAD_INPUT);
    CHECK_HAS(err, "two_choices"); /* the loader's hint */
}

/* ring_hash has a parameter; its key is taken from the scenario's entry. */
static void picked_policy_keeps_its_parameters(void)
{
    CHECK_INT(
        run("run FILE --set policies=[{\"ring_hash\":{\"replicas\":200}}] "
            "--policy ring_hash --show-effective"),
        EXIT_DONE);
    CHECK_HAS(out, "replicas: 200");
}

static void values_of_options_are_checked(void)
{
    CHECK_INT(run("run FILE --jobs 0"), EXIT_BAD_INPUT);
    CHECK_HAS(err, "'--jobs' needs a count from 1 to 4096, got '0'");
    CHECK_INT(run("run FILE --jobs many"), EXIT_BAD_INPUT);
    CHECK_INT(run("run FILE --limit-time 5"), EXIT_BAD_INPUT);
    CHECK_HAS(err, "'--limit-time'");
    CHECK_INT(run("run FILE --limit-memory 5"), EXIT_BAD_INPUT);
    CHECK_INT(run("run FILE FILE"), EXIT_BAD_INPUT);
    CHECK_INT(run("run"), EXIT_BAD_INPUT);
    CHECK_INT(run("run --no-such-option"), EXIT_BAD_INPUT);
}

static void bad_scenario_is_bad_input(void)
{
    CHECK_INT(run("run nowhere.yaml"), EXIT_BAD_INPUT);
    CHECK_HAS(err, "nowhere.yaml");
    CHECK_INT(run("run FILE --set sead=1"), EXIT_BAD_INPUT);
    CHECK_HAS(err, "seed");
    CHECK_TEXT(out, "");
}

static void limits_fail_with_what_is_whole(void)
{
    CHECK_INT(run("run FILE --limit-events 5"), EXIT_FAILED);
    CHECK_HAS(out, "no replication was finished");
    CHECK_HAS(err, "the limit of events was reached: 0 of 3 replications");
    CHECK_INT(run("run FILE --limit-memory 1MiB --jobs 1"), EXIT_FAILED);
    CHECK_HAS(err, "the limit of memory was reached");
    CHECK_INT(run("run FILE --limit-time 1ns"), EXIT_FAILED);
}

static void interruption_has_its_own_status(void)
{
    int output = open_capture("out");

    CHECK_INT(run_with("run FILE --jobs 1 --replications 100k --set "
                       "workload.arrivals.process=poisson",
                       output, SIGINT),
              EXIT_INTERRUPTED);
    read_back(output, out);
    CHECK_HAS(out, "- partial: interrupted; ");
    CHECK_HAS(err, "lbsim: error: interrupted: ");
}

static void lost_standard_output_is_told(void)
{
    int full = open("/dev/full", O_WRONLY);
    int ends[2];

    CHECK_INT(run_with("run FILE", full, 0), EXIT_FAILED);
    CHECK_HAS(err, "cannot write to standard output: No space left on device");
    close(full);
    CHECK_INT(run_with("run FILE", -1, 0), EXIT_FAILED);
    CHECK_HAS(err, "cannot write to standard output: Bad file descriptor");
    CHECK_INT(pipe(ends), 0);
    close(ends[0]);
    CHECK_INT(run_with("run FILE", ends[1], 0), EXIT_FAILED);
    CHECK_HAS(err, "cannot write to standard output: Broken pipe");
    close(ends[1]);
}

static void output_is_a_result_folder(void)
{
    char words[300], path[200];
    struct stat status;

    snprintf(words, sizeof words, "run FILE -o %s/result", place);
    CHECK_INT(run(words), EXIT_DONE);
    snprintf(path, sizeof path, "%s/result/summary.json", place);
    CHECK_INT(stat(path, &status), 0);
    CHECK_INT(run(words), EXIT_DONE); /* replaces it */

    snprintf(path, sizeof path, "%s/result/mine.txt", place);
    put(path, "");
    CHECK_INT(run(words), EXIT_BAD_INPUT);
    CHECK_HAS(err, "it holds 'mine.txt', which is not part of a result");
    CHECK_TEXT(out, "");
    CHECK_INT(run("run FILE -o /proc/nowhere"), EXIT_FAILED);
}

static void stored_scenario_runs_to_the_same_result(void)
{
    char words[300], path[200];
    static char first[TEXT_SIZE];

    snprintf(words, sizeof words, "run FILE --seed 3 -o %s/result", place);
    CHECK_INT(run(words), EXIT_DONE);
    memcpy(first, out, sizeof first);
    snprintf(path, sizeof path, "run %s/result/scenario.yaml", place);
    CHECK_INT(run(path), EXIT_DONE);
    CHECK_TEXT(out, first);
}

/* ---- traces ---- */

/* 20 rows a second apart, of which one has no output (a failed request). */
static void put_trace(void)
{
    char path[100];

    snprintf(path, sizeof path, "%s/rows.csv", place);
    FILE *to = fopen(path, "w");
    CHECK(to != NULL);
    fputs("TIMESTAMP,ContextTokens,GeneratedTokens\n", to);
    for (int i = 0; i < 20; i++)
        fprintf(to, "2023-11-16 18:15:%02d.0000000,100,%d\n", i + 10,
                i == 7 ? 0 : 50);
    fclose(to);

    snprintf(path, sizeof path, "%s/trace.yaml", place);
    put(path, "lbsim: 1\n"
              "replications: 4\n"
              "workload:\n"
              "  trace: {file: rows.csv, resample: none}\n"
              "  work: {dist: constant, value: 100 ms}\n"
              "nodes:\n"
              "  - {group: gpu, count: 2, engine: {kind: slots, slots: 1}}\n"
              "policies: [round_robin, least_conn]\n");
}

static int run_trace(const char *options)
{
    char words[300];

    put_trace();
    snprintf(words, sizeof words, "run %s/trace.yaml %s", place, options);
    return run(words);
}

/* 19 rows within 19 s: the trace ends a mean gap later, at 19 + 19 / 18 s. */
static void trace_without_chance_runs_once(void)
{
    CHECK_INT(run_trace(""), EXIT_DONE);
    CHECK_HAS(out, "trace: seed 1, 1 replication of 20.0556 s");
    CHECK_HAS(out, "- one run: nothing in this scenario is random, so one "
                   "replication says all that 4 would");
    CHECK_HAS(out, "- trace: 20 rows read = 19 kept + 1 dropped (1 "
                   "zero-output); played at ");
    CHECK_HAS(out, "cannot tell (one replication)");
}

static void trace_with_chance_speaks_of_itself_only(void)
{
    CHECK_INT(run_trace("--policy random"), EXIT_DONE);
    CHECK_HAS(out, ", 4 replications of ");
    CHECK_HAS(out, ", and of this one recorded trace, not of other traffic\n");
    CHECK_INT(run_trace("--set workload.trace.resample={\"blocks\":5s}"),
              EXIT_DONE);
    CHECK_HAS(out, "and of traffic made of blocks of this trace in any order");
}

static void scaled_trace_says_so(void)
{
    CHECK_INT(run_trace("--set workload.trace.rate_scale=2 --format json"),
              EXIT_DONE);
    CHECK_HAS(out, ", 2 times as fast as recorded");
    CHECK_HAS(out, "\"zero-output\": 1");
    CHECK_HAS(out, "\"rows_read\": 20");
}

static void missing_trace_is_bad_input(void)
{
    CHECK_INT(run_trace("--set workload.trace.file=none.csv"), EXIT_BAD_INPUT);
    CHECK_HAS(err, "none.csv");
}

/* ---- the other commands ---- */

static void lint_says_ok(void)
{
    CHECK_INT(run("lint FILE"), EXIT_DONE);
    CHECK_HAS(out, "small.yaml: ok");
    CHECK_INT(run("lint FILE --set seed=x"), EXIT_BAD_INPUT);
    CHECK_TEXT(out, "");
    CHECK_HAS(err, "error");
    CHECK_INT(run("lint"), EXIT_BAD_INPUT);
}

static void lint_counts_warnings(void)
{
    /* 20 a second of 0.25 s on 4 slots: load 1.25 */
    CHECK_INT(run("lint FILE --set workload.work.value=250ms"), EXIT_DONE);
    CHECK_HAS(out, ": ok, with ");
    CHECK_HAS(err, "warning");
}

static void policies_are_listed_and_explained(void)
{
    CHECK_INT(run("policies"), EXIT_DONE);
    CHECK_HAS(out, "round_robin");
    CHECK_INT(run("policies ring_hash"), EXIT_DONE);
    CHECK_HAS(out, "tie rule:");
    CHECK_HAS(out, "  replicas (count)\n");
    CHECK_HAS(out, "default:  100");
    CHECK_HAS(out, "needs:     the request's key");
    CHECK_INT(run("policies random"), EXIT_DONE);
    CHECK_HAS(out, "\nno parameters\n");
    CHECK_INT(run("policies ring_hush"), EXIT_BAD_INPUT);
    CHECK_HAS(err, "did you mean 'ring_hash'?");
    CHECK_INT(run("policies frobnicate"), EXIT_BAD_INPUT);
    CHECK_HAS(err, "'lbsim policies' lists all");
}

static void settings_are_explained(void)
{
    CHECK_INT(run("settings"), EXIT_DONE);
    CHECK_INT(run("settings balancer.retry"), EXIT_DONE);
    CHECK_HAS(out, "attempts");
    CHECK_INT(run("settings balancer.retri"), EXIT_BAD_INPUT);
    CHECK_HAS(err, "unknown setting 'balancer.retri'");
    CHECK_INT(run("settings policies[].ring_hash.replicas"), EXIT_BAD_INPUT);
    CHECK_HAS(err, "hint: 'lbsim policies ring_hash' lists its parameters");
    CHECK_INT(run("settings predict"), EXIT_BAD_INPUT);
    CHECK_HAS(err, "hint: 'lbsim policies predict' lists its parameters");
}

static void settings_come_as_a_page_too(void)
{
    CHECK_INT(run("settings --format markdown"), EXIT_DONE);
    CHECK_HAS(out, "# Settings of a scenario\n");
    CHECK_HAS(out, "\n## balancer.health\n");
    CHECK_INT(run("settings --format text balancer.retry"), EXIT_DONE);
    CHECK_HAS(out, "attempts");
    CHECK_INT(run("settings --format html"), EXIT_BAD_INPUT);
    CHECK_HAS(err, "'--format' needs text or markdown, got 'html'");
    CHECK_INT(run("settings --format markdown nodes"), EXIT_BAD_INPUT);
    CHECK_HAS(err, "has no use for 'nodes'");
}

static void schema_is_json(void)
{
    CHECK_INT(run("schema"), EXIT_DONE);
    CHECK(out[0] == '{');
    CHECK_HAS(out, "\"$schema\"");
}

static void plot_needs_a_result(void)
{
    CHECK_INT(run("plot"), EXIT_BAD_INPUT);
    CHECK_INT(run("plot a b"), EXIT_BAD_INPUT);
    CHECK_INT(run("plot /nowhere --plots plots"), EXIT_BAD_INPUT);
    CHECK(err[0] != 0);
    CHECK_TEXT(out, "");
}

int main(int argc, char **argv)
{
    CU_TestInfo program_tests[] = {
        {"no command is bad usage", no_command_is_bad_usage},
        {"help is a result", help_is_a_result},
        {"an unknown command names the nearest",
         unknown_command_names_the_nearest},
        {"the version is printed", version_is_printed},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo run_tests[] = {
        {"run prints the table", run_prints_the_table},
        {"formats are table, json, csv", formats_are_table_json_csv},
        {"quiet leaves only warnings", quiet_leaves_only_warnings},
        {"flags win over the file", flags_win_over_the_file},
        {"the effective scenario is shown instead of a run",
         effective_scenario_is_shown_instead_of_a_run},
        {"one policy can be picked out", one_policy_can_be_picked_out},
        {"a picked policy keeps its parameters",
         picked_policy_keeps_its_parameters},
        {"values of options are checked", values_of_options_are_checked},
        {"a bad scenario is bad input", bad_scenario_is_bad_input},
        {"limits fail with what is whole", limits_fail_with_what_is_whole},
        {"an interruption has its own status", interruption_has_its_own_status},
        {"a lost standard output is told", lost_standard_output_is_told},
        {"output is a result folder", output_is_a_result_folder},
        {"a stored scenario runs to the same result",
         stored_scenario_runs_to_the_same_result},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo trace_tests[] = {
        {"a trace without chance runs once", trace_without_chance_runs_once},
        {"a trace with chance speaks of itself only",
         trace_with_chance_speaks_of_itself_only},
        {"a scaled trace says so", scaled_trace_says_so},
        {"a missing trace is bad input", missing_trace_is_bad_input},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo other_tests[] = {
        {"lint says ok", lint_says_ok},
        {"lint counts warnings", lint_counts_warnings},
        {"policies are listed and explained",
         policies_are_listed_and_explained},
        {"settings are explained", settings_are_explained},
        {"settings come as a page too", settings_come_as_a_page_too},
        {"the schema is JSON", schema_is_json},
        {"plot needs a result", plot_needs_a_result},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("command program", NULL, NULL, setup, teardown, program_tests),
        SUITE("command run", NULL, NULL, setup, teardown, run_tests),
        SUITE("command traces", NULL, NULL, setup, teardown, trace_tests),
        SUITE("command others", NULL, NULL, setup, teardown, other_tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
