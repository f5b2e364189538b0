#include "sim/scenario/lint.h"

#include "sim/scenario/describe.h"
#include "sim/scenario/lint_rules.h"
#include "sim/scenario/rehearse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void lint_warn(const struct linter *linter, const struct tree *at,
               const char *hint, const char *format, va_list arguments)
{
    struct diag_place place = {.file = linter->scenario->path};
    char message[400];

    vsnprintf(message, sizeof message, format, arguments);
    /* Beyond the limit warnings are only counted. */
    if (at && at->source && linter->diag->warnings < DIAG_LIMIT)
        place = tree_place(at);
    diag_add(linter->diag, DIAG_WARNING, &place, hint, "%s", message);
}

__attribute__((format(printf, 4, 5))) static void
warn(const struct linter *linter, const struct tree *at, const char *hint,
     const char *format, ...)
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

/* Mean seconds that a request works on a node of the group: its own work where
   it has one, else what its tokens cost there. */
static double mean_need_s(const struct workload_means *means,
                          const struct group_spec *group)
{
    const struct service_spec *service = &group->engine.service;
    double work_s = means->work_s;

    if (service->given && isnan(work_s)) {
        double in = service->per_input_token_s > 0
                        ? service->per_input_token_s * means->input_tokens
                        : 0;
        double out = service->per_output_token_s > 0
                         ? service->per_output_token_s * means->output_tokens
                         : 0;
        work_s = service->base_s + in + out;
    }
    return work_s / group->engine.speed;
}

struct scenario_load scenario_mean_load(const struct scenario *scenario)
{
    struct scenario_load load = {NAN, NAN, NAN, 0, true};
    struct workload_means means;
    double capacity_per_s = 0, slowest_per_s = INFINITY;

    workload_spec_means(&scenario->workload, scenario->duration_ns, &means);
    for (uint32_t i = 0; i < scenario->group_count; i++) {
        const struct group_spec *group = &scenario->groups[i];
        double node_per_s =
            lint_served_at_once(&group->engine) / mean_need_s(&means, group);

        if (group->count == 0)
            continue;
        if (isfinite(slowest_per_s) && node_per_s != slowest_per_s)
            load.nodes_are_equal = false;
        if (!(node_per_s >= slowest_per_s)) {
            slowest_per_s = node_per_s;
            load.slowest_group = i;
        }
        capacity_per_s += group->count * node_per_s;
    }
    if (scenario->has_trace && !scenario->workload.trace)
        return load; /* its rate is not known yet */
    if (!isfinite(capacity_per_s) || !(capacity_per_s > 0) ||
        !isfinite(means.rate_per_s))
        return load;
    load.total = means.rate_per_s / capacity_per_s;
    load.peak = means.peak_per_s / capacity_per_s;
    load.slowest_equal_share =
        means.rate_per_s / scenario->node_count / slowest_per_s;
    return load;
}

static double working_share(const struct workload_spec *part)
{
    const struct keys_spec *keys = &part->keys.spec;

    if (part->trace && keys->kind == KEYS_NONE)
        return trace_books(part->trace)->has_keys ? 0 : 1;
    return keys->kind == KEYS_ZIPF ? 1 - keys->repeat_share : 1;
}

/* The share of requests that works at least: caches may answer no more than
   what is asked again. */
static double least_working_share(const struct scenario *scenario)
{
    const struct workload_spec *workload = &scenario->workload;
    double least = working_share(workload);

    for (uint32_t i = 0; !scenario->tier.given && i < scenario->group_count;
         i++)
        if (!scenario->groups[i].result_cache.given)
            return 1;
    for (uint32_t i = 0; i < workload->overlay_count; i++)
        least = fmin(least, working_share(&workload->overlays[i].spec));
    return least;
}

static const struct tree *traffic(const struct linter *linter)
{
    const struct tree *key = tree_key(linter->workload, "arrivals");

    return key ? key : tree_key(linter->workload, "trace");
}

/* Seconds; NaN: the workload states none. */
static double mean_work_s(const struct scenario *scenario)
{
    struct workload_means means;

    workload_spec_means(&scenario->workload, scenario->duration_ns, &means);
    return means.work_s;
}

bool scenario_is_overloaded(const struct scenario *scenario)
{
    double total = scenario_mean_load(scenario).total;

    return total * least_working_share(scenario) > 1 &&
           !lint_queues_are_limited(scenario);
}

/* The load of the slowest nodes by what a policy sends there whatever happens;
   in a pool too large to try it out, by equal shares. */
static double least_load_of_slowest(const struct scenario *scenario,
                                    uint32_t policy,
                                    const struct scenario_load *load)
{
    double share = NAN;

    if (rehearse_is_quick(scenario))
        share =
            rehearse_share_when_stuck(scenario, policy, load->slowest_group);
    if (isnan(share))
        return load->slowest_equal_share;
    return load->slowest_equal_share * share * scenario->node_count;
}

/* A policy that does not ask how a node fares may send a slow one more than it
   can serve. true: some do. */
static bool lint_slowest(const struct linter *linter,
                         const struct scenario_load *load, double working)
{
    const struct scenario *scenario = linter->scenario;
    char names[200] = "";
    double most = 0;
    uint32_t count = 0;

    for (uint32_t i = 0; !load->nodes_are_equal && i < scenario->policy_count;
         i++) {
        double here = least_load_of_slowest(scenario, i, load) * working;
        size_t length = strlen(names);

        if (!(here > 0.95))
            continue;
        most = fmax(most, here);
        if (count++ < 3)
            snprintf(names + length, sizeof names - length, "%s%.50s",
                     length > 0 ? ", " : "", scenario->policies[i].label);
    }
    if (count == 0)
        return false;
    warn(linter, traffic(linter), NULL,
         "%s%s load%s the nodes of group '%s' with %s%.2f of what they can "
         "serve, however they fare: unstable",
         names, count > 3 ? " and others" : "", count == 1 ? "s" : "",
         scenario->groups[load->slowest_group].name, count == 1 ? "" : "up to ",
         most);
    return true;
}

static void lint_load(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    struct scenario_load load = scenario_mean_load(scenario);
    double working = least_working_share(scenario);

    if (isinf(load.total) || isinf(mean_work_s(scenario)))
        warn(linter, tree_key(linter->workload, "work"),
             "take bounded_pareto, or a shape above 1",
             "the mean of 'work' is infinite: no capacity is enough, and no "
             "mean settles");
    else if (load.total * working > 1 && lint_queues_are_limited(scenario))
        warn(linter, traffic(linter), NULL,
             "load is %.2f of capacity, full nodes will refuse the rest",
             load.total * working);
    else if (load.total * working > 1)
        warn(linter, traffic(linter),
             "nothing settles: results depend on the duration",
             "load is %.2f of capacity, queues will grow",
             load.total * working);
    else if (isnan(load.total) || (!lint_queues_are_limited(scenario) &&
                                   lint_slowest(linter, &load, working)))
        return;
    else if (load.total < 0.01 && scenario->has_trace)
        warn(linter, traffic(linter), NULL,
             "load is %.2g of capacity: this slice of the trace has almost "
             "no traffic",
             load.total);
    else if (load.nodes_are_equal && load.total < 0.6 &&
             !scenario->routing.given && scenario->node_count > 1 &&
             scenario->policy_count > 1 && scenario->fault_count == 0 &&
             working == 1)
        warn(linter, traffic(linter), "equal nodes show differences above 0.6",
             "load is %.2f of capacity and nodes are equal: policies can "
             "hardly be told apart",
             load.total);
}

/* It may be meant so, but then results depend on what comes after. */
static void lint_peak(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    struct scenario_load load = scenario_mean_load(scenario);
    double working = least_working_share(scenario);
    struct workload_means means;

    workload_spec_means(&scenario->workload, scenario->duration_ns, &means);
    if (load.peak * working > 1 && !(load.total * working > 1))
        warn(linter, traffic(linter),
             "latencies then tell how long and how often the peak lasts",
             "at its peak, %.3g/s, load is %.2f of capacity, with a mean of "
             "%.2f: queues grow until it is over",
             means.peak_per_s, load.peak * working, load.total * working);
}

static void lint_weights(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;

    for (uint32_t i = 0; i < scenario->group_count; i++)
        if (scenario->groups[i].count > 0 && scenario->groups[i].weight > 0)
            return;
    warn(linter, tree_key(linter->root, "nodes"),
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

    if (!at || !rehearse_is_quick(scenario))
        return;
    for (uint32_t i = 0; i < scenario->policy_count; i++)
        if (rehearse_goes_by_weights(scenario, i))
            return;
    warn(linter, at, NULL,
         "'weight' has no effect: no policy here goes by weights");
}

static void lint_trace(const struct linter *linter)
{
    const struct tree *trace = tree_find(linter->workload, "trace");

    if (changed(trace, "workload.trace.bad_rows_limit") &&
        linter->scenario->trace.bad_rows == TRACE_STRICT)
        warn(linter, tree_key(trace, "bad_rows_limit"), "set 'bad_rows: skip'",
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
        warn(linter, at, "'cost_per_hour: 0' says that a group is free",
             "group '%s' states no cost, so it counts as free", without->name);
}

static void lint_tier(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct tree *block = tree_find(linter->root, "result_tier");

    if (!scenario->tier.given)
        return;
    if (!scenario_has_keys(scenario))
        warn(linter, tree_key(linter->root, "result_tier"), "set workload.keys",
             "'result_tier' has no effect: requests have no keys");
    if (changed(block, "result_tier.bytes_per_token") &&
        scenario->tier.bytes == 0)
        warn(linter, tree_key(block, "bytes_per_token"), NULL,
             "'bytes_per_token' has no effect without 'bytes'");
    if (changed(block, "result_tier.timeout") &&
        scenario->tier.outage_count == 0)
        warn(linter, tree_key(block, "timeout"), NULL,
             "'timeout' has no effect without 'outages'");
    if (scenario->tier.hit_time_ns < scenario->tier.miss_time_ns)
        warn(linter, tree_key(linter->root, "result_tier"), NULL,
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
            warn(linter, tree_key(linter->workload, "work"),
                 "leave out one of the two",
                 "the service costs of group '%s' have no effect: 'work' says "
                 "what requests need",
                 group->name);
        if (group->result_cache.given && !scenario_has_keys(scenario))
            warn(linter, tree_key(item, "result_cache"), "set workload.keys",
                 "the result cache of group '%s' has no effect: requests "
                 "have no keys",
                 group->name);
        if (changed(cache, "nodes[].result_cache.bytes_per_token") &&
            group->result_cache.bytes == 0)
            warn(linter, tree_key(cache, "bytes_per_token"), NULL,
                 "'bytes_per_token' has no effect without 'bytes'");
        if (group->kind == NODE_CPU && !isnan(group->cpu_per_request))
            warn(linter, tree_key(item, "cpu_per_request"), NULL,
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
            warn(linter, nodes->values[i], "set workload.input_tokens",
                 "group '%s' has a cost per input token, but requests have "
                 "no input tokens",
                 group->name);
        if (service->per_output_token_s > 0 &&
            !workload_has_law(workload, LAW_OUTPUT_TOKENS))
            warn(linter, nodes->values[i], "set workload.output_tokens",
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
    return output && scenario->tier.bytes > 0;
}

static void lint_tokens(const struct linter *linter, const char *key,
                        bool output)
{
    const struct tree *at = tree_key(linter->workload, key);

    if (!at)
        return;
    if (linter->scenario->has_trace)
        warn(linter, at, NULL, "'%s' has no effect: the trace brings its own",
             key);
    else if (!tokens_matter(linter->scenario, output))
        warn(linter, at, "engine.service makes tokens cost time",
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
        warn(linter, at, "prompts stand in the column 'prompt' of a trace",
             "'normalise' has no effect: made traffic has no texts");
    else if (scenario->workload.keys.spec.kind != KEYS_NONE)
        warn(linter, at, NULL,
             "'normalise' has no effect: 'keys' replaces the trace's prompts");
    else if (trace && trace_books(trace)->prompts.prompts == 0)
        warn(linter, at, "prompts stand in a column 'prompt'",
             "'normalise' has no effect: the trace has no prompts");
    else if (!does_something(&scenario->normalise))
        warn(linter, at, NULL, "'normalise' has no effect: every step is off");
}

static void lint_retry(const struct linter *linter)
{
    const struct balancer_spec *balancer = &linter->scenario->balancer;
    const struct tree *timeout = tree_find(linter->balancer, "timeout");
    bool faulty = linter->scenario->fault_count > 0;
    bool fails = faulty || lint_nodes_refuse(linter->scenario) ||
                 (balancer->retry.on_misroute &&
                  lint_nodes_lack_models(linter->scenario));

    if (balancer->retry.given && !fails)
        warn(linter, tree_key(linter->balancer, "retry"), NULL,
             "'retry' has no effect: nothing fails without 'faults' or a "
             "'queue_limit'");
    else if (balancer->retry.given && balancer->retry.attempts == 1)
        warn(linter, tree_key(linter->balancer, "retry"),
             "'attempts' counts the first",
             "'retry' has no effect with one attempt");
    if (balancer->health.given && !faulty)
        warn(linter, tree_key(linter->balancer, "health"), NULL,
             "'health' has no effect: every check passes without 'faults'");
    if (changed(timeout, "balancer.timeout.cancel") &&
        balancer->timeout.total_ns == INT64_MAX)
        warn(linter, tree_key(timeout, "cancel"), NULL,
             "'cancel' has no effect without 'total'");
    if (changed(linter->balancer, "balancer.assign") && balancer->count == 1)
        warn(linter, tree_key(linter->balancer, "assign"), NULL,
             "'assign' has no effect with one balancer");
    if (linter->scenario->workload.noise_per == WORKLOAD_NOISE_ATTEMPT &&
        !(balancer->retry.given && fails))
        warn(linter, tree_find(tree_find(linter->workload, "noise"), "per"),
             NULL, "'per: attempt' has no effect: there is one attempt");
}

/* The answer to a check would always come too late. */
static void lint_health(const struct linter *linter)
{
    const struct balancer_spec *spec = &linter->scenario->balancer;

    if (spec->health.given &&
        2 * spec->network_delay_ns > spec->health.timeout_ns)
        warn(linter, tree_key(linter->balancer, "health"),
             "raise balancer.health.timeout above twice the network delay",
             "every check fails: its answer takes longer than its time-out");
}

static void lint_faults(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct tree *list = tree_find(linter->root, "faults");
    const struct tree *timeout = tree_find(linter->balancer, "timeout");
    bool connects = false, waits_for_ever = false;

    for (uint32_t i = 0; i < scenario->fault_count; i++) {
        const struct fault_spec *fault = &scenario->faults[i];
        const struct tree *item = list->values[i];

        connects = connects || fault->seen_as == FAULT_CONNECT_TIMEOUT;
        waits_for_ever = waits_for_ever || fault->seen_as == FAULT_SILENT;
        if (changed(item, "faults[].inside_lost_after") &&
            fault->seen_as != FAULT_CONNECT_TIMEOUT)
            warn(linter, tree_key(item, "inside_lost_after"), NULL,
                 "'inside_lost_after' has no effect unless seen_as is "
                 "connect_timeout");
    }
    if (changed(timeout, "balancer.timeout.connect") && !connects)
        warn(linter, tree_key(timeout, "connect"), NULL,
             "'connect' has no effect: no fault is seen as connect_timeout");
    if (waits_for_ever && scenario->balancer.timeout.total_ns == INT64_MAX)
        warn(linter, tree_key(linter->root, "faults"),
             "set balancer.timeout.total",
             "requests to a silent node stay unfinished: there is no total "
             "time-out");
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
    warn(linter, tree_key(linter->root, "replications"),
         "add 'noise', or one replication will do",
         "traffic is the same in all %u replications: they differ at most by "
         "the policies' own draws",
         scenario->replications);
}

void scenario_lint(const struct scenario *scenario, struct diag *diag)
{
    const struct loaded *loaded = scenario->owned;
    struct linter linter = {.scenario = scenario,
                            .root = loaded->root,
                            .workload = tree_find(loaded->root, "workload"),
                            .balancer = tree_find(loaded->root, "balancer"),
                            .diag = diag};

    lint_load(&linter);
    lint_peak(&linter);
    lint_policies(&linter);
    lint_weights(&linter);
    lint_unread_weights(&linter);
    lint_trace(&linter);
    lint_tier(&linter);
    lint_times(&linter);
    lint_measures(&linter);
    lint_cost(&linter);
    lint_groups(&linter);
    lint_nodes(&linter);
    lint_routing(&linter);
    lint_costs(&linter);
    lint_tokens(&linter, "input_tokens", false);
    lint_tokens(&linter, "output_tokens", true);
    lint_normalise(&linter);
    lint_retry(&linter);
    lint_health(&linter);
    lint_faults(&linter);
    lint_replications(&linter);
}
