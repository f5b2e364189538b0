/* Rules about models, routing and the classifier; see lint_rules.h. */
#include "sim/scenario/lint_rules.h"

bool lint_nodes_lack_models(const struct scenario *scenario)
{
    for (uint32_t i = 0; i < scenario->group_count; i++)
        if (scenario->groups[i].minds_models &&
            scenario->groups[i].misroute == MISROUTE_REFUSE)
            return true;
    return false;
}

static bool class_asks(const struct scenario *scenario, uint32_t model)
{
    const struct workload_spec *workload = &scenario->workload;

    for (uint32_t i = 0; i < workload->class_count; i++)
        if (workload->classes[i].model == model)
            return true;
    return false;
}

static bool row_asks(const struct scenario *scenario, uint32_t model)
{
    const struct routing_spec *routing = &scenario->routing;

    for (uint32_t i = 0; i < routing->class_count; i++)
        for (uint32_t r = 0; r < routing->classes[i].count; r++)
            if (routing->classes[i].rows[r].model == model)
                return true;
    return false;
}

static bool anybody_asks(const struct scenario *scenario, uint32_t model)
{
    return class_asks(scenario, model) || row_asks(scenario, model) ||
           lint_traces_ask(scenario, model) ||
           scenario->balancer.degrade.light == model;
}

/* All of them unasked for is one mistake and not many. */
static void lint_models(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct tree *nodes = tree_key(linter->root, "nodes");
    uint32_t unasked = 0;

    for (uint32_t m = 1; m < scenario->model_count; m++)
        unasked += !anybody_asks(scenario, m);
    if (unasked > 0 && unasked + 1 == scenario->model_count) {
        lint_say(linter, nodes, "give classes a 'model', or routing a table",
                 "'models' has no effect: nobody asks for a model");
        return;
    }
    for (uint32_t m = 1; unasked > 0 && m < scenario->model_count; m++)
        if (!anybody_asks(scenario, m))
            lint_say(linter, nodes, NULL,
                     "nobody asks for the model '%s': no class and no row of "
                     "routing.table",
                     scenario->models[m]);
}

static bool any_is_routed(const struct scenario *scenario, bool routed)
{
    for (uint32_t i = 0; i < scenario->policy_count; i++)
        if ((scenario->policies[i].routing == POLICY_ROUTING_TABLE) == routed)
            return true;
    return false;
}

static void lint_table(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct routing_spec *routing = &scenario->routing;
    const struct tree *block = tree_find(linter->root, "routing");

    if (routing->given && !any_is_routed(scenario, true))
        lint_say(linter, tree_key(linter->root, "routing"), NULL,
                 "'routing' has no effect: every policy says 'routing: off'");
    for (uint32_t i = 0; i < routing->class_count; i++)
        if (routing->classes[i].count == 0 && !routing->has_default)
            lint_say(linter, tree_key(block, "table"), "or set default_class",
                     "class '%s' is not in the table: its requests fail",
                     scenario->workload.classes[i].name);
    if (scenario->classifier.given && !any_is_routed(scenario, true))
        lint_say(linter, tree_key(linter->root, "classifier"), NULL,
                 "'classifier' has no effect: nothing is routed");
}

/* A class that some group refuses, under a policy that does not know. */
static void lint_blind(const struct linter *linter, uint32_t group)
{
    const struct scenario *scenario = linter->scenario;
    const struct group_spec *spec = &scenario->groups[group];
    const struct workload_spec *workload = &scenario->workload;

    for (uint32_t i = 0; i < workload->class_count; i++) {
        if (spec->models >> workload->classes[i].model & 1)
            continue;
        lint_say(
            linter, tree_key(linter->root, "policies"),
            "route by model, or let nodes run or load what they lack",
            "policies without routing send requests of class '%s' to group "
            "'%s', which lacks their model and refuses them",
            workload->classes[i].name, spec->name);
        return;
    }
    for (uint32_t m = 1; m < scenario->model_count; m++) {
        if ((spec->models >> m & 1) || !lint_traces_ask(scenario, m))
            continue;
        lint_say(linter, tree_key(linter->root, "policies"),
                 "route by model, or let nodes run or load what they lack",
                 "policies without routing send requests for the model '%s' to "
                 "group '%s', which lacks it and refuses them",
                 scenario->models[m], spec->name);
        return;
    }
}

static void lint_group(const struct linter *linter, uint32_t group)
{
    const struct scenario *scenario = linter->scenario;
    const struct group_spec *spec = &scenario->groups[group];
    const struct tree *item = tree_find(linter->root, "nodes")->values[group];

    if (!spec->minds_models && lint_changed(item, "nodes[].misroute"))
        lint_say(
            linter, tree_key(item, "misroute"),
            "list models, and let classes ask for them",
            "'misroute' has no effect: no request is for a model that group "
            "'%s' lacks",
            spec->name);
    if (tree_find(item, "model_load") && spec->misroute != MISROUTE_LOAD)
        lint_say(linter, tree_key(item, "model_load"), NULL,
                 "'model_load' has no effect without 'misroute: load'");
    if (spec->max_context > 0 && !any_is_routed(scenario, true))
        lint_say(linter, tree_key(item, "max_context"), NULL,
                 "'max_context' has no effect without routing");
    if (spec->count > 0 && spec->minds_models &&
        spec->misroute == MISROUTE_REFUSE && any_is_routed(scenario, false))
        lint_blind(linter, group);
}

void lint_routing(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct tree *retry = tree_find(linter->balancer, "retry");

    lint_models(linter);
    lint_table(linter);
    for (uint32_t i = 0; i < scenario->group_count; i++)
        lint_group(linter, i);
    if (scenario->balancer.retry.on_misroute &&
        !lint_nodes_lack_models(scenario))
        lint_say(linter, tree_key(retry, "on_misroute"), NULL,
                 "'on_misroute' has no effect: no node refuses a model");
}
