/*
 * Rules about load; see lint_rules.h. Load is of requests that all work, as the
 * results state it. Hits take some of it away, but how many is known after a
 * run only; before it there is a bound, the hits of one endless cache. Above
 * capacity with the bound nothing helps; between the two, hits decide.
 */
#include "sim/scenario/lint.h"

#include "sim/scenario/lint_rules.h"

#include "sim/scenario/describe.h"
#include "sim/scenario/rehearse.h"

#include "workloads/keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Mean seconds that a request works on a node of the group: its own work where
   it has one, else what its tokens cost there. In a batch a prompt costs for
   each of them; that the longest counts comes on top. */
static double mean_need_s(const struct workload_means *means,
                          const struct group_spec *group)
{
    const struct service_spec *service = &group->engine.service;
    double work_s = means->work_s;

    if (service->given && isnan(work_s)) {
        double in = service->per_input_token_s > 0
                        ? service->per_input_token_s * means->input_tokens
                        : 0;
        double prompts =
            group->engine.kind == ENGINE_BATCH ? group->engine.batch.size : 1;
        double out = service->per_output_token_s > 0
                         ? service->per_output_token_s * means->output_tokens
                         : 0;
        work_s = service->base_s + prompts * in + out;
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

/* Of traces only the length is known here, so with keys all might repeat. */
static double part_works(const struct workload_spec *part, double requests)
{
    if (part->trace && part->keys.spec.kind == KEYS_NONE)
        return trace_books(part->trace)->has_keys ? 0 : 1;
    return 1 - keys_ideal_hit_share(&part->keys.spec, requests);
}

static bool all_may_hit(const struct scenario *scenario)
{
    for (uint32_t i = 0; !scenario->tier.given && i < scenario->group_count;
         i++)
        if (!scenario->groups[i].result_cache.given)
            return false;
    return true;
}

/* The share of requests that works at least, however good the caches: one
   endless cache misses each question once. 1 if any group has no cache, as a
   policy may send all there; of several parts of the traffic, that of the part
   which repeats most. */
static double least_working_share(const struct scenario *scenario)
{
    const struct workload_spec *workload = &scenario->workload;
    struct workload_means means;
    double requests = INFINITY, least;

    if (!all_may_hit(scenario))
        return 1;
    workload_spec_means(workload, scenario->duration_ns, &means);
    if (scenario->duration_ns != INT64_MAX && isfinite(means.rate_per_s))
        requests = means.rate_per_s * (double)scenario->duration_ns * 1e-9;
    least = part_works(workload, requests);
    for (uint32_t i = 0; i < workload->overlay_count; i++)
        least = fmin(least, part_works(&workload->overlays[i].spec, requests));
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

/* Of so many requests a second, the share that buckets let in at most. */
static double share_let_in(const struct scenario *scenario, double per_s)
{
    double most_per_s = lint_door_lets_in_per_s(scenario);

    return per_s > most_per_s ? most_per_s / per_s : 1;
}

/* Seconds of work in a request of the class, times its share of the part; of
   all classes that stay, or of all. */
static double work_of_part(const struct scenario *scenario,
                           const struct workload_spec *part,
                           const struct group_spec *group, bool all)
{
    uint32_t classes = part->class_count > 0 ? part->class_count : 1;
    double sum = 0;

    for (uint32_t i = 0; i < classes; i++) {
        double share =
            part->class_count > 0 ? workload_class_share(part, i) : 1;
        struct workload_spec one = *part;
        struct workload_means means;

        if (!(share > 0) || !(all || lint_class_stays(scenario, part, i)))
            continue;
        one.one_class = part->class_count > 0 ? i + 1 : 0;
        one.overlay_count = 0;
        workload_spec_means(&one, scenario->duration_ns, &means);
        sum += share * mean_need_s(&means, group);
    }
    return sum;
}

/* Of the work of a part of the traffic, some of whose classes leave. */
static double staying_of_some(const struct scenario *scenario,
                              const struct workload_spec *part)
{
    double least = 1;

    for (uint32_t g = 0; g < scenario->group_count; g++) {
        const struct group_spec *group = &scenario->groups[g];
        double all = work_of_part(scenario, part, group, true);
        double staying = work_of_part(scenario, part, group, false);

        if (group->count > 0 && staying < least * all)
            least = staying / all;
    }
    return least;
}

static double staying_of_part(const struct scenario *scenario,
                              const struct workload_spec *part)
{
    uint32_t classes = part->class_count > 0 ? part->class_count : 1;
    uint32_t stay = 0;

    for (uint32_t i = 0; i < classes; i++)
        stay += lint_class_stays(scenario, part, i);
    return stay == classes ? 1
           : stay == 0     ? 0
                           : staying_of_some(scenario, part);
}

/* The share of the work that stays at least, however long it has to wait: the
   rest is of clients who leave. */
static double least_staying_share(const struct scenario *scenario)
{
    const struct workload_spec *workload = &scenario->workload;
    double least = staying_of_part(scenario, workload);

    for (uint32_t i = 0; i < workload->overlay_count; i++)
        least =
            fmin(least, staying_of_part(scenario, &workload->overlays[i].spec));
    return least;
}

/* What becomes of work above capacity, and which share of it stays for good. */
struct excess {
    const char *fate; /* NULL: it piles up */
    double staying;   /* at the rate in question; 0: none */
};

static struct excess find_excess(const struct scenario *scenario, double load,
                                 double per_s)
{
    double let_in = share_let_in(scenario, per_s);
    double staying = least_staying_share(scenario);

    if (lint_queues_are_limited(scenario))
        return (struct excess){"full nodes will refuse the rest", 0};
    if (lint_door_is_limited(scenario))
        return (struct excess){"the front door will turn the rest away", 0};
    if (load * let_in <= 1)
        return (struct excess){"the front door will turn the rest away",
                               let_in};
    if (load * let_in * staying <= 1)
        return (struct excess){"those who wait too long will leave",
                               let_in * staying};
    return (struct excess){NULL, let_in * staying};
}

/* Load whatever caches answer; 0 where full nodes or the front door refuse what
   is too much, or who waits for it leaves. */
static double least_load(const struct scenario *scenario)
{
    double load =
        scenario_mean_load(scenario).total * least_working_share(scenario);
    struct workload_means means;

    workload_spec_means(&scenario->workload, scenario->duration_ns, &means);
    return load * find_excess(scenario, load, means.rate_per_s).staying;
}

struct scenario_demand scenario_demand(const struct scenario *scenario)
{
    struct workload_means means;
    bool limited = lint_queues_are_limited(scenario) ||
                   lint_door_is_limited(scenario) ||
                   isfinite(lint_door_lets_in_per_s(scenario)) ||
                   least_staying_share(scenario) < 1;

    workload_spec_means(&scenario->workload, scenario->duration_ns, &means);
    return (struct scenario_demand){
        .mean_per_s = means.rate_per_s,
        .peak_per_s = means.peak_per_s,
        .working = limited ? 0 : least_working_share(scenario),
    };
}

double scenario_node_per_s(const struct scenario *scenario, uint32_t group)
{
    const struct group_spec *spec = &scenario->groups[group];
    struct workload_means means;

    workload_spec_means(&scenario->workload, scenario->duration_ns, &means);
    return lint_served_at_once(&spec->engine) / mean_need_s(&means, spec);
}

bool scenario_is_overloaded(const struct scenario *scenario)
{
    return least_load(scenario) > 1;
}

bool scenario_is_at_capacity(const struct scenario *scenario)
{
    double load = least_load(scenario);

    return load >= 0.98 && load <= 1;
}

/* The load of the slowest nodes by what a policy sends there whatever happens;
   in a pool too large to try it out, by equal shares. NaN: nothing can be said
   of it. */
static double least_load_of_slowest(const struct linter *linter,
                                    uint32_t policy,
                                    const struct scenario_load *load)
{
    const struct scenario *scenario = linter->scenario;
    double share;

    if (!rehearse_is_quick(scenario))
        return load->slowest_equal_share;
    if (!linter->may_rehearse)
        return NAN;
    if (scenario->balancer.dynamic_weights.given &&
        rehearse_minds_weight_changes(scenario, policy))
        return 0; /* its weights do ask */
    share = rehearse_share_when_stuck(scenario, policy, load->slowest_group);
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
        double here = least_load_of_slowest(linter, i, load) * working;
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
    lint_say(linter, traffic(linter), NULL,
             "%s%s load%s the nodes of group '%s' with %s%.2f of what they can "
             "serve, however they fare: unstable",
             names, count > 3 ? " and others" : "", count == 1 ? "s" : "",
             scenario->groups[load->slowest_group].name,
             count == 1 ? "" : "up to ", most);
    return true;
}

/* Above capacity without caches; the rules before know that there is a load. */
static void lint_overload(const struct linter *linter, double total,
                          double working)
{
    const struct tree *at = traffic(linter);
    char endless[60] = "", answers[60] = "";
    struct workload_means means;
    struct excess excess;

    workload_spec_means(&linter->scenario->workload,
                        linter->scenario->duration_ns, &means);
    excess = find_excess(linter->scenario, total * working, means.rate_per_s);
    if (working < 1 && working > 0) {
        snprintf(endless, sizeof endless, " and %.2f with one endless cache",
                 total * working);
        snprintf(answers, sizeof answers,
                 "; one endless cache would answer %.0f %%",
                 100 * (1 - working));
    }
    if (total * working <= 1)
        lint_say(linter, at, "'hits' of a run tells what they answer",
                 "load is %.2f of capacity unless caches answer %.0f %% of "
                 "requests%s",
                 total, ceil(100 * (1 - 1 / total)), answers);
    else if (excess.fate)
        lint_say(linter, at, NULL,
                 "load is %.2f of capacity%s: in the long run %.0f %% of the "
                 "work can be done at most, %s",
                 total, endless, floor(100 / (total * working)), excess.fate);
    else
        lint_say(linter, at, "nothing settles: results depend on the duration",
                 "load is %.2f of capacity%s, queues will grow", total,
                 endless);
}

/* Whose capacity nobody knows beforehand: the longest prompt of a batch counts
   for all in it. */
static bool batches(const struct scenario *scenario)
{
    for (uint32_t i = 0; i < scenario->group_count; i++)
        if (scenario->groups[i].engine.kind == ENGINE_BATCH)
            return true;
    return false;
}

static void lint_mean(const struct linter *linter,
                      const struct scenario_load *load, double working)
{
    const struct scenario *scenario = linter->scenario;

    if (isinf(load->total) || isinf(mean_work_s(scenario)))
        lint_say(
            linter, tree_key(linter->workload, "work"),
            "take bounded_pareto, or a shape above 1",
            "the mean of 'work' is infinite: no capacity is enough, and no "
            "mean settles");
    else if (load->total > 1)
        lint_overload(linter, load->total, working);
    else if (isnan(load->total) ||
             (!lint_queues_are_limited(scenario) &&
              !lint_door_is_limited(scenario) &&
              lint_slowest(linter, load,
                           working * least_staying_share(scenario))))
        return;
    else if (load->total < 0.01 && scenario->has_trace)
        lint_say(linter, traffic(linter), NULL,
                 "load is %.2g of capacity: this slice of the trace has almost "
                 "no traffic",
                 load->total);
    else if (load->nodes_are_equal && load->total < 0.6 &&
             !scenario_nodes_change(linter->scenario) && !batches(scenario) &&
             !scenario->routing.given && scenario->node_count > 1 &&
             scenario->policy_count > 1 && scenario->fault_count == 0 &&
             working == 1)
        lint_say(linter, traffic(linter),
                 "equal nodes show differences above 0.6",
                 "load is %.2f of capacity and nodes are equal: policies can "
                 "hardly be told apart",
                 load->total);
}

/* It may be meant so, but then results depend on what comes after. */
static void lint_peak(const struct linter *linter,
                      const struct scenario_load *load, double working)
{
    struct workload_means means;
    struct excess excess;
    bool grows;

    workload_spec_means(&linter->scenario->workload,
                        linter->scenario->duration_ns, &means);
    if (!(load->peak * working > 1) || load->total > 1)
        return;
    excess =
        find_excess(linter->scenario, load->peak * working, means.peak_per_s);
    grows = excess.fate == NULL;
    lint_say(linter, traffic(linter),
             grows ? "latencies then tell how long and how often the peak lasts"
                   : NULL,
             "at its peak, %.3g/s, load is %.2f of capacity, with a mean of "
             "%.2f: while it lasts, %s",
             means.peak_per_s, load->peak, load->total,
             grows ? "queues grow" : excess.fate);
}

void lint_load(const struct linter *linter)
{
    struct scenario_load load = scenario_mean_load(linter->scenario);
    double working = least_working_share(linter->scenario);

    lint_mean(linter, &load, working);
    lint_peak(linter, &load, working);
}
