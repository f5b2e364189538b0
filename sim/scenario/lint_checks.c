/* Where a user could go wrong with health checks, panic, slow start and dynamic
   weights. */
#include "sim/scenario/describe.h"
#include "sim/scenario/lint_rules.h"
#include "sim/scenario/rehearse.h"

/* Below this an agent's percentages are cut to very few weights. */
#define AGENT_WEIGHT_LEAST 10u

bool lint_anything_doubts(const struct scenario *scenario)
{
    const struct balancer_spec *spec = &scenario->balancer;

    return spec->health.given || spec->max_fails.given || spec->outlier.given ||
           spec->agent.given;
}

/* A busy node may miss such checks, whatever it suffers from. */
static bool waits_its_turn(const struct balancer_spec *spec)
{
    return spec->health.probe == PROBE_GENERATION ||
           spec->health.path == PROBE_QUEUED || spec->generation.given;
}

static void lint_health(const struct linter *linter)
{
    const struct balancer_spec *spec = &linter->scenario->balancer;
    const struct tree *at = tree_key(linter->balancer, "health");
    const struct tree *map = tree_find(linter->balancer, "health");

    if (!spec->health.given)
        return;
    if (2 * spec->network_delay_ns > spec->health.timeout_ns)
        lint_say(linter, at,
                 "raise balancer.health.timeout above twice the network delay",
                 "every check fails: its answer takes longer than its "
                 "time-out");
    else if (linter->scenario->fault_count == 0 && !waits_its_turn(spec))
        lint_say(linter, at, NULL,
                 "'health' has no effect: every check passes without 'faults'");
    if (spec->generation.given && spec->health.probe == PROBE_GENERATION)
        lint_say(linter, tree_key(map, "generation"),
                 "set 'probe: http' for the others",
                 "both rows of checks ask for a token");
    if (spec->health.probe != PROBE_GENERATION &&
        lint_changed(map, "balancer.health.work"))
        lint_say(linter, tree_key(map, "work"), NULL,
                 "'work' has no effect unless the probe is a generation");
}

static void lint_panic(const struct linter *linter)
{
    const struct panic_spec *spec = &linter->scenario->balancer.panic;
    const struct tree *at = tree_key(linter->balancer, "panic");

    if (!spec->given)
        return;
    if (!lint_anything_doubts(linter->scenario))
        lint_say(linter, at, "checks are 'health: {}'",
                 "'panic' has no effect: nothing makes balancers doubt a node");
    else if (spec->threshold == 0)
        lint_say(linter, at, NULL,
                 "'panic' has no effect: its threshold is 0 %%");
}

static bool any_policy(const struct linter *linter,
                       bool (*minds)(const struct scenario *scenario,
                                     uint32_t policy))
{
    if (!linter->may_rehearse)
        return true;
    for (uint32_t i = 0; i < linter->scenario->policy_count; i++)
        if (minds(linter->scenario, i))
            return true;
    return false;
}

static void lint_slow_start(const struct linter *linter)
{
    const struct balancer_spec *spec = &linter->scenario->balancer;
    const struct tree *at = tree_key(linter->balancer, "slow_start");

    if (!spec->slow_start.given)
        return;
    if (!lint_anything_doubts(linter->scenario) &&
        !scenario_nodes_change(linter->scenario))
        lint_say(linter, at, "checks are 'health: {}'",
                 "'slow_start' has no effect: nothing makes balancers doubt a "
                 "node, so none comes back, and none is new");
    else if (!any_policy(linter, rehearse_minds_warm_up) &&
             !(spec->slow_start.rule == SLOW_START_HAPROXY && spec->caps.given))
        lint_say(linter, at,
                 "smooth_weighted, least_conn and predict give such a node "
                 "less",
                 "'slow_start' has no effect: no policy here minds it");
}

/* The first group whose weight is too small for percentages of it. */
static const struct group_spec *light_group(const struct scenario *scenario)
{
    for (uint32_t i = 0; i < scenario->group_count; i++) {
        const struct group_spec *group = &scenario->groups[i];

        if (group->count > 0 && group->weight > 0 &&
            group->weight < AGENT_WEIGHT_LEAST)
            return group;
    }
    return NULL;
}

static void lint_dynamic_weights(const struct linter *linter)
{
    const struct balancer_spec *spec = &linter->scenario->balancer;
    const struct dynamic_weights_spec *weights = &spec->dynamic_weights;
    const struct tree *at = tree_key(linter->balancer, "dynamic_weights");
    const struct group_spec *light = light_group(linter->scenario);

    if (!weights->given)
        return;
    if (!any_policy(linter, rehearse_minds_weight_changes))
        lint_say(linter, at, "smooth_weighted and least_conn do",
                 "'dynamic_weights' has no effect: no policy here goes by "
                 "weights");
    if (spec->report_interval_ns > weights->period_ns)
        lint_say(linter, tree_key(linter->balancer, "report_interval"),
                 "report at least once a balancer.dynamic_weights.period",
                 "most looks at the weights find no new report");
    if (weights->rule == DYNAMIC_WEIGHTS_HAPROXY_AGENT && light)
        lint_say(linter, at, "give groups weights of about 100",
                 "an agent's percentages of a weight of %u are cut to whole "
                 "numbers: at 0 a node of group '%s' takes nothing",
                 light->weight, light->name);
}

void lint_checks(const struct linter *linter)
{
    lint_health(linter);
    lint_panic(linter);
    lint_slow_start(linter);
    lint_dynamic_weights(linter);
}
