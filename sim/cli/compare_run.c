#include "sim/cli/compare_parts.h"

#include "sim/cli/command.h"
#include "sim/scenario/loader.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TITLE_SIZE = 400,
    MOST_LOOKS_LATER = 32 /* times the first look, unless it is said */
};

/* Policies of one experiment as sides, and who is compared with whom. */
struct field {
    struct compare_side *sides; /* [policies] */
    struct compare_pair *pairs; /* [pair_count] */
    uint32_t pair_count;
};

static void field_done(struct field *field)
{
    free(field->sides);
    free(field->pairs);
}

static void add_pairs(const struct compare_options *options, uint32_t policies,
                      struct field *field)
{
    for (uint32_t a = 0; a < policies; a++)
        for (uint32_t b = a + 1; b < policies; b++)
            if (a == 0 || options->all_pairs)
                field->pairs[field->pair_count++] = (struct compare_pair){a, b};
}

/* false: no memory. */
static bool field_make(const struct compare_options *options,
                       const struct experiment_result *result,
                       struct field *ret)
{
    uint32_t policies = result->policy_count;

    *ret = (struct field){
        .sides = calloc((size_t)policies + 1, sizeof *ret->sides),
        .pairs = calloc((size_t)policies * policies + 1, sizeof *ret->pairs)};
    if (!ret->sides || !ret->pairs)
        return false;
    for (uint32_t i = 0; i < policies; i++) {
        ret->sides[i] = (struct compare_side){
            .label = result->policies[i].label, .count = result->replications};
        for (uint32_t id = 0; result->replications > 0 && id < MEASURE_COUNT;
             id++)
            ret->sides[i].values[id] = result->policies[i].fold.values[id];
    }
    add_pairs(options, policies, ret);
    return true;
}

/* What one look has seen; in one piece of memory, for parts of it point at
   others. */
struct look {
    struct scenario *own; /* with the replications of the look; NULL: the
                             command's */
    const struct scenario *scenario;
    struct experiment_result result;
    struct field field;
    struct compare_choice choice;
    struct compare_setup setup;
    struct compare_result comparison;
};

struct run {
    const struct compare_options *options;
    const struct scenario *scenario;
    struct looks looks;      /* count 0: looked at once */
    struct session *session; /* borrowed */
    struct look *look;       /* the last one, or the last of use */
};

static void forget_look(struct look *look)
{
    if (!look)
        return;
    compare_done(&look->comparison);
    field_done(&look->field);
    outcome_done(&look->result);
    scenario_destroy(look->own);
    free(look);
}

static bool judge(const struct run *run, struct look *look, uint32_t number)
{
    const struct scenario *scenario = look->scenario;
    uint32_t policies = look->result.policy_count;

    if (!field_make(run->options, &look->result, &look->field))
        return false;
    compare_choose(run->options, scenario->objective, scenario->goals,
                   scenario->goal_count, look->field.sides, policies,
                   &look->choice);
    look->setup = (struct compare_setup){
        .sides = look->field.sides,
        .side_count = policies,
        .pairs = look->field.pairs,
        .pair_count = look->field.pair_count,
        .measures = look->choice.ids,
        .measure_count = look->choice.count,
        .ranks = look->result.replications > 0,
        .confidence = scenario->confidence,
        .min_effect = scenario->min_effect,
        .looks = run->looks.count > 0 ? &run->looks : NULL,
        .look = number,
    };
    return compare_sides(&look->setup, &look->comparison);
}

static bool is_told(const struct run *run, const struct look *look)
{
    for (uint32_t i = 0; i < look->setup.pair_count; i++)
        if (!looks_have_told(compare_verdict(&look->comparison, 0, i),
                             run->options->until))
            return false;
    return true;
}

/* The scenario with the replications of a look. false: complained about. */
static bool load_look(const struct run *run, struct look *look, uint32_t number)
{
    char replications[60];
    const char *more = replications;
    struct diag diag = {0};

    look->scenario = run->scenario;
    if (run->looks.count == 0)
        return true;
    snprintf(replications, sizeof replications, "--until replications=%u",
             run->looks.at[number]);
    look->own = scenario_options_load_variant(&run->options->frame.scenario,
                                              &more, 1, true, &diag);
    look->scenario = look->own;
    if (!look->own)
        command_tell(&diag);
    diag_done(&diag);
    return look->own != NULL;
}

/* All replications up to there. Returns the exit status, of which EXIT_DONE
   says that there is something to report. */
static int run_look(struct run *run, struct look *look, uint32_t number)
{
    enum experiment_status status;

    if (!load_look(run, look, number))
        return EXIT_FAILED;
    status = session_experiment(run->session, look->scenario, &look->result);
    if (status == EXPERIMENT_OK && !session_is_shard(run->session) &&
        !judge(run, look, number))
        status = EXPERIMENT_NO_MEMORY;
    return status == EXPERIMENT_OK
               ? EXIT_DONE
               : session_complain(status, look->scenario, &look->result);
}

/* What was cut short may have less to say than the look before it. */
static void keep_better(struct run *run, struct look *look)
{
    struct look *former = run->look;

    if (former && former->result.replications > look->result.replications) {
        former->result.end = look->result.end;
        former->result.replications_asked = look->result.replications_asked;
        forget_look(look);
        return;
    }
    forget_look(former);
    run->look = look;
}

static int run_looks(struct run *run)
{
    uint32_t count = run->looks.count > 0 ? run->looks.count : 1;

    for (uint32_t i = 0; i < count; i++) {
        struct look *look = calloc(1, sizeof *look);
        int status;

        if (!look) {
            command_complain("out of memory");
            return EXIT_FAILED;
        }
        status = run_look(run, look, i);
        if (status != EXIT_DONE) {
            forget_look(look);
            return status;
        }
        keep_better(run, look);
        if (session_is_shard(run->session) ||
            run->look->result.end != EXPERIMENT_WHOLE ||
            run->look->result.runs_once ||
            (run->looks.count > 0 && is_told(run, run->look)))
            break;
    }
    return EXIT_DONE;
}

/* false: complained about. */
static bool plan_looks(const struct compare_options *options,
                       const struct scenario *scenario, struct looks *ret)
{
    uint32_t first = scenario->replications;
    uint32_t most = options->most;

    if (first < COMPARE_FIRST_LOOK_LEAST)
        first = COMPARE_FIRST_LOOK_LEAST;
    if (most > 0 && most < first) {
        command_complain("--max-replications %u is below the first look of "
                         "--until, which is after the scenario's %u "
                         "replications: give more, or fewer with "
                         "--replications",
                         most, first);
        return false;
    }
    if (most == 0)
        most = first < COMPARE_REPLICATIONS_MAX / MOST_LOOKS_LATER
                   ? first * MOST_LOOKS_LATER
                   : COMPARE_REPLICATIONS_MAX;
    *ret = looks_plan(first < most ? first : most, most);
    return true;
}

static void write_title(const struct look *look, char *title, size_t size)
{
    const struct scenario *scenario = look->scenario;
    uint32_t count = look->result.replications;
    size_t used;

    snprintf(title, size,
             "%.200s: %u policies, seed %" PRIu64 ", %u replication%s",
             scenario->name, look->result.policy_count, scenario->seed, count,
             count == 1 ? "" : "s");
    used = strlen(title);
    if (scenario->duration_ns != INT64_MAX)
        snprintf(title + used, size - used, " of %.6g s",
                 1e-9 * (double)scenario->duration_ns);
}

static int report_run(struct run *run)
{
    const struct look *look = run->look;
    struct report_input input = {look->scenario, &look->result};
    struct notes doubts;
    char title[TITLE_SIZE];
    struct compare_report report = {
        .result = &look->comparison,
        .title = title,
        .replications = look->result.replications,
        .until = run->options->until,
        .runs_once = look->result.runs_once,
        .partial = outcome_end_text(look->result.end),
        .before = &doubts,
    };
    bool fine = notes_collect_doubts(&input, &doubts);

    write_title(look, title, sizeof title);
    if (!fine)
        command_complain("out of memory");
    fine = fine && frame_print(&run->options->frame, &report);
    notes_done(&doubts);
    return session_end_result(run->session, &input, fine);
}

static int compare_policies(void *context, struct session *session)
{
    struct run *run = context;

    run->session = session;
    int status = run_looks(run);
    if (status != EXIT_DONE)
        return status;
    return session_is_shard(session) ? session_end_shard(session)
                                     : report_run(run);
}

int compare_scenario(void *context, struct scenario *scenario)
{
    const struct compare_options *options = context;
    struct run run = {.options = options, .scenario = scenario};

    if (scenario->policy_count < 2) {
        command_complain("the scenario has one policy: name those to compare "
                         "with --policy, the first is the reference");
        return EXIT_BAD_INPUT;
    }
    if (!isnan(options->until) && !plan_looks(options, scenario, &run.looks))
        return EXIT_BAD_INPUT;

    int status = frame_session(&options->frame, compare_policies, &run);
    forget_look(run.look);
    return status;
}
