#include "sim/cli/command.h"

#include "sim/cli/baseline_options.h"
#include "sim/experiment/baseline_check.h"
#include "sim/experiment/baseline_power.h"
#include "sim/report/check_power.h"
#include "sim/report/check_report.h"
#include "sim/report/report.h"
#include "sim/report/whole_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REASON_SIZE 5000
enum { REPORTS_MAX = 16, FORMAT_NAME_SIZE = 40 };

struct check_options {
    struct baseline_options baseline;
    enum check_format format;
    struct {
        enum check_format format;
        const char *path; /* borrowed */
    } reports[REPORTS_MAX];
    unsigned report_count;
    bool strict, update, create, power;
};

/* One check under way. */
struct checking {
    const struct check_options *options;
    const struct scenario *scenario;
    struct whole_file files[REPORTS_MAX]; /* [options->report_count] */
    struct baseline *then, *now;
    struct baseline stand_in; /* for reports when there is no baseline */
    char *text;               /* of now */
    struct check_result check;
    bool unlike; /* the baseline is of other settings, and to be replaced */
    char error[REASON_SIZE]; /* why there is no verdict; "" */
};

/* ---- options ---- */

static const struct argp_option rows[] = {
    {0, 0, 0, 0, "What comes out:", 6},
    {"format", OPTION_FORMAT, "FORMAT", 0,
     "table (default), json, csv, markdown, junit, github, gitlab, azure or "
     "lines",
     6},
    {"report", OPTION_REPORT, "FORMAT=FILE", 0,
     "Also write this format to a file, whatever the verdict; may be repeated",
     6},
    {"strict", OPTION_STRICT, 0, 0,
     "Status 5, not 0, when the check is inconclusive", 6},
    {"update", OPTION_UPDATE, 0, 0,
     "Show what changed and make it the new baseline", 6},
    {"create", OPTION_CREATE, 0, 0,
     "Make the baseline if there is none, and pass", 6},
    {"power", OPTION_POWER, 0, 0,
     "Simulate nothing, and tell from the baseline which change a check would "
     "find; as table, json, csv or markdown",
     6},
    {0},
};

/* "junit=out/check.xml" */
static void add_report(struct argp_state *state, struct check_options *options,
                       const char *argument)
{
    const char *equals = strchr(argument, '=');
    char name[FORMAT_NAME_SIZE];

    if (!equals || equals[1] == 0)
        argp_error(state,
                   "'--report' needs a format and a file, such as "
                   "junit=check.xml, got '%s'",
                   argument);
    else if (options->report_count == REPORTS_MAX)
        argp_error(state, "%d reports at most", REPORTS_MAX);
    else {
        unsigned i = options->report_count++;

        snprintf(name, sizeof name, "%.*s", (int)(equals - argument), argument);
        options->reports[i].path = equals + 1;
        options->reports[i].format = (enum check_format)options_choice(
            state, "--report", name, check_format_names);
    }
}

/* What has nothing to say where nothing is simulated or judged. */
static void check_power(struct argp_state *state,
                        const struct check_options *options)
{
    const struct experiment_options *experiment =
        &options->baseline.frame.experiment;
    const char *other = options->update             ? "--update"
                        : options->create           ? "--create"
                        : options->strict           ? "--strict"
                        : options->report_count > 0 ? "--report"
                        : experiment->shard.count   ? "--shard"
                        : experiment->output        ? "--output"
                        : experiment->store         ? "--store"
                                                    : NULL;

    if (other)
        argp_error(state,
                   "--power asks what a check would find and makes none, so it "
                   "has no use for %s",
                   other);
    if (!check_power_has(options->format))
        argp_error(state,
                   "--power comes as table, json, csv or markdown, not "
                   "as %s",
                   check_format_names[options->format]);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct check_options *options = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->baseline;
        return 0;
    case OPTION_FORMAT:
        options->format = (enum check_format)options_choice(
            state, "--format", argument, check_format_names);
        return 0;
    case OPTION_REPORT:
        add_report(state, options, argument);
        return 0;
    case OPTION_STRICT:
        options->strict = true;
        return 0;
    case OPTION_UPDATE:
        options->update = true;
        return 0;
    case OPTION_CREATE:
        options->create = true;
        return 0;
    case OPTION_POWER:
        options->power = true;
        return 0;
    case ARGP_KEY_END:
        if (options->update && options->strict)
            argp_error(state, "--update takes over whatever changed, so it has "
                              "no use for --strict");
        if (options->power)
            check_power(state, options);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- reports ---- */

/* A file that cannot be written is known before an hour of simulating. */
static int open_reports(struct checking *checking)
{
    const struct check_options *options = checking->options;
    char reason[REASON_SIZE];

    for (unsigned i = 0; i < options->report_count; i++)
        if (!whole_file_open(&checking->files[i], options->reports[i].path,
                             reason, sizeof reason)) {
            command_complain("%s", reason);
            return EXIT_FAILED;
        }
    return EXIT_DONE;
}

static bool write_file(struct checking *checking, unsigned index,
                       const struct check_report *report)
{
    struct whole_file *file = &checking->files[index];
    char reason[REASON_SIZE] = "out of memory";
    bool fine = check_report_write(checking->options->reports[index].format,
                                   report, file->out) &&
                whole_file_commit(file, reason, sizeof reason);

    if (!fine)
        command_complain("%s", reason);
    return fine;
}

/* Files first: a pipe that nobody reads must not keep them away. */
static bool write_reports(struct checking *checking)
{
    struct check_report report = {
        .scenario = checking->scenario,
        .then = checking->then ? checking->then : &checking->stand_in,
        .now = checking->now,
        .check = &checking->check,
        .error = checking->error[0] ? checking->error : NULL,
        .strict = checking->options->strict,
    };
    bool fine = true;

    for (unsigned i = 0; i < checking->options->report_count; i++)
        if (checking->files[i].out) /* a shard has none */
            fine = write_file(checking, i, &report) && fine;
    if (!report.error || checking->options->format != CHECK_FORMAT_TABLE) {
        errno = 0;
        if (!check_report_write(checking->options->format, &report, stdout)) {
            command_complain("out of memory");
            fine = false;
        } else {
            fine = !command_output_fails() && fine;
        }
    }
    return fine;
}

/* The first complaint, without its place, as the reason in reports. */
static void take_reason(struct checking *checking, const char *what,
                        const struct diag *diag)
{
    const char *begin = diag->text ? strstr(diag->text, "error: ") : NULL;
    int length = begin ? (int)strcspn(begin + 7, "\n") : 0;

    snprintf(checking->error, sizeof checking->error, "%s%s%.*s", what,
             begin ? ": " : "", length, begin ? begin + 7 : "");
    if (diag->errors > 1) {
        size_t used = strlen(checking->error);

        snprintf(checking->error + used, sizeof checking->error - used,
                 ", and %u more", diag->errors - 1);
    }
}

/* ---- the baseline ---- */

static int complain_none(struct checking *checking)
{
    const char *path = checking->options->baseline.path;

    snprintf(checking->error, sizeof checking->error,
             "there is no baseline '%s'", path);
    command_complain("%s", checking->error);
    fprintf(stderr,
            "  hint: make it with `lbsim baseline %s%s%s`, or give "
            "--create\n",
            checking->options->baseline.frame.scenario.file,
            checking->options->baseline.given ? " --baseline " : "",
            checking->options->baseline.given ? path : "");
    return EXIT_NO_BASELINE;
}

/* then is NULL afterwards if there is none and that is fine. */
static int read_baseline(struct checking *checking)
{
    const struct check_options *options = checking->options;
    const char *path = options->baseline.path;
    struct diag diag = {0};
    size_t length;
    char *text = whole_file_read(path, BASELINE_SIZE_MAX, &length);
    int status = EXIT_DONE;

    if (!text && errno == ENOENT)
        return options->create || options->update ? EXIT_DONE
                                                  : complain_none(checking);
    if (!text) {
        snprintf(checking->error, sizeof checking->error,
                 "cannot read '%s': %s", path, strerror(errno));
        command_complain("%s", checking->error);
        return EXIT_FAILED;
    }
    checking->then = baseline_parse(path, text, length, &diag);
    free(text);
    if (!checking->then) {
        command_tell(&diag);
        status = options->update ? EXIT_DONE : command_load_status(&diag);
        if (status != EXIT_DONE)
            take_reason(checking, "the baseline cannot be read", &diag);
    }
    diag_done(&diag);
    return status;
}

static struct baseline *baseline_of(const struct checking *checking,
                                    const struct experiment_result *result,
                                    char **ret_text)
{
    struct diag diag = {0};
    char *text = baseline_text(checking->scenario, result, LBSIM_VERSION);
    struct baseline *baseline =
        text ? baseline_parse("what the run yields", text, strlen(text), &diag)
             : NULL;

    if (!baseline) {
        diag.no_memory |= !text;
        command_tell(&diag);
    }
    diag_done(&diag);
    if (baseline && ret_text)
        *ret_text = text;
    else
        free(text);
    return baseline;
}

static int refuse(struct checking *checking, const struct diag *diag)
{
    take_reason(checking, "not the experiment of the baseline", diag);
    fprintf(stderr, "  hint: `lbsim check --update` makes a new baseline of "
                    "it\n");
    return diag->no_memory ? EXIT_FAILED : EXIT_BAD_INPUT;
}

static bool has_any_measure(const struct checking *checking,
                            const struct baseline *plan)
{
    const struct check_spec *spec = &checking->scenario->check;

    for (uint32_t i = 0; i < plan->policy_count; i++) {
        const struct baseline_policy *then =
            baseline_pair(plan, &plan->policies[i], checking->then);

        for (uint32_t m = 0; then && m < spec->tolerance_count; m++)
            if (baseline_find_measure(
                    then, measures[spec->tolerances[m].measure].name))
                return true;
    }
    return false;
}

/* Whether something would be left unlooked at that people think is checked. */
static bool passes_over(const struct checking *checking,
                        const struct baseline *plan, struct diag *diag)
{
    struct diag_place place = {.file = checking->then->path};
    bool some = checking->options->baseline.frame.scenario.policies.count > 0;

    if (baseline_lacks_policies(checking->then, plan, some, diag))
        return true;
    if (has_any_measure(checking, plan))
        return false;
    diag_add(diag, DIAG_ERROR, &place, NULL,
             "has none of the measures that are watched, so nothing would be "
             "compared");
    return true;
}

/* Known before any run: what the scenario says now. */
static int compare_scenarios(struct checking *checking)
{
    struct baseline *plan = baseline_of(checking, NULL, NULL);
    struct diag diag = {0};
    int status = EXIT_DONE;

    if (!plan)
        return EXIT_FAILED;
    if (baseline_differs(checking->then, plan, &diag)) {
        command_tell(&diag);
        checking->unlike = true;
        if (!checking->options->update)
            status = refuse(checking, &diag);
    } else if (!checking->options->update &&
               passes_over(checking, plan, &diag)) {
        command_tell(&diag);
        status = refuse(checking, &diag);
    }
    baseline_destroy(plan);
    diag_done(&diag);
    return status;
}

/* ---- the check ---- */

static int status_of(const struct checking *checking)
{
    if (checking->options->update)
        return EXIT_DONE;
    switch (checking->check.verdict) {
    case CHECK_REGRESSION:
        return EXIT_NEGATIVE;
    case CHECK_INCONCLUSIVE:
        return checking->options->strict ? EXIT_INCONCLUSIVE : EXIT_DONE;
    case CHECK_PASS:
    case CHECK_REMADE:
    case CHECK_VERDICT_COUNT:
        break;
    }
    return EXIT_DONE;
}

static bool compare(struct checking *checking,
                    const struct experiment_result *result)
{
    const struct check_options *options = checking->options;
    /* What --update drops is told, whoever asked for it. */
    bool some =
        options->baseline.frame.scenario.policies.count > 0 && !options->update;

    checking->now = baseline_of(checking, result, &checking->text);
    if (!checking->now)
        return false;
    if (!checking->then || checking->unlike
            ? baseline_remake(checking->scenario, checking->then, checking->now,
                              &checking->check)
            : baseline_check(checking->scenario, checking->then, checking->now,
                             result, some, &checking->check))
        return true;
    command_complain("out of memory");
    return false;
}

/* Judges, reports, and lets the session say what is missing. A part is not
   judged: which replications are there hangs on the machine. */
static int end(struct checking *checking, struct session *session,
               const struct experiment_result *result)
{
    struct report_input input = {checking->scenario, result};
    bool whole =
        !baseline_is_partial(result, checking->error, sizeof checking->error);
    bool fine = !whole || compare(checking, result);

    fine = fine && write_reports(checking);
    int status = session_end_result(session, &input, fine);
    return status == EXIT_DONE ? status_of(checking) : status;
}

static int fail(struct checking *checking, enum experiment_status outcome,
                const struct experiment_result *result)
{
    int status = session_complain(outcome, checking->scenario, result);

    snprintf(checking->error, sizeof checking->error, "the simulation failed");
    if (outcome == EXPERIMENT_POLICY_ERROR || outcome == EXPERIMENT_BOOKS_OPEN)
        snprintf(checking->error, sizeof checking->error,
                 "replication %" PRIu32 " of policy '%s' failed, seed %" PRIu64,
                 result->error_replication,
                 checking->scenario->policies[result->error_policy].label,
                 checking->scenario->seed);
    return write_reports(checking) ? status : EXIT_FAILED;
}

static int simulate(struct checking *checking, struct session *session)
{
    struct experiment_result result = {0};
    int status;

    enum experiment_status outcome =
        session_experiment(session, checking->scenario, &result);
    if (outcome != EXPERIMENT_OK)
        status = fail(checking, outcome, &result);
    else if (session_is_shard(session))
        status = session_end_shard(session);
    else
        status = end(checking, session, &result);
    outcome_done(&result);
    return status;
}

/* Until the run: everything that can be known without it. */
static int prepare(struct checking *checking)
{
    const struct check_options *options = checking->options;
    int status = read_baseline(checking);

    if (status == EXIT_DONE && checking->then)
        status = compare_scenarios(checking);
    if (status == EXIT_DONE && (options->update || !checking->then))
        status = baseline_may_store(options->baseline.path);
    if (checking->error[0] && !write_reports(checking))
        status = EXIT_FAILED;
    return status;
}

static int store(const struct checking *checking)
{
    const char *path = checking->options->baseline.path;
    int status = baseline_store(path, checking->text);

    if (status == EXIT_DONE)
        fprintf(stderr, "lbsim: %s is %s\n", path,
                checking->then ? "updated" : "new");
    return status;
}

static int check(void *context, struct session *session)
{
    struct checking *checking = context;
    int status = EXIT_DONE;

    if (!session_is_shard(session))
        status = open_reports(checking);
    if (status == EXIT_DONE)
        status = prepare(checking);
    if (status == EXIT_DONE)
        status = simulate(checking, session);
    return status;
}

/* ---- what a check would find ---- */

static bool write_power(const struct checking *checking,
                        const struct baseline *plan)
{
    struct baseline_power power;
    struct check_power_report report = {checking->scenario, checking->then,
                                        &power};
    bool fine =
        baseline_power(checking->scenario, checking->then, plan, &power);

    errno = 0;
    fine =
        fine && check_power_write(checking->options->format, &report, stdout);
    if (!fine)
        command_complain("out of memory");
    baseline_power_done(&power);
    return fine && !command_output_fails();
}

/* Without a run: what the baseline says is enough. */
static int tell_power(struct checking *checking)
{
    int status = read_baseline(checking);
    struct baseline *plan = NULL;

    if (status == EXIT_DONE && !checking->then)
        status = complain_none(checking);
    if (status == EXIT_DONE)
        status = compare_scenarios(checking);
    if (status == EXIT_DONE) {
        plan = baseline_of(checking, NULL, NULL);
        if (!plan || !write_power(checking, plan))
            status = EXIT_FAILED;
    }
    baseline_destroy(plan);
    return status;
}

static int check_scenario(void *context, struct scenario *scenario)
{
    const struct check_options *options = context;
    struct checking checking = {
        .options = options,
        .scenario = scenario,
        .stand_in = {.path = options->baseline.path,
                     .program = "none",
                     .replications = scenario->replications},
    };
    int status = options->power ? tell_power(&checking)
                                : frame_session(&options->baseline.frame, check,
                                                &checking);

    if (checking.now && status != EXIT_FAILED &&
        (options->update || !checking.then))
        status = store(&checking);
    check_result_done(&checking.check);
    baseline_destroy(checking.then);
    baseline_destroy(checking.now);
    free(checking.text);
    for (unsigned i = 0; i < options->report_count; i++)
        whole_file_close(&checking.files[i]);
    return status;
}

int command_check(int argc, char **argv)
{
    static const struct argp_child children[] = {
        {&baseline_options_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .args_doc = "FILE",
        .doc = "Simulate a scenario and tell whether it is worse than its "
               "baseline, by more than its tolerances and beyond doubt."
               "\vStatus 0: pass, or inconclusive without --strict; 1: a "
               "regression; 2: bad input, or the baseline is of another "
               "scenario, seed or number of replications; 3: a simulation or a "
               "file failed; 4: no baseline; 5: inconclusive, with --strict.",
        .children = children,
    };
    struct check_options options = {0};

    command_parse(&argp, argc, argv, &options);
    return baseline_options_run(&options.baseline, check_scenario, &options);
}
