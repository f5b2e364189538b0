#include "sim/cli/command.h"

#include "sim/cli/frame.h"
#include "sim/experiment/plan.h"
#include "sim/report/plan_report.h"
#include "sim/scenario/absent.h"
#include "sim/scenario/heavier.h"
#include "sim/scenario/loader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT_CANDIDATES 200u

struct plan_options {
    struct frame frame;
    uint32_t limit_candidates;
    bool strict;
    struct texts groups; /* of --group */
};

/* ---- options ---- */

enum {
    OPTION_GROUP = 0x10000,
    OPTION_HEADROOM,
    OPTION_LOSE,
    OPTION_LOSE_AT,
    OPTION_MINIMISE,
    OPTION_PLAN_REPLICATIONS,
    OPTION_LIMIT_CANDIDATES
};

static const struct argp_option rows[] = {
    {0, 0, 0, 0, "What is searched (wins over the file's 'plan'):", 2},
    {"group", OPTION_GROUP, "NAME=COUNTS", 0,
     "How many nodes a group may have, such as gpu=2..20; may be repeated. "
     "All other groups keep their count",
     2},
    {"headroom", OPTION_HEADROOM, "SHARE", 0,
     "As --set plan.headroom=SHARE: of the load, at which goals must be met",
     2},
    {"lose", OPTION_LOSE, "N", 0,
     "As --set plan.lose=N: nodes of any one group that may be lost", 2},
    {"lose-at", OPTION_LOSE_AT, "SHARE", 0,
     "As --set plan.lose_at=SHARE: of the load, while they are gone", 2},
    {"minimise", OPTION_MINIMISE, "WHAT", 0,
     "As --set plan.minimise=WHAT: nodes or cost", 2},
    {"plan-replications", OPTION_PLAN_REPLICATIONS, "N", 0,
     "As --set plan.replications=N: of a mix that is hard to judge, at most; "
     "--replications are those of the first look",
     2},
    {"limit-candidates", OPTION_LIMIT_CANDIDATES, "N", 0,
     "Try at most so many mixes of a policy, 200 unless it is said", 2},
    {0, 0, 0, 0, "What comes out:", 5},
    {"format", OPTION_FORMAT, "FORMAT", 0,
     "table (default), json or csv, on standard output", 5},
    {"strict", OPTION_STRICT, 0, 0,
     "Exit with status 5 also when a policy has a mix that is enough, but more "
     "replications might find a cheaper one enough, too",
     5},
    {"output", 'o', "DIR", 0,
     "Also write a result folder; replaces a former result, nothing else", 5},
    {0},
};

/* Options that stand for a setting. */
static const struct alias {
    int key;
    const char *option, *setting;
} aliases[] = {
    {OPTION_HEADROOM, "--headroom", "plan.headroom"},
    {OPTION_LOSE, "--lose", "plan.lose"},
    {OPTION_LOSE_AT, "--lose-at", "plan.lose_at"},
    {OPTION_MINIMISE, "--minimise", "plan.minimise"},
    {OPTION_PLAN_REPLICATIONS, "--plan-replications", "plan.replications"},
};

static void add_override(struct argp_state *state, const char *option,
                         const char *setting, const char *value)
{
    struct plan_options *options = state->input;

    if (!texts_add(&options->frame.scenario.overrides, "%s %s=%s", option,
                   setting, value))
        argp_failure(state, EXIT_FAILED, 0, "out of memory");
}

/* "gpu=2..20" as "gpu: 2..20", for a block of all of them. */
static void add_group(struct argp_state *state, const char *argument)
{
    struct plan_options *options = state->input;
    const char *equals = strchr(argument, '=');

    if (!equals || equals == argument || !equals[1])
        argp_error(state,
                   "'--group' needs a group and its counts, such as "
                   "gpu=2..20; got '%s'",
                   argument);
    else if (!texts_add(&options->groups, "%.*s: %s", (int)(equals - argument),
                        argument, equals + 1))
        argp_failure(state, EXIT_FAILED, 0, "out of memory");
}

/* One block, as it takes the place of the file's. */
static bool override_groups(struct plan_options *options)
{
    char *block = NULL;
    size_t size;
    FILE *out;
    bool fine;

    if (options->groups.count == 0)
        return true;
    out = open_memstream(&block, &size);
    for (size_t i = 0; out && i < options->groups.count; i++)
        fprintf(out, "%s%s", i > 0 ? ", " : "{", options->groups.items[i]);
    fine = out && fputs("}", out) != EOF && fclose(out) == 0 &&
           texts_add(&options->frame.scenario.overrides,
                     "--group plan.groups=%s", block);
    free(block);
    return fine;
}

static bool parse_alias(int key, char *argument, struct argp_state *state)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (aliases[i].key == key) {
            add_override(state, aliases[i].option, aliases[i].setting,
                         argument);
            return true;
        }
    return false;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct plan_options *options = state->input;

    switch (key) {
    case OPTION_GROUP:
        add_group(state, argument);
        return 0;
    case OPTION_STRICT:
        options->strict = true;
        return 0;
    case OPTION_LIMIT_CANDIDATES:
        options->limit_candidates = (uint32_t)options_count(
            state, "--limit-candidates", argument, 1, 1000000);
        return 0;
    case ARGP_KEY_END:
        if (!override_groups(options))
            argp_failure(state, EXIT_FAILED, 0, "out of memory");
        return 0;
    default:
        return parse_alias(key, argument, state)
                   ? 0
                   : frame_parse(key, argument, state, &options->frame);
    }
}

/* ---- candidates ---- */

struct planning {
    const struct plan_options *options;
    const struct scenario *scenario;
    struct session *session; /* borrowed */
    uint64_t experiments;
    int status;              /* why the search was stopped */
    enum experiment_end end; /* likewise, when the status is EXIT_DONE */
};

static bool add_text(void *context, const char *override)
{
    return texts_add(context, "--plan %s", override);
}

/* What makes the scenario the variant. false: no memory. */
static bool describe(const struct scenario *scenario,
                     const struct plan_variant *variant, struct texts *ret)
{
    bool fine = texts_add(ret, "--plan replications=%u", variant->replications);

    for (uint32_t g = 0; fine && g < scenario->group_count; g++)
        if (variant->counts[g] != scenario->groups[g].count)
            fine = texts_add(ret, "--plan nodes[%u].count=%u", g,
                             variant->counts[g]);
    fine = fine && absent_leave_out(scenario, variant->counts, add_text, ret);
    if (fine && (variant->load < 1 || variant->load > 1))
        fine = scenario_heavier(scenario, variant->load, add_text, ret);
    return fine;
}

/* The first complaint, without its place. */
static void shorten(const struct diag *diag, char ret[PLAN_REASON_SIZE])
{
    const char *error = diag->text ? strstr(diag->text, "error: ") : NULL;

    if (error)
        error += strlen("error: ");
    snprintf(ret, PLAN_REASON_SIZE, "cannot be simulated: %.*s",
             error ? (int)strcspn(error, "\n") : 0, error ? error : "");
}

/* NULL: reason says why there is no such scenario, or the status is set. */
static struct scenario *load_variant(struct planning *planning,
                                     const struct plan_variant *variant,
                                     char reason[PLAN_REASON_SIZE])
{
    char *label = (char *)planning->scenario->policies[variant->policy].label;
    struct scenario_options options = planning->options->frame.scenario;
    struct texts more = {0};
    struct diag diag = {0};
    struct scenario *scenario = NULL;

    options.policies = (struct texts){.items = &label, .count = 1};
    if (!describe(planning->scenario, variant, &more)) {
        command_complain("out of memory");
        planning->status = EXIT_FAILED;
    } else {
        scenario = scenario_options_load_variant(
            &options, (const char *const *)more.items, more.count, true, &diag);
        if (!scenario && diag.no_memory) {
            command_complain("out of memory");
            planning->status = EXIT_FAILED;
        } else if (!scenario) {
            shorten(&diag, reason);
        }
    }
    texts_done(&more);
    diag_done(&diag);
    return scenario;
}

static enum plan_ran simulate(void *context, const struct plan_variant *variant,
                              struct experiment_result *ret,
                              char reason[PLAN_REASON_SIZE])
{
    struct planning *planning = context;
    struct scenario *scenario = load_variant(planning, variant, reason);
    enum experiment_status status;

    if (!scenario)
        return planning->status == EXIT_DONE ? PLAN_CANNOT_RUN : PLAN_GIVE_UP;
    session_expect(planning->session, ++planning->experiments);
    status = session_experiment(planning->session, scenario, ret);
    if (status != EXPERIMENT_OK)
        planning->status = session_complain(status, scenario, ret);
    planning->end = ret->end;
    for (uint32_t i = 0; ret->policies && i < ret->policy_count; i++)
        ret->policies[i].label = NULL; /* goes with the variant */
    scenario_destroy(scenario);
    return status == EXPERIMENT_OK && ret->end == EXPERIMENT_WHOLE
               ? PLAN_RAN
               : PLAN_GIVE_UP;
}

/* The search of each policy is a strand. */
static bool wants(void *context, uint32_t policy)
{
    const struct planning *planning = context;

    return session_has_strand(planning->session, policy);
}

/* ---- results ---- */

static bool put_table(const void *report, FILE *out)
{
    return plan_write_table(report, out);
}

static bool put_csv(const void *report, FILE *out)
{
    plan_write_csv(report, out);
    return true;
}

static bool put_json(const void *report, FILE *out)
{
    return plan_write_json(report, out);
}

static const struct frame_writer formats[] = {
    {"table", put_table}, {"json", put_json}, {"csv", put_csv}, {0}};

static const struct frame_writer files[] = {
    {"plan.csv", put_csv}, {"plan.json", put_json}, {0}};

/* A policy without a mix is no failure while another has one, nor is a cheaper
   one that cannot be told, unless that is asked. */
static int verdict_of(const struct planning *planning,
                      const struct plan_result *result)
{
    bool any = false, limited = false, undecided = false;
    bool strict = planning->options->strict;
    const char *end = outcome_end_text(planning->end);

    if (planning->status != EXIT_DONE)
        return planning->status;
    if (end) {
        command_complain("%s: the plan is not whole", end);
        return session_end_status(planning->end);
    }
    for (uint32_t i = 0; i < result->policy_count; i++) {
        any |= result->policies[i].found.any;
        limited |= result->policies[i].found.end == PLAN_LIMITED;
        undecided |=
            result->policies[i].maybe < result->policies[i].candidate_count ||
            result->policies[i].found.untried > 0;
    }
    if (limited) {
        command_complain("the limit of candidates was reached: raise "
                         "--limit-candidates, or narrow plan.groups");
        return EXIT_FAILED;
    }
    if (any && !(strict && undecided))
        return EXIT_DONE;
    return undecided ? EXIT_INCONCLUSIVE : EXIT_NEGATIVE;
}

static int report_plan(struct planning *planning,
                       const struct plan_result *result)
{
    const struct plan_options *options = planning->options;
    struct plan_report report = {planning->scenario, result};
    bool fine = frame_print(&options->frame, &report);

    fine = frame_keep(planning->session, planning->scenario, files, &report,
                      !result->stopped) &&
           fine;
    if (!options->frame.experiment.quiet)
        fprintf(stderr, "lbsim: %" PRIu64 " experiment%s\n",
                planning->experiments, planning->experiments == 1 ? "" : "s");

    int status = verdict_of(planning, result);
    return fine ? status : EXIT_FAILED;
}

static int end_shard(struct planning *planning)
{
    return planning->status == EXIT_DONE ? session_end_shard(planning->session)
                                         : planning->status;
}

static int complain_plan(enum plan_status status,
                         const struct scenario *scenario,
                         const struct plan_result *result)
{
    switch (status) {
    case PLAN_NO_GOALS:
        command_complain("%s has no goals, so any mix would do: say what must "
                         "be met, such as 'goals: {latency_all_p99: 2 s}'",
                         scenario->path);
        return EXIT_BAD_INPUT;
    case PLAN_NO_GROUPS:
        command_complain("%s: no group of nodes can be planned: all scale by "
                         "themselves, or name their nodes",
                         scenario->path);
        return EXIT_BAD_INPUT;
    case PLAN_UNBOUNDED:
        command_complain("%s: nothing says how many nodes of group '%s' might "
                         "be needed: give 'plan.groups' its counts, such as "
                         "--group %s=1..20",
                         scenario->path, scenario->groups[result->group].name,
                         scenario->groups[result->group].name);
        return EXIT_BAD_INPUT;
    case PLAN_TOO_MANY:
        command_complain("%s: more than %u mixes: narrow 'plan.groups', or "
                         "plan fewer groups at once",
                         scenario->path, PLAN_MIXES_MAX);
        return EXIT_BAD_INPUT;
    case PLAN_NO_MEMORY:
    case PLAN_OK:
        command_complain("out of memory");
        break;
    }
    return EXIT_FAILED;
}

/* ---- the command ---- */

/* Other commands do not ask for it, so that no scenario is wrong by it. */
static bool has_replications_enough(const struct scenario *scenario)
{
    if (scenario->plan.replications >= scenario->replications)
        return true;
    command_complain("%s: 'plan.replications', of a mix at most, is %u, fewer "
                     "than the %u 'replications' of the first look: raise "
                     "--plan-replications, or lower --replications",
                     scenario->path, scenario->plan.replications,
                     scenario->replications);
    return false;
}

static int search(void *context, struct session *session)
{
    struct planning *planning = context;
    const struct scenario *scenario = planning->scenario;
    struct plan_setup setup = {
        .scenario = scenario,
        .limit_candidates = planning->options->limit_candidates,
        .simulate = simulate,
        .wants = wants,
        .context = planning,
    };
    struct plan_result result = {0};
    int status;

    planning->session = session;
    if (!session_strands(session, scenario, scenario->policy_count))
        return EXIT_FAILED;

    enum plan_status outcome = plan_run(&setup, &result);
    if (outcome != PLAN_OK)
        status = complain_plan(outcome, scenario, &result);
    else if (session_is_shard(session))
        status = end_shard(planning);
    else
        status = report_plan(planning, &result);
    plan_done(&result);
    return status;
}

static int plan_scenario(void *context, struct scenario *scenario)
{
    const struct plan_options *options = context;
    struct planning planning = {.options = options, .scenario = scenario};

    if (!has_replications_enough(scenario))
        return EXIT_BAD_INPUT;
    return frame_session(&options->frame, search, &planning);
}

int command_plan(int argc, char **argv)
{
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .args_doc = "FILE",
        .doc = "Find, for each policy, the fewest or cheapest nodes that meet "
               "the scenario's goals with headroom and with nodes lost. Exit "
               "status 1: no policy has such a mix; 5: none is told to have "
               "one, and more replications might tell, or some mix cannot be "
               "simulated; 5 with --strict also "
               "when a cheaper mix than the one that was found is undecided.",
        .children = frame_children,
    };
    struct plan_options options = {.frame = {.formats = formats},
                                   .limit_candidates = LIMIT_CANDIDATES};

    command_parse(&argp, argc, argv, &options);
    int status =
        frame_run(&options.frame, FRAME_TRACE, plan_scenario, &options);
    texts_done(&options.groups);
    return status;
}
