/* What balancers learn from traffic: settings that cannot do what they seem to;
   see lint_rules.h. */
#include "sim/frontdoor/outlier_stats.h"
#include "sim/scenario/lint_rules.h"
#include "sim/scenario/units.h"

#include "policies/lbp.h"

#include <math.h>
#include <string.h>

/* Whether any attempt can fail, other than at a full node. */
static bool anything_fails(const struct scenario *scenario)
{
    const struct timeout_spec *timeout = &scenario->balancer.timeout;

    return lint_causes_of_faults(scenario) != 0 ||
           timeout->total_ns < INT64_MAX || timeout->ttft_ns > 0 ||
           timeout->inter_token_ns > 0 || timeout->attempt_ns > 0 ||
           scenario->balancer.deadline.given;
}

/* Without failures a mechanism that counts them does nothing. */
static void lint_failures(const struct linter *linter, const char *name,
                          bool given, bool counts_overload)
{
    if (!given || anything_fails(linter->scenario) ||
        (counts_overload && lint_nodes_refuse(linter->scenario)))
        return;
    lint_say(linter, tree_key(linter->balancer, name), NULL,
             "'%s' has no effect: no attempt fails without a fault that makes "
             "it, or a time-out",
             name);
}

/* Faults that answer with an error, where such an answer counts as any. */
static void lint_errors(const struct linter *linter, const char *name,
                        bool counts_errors, const char *hint)
{
    if (counts_errors ||
        lint_causes_of_faults(linter->scenario) != 1u << CAUSE_ERROR)
        return;
    lint_say(linter, tree_key(linter->balancer, name), hint,
             "'%s' does not count what the faults do: nodes that fail fast "
             "answer with 5xx, and to it that is an answer",
             name);
}

/* How many requests a node gets in a while, under equal shares; NaN: nobody
   knows. */
static double requests_in(const struct scenario *scenario, int64_t span_ns)
{
    struct workload_means means;
    double views =
        (double)scenario->balancer.count * (double)scenario->node_count;

    workload_spec_means(&scenario->workload, scenario->duration_ns, &means);
    if (!isfinite(means.peak_per_s) || views == 0)
        return NAN;
    return means.peak_per_s * (double)span_ns * 1e-9 / views;
}

/* --- max_fails ------------------------------------------------------------ */

/* smooth_weighted lowers weights by its own count of max_fails. */
static void lint_two_max_fails(const struct linter *linter)
{
    const struct tree *list = tree_find(linter->root, "policies");

    for (uint32_t i = 0; i < linter->scenario->policy_count; i++) {
        const struct policy_spec *policy = &linter->scenario->policies[i];

        if (policy->so || strcmp(policy->name, "smooth_weighted") != 0 ||
            !strstr(policy->label, "max_fails="))
            continue;
        lint_say(linter, list->values[i],
                 "nginx has one max_fails for both: give both the same",
                 "'max_fails' of %s lowers weights after failures; that of "
                 "'balancer', which leaves nodes out, is another setting",
                 policy->label);
    }
}

static void lint_max_fails(const struct linter *linter)
{
    const struct balancer_spec *spec = &linter->scenario->balancer;

    if (!spec->max_fails.given)
        return;
    lint_failures(linter, "max_fails", true, spec->max_fails.counts_overload);
    if (linter->scenario->node_count == 1)
        lint_say(linter, tree_key(linter->balancer, "max_fails"), NULL,
                 "'max_fails' has no effect: a lone node is never left out");
    lint_two_max_fails(linter);
    lint_errors(
        linter, "max_fails", spec->max_fails.counts_5xx,
        "set 'count_5xx: true', as 'proxy_next_upstream http_500' does");
}

/* --- outlier -------------------------------------------------------------- */

static bool ejects_rows(const struct outlier_spec *spec)
{
    return outlier_spec_ejects(spec, OUTLIER_5XX) ||
           outlier_spec_ejects(spec, OUTLIER_GATEWAY) ||
           outlier_spec_ejects(spec, OUTLIER_LOCAL);
}

/* Of few nodes no one may go. */
static void lint_cap(const struct linter *linter,
                     const struct outlier_spec *spec)
{
    uint32_t nodes = linter->scenario->node_count;

    if (nodes == 0 || outlier_may_eject(spec, 0, nodes))
        return;
    lint_say(linter, tree_key(linter->balancer, "outlier"),
             spec->rule == OUTLIER_ENVOY
                 ? "raise max_ejection_percent, or set always_eject_one_host"
                 : "raise max_ejection_percent",
             "'outlier' never ejects: one of %u nodes is %.3g %% of them, and "
             "'max_ejection_percent' is %.3g %%",
             nodes, 100.0 / nodes, 100 * spec->max_ejected);
}

static void lint_returns(const struct linter *linter,
                         const struct outlier_spec *spec)
{
    const struct health_spec *health = &linter->scenario->balancer.health;
    char base[UNITS_TEXT_SIZE], interval[UNITS_TEXT_SIZE];

    if (spec->rule != OUTLIER_ENVOY || !spec->returned_by_checks ||
        !health->given || health->interval_ns >= spec->base_ns)
        return;
    units_write_duration(spec->base_ns, base);
    units_write_duration(health->interval_ns, interval);
    lint_say(linter, tree_key(linter->balancer, "outlier"),
             "set successful_active_health_check_uneject_host: false",
             "a node that passes health checks is ejected for %s at most, and "
             "not for %s: a successful check returns it",
             interval, base);
}

/* A rate is looked at when enough nodes had enough requests. */
static void lint_rate(const struct linter *linter, const char *what,
                      uint32_t min_nodes, uint32_t volume)
{
    const struct outlier_spec *spec = &linter->scenario->balancer.outlier;
    double requests = requests_in(linter->scenario, spec->interval_ns);
    const struct tree *at = tree_key(linter->balancer, "outlier");
    char interval[UNITS_TEXT_SIZE];

    units_write_duration(spec->interval_ns, interval);
    if (linter->scenario->node_count < min_nodes)
        lint_say(linter, at, "lower its minimum_hosts",
                 "'outlier' never looks at the %s: there are %u nodes, and it "
                 "wants %u",
                 what, linter->scenario->node_count, min_nodes);
    else if (requests < volume)
        lint_say(linter, at, "lower its request_volume, or look less often",
                 "'outlier' hardly ever looks at the %s: a node gets about "
                 "%.3g requests in %s, and it wants %u",
                 what, requests, interval, volume);
}

static void lint_rates(const struct linter *linter,
                       const struct outlier_spec *spec)
{
    static const char path[] = "balancer.outlier.success_rate_request_volume";
    const struct tree *block = tree_find(linter->balancer, "outlier");
    bool rates = outlier_spec_ejects(spec, OUTLIER_SUCCESS_RATE);
    bool failures = outlier_spec_ejects(spec, OUTLIER_FAILURE_PERCENTAGE);
    bool others =
        ejects_rows(spec) || outlier_spec_ejects(spec, OUTLIER_LATENCY);

    /* Where other causes are at work, a default that idles is no mistake. */
    if (rates && (!others || lint_changed(block, path)))
        lint_rate(linter, "success rate", spec->success_rate.min_nodes,
                  spec->success_rate.volume);
    if (failures)
        lint_rate(linter, "failure percentage",
                  spec->failure_percentage.min_nodes,
                  spec->failure_percentage.volume);
}

static void lint_outlier(const struct linter *linter)
{
    const struct outlier_spec *spec = &linter->scenario->balancer.outlier;

    if (!spec->given)
        return;
    if (!outlier_spec_ejects(spec, OUTLIER_LATENCY))
        lint_failures(linter, "outlier", true, spec->counts_overload);
    lint_cap(linter, spec);
    lint_returns(linter, spec);
    if (anything_fails(linter->scenario))
        lint_rates(linter, spec);
}

/* --- breaker -------------------------------------------------------------- */

static void lint_breaker(const struct linter *linter)
{
    const struct breaker_spec *spec = &linter->scenario->balancer.breaker;
    double requests = requests_in(linter->scenario, spec->window_ns);
    char window[UNITS_TEXT_SIZE];

    if (!spec->given)
        return;
    lint_failures(linter, "breaker", true, spec->counts_overload);
    units_write_duration(spec->window_ns, window);
    if (requests < spec->volume)
        lint_say(linter, tree_key(linter->balancer, "breaker"),
                 "lower request_volume, or lengthen the window",
                 "a circuit breaker hardly ever opens: a node gets about %.3g "
                 "requests in %s, and it wants %u",
                 requests, window, spec->volume);
}

void lint_passive(const struct linter *linter)
{
    const struct observe_spec *observe = &linter->scenario->balancer.observe;

    lint_max_fails(linter);
    lint_failures(linter, "observe", observe->given, observe->counts_overload);
    if (lint_changed(tree_find(linter->balancer, "observe"),
                     "balancer.observe.count_overload") &&
        observe->layer == OBSERVE_LAYER4)
        lint_say(
            linter,
            tree_key(tree_find(linter->balancer, "observe"), "count_overload"),
            NULL,
            "'count_overload' has no effect: layer4 looks at connections "
            "alone");
    if (observe->given)
        lint_errors(linter, "observe", observe->layer == OBSERVE_LAYER7,
                    "set 'layer: layer7'");
    lint_outlier(linter);
    lint_breaker(linter);
}
