#define _DEFAULT_SOURCE /* _SC_PHYS_PAGES */

#include "sim/cli/command.h"

#include "sim/cli/guard.h"
#include "sim/cli/options.h"
#include "sim/cli/progress.h"
#include "sim/experiment/experiment.h"
#include "sim/report/csv.h"
#include "sim/report/json.h"
#include "sim/report/result_folder.h"
#include "sim/report/table.h"
#include "sim/scenario/lint.h"
#include "sim/scenario/loader.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define THREADS_MAX 4096
#define REASON_SIZE 5000 /* a path and why */

enum format { FORMAT_TABLE, FORMAT_JSON, FORMAT_CSV };

struct run_options {
    struct scenario_options scenario;
    enum format format;
    uint32_t threads; /* 0: all */
    const char *output;
    bool quiet, show_effective;
    uint64_t limit_events, limit_memory_bytes;
    int64_t limit_time_ns;
};

/* ---- options ---- */

static const struct argp_option rows[] = {
    {0, 0, 0, 0, "What comes out:", 2},
    {"format", OPTION_FORMAT, "FORMAT", 0,
     "table (default), json or csv, on standard output", 2},
    {"output", 'o', "DIR", 0,
     "Also write a result folder; replaces a former result, nothing else", 2},
    {"quiet", 'q', 0, 0, "No progress and no speed on standard error", 2},
    {"show-effective", OPTION_SHOW_EFFECTIVE, 0, 0,
     "Print every setting with where it comes from, and do not run", 2},
    {0, 0, 0, 0, "How it is run (changes no result):", 3},
    {"jobs", 'j', "N", 0, "Threads; default: all of the machine", 3},
    {"limit-time", OPTION_LIMIT_TIME, "DURATION", 0,
     "Stop after this long, such as '10 min', with partial results", 3},
    {"limit-events", OPTION_LIMIT_EVENTS, "N", 0,
     "Give up a simulation after this many events", 3},
    {"limit-memory", OPTION_LIMIT_MEMORY, "SIZE", 0,
     "Stop at this much memory, such as '2 GiB', with partial results; "
     "default: three quarters of the machine's",
     3},
    {0},
};

static enum format parse_format(struct argp_state *state, const char *text)
{
    static const char *const names[] = {"table", "json", "csv"};

    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(text, names[i]) == 0)
            return (enum format)i;
    argp_error(state, "'--format' needs table, json or csv, got '%s'", text);
    return FORMAT_TABLE;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct run_options *options = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->scenario;
        return 0;
    case OPTION_FORMAT:
        options->format = parse_format(state, argument);
        return 0;
    case 'o':
        options->output = argument;
        return 0;
    case 'q':
        options->quiet = true;
        return 0;
    case OPTION_SHOW_EFFECTIVE:
        options->show_effective = true;
        return 0;
    case 'j':
        options->threads =
            (uint32_t)options_count(state, "--jobs", argument, 1, THREADS_MAX);
        return 0;
    case OPTION_LIMIT_TIME:
        options->limit_time_ns =
            options_duration_ns(state, "--limit-time", argument);
        if (options->limit_time_ns == 0)
            argp_error(state, "'--limit-time' needs more than 0 s");
        return 0;
    case OPTION_LIMIT_EVENTS:
        options->limit_events =
            options_count(state, "--limit-events", argument, 1, UINT64_MAX);
        return 0;
    case OPTION_LIMIT_MEMORY:
        options->limit_memory_bytes =
            options_size(state, "--limit-memory", argument);
        if (options->limit_memory_bytes == 0)
            argp_error(state, "'--limit-memory' needs more than 0 B");
        return 0;
    case ARGP_KEY_END:
        if (options->show_effective && options->output)
            argp_error(state, "--show-effective runs nothing, so it has no "
                              "use for --output");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- signals ---- */

/*
 * SIGINT and SIGTERM are held back while simulations run, and looked for at
 * each tick on the calling thread: so no handler, and nothing it would have to
 * reach from outside.
 */
struct interrupts {
    sigset_t signals, before;
    atomic_bool seen;
};

static void interrupts_hold(struct interrupts *interrupts)
{
    atomic_init(&interrupts->seen, false);
    sigemptyset(&interrupts->signals);
    sigaddset(&interrupts->signals, SIGINT);
    sigaddset(&interrupts->signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &interrupts->signals, &interrupts->before);
}

static void interrupts_look(struct interrupts *interrupts)
{
    static const struct timespec at_once = {0};

    while (sigtimedwait(&interrupts->signals, NULL, &at_once) > 0)
        atomic_store(&interrupts->seen, true);
}

/* After an interruption they stay held: the results are being written. */
static void interrupts_release(struct interrupts *interrupts)
{
    interrupts_look(interrupts);
    if (!atomic_load(&interrupts->seen))
        pthread_sigmask(SIG_SETMASK, &interrupts->before, NULL);
}

struct watch {
    struct interrupts interrupts;
    struct progress progress;
};

static void on_progress(void *context, const struct experiment_progress *now)
{
    struct watch *watch = context;

    interrupts_look(&watch->interrupts);
    progress_show(&watch->progress, now);
}

/* ---- the run ---- */

/*
 * Queues that grow without end fill any machine; before it grinds to a halt,
 * or kills whom it likes, the run ends by itself. 0: the machine does not say
 * how much it has.
 */
static uint64_t most_of_the_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES);
    long page = sysconf(_SC_PAGESIZE);

    if (pages <= 0 || page <= 0)
        return 0;
    return (uint64_t)pages * (uint64_t)page / 4 * 3;
}

static enum experiment_status simulate(const struct run_options *options,
                                       const struct scenario *scenario,
                                       struct experiment_result *ret)
{
    struct watch watch;
    struct experiment_setup setup = {
        .scenario = scenario,
        .simulate = simulation_run,
        .threads = options->threads,
        .limit_events = options->limit_events,
        .limit_time_ns = options->limit_time_ns,
        .limit_memory_bytes = options->limit_memory_bytes
                                  ? options->limit_memory_bytes
                                  : most_of_the_memory(),
        .interrupted = &watch.interrupts.seen,
        .on_progress = on_progress,
        .progress_context = &watch,
    };

    progress_init(&watch.progress, options->quiet);
    interrupts_hold(&watch.interrupts);
    struct guard *guard = guard_raise(setup.scenario);
    enum experiment_status status = experiment_run(&setup, ret);
    guard_lift(guard);
    progress_clear(&watch.progress);
    interrupts_release(&watch.interrupts);
    return status;
}

static int complain_status(enum experiment_status status,
                           const struct scenario *scenario,
                           const struct experiment_result *result)
{
    const char *policy = scenario->policies[result->error_policy].label;

    switch (status) {
    case EXPERIMENT_POLICY_ERROR:
        command_complain("policy '%s' named a node that may not be picked, or "
                         "answered what is no status, in replication %u",
                         policy, result->error_replication);
        break;
    case EXPERIMENT_BOOKS_OPEN:
        command_complain("the books of policy '%s' do not balance in "
                         "replication %u: a fault of lbsim, please report "
                         "it with the scenario",
                         policy, result->error_replication);
        break;
    case EXPERIMENT_TRACE_ERROR:
        command_complain("the trace could not be read again; did the file "
                         "change?");
        break;
    case EXPERIMENT_NO_THREADS:
        command_complain("the system grants no thread");
        break;
    case EXPERIMENT_NO_MEMORY:
    case EXPERIMENT_OK:
        command_complain("out of memory");
        break;
    }
    return EXIT_FAILED;
}

static bool print_result(enum format format, const struct report_input *input)
{
    switch (format) {
    case FORMAT_JSON:
        return json_write_result(input, stdout);
    case FORMAT_CSV:
        csv_write_policies(input, stdout);
        return true;
    case FORMAT_TABLE:
        break;
    }
    return table_write(input, stdout);
}

static bool write_folder(struct result_folder *folder,
                         const struct report_input *input)
{
    char reason[REASON_SIZE] = "out of memory";
    char *effective = scenario_effective(input->scenario);
    bool fine =
        effective &&
        result_folder_write(folder, input, effective, reason, sizeof reason) &&
        result_folder_commit(folder, reason, sizeof reason);

    free(effective);
    if (!fine)
        command_complain("%s", reason);
    return fine;
}

/* A warm-up by requests can be longer than the run, which only the run shows.
 */
static void tell_if_nothing_measured(const struct report_input *input)
{
    const struct experiment_result *result = input->result;

    if (result->replications > 0 && result->policy_count > 0 &&
        result->policies[0].fold.measured == 0 &&
        result->policies[0].fold.books.arrived > 0)
        command_complain("nothing was measured: the warm-up took every "
                         "request; shorten 'warm_up' or lengthen 'duration'");
}

static void tell_speed(const struct experiment_result *result)
{
    uint64_t requests = 0;

    for (uint32_t i = 0; i < result->policy_count; i++)
        requests += result->policies[i].fold.books.arrived;
    fprintf(stderr,
            "lbsim: %" PRIu64 " requests, %" PRIu64
            " events in %.2f s on %u thread%s (%.0f ns of CPU a request)\n",
            requests, result->events, result->elapsed_s, result->threads,
            result->threads == 1 ? "" : "s",
            requests > 0 ? 1e9 * result->cpu_s / (double)requests : 0);
}

static int status_of(const struct experiment_result *result)
{
    const char *end = outcome_end_text(result->end);

    if (!end)
        return EXIT_DONE;
    command_complain("%s: %u of %u replication%s finished", end,
                     result->replications, result->replications_asked,
                     result->replications_asked == 1 ? "" : "s");
    return result->end == EXPERIMENT_INTERRUPTED ? EXIT_INTERRUPTED
                                                 : EXIT_FAILED;
}

static int report(const struct run_options *options,
                  const struct report_input *input,
                  struct result_folder *folder)
{
    errno = 0;
    bool fine = print_result(options->format, input);

    if (!fine)
        command_complain("out of memory");
    else
        fine = !command_output_fails();
    if (folder && input->result->replications > 0)
        fine = write_folder(folder, input) && fine;
    tell_if_nothing_measured(input);
    if (!options->quiet && input->result->replications > 0)
        tell_speed(input->result);

    int status = status_of(input->result);
    return fine ? status : EXIT_FAILED;
}

/* A folder that cannot be written is known before an hour of simulating. */
static int open_folder(const char *path, struct result_folder **ret)
{
    char reason[REASON_SIZE];

    if (!path)
        return EXIT_DONE;
    enum result_folder_status status =
        result_folder_open(path, ret, reason, sizeof reason);
    if (status == RESULT_FOLDER_OK)
        return EXIT_DONE;
    command_complain("%s", reason);
    return status == RESULT_FOLDER_NOT_OURS ? EXIT_BAD_INPUT : EXIT_FAILED;
}

static int run_scenario(const struct run_options *options,
                        const struct scenario *scenario)
{
    struct experiment_result result = {0};
    struct report_input input = {scenario, &result};
    struct result_folder *folder = NULL;
    int status = open_folder(options->output, &folder);

    if (status != EXIT_DONE)
        return status;

    enum experiment_status outcome = simulate(options, scenario, &result);
    status = outcome == EXPERIMENT_OK
                 ? report(options, &input, folder)
                 : complain_status(outcome, scenario, &result);
    result_folder_close(folder);
    outcome_done(&result);
    return status;
}

static int show_effective(const struct scenario *scenario)
{
    char *text = scenario_effective(scenario);

    if (!text) {
        command_complain("out of memory");
        return EXIT_FAILED;
    }
    fputs(text, stdout);
    free(text);
    return EXIT_DONE;
}

int command_run(int argc, char **argv)
{
    static const struct argp_child children[] = {
        {&scenario_options_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .args_doc = "FILE",
        .doc = "Simulate a scenario with all its policies and say which is "
               "best, and how sure that is.",
        .children = children,
    };
    struct run_options options = {0};
    struct diag diag = {0};
    int status;

    command_parse(&argp, argc, argv, &options);

    struct scenario *scenario = scenario_options_load(
        &options.scenario, !options.show_effective, &diag);
    if (scenario && !options.show_effective)
        scenario_lint(scenario, &diag);
    command_tell(&diag);
    if (scenario)
        status = options.show_effective ? show_effective(scenario)
                                        : run_scenario(&options, scenario);
    else
        status = command_load_status(&diag);
    scenario_destroy(scenario);
    scenario_options_done(&options.scenario);
    diag_done(&diag);
    return status;
}
