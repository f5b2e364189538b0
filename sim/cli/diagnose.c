#define _POSIX_C_SOURCE 200809L /* strdup */

#include "sim/cli/command.h"

#include "policies/lbp.h"
#include "sim/advice/fleet.h"
#include "sim/cli/experiment_options.h"
#include "sim/cli/options.h"
#include "sim/cli/session.h"
#include "sim/report/diagnosis_report.h"
#include "sim/scenario/loader.h"
#include "workloads/diag.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { OPTION_HOT = 1000, OPTION_IDLE, OPTION_LONG, OPTION_FAIL };
enum format { FORMAT_TABLE, FORMAT_JSON, FORMAT_MARKDOWN };

static const char *const format_names[] = {"table", "json", "markdown", NULL};

struct diagnose_options {
    struct scenario_options scenario;
    struct experiment_options experiment;
    struct symptom_bounds bounds;
    enum format format;
    bool fail;
};

/* ---- options ---- */

static const struct argp_option rows[] = {
    {0, 0, 0, 0, "What is looked for:", 2},
    {"hot", OPTION_HOT, "SHARE", 0,
     "A node is hot from this use on "
     "(default: 80 %), when the pool is not",
     2},
    {"idle", OPTION_IDLE, "SHARE", 0,
     "Idle up to this use (default: 20 %), "
     "while another node is hot",
     2},
    {"long", OPTION_LONG, "DURATION", 0,
     "Long from this time on (default: "
     "30 s)",
     2},
    {0, 0, 0, 0, "What comes out:", 5},
    {"format", OPTION_FORMAT, "FORMAT", 0, "table (default), json or markdown",
     5},
    {"fail", OPTION_FAIL, 0, 0, "Exit with status 1 when anything is found", 5},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct diagnose_options *options = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->scenario;
        state->child_inputs[1] = &options->experiment;
        return 0;
    case OPTION_HOT:
        options->bounds.hot_ratio = options_share(state, "--hot", argument);
        return 0;
    case OPTION_IDLE:
        options->bounds.idle_ratio = options_share(state, "--idle", argument);
        return 0;
    case OPTION_LONG:
        options->bounds.long_s =
            1e-9 * (double)options_duration_ns(state, "--long", argument);
        return 0;
    case OPTION_FORMAT:
        options->format = (enum format)options_choice(state, "--format",
                                                      argument, format_names);
        return 0;
    case OPTION_FAIL:
        options->fail = true;
        return 0;
    case ARGP_KEY_END:
        if (!(options->bounds.long_s > 0))
            argp_error(state, "'--long' needs more than 0 s");
        if (options->bounds.idle_ratio >= options->bounds.hot_ratio)
            argp_error(state, "'--idle' needs less than '--hot'");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- one policy ---- */

/* What all experiments of one policy share. */
struct ward {
    const struct diagnose_options *options;
    struct session *session;
    struct scenario_options one; /* of one policy; borrows all but its name */
    struct cure always;          /* overrides of every run */
    struct diagnosis *diagnosis;
};

static int no_memory(void)
{
    command_complain("out of memory");
    return EXIT_FAILED;
}

/* A hash places nodes by their names, which change with the replication; a
   diagnosis is of the nodes as they are. */
static void keep_names(const struct scenario *scenario, struct cure *always)
{
    if (!(scenario->policies[0].ops->needs & LBP_NEEDS_KEY))
        return;
    for (uint32_t i = 0; i < scenario->group_count; i++)
        if (scenario->groups[i].keys == NODE_KEYS_BY_REPLICATION)
            cure_say(always, "nodes[%u].keys=fixed", i);
}

/* NULL: diag says why. */
static struct scenario *load(const struct ward *ward, const struct cure *cure,
                             struct diag *diag)
{
    size_t always = ward->always.count, more = cure ? cure->count : 0;
    const char **texts = calloc(always + more + 1, sizeof *texts);
    struct scenario *scenario = NULL;

    if (!texts) {
        diag_add_no_memory(diag, NULL);
        return NULL;
    }
    for (size_t i = 0; i < always; i++)
        texts[i] = ward->always.texts[i];
    for (size_t i = 0; i < more; i++)
        texts[always + i] = cure->texts[i];
    scenario = scenario_options_load_variant(&ward->one, texts, always + more,
                                             true, diag);
    free(texts);
    return scenario;
}

static int end_status(const struct experiment_result *result)
{
    const char *end = outcome_end_text(result->end);

    if (!end)
        return EXIT_DONE;
    command_complain("%s: this policy and those after it are left out", end);
    return result->end == EXPERIMENT_INTERRUPTED ? EXIT_INTERRUPTED
                                                 : EXIT_FAILED;
}

/* Runs the scenario under watch. */
static int observe(const struct ward *ward, const struct scenario *scenario,
                   struct watch *ret)
{
    struct experiment_result result = {0};
    struct session *session = ward->session;

    session->on_run = watch_run;
    session->run_context = ret;
    enum experiment_status outcome =
        session_experiment(session, scenario, &result);
    int status = outcome == EXPERIMENT_OK
                     ? end_status(&result)
                     : session_complain(outcome, scenario, &result);
    outcome_done(&result);
    if (status == EXIT_DONE && ret->failed)
        return no_memory();
    return status;
}

static int compare(const struct ward *ward, const struct patient *patient,
                   const struct watch *after, double confidence,
                   struct trial_of_cause *trial)
{
    const struct symptoms *symptoms = &ward->diagnosis->symptoms;
    enum measure_id objective = patient->scenario->objective;

    trial->explained =
        calloc(symptoms->finding_count + 1u, sizeof *trial->explained);
    if (!trial->explained)
        return no_memory();
    for (uint32_t i = 0; i < symptoms->finding_count; i++)
        trial->explained[i] =
            diagnosis_explain(symptoms, &symptoms->findings[i], trial->cause,
                              patient->watch, after, confidence);
    trial->before = watch_mean(patient->watch, objective);
    trial->after = watch_mean(after, objective);
    trial->tried = true;
    return EXIT_DONE;
}

/* The same replications without the cause. */
static int try_cure(const struct ward *ward, const struct patient *patient,
                    double confidence, struct trial_of_cause *trial)
{
    struct cure cure = {0};
    struct diag diag = {0};
    struct watch after = {0};
    struct scenario *scenario = NULL;
    int status = EXIT_DONE;

    trial->cause->cure(patient, &cure);
    if (!cure.failed)
        scenario = load(ward, &cure, &diag);
    if (cure.failed || diag.no_memory)
        status = no_memory();
    else if (!scenario) /* said as untried in the report */
        command_complain("%s cannot be tried: %s", trial->cause->name,
                         diag.text ? diag.text : "");
    else
        status = observe(ward, scenario, &after);
    if (scenario && status == EXIT_DONE)
        status = compare(ward, patient, &after, confidence, trial);
    scenario_destroy(scenario);
    watch_done(&after);
    diag_done(&diag);
    cure_done(&cure);
    return status;
}

static int find_causes(const struct ward *ward, const struct patient *patient)
{
    struct diagnosis *diagnosis = ward->diagnosis;
    double alpha = 1 - patient->scenario->confidence;

    for (size_t i = 0; i < CAUSE_COUNT; i++) {
        struct trial_of_cause *trial =
            &diagnosis->trials[diagnosis->trial_count];

        trial->cause = &causes_table[i];
        if (trial->cause->applies(patient, trial->evidence))
            diagnosis->trial_count++;
    }
    for (uint32_t i = 0; i < diagnosis->trial_count; i++) {
        int status = try_cure(ward, patient, 1 - alpha / diagnosis->trial_count,
                              &diagnosis->trials[i]);

        if (status != EXIT_DONE)
            return status;
    }
    return EXIT_DONE;
}

/* Of a scenario with one policy. */
static int examine(const struct ward *ward, const struct scenario *scenario)
{
    struct watch watch = {0};
    struct draws draws = {0};
    struct patient patient = {scenario, &draws, &watch};
    struct diagnosis *diagnosis = ward->diagnosis;
    int status = observe(ward, scenario, &watch);

    diagnosis->label = strdup(scenario->policies[0].label);
    diagnosis->replications = watch.run_count;
    if (status == EXIT_DONE &&
        (!diagnosis->label ||
         !symptoms_find(&watch, scenario, &ward->options->bounds,
                        &diagnosis->symptoms)))
        status = no_memory();
    if (status == EXIT_DONE && diagnosis->symptoms.finding_count > 0) {
        if (draws_make(scenario, fleet_fastest(scenario), &draws))
            status = find_causes(ward, &patient);
        else
            status = no_memory();
    }
    draws_done(&draws);
    watch_done(&watch);
    return status;
}

static int diagnose_one(const struct diagnose_options *options,
                        struct session *session, const char *name,
                        struct diagnosis *ret)
{
    char *names[] = {(char *)name};
    struct ward ward = {
        .options = options,
        .session = session,
        .one = {.file = options->scenario.file,
                .overrides = options->scenario.overrides,
                .policies = {.items = names, .count = 1, .capacity = 1}},
        .diagnosis = ret};
    struct diag diag = {0};
    struct scenario *scenario = load(&ward, NULL, &diag);
    int status = EXIT_DONE;

    if (scenario) {
        keep_names(scenario, &ward.always);
        if (ward.always.count > 0) {
            scenario_destroy(scenario);
            scenario = load(&ward, NULL, &diag);
        }
    }
    if (!scenario) {
        command_tell(&diag);
        status = command_load_status(&diag);
    } else {
        status = ward.always.failed ? no_memory() : examine(&ward, scenario);
    }
    scenario_destroy(scenario);
    cure_done(&ward.always);
    diag_done(&diag);
    return status;
}

/* ---- all policies ---- */

static int print(const struct diagnose_options *options,
                 const struct diagnosis_report *report)
{
    switch (options->format) {
    case FORMAT_JSON:
        return diagnosis_write_json(report, stdout) ? EXIT_DONE : no_memory();
    case FORMAT_MARKDOWN:
        diagnosis_write_markdown(report, stdout);
        return EXIT_DONE;
    case FORMAT_TABLE:
        break;
    }
    diagnosis_write_text(report, stdout);
    return EXIT_DONE;
}

static bool found_any(const struct diagnosis_report *report)
{
    for (uint32_t i = 0; i < report->count; i++)
        if (report->diagnoses[i].symptoms.finding_count > 0 ||
            report->diagnoses[i].symptoms.pool_is_full)
            return true;
    return false;
}

/* As --policy names it, or as the scenario labels it. */
static const char *policy_name(const struct diagnose_options *options,
                               const struct scenario *scenario, uint32_t i)
{
    return options->scenario.policies.count > 0
               ? options->scenario.policies.items[i]
               : scenario->policies[i].label;
}

static int diagnose(const struct diagnose_options *options,
                    const struct scenario *scenario)
{
    uint32_t count = scenario->policy_count;
    struct diagnosis *diagnoses = calloc(count, sizeof *diagnoses);
    struct diagnosis_report report = {.scenario = scenario,
                                      .bounds = &options->bounds,
                                      .diagnoses = diagnoses,
                                      .asked = count};
    struct session session;
    int status = EXIT_DONE, printed = EXIT_DONE;

    if (!diagnoses)
        return no_memory();
    session_begin(&session, &options->experiment);
    for (uint32_t i = 0; i < count && status == EXIT_DONE; i++) {
        status = diagnose_one(options, &session,
                              policy_name(options, scenario, i), &diagnoses[i]);
        report.count += status == EXIT_DONE;
    }
    session_end(&session);
    if (report.count > 0) /* what was stopped is said to be partial */
        printed = print(options, &report);
    if (status == EXIT_DONE)
        status = printed;
    if (status == EXIT_DONE && options->fail && found_any(&report))
        status = EXIT_NEGATIVE;
    for (uint32_t i = 0; i < count; i++)
        diagnosis_done(&diagnoses[i]);
    free(diagnoses);
    return status;
}

/* Of a result folder, the scenario in it. NULL: no memory. */
static char *file_of(const char *path)
{
    static const char inside[] = "/scenario.yaml";
    struct stat about;
    bool folder = stat(path, &about) == 0 && S_ISDIR(about.st_mode);
    char *file = malloc(strlen(path) + sizeof inside);

    if (file)
        sprintf(file, "%s%s", path, folder ? inside : "");
    return file;
}

static int load_and_diagnose(const struct diagnose_options *options)
{
    struct diag diag = {0};
    struct scenario *scenario =
        scenario_options_load(&options->scenario, true, &diag);

    command_tell(&diag);
    int status =
        scenario ? diagnose(options, scenario) : command_load_status(&diag);
    scenario_destroy(scenario);
    diag_done(&diag);
    return status;
}

int command_diagnose(int argc, char **argv)
{
    static const struct argp_child children[] = {
        {&scenario_options_argp, 0, NULL, 0},
        {&experiment_options_argp, 0, NULL, 0},
        {0}};
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .args_doc = "FILE|DIR",
        .doc = "Run a scenario, or that of a result folder, and look for nodes "
               "that are hot or idle for long, or lose what they are sent; "
               "then take each possible cause away and say what of it that "
               "explains: a policy's setting, failed detection, unequal nodes "
               "that are not weighted, misclassified requests.",
        .children = children,
    };
    struct diagnose_options options = {
        .experiment = {.folderless = true},
        .bounds = {.hot_ratio = 0.8, .idle_ratio = 0.2, .long_s = 30}};

    command_parse(&argp, argc, argv, &options);

    char *file = file_of(options.scenario.file);
    options.scenario.file = file;
    int status = file ? load_and_diagnose(&options) : no_memory();
    scenario_options_done(&options.scenario);
    free(file);
    return status;
}
