#define _POSIX_C_SOURCE 200809L /* strdup */

#include "sim/cli/command.h"

#include "policies/lbp.h"
#include "sim/advice/fleet.h"
#include "sim/cli/frame.h"
#include "sim/report/diagnosis_report.h"
#include "sim/scenario/loader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { OPTION_HOT = 1000, OPTION_IDLE, OPTION_LONG, OPTION_FAIL };

struct diagnose_options {
    struct frame frame;
    struct symptom_bounds bounds;
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
     "Hot or idle for long from this time on (default: 30 s); what is "
     "lost is told however short",
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
        return frame_parse(key, argument, state, &options->frame);
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
    size_t always = ward->always.overrides.count,
           more = cure ? cure->overrides.count : 0;
    const char **texts = calloc(always + more + 1, sizeof *texts);
    struct scenario *scenario = NULL;

    if (!texts) {
        diag_add_no_memory(diag, NULL);
        return NULL;
    }
    for (size_t i = 0; i < always; i++)
        texts[i] = ward->always.overrides.items[i];
    for (size_t i = 0; i < more; i++)
        texts[always + i] = cure->overrides.items[i];
    scenario = scenario_options_load_variant(&ward->one, texts, always + more,
                                             true, diag);
    free(texts);
    return scenario;
}

static int end_status(const struct experiment_result *result)
{
    const char *end = outcome_end_text(result->end);

    if (end)
        command_complain("%s: this policy and those after it are left out",
                         end);
    return session_end_status(result->end);
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
        if (!trial->cause->applies(patient, trial->evidence))
            continue;
        diagnosis->trial_count++;
        if (trial->cause->treat)
            trial->cause->treat(patient, &trial->treatment);
        if (trial->treatment.failed)
            return no_memory();
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
        .one = {.file = options->frame.scenario.file,
                .overrides = options->frame.scenario.overrides,
                .policies = {.items = names, .count = 1, .capacity = 1}},
        .diagnosis = ret};
    struct diag diag = {0};
    struct scenario *scenario = load(&ward, NULL, &diag);
    int status = EXIT_DONE;

    if (scenario) {
        keep_names(scenario, &ward.always);
        if (ward.always.overrides.count > 0) {
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

static bool put_text(const void *report, FILE *out)
{
    diagnosis_write_text(report, out);
    return true;
}

static bool put_json(const void *report, FILE *out)
{
    return diagnosis_write_json(report, out);
}

static bool put_markdown(const void *report, FILE *out)
{
    diagnosis_write_markdown(report, out);
    return true;
}

static const struct frame_writer formats[] = {
    {"table", put_text}, {"json", put_json}, {"markdown", put_markdown}, {0}};

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
    return options->frame.scenario.policies.count > 0
               ? options->frame.scenario.policies.items[i]
               : scenario->policies[i].label;
}

/* Policies under examination, one after the other. */
struct round {
    const struct diagnose_options *options;
    const struct scenario *scenario;
    struct diagnosis *diagnoses; /* [scenario->policy_count] */
    uint32_t count;              /* whole ones */
};

static int make_round(void *context, struct session *session)
{
    struct round *round = context;
    int status = EXIT_DONE;

    for (uint32_t i = 0;
         i < round->scenario->policy_count && status == EXIT_DONE; i++) {
        status = diagnose_one(round->options, session,
                              policy_name(round->options, round->scenario, i),
                              &round->diagnoses[i]);
        round->count += status == EXIT_DONE;
    }
    return status;
}

/* What was stopped is said to be partial. */
static int report_round(const struct round *round, int status)
{
    const struct diagnose_options *options = round->options;
    struct diagnosis_report report = {.scenario = round->scenario,
                                      .bounds = &options->bounds,
                                      .diagnoses = round->diagnoses,
                                      .count = round->count,
                                      .asked = round->scenario->policy_count};
    bool fine = round->count == 0 || frame_print(&options->frame, &report);

    if (status != EXIT_DONE)
        return status;
    if (!fine)
        return EXIT_FAILED;
    return options->fail && found_any(&report) ? EXIT_NEGATIVE : EXIT_DONE;
}

static int diagnose(void *context, struct scenario *scenario)
{
    const struct diagnose_options *options = context;
    uint32_t count = scenario->policy_count;
    struct round round = {
        .options = options,
        .scenario = scenario,
        .diagnoses = calloc(count, sizeof *round.diagnoses),
    };

    if (!round.diagnoses)
        return no_memory();
    int status = report_round(
        &round, frame_session(&options->frame, make_round, &round));
    for (uint32_t i = 0; i < count; i++)
        diagnosis_done(&round.diagnoses[i]);
    free(round.diagnoses);
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

int command_diagnose(int argc, char **argv)
{
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .args_doc = "FILE|DIR",
        .doc = "Run a scenario, or that of a result folder, and look for nodes "
               "that are hot or idle for long, or lose what they are sent; "
               "then take each possible cause away and say what of it that "
               "explains: a policy's setting, failed detection, unequal nodes "
               "that are not weighted, misclassified requests.",
        .children = frame_children_unsharded,
    };
    struct diagnose_options options = {
        .frame = {.experiment = {.folderless = true}, .formats = formats},
        .bounds = {.hot_ratio = 0.8, .idle_ratio = 0.2, .long_s = 30}};

    command_parse(&argp, argc, argv, &options);

    char *file = file_of(options.frame.scenario.file);
    options.frame.scenario.file = file;
    int status =
        file ? frame_run(&options.frame, FRAME_TRACE, diagnose, &options)
             : no_memory();
    free(file);
    return status;
}
