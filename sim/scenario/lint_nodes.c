/* Where a user could go wrong inside a node: engines, queues, cards. */
#include "sim/scenario/lint_rules.h"

#include <math.h>

double lint_served_at_once(const struct engine_spec *engine)
{
    double n = engine->limit;

    if (engine->kind != ENGINE_SHARING)
        return engine_served_at_once(engine);
    if (engine->limit == 0)
        return 1 / engine->slowdown_per_request;
    return n / (engine->slowdown_base + engine->slowdown_per_request * n);
}

bool lint_nodes_refuse(const struct scenario *scenario)
{
    for (uint32_t i = 0; i < scenario->group_count; i++)
        if (group_may_refuse(&scenario->groups[i]))
            return true;
    return false;
}

bool lint_queues_are_limited(const struct scenario *scenario)
{
    for (uint32_t i = 0; i < scenario->group_count; i++)
        if (!scenario->groups[i].engine.limits_queue)
            return false;
    return true;
}

/* A setting of one engine, given to another. */
static void lint_foreign(const struct linter *linter, const struct tree *engine,
                         const struct engine_spec *spec)
{
    bool shares = spec->kind == ENGINE_SHARING;
    bool batches = spec->kind == ENGINE_BATCH;
    const struct tree *slots = lint_changed(engine, "nodes[].engine.slots");
    const struct tree *limit = tree_key(engine, "limit");
    const struct tree *slowdown = tree_key(engine, "slowdown");

    if (slots && (shares || batches))
        lint_say(linter, slots,
                 shares ? "'limit' says how many are served at once"
                        : "'size' says how many are served at once",
                 "'slots' has no effect on an engine of kind %s",
                 shares ? "sharing" : "batch");
    if (limit && !shares)
        lint_say(linter, limit,
                 batches ? "'size' says how many are served at once"
                         : "'slots' says how many are served at once",
                 "'limit' has no effect unless the engine's kind is sharing");
    if (slowdown && !shares)
        lint_say(
            linter, slowdown, NULL,
            "'slowdown' has no effect unless the engine's kind is sharing");
}

/* Whether any two requests may need different times. */
static bool needs_differ(const struct scenario *scenario,
                         const struct group_spec *group)
{
    const struct workload_spec *workload = &scenario->workload;
    const struct service_spec *service = &group->engine.service;
    const struct dist *work = &workload->work;

    if (workload->class_count > 1)
        return true; /* a closer look would not be worth its lines */
    if (work->kind != DIST_NONE && work->kind != DIST_CONSTANT)
        return true;
    if (work->kind == DIST_NONE && scenario->has_trace)
        return true;
    return service->given &&
           (service->per_input_token_s > 0 || service->per_output_token_s > 0);
}

/* Whether classes differ in priority, or in their deadline. */
static bool priorities_differ(const struct workload_spec *workload)
{
    for (uint32_t i = 1; i < workload->class_count; i++)
        if (workload->classes[i].priority != workload->classes[0].priority)
            return true;
    return false;
}

static bool deadlines_differ(const struct workload_spec *workload)
{
    for (uint32_t i = 1; i < workload->class_count; i++)
        if (workload->classes[i].deadline_ns !=
            workload->classes[0].deadline_ns)
            return true;
    return false;
}

/* What tells the waiting apart, if anything does. */
static void lint_order_kind(const struct linter *linter,
                            const struct tree *order,
                            const struct group_spec *group)
{
    const struct workload_spec *workload = &linter->scenario->workload;
    enum queue_order kind = group->engine.order;

    if (kind == QUEUE_SJF && !needs_differ(linter->scenario, group))
        lint_say(
            linter, order, "give engine.service costs of tokens",
            "order sjf serves by arrival: noise apart, all requests need the "
            "same time");
    else if (kind == QUEUE_EDF && !deadlines_differ(workload))
        lint_say(
            linter, order, "give workload.classes a 'deadline'",
            "order edf serves by arrival: all requests have the same time");
    else if (kind == QUEUE_PRIORITY && !priorities_differ(workload))
        lint_say(linter, order, "give workload.classes a 'priority'",
                 "order priority serves by arrival: all requests have the same "
                 "priority");
}

static void lint_order(const struct linter *linter, const struct tree *engine,
                       const struct group_spec *group)
{
    const struct engine_spec *spec = &group->engine;
    const struct tree *order = lint_changed(engine, "nodes[].engine.order");
    const struct tree *aging = tree_key(engine, "aging");

    if (order && spec->kind == ENGINE_BATCH)
        lint_say(linter, order, "'sort' says who goes into the next batch",
                 "'order' has no effect on an engine of kind batch");
    else if (order && spec->kind == ENGINE_SHARING && spec->limit == 0)
        lint_say(linter, order, "set engine.limit",
                 "'order' has no effect: without a limit nobody waits");
    else if (order && spec->limits_queue && spec->queue_limit <= 1)
        lint_say(linter, order, NULL,
                 "'order' has no effect: no two requests wait at once");
    else
        lint_order_kind(linter, order, group);
    if (aging && spec->order != QUEUE_PRIORITY)
        lint_say(linter, aging, NULL,
                 "'aging' has no effect unless the order is priority");
}

static void lint_limit(const struct linter *linter, const struct tree *engine,
                       const struct engine_spec *spec)
{
    const struct tree *limit = tree_key(engine, "queue_limit");

    if (limit && spec->kind == ENGINE_SHARING && spec->limit == 0)
        lint_say(linter, limit, "set engine.limit",
                 "'queue_limit' has no effect: without a limit nobody waits");
}

static void lint_sharing(const struct linter *linter, const struct tree *engine,
                         const struct engine_spec *spec)
{
    if (spec->kind == ENGINE_SHARING && spec->slowdown_per_request == 0 &&
        spec->limit == 0)
        lint_say(
            linter, tree_key(engine, "slowdown"), "set engine.limit",
            "such a node serves any number of requests at full speed: load "
            "changes nothing");
}

static void lint_coalesce(const struct linter *linter, const struct tree *item,
                          const struct result_cache_spec *cache)
{
    if (cache->given && cache->coalesce && cache->fill == CACHE_FILL_AT_MISS)
        lint_say(
            linter, tree_key(tree_find(item, "result_cache"), "coalesce"), NULL,
            "'coalesce' has hardly an effect with fill at_miss: the answer is "
            "there at once");
}

static void lint_memory(const struct linter *linter, const struct tree *item,
                        const struct group_spec *group)
{
    const struct tree *memory = tree_find(item, "memory");
    const struct tree *full = lint_changed(memory, "nodes[].memory.when_full");
    const struct tree *factor = tree_key(memory, "slow_factor");
    uint32_t places = engine_served_at_once(&group->engine);
    bool leaks = false;

    for (uint32_t i = 0; i < linter->scenario->fault_count; i++)
        leaks |= linter->scenario->faults[i].kind == FAULT_MEMORY_LEAK;
    if (full && !leaks && group->memory_base <= 1 &&
        (group->memory_per_request == 0 ||
         (places > 0 &&
          group->memory_base + group->memory_per_request * places <= 1 + 1e-9)))
        lint_say(linter, full, "raise 'per_request'",
                 "'when_full' has no effect: the memory has room for all that "
                 "is served at once");
    if (factor && group->when_memory_full != MEMORY_FULL_SLOW)
        lint_say(linter, factor, NULL,
                 "'slow_factor' has no effect unless when_full is slow");
}

void lint_nodes(const struct linter *linter)
{
    const struct tree *nodes = tree_find(linter->root, "nodes");

    for (uint32_t i = 0; i < linter->scenario->group_count; i++) {
        const struct group_spec *group = &linter->scenario->groups[i];
        const struct tree *engine = tree_find(nodes->values[i], "engine");

        lint_foreign(linter, engine, &group->engine);
        lint_order(linter, engine, group);
        lint_limit(linter, engine, &group->engine);
        lint_batch(linter, engine, &group->engine);
        lint_sharing(linter, engine, &group->engine);
        lint_memory(linter, nodes->values[i], group);
        lint_coalesce(linter, nodes->values[i], &group->result_cache);
        if (group->cards > 1 && group->kind == NODE_CPU)
            lint_say(linter, tree_key(nodes->values[i], "cards"), NULL,
                     "'cards' are accelerators: group '%s' is of cpu nodes",
                     group->name);
    }
}
