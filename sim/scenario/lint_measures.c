/* Goals and an objective that have no value here, because the scenario lacks
   what they measure: such a goal is missed, and no verdict can be told. What is
   neither better high nor low can be neither, so only the others are here. */
#include "sim/frontdoor/outlier_stats.h"
#include "sim/scenario/lint_rules.h"

#include "sim/scenario/describe.h"

#include <string.h>

static bool has_cost(const struct group_spec *group)
{
    return group->cost_per_hour > 0;
}

static bool has_cache(const struct group_spec *group)
{
    return group->result_cache.given;
}

static bool minds_memory(const struct group_spec *group)
{
    return group->when_memory_full != MEMORY_FULL_SERVE;
}

static bool minds_models(const struct group_spec *group)
{
    return group->minds_models;
}

static bool any(const struct scenario *scenario,
                bool (*is)(const struct group_spec *group))
{
    for (uint32_t i = 0; i < scenario->group_count; i++)
        if (is(&scenario->groups[i]))
            return true;
    return false;
}

static bool any_latency_goal(const struct scenario *scenario)
{
    for (uint32_t i = 0; i < scenario->goal_count; i++)
        if (strncmp(measures[scenario->goals[i].measure].name, "latency_", 8) ==
            0)
            return true;
    return false;
}

/* Why a measure of caches has no value; NULL: it has one, or is no such. */
static const char *lack_of_caches(const struct scenario *scenario,
                                  enum measure_id measure)
{
    switch (measure) {
    case M_TIER_HIT:
    case M_TIER_FAILED:
        if (!scenario->tier.given)
            return "there is no 'result_tier'";
        break;
    case M_RESULT_HIT:
        if (!any(scenario, has_cache))
            return "no group has a 'result_cache'";
        break;
    default:
        return NULL;
    }
    return scenario_has_keys(scenario) ? NULL : "requests have no keys";
}

static const char *lack_of_cost(const struct scenario *scenario,
                                enum measure_id measure)
{
    switch (measure) {
    case M_NODE_HOURS:
    case M_COST:
    case M_COST_PER_1000:
    case M_COST_PER_1000_IN_GOAL:
        if (!any(scenario, has_cost))
            return "no group states 'cost_per_hour'";
        break;
    case M_GOODPUT:
        break;
    default:
        return NULL;
    }
    if (measure != M_GOODPUT && measure != M_COST_PER_1000_IN_GOAL)
        return NULL;
    return any_latency_goal(scenario) ? NULL : "no goal bounds a latency";
}

static const char *lack_of_more(const struct scenario *scenario,
                                enum measure_id measure)
{
    switch (measure) {
    case M_ERRORS_FULL:
        return any(scenario, group_may_refuse)
                   ? NULL
                   : "no engine has a 'queue_limit'";
    case M_MEMORY_SHORT:
        return any(scenario, minds_memory)
                   ? NULL
                   : "no group says what happens when memory is full";
    case M_ERRORS_NO_MODEL:
        return scenario->routing.given ? NULL : "nothing is routed";
    case M_MISROUTED:
    case M_ERRORS_MODEL:
    case M_MODEL_LOADS:
        return any(scenario, minds_models) ? NULL : "no group lists models";
    case M_EJECTIONS:
    case M_FLAPS:
        return scenario->balancer.health.given ? NULL
                                               : "there are no health checks";
    case M_CHECK_RESTARTS:
        return scenario->balancer.health.restart_ns > 0
                   ? NULL
                   : "no checks restart nodes";
    case M_PANICS:
    case M_PANIC_TIME:
        return scenario->balancer.panic.given ? NULL : "there is no 'panic'";
    default:
        return NULL;
    }
}

static const char *lack_of_ejections(const struct scenario *scenario,
                                     enum measure_id measure)
{
    const struct balancer_spec *spec = &scenario->balancer;

    switch (measure) {
    case M_MAX_FAILS_EJECTIONS:
    case M_MAX_FAILS_TRIALS:
        return spec->max_fails.given ? NULL : "there is no 'max_fails'";
    case M_OBSERVE_ACTIONS:
        return spec->observe.given ? NULL : "there is no 'observe'";
    case M_OUTLIER_EJECTIONS:
    case M_OUTLIER_OVER_CAP:
    case M_OUTLIER_NOT_ENFORCED:
        return spec->outlier.given ? NULL : "there is no 'outlier'";
    case M_OUTLIER_5XX:
    case M_OUTLIER_GATEWAY:
    case M_OUTLIER_LOCAL:
    case M_OUTLIER_SUCCESS_RATE:
    case M_OUTLIER_FAILURES:
    case M_OUTLIER_LATENCY:
        return outlier_spec_ejects(&spec->outlier, (enum outlier_cause)(
                                                       measure - M_OUTLIER_5XX))
                   ? NULL
                   : "no 'outlier' ejects for that";
    case M_BREAKER_OPENS:
    case M_BREAKER_FALSE_OPENS:
    case M_BREAKER_TRIALS:
        return spec->breaker.given ? NULL : "there is no 'breaker'";
    case M_EJECTION_RETURNS:
    case M_EJECTION_FLAPS:
        return spec->max_fails.given || spec->outlier.given
                   ? NULL
                   : "there is no 'max_fails' and no 'outlier'";
    case M_EJECTED:
        return balancer_spec_ejects(spec)
                   ? NULL
                   : "there is no 'max_fails', 'outlier' or 'breaker'";
    default:
        return NULL;
    }
}

static const char *lack_of_refusals(const struct balancer_spec *spec,
                                    enum measure_id measure)
{
    switch (measure) {
    case M_REFUSED_RATE:
        return spec->admission.bucket.given ? NULL : "there is no 'bucket'";
    case M_REFUSED_SHED:
        return spec->admission.shedding.given || spec->flow_control.given
                   ? NULL
                   : "there is no 'shedding' and no 'flow_control'";
    case M_REFUSED_DEADLINE:
        return spec->admission.deadline ? NULL
                                        : "'admission' minds no 'deadline'";
    case M_REFUSED_LIMIT:
        return spec->admission.in_flight > 0 || spec->admission.adaptive.given
                   ? NULL
                   : "there is no limit in flight";
    case M_REFUSED_OVERFLOW:
        return spec->pool_limits.given ? NULL : "there are no 'pool_limits'";
    case M_REFUSED_FAIL_FAST:
        return spec->fail_fast.given ? NULL : "there is no 'fail_fast'";
    default:
        return NULL;
    }
}

static const char *lack_of_door(const struct scenario *scenario,
                                enum measure_id measure)
{
    const struct balancer_spec *spec = &scenario->balancer;

    switch (measure) {
    case M_REFUSED_QUEUE:
    case M_HELD:
    case M_HELD_MEAN:
    case M_HELD_P99:
    case M_EXPIRED:
    case M_DOOR_QUEUE:
    case M_DOOR_QUEUE_MOST:
        return spec->queue.given ? NULL : "nobody waits at the front door";
    case M_ADMISSION_LIMIT:
        return spec->admission.adaptive.given ? NULL : "no limit is 'adaptive'";
    case M_TENANT_JAIN:
    case M_TENANT_MEDIAN:
    case M_TENANT_LEAST:
        return scenario->tenants.given ? NULL : "there are no 'tenants'";
    default:
        return lack_of_refusals(spec, measure);
    }
}

static const char *lack_of(const struct scenario *scenario,
                           enum measure_id measure)
{
    const char *lack = lack_of_caches(scenario, measure);

    if (!lack)
        lack = lack_of_cost(scenario, measure);
    if (!lack)
        lack = lack_of_ejections(scenario, measure);
    if (!lack)
        lack = lack_of_door(scenario, measure);
    return lack ? lack : lack_of_more(scenario, measure);
}

void lint_measures(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct tree *goals = tree_find(linter->root, "goals");
    const char *lack = lack_of(scenario, scenario->objective);

    if (lack)
        lint_say(linter, tree_key(linter->root, "objective"),
                 "'lbsim settings objective' lists all measures",
                 "the objective '%s' has no value, so verdicts cannot tell: %s",
                 measures[scenario->objective].name, lack);
    for (uint32_t i = 0; i < scenario->goal_count; i++) {
        enum measure_id measure = scenario->goals[i].measure;

        lack = lack_of(scenario, measure);
        if (lack)
            lint_say(
                linter, goals->keys[i], NULL,
                "the goal is missed whatever happens: '%s' has no value: %s",
                measures[measure].name, lack);
    }
}
