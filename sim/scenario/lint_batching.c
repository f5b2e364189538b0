/* Where a user could go wrong with batching at the front door. */
#include "sim/scenario/lint_rules.h"

static bool any_node_batches(const struct scenario *scenario)
{
    for (uint32_t g = 0; g < scenario->group_count; g++)
        if (scenario->groups[g].engine.kind == ENGINE_BATCH)
            return true;
    return false;
}

static bool any_deadline(const struct scenario *scenario)
{
    for (uint32_t i = 0; i < scenario->workload.class_count; i++)
        if (scenario->workload.classes[i].deadline_ns < INT64_MAX)
            return true;
    return scenario->balancer.timeout.total_ns < INT64_MAX;
}

static bool any_class_is_batched(const struct workload_spec *workload)
{
    for (uint32_t i = 0; i < workload->class_count; i++)
        if (workload->classes[i].batched)
            return true;
    return workload->class_count == 0;
}

/* Classes that are told apart for nothing. */
static void lint_classes(const struct linter *linter)
{
    const struct tree *list = tree_find(linter->workload, "classes");

    for (uint32_t i = 0; list && i < list->count; i++) {
        const struct tree *at =
            lint_changed(list->values[i], "workload.classes[].batched");

        if (at)
            lint_say(linter, at, "set balancer.batching",
                     "'batched' has no effect: the front door does not batch");
    }
}

/* One cut of no more than a batch, of any lengths, is that batch. */
static void lint_cut(const struct linter *linter, const struct tree *block,
                     const struct batching_spec *spec)
{
    const struct tree *sort = lint_changed(block, "balancer.batching.sort");

    if (spec->collect < spec->rule.size && tree_key(block, "size"))
        lint_say(linter, tree_key(block, "size"), "raise 'collect'",
                 "batches do not reach this size: %u are collected",
                 spec->collect);
    if (spec->rule.size == 1)
        lint_say(linter, tree_key(block, "size"), "set 2 or more",
                 "requests wait, and then go one by one");
    else if (sort && spec->rule.ratio == 0 && spec->collect <= spec->rule.size)
        lint_say(linter, sort, "raise 'collect' or set 'ratio'",
                 "'sort' has no effect: all that wait go together");
}

static void lint_waits(const struct linter *linter, const struct tree *block,
                       const struct batching_spec *spec)
{
    const struct tree *hurry = tree_key(block, "before_deadline");

    if (hurry && !any_deadline(linter->scenario))
        lint_say(linter, hurry,
                 "set balancer.timeout.total or deadlines of classes",
                 "'before_deadline' has no effect: there are no deadlines");
    if (spec->max_wait_ns >= linter->scenario->balancer.timeout.total_ns)
        lint_say(linter, tree_key(block, "max_wait"), NULL,
                 "who waits that long has timed out: balancer.timeout.total "
                 "comes first");
}

void lint_batching(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct batching_spec *spec = &scenario->balancer.batching;
    const struct tree *block = tree_find(linter->balancer, "batching");

    if (!spec->given) {
        lint_classes(linter);
        return;
    }
    if (!any_node_batches(scenario))
        lint_say(linter, tree_key(linter->balancer, "batching"),
                 "it is for nodes with 'engine: {kind: batch}'",
                 "requests wait to be sent together, to nodes that serve each "
                 "of them by itself: it brings nothing");
    if (!any_class_is_batched(&scenario->workload))
        lint_say(linter, tree_key(linter->balancer, "batching"), NULL,
                 "no class is batched");
    lint_cut(linter, block, spec);
    lint_waits(linter, block, spec);
}
