#include "sim/scenario/lint.h"

#include "sim/scenario/describe.h"
#include "sim/scenario/lint_rules.h"
#include "sim/scenario/rehearse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A line of defaults stands in every group; once it was warned of, it was. */
static bool was_said(const struct diag *diag, const struct diag_place *place,
                     const char *hint, const char *message)
{
    struct diag alone = {0};
    bool said;

    diag_add(&alone, DIAG_WARNING, place, hint, "%s", message);
    said = diag->text && alone.text && strstr(diag->text, alone.text);
    diag_done(&alone);
    return said;
}

void lint_warn(const struct linter *linter, const struct tree *at,
               const char *hint, const char *format, va_list arguments)
{
    struct diag_place place = {.file = linter->scenario->path};
    char message[400];

    vsnprintf(message, sizeof message, format, arguments);
    /* Beyond the limit warnings are only counted. */
    if (at && at->source && linter->diag->warnings < DIAG_LIMIT)
        place = tree_place(at);
    if (!was_said(linter->diag, &place, hint, message))
        diag_add(linter->diag, DIAG_WARNING, &place, hint, "%s", message);
}

void lint_say(const struct linter *linter, const struct tree *at,
              const char *hint, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    lint_warn(linter, at, hint, format, arguments);
    va_end(arguments);
}

/* The key of a setting that was given another value than its default; NULL: it
   was not. What a scenario spells out by default is no mistake. */
static const struct tree *changed(const struct tree *map, const char *path)
{
    const struct setting *row = settings_find(path);
    const char *key;
    const struct tree *value;

    settings_key(row, &key);
    value = tree_find(map, key);
    if (!value || (row->preset && tree_is_text(value, row->preset)))
        return NULL;
    return tree_key(map, key);
}

const struct tree *lint_changed(const struct tree *map, const char *path)
{
    return changed(map, path);
}

static void lint_weights(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;

    for (uint32_t i = 0; i < scenario->group_count; i++)
        if (scenario->groups[i].count > 0 && scenario->groups[i].weight > 0)
            return;
    lint_say(linter, tree_key(linter->root, "nodes"),
             "give a group a weight of 1 or more",
             "every node has weight 0: no request can be sent to any");
}

/* The first group whose weight is said; NULL: none, or it is a default. */
static const struct tree *said_weight(const struct linter *linter)
{
    const struct tree *nodes = tree_find(linter->root, "nodes");
    const struct tree *at = NULL;

    for (uint32_t i = 0; !at && i < linter->scenario->group_count; i++)
        at = changed(nodes->values[i], "nodes[].weight");
    return at;
}

static void lint_unread_weights(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct tree *at = said_weight(linter);

    if (!at || !linter->may_rehearse)
        return;
    for (uint32_t i = 0; i < scenario->policy_count; i++)
        if (rehearse_goes_by_weights(scenario, i))
            return;
    lint_say(linter, at, NULL,
             "'weight' has no effect: no policy here goes by weights");
}

static void lint_trace(const struct linter *linter)
{
    const struct tree *trace = tree_find(linter->workload, "trace");

    if (changed(trace, "workload.trace.bad_rows_limit") &&
        linter->scenario->trace.bad_rows == TRACE_STRICT)
        lint_say(
            linter, tree_key(trace, "bad_rows_limit"), "set 'bad_rows: skip'",
            "'bad_rows_limit' has no effect: the first bad row is an error");
}

static void lint_cost(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct tree *nodes = tree_find(linter->root, "nodes");
    const struct group_spec *without = NULL;
    const struct tree *at = NULL;

    for (uint32_t i = 0; i < scenario->group_count; i++) {
        const struct group_spec *group = &scenario->groups[i];

        if (group->cost_per_hour > 0 && !at)
            at = tree_key(nodes->values[i], "cost_per_hour");
        else if (!tree_find(nodes->values[i], "cost_per_hour") &&
                 group->count > 0)
            without = group;
    }
    if (at && without)
        lint_say(linter, at, "'cost_per_hour: 0' says that a group is free",
                 "group '%s' states no cost, so it counts as free",
                 without->name);
}

static void lint_tier(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct tree *block = tree_find(linter->root, "result_tier");

    if (!scenario->tier.given)
        return;
    if (!scenario_has_keys(scenario))
        lint_say(linter, tree_key(linter->root, "result_tier"),
                 "set workload.keys",
                 "'result_tier' has no effect: requests have no keys");
    if (changed(block, "result_tier.bytes_per_token") &&
        scenario->tier.bytes == 0)
        lint_say(linter, tree_key(block, "bytes_per_token"), NULL,
                 "'bytes_per_token' has no effect without 'bytes'");
    if (changed(block, "result_tier.timeout") &&
        scenario->tier.outage_count == 0)
        lint_say(linter, tree_key(block, "timeout"), NULL,
                 "'timeout' has no effect without 'outages'");
    if (scenario->tier.hit_time_ns < scenario->tier.miss_time_ns)
        lint_say(linter, tree_key(linter->root, "result_tier"), NULL,
                 "a hit answers before a miss is known: 'hit_time' is below "
                 "'miss_time'");
}

static void lint_groups(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct tree *nodes = tree_find(linter->root, "nodes");
    bool work_decides = scenario->workload.work.kind != DIST_NONE &&
                        scenario->workload.overlay_count == 0;

    for (uint32_t i = 0; i < scenario->group_count; i++) {
        const struct group_spec *group = &scenario->groups[i];
        const struct tree *item = nodes->values[i];
        const struct tree *cache = tree_find(item, "result_cache");

        if (work_decides && group->engine.service.given)
            lint_say(
                linter, tree_key(linter->workload, "work"),
                "leave out one of the two",
                "the service costs of group '%s' have no effect: 'work' says "
                "what requests need",
                group->name);
        if (group->result_cache.given && !scenario_has_keys(scenario))
            lint_say(linter, tree_key(item, "result_cache"),
                     "set workload.keys",
                     "the result cache of group '%s' has no effect: requests "
                     "have no keys",
                     group->name);
        if (changed(cache, "nodes[].result_cache.bytes_per_token") &&
            group->result_cache.bytes == 0)
            lint_say(linter, tree_key(cache, "bytes_per_token"), NULL,
                     "'bytes_per_token' has no effect without 'bytes'");
        if (group->kind == NODE_CPU && !isnan(group->cpu_per_request))
            lint_say(
                linter, tree_key(item, "cpu_per_request"), NULL,
                "'cpu_per_request' has no effect on cpu nodes: their cpu is "
                "what is busy");
    }
}

/* Costs of tokens that no request has: nearly always a forgotten line. */
static void lint_costs(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct tree *nodes = tree_find(linter->root, "nodes");
    const struct workload_spec *workload = &scenario->workload;

    for (uint32_t i = 0; !scenario->has_trace && i < scenario->group_count;
         i++) {
        const struct group_spec *group = &scenario->groups[i];
        const struct service_spec *service = &group->engine.service;

        if (service->per_input_token_s > 0 &&
            !workload_has_law(workload, LAW_INPUT_TOKENS))
            lint_say(linter, nodes->values[i], "set workload.input_tokens",
                     "group '%s' has a cost per input token, but requests have "
                     "no input tokens",
                     group->name);
        if (service->per_output_token_s > 0 &&
            !workload_has_law(workload, LAW_OUTPUT_TOKENS))
            lint_say(
                linter, nodes->values[i], "set workload.output_tokens",
                "group '%s' has a cost per output token, but requests have "
                "no output tokens",
                group->name);
    }
}

/* Whether the tokens of a direction change anything. */
static bool tokens_matter(const struct scenario *scenario, bool output)
{
    for (uint32_t i = 0; i < scenario->group_count; i++) {
        const struct group_spec *group = &scenario->groups[i];
        const struct service_spec *service = &group->engine.service;

        if (service->given && (output ? service->per_output_token_s
                                      : service->per_input_token_s) > 0)
            return true;
        if (output && group->result_cache.bytes > 0)
            return true;
        if (!output && group->max_context > 0 && scenario->routing.given)
            return true;
    }
    return (output && scenario->tier.bytes > 0) ||
           lint_door_counts_tokens(&scenario->balancer);
}

static void lint_tokens(const struct linter *linter, const char *key,
                        bool output)
{
    const struct tree *at = tree_key(linter->workload, key);

    if (!at)
        return;
    if (linter->scenario->has_trace)
        lint_say(linter, at, NULL,
                 "'%s' has no effect: the trace brings its own", key);
    else if (!tokens_matter(linter->scenario, output))
        lint_say(linter, at, "engine.service makes tokens cost time",
                 "'%s' has no effect: no group's costs depend on it", key);
}

static bool does_something(const struct normalise_spec *spec)
{
    return spec->nfkc || spec->fold_case || spec->punctuation ||
           spec->white_space || spec->synonyms || spec->translation;
}

static void lint_normalise(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct trace *trace = scenario->workload.trace;
    const struct tree *at = tree_key(linter->workload, "normalise");

    if (!at)
        return;
    if (!scenario->has_trace)
        lint_say(linter, at, "prompts stand in the column 'prompt' of a trace",
                 "'normalise' has no effect: made traffic has no texts");
    else if (scenario->workload.keys.spec.kind != KEYS_NONE)
        lint_say(
            linter, at, NULL,
            "'normalise' has no effect: 'keys' replaces the trace's prompts");
    else if (trace && trace_books(trace)->prompts.prompts == 0)
        lint_say(linter, at, "prompts stand in a column 'prompt'",
                 "'normalise' has no effect: the trace has no prompts");
    else if (!does_something(&scenario->normalise))
        lint_say(linter, at, NULL,
                 "'normalise' has no effect: every step is off");
}

static void lint_front(const struct linter *linter)
{
    const struct balancer_spec *balancer = &linter->scenario->balancer;

    if (changed(linter->balancer, "balancer.assign") && balancer->count == 1)
        lint_say(linter, tree_key(linter->balancer, "assign"), NULL,
                 "'assign' has no effect with one balancer");
}

/* Whether any request has a size that chance decides. */
static bool sizes_are_random(const struct workload_spec *workload)
{
    uint32_t kinds = workload->class_count > 0 ? workload->class_count : 1;

    for (uint32_t i = 0; i < kinds; i++)
        for (int law = 0; law < LAW_COUNT; law++) {
            enum dist_kind kind =
                workload_law(workload, i, (enum workload_law)law)->kind;

            if (kind != DIST_NONE && kind != DIST_CONSTANT)
                return true;
        }
    return kinds > 1;
}

static void lint_replications(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct workload_spec *workload = &scenario->workload;
    bool same_arrivals = scenario->has_trace
                             ? workload->resample == TRACE_RESAMPLE_NONE
                             : !arrivals_are_random(&workload->arrivals);

    if (scenario->replications == 1 || !same_arrivals ||
        workload->overlay_count > 0 || sizes_are_random(workload) ||
        workload->keys.spec.kind != KEYS_NONE)
        return;
    lint_say(
        linter, tree_key(linter->root, "replications"),
        "add 'noise', or one replication will do",
        "traffic is the same in all %u replications: they differ at most by "
        "the policies' own draws",
        scenario->replications);
}

/* Objects are tried first: who hangs or dies here would do so in a run. */
static bool may_rehearse(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    bool fine = rehearse_is_quick(scenario);

    for (uint32_t i = 0; fine && i < scenario->policy_count; i++) {
        char how[REHEARSE_HOW];

        fine = rehearse_comes_back(scenario, i, how);
        if (!fine)
            lint_say(linter, tree_find(linter->root, "policies"),
                     "try it with `lbsim policies --check FILE.so`",
                     "policy '%.60s', asked for picks before the run, %s",
                     scenario->policies[i].label, how);
    }
    return fine;
}

void scenario_lint(const struct scenario *scenario, struct diag *diag)
{
    const struct loaded *loaded = scenario->owned;
    struct linter linter = {.scenario = scenario,
                            .root = loaded->root,
                            .workload = tree_find(loaded->root, "workload"),
                            .balancer = tree_find(loaded->root, "balancer"),
                            .diag = diag};

    linter.may_rehearse = may_rehearse(&linter);
    lint_load(&linter);
    lint_policies(&linter);
    lint_weights(&linter);
    lint_unread_weights(&linter);
    lint_trace(&linter);
    lint_tier(&linter);
    lint_admission(&linter);
    lint_times(&linter);
    lint_measures(&linter);
    lint_cost(&linter);
    lint_groups(&linter);
    lint_nodes(&linter);
    lint_scaling(&linter);
    lint_routing(&linter);
    lint_agent(&linter);
    lint_degrade(&linter);
    lint_batching(&linter);
    lint_labels(&linter);
    lint_costs(&linter);
    lint_tokens(&linter, "input_tokens", false);
    lint_tokens(&linter, "output_tokens", true);
    lint_normalise(&linter);
    lint_retries(&linter);
    lint_front(&linter);
    lint_passive(&linter);
    lint_checks(&linter);
    lint_faults(&linter);
    lint_replications(&linter);
}
